"""One stream: payloads in, delivered events out, with what there is to say about it.

    payload → JSON → compatibility boundary → enforcement → chunk expansion → verification

``Verifier.step`` has a fast route for the common case: one typed decode, which refuses
whatever the general route would treat in any way. A law in the tests says that it never
accepts, rejects or yields what the general route does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Final, Literal, cast

import msgspec

from transcript_tui.protocol import enforcement, likely
from transcript_tui.protocol.breaches import Breach
from transcript_tui.protocol.chunks import CHUNKS, Expansion
from transcript_tui.protocol.compatibility import Boundary, Say
from transcript_tui.protocol.deltas import Growing, take_row
from transcript_tui.protocol.events import (
    KINDS,
    ActivityDelta,
    BaseEvent,
    Chunk,
    Event,
    Expanded,
    RunStarted,
    StateDelta,
)
from transcript_tui.protocol.findings import Violation, Warned, quoted
from transcript_tui.protocol.ledger import Ledger
from transcript_tui.protocol.plans import UNKNOWN, Fault, Removal, Report, kind_of
from transcript_tui.protocol.pointer import Path, pointer, shown
from transcript_tui.protocol.rules import RULES
from transcript_tui.protocol.verification import Phase, Verification
from transcript_tui.protocol.version import version_warning
from transcript_tui.wire.jsontext import MAX_DEPTH, NotJson, may_be_deep, parse

__all__ = ["Verdict", "Verifier"]

Verdict = Literal["delivered", "warned", "dropped", "rejected", "after"]
"""What became of a payload: delivered as it was; delivered with a warning; nothing delivered
and no violation; the violation; not judged, because it came after the violation."""

_PATCHED: Final = (StateDelta, ActivityDelta)
_NOT_PLAIN: Final = CHUNKS | frozenset(_PATCHED) | {RunStarted}
"""Kinds that need more than decoding and verification."""

_PATIENCE: Final = 4
"""After this many misses in a row the fast route is not tried until an event is plain again."""

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
        "_misses",
        "_patience",
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
        self._decode = _decoder().decode
        self._misses = 0
        self._patience = _PATIENCE if fast else -1

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
        if self._misses > self._patience or (len(payload) > _SHALLOW and may_be_deep(payload)):
            return self._step_generally(payload)
        try:
            event = self._decode(payload)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            self._misses += 1
            return self._step_generally(payload)
        self._misses = 0
        if self._lanes or type(event) in _NOT_PLAIN:
            return self._step_specially(payload, event)
        breach = self._verification.checks[type(event)](event)
        if breach is not None:
            self._reject(breach)
            return ()
        self.verdict = "delivered"
        return (event,)  # type: ignore[return-value]  # chunks are not plain

    def oversized(self, limit: int) -> None:
        """Judge one payload of more than ``limit`` bytes, which nobody read."""
        self.events += 1
        if self.violation is not None and not self.keep_going:
            self.verdict = "after"
            return
        self._reject(Breach("not-json", _oversized(limit)))

    def left_out(self) -> None:
        """Count one payload that is none of the stream's and is not judged."""
        self.events += 1
        over = self.violation is not None and not self.keep_going
        self.verdict = "after" if over else "dropped"

    def row(self, payloads: Iterator[bytes], delta: Growing, into: list[str]) -> bytes | None:
        """Take the deltas that go on with ``delta``, which was delivered just now.

        Stops at the first payload that is anything else, and gives it back to be stepped;
        ``None`` at the end. Nothing comes between them, and the check of a continuation changes
        nothing: each is what ``step`` would deliver, at half the cost.
        """
        if self._patience < 0:
            return next(payloads, None)
        before = len(into)
        alike = self._expansion.going_on(delta)
        rest = take_row(payloads, alike, into, self._decode, _SHALLOW)
        self.events += len(into) - before
        return rest

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
        if self.phase == "new" and self.violation is None:
            self._ledger.warn("empty", None, _empty(self.events))
        return ()

    def _step_specially(self, payload: bytes, event: Event) -> tuple[Expanded, ...]:
        """A well-formed event that needs more than verification."""
        if type(event) in CHUNKS:
            content = self._expansion.continued(cast(Chunk, event))
            if content is not None and self._verification.check(content) is None:
                self.verdict = "delivered"
                return (content,)
        elif isinstance(event, _PATCHED) and not _operations_hold(event):
            return self._step_generally(payload)
        return self._judge(event, self._ledger.occurrences)

    def _step_generally(self, payload: bytes) -> tuple[Expanded, ...]:
        """The route that takes everything."""
        warned = self._ledger.occurrences
        event = self._enforced(payload)
        if event is None:
            return ()
        if self._ledger.occurrences == warned:
            self._misses = 0
        return self._judge(event, warned)

    def _judge(self, event: Event, warned: int) -> tuple[Expanded, ...]:
        """``warned``: occurrences of warnings before this payload."""
        if type(event) is RunStarted:
            self._compare_version(event)
        if self._lanes or type(event) in CHUNKS:
            delivered = self._expanded(event)
        else:
            delivered = self._verified((cast(Expanded, event),))
        if self.verdict == "delivered" and self._ledger.occurrences != warned:
            self.verdict = "warned"
        return delivered

    def _enforced(self, payload: bytes) -> Event | None:
        """The event in ``payload`` by the general route; ``None`` where there is none."""
        number = self.events - 1
        try:
            value = parse(payload)
        except NotJson as error:
            self._reject_text(f"The payload is not JSON: {error}.", payload)
            return None
        if not isinstance(value, dict):
            kind = kind_of(value)
            self._reject_text(f"The payload is {kind}, where one object is expected.", payload)
            return None
        name = value.get("type")
        if not isinstance(name, str):
            self._reject_faults("The event", list(value), [_type_fault(value)])
            return None
        if self._boundary.concerns(value):
            self._boundary.translate(value, self._say_retired(name, number))
        described = KINDS.get(value["type"])
        if described is None:
            if not self._ledger.again("unknown-event", name, ()):
                message = f"{quoted(name)} is no event type; it was dropped."
                self._ledger.warn("unknown-event", number, message, kind=name)
            self.verdict = "dropped"
            return None
        return self._conforming(value, described, name, number)

    def _conforming(
        self, value: dict[str, Any], described: type[BaseEvent], name: str, number: int
    ) -> Event | None:
        """The event that ``value`` is of the kind ``described``, if it is one."""
        unknown = enforcement.strip_top(value, described)
        for key in unknown:
            if not self._ledger.again("unknown-property", name, (key,)):
                self._say_removed(Removal("unknown-property", (key,), UNKNOWN), name, number)
        if described not in _PATCHED and enforcement.is_complete(value, described):
            try:
                event = msgspec.convert(value, described)
            except (msgspec.ValidationError, UnicodeEncodeError):
                # The latter for a lone surrogate where one of a set of strings is expected.
                pass
            else:
                return cast(Event, event)
        report = enforcement.enforce(value, described)
        for removal in report.removals:
            self._say_removed(removal, name, number)
        if report.dropped:
            self.verdict = "dropped"
            return None
        if report.faults:
            self._reject_faults(name, [*value, *unknown], report.faults, len(unknown))
            return None
        return cast(Event, msgspec.convert(value, described))

    def _say_retired(self, kind: str, number: int) -> Say:
        def say(sentence: str, path: Path) -> None:
            if not self._ledger.again("retired-shape", kind, path):
                message = f"{kind}: {sentence}"
                self._ledger.warn("retired-shape", number, message, kind=kind, path=path)

        return say

    def _say_removed(self, removal: Removal, kind: str, number: int) -> None:
        if not self._ledger.again(removal.rule, kind, removal.path):
            place = shown(removal.path) or "the event"
            message = f"{kind}: {place} was removed; {removal.what}."
            self._ledger.warn(removal.rule, number, message, kind=kind, path=removal.path)

    def _compare_version(self, event: RunStarted) -> None:
        if isinstance(event.protocol_version, str):
            message = version_warning(event.protocol_version)
            if message is not None:
                self._ledger.warn("version", self.events - 1, message, path=("protocolVersion",))

    def _expanded(self, event: Event) -> tuple[Expanded, ...]:
        """What of ``event`` stands after expansion and verification."""
        expanded = self._expansion.expand(event)
        if isinstance(expanded, Breach):
            self._reject(expanded)
            return ()
        delivered = self._verified(tuple(expanded))
        if self.verdict == "rejected" and type(event) in CHUNKS:
            self._expansion.forget(expanded[len(delivered)])
        return delivered

    def _verified(self, events: tuple[Expanded, ...]) -> tuple[Expanded, ...]:
        """``events`` up to the first that breaks a rule."""
        for index, event in enumerate(events):
            breach = self._verification.checks[type(event)](event)
            if breach is not None:
                self._reject(breach)
                return events[:index]
        self.verdict = "delivered" if events else "dropped"
        return events

    def _reject_text(self, message: str, payload: bytes) -> None:
        self._reject(Breach("not-json", message, likely=likely.cause_of_text(payload)))

    def _reject_faults(
        self, kind: str, names: list[str], faults: list[Fault], unknown: int = 0
    ) -> None:
        paths = tuple([pointer(fault.path) for fault in faults])
        said = [
            f"{shown(fault.path)} is {fault.found}, where {fault.expected} is expected"
            for fault in faults[:3]
        ]
        more = f"; {len(faults) - 3} more" if len(faults) > 3 else ""
        message = f"{kind} is malformed: {'; '.join(said)}{more}."
        cause = likely.cause_of_fault(names, faults, unknown)
        self._reject(Breach("malformed", message, paths, cause, _remedy(kind, faults)), kind)

    def _reject(self, breach: Breach, kind: str = "") -> None:
        """``kind``: the event's type, where it is known to be rejected for its shape."""
        rule = RULES[breach.rule]
        violation = Violation(
            breach.rule,
            self.events - 1,
            breach.message,
            breach.paths[0] if breach.paths else None,
            breach.paths,
            breach.likely,
            rule.page,
            breach.remedy or rule.remedy,
        )
        self.verdict = "rejected"
        if self.violation is None:
            self.violation = violation
        else:
            self.after.append(violation)
        # For reading on: what follows a start that was rejected is not wrong for that, too.
        started = breach.rule in ("first-event", "run-identity") or kind == "RUN_STARTED"
        if started and self.phase != "active":
            self._verification.assume_run()


def _operations_hold(event: StateDelta | ActivityDelta) -> bool:
    """Whether enforcement would leave the patch as it is (the operations are kept whole)."""
    report = Report()
    operations = event.delta if isinstance(event, StateDelta) else event.patch
    enforcement.operations_plan().apply(operations, (), report)
    return not report.removals and not report.faults


def _remedy(kind: str, faults: list[Fault]) -> str:
    wanted = "; ".join(f"{shown(fault.path)} as {fault.expected}" for fault in faults[:3])
    spared = any(fault.found == "null" for fault in faults[:3])
    return f"{kind} carries {wanted}{', or leaves out what is optional' * spared}."


def _type_fault(event: dict[str, Any]) -> Fault:
    found = kind_of(event["type"]) if "type" in event else "missing"
    return Fault(("type",), "the name of an event type", found)


def _oversized(limit: int) -> str:
    return (
        f"The payload is longer than {limit:,} bytes and was not read; --max-frame sets the limit."
    )


def _empty(payloads: int) -> str:
    if payloads == 0:
        return "There is no event at all."
    return f"There is no event of the protocol among the {payloads} payloads."


def _truncated(run: str | None, tail: bytes) -> str:
    cut = f" inside a frame ({len(tail)} bytes of it came)" if tail else ""
    which = "a run" if run is None else f"run {quoted(run)}"
    return f"The input ends{cut} with {which} open: no RUN_FINISHED or RUN_ERROR came."


_FRAMING: Final = {
    "framing-crlf": (
        "Lines end with CRLF or CR; they were read, but the reference client reads only LF and "
        "would see no event."
    ),
    "framing-bom": "The stream begins with a byte-order mark; it was skipped.",
    "framing-end": "The last frame has no blank line after it; it was taken as the last event.",
}
