"""Streamed items: what is open, whose each one is, and what is wrong with what names one."""

from __future__ import annotations

from transcript_tui.protocol.breaches import Breach, Owner, other_owner
from transcript_tui.protocol.findings import quoted

__all__ = ["Items"]


class Items:
    """One namespace of streamed items: which are open, and who owns each one the run has seen.

    ``owners`` may be shared: a reasoning span and its message are one owner's.
    """

    __slots__ = ("closed", "end", "id_field", "name", "open", "owners", "start")

    def __init__(
        self, name: str, start: str, end: str, id_field: str, owners: dict[str, Owner]
    ) -> None:
        self.name = name
        self.start = start
        self.end = end
        self.id_field = id_field
        self.open: dict[str, Owner] = {}
        self.owners = owners
        self.closed: set[str] = set()
        """Ids that were closed in this run, to explain what comes after."""

    def clear(self) -> None:
        self.open.clear()
        self.owners.clear()
        self.closed.clear()

    def restate(self, id: str, owner: Owner, *, authoritative: bool) -> None:
        """Something else names the owner of ``id``, also of one that is open meanwhile."""
        if authoritative or id not in self.owners:
            self.owners[id] = owner
        if authoritative and id in self.open:
            self.open[id] = owner

    def started_twice(self, id: str) -> Breach:
        return Breach(
            "open-open",
            f"{self.start} for {self.name} {quoted(id)}, which is open already.",
            (f"/{self.id_field}",),
            f"{self.end} for {quoted(id)} was never sent, or the START was sent twice.",
        )

    def not_open(self, id: str, kind: str) -> Breach:
        closed = id in self.closed
        was = "closed before" if closed else "never opened in this run"
        return Breach(
            "not-open",
            f"{kind} for {self.name} {quoted(id)}, which was {was}.",
            (f"/{self.id_field}",),
            f"The producer goes on with {quoted(id)} after its {self.end}; to continue a closed "
            f"item it must be reopened with {self.start}."
            if closed
            else f"{self.start} for {quoted(id)} is missing, or spells its id differently.",
        )

    def disagrees(self, id: str, owner: Owner, tag: Owner) -> Breach:
        return other_owner(self.name, id, owner, tag)
