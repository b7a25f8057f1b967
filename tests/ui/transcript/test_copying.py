"""Text selected with the mouse, as it is copied: lines as they were written, no decoration."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual.events import MouseMove
from textual.pilot import Pilot

from tests.ui.transcript.harness import (
    Event,
    MadeSession,
    ViewApp,
    call,
    message,
    result,
    screen_text,
    settle,
    show,
    started,
    thought,
)

LONG = "The quick brown fox jumps over the lazy dog, and then it does so once more, for fun."
URL = "https://example.org/" + "a-rather-long-path/" * 6


async def drag(
    pilot: Pilot[None], start: tuple[int, int], end: tuple[int, int], times: int = 1
) -> str | None:
    """Press at a cell (x, y), move to another one, release; what is selected."""
    app = pilot.app
    assert isinstance(app, ViewApp)
    await pilot.mouse_down(app.view, offset=start)
    await pilot._post_mouse_events([MouseMove], app.view, offset=end, button=1)
    await pilot.mouse_up(app.view, offset=end)
    await settle(pilot)
    return await app.view.selected_text()


async def copied(*events: Event, width: int = 40, **options: object) -> list[str]:
    """All of an app's screen, selected from its first cell to its last; without the run's line."""
    app = ViewApp(MadeSession([started(), *events]), **options)
    async with app.run_test(size=(width, 60)) as pilot:
        await show(pilot)
        text = await drag(pilot, (0, 0), (width - 3, 59))
    assert text is not None
    return text.splitlines()[2:]


def place(app: ViewApp, words: str) -> tuple[int, int]:
    """The cell where some words begin."""
    for y, line in enumerate(screen_text(app).splitlines()):
        if words in line:
            return line.index(words), y
    raise AssertionError(f"{words} is not on the screen")


@pytest.mark.parametrize("width", [24, 40, 60, 120])
async def test_wrapped_lines_are_whole_again(width: int) -> None:
    text = f"{LONG}\nA second line.\n\n{URL} and more words behind the address."
    assert await copied(*message("a", text), width=width) == ["● assistant", *text.split("\n")]


@pytest.mark.parametrize("width", [30, 60])
async def test_lists_keep_their_marks_and_lose_what_hangs(width: int) -> None:
    text = f"- {LONG}\n- [x] done\n  1. {LONG}\n  2. two\n\n     {LONG}"
    assert await copied(*message("a", text), width=width) == [
        "● assistant",
        f"• {LONG}",
        "☑ done",
        f"  1. {LONG}",
        "  2. two",
        "",
        LONG,
    ]


@pytest.mark.parametrize("width", [30, 60])
async def test_code_is_copied_as_it_is(width: int) -> None:
    code = ["def f():", f"    return {LONG!r}", "", "    # the end"]
    text = "\n".join(["Look:", "```python", *code, "```", "> - quoted", f">   {LONG}"])
    assert await copied(*message("a", text), width=width) == [
        "● assistant", "Look:", "", *code, "", "• quoted", LONG,
    ]  # fmt: skip


@pytest.mark.parametrize("width", [36, 60, 120])
async def test_a_table_is_copied_in_cells(width: int) -> None:
    text = f"| name | what |\n|---|--:|\n| fox | {LONG} |\n| | none |"
    assert await copied(*message("a", text), width=width) == [
        "● assistant", "name\twhat", f"fox\t{LONG}", "\tnone",
    ]  # fmt: skip


async def test_a_table_that_is_shown_as_records() -> None:
    text = "| name | what | when | where |\n|---|---|---|---|\n" + f"| fox | {LONG} | now | here |"
    assert await copied(*message("a", text + "\n| dog | b | c | d |"), width=24) == [
        "● assistant", "name: fox", f"what: {LONG}", "when: now", "where: here", "",
        "name: dog", "what: b", "when: c", "where: d",
    ]  # fmt: skip


@pytest.mark.parametrize("width", [30, 60])
async def test_user_text_reasoning_arguments_and_results(width: int) -> None:
    arguments = json.dumps({"query": LONG, "limit": 3})
    assert await copied(
        *message("u", LONG, "user"),
        *thought("t", LONG),
        *message("a", "Look."),
        *call("c", "find", arguments, "a"),
        result("c", f"{LONG}\n\tindented {LONG}"),
        width=width,
        reasoning="full",
    ) == [
        "❯ user",
        LONG,
        "",
        "∴ reasoning",
        LONG,
        "",
        "● assistant",
        "Look.",
        "⚙ find  ✓ answered" + " · 750 ms" * (width > 30),
        "{",
        f'  "query": "{LONG}",',
        '  "limit": 3',
        "}",
        "result",
        LONG,
        f"    indented {LONG}",
    ]


async def test_media_end_with_their_source() -> None:
    image = {"type": "url", "value": "https://example.org/cat.png", "mimeType": "image/png"}
    document = {"type": "url", "value": "https://example.org/a.pdf"}
    parts = [{"type": "image", "source": image}, {"type": "document", "source": document}]
    events = [result("alone", parts)]
    shown = [
        "▦ image image/png https://example.org/cat.png",
        "▤ document https://example.org/a.pdf",
    ]
    assert (await copied(*events, width=80))[-2:] == shown
    app = ViewApp(MadeSession([started(), *events]))
    async with app.run_test(size=(80, 20)) as pilot:
        await show(pilot)
        assert app.view.source_of(1).splitlines() == [line[2:] for line in shown]


async def test_a_copied_source_shows_what_would_act_where_it_is_pasted() -> None:
    custom = {"type": "CUSTOM", "name": "n", "value": "\x9b2J\u202e\U000e0041"}
    events = [*message("a", "a **b**\tc\x1b[201~\r\n\U000e0068\U000e0069")]
    session = MadeSession([started(), *events])
    session.tape.add(json.dumps(custom, ensure_ascii=False).encode())
    app = ViewApp(session, passthrough=True)
    async with app.run_test(size=(60, 12)) as pilot:
        await show(pilot)
        assert app.view.source_of(1) == "a **b**\tc␛[201~\n⟦hi⟧"
        source = app.view.source_of(2)
        assert source.isascii()
        assert json.loads(source) == custom


async def test_wide_letters_emoji_and_right_to_left_are_copied_whole() -> None:
    lines = [
        "日本語の長い文章は単語の間に空白がないので途中で折り返される。",
        "👩\u200d👩\u200d👧 🇩🇪 e\u0301 नमस्ते",
        "שלום עולם",
    ]
    for width in (20, 40):
        assert await copied(*message("a", "\n".join(lines)), width=width) == ["● assistant", *lines]


async def test_the_first_and_the_last_line_in_part() -> None:
    text = f"{LONG}\n日本語\n- one"
    app = ViewApp(MadeSession([started(), *message("a", text)]))
    async with app.run_test(size=(40, 30)) as pilot:
        await show(pilot)
        brown, (x, y) = place(app, "brown"), place(app, "日本語")
        # The second cell of the second letter: the letter is selected whole.
        assert await drag(pilot, brown, (x + 3, y)) == LONG[LONG.index("brown") :] + "\n日本"
        assert "日本語" in screen_text(app)
        assert await drag(pilot, (x + 3, y), (x + 4, y)) == "本語"
        x, y = place(app, "• one")
        assert await drag(pilot, (x, y), (x + 3, y)) == "• on"
        assert await drag(pilot, (x + 2, y), (x + 3, y)) == "on"


async def test_one_cell_of_a_table() -> None:
    app = ViewApp(MadeSession([started(), *message("a", "| a | b |\n|---|---|\n| fox | dog |")]))
    async with app.run_test(size=(40, 30)) as pilot:
        await show(pilot)
        x, y = place(app, "dog")
        assert await drag(pilot, (x, y), (x + 2, y)) == "dog"
        assert await drag(pilot, (x - 6, y), (x + 1, y)) == "fox\tdo"


async def test_what_is_folded_is_copied_as_it_is_seen() -> None:
    lines = [f"line {number}" for number in range(40)]
    events = [*message("a", "Look."), *call("c", "find", "{}", "a")]
    seen = await copied(*events, result("c", "\n".join(lines)), *thought("t", LONG), width=60)
    assert seen[4:] == [
        "result", *lines[:12], "… 28 more lines", "",
        "∴ reasoning · 84 chars · The quick brown fox jumps over…",
    ]  # fmt: skip


async def test_an_interrupt_is_copied_in_whole_sentences() -> None:
    asked = {"id": "i", "reason": "input_required", "message": LONG}
    outcome = {"type": "interrupt", "interrupts": [asked]}
    end = {"type": "RUN_FINISHED", "threadId": "t1", "runId": "r1", "outcome": outcome}
    lines = await copied(end, width=40)
    assert lines[-2:] == [f"? {LONG}", "reason input_required"]


async def clicks(pilot: Pilot[None], cell: tuple[int, int], times: int) -> str | None:
    app = pilot.app
    assert isinstance(app, ViewApp)
    await pilot.click(app.view, offset=cell, times=times)
    await settle(pilot)
    return await app.view.selected_text()


async def test_two_clicks_take_a_word_three_a_line() -> None:
    text = f"{LONG}\nSee `{URL}`, please.\n\n- 日本語 is written"
    app = ViewApp(MadeSession([started(), *message("a", text)]))
    async with app.run_test(size=(40, 30)) as pilot:
        await show(pilot)
        assert await clicks(pilot, place(app, "brown"), 2) == "brown"
        assert await clicks(pilot, place(app, "brown"), 3) == LONG
        x, y = place(app, "https")
        # In its second row, in its third, and in its first.
        for cell in ((x + 4, y + 1), (3, y + 2), (x, y)):
            assert await clicks(pilot, cell, 2) == URL
        assert await clicks(pilot, place(app, "日本語"), 2) == "日本語"
        assert await clicks(pilot, place(app, "written"), 3) == "• 日本語 is written"
        assert await clicks(pilot, place(app, "brown"), 1) is None


async def test_two_clicks_on_the_first_row_open_the_item() -> None:
    app = ViewApp(MadeSession([started(), *message("a", LONG)]))
    async with app.run_test(size=(40, 30)) as pilot:
        await show(pilot)
        assert await clicks(pilot, place(app, "assistant"), 2) is None
        assert [type(each).__name__ for each in app.posted] == ["Opened"]


async def test_a_click_opens_what_is_left_out() -> None:
    lines = "\n".join(f"line {number}" for number in range(40))
    events = [*message("a", "Look."), *call("c", "find", "{}", "a"), result("c", lines)]
    app = ViewApp(MadeSession([started(), *events]))
    async with app.run_test(size=(40, 60)) as pilot:
        assert "line 30" not in await show(pilot)
        await clicks(pilot, place(app, "line 5"), 1)
        assert "line 30" not in screen_text(app)
        await clicks(pilot, place(app, "more lines"), 1)
        assert "line 30" in screen_text(app)


async def test_blanks_are_no_selection() -> None:
    app = ViewApp(MadeSession([started(), *message("a", "one\n\ntwo")]))
    async with app.run_test(size=(40, 30)) as pilot:
        await show(pilot)
        x, y = place(app, "one")
        assert await clicks(pilot, (x, y + 1), 3) is None
        assert not app.view.text_is_selected
        assert await drag(pilot, (x + 4, y + 1), (x + 9, y + 1)) is None
        assert not app.view.text_is_selected


async def test_what_is_being_selected_does_not_run_away() -> None:
    session = MadeSession([started(), *message("a", "\n\n".join([LONG] * 20))])
    app = ViewApp(session)
    async with app.run_test(size=(60, 20)) as pilot:
        await show(pilot)
        assert app.view.following
        await drag(pilot, (2, 5), (20, 6))
        before = screen_text(app)
        session.tape.add(*message("b", LONG))
        assert (await show(pilot)).splitlines()[:19] == before.splitlines()[:19]
        assert app.view.below == 1
        app.view.go_last()
        assert app.view.following


async def test_words_beside_rows_without_any() -> None:
    code = ["=" * 90, "x" * 35 + ", " + "y" * 20, "-" * 20 + "word"]
    app = ViewApp(MadeSession([started(), *message("a", "\n".join(["```", *code, "```"]))]))
    async with app.run_test(size=(40, 30)) as pilot:
        await show(pilot)
        lines = screen_text(app).splitlines()
        taken = [
            await clicks(pilot, (line.index(sign) + 1, y), 2)
            for sign in ("==", "xx", "yy", "--", "word")
            for y, line in enumerate(lines)
            if sign in line
        ]
    assert [each for each in taken if each] == ["x" * 35, "y" * 20, "word"]


async def test_a_selection_never_becomes_another_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows before it may turn out to be more when a very long text was read."""
    text = "word " * 5_000 + "\n\n".join(f"paragraph {number}" for number in range(8_000))
    app = ViewApp(MadeSession([started(), *message("a", text)]))
    async with app.run_test(size=(60, 20)) as pilot:
        # Read is where the test says.
        monkeypatch.setattr(app.view, "_read_soon", lambda: None)
        app.view.show(app.session.tape.length)
        await settle(pilot)
        assert not app.view.stage.whole
        selected = await drag(pilot, (2, 3), (20, 6))
        assert selected is not None
        assert "paragraph 79" in selected
        while not app.view.stage.whole:
            app.view._read_on()
        assert await app.view.selected_text() == selected


async def test_a_selection_stays_on_its_words_while_the_text_above_is_read() -> None:
    text = "\n\n".join(
        f"paragraph {number} of some " + "words and longer ones " * (number % 7)
        for number in range(4_000)
    )
    app = ViewApp(MadeSession([started(), *message("a", text)]))
    async with app.run_test(size=(40, 20)) as pilot:
        await show(pilot)
        item = app.view.stage.item(1)
        height, words = item.height, "3999 of some"
        (x, y) = place(app, words)
        assert await drag(pilot, (x, y), (x + len(words) - 1, y)) == words
        for part in range(1, 20):
            app.view.stage.viewport.scroll_to(app.view.stage.viewport.total * part // 20)
            app.view.scroll_lines(0)
            await settle(pilot)
        assert item.height != height
        app.view.go_last()
        await settle(pilot)
        assert await app.view.selected_text() == words


PARAGRAPHS = [
    f"paragraph {number} of some {'words and longer ones ' * (number % 7)}".rstrip()
    for number in range(4_000)
]


@asynccontextmanager
async def all_selected(app: ViewApp) -> AsyncIterator[Pilot[None]]:
    """From "before" in the first message to "after" in the last, the button still down."""
    async with app.run_test(size=(40, 20)) as pilot:
        await show(pilot)
        app.view.go_first()
        await settle(pilot)
        await pilot.mouse_down(app.view, offset=place(app, "before"))
        app.view.go_last()
        await settle(pilot)
        end = place(app, "after")
        await pilot._post_mouse_events([MouseMove], app.view, offset=end, button=1)
        yield pilot


def between_two(text: str) -> ViewApp:
    events = [*message("u", "before", "user"), *message("a", text), *message("b", "after")]
    return ViewApp(MadeSession([started(), *events]))


async def test_all_of_a_text_is_copied_though_its_middle_was_never_read() -> None:
    app = between_two("\n\n".join(PARAGRAPHS))
    async with all_selected(app):
        copied = await app.view.selected_text() or ""
    assert [line for line in copied.split("\n") if line.startswith("paragraph")] == PARAGRAPHS


async def test_a_long_selection_is_copied_in_turns_with_everything_else() -> None:
    app = between_two("\n\n".join(PARAGRAPHS))
    async with all_selected(app) as pilot:
        document = app.view.stage.item(2).shelf._documents["text"][1]
        (stack,) = document._stacks.values()
        laid_out = len(stack.laid_out())
        await pilot.mouse_up(app.view, offset=place(app, "after"))
        await settle(pilot)
        shares: list[float] = []
        copying = asyncio.create_task(app.view.selected_text(shares.append))
        turns = 0
        while not copying.done():
            await asyncio.sleep(0)
            turns += 1
            # Neither another selection nor none changes what is being copied.
            app.view.clear_text_selection()
        assert turns > 10
        assert (copying.result() or "").count("paragraph") == len(PARAGRAPHS)
        assert shares == sorted(shares)
        assert shares[-1] == 1
        # It is told within the one long text, too.
        assert len({round(share, 1) for share in shares if 1 / 3 < share < 2 / 3}) > 2
        # Only what is in view was laid out for it, now and when the button went up.
        assert len(stack.laid_out()) < laid_out + 20


async def test_what_is_folded_within_a_selection_is_copied_as_it_is_seen() -> None:
    lines = [f"line {number} " + "words " * 20 for number in range(3_000)]
    events = [
        *message("u", "before", "user"), *message("m", "Look."), *call("c", "find", "{}", "m"),
        result("c", "\n".join(lines)), *message("z", "\n\n".join(PARAGRAPHS[:30])),
        *message("b", "after"),
    ]  # fmt: skip
    app = ViewApp(MadeSession([started(), *events]))
    async with all_selected(app):
        copied = (await app.view.selected_text() or "").split("\n")
    at = copied.index("result")
    assert copied[at + 1] == lines[0]
    assert copied[at + 4].startswith("… ")
    assert copied[at + 4].endswith("more lines")
