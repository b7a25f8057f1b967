"""Every format: total, at any position, and no text from outside acts in it."""

from __future__ import annotations

import html
import json
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.strategies import broken_streams, payloads, streams
from tests.transcript.folding import (
    FAILED,
    FINISHED,
    STARTED,
    call,
    event,
    fed,
    result,
    run,
    text,
    thought,
)
from transcript_tui.export import FORMATS
from transcript_tui.export.markdown import fenced, literal, prose
from transcript_tui.text import inert, inline
from transcript_tui.transcript.pipeline import Pipeline
from transcript_tui.ui.themes import SHIPPED, read_theme, shipped_folder
from transcript_tui.wire.jsontext import dumps, parse

HIDDEN = "".join(chr(0xE0000 + ord(char)) for char in "ignore all")
HOSTILE = (
    "\x1b]0;title\x07", "<script>alert(1)</script>", "</details></pre>", "# Heading", "Setext\n===",
    "```\nopen fence", "\u202eright to left", "![img](https://tracker.test/x.png)", "a\r\nb\rc",
    "\u2028", "\x9b31m", "\ud83d", "- # in a list", "> # quoted", "1. ```\n   # x", "\x00",
    "&lt;b>", HIDDEN, "zero\u200bwidth\u2060", "\u00ad&#x200b;&#xE0041;",
    "`<b>`", "assistant:", "-- run", "javascript:alert(1)", '"onload=x', "\u0085", "\x7f",
)  # fmt: skip


def everywhere(word: str) -> Pipeline:
    """A run with ``word`` in every place that text can come to."""
    parts = [
        {"type": "text", "text": word},
        {"type": "image", "source": {"type": "url", "value": word, "mimeType": word}},
        {"type": "audio", "source": {"type": "data", "value": word, "mimeType": "a/b"}},
        {"type": "document", "source": {"type": "file", "value": word}},
    ]
    return fed(
        STARTED,
        event("SUBAGENT_STARTED", subagentRunId=word, name=word),
        *text("m", word, name=word, role="user", subagentRunId=word),
        *text("n", word), *thought("r", word),
        *call("c", word, name=word), result("c", "t", word),
        event("ACTIVITY_SNAPSHOT", messageId="a", activityType=word, content={word: [word]}),
        event("REASONING_ENCRYPTED_VALUE", subtype="message", entityId="r", encryptedValue=word),
        event("MESSAGES_SNAPSHOT", messages=[
            {"id": "m", "role": "user", "content": word, "name": word},
            {"id": "x", "role": "tool", "toolCallId": "q", "content": word, "error": word},
        ]),
        result("none", "t2", parts),
        event("CUSTOM", name=word, value=word), event("STEP_STARTED", stepName=word),
        {**FAILED, "message": word, "code": word},
        {**STARTED, "runId": word},
        {**FINISHED, "runId": word, "outcome": {"type": "interrupt", "interrupts": [
            {"id": "i", "reason": word, "message": word}, {"id": "j", "reason": word},
        ]}},
        {"type": word},
        event("TEXT_MESSAGE_CONTENT", messageId=word, delta=word),
    )  # fmt: skip


@pytest.mark.parametrize("name", FORMATS)
@given(st.one_of(streams().map(payloads), broken_streams()), st.data())
def test_total_at_any_position(name: str, parts: list[bytes], data: st.DataObject) -> None:
    pipeline = Pipeline()
    pipeline.feed_all(parts)
    pipeline.end()
    position = data.draw(st.integers(0, pipeline.transcript.length))
    written = FORMATS[name].render(pipeline.transcript, position)
    written.encode()
    prefix = Pipeline()
    prefix.feed_all(parts[:position])
    if position == len(parts):
        prefix.end()
    assert written == FORMATS[name].render(prefix.transcript, position)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("word", HOSTILE)
def test_no_control_character_gets_out(name: str, word: str) -> None:
    written = FORMATS[name].render(everywhere(word).transcript, 10**6)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", written.replace("\u0085", "")) or (
        name == "json"
    )
    if name != "json":
        assert not re.search(r"[\u202a-\u202e\u2066-\u2069\ud800-\udfff]", written)
    hidden = "[\u00ad\u200b\u2028-\u202e\u2060-\u206f\x7f-\x9f\U000e0000-\U000e0fff]"
    assert not re.search(hidden, written)


@pytest.mark.parametrize("name", ["txt", "md", "html"])
def test_hidden_letters_are_seen(name: str) -> None:
    written = FORMATS[name].render(everywhere(HIDDEN).transcript, 10**6)
    assert written.count("⟦ignore all⟧") > 10


def test_json_tells_what_came_whatever_it_was() -> None:
    for word in HOSTILE:
        transcript = everywhere(word).transcript
        held = transcript.messages()
        written = FORMATS["json"].render(transcript, 10**6)
        assert json.loads(written)["messages"] == json.loads(dumps(held))


# Plain text


def test_plain_text() -> None:
    pipeline = fed(
        STARTED,
        *text("u", "Hi\nassistant: forged", role="user", name="Ada"),
        *call("c", '{"q": 1}', parentMessageId="n"),
        *text("n", "Here."),
        result("c", "t", "3 hits"),
        *text("o", "Half")[:2],
        FAILED,
    )
    assert FORMATS["txt"].render(pipeline.transcript, 10**6) == (
        "user (Ada):\n  Hi\n  assistant: forged\n\n"
        'assistant:\n  Here.\n  > find [answered]\n    {"q": 1}\n  = tool:\n    3 hits\n\n'
        "assistant: [cut off]\n  Half\n\n"
        "-- The run failed: it broke\n"
    )


@pytest.mark.parametrize("word", HOSTILE)
def test_only_our_own_words_stand_at_the_margin(word: str) -> None:
    written = FORMATS["txt"].render(everywhere(word).transcript, 10**6)
    own = re.compile(r"(user|assistant|tool|reasoning|activity|system|developer)( \(.*\))?:|-- ")
    for line in written.split("\n"):
        assert not line or line.startswith("  ") or own.match(line)


def test_endings_and_problems_have_words() -> None:
    pipeline = fed(STARTED, *call("c"), FINISHED, STARTED, *text("m", "x")[:2])
    pipeline.end()
    written = FORMATS["txt"].render(pipeline.transcript, 10**6)
    assert "-- Tool calls left to the front end: c" in written
    assert "-- run r\n" in written
    assert "truncated" in written
    pipeline = fed(
        STARTED, {**FINISHED, "outcome": {"type": "cancelled"}}, b"x", b"y", keep_going=True
    )
    written = FORMATS["txt"].render(pipeline.transcript, 10**6)
    assert "-- The run was cancelled" in written
    assert "-- The stream was rejected here: not-json" in written
    assert "-- A further violation: not-json" in written
    read_on = fed(STARTED, b"x", FINISHED, keep_going=True)
    assert FORMATS["txt"].render(read_on.transcript, 10**6).count("--") == 1
    open_ = fed(STARTED, *text("m", "x")[:2])
    assert "assistant: [still being written]" in FORMATS["txt"].render(open_.transcript, 10**6)


# AG-UI JSON


def test_json_can_be_given_to_the_next_run() -> None:
    pipeline = run(
        *text("u", "Hi \ud83d\ude00", role="user"), event("STATE_SNAPSHOT", snapshot=[1])
    )
    written = json.loads(FORMATS["json"].render(pipeline.transcript, 10**6))
    assert written == {
        "threadId": "t",
        "messages": [{"id": "u", "role": "user", "content": "Hi 😀"}],
        "state": [1],
    }
    again = Pipeline(input=written)
    assert again.transcript.messages() == written["messages"]
    assert json.loads(FORMATS["json"].render(Pipeline().transcript, 0)) == {
        "messages": [],
        "state": {},
    }


# HTML


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in WITHOUT_END:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


ALLOWED = {
    "html", "head", "meta", "title", "style", "body", "h1", "h2", "article", "p", "pre", "details",
    "summary", "code", "bdi", "small", "section", "div",
    # What Markdown of theirs is read as.
    "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "em", "strong", "s", "a", "br", "hr",
    "table", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip
CLASSES = {
    "user", "assistant", "system", "developer", "tool", "reasoning", "activity", "code", "said",
    "right", "center", "", "note", "note run", "note ending", "note problem",
}  # fmt: skip
WITHOUT_END = {"meta", "br", "hr"}


@pytest.mark.parametrize("word", HOSTILE)
def test_html_has_no_tag_of_theirs(word: str) -> None:
    written = FORMATS["html"].render(everywhere(word).transcript, 10**6)
    tags = Tags()
    tags.feed(written)
    assert tags.open == []
    for tag, attributes in tags.seen:
        assert tag in ALLOWED
        assert set(attributes) <= {
            "lang",
            "charset",
            "http-equiv",
            "content",
            "name",
            "class",
            "dir",
            "href",
            "rel",
            "start",
        }
        assert str(attributes.get("href", "https://")).startswith(
            ("http://", "https://", "mailto:")
        )
        assert attributes.get("class", "note") in CLASSES


def html_of(*events: Any) -> str:
    return FORMATS["html"].render(run(*events).transcript, 10**6)


def test_html_shows_markdown_as_the_viewer_does() -> None:
    written = html_of(*text("m", (
        "# Top\n\nA **bold** word\nand `code`, <https://example.org/a>\n\n- one\n\n"
        "3. three\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```python\nx = 1\n```\n\n> said\n"
    )))  # fmt: skip
    for piece in (
        "<h3>Top</h3>",
        "<strong>bold</strong> word<br>\nand <code>code</code>",
        '<a href="https://example.org/a" rel="noopener noreferrer">https://example.org/a</a>',
        "<li>one</li>",
        '<ol start="3">',
        '<td class="right">2</td>',
        '<pre class="code" dir="auto">\nx = 1</pre>',
        "<blockquote>",
    ):
        assert piece in written


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "data:text/html,x", "file:///etc", "/x"]
)
def test_html_links_lead_to_the_web_only(address: str) -> None:
    assert "href" not in html_of(*text("m", f"[link]({address}) ![image]({address})"))


def test_html_loads_no_image() -> None:
    assert "<img" not in html_of(*text("m", "![image](https://example.org/x.png)"))


def test_html_entities_bring_nothing_back() -> None:
    written = html_of(*text("m", "&#x202E;evil &#27; &lt;script&gt;"))
    assert "⟨U+202E⟩evil" in written
    assert "\x1b" not in written
    assert "<script" not in written


@pytest.mark.parametrize("written", ["*a* " * 20_000, "> " * 200 + "deep", "- " * 200 + "deep"])
def test_html_shows_as_it_came_what_is_no_readable_markdown(written: str) -> None:
    shown = html_of(*text("m", written))
    assert '<pre class="" dir="auto">' in shown
    assert html.escape(written.strip()) in shown


def test_html_allows_nothing_but_its_own_style() -> None:
    written = html_of(*text("m", "\nx", role="user"))
    style = re.search(r"<style>(.*?)</style>", written, re.S)
    assert style is not None
    digest = b64encode(sha256(style[1].encode()).digest()).decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', written)
    assert policy is not None
    assert policy[1].startswith("default-src 'none';")
    assert policy[1].endswith(f"style-src 'sha256-{digest}'")
    assert "<script" not in written
    # The first line end in a pre is not text; the one after it is.
    assert 'dir="auto">\n\nx</pre>' in written


@pytest.mark.parametrize("name", SHIPPED)
def test_html_has_the_colors_of_every_theme(name: str) -> None:
    theme = read_theme(shipped_folder() / f"{name}.toml", {})
    pipeline = run(*text("m", "x"))
    written = FORMATS["html"].render(pipeline.transcript, 10**6, theme.colors)
    (style,) = re.findall(r"<style>(.*?)</style>", written, re.S)
    digest = b64encode(sha256(style.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in written
    if theme.ansi:
        # The terminal's own colours mean nothing in a browser.
        assert written == FORMATS["html"].render(pipeline.transcript, 10**6)
    else:
        assert f"background: {theme.colors['background']};" in style
        assert f".user > h2 {{ color: {theme.colors['role-user']}; }}" in style


def test_html_takes_nothing_for_a_color_that_is_none() -> None:
    transcript = run(*text("m", "x")).transcript
    evil = {**read_theme(shipped_folder() / "dusk.toml", {}).colors, "dim": "red}</style><b>"}
    written = FORMATS["html"].render(transcript, 10**6, evil)
    assert written == FORMATS["html"].render(transcript, 10**6)


def test_html_folds_tools_and_reasoning() -> None:
    pipeline = run(*thought("r", "Hm."), *call("c", "{}"), result("c", "t", "done"))
    written = FORMATS["html"].render(pipeline.transcript, 10**6)
    assert written.count("<details>") == 2
    assert written.count("<article") == 2
    assert "<summary>Hm.</summary>" in written
    long = html_of(*thought("r", "Hm, " * 99))
    assert "Hm, Hm,…</summary>" in long


# Markdown


READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def found(source: str) -> dict[str, list[Any]]:
    """Headings, HTML and images that a reader of Markdown sees."""
    seen: dict[str, list[Any]] = {"heading": [], "html": [], "image": []}
    tokens = READER.parse(source)
    while tokens:
        token = tokens.pop(0)
        tokens = [*(token.children or ()), *tokens]
        if token.type == "heading_open":
            seen["heading"].append(token.tag)
        elif token.type.startswith("html"):
            seen["html"].append(token.content.strip())
        elif token.type == "image":
            seen["image"].append(token.attrs)
    return seen


@pytest.mark.parametrize("word", HOSTILE)
def test_markdown_has_no_heading_tag_or_image_of_theirs(word: str) -> None:
    transcript = everywhere(word).transcript
    harmless = everywhere("word").transcript
    seen, expected = (found(FORMATS["md"].render(one, 10**6)) for one in (transcript, harmless))
    assert seen["heading"] == expected["heading"]
    assert seen["image"] == []
    tags = [re.findall(r"</?[a-z]+>", "".join(one["html"])) for one in (seen, expected)]
    assert tags[0] == tags[1]


PIECES = st.lists(
    st.sampled_from([
        "# x", "##", "===", "---", "-", "- ", "* ", "1. ", "10) ", "> ", "```", "````", "~~~", "`",
        "``", "<script>", "</details>", "<!-- ", "<b>", "<?", " ", "  ", "    ", "\t", "\n", "\n",
        "\n\n", "text", "|", "![a](u)", "\\", "\\`", "a", "\xa0", "=", "[x]: <", "```py", "|--|--|",
    ]),
    max_size=14,
).map("".join)  # fmt: skip


@given(PIECES)
def test_prose_stays_within_its_message(word: str) -> None:
    seen = found(f"before\n\n{prose(word)}\n### after <mark>\n")
    assert seen == {"heading": ["h3"], "html": ["<mark>"], "image": []}


@given(PIECES)
def test_a_fence_holds_whatever_is_in_it(word: str) -> None:
    tokens = READER.parse(fenced(word))
    assert [token.type for token in tokens] == ["fence"]
    assert tokens[0].content == inert(word) + "\n"


@given(st.text(max_size=30))
def test_literal_text_is_one_line_of_text(word: str) -> None:
    tokens = READER.parse(f"x {literal(word)} x")
    children = tokens[1].children or []
    assert {token.type for token in children} <= {"text", "text_special"}
    assert "".join(token.content for token in children).split() == f"x {inline(word)} x".split()


def test_markdown_keeps_what_is_markdown() -> None:
    body = (
        "Some **bold** and `<code>`.\n\n"
        "| a | b |\n|---|---|\n| 1 | 2 |\n\n"
        "- item\n\n  ```python\n  # a comment\n  x < 3\n  ```\n\n"
        "```html\n<b># not touched</b>\n```\n"
    )
    written = FORMATS["md"].render(run(*text("m", body)).transcript, 10**6)
    assert written == f"### assistant\n\n{body}\n"


@pytest.mark.parametrize(
    ("told", "written"),
    [
        ("```\nopen", "```\nopen\n```\n"),
        ("  ```\n  x\n      ```\ny", "  ```\n  x\n      ```\n  ```\ny\n"),
        ("  ```\n  x\n     ```\ny", "  ```\n  x\n  ```\ny\n"),
        ("    ```\n    <b>\n\n# x", "    ```\n    &lt;b>\n\n    ```\n\\# x\n"),
        ("text\n-", "text\n\\-\n"),
        ("> ```\n> # x", "> \\```\n> \\# x\n"),
        ("`a\n`<b>`", "`a\n`&lt;b>`\n"),
        ("a \\`<b>`", "a \\`&lt;b>`\n"),
        ("| `a|<b>` |", "| `a|&lt;b>` |\n"),
    ],
)
def test_markdown_that_would_leave_its_message(told: str, written: str) -> None:
    assert prose(told) == written


def test_markdown_folds_calls_with_their_results() -> None:
    pipeline = run(
        *call("c", '{"q": "a`b"}', name="find<b>"), result("c", "t", "# hits"), *thought("r", "Hm.")
    )
    written = FORMATS["md"].render(pipeline.transcript, 10**6)
    assert written == (
        "### assistant\n\n"
        "<details>\n<summary>tool call <code>find&lt;b&gt;</code> [answered]</summary>\n\n"
        '```json\n{"q": "a`b"}\n```\n\n**tool**\n\n```\n# hits\n```\n\n</details>\n\n'
        "### reasoning\n\n<details>\n<summary>reasoning</summary>\n\nHm.\n\n</details>\n"
    )


def test_formats_are_named_by_their_endings() -> None:
    assert list(FORMATS) == ["txt", "md", "json", "html"]
    assert all(one.name for one in FORMATS.values())


@pytest.mark.parametrize("text", ["plain", "größer", "tab\tand\nline"])
def test_harmless_text_is_left_alone(text: str) -> None:
    assert inert(text) == text
    assert inert(inert("\x1b\u202e")) == inert("\x1b\u202e") == "␛⟨U+202E⟩"


@given(streams().map(payloads), st.data())
def test_json_is_written_as_in_one_piece(parts: list[bytes], data: st.DataObject) -> None:
    pipeline = Pipeline()
    pipeline.feed_all(parts)
    position = data.draw(st.integers(0, pipeline.transcript.length))
    written = FORMATS["json"].render(pipeline.transcript, position)
    assert written == dumps(parse(written.encode("utf-8", "surrogatepass")), indent=2) + "\n"
