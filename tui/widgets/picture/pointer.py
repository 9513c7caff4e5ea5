"""The mouse on a picture: which page point it means, dragging, the wheel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textual import events
from textual.message import Message
from textual.widget import Widget

from webbench.core.observation import AccessibilityNode
from webbench.core.text.plain_text import plain_text
from webbench.tui.pictures.viewfinder import Viewfinder
from webbench.tui.widgets.picture.marks import SNAP_CELLS, node_at
from webbench.tui.widgets.tree.node_label import role_name

if TYPE_CHECKING:
    from PIL.Image import Image


class PicturePointer(Widget):
    """Mixed into the picture: expects `_view`, `_image`, `_marked` and `_change_view`."""

    _view: Viewfinder
    _image: Image | None
    _marked: list[AccessibilityNode]

    @dataclass
    class PointFocused(Message):
        """A click at a page point (CSS px); `node` is the marked node it means, if any."""

        view: PicturePointer
        x: float
        y: float
        node: AccessibilityNode | None

    @dataclass
    class PointActivated(Message):
        """A double click: act there."""

        view: PicturePointer
        x: float
        y: float
        node: AccessibilityNode | None

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._under_mouse = ""
        self._dragging = False

    def _change_view(self, view: Viewfinder) -> None:
        raise NotImplementedError

    def _show_titles(self) -> None:
        raise NotImplementedError

    def point_at(self, column: int, row: int) -> tuple[float, float, AccessibilityNode | None] | None:
        """Page point (CSS px) at the middle of a cell, and the marked node it means."""
        point = self._view.to_page(column + 0.5, row + 0.5) if self._image is not None else None
        if point is None:
            return None
        reach = SNAP_CELLS * self._view.unit / self._view.scale
        return (*point, node_at(self._marked, *point, reach))

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        target = None if offset is None else self.point_at(offset.x, offset.y)
        if target is None:
            return
        event.stop()
        kind = self.PointActivated if event.chain == 2 else self.PointFocused
        self.post_message(kind(self, *target))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if event.button and self._dragging:
            self._change_view(self._view.panned(-event.delta_x, -event.delta_y))
            return
        offset = event.get_content_offset(self)
        target = None if offset is None else self.point_at(offset.x, offset.y)
        words = ""
        if target is not None:
            words = f"{target[0]:.0f}, {target[1]:.0f}"
            if (node := target[2]) is not None:
                words += f" → {node.id_text}{role_name(node.role)} {plain_text(node.name, limit=40)}"
        if words != self._under_mouse:
            self._under_mouse = plain_text(words, limit=120)
            self._show_titles()

    def on_mouse_down(self) -> None:
        self._dragging = True

    def on_mouse_up(self) -> None:
        self._dragging = False

    def on_leave(self) -> None:
        self._under_mouse, self._dragging = "", False
        self._show_titles()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self._wheel(event, 1.25, -1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self._wheel(event, 0.8, 1)

    def _wheel(self, event: events.MouseEvent, factor: float, down: int) -> None:
        """Zoom at the pointer; with Shift, pan."""
        if event.shift:
            self._change_view(self._view.panned(0, down * 3))
        elif (offset := event.get_content_offset(self)) is not None:
            self._change_view(self._view.zoomed(factor, (offset.x + 0.5, offset.y + 0.5)))
