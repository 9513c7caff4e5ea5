"""Where the stepper's panes are: side by side, stacked, or one at a time on a narrow terminal."""

from __future__ import annotations

from typing import ClassVar

from textual.screen import Screen
from textual.widgets import ContentSwitcher

PANELS = ("score", "steps", "messages", "notes")
NARROW_BELOW = 100
WIDE_FROM = 200


class PanePlaces(Screen[None]):
    """Layout and pane keys of the stepper.

    Below 100 columns one pane fills the screen and Tab turns to the next; from 100 the tree stands left,
    the picture right with the panel below it; from 200 all three stand side by side.
    """

    HORIZONTAL_BREAKPOINTS: ClassVar[list[tuple[int, str]]] = [
        (0, "-narrow"),
        (NARROW_BELOW, "-normal"),
        (WIDE_FROM, "-wide"),
    ]
    _pane = "tree"

    @property
    def narrow(self) -> bool:
        return self.size.width < NARROW_BELOW

    def place_panes(self) -> None:
        """Show the chosen pane where only one has room."""
        for pane in ("tree", "picture", "panel"):
            self.set_class(pane == self._pane, f"show-{pane}")

    def show_pane(self, pane: str) -> None:
        """Bring a pane to the front (narrow) and give it the focus."""
        self._pane = pane
        self.place_panes()
        target = self.query_one(ContentSwitcher).current if pane == "panel" else pane
        self.call_after_refresh(lambda: self.query_one(f"#{target}").focus())

    def action_panel(self, name: str) -> None:
        self.query_one(ContentSwitcher).current = name
        self.show_pane("panel")

    def action_turn_panel(self, step: int) -> None:
        current = self.query_one(ContentSwitcher).current or PANELS[0]
        self.action_panel(PANELS[(PANELS.index(current) + step) % len(PANELS)])

    def action_turn_pane(self, step: int) -> None:
        """The next pane: tree, picture, panel."""
        order = ("tree", "picture", "panel")
        focused = self.focused.id if self.focused else None
        current = "panel" if focused in PANELS else focused if focused in order else self._pane
        self.show_pane(order[(order.index(current) + step) % len(order)])
