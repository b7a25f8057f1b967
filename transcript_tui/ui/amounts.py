"""Counts, sizes and times in words, for every view."""

from __future__ import annotations

from math import ceil
from typing import Final


def count(number: int, one: str, many: str = "") -> str:
    """``1 line``, ``1,234 lines``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def ordinal(number: int) -> str:
    """``1st``, ``2nd``, ``3rd``, ``4th``, ``11th``, ``21st``."""
    few = {1: "st", 2: "nd", 3: "rd"} if number // 10 % 10 != 1 else {}
    return f"{number:,}{few.get(number % 10, 'th')}"


def size(octets: int) -> str:
    """``812 bytes``, ``34.5 kB``, ``1.2 MB``."""
    if octets < 1000:
        return count(max(0, octets), "byte")
    if octets < 1_000_000:
        return f"{octets / 1000:.1f} kB"
    return f"{octets / 1_000_000:.1f} MB"


def clock(value: float | None) -> str:
    """A place in time: ``0:12``, ``2:05``, ``1:02:05``; ``-:--`` where it is not known."""
    if value is None:
        return "-:--"
    if value >= _LONG:
        return _long(value)
    whole = int(value)
    hours, minutes = divmod(whole // 60, 60)
    tail = f"{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"
    return f"{hours}:{tail}" if hours else tail


def fine_clock(seconds: float) -> str:
    """The same with tenths, to tell neighbours apart: ``1:02:03.4``."""
    if seconds >= _LONG:
        return _long(seconds)
    tenths = round(seconds * 10)
    minutes, tenths = divmod(tenths, 600)
    hours, minutes = divmod(minutes, 60)
    tail = f"{tenths // 10:02d}.{tenths % 10}"
    return f"{hours}:{minutes:02d}:{tail}" if hours else f"{minutes}:{tail}"


def seconds(value: float | None) -> str:
    """What counts up while one looks: ``0.4 s``, ``12.3 s``, ``2:05``, ``1:02:05``."""
    if value is None:
        return ""
    return f"{value:.1f} s" if value < 60 else clock(value)


def duration(value: float | None) -> str:
    """How long something took: ``28 ms``, ``1.24 s``, ``12.3 s``, ``2 m 03 s``, ``1 h 02 m``;
    empty where it is not known."""
    if value is None:
        return ""
    if value < 0.9995:
        return f"{value * 1000:.0f} ms"
    if value < 59.95:
        return f"{value:.2f} s" if value < 9.995 else f"{value:.1f} s"
    if value >= _LONG:
        return _long(value)
    minutes, rest = divmod(round(value), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} m" if hours else f"{minutes} m {rest:02d} s"


def wait(value: float) -> str:
    """How long it still takes, in whole seconds: ``4 s``, ``2 m 03 s``."""
    whole = ceil(value)
    return f"{whole} s" if whole < 60 else duration(whole)


_LONG: Final = 100 * 3600.0
"""Seconds from which on nobody counts any more: a log of days, or timestamps in another unit."""


def _long(value: float) -> str:
    """``4 d 05 h``, ``57,039 years``."""
    days, rest = divmod(int(value), 86_400)
    if days < 1000:
        return f"{days} d {rest // 3600:02d} h"
    return f"{days / 365.2425:,.0f} years"
