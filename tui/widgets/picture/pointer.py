"""The mouse on a picture: which page point it means, dragging, the wheel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from textual import events
from textual.geometry import Offset

from webbench.core.observation import AccessibilityNode
from webbench.core.text.plain_text import plain_text
from webbench.tui.pictures.viewfinder import Viewfinder
from webbench.tui.widgets.lines.node_label import role_name

CLOSER, FARTHER = 1.25, 0.8
"""What one turn of the wheel enlarges by."""
ROWS_OF_A_TURN = 3


@dataclass(frozen=True, slots=True)
class PagePoint:
    """A point of the page (CSS px); `node` is the marked node it means, if any."""

    x: float
    y: float
    node: AccessibilityNode | None

    @property
    def words(self) -> str:
        words = f"{self.x:.0f}, {self.y:.0f}"
        if (node := self.node) is not None:
            words += f" → {node.id_text}{role_name(node.role)} {plain_text(node.name, limit=40)}"
        return plain_text(words, limit=120)


class Picture(Protocol):
    """What a pointer moves over."""

    @property
    def viewfinder(self) -> Viewfinder: ...

    def change_view(self, view: Viewfinder) -> None: ...

    def point_at(self, column: int, row: int) -> PagePoint | None:
        """The page point at the middle of a cell, None beside the picture."""


class PicturePointer:
    """Knows what the mouse is over, and whether it drags the picture.

    Args:
        told: called where `words` are others now.
    """

    def __init__(self, picture: Picture, *, told: Callable[[], None]) -> None:
        self._picture = picture
        self._told = told
        self._dragging = False
        self.words = ""
        """What is under the mouse, "" beside the picture."""

    def press(self) -> None:
        self._dragging = True

    def release(self) -> None:
        self._dragging = False

    def leave(self) -> None:
        self._dragging = False
        self._tell("")

    def move(self, event: events.MouseMove, at: Offset | None) -> None:
        """It moved to a cell, or (None) to one outside of the widget's content."""
        if event.button and self._dragging:
            self._picture.change_view(self._picture.viewfinder.panned(-event.delta_x, -event.delta_y))
            return
        point = None if at is None else self._picture.point_at(at.x, at.y)
        self._tell("" if point is None else point.words)

    def _tell(self, words: str) -> None:
        if words != self.words:
            self.words = words
            self._told()

    def turn_wheel(self, event: events.MouseEvent, at: Offset | None, *, up: bool) -> None:
        """Zoom at the pointer; with Shift, pan."""
        view = self._picture.viewfinder
        if event.shift:
            self._picture.change_view(view.panned(0, -ROWS_OF_A_TURN if up else ROWS_OF_A_TURN))
        elif at is not None:
            factor = CLOSER if up else FARTHER
            self._picture.change_view(view.zoomed(factor, (at.x + 0.5, at.y + 0.5)))
