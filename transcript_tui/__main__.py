"""Entry point of ``transcript-tui`` and ``python -m transcript_tui``."""

from __future__ import annotations

import sys


def main() -> None:
    from transcript_tui.cli.app import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
