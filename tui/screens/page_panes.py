"""Page panes: where the panes of an episode are, and how the tree and the picture of a page go together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.screen import Screen
from textual.widgets import ContentSwitcher, Input

from webbench.tui.commands import shown_key
from webbench.tui.screens.breakpoints import NARROW_BELOW, WIDE_FROM, breakpoints
from webbench.tui.screens.node_html import NodeHtml
from webbench.tui.widgets.lines.pane_bar import PaneBar
from webbench.tui.widgets.picture.screenshot import ScreenshotView
from webbench.tui.widgets.tree.accessibility_tree import AccessibilityTree
from webbench.tui.workbench import Workbench, workbench
from webbench.tui.workers import call_after_refresh

if TYPE_CHECKING:
    from webbench.tui.pictures.detect import Graphics

PANES = ("tree", "picture", "panel")
PANELS = ("score", "steps", "messages", "notes", "conversation", "memory", "html")


TITLES = {"html": "HTML", "conversation": "Talk"}
"""Panels whose names are no words, or too long where all stand in one line of 80."""


class PagePanes(Screen[None]):
    """Layout and keys of the panes in the stepper, and on the screen that shows a recorded episode.

    Below 100 columns they become tabs: one pane fills the screen, and Tab turns to the next. From 100
    the tree stands left, the picture right with the panel below it. From 190 the panel moves below the
    tree, and the picture is large enough to read the page's text on it.
    """

    HORIZONTAL_BREAKPOINTS = breakpoints(wide=WIDE_FROM)
    panels: Sequence[str] = PANELS
    scope: ClassVar[str] = "stepper"
    """Of its actions in the registry: each panel has one."""
    html: NodeHtml
    _pane = "tree"
    _pane_before = "tree"
    """The one in use before the picture had all the room."""

    @property
    def workbench(self) -> Workbench:
        """The application, with the settings and the line to the engine that its screens share."""
        return workbench(self)

    @property
    def graphics(self) -> Graphics:
        """How the terminal draws pictures."""
        return self.workbench.graphics

    @property
    def narrow(self) -> bool:
        return self.size.width < NARROW_BELOW

    def place_panes(self) -> None:
        """Show the chosen pane where only one has room."""
        for pane in PANES:
            self.set_class(pane == self._pane, f"show-{pane}")
        self.query_one(PaneBar).active = self.pane_in_front

    @property
    def pane_in_front(self) -> str:
        """Tree, picture, or which of the panels."""
        current = self.query_one(ContentSwitcher).current
        return current if self._pane == "panel" and current else self._pane

    def pane_titles(self) -> list[tuple[str, str]]:
        """Name and title of each, panels with the key that shows them."""
        panels = [
            (name, f"{shown_key(self.app, f'{self.scope}.panel_{name}')} {TITLES.get(name, name.title())}")
            for name in self.panels
        ]
        return [("tree", "Page"), ("picture", "Screenshot"), *panels]

    def on_pane_bar_pane_chosen(self, message: PaneBar.PaneChosen) -> None:
        if message.name in self.panels:
            self.action_panel(message.name)
        else:
            self.show_pane(message.name)

    def show_pane(self, pane: str) -> None:
        """Bring a pane to the front (narrow, maximised) and give it the focus."""
        self._pane = pane
        self.place_panes()
        call_after_refresh(self, self.focus_pane)

    def focus_pane(self) -> None:
        """Give the focus to the pane that was last in use, unless something in it has it."""
        pane = self.query_one(f"#{self.pane_in_front}")
        if self.focused is not None and pane in self.focused.ancestors_with_self:
            return
        inner = pane if pane.can_focus else next((one for one in pane.query("*") if one.can_focus), None)
        if inner is not None:
            inner.focus()

    def note_pane(self) -> None:
        """Remember which pane has the focus, to come back to it."""
        node = self.focused
        while node is not None and node.id not in PANES:
            # Textual: a parent that isn't a widget is the application, which has no id of a pane.
            node = node.parent  # type: ignore[assignment]
        if node is not None and node.id is not None:
            self._pane = node.id
            self.place_panes()

    def action_panel(self, name: str) -> None:
        """Show a panel; where it has a field, that takes the focus at once: the next key is meant for it."""
        self.show_panel(name)
        for field in self.query_one(f"#{name}").query(Input):
            self.set_focus(field)

    def show_panel(self, name: str) -> None:
        """Bring a panel to the front and give it the focus."""
        self.query_one(ContentSwitcher).current = name
        self.show_pane("panel")
        self.html.show_soon()

    def action_turn_panel(self, step: int) -> None:
        current = self.query_one(ContentSwitcher).current or self.panels[0]
        self.show_panel(self.panels[(self.panels.index(current) + step) % len(self.panels)])

    def action_turn_pane(self, step: int) -> None:
        """The next pane: tree, picture, panel."""
        self.note_pane()
        self.show_pane(PANES[(PANES.index(self._pane) + step) % len(PANES)])

    def action_maximise(self) -> None:
        """Give the pane in use all the room, or back."""
        self.note_pane()
        self.toggle_class("-maximised")
        self.place_panes()

    def action_picture(self) -> None:
        """Give the picture all the room, from any pane; then back to that pane."""
        self.note_pane()
        alone = self._pane == "picture" and self.has_class("-maximised")
        if not alone:
            self._pane_before = self._pane
        self.set_class(not alone, "-maximised")
        self.show_pane(self._pane_before if alone else "picture")

    # -- the page in both of them --------------------------------------------------------------

    def on_accessibility_tree_node_focused(self, message: AccessibilityTree.NodeFocused) -> None:
        self.query_one(ScreenshotView).focused_id = message.node.id
        self.html.show_soon()

    def on_html_pane_turned(self) -> None:
        self.html.show_soon()

    def on_screenshot_view_point_focused(self, message: ScreenshotView.PointFocused) -> None:
        if (node := message.point.node) is not None:
            self.query_one(AccessibilityTree).focus_id(node.id)

    def action_marks(self) -> None:
        self.query_one(ScreenshotView).action_toggle_marks()

    def action_text(self) -> None:
        self.query_one(ScreenshotView).action_toggle_text()

    def action_crop(self) -> None:
        self.query_one(ScreenshotView).action_crop()
