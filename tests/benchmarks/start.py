"""How fast things start: ``check``, and the viewer's first frame in a pseudo-terminal."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from tests.benchmarks.measuring import cost, cpu, head, say
from tests.benchmarks.streams import events, sse
from tests.benchmarks.terminal import PROGRAM, PYTHON, Terminal, minimal


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
    least = minimal(folder)
    log = folder / "run.sse"
    log.write_bytes(b"".join(sse(events(2_000))))
    floors, ours = [], []
    for _ in range(5):
        floors.append(paint(least, b"palette"))
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


def paint(command: list[str], wanted: bytes) -> tuple[float, float]:
    """Wall and CPU seconds of a program until ``wanted`` is on its (pseudo-)terminal."""
    with Terminal(command, columns=120) as terminal:
        return terminal.until(wanted), terminal.cpu


if __name__ == "__main__":
    main()
