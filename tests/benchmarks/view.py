"""The viewer's speed: all that the issue's table asks for, in one run.

In this process: what a token, a page, a jump cost in CPU, 100 against 10,000 messages
(``screen``). In a pseudo-terminal: opening, moving, resting, growing, memory (``driven``).
"""

from __future__ import annotations

from tests.benchmarks import driven, screen


def main() -> None:
    screen.main()
    driven.main()


if __name__ == "__main__":
    main()
