"""The page as a picture: focused node outlined, marks as text over it, zoom, pan, click."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from rich.segment import ControlType, Segment
from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from webbench.core.observation import AccessibilityNode, Box, Observation
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted
from webbench.tui.commands import bindings, shown_key
from webbench.tui.pictures.detect import Graphics
from webbench.tui.pictures.drawing import Drawing, draw
from webbench.tui.pictures.source import decode
from webbench.tui.pictures.viewfinder import Viewfinder
from webbench.tui.widgets.lines.component_style import component_style
from webbench.tui.widgets.lines.glyphs import ASCII, glyphs_of
from webbench.tui.widgets.lines.line import Line, splice, wrap
from webbench.tui.widgets.lines.node_label import role_name
from webbench.tui.widgets.picture.marks import SNAP_CELLS, marked_nodes, node_at, place_labels
from webbench.tui.widgets.picture.overlay import CellBox, label_row, outline_row
from webbench.tui.widgets.picture.page_text import READABLE_FROM, TextRows, place_page_text, readable
from webbench.tui.widgets.picture.pointer import PagePoint, PicturePointer
from webbench.tui.workers import run_worker

if TYPE_CHECKING:
    from PIL.Image import Image

HALF_BLOCK = Graphics("half-block", "default")


class ScreenshotView(Widget, can_focus=True):
    """Shows encoded picture bytes. Decoding and scaling happen off the event loop.

    Give it a picture with `show`, the page's nodes with `observation`, the node to outline with
    `focused_id`, other labels than ids (link hints) with `labels`. Over a half-block picture the page's text
    stands as characters (`page_text`); where there is no room for that, a part of the picture is shown that
    follows the focused node until the person chooses another part.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "screenshot--mark",
        "screenshot--mark-focused",
        "screenshot--outline",
        "screenshot--muted",
        "screenshot--heading",
    }

    DEFAULT_CSS = """
    ScreenshotView {
        height: 1fr;
        background: $surface;
        color: $foreground;
        border: round $border-blurred;
        border-title-color: $foreground-muted;
        border-subtitle-color: $foreground-muted;
        & > .screenshot--mark { color: #000000; background: #ffe14d; text-style: bold; }
        & > .screenshot--mark-focused { color: #ffffff; background: #d0006f; text-style: bold; }
        & > .screenshot--outline { color: #ff2d9b; text-style: bold; }
        & > .screenshot--muted { color: $foreground 65%; }
        & > .screenshot--heading { color: $foreground; text-style: bold; }
        &:focus { border: round $border; border-title-color: $foreground; border-title-style: bold; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("picture")]

    marks: reactive[bool] = reactive(True, repaint=False)
    page_text: reactive[bool] = reactive(True, repaint=False)
    focused_id: reactive[int | None] = reactive(None, repaint=False)

    @dataclass
    class PointFocused(Message):
        """A click at a page point."""

        view: ScreenshotView
        point: PagePoint

    @dataclass
    class PointActivated(Message):
        """A double click: act there."""

        view: ScreenshotView
        point: PagePoint

    @dataclass
    class MarksToggled(Message):
        view: ScreenshotView
        on: bool

    def __init__(self, graphics: Graphics = HALF_BLOCK, **names: Any) -> None:
        super().__init__(**names)
        self.graphics = graphics
        self._pointer = PicturePointer(self, told=self._show_titles)
        self._observation = Observation()
        self._marked: list[AccessibilityNode] = []
        self._labels: Mapping[int, str] = {}
        self._data = b""
        self._image: Image | None = None
        self._full_page = False
        self._origin = (0.0, 0.0)
        self._scale = 1.0
        self._view = Viewfinder(1, 1, 1, 1)
        self._drawing: Drawing | None = None
        self._text_rows: TextRows = {}
        self._crop_undone: Viewfinder | None = None
        self._follows = True
        self._clicked: int | None = None
        """What was clicked here stays where it is, for the click that makes it a double one."""
        self._placed: dict[int, list[tuple[int, str, int]]] = {}
        self._problem = "No picture yet: it comes with the first observation."
        self._focused_node: AccessibilityNode | None = None
        self._stale = asyncio.Event()

    def on_mount(self) -> None:
        self.border_title = Content("Screenshot")
        run_worker(self, self._keep_drawing, group="picture", exit_on_error=True)

    # Data

    def show(
        self,
        data: bytes,
        *,
        scale: float = 1.0,
        full_page: bool = False,
        origin: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        """Show encoded bytes (JPEG, PNG, WebP).

        Zoom and place are kept while pictures have the same size.

        Args:
            scale: picture pixels per CSS pixel.
            origin: where a picture of a part of the viewport begins in it (CSS px).
        """
        if data == self._data and origin == self._origin:
            return
        self._data, self._scale, self._full_page, self._origin = data, scale, full_page, origin
        self._image = self._clicked = None
        self._stale.set()

    def clear(self, reason: str) -> None:
        """Show a sentence instead of a picture."""
        self._data, self._image, self._drawing, self._problem = b"", None, None, reason
        self.refresh()

    @property
    def observation(self) -> Observation:
        return self._observation

    @observation.setter
    def observation(self, observation: Observation) -> None:
        self._observation = observation
        self._marked = marked_nodes(observation, full_page=self._full_page)
        self._find_focused()
        self._place_marks()
        if self._text_rows:
            self._stale.set()

    @property
    def labels(self) -> Mapping[int, str]:
        """Labels by node id to show instead of ids; while there are any, only these are shown."""
        return self._labels

    @labels.setter
    def labels(self, labels: Mapping[int, str]) -> None:
        self._labels = dict(labels)
        self._place_marks()

    @property
    def viewfinder(self) -> Viewfinder:
        return self._view

    # Drawing

    async def _keep_drawing(self) -> None:
        """Draw the latest wish whenever there is one; wishes that came meanwhile are drawn once."""
        while True:
            await self._stale.wait()
            self._stale.clear()
            if self._data and self.size.width > 0:
                await self._draw()

    async def _draw(self) -> None:
        data = self._data
        try:
            if self._image is None:
                image = await asyncio.to_thread(decode, data)
                if data is not self._data:
                    return
                self._image = image
            self._view = self._view_for(self._image)
            drawn = await asyncio.to_thread(self._drawn, self._image, self._view)
        except ValueError as error:
            self.clear(str(error))
            return
        if data is self._data:
            self._take(*drawn)

    def _drawn(self, image: Image, view: Viewfinder) -> tuple[Drawing, TextRows]:
        """The picture for the terminal, and the page's text to stand on it."""
        return draw(image, view, self.graphics), self._page_text(image, view)

    def _take(self, drawing: Drawing, rows: TextRows) -> None:
        self._drawing, self._text_rows = drawing, rows
        if drawing.upload:
            self.write_to_terminal(drawing.upload)
        self._place_marks()
        self._show_titles()

    def _page_text(self, image: Image, view: Viewfinder) -> TextRows:
        wanted = self.page_text and self.graphics.mode == "half-block" and readable(view)
        return place_page_text(self._observation.nodes, image, view) if wanted else {}

    def write_to_terminal(self, sequence: str) -> None:
        """Hand a picture to the terminal outside of any line."""
        driver = self.app._driver
        if driver is not None:
            driver.write(sequence)

    def _view_for(self, image: Image) -> Viewfinder:
        """The current view adapted to the image and the pane; kept where the image's size is the same."""
        page = self._observation.viewport
        view = replace(
            self._view,
            width=image.width,
            height=image.height,
            columns=max(1, self.content_region.width),
            rows=max(1, self.content_region.height),
            scale=self._scale,
            origin_x=-page.scroll_x if self._full_page else self._origin[0],
            origin_y=-page.scroll_y if self._full_page else self._origin[1],
        )
        same = (view.width, view.height) == (self._view.width, self._view.height)
        view = view if same else view.fitted()
        if self.follows:
            return view.following(self.centre_box(), READABLE_FROM * view.scale)
        return view.settled()

    @property
    def follows(self) -> bool:
        """Whether the part that is shown follows the focused node."""
        return self._follows and self.page_text and self.graphics.mode == "half-block"

    def centre_box(self) -> Box | None:
        """What is never left out of the part that is shown."""
        node = self._focused_node
        return node.box if node is not None and node.id != self._clicked else None

    def change_view(self, view: Viewfinder) -> None:
        """Show another part of the picture, or more of it."""
        if self._image is not None and view != self._view:
            self._view, self._follows = view, False
            self._stale.set()

    def _follow(self) -> None:
        """Show the part that the focused node is in now."""
        if self._image is not None and self.follows and self._view_for(self._image) != self._view:
            self._stale.set()

    def on_resize(self) -> None:
        self._stale.set()

    def _place_marks(self) -> None:
        nodes = self._marked
        if self._labels:
            nodes = [node for node in self._observation.nodes if node.id in self._labels]
        on = self.marks or self._labels
        self._placed = {}
        if on and self._image is not None:
            self._placed = place_labels(nodes, self._labels, self._view, text=self._text_rows)
        self.refresh()

    def watch_marks(self) -> None:
        self._place_marks()

    def watch_page_text(self) -> None:
        self._stale.set()

    def watch_focused_id(self) -> None:
        self._find_focused()

    def _find_focused(self) -> None:
        focused = self.focused_id
        self._focused_node = None if focused is None else self._observation.node(focused)
        self._follow()
        self.refresh()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self.refresh()

    # Lines

    def render_line(self, y: int) -> Strip:
        width = self.content_region.width
        if self._drawing is None and self._data and self.graphics.mode != "text":
            return Strip.blank(width, self.rich_style)
        if self._drawing is None or self.graphics.mode == "text":
            return self._text_line(y, width)
        strip = Strip.blank(width, self.rich_style)
        left, top = self._drawing.margin
        row = y - top
        if 0 <= row < len(self._drawing.strips):
            strip = splice(strip, left, list(self._drawing.strips[row]), width)
        strip = self._overlay(strip, y, width)
        if self._drawing.after and y == self.content_region.height - 1 and self.screen.is_current:
            strip = Strip([*strip, self._drawn_after(self._drawing)], width)
        return strip

    def _overlay(self, strip: Strip, y: int, width: int) -> Strip:
        drawing = self._drawing
        for column, segment in self._text_rows.get(y, ()):
            strip = splice(strip, column, [segment], width)
        node = self._focused_node
        if drawing is not None and node is not None and node.box is not None and node.depth:
            box = CellBox.around(node.box, self._view)
            if y in box.rows():
                style = component_style(self, "screenshot--outline")
                strip = outline_row(
                    strip,
                    y,
                    box,
                    style,
                    width,
                    drawing.half_blocks,
                    drawing.margin[0],
                    ascii_only=glyphs_of(self) is ASCII,
                )
        if labels := self._placed.get(y):
            mark = component_style(self, "screenshot--mark")
            strip = label_row(
                strip,
                labels,
                mark,
                component_style(self, "screenshot--mark-focused"),
                self.focused_id,
                width,
            )
        return strip

    def _drawn_after(self, drawing: Drawing) -> Segment:
        """The sixel picture, and the marks again on top of it, as one sequence without width."""
        corner = self.content_region.offset
        left, top = drawing.margin
        parts = ["\x1b7", f"\x1b[{corner.y + top + 1};{corner.x + left + 1}H", drawing.after]
        style = component_style(self, "screenshot--mark")
        for row, labels in self._placed.items():
            for column, text, _ in labels:
                parts.append(f"\x1b[{corner.y + row + 1};{corner.x + column + 1}H{style.render(text)}")
        parts.append("\x1b8")
        return Segment("".join(parts), None, [(ControlType.CURSOR_MOVE_TO, 0, 0)])

    def _text_line(self, y: int, width: int) -> Strip:
        """The picture in words: why there is none, or where the visible elements are."""
        heading, muted = (component_style(self, f"screenshot--{name}") for name in ("heading", "muted"))
        line = Line(width)
        nodes = self._marked if self._data else []
        if not nodes:
            why = wrap(plain_text(self._problem, limit=300), max(1, width - 2))
            line.add(f" {why[y]}" if y < len(why) else "", muted)
        elif y == 0:
            page = self._observation.viewport
            size, seen = f"{page.width} x {page.height} px", counted(len(nodes), "element")
            line.add(f" {size}, {seen} in view", heading)
        elif 0 <= y - 2 < len(nodes):
            node = nodes[y - 2]
            if node.box is not None:
                line.add(f" {node.box.x:5.0f},{node.box.y:<5.0f} ", muted)
            line.add(f"{plain_text(node.id_text)}{plain_text(role_name(node.role), limit=40)} ", heading)
            line.add(plain_text(node.name, limit=200))
        return line.strip(self.rich_style)

    def _show_titles(self) -> None:
        view = self._view
        words = [f"{view.width} x {view.height}"]
        if view.zoom > 1.01:
            part = "a part, {} shows all".format(shown_key(self.app, "picture.fit"))
            words.append(part if self.follows else f"zoom {view.zoom:.1f}x")
        if self._full_page:
            words.append("whole page")
        if self._origin != (0.0, 0.0):
            words.append("part from {:g}, {:g}".format(*self._origin))
        if not self.marks:
            words.append("marks off")
        if self._text_rows:
            words.append("page text")
        if self._pointer.words:
            words = [self._pointer.words]
        self.border_subtitle = Content(" · ".join(words))

    # Mouse

    def point_at(self, column: int, row: int) -> PagePoint | None:
        """The page point at the middle of a cell, None beside the picture."""
        point = self._view.to_page(column + 0.5, row + 0.5) if self._image is not None else None
        if point is None:
            return None
        reach = SNAP_CELLS * self._view.unit / self._view.scale
        return PagePoint(*point, node_at(self._marked, *point, reach))

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        point = None if at is None else self.point_at(at.x, at.y)
        if point is not None:
            event.stop()
            self._clicked = point.node.id if point.node is not None else None
            kind = self.PointActivated if event.chain == 2 else self.PointFocused
            self.post_message(kind(self, point))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self._pointer.move(event, event.get_content_offset(self))

    def on_mouse_down(self) -> None:
        self._pointer.press()

    def on_mouse_up(self) -> None:
        self._pointer.release()

    def on_leave(self) -> None:
        self._pointer.leave()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self._pointer.turn_wheel(event, event.get_content_offset(self), up=True)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self._pointer.turn_wheel(event, event.get_content_offset(self), up=False)

    # Keys

    def action_zoom(self, factor: float) -> None:
        self.change_view(self._view.zoomed(factor))

    def action_fit(self) -> None:
        """The whole picture; where that is shown, again the part around the focused node."""
        whole = self._view.fitted()
        self._follows = whole == self._view
        self._view = whole
        self._stale.set()

    def action_fit_width(self) -> None:
        self.change_view(self._view.fitted_width())

    def action_pan(self, across: int, down: int) -> None:
        self.change_view(self._view.panned(across * self.size.width / 6, down * self.size.height / 6))

    def action_crop(self) -> None:
        """Show the focused node large, or what was shown before."""
        node = self._focused_node
        if node is None or node.box is None:
            self.notify("No node to crop to: focus one in the tree, or click one here.", markup=False)
            return
        cropped = self._view.cropped(node.box)
        if self._crop_undone is not None and cropped == self._view:
            self.change_view(self._crop_undone)
            self._crop_undone = None
        else:
            self._crop_undone = self._view
            self.change_view(cropped)

    def action_toggle_marks(self) -> None:
        self.marks = not self.marks
        self._show_titles()
        self.post_message(self.MarksToggled(self, self.marks))

    def action_toggle_text(self) -> None:
        """Page text over the picture, or all of the picture without."""
        self.page_text = not self.page_text
        self._follows = self._follows or self.page_text
        self._show_titles()
