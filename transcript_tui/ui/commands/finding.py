"""Search, filter, go to: what is asked for in the prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual import events
from textual.timer import Timer

from transcript_tui.ui.places import (
    EventNumber,
    MessageId,
    Moment,
    Place,
    find_message,
    parse_place,
    why_not,
)
from transcript_tui.ui.screens.base import BaseScreen
from transcript_tui.ui.timers import after
from transcript_tui.ui.views.prompt import Prompt, Purpose

if TYPE_CHECKING:
    from transcript_tui.session.session import Session
    from transcript_tui.ui.views.transcript.search import SearchState

REST: Final = 0.12
"""Seconds without a key after which what was typed is filtered by."""


class Finding(BaseScreen):
    """Keys of the group “Finding”."""

    _resting: Timer | None = None
    """Runs while a filter is being typed."""

    def action_search(self) -> None:
        if not self._ask_pane():
            state = self.view.search_state if self.view is not None else None
            self.ask("search", state.pattern if state is not None else "")

    def action_filter(self) -> None:
        if not self._ask_pane():
            chosen = self.view.options.filter if self.view is not None else None
            self.ask("filter", chosen.describe() if chosen else "")

    def _ask_pane(self) -> bool:
        """The events have a filter of their own: both keys ask for it while they are in front."""
        pane = self.focused_pane()
        if pane is None or pane.name != "events":
            return False
        from transcript_tui.ui.views.events import EventsPane

        if isinstance(pane, EventsPane):
            self.ask("events", pane.filter_text)
        return True

    def action_goto(self) -> None:
        last = self.session.tape.length - 1 if self.session is not None else -1
        events = f"event 0–{last:,} · " if last > 0 else ""
        self.ask("goto", example=f"{events}time 12.5s or 1:20 · message:ID")

    def action_search_next(self) -> None:
        if self.view is None:
            return
        if self.view.search_state is None:
            self.action_search()
        else:
            self.view.search_next()
            self.paint_soon()

    def action_search_previous(self) -> None:
        if self.view is None:
            return
        if self.view.search_state is None:
            self.action_search()
        else:
            self.view.search_previous()
            self.paint_soon()

    def take_typed(self, event: events.Key | events.Paste) -> bool:
        """What is typed or pasted for the prompt, while that is open; false where it is not.

        At once, and not by way of the input and of messages: there a binding runs only when its
        key has bubbled up to the app, and what was typed right behind it (a slow line sends many
        keys together) would be there before it.
        """
        prompt = self.prompt
        if not prompt.opened:
            return False
        match event.key if isinstance(event, events.Key) else "":
            case "enter":
                self.answer_prompt()
            case "escape":
                self.leave_prompt()
            case _:
                return prompt.edit(event)
        return True

    # What the prompt says

    def on_prompt_changed(self, message: Prompt.Changed) -> None:
        if self.view is None or not self.prompt.opened:
            # A letter that was still on its way when the prompt was left; Enter took it along.
            return
        match message.purpose:
            case "search":
                self._search(message.text)
            case "filter":
                self._filter_soon(message.text)
            case "events":
                self._filter_events(message.text)
            case "goto" | "record" | "export":
                pass

    def _search(self, pattern: str) -> None:
        if self.view is None:
            return
        if not pattern:
            self.view.clear_search()
            self.prompt.note("")
        else:
            self.note_found(self.view.search(pattern))
        self.paint_soon()

    def note_found(self, state: SearchState | None) -> None:
        """Say at the prompt how many there are; a long transcript goes on being searched."""
        if state is None or not self.prompt.opened or self.prompt.purpose != "search":
            return
        if state.error:
            self.prompt.note(f"{_found(state)} · taken as text: {state.error}", bad=True)
        else:
            self.prompt.note(_found(state), bad=not state.count and state.complete)

    def _filter_soon(self, words: str) -> None:
        """Filter when typing rests: with thousands of items each filter takes its time."""
        if self._resting is not None:
            self._resting.stop()
        self._resting = after(self, REST, lambda: self._filter(words))

    def _filter(self, words: str) -> None:
        if self._resting is not None:
            self._resting.stop()
            self._resting = None
        if self.view is None:
            return
        from transcript_tui.ui.views.transcript import Filter

        wanted = Filter.parse(words) if words.strip() else None
        self.view.set_filter(wanted)
        hidden = self.view.hidden_count
        mistaken = wanted is not None and wanted.mistake() != ""
        self.prompt.note(f"{hidden:,} hidden" if hidden else "", bad=mistaken)
        self.paint_soon()

    def _filter_events(self, words: str) -> None:
        from transcript_tui.ui.views.events import EventsPane

        for pane in self.query(EventsPane):
            self.prompt.note(pane.set_filter(words))

    def leave_prompt(self) -> None:
        prompt = self.prompt
        changed = prompt.value != prompt.before
        prompt.close()
        if changed:
            self._restore(prompt.purpose, prompt.before)
        self._give_focus_back(prompt.purpose == "events")
        self.paint_soon()

    def _restore(self, purpose: Purpose, words: str) -> None:
        """The search or filter that stood before the prompt was opened stands again."""
        match purpose:
            case "search":
                self._search(words)
            case "filter":
                self._filter(words)
            case "events":
                self._filter_events(words)
            case "goto" | "record" | "export":
                pass

    def answer_prompt(self) -> None:
        """Take what stands in the prompt; it stays open where that cannot be."""
        purpose, text = self.prompt.purpose, self.prompt.value
        match purpose:
            case "search":
                self._search_on_enter(text)
            case "filter":
                self._filter(text)
            case "events":
                self._filter_events(text)
            case "goto":
                if not self.go_to(text):
                    return
            case "record":
                if not self.record_to(text):
                    return
            case "export":
                if not self.export_to(text):
                    return
        self.prompt.close()
        self._give_focus_back(purpose == "events")
        self.paint_soon()

    def _search_on_enter(self, pattern: str) -> None:
        state = self.view.search_state if self.view is not None else None
        if pattern != (state.pattern if state is not None else ""):
            self._search(pattern)

    def _give_focus_back(self, to_events: bool) -> None:
        pane = self.pane_order[-1] if self.pane_order else None
        covering = self.covering_pane()
        if pane is not None and (to_events or covering is not None):
            (covering or pane).focus_first()
        else:
            self.focus_view()

    # Going somewhere

    def go_to(self, written: str) -> bool:
        """Go where ``:`` says; ``False`` (and the reason in the prompt) where that is nowhere."""
        place = parse_place(written)
        if place is None or self.session is None:
            return place is None
        complaint = self._go(place)
        if complaint:
            self.prompt.note(complaint, bad=True)
        return not complaint

    def _go(self, place: Place) -> str:
        """What is wrong with a place; nothing where it was reached."""
        session = self.session
        if session is None:
            return "nothing is open"
        complaint = why_not(session, place)
        if complaint:
            return complaint
        match place:
            case EventNumber(number):
                self._go_to_event(session, number)
            case Moment(seconds):
                session.player.seek_time(seconds)
                if session.player.position:
                    # Not only the bar goes there: what happened then is to be seen.
                    self._go_to_event(session, session.player.position - 1)
            case MessageId(wanted):
                message = find_message(session, wanted)
                if message is not None and self.view is not None:
                    self.view.jump_to(message.key)
        self.paint_soon()
        return ""

    def _go_to_event(self, session: Session, number: int) -> None:
        """Show the transcript just after an event, with what it touched selected; say which."""
        # Not before it is needed: it brings the wire along, and the first frame waits.
        from transcript_tui.ui.views.payloads import type_of

        session.player.seek(number + 1)
        key = session.tape.transcript.touched[number]
        if key >= 0 and self.view is not None:
            self.view.show(session.player.position)
            self.view.jump_to_change(key)
        kind = type_of(session.tape.payload(number))
        # The bar counts those shown, so that it is one ahead.
        self.say(f"Event {number:,} (the first is 0): {kind}")


def _found(state: SearchState) -> str:
    if not state.count and state.complete:
        return "no hit"
    return f"{state.index:,}/{state.count:,}"
