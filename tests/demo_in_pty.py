"""Run one command line in a pseudo-terminal until the demo shows its last message; then quit.

    python3 tests/demo_in_pty.py 'COMMAND' [TEXT]

Standard library only: in CI it runs before anything is installed. ``TEXT`` is what the
screen must show at last, by default the last words of the scenario ``hello``.
"""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import Any

ROWS, COLUMNS = 40, 100
PATIENCE = 300.0
"""Seconds; the first run installs the dependencies."""
HELLO = (
    Path(__file__).resolve().parent.parent / "transcript_tui" / "server" / "scenarios/hello.jsonl"
)
_ESCAPES = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()].|.)")


def last_words(scenario: Path = HELLO) -> str:
    """The end of the last text message: as few words as it takes to be found nowhere else."""
    said: list[str] = []
    for line in scenario.read_text("utf-8").splitlines():
        event: dict[str, Any] = json.loads(line).get("event", {})
        if event.get("type") == "TEXT_MESSAGE_START":
            said.append("")
        elif str(event.get("type")).startswith("TEXT_MESSAGE_"):
            said[-1] += str(event.get("delta", ""))
    words = re.findall(r"[\w']+", said[-1])
    ends = (" ".join(words[-count:]) for count in range(2, len(words)))
    return next(end for end in ends if "\n".join(said).count(end) == 1)


def shown(raw: bytes) -> str:
    """What was written to the terminal, without what only moves the cursor or colours."""
    return _ESCAPES.sub(b"", raw).decode("utf-8", "replace")


def main(command: str, wanted: str) -> int:
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    environment = {**os.environ, "TERM": "xterm-256color"}
    before = termios.tcgetattr(slave)
    child = subprocess.Popen(
        ["bash", "-c", command],
        stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True,
    )  # fmt: skip
    raw, quitting, deadline = b"", False, time.monotonic() + PATIENCE
    while child.poll() is None and time.monotonic() < deadline:
        ready, _, _ = select.select([master], [], [], 0.2)
        if ready:
            raw += os.read(master, 65536)
        if not quitting and wanted in shown(raw):
            quitting = True
            os.write(master, b"q")
    if child.poll() is None:
        child.kill()
    restored = termios.tcgetattr(slave)[:4] == before[:4] and b"\x1b[?1049l" in raw
    status = child.wait()
    sys.stdout.write(f"shown {wanted!r}: {quitting}; restored: {restored}; status {status}\n")
    if quitting and restored and status == 0:
        return 0
    sys.stdout.write(shown(raw)[-2000:] + "\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else last_words()))
