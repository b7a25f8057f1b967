"""Private names of Textual's and Rich's that this program overrides or reads, and what each is for.

They may go with any release. Most would go unnoticed, as nothing would fail: a method that
overrides nothing is only never called. Here each is named, with what breaks without it.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest
from rich.console import Console
from textual.app import App
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

import transcript_tui

NAMES: Final[dict[tuple[type, str], str]] = {
    (App, "_driver"): "the terminal is no longer sent the bell, notifications and mouse modes",
    (App, "_filters"): "colours are drawn under NO_COLOR, and the 256-colour terminal's are off",
    (App, "_handle_exception"): "an unforeseen error is told as a traceback, and not logged",
    (App, "_fatal_error"): "an unforeseen error is told as a traceback",
    (App, "_close_messages_no_wait"): "the viewer does not close after an unforeseen error",
    (App, "_print_error_renderables"): "an unforeseen error's traceback is printed at the end",
    (App, "_exit_renderables"): "an unforeseen error's traceback is printed at the end",
    (Screen, "_bindings"): "no key of the settings works, and help is not closed by its keys",
    (Screen, "_update_timer"): "each frame is painted up to two seconds late",
    (Screen, "_on_timer_update"): "nothing is painted",
    (ScrollView, "_scroll_update"): "lists that grow scroll over their old length",
    (Strip, "_segments"): "emoji and combining letters push what stands beside them",
    (Strip, "_filter_cache"): "lines are drawn without their own blanking under NO_COLOR",
    (Console, "_color_system"): "lines with emoji are blanked in colours the terminal lacks",
    (MessagePump, "_timers"): "a call that is waited for comes after what waits has gone",
    (Timer, "_start"): "what is to be painted or read later never is",
}
ROOT: Final = Path(transcript_tui.__file__).parent
TOUCHED: Final = (App, Screen, Widget, ScrollView, Strip, Timer, MessagePump, Console)
"""What private names are looked for in, where they are read of something else than ``self``."""


@cache
def names_of(kind: type) -> frozenset[str]:
    """Private names of a class and of what it derives from, attributes of instances among them."""
    found = {name for name in dir(kind) if _private(name)}
    for base in kind.__mro__:
        if base.__module__.split(".")[0] in ("textual", "rich"):
            found |= set(re.findall(r"\bself\.(_[a-z]\w*)", inspect.getsource(base)))
    return frozenset(filter(_private, found))


def _private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


@pytest.mark.parametrize(("kind", "name"), NAMES, ids=lambda one: getattr(one, "__name__", one))
def test_it_is_still_there(kind: type, name: str) -> None:
    assert name in names_of(kind), f"{kind.__name__}.{name} is gone: {NAMES[kind, name]}"


def test_no_other_is_used() -> None:
    """Nor taken for a name of our own, which would change what Textual does."""
    named = {name for _, name in NAMES}
    used = {
        (f"{path.relative_to(ROOT)}:{line}", name)
        for path in (ROOT / "ui").rglob("*.py")
        for line, name in _used(path)
    }
    assert sorted((place, name) for place, name in used if name not in named) == []
    assert named == {name for _, name in used}, "what is not used need not be named"


def _used(path: Path) -> Iterator[tuple[int, str]]:
    """(line, name) of each private name of theirs in a file."""
    tree = ast.parse(path.read_text("utf-8"))
    module = importlib.import_module(".".join(path.relative_to(ROOT.parent).with_suffix("").parts))
    theirs = frozenset().union(*map(names_of, TOUCHED))
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield from _in_class(node, module)
        elif isinstance(node, ast.Attribute) and node.attr in theirs and not _of_self(node):
            yield node.lineno, node.attr


def _in_class(node: ast.ClassDef, module: ModuleType) -> Iterator[tuple[int, str]]:
    """What a class of ours that derives from one of theirs defines, sets or reads of it."""
    kind = getattr(module, node.name, None)
    bases = [
        base
        for base in getattr(kind, "__mro__", ())
        if base.__module__.split(".")[0] in ("textual", "rich")
    ]
    theirs = frozenset().union(*map(names_of, bases))
    for inner in ast.walk(node):
        if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef) and inner.name in theirs:
            yield inner.lineno, inner.name
        elif isinstance(inner, ast.Attribute) and inner.attr in theirs and _of_self(inner):
            yield inner.lineno, inner.attr


def _of_self(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id in ("self", "other")
