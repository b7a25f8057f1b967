"""Everything that is measured, as ratios within one run.

python -m tests.benchmarks                 # all parts
python -m tests.benchmarks pipeline start  # some of them
"""

from __future__ import annotations

import argparse
import subprocess
import sys

PARTS = {
    "pipeline": "bytes to transcript, against the official models",
    "answers": "the gist of a hostile web page",
    "start": "time and memory of check, first paint of the viewer",
    "layout": "a message's text: growing, and opened at its ends",
    "huge": "one message of a megabyte on the screen: how long any step of it takes",
    "view": "the transcript on the screen: opening, tokens, jumps, resizing, resting, memory",
    "panes": "the views around it: a token with each open; opening, copying and exporting",
    "seek": "any place in 200,000 events: found, and painted",
    "install": "size and number of packages of an install from the wheel",
    "million": "a million events at full speed: memory, order, keys",
    "client": "recordings read by the reference client (needs Node and npm)",
    "reference": "the reference client on the same streams (needs Node and npm)",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    wanted = parser.parse_args().parts or list(PARTS)
    for name in wanted:
        if name not in PARTS:
            parser.error(f"there is no part {name!r}; there are {', '.join(PARTS)}")
    for name in wanted:
        # Each in a process of its own: a child's peak memory is at least that of its parent.
        subprocess.run([sys.executable, "-m", f"tests.benchmarks.{name}"], check=True)


if __name__ == "__main__":
    main()
