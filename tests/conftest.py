"""Fixtures for every test: where the shared material lies, and no stray environment.

Laws run 25 examples each by default, 200 in CI, 2,000 with ``HYPOTHESIS_PROFILE=full``; those
in CI are the same each time for the same law, so that luck does not decide whether a change lands.
In CI a skipped test is a failure: what is not looked at there is looked at nowhere.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

CI = bool(os.environ.get("CI"))
SHARED = Path(__file__).resolve().parent.parent.parent / "shared"

_QUIET = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("default", max_examples=25, **_QUIET)
settings.register_profile("ci", max_examples=200, derandomize=True, **_QUIET)
settings.register_profile("full", max_examples=2000, **_QUIET)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if CI else "default")
settings.load_profile(PROFILE)


def examples(usual: int) -> int:
    """For a law that is dear or cheap: ``usual`` many; 200 in CI, 2,000 in the full count."""
    return {"ci": max(usual, 200), "full": 2000}.get(PROFILE, usual)


@pytest.hookimpl(trylast=True)  # after the plugin that marks the laws
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The full count has no time limit: on a busy machine 2,000 examples take minutes."""
    for item in items if PROFILE == "full" else ():
        if item.get_closest_marker("hypothesis"):
            item.add_marker(pytest.mark.timeout(0))


def pytest_collection_finish() -> None:
    """The tests themselves live to the end: each full look for garbage went through them, too,
    which was a tenth of the time of all tests of the screen."""
    gc.collect()
    gc.freeze()


def shared_path(*parts: str) -> Path:
    """A path in the shared material; the test skips where it is absent, and fails so in CI."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        reason = f"shared material is absent: {'/'.join(parts) or 'shared'}"
        if CI:
            pytest.fail(reason)
        pytest.skip(reason)
    return path


@pytest.fixture
def shared() -> Path:
    """The root of the shared material (read-only)."""
    return shared_path()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if CI and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"skipped in CI, where nothing may be: {reason}"
    return report


@pytest.fixture(autouse=True)
def _plain_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """No colours, proxies, settings, themes or logs of whoever runs the tests."""
    for name in list(os.environ):
        if name.startswith("TRANSCRIPT_TUI_") or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    for name in ("NO_COLOR", "TEXTUAL_THEME", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    home = tmp_path_factory.getbasetemp() / "home"
    for name in ("CONFIG", "STATE", "DATA", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(home / name.lower()))
