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
    floors, ours = [], []
    for _ in range(5):
        floors.append(paint([PYTHON, str(minimal)], b"palette"))
        ours.append(paint([*PROGRAM, "replay", str(log)], b"Help"))
    floor, own = (tuple(map(min, zip(*one, strict=True))) for one in (floors, ours))
    say("first paint ÷ a minimal Textual app's (wall)", f"{own[0] / floor[0]:.2f}", "≤ 1.4")
    say("… (CPU)", f"{own[1] / floor[1]:.2f}")
    mass = folder / "mass.sse"
    mass.write_bytes(b"".join(sse(events(22_000))))
    command = [*PROGRAM, "replay", "--speed", "max", str(mass)]
    wall, used = min(paint(command, b"finished") for _ in range(3))
    say("22,000 events at --speed max, whole on the screen", f"{wall:.2f} s", "≤ 2 s")
    say("… (CPU)", f"{used:.2f} s")


def paint(command: list[str], wanted: bytes, *, patience: float = 60.0) -> tuple[float, float]:
    """Wall and CPU seconds of a program until ``wanted`` is on its (pseudo-)terminal."""
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
        return time.perf_counter() - began, _cpu_of(child.pid)
    finally:
        child.kill()
        child.wait()
        os.close(master)
        os.close(slave)


def _cpu_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
