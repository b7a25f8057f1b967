"""Marks within a line of Markdown, as spans."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from rich.style import Style

from transcript_tui.text import label, marked
from transcript_tui.ui.cells import Span
from transcript_tui.ui.layout.markdown.halfwritten import calmed_line
from transcript_tui.ui.layout.styles import DocumentStyles

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_BARE: Final = re.compile(r"(?:https?://|mailto:)[^\s<>\"'`]+", re.IGNORECASE)
_PLAIN: Final = re.compile(r"[^*_`~\[\]!<&\\]*")
"""Text in which no mark can stand."""
_PIECE: Final = 160
"""Characters of a paragraph that are read at once, where nothing in them is left open."""
_MOST_KEPT: Final = 64
_SPACE: Final = re.compile(r"[ \n]")
_OPENER: Final = re.compile(r"\*(?=\S)|(?<!\w)_|~~|[`\[<]")
"""What could belong to a mark that is closed further on."""
_LOOKS_LIKE_ADDRESS: Final = re.compile(r"\s*(?:[a-z][a-z0-9+.-]*:|[\w-]+(?:\.[\w-]+)+)", re.I)
_PAIRS: Final = {")": "(", "]": "[", "}": "{"}
_EMPHASES: Final = {"strong_open": "strong", "em_open": "emphasis", "s_open": "strike"}
"""Mark → its style."""
_BREAK: Final = re.compile(r"<br\s*/?>$", re.IGNORECASE)


class Inline:
    """Reads lines in one set of styles."""

    def __init__(self, styles: DocumentStyles, *, addresses: bool = False) -> None:
        self._styles = styles
        self._addresses = addresses
        self._links: Mapping[str, str] = {}
        self._kept: OrderedDict[tuple[str, Style], list[Span]] = OrderedDict()
        """Pieces of paragraphs that were read already."""

    def spans(
        self, text: str, base: Style, links: Mapping[str, str], *, calm: bool = False
    ) -> list[Span]:
        """``text`` over ``base``; ``links`` are the addresses of labels that stand elsewhere."""
        if links is not self._links:
            self._links = links
            self._kept.clear()
        spans: list[Span] = []
        at = 0
        while len(text) - at > _PIECE:
            end = self._piece(text, at, base)
            if end is None:
                break
            spans += self._kept[text[at:end], base]
            at = end
        rest = text[at:]
        spans += self._piece_spans(calmed_line(rest) if calm else rest, base)
        return spans

    def _piece(self, text: str, at: int, base: Style) -> int | None:
        """Where a piece ends that later text cannot change; its spans are kept."""
        end = at
        while found := _SPACE.search(text, end + _PIECE):
            end = found.end()
            piece = text[at:end]
            key = piece, base
            if key in self._kept:
                self._kept.move_to_end(key)
                return end
            spans = self._piece_spans(piece, base)
            if not any(_OPENER.search(span.text) for span in spans):
                self._kept[key] = spans
                if len(self._kept) > _MOST_KEPT:
                    self._kept.popitem(last=False)
                return end
        return None

    def _piece_spans(self, text: str, base: Style) -> list[Span]:
        if _PLAIN.fullmatch(text):
            spans: list[Span] = []
            self._text(spans, text, base, None)
            return spans
        return self._read(_tokens(text, self._links), base)

    def _read(self, tokens: list[Token], base: Style) -> list[Span]:
        styles = self._styles
        spans: list[Span] = []
        stack = [base]
        links: list[tuple[str, int]] = []
        for token in tokens:
            address = links[-1][0] if links else None
            match token.type:
                case "text" | "text_special":
                    self._text(spans, marked(token.content), stack[-1], address)
                case "softbreak" | "hardbreak":
                    spans.append(Span("\n", base))
                case "code_inline":
                    content = marked(token.content).replace("\n", " ")
                    spans.append(Span(content, stack[-1] + styles.code, address))
                case "strong_open" | "em_open" | "s_open":
                    stack.append(stack[-1] + getattr(styles, _EMPHASES[token.type]))
                case "link_open":
                    links.append((label(str(token.attrs.get("href", ""))), len(spans)))
                    stack.append(stack[-1] + styles.link)
                case "link_close":
                    stack.pop()
                    self._address(spans, *links.pop(), stack[-1])
                case "strong_close" | "em_close" | "s_close":
                    stack.pop()
                case "image":
                    self._image(spans, token, stack[-1])
                case "html_inline" if _BREAK.match(token.content):
                    spans.append(Span("\n", base))
                case _:
                    spans.append(Span(marked(token.content), stack[-1], address))
        return spans

    def _text(self, spans: list[Span], text: str, style: Style, address: str | None) -> None:
        """Plain text, addresses in it told apart."""
        if address is not None or ":" not in text:
            spans.append(Span(text, style, address))
            return
        start = 0
        for match in _BARE.finditer(text):
            found = _trimmed(match.group())
            if match.start() > start:
                spans.append(Span(text[start : match.start()], style))
            start = match.start() + len(found)
            spans.append(Span(found, style + self._styles.link, found))
        if start < len(text):
            spans.append(Span(text[start:], style))

    def _address(self, spans: list[Span], address: str, first: int, style: Style) -> None:
        """The true address, on demand and wherever the text could be taken for another one."""
        text = "".join(span.text for span in spans[first:])
        same = _bare(address) == _bare(text.strip())
        if not same and (self._addresses or _LOOKS_LIKE_ADDRESS.match(text)):
            spans.append(Span(f" ({address})", style + self._styles.muted))

    def _image(self, spans: list[Span], token: Token, style: Style) -> None:
        address = label(str(token.attrs.get("src", "")))
        alt = marked(token.content) or "image"
        spans.append(Span(f"🖼 {alt}", style + self._styles.link, address))
        if address:
            spans.append(Span(f" ({address})", style + self._styles.muted))


def _bare(address: str) -> str:
    return address.removeprefix("mailto:").rstrip("/")


def _trimmed(address: str) -> str:
    """Without the punctuation that follows an address in a sentence."""
    while address:
        last = address[-1]
        opener = _PAIRS.get(last)
        if opener is None and last not in ".,;:!?*_~|\\":
            break
        if opener is not None and address.count(last) <= address.count(opener):
            break
        address = address[:-1]
    return address


@lru_cache(1)
def _parser() -> MarkdownIt:
    # Imported when the first mark is met: start-up does not wait for it.
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("strikethrough")


def normalized(name: str) -> str:
    """A link label as it is looked up."""
    return re.sub(r"\s+", " ", name.strip()).lower().upper()


def _tokens(text: str, links: Mapping[str, str]) -> list[Token]:
    references = {name: {"title": "", "href": address} for name, address in links.items()}
    inline = _parser().parseInline(text, {"references": references})
    return (inline[0].children or []) if inline else []
