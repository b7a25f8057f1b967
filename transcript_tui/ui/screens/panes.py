"""Opening, closing and placing the views around the transcript."""

from __future__ import annotations

from textual.containers import Container

from transcript_tui.ui.screens.base import BaseScreen
from transcript_tui.ui.views.pane import PANES, Pane, make_pane


class PaneHost(BaseScreen):
    """One view at the side, one at the bottom; where there is little room the topmost only."""

    def open_pane(self, name: str) -> None:
        if self.session is None:
            self.wanted_pane = name
            return
        for pane in self.pane_order:
            if pane.name == name:
                self.close_pane(pane)
                return
        for pane in [pane for pane in self.pane_order if self._same_dock(pane, name)]:
            self._take_away(pane)
        pane = make_pane(name, self.session)
        pane.keys = self.keymap
        self.pane_order.append(pane)
        self.arrange_panes()
        self.call_later(self._mount_pane, pane, self.query_one(f"#{PANES[name].dock}", Container))

    def _same_dock(self, pane: Pane, name: str) -> bool:
        return PANES[pane.name or ""].dock == PANES[name].dock

    async def _mount_pane(self, pane: Pane, dock: Container) -> None:
        """Mount and fill, unless it (or the program) was closed again in the meantime."""
        if pane not in self.pane_order or self.session is None or not dock.is_attached:
            return
        await dock.mount(pane)
        if pane not in self.pane_order or not pane.is_attached:
            return
        pane.show_at(self.session.player.position)
        if self.view is not None:
            pane.selected(self.view.selected)
        if pane is self.pane_order[-1] and not self.prompt.opened:
            # Mounting takes a while: what was opened after it has the focus already.
            pane.focus_first()
        self.paint_soon()

    def close_pane(self, pane: Pane) -> None:
        self._take_away(pane)
        self.arrange_panes()
        if self.pane_order and self.covering_pane() is not None:
            self.pane_order[-1].focus_first()
        else:
            self.focus_view()
        self.paint_soon()

    def _take_away(self, pane: Pane) -> None:
        self.pane_order.remove(pane)
        self.clear_selection()
        pane.remove()

    def covering_pane(self) -> Pane | None:
        if self.query_one("#stage").display and self.query_one("#body").display:
            return None
        return self.pane_order[-1] if self.pane_order else None

    def arrange_panes(self) -> None:
        """Show what there is room for: the topmost view always, the transcript where it can be."""
        docks = {PANES[pane.name or ""].dock for pane in self.pane_order}
        top = PANES[self.pane_order[-1].name or ""].dock if self.pane_order else None
        low, narrow = self.has_class("-low"), self.has_class("-narrow")
        side = "side" in docks and not (low and top == "bottom")
        bottom = "bottom" in docks and not (low and top == "side")
        self.query_one("#side").display = side
        self.query_one("#bottom").display = bottom
        self.query_one("#body").display = not (low and bottom)
        self.query_one("#stage").display = not (narrow and side)
