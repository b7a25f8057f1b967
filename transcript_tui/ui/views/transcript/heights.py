"""How tall every entry is, and where it therefore begins."""

from __future__ import annotations

from transcript_tui.ui.prefixsums import PrefixSums


class Heights(PrefixSums):
    """Heights in lines by entry key (from 0); 0 = not shown.

    What was never laid out stands in with an estimate, which is replaced when the entry comes
    into view.
    """

    __slots__ = ()

    def after(self, key: int) -> int:
        """The next shown key above ``key`` in number; the number of entries where there is none."""
        return self.at(self.before(key + 1))[0]

    def previous(self, key: int) -> int:
        """The nearest shown key below ``key`` in number; -1 where there is none."""
        above = self.before(key)
        return self.at(above - 1)[0] if above else -1
