"""Where the stepper's panes are: side by side, stacked, or one at a time on a narrow terminal."""

from __future__ import annotations

from typing import ClassVar

from textual.screen import Screen
from textual.widgets import ContentSwitcher

PANELS = ("score", "steps", "messages", "notes")
NARROW_BELOW = 100


class PanePlaces(Screen[None]):
    """Layout and pane keys of the stepper.

    Below 100 columns one pane fills the screen and Tab turns to the next; from 100 the tree stands
    left, picture and panel right; from 150 all three stand side by side.
    """

    HORIZONTAL_BREAKPOINTS: ClassVar[list[tuple[int, str]]] = [
        (0, "-narrow"),
        (NARROW_BELOW, "-normal"),
        (150, "-wide"),
    ]
    DEFAULT_CSS = """
    PanePlaces {
        #panes { height: 1fr; }
        #right { height: 1fr; width: 1fr; }
        #panel { height: 1fr; width: 1fr; }
        &.-wide #tree { width: 5fr; }
        &.-wide #right { width: 11fr; layout: horizontal; }
        &.-wide #picture { width: 6fr; }
        &.-wide #panel { width: 4fr; min-width: 38; }
        &.-normal #tree { width: 1fr; }
        &.-normal #right { layout: vertical; }
        &.-normal #picture { height: 3fr; }
        &.-normal #panel { height: 2fr; }
        &.-narrow #panes > *, &.-narrow #right > * { display: none; }
        &.-narrow.show-tree #tree { display: block; width: 1fr; }
        &.-narrow.show-picture #right, &.-narrow.show-panel #right { display: block; }
        &.-narrow.show-picture #picture { display: block; }
        &.-narrow.show-panel #panel { display: block; }
    }
    """

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
