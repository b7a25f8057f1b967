"""Request headers from the command line and from files. No message here holds a value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from transcript_tui.errors import UsageError, not_readable

__all__ = ["Headers", "parse_headers", "read_header_file"]

Headers = tuple[tuple[str, str], ...]

_NAME: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_FROM_ENVIRONMENT: Final = "env:"


def parse_headers(lines: Iterable[str], environ: Mapping[str, str]) -> Headers:
    """``Name: value`` each; a value ``env:NAME`` is read from ``environ``."""
    return tuple(_header(line, environ, "") for line in lines)


def read_header_file(path: Path, environ: Mapping[str, str]) -> Headers:
    """A ``Name: value`` a line; blank lines and lines that begin with ``#`` are passed over."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise not_readable(f"header file {path}", error) from None
    except UnicodeDecodeError:
        raise UsageError(f"The header file {path} is no UTF-8 text.", "Save it as UTF-8.") from None
    lines = enumerate(text.splitlines(), start=1)
    return tuple(
        _header(line, environ, f"{path}, line {number}: ")
        for number, line in lines
        if line.strip() and not line.lstrip().startswith("#")
    )


def _header(line: str, environ: Mapping[str, str], where: str) -> tuple[str, str]:
    name, colon, value = line.partition(":")
    name, value = name.strip(), value.strip()
    if not colon or not _NAME.fullmatch(name):
        raise UsageError(
            f"{where}A header is written 'Name: value'.",
            "For example -H 'Authorization: env:API_KEY'.",
        )
    value = _value(name, value, environ, where)
    if any((ord(sign) < 32 and sign != "\t") or ord(sign) == 127 for sign in value):
        raise UsageError(f"{where}The value of the header {name} has a control character in it.")
    return name, value


def _value(name: str, value: str, environ: Mapping[str, str], where: str) -> str:
    scheme, _, last = value.rpartition(" ")
    if not last.startswith(_FROM_ENVIRONMENT):
        return value
    variable = last.removeprefix(_FROM_ENVIRONMENT)
    if variable not in environ:
        raise UsageError(
            f"{where}The header {name} takes its value from the environment variable "
            f"{variable}, which is not set.",
            f"Set it before: export {variable}=…",
        )
    return f"{scheme} {environ[variable].strip()}".strip()
