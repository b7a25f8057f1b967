"""The log file: where an unforeseen error is written down.

Below ``debug`` it holds no text of a stream and no header value: exception messages may
quote either, so only their types and places are written, and only our own records.
No file is created until there is something to write.
"""

from __future__ import annotations

import logging
import os
import traceback
from io import TextIOWrapper
from pathlib import Path
from typing import Any, Final

__all__ = ["LOGGER", "log_file", "open_log", "unforeseen"]

LOGGER: Final = logging.getLogger("transcript_tui")
logging.raiseExceptions = False  # a full disk under the log must not print into the screen
logging.lastResort = None  # nor must a record, where there is no log
_LEVELS: Final = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}


class _Discreet(logging.Formatter):
    """Tracebacks as types and places; messages of exceptions only at ``debug``."""

    def __init__(self, *, whole: bool) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self.whole = whole

    def format(self, record: logging.LogRecord) -> str:
        # Formatters share the text of a traceback through the record: another's would be whole.
        kept, record.exc_text = record.exc_text, None
        try:
            from transcript_tui.text import inert

            # Whoever looks at the log in a terminal must be as safe as on the screen.
            return inert(super().format(record))
        finally:
            record.exc_text = kept

    def formatException(self, ei: Any) -> str:
        if self.whole:
            return super().formatException(ei)
        kind, _, trace = ei
        places = "".join(traceback.format_tb(trace))
        return f"{places}{kind.__module__}.{kind.__qualname__} (its message is kept out of the log)"


class _LateFile(logging.FileHandler):
    """A file that is opened with its first record; where it cannot be, records are lost.

    At ``debug`` it holds what was said and headers: nobody else may read it unless told so.
    """

    def _open(self) -> TextIOWrapper:
        return open(self.baseFilename, "a", encoding=self.encoding, opener=_for_us)

    def emit(self, record: logging.LogRecord) -> None:
        try:
            super().emit(record)
        except OSError:
            self.handleError(record)


def _for_us(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def log_file(named: str | Path = "") -> Path:
    """The file named, else ``transcript-tui.log`` in the platform's folder for logs."""
    if named:
        return Path(named)
    import platformdirs

    return platformdirs.user_log_path("transcript-tui", appauthor=False) / "transcript-tui.log"


def open_log(file: Path, level: str = "warning") -> None:
    """Send our records to ``file``; at ``debug`` those of the libraries too.

    Raises :class:`UsageError` where its folder is not there and cannot be made.
    """
    from transcript_tui.errors import unwritable
    from transcript_tui.files import check_writable

    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        target = _LateFile(file, encoding="utf-8", delay=True)
    except OSError as error:
        raise unwritable(file, error) from None
    check_writable(file)
    target.setFormatter(_Discreet(whole=level == "debug"))
    logger = logging.getLogger() if level == "debug" else LOGGER
    logger.addHandler(target)
    logger.setLevel(_LEVELS[level])
    LOGGER.propagate = level == "debug"


def _everything_is_logged() -> bool:
    """At ``debug`` the root's handler is ours."""
    return any(isinstance(one.formatter, _Discreet) for one in logging.getLogger().handlers)


def unforeseen(error: BaseException, file: Path) -> str:
    """Write the error down; returns the one sentence that the user sees."""
    try:
        if not LOGGER.handlers and not _everything_is_logged():
            open_log(file)
        LOGGER.error("unforeseen error", exc_info=error)
        kept = file.is_file()
    except Exception:
        kept = False
    where = f"the log is {file}" if kept else "no log could be kept"
    return f"transcript-tui: an unforeseen error ({type(error).__name__}); {where}"
