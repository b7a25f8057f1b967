"""One stream: payloads in, delivered events out, with what there is to say about it.

    payload → JSON → compatibility boundary → enforcement → chunk expansion → verification

``Verifier.step`` has a fast route for the common case: one typed decode, which refuses
whatever the general route would treat in any way. A law in the tests says that it never
accepts, rejects or yields what the general route does not.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, Literal, cast

import msgspec

from transcript_tui.protocol import enforcement, likely
from transcript_tui.protocol.chunks import CHUNKS, Expansion, Family
from transcript_tui.protocol.compatibility import Boundary
from transcript_tui.protocol.enforcement import Fault, Report
from transcript_tui.protocol.events import (
    KINDS,
    ActivityDelta,
    Event,
    Expanded,
    ReasoningMessageStart,
    RunStarted,
    StateDelta,
    TextMessageStart,
    ToolCallStart,
)
from transcript_tui.protocol.findings import Violation, Warned
from transcript_tui.protocol.ledger import Ledger
from transcript_tui.protocol.pointer import Path, pointer
from transcript_tui.protocol.rules import RULES
from transcript_tui.protocol.verification import Breach, Phase, Verification
from transcript_tui.protocol.version import version_warning
from transcript_tui.wire.jsontext import MAX_DEPTH, NotJson, may_be_deep, parse

__all__ = ["Verdict", "Verifier"]

Verdict = Literal["delivered", "warned", "dropped", "rejected", "after"]
"""What became of a payload: delivered as it was; delivered with a warning; nothing delivered
and no violation; the violation; not judged, because it came after the violation."""

_PATCHED: Final = (StateDelta, ActivityDelta)
_NOT_PLAIN: Final = CHUNKS | frozenset(_PATCHED) | {RunStarted}
"""Kinds that need more than decoding and verification."""

_SHALLOW: Final = 2 * MAX_DEPTH
"""Payloads of up to this many bytes cannot nest too deep."""


@cache
def _decoder() -> msgspec.json.Decoder[Event]:
    # Made when first needed: it takes 17 ms.
    return msgspec.json.Decoder(Event)


class Verifier:
    """Judges one stream. ``step`` and ``end`` never raise.

    After a violation nothing more is judged, unless ``keep_going``: then the offending
    events are left out, later ones are judged on their own, and further violations go to
    ``after``. ``fast=False`` leaves the fast route out (for the law).
    """

    __slots__ = (
        "_boundary",
        "_decode",
        "_expansion",
        "_lanes",
        "_ledger",
        "_verification",
        "after",
        "events",
        "keep_going",
        "verdict",
        "violation",
        "warnings",
    )

    def __init__(self, *, keep_going: bool = False, fast: bool = True) -> None:
        self.keep_going = keep_going
        self.events = 0
        """Payloads stepped so far; also the number of the next one."""
        self.violation: Violation | None = None
        """The first violation: the stream's verdict never changes after it."""
        self.after: list[Violation] = []
        """Further violations, with ``keep_going``."""
        self.verdict: Verdict = "delivered"
        """What became of the latest payload."""
        self._ledger = Ledger()
        self.warnings: list[Warned] = self._ledger.warnings
        """In order of first occurrence; ``count`` of those that repeat grows."""
        self._boundary = Boundary()
        self._expansion = Expansion()
        self._lanes = self._expansion.lanes
        self._verification = Verification()
        self._decode = _decoder().decode if fast else _refuse

    @property
    def phase(self) -> Phase:
        """``new`` before any run, ``active`` in one, ``finished`` or ``failed`` after it."""
        return self._verification.phase

    def step(self, payload: bytes) -> tuple[Expanded, ...]:
        """Judge one payload; the events it delivers, in order."""
        self.events += 1
        if self.violation is not None and not self.keep_going:
            self.verdict = "after"
            return ()
        try:
            if len(payload) > _SHALLOW and may_be_deep(payload):
                event = None
            else:
                event = self._decode(payload)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            event = None
        if event is None or self._lanes or type(event) in _NOT_PLAIN:
            return self._step_generally(payload, event)
        breach = self._verification.checks[type(event)](event)
        if breach is not None:
            self._reject(breach)
            return ()
        self.verdict = "delivered"
        return (event,)  # type: ignore[return-value]  # chunks are not plain

    def framing(self, rule: str) -> None:
        """The wire found ``framing-crlf``, ``framing-bom`` or ``framing-end``."""
        last = self.events - 1 if rule == "framing-end" and self.events else None
        self._ledger.warn(rule, last, _FRAMING[rule])

    def end(self, tail: bytes = b"") -> tuple[Expanded, ...]:
        """The bytes have ended, perhaps inside a frame (``tail``).

        Delivers nothing: an item left open by a truncated run stays open, also where chunks
        opened it, because no ending was received.
        """
        if self.violation is not None and not self.keep_going:
            return ()
        if self.phase == "active":
            run = self._verification.run_id
            self._ledger.warn("truncated", None, _truncated(run, tail))
        elif tail:
            self._ledger.warn(
                "framing-end",
                None,
                f"The input ends inside a frame; its {len(tail)} bytes are no whole payload.",
            )
        if not self.events and not tail:
            self._ledger.warn("empty", None, "There is no event at all.")
        return ()

    def _step_generally(self, payload: bytes, event: Event | None) -> tuple[Expanded, ...]:
        """``event`` is the outcome of the typed decode, where it had one."""
        warned = self._warned()
        if event is None or (isinstance(event, _PATCHED) and not _operations_hold(event)):
            event = self._enforced(payload)
            if event is None:
                return ()
        if isinstance(event, RunStarted):
            self._compare_version(event)
        delivered = self._verified(event)
        if self.verdict != "rejected":
            self.verdict = "delivered" if self._warned() == warned else "warned"
        return delivered

    def _warned(self) -> int:
        """Occurrences of warnings so far."""
        return self._ledger.occurrences

    def _enforced(self, payload: bytes) -> Event | None:
        """The event in ``payload`` by the general route; ``None`` where there is none."""
        number = self.events - 1
        try:
            value = parse(payload)
        except NotJson as error:
            self._reject_text(f"The payload is not JSON: {error}.", payload)
            return None
        if not isinstance(value, dict):
            kind = enforcement.kind_of(value)
            self._reject_text(f"The payload is {kind}, where one object is expected.", payload)
            return None
        name = value.get("type")
        if not isinstance(name, str):
            self._reject_faults("The event", value, [_type_fault(value)])
            return None
        self._boundary.translate(value, self._say_retired(name, number))
        described = KINDS.get(value["type"])
        if described is None:
            self._ledger.warn(
                "unknown-event",
                number,
                f"{name!r:.80} is no event type; it was dropped.",
                kind=name,
            )
            self.verdict = "dropped"
            return None
        report = enforcement.enforce(value, described)
        self._say_removed(report, name, number)
        if report.dropped:
            self.verdict = "dropped"
            return None
        if report.faults:
            self._reject_faults(name, value, report.faults)
            return None
        return cast(Event, msgspec.convert(value, described))

    def _say_retired(self, kind: str, number: int) -> Any:
        def say(sentence: str, path: Path) -> None:
            self._ledger.warn("retired-shape", number, f"{kind}: {sentence}", kind=kind, path=path)

        return say

    def _say_removed(self, report: Report, kind: str, number: int) -> None:
        for removal in report.removals:
            place = pointer(removal.path) or "the event"
            self._ledger.warn(
                removal.rule,
                number,
                f"{kind}: {place} was removed; {removal.what}.",
                kind=kind,
                path=removal.path,
            )

    def _compare_version(self, event: RunStarted) -> None:
        if isinstance(event.protocol_version, str):
            message = version_warning(event.protocol_version)
            if message is not None:
                self._ledger.warn("version", self.events - 1, message, path=("protocolVersion",))

    def _verified(self, event: Event) -> tuple[Expanded, ...]:
        """What of ``event`` stands after expansion and verification."""
        expanded = self._expansion.expand(event)
        if isinstance(expanded, Breach):
            self._reject(expanded)
            return ()
        for index, part in enumerate(expanded):
            breach = self._verification.check(part)
            if breach is not None:
                if type(event) in CHUNKS:
                    self._forget(part)
                self._reject(breach)
                return tuple(expanded[:index])
        self.verdict = "delivered" if expanded else "dropped"
        return tuple(expanded)

    def _forget(self, opener: Expanded) -> None:
        """A chunk's START was rejected: its item is not open, and no chunk continues it."""
        family: Family
        if isinstance(opener, TextMessageStart):
            family, id = "text message", opener.message_id
        elif isinstance(opener, ToolCallStart):
            family, id = "tool call", opener.tool_call_id
        elif isinstance(opener, ReasoningMessageStart):
            family, id = "reasoning message", opener.message_id
        else:
            return
        self._expansion.forget(family, id)

    def _reject_text(self, message: str, payload: bytes) -> None:
        self._reject(Breach("not-json", message, likely=likely.cause_of_text(payload)))

    def _reject_faults(self, kind: str, event: dict[str, Any], faults: list[Fault]) -> None:
        said = [
            f"{pointer(fault.path)} is {fault.found}, where {fault.expected} is expected"
            for fault in faults[:3]
        ]
        more = f"; {len(faults) - 3} more" if len(faults) > 3 else ""
        self._reject(
            Breach(
                "malformed",
                f"{kind} is malformed: {'; '.join(said)}{more}.",
                tuple(pointer(fault.path) for fault in faults),
                likely.cause_of_fault(event, faults),
            )
        )

    def _reject(self, breach: Breach) -> None:
        rule = RULES[breach.rule]
        violation = Violation(
            breach.rule,
            self.events - 1,
            breach.message,
            breach.paths[0] if breach.paths else None,
            breach.paths,
            breach.likely,
            rule.page,
            rule.remedy,
        )
        self.verdict = "rejected"
        if self.violation is None:
            self.violation = violation
        else:
            self.after.append(violation)
        if breach.rule == "first-event":
            self._verification.assume_run()


def _refuse(payload: bytes) -> Event:
    raise msgspec.DecodeError


def _operations_hold(event: StateDelta | ActivityDelta) -> bool:
    """Whether enforcement would leave the patch as it is (the operations are kept whole)."""
    report = Report()
    operations = event.delta if isinstance(event, StateDelta) else event.patch
    enforcement.operations_plan().apply(operations, (), report)
    return not report.removals and not report.faults


def _type_fault(event: dict[str, Any]) -> Fault:
    found = enforcement.kind_of(event["type"]) if "type" in event else "missing"
    return Fault(("type",), "the name of an event type", found)


def _truncated(run: str | None, tail: bytes) -> str:
    cut = f" inside a frame ({len(tail)} bytes of it came)" if tail else ""
    return f"The input ends{cut} with run {run!r} open: no RUN_FINISHED or RUN_ERROR came."


_FRAMING: Final = {
    "framing-crlf": (
        "Lines end with CRLF or CR; they were read, but the reference client reads only LF and "
        "would see no event."
    ),
    "framing-bom": "The stream begins with a byte-order mark; it was skipped.",
    "framing-end": "The last frame has no blank line after it; it was taken as the last event.",
}
