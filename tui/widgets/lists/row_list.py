"""A focusable list of one-line rows on the Line API: cost follows the visible rows, not the list."""

from __future__ import annotations

from typing import Any, ClassVar

from rich.cells import cell_len
from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.geometry import Region, Size
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip

from webbench.tui.commands import bindings
from webbench.tui.widgets.lines.component_style import component_style
from webbench.tui.widgets.lines.glyphs import Glyphs, glyphs_of
from webbench.tui.widgets.lines.line import Line, wrap


class RowList(ScrollView, can_focus=True):
    """Cursor, scrolling, hover, click and empty text; subclasses give `row_count` and `row_line`.

    `fixed_lines` rows at the top (column heads) do not scroll.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "row-list--row",
        "row-list--cursor",
        "row-list--cursor-blurred",
        "row-list--hover",
        "row-list--muted",
        "row-list--empty",
        "row-list--match",
    }

    DEFAULT_CSS = """
    RowList {
        height: 1fr;
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
        scrollbar-gutter: auto;
        background: $surface;
        color: $foreground;
        border: round $border-blurred;
        border-title-color: $foreground-muted;
        border-subtitle-color: $foreground-muted;
        & > .row-list--row { color: $foreground; }
        & > .row-list--cursor {
            color: $block-cursor-foreground; background: $block-cursor-background; text-style: bold;
        }
        & > .row-list--cursor-blurred { background: $block-cursor-blurred-background; }
        & > .row-list--hover { background: $block-hover-background; }
        & > .row-list--muted { color: $foreground-muted; }
        & > .row-list--empty { color: $foreground-muted; text-style: italic; }
        & > .row-list--match { color: $text-warning; text-style: bold underline; }
        &:focus { border: round $border; border-title-color: $foreground; border-title-style: bold; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("rows")]

    cursor: reactive[int] = reactive(0, repaint=False)
    hover_row: reactive[int] = reactive(-1, repaint=False)

    fixed_lines: int = 0
    empty_text: str = "Nothing here yet."

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._parts: dict[str, Style] = {}

    def on_mount(self) -> None:
        self.rows_changed()

    # What a subclass gives

    @property
    def row_count(self) -> int:
        raise NotImplementedError

    def row_line(self, row: int, width: int) -> Line:
        """The row's pieces, without the background of cursor or hover."""
        raise NotImplementedError

    def fixed_line(self, line: int, width: int) -> Strip:
        """A line that does not scroll; called for `line` below `fixed_lines`."""
        raise NotImplementedError(line, width)

    def row_focused(self, row: int) -> None:
        """The cursor came to rest on a row."""

    def row_activated(self, row: int) -> None:
        """Enter, or a double click."""

    # Looks

    @property
    def glyphs(self) -> Glyphs:
        return glyphs_of(self)

    def part(self, name: str) -> Style:
        """Style of a component class, see-through colours blended with the widget's background."""
        style = self._parts.get(name)
        if style is None:
            style = self._parts[name] = component_style(self, name)
        return style

    def notify_style_update(self) -> None:
        self._parts.clear()
        super().notify_style_update()

    # Rows

    def rows_changed(self) -> None:
        """The number or content of rows changed: keep the cursor inside and repaint."""
        if not self.is_attached:
            return
        self._resize(Size(1, self.row_count + self.fixed_lines))
        if self.row_count and not 0 <= self.cursor < self.row_count:
            self.cursor = self.validate_cursor(self.cursor)
        self.refresh()

    def _resize(self, size: Size) -> None:
        """What there is to scroll through; the whole screen is laid out anew only where that can matter."""
        if size == self.virtual_size:
            return
        if self.styles.auto_dimensions:
            self.virtual_size = size
        else:
            # Textual declares no type for it.
            self.set_reactive(RowList.virtual_size, size)  # pyright: ignore[reportArgumentType]
            self._scroll_update(size)

    def refresh_row(self, row: int) -> None:
        """Repaint one row if it is visible."""
        line = row - round(self.scroll_y) + self.fixed_lines
        if self.fixed_lines <= line < self.content_region.height:
            self.refresh(Region(0, line, self.content_region.width, 1))

    @property
    def page_height(self) -> int:
        return max(1, self.scrollable_content_region.height - self.fixed_lines)

    def scroll_to_row(self, row: int, *, centre: bool = False) -> None:
        """Bring a row into view with the least movement, or to the middle."""
        top, height = round(self.scroll_y), self.page_height
        if not self.scrollable_content_region.height:
            return
        if top <= row < top + height:
            return
        target = row - height // 2 if centre else row if row < top else row - height + 1
        self.scroll_to(y=max(0, target), animate=False, force=True, immediate=True)

    def row_at(self, y: int) -> int:
        """Row under a line of the content area, -1 for none."""
        row = y - self.fixed_lines + round(self.scroll_y)
        return row if y >= self.fixed_lines and row < self.row_count else -1

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        if y < self.fixed_lines:
            return self.fixed_line(y, width)
        row = y - self.fixed_lines + round(self.scroll_y)
        if row >= self.row_count:
            return self._empty_line(y, width)
        strip = self._selected(row, self._row_strip(row, width))
        # Where characters stand is asked for under the mouse only; told of every row, it costs each of them.
        return strip.apply_offsets(0, row) if self.hover_row >= 0 else strip

    def _row_strip(self, row: int, width: int) -> Strip:
        style = self.rich_style + self.part("row-list--row")
        line = self.row_line(row, width)
        if row == self.cursor:
            if self.has_focus:
                return line.strip(style, self.part("row-list--cursor"))
            return line.strip(style + self.part("row-list--cursor-blurred"))
        return line.strip(style + self.part("row-list--hover") if row == self.hover_row else style)

    def _empty_line(self, y: int, width: int) -> Strip:
        line = Line(width)
        told = wrap(self.empty_text, width - 2) if self.row_count == 0 else []
        if y - self.fixed_lines < len(told):
            line.add(" " + told[y - self.fixed_lines], self.part("row-list--empty"))
        return line.strip(self.rich_style)

    # Text that is selected with the mouse

    def row_text(self, row: int) -> str:
        """What is to be read in a row, as it is shown."""
        return self.row_line(row, self.scrollable_content_region.width).strip().text.rstrip()

    def quotable(self) -> str:
        """What the row under the cursor says, where nothing is selected."""
        return self.row_text(self.cursor)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        first = 0 if selection.start is None else max(0, selection.start.y)
        last = self.row_count - 1 if selection.end is None else min(selection.end.y, self.row_count - 1)
        lines = []
        for row in range(first, last + 1):
            text, span = self.row_text(row), selection.get_span(row)
            if span is not None:
                lines.append(text[span[0] :] if span[1] < 0 else text[span[0] : span[1]])
        return "\n".join(lines), "\n"

    def _selected(self, row: int, strip: Strip) -> Strip:
        """The strip with what is selected of it marked."""
        selection = self.text_selection
        span = selection.get_span(row) if selection is not None else None
        if span is None:
            return strip
        text = strip.text  # spans count characters, strips are cut by cells
        start = cell_len(text[: span[0]])
        end = strip.cell_length if span[1] < 0 else cell_len(text[: span[1]])
        if start >= end:
            return strip
        marked = strip.crop(start, end).apply_style(self.screen.get_component_rich_style("screen--selection"))
        return Strip.join([strip.crop(0, start), marked, strip.crop(end)])

    # Cursor

    def validate_cursor(self, cursor: int) -> int:
        return max(0, min(cursor, self.row_count - 1))

    def watch_cursor(self, old: int, new: int) -> None:
        if not self.is_mounted:
            return
        self.refresh_row(old)
        self.refresh_row(new)
        self.scroll_to_row(new)
        if self.row_count:
            self.row_focused(new)

    def watch_hover_row(self, old: int, new: int) -> None:
        self.refresh_row(old)
        self.refresh_row(new)

    def action_move(self, rows: int) -> None:
        self.cursor += rows

    def action_page(self, pages: int) -> None:
        self.cursor += pages * self.page_height

    def action_half_page(self, pages: int) -> None:
        self.cursor += pages * max(1, self.page_height // 2)

    def action_first(self) -> None:
        self.cursor = 0

    def action_last(self) -> None:
        self.cursor = self.row_count - 1

    def action_activate(self) -> None:
        if self.row_count:
            self.row_activated(self.cursor)

    # Mouse and focus

    def on_mouse_move(self, event: events.MouseMove) -> None:
        offset = event.get_content_offset(self)
        self.hover_row = -1 if offset is None else self.row_at(offset.y)

    def on_leave(self) -> None:
        self.hover_row = -1

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        row = -1 if offset is None else self.row_at(offset.y)
        if row < 0 or offset is None:
            return
        event.stop()
        if row != self.cursor:
            self.cursor = row
        self.row_clicked(row, offset.x)
        if event.chain == 2:
            self.row_activated(row)

    def row_clicked(self, row: int, column: int) -> None:
        """A click on a row at a column of the content area; the cursor is already there."""

    def on_focus(self) -> None:
        self.refresh_row(self.cursor)

    def on_blur(self) -> None:
        self.refresh_row(self.cursor)

    def on_resize(self) -> None:
        self.virtual_size = Size(1, self.row_count + self.fixed_lines)
        self.scroll_to_row(self.cursor)
