"""Fixtures for every test: where the shared material lies, and no stray environment."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"


def shared_path(*parts: str) -> Path:
    """A path in the shared material; the test skips where it is absent, and fails so in CI."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        reason = f"shared material is absent: {'/'.join(parts) or 'shared'}"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return path


@pytest.fixture
def shared() -> Path:
    """The root of the shared material (read-only)."""
    return shared_path()


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "TEXTUAL_THEME", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
