"""Entry point of ``transcript-tui`` and ``python -m transcript_tui``."""

from __future__ import annotations

import sys
import warnings

from transcript_tui import collector


def main() -> None:
    # Until a verb works (``cli/parsing.py``).
    collector.starting()
    if not sys.warnoptions:
        # Meant for developers; a user's terminal is no place for them.
        warnings.simplefilter("ignore")
    from transcript_tui.cli.app import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
