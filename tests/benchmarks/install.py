"""What an install from the wheel weighs."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from tests.benchmarks.measuring import head, say

ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    head("Install")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "wheel", "--no-deps", "-w", str(folder), str(ROOT)], check=True)
        (wheel,) = folder.glob("*.whl")
        venv.create(folder / "env", with_pip=True)
        python = folder / "env" / "bin" / "python"
        site = next((folder / "env").glob("lib/python*/site-packages"))
        before = _size(site)
        own = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*own, "install", "--no-compile", str(wheel)], check=True)
        names = {file.name.split("-")[0] for file in site.glob("*.dist-info")} - {
            "pip",
            "setuptools",
        }
        say("installed", f"{(_size(site) - before) / 2**20:.1f} MB", "≤ 60 MB")
        say("packages", f"{len(names)}", "≤ 35")
        say("the wheel itself", f"{wheel.stat().st_size / 2**10:.0f} kB")
        themes = subprocess.run(
            [str(folder / "env" / "bin" / "transcript-tui"), "themes"],
            check=True, capture_output=True, text=True,
        )  # fmt: skip
        say("themes found in it", str(len(themes.stdout.splitlines())))


def _size(folder: Path) -> int:
    return sum(
        file.stat().st_size
        for file in folder.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    )


if __name__ == "__main__":
    main()
