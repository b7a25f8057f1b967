"""How fast things start: ``check``, and the viewer's first frame in a pseudo-terminal."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path
from typing import Final

from tests.benchmarks.measuring import cost, cpu, head, say
from tests.benchmarks.streams import events, sse

PYTHON: Final = sys.executable
PROGRAM: Final = (PYTHON, "-m", "transcript_tui")
MINIMAL: Final = """
from textual.app import App
from textual.widgets import Footer, Header
class Minimal(App[None]):
    def compose(self):
        yield Header()
        yield Footer()
Minimal().run()
"""
FIRST: Final = b"\x1b[2J"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        _check(Path(folder))
        _first_paint(Path(folder))


def _check(folder: Path) -> None:
    head("check")
    small, large = folder / "three.sse", folder / "large.sse"
    small.write_bytes(b"".join(sse(events(3))))
    large.write_bytes(b"".join(sse(events(200_000))))
    models = cost([PYTHON, "-c", "import ag_ui.core"], 5)
    three = cost([*PROGRAM, "check", str(small)], 5)
    say(
        "three events ÷ import of the official models (CPU)",
        f"{three.cpu / models.cpu:.2f}",
        "≤ 1.5",
    )
    version = cost([*PROGRAM, "--version"])
    whole = cost([*PROGRAM, "check", "--format", "json", str(large)])
    size = large.stat().st_size / 2**20
    peak = (whole.peak - version.peak) / size
    say("200,000 events: peak over --version ÷ file", f"{peak:.2f}", "≤ 2")
    lines = [line[6:] for line in large.read_bytes().splitlines() if line.startswith(b"data: ")]
    floor = cpu(lambda: [json.loads(line) for line in lines] and None)
    say("200,000 events ÷ json.loads of its lines (CPU)", f"{whole.cpu / floor:.2f}", "≤ 2")


def _first_paint(folder: Path) -> None:
    head("The viewer")
    minimal = folder / "minimal.py"
    minimal.write_text(MINIMAL)
    log = folder / "run.sse"
    log.write_bytes(b"".join(sse(events(2_000))))
    floor = min(paint([PYTHON, str(minimal)], b"palette") for _ in range(5))
    ours = min(paint([*PROGRAM, "replay", str(log)], b"Help") for _ in range(5))
    say("first paint ÷ a minimal Textual app's (wall)", f"{ours / floor:.2f}", "≤ 1.4")
    mass = folder / "mass.sse"
    mass.write_bytes(b"".join(sse(events(22_000))))
    whole = min(
        paint([*PROGRAM, "replay", "--speed", "max", str(mass)], b"finished") for _ in range(2)
    )
    say("20,000 deltas at --speed max, whole on the screen", f"{whole:.2f} s", "≤ 2 s")


def paint(command: list[str], wanted: bytes, *, patience: float = 60.0) -> float:
    """Seconds from the start of a program to ``wanted`` on its (pseudo-)terminal."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    began = time.perf_counter()
    child = subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True
    )
    seen = b""
    try:
        while wanted not in seen and time.perf_counter() - began < patience:
            if select.select([master], [], [], 0.5)[0]:
                seen += os.read(master, 65536)
        return time.perf_counter() - began
    finally:
        child.kill()
        child.wait()
        os.close(master)
        os.close(slave)


if __name__ == "__main__":
    main()
