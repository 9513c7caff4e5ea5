"""The accessibility tree on the screen of one episode, where a search goes through all of its pages."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType

from webbench.core.observation import Observation
from webbench.tui.commands import bindings
from webbench.tui.widgets.tree.read_tree import ReadTree

NOT_RECORDED = "No accessibility tree was recorded here: the source of this episode kept none."


OF_THE_SCREEN = ("read_tree.search", "read_tree.next_match", "read_tree.previous_match")


class RecordedTree(ReadTree, inherit_bindings=False):
    """Without a search of its own: the screen searches the whole episode."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("rows"),
        *(one for one in bindings("read_tree") if one.id not in OF_THE_SCREEN),
    ]

    empty_text = "Reading the record…"

    def show_page(self, observation: Observation | None, trouble: str = "") -> None:
        """Show a page; None says that none was recorded, or why it can't be read."""
        self.empty_text = trouble or NOT_RECORDED
        self.observation = observation or Observation()

    def action_activate(self) -> None:
        """There is nothing to do with a node but to look below it."""
        self.action_toggle_fold()
