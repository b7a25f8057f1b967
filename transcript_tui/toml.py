"""A TOML file of the user's: what it says, and on which line it says so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from transcript_tui.errors import SettingsError, not_readable

__all__ = ["line_of", "parse_toml", "read_text"]

_HEADER: Final = re.compile(r"\s*\[+\s*([^\]]+?)\s*\]+")


def read_text(path: Path) -> str:
    """The file's text; raises ``FileNotFoundError``, and ``SettingsError`` for the rest."""
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        raise
    except UnicodeDecodeError:
        raise SettingsError(f"{path} is no UTF-8 text.", "Save it as UTF-8.") from None
    except OSError as error:
        why = not_readable(f"file {path}", error)
        raise SettingsError(str(why), why.hint) from None


def parse_toml(path: Path, text: str) -> dict[str, Any]:
    """The document in ``text``, which is that of ``path``."""
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"line (\d+), column (\d+)", str(error))
        end = f"{path}:{text.count(chr(10)) + 1}"
        where = f"{path}:{place[1]}:{place[2]}" if place else end
        what = re.sub(r"\s*\(at .*\)$", "", str(error))
        what = what[:1].lower() + what[1:]
        raise SettingsError(f"{where}: not valid TOML: {what}.", "Mend that line.") from None


def line_of(text: str, key: str, table: str = "") -> int:
    """The line that sets ``key`` in ``table`` (``""``: before all tables), or that begins the
    table ``key``; 1 where it cannot be told."""
    wanted = f"{table}.{key}" if table else key
    inside = ""
    for number, line in enumerate(text.splitlines(), 1):
        header = _HEADER.match(line)
        if header is not None:
            said = inside = _plain(header[1])
        else:
            said = f"{inside}.{_plain(line.partition('=')[0])}".removeprefix(".")
        if said == wanted or said.startswith(f"{wanted}."):
            return number
    return 1


def _plain(name: str) -> str:
    """A key without its quotes and the blanks around its parts."""
    return ".".join(part.strip().strip("\"'") for part in name.split("."))
