"""Entry point of ``transcript-tui`` and ``python -m transcript_tui``."""

from __future__ import annotations

import gc
import sys
import warnings


def main() -> None:
    # What is made while starting lives to the end: looking for garbage in it costs a tenth of
    # the start. It is looked for again as soon as a verb works (``cli/parsing.py``).
    gc.disable()
    if not sys.warnoptions:
        # Meant for developers; a user's terminal is no place for them.
        warnings.simplefilter("ignore")
    from transcript_tui.cli.app import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
