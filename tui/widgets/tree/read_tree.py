"""The accessibility tree of a recorded page: to read, not to act on."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType

from webbench.tui.commands import bindings
from webbench.tui.widgets.tree.accessibility_tree import AccessibilityTree


class ReadTree(AccessibilityTree, inherit_bindings=False):
    """Letters that act on a live page are left to the screen; n and N too while nothing is searched for."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("rows"), *bindings("read_tree")]

    follows_pages = False
    empty_text = "No accessibility tree was recorded here."

    def on_resize(self) -> None:
        """The element that was acted on comes to the middle once there is room to show it."""
        self.scroll_to_row(self.cursor, centre=True)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return bool(self._query.text) if action == "next_match" else True
