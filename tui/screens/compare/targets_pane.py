"""Targets pane: one picture with what the attempts and the reference acted on, each with a letter."""

from __future__ import annotations

from typing import Any, ClassVar

from rich.segment import Segment
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.strip import Strip

from webbench.core.agents.model.choices import letter
from webbench.core.analysis.recorded.shared_targets import REFERENCE, PageTarget, SharedTargets
from webbench.core.observation import Box
from webbench.core.text.plain_text import plain_text
from webbench.tui.pictures.detect import Graphics
from webbench.tui.widgets.lines.component_style import component_style
from webbench.tui.widgets.lines.glyphs import ASCII, glyphs_of
from webbench.tui.widgets.lines.line import splice
from webbench.tui.widgets.lists.text_rows import Entry, TextRows
from webbench.tui.widgets.picture.overlay import CellBox, outline_row
from webbench.tui.widgets.picture.screenshot import ScreenshotView

COLOURS = 4
"""How many there are; the letter tells who it is from the fifth on."""


class TargetsPicture(ScreenshotView):
    """A picture with several boxes, each in a colour and with a letter of its own at a corner of its own."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *(f"targets-picture--box-{at}" for at in range(COLOURS)),
        *(f"targets-picture--sign-{at}" for at in range(COLOURS)),
    }

    DEFAULT_CSS = """
    TargetsPicture {
        & > .targets-picture--box-0 { color: #2f7bff; text-style: bold; }
        & > .targets-picture--box-1 { color: #e0314b; text-style: bold; }
        & > .targets-picture--box-2 { color: #ff8c1a; text-style: bold; }
        & > .targets-picture--box-3 { color: #a24bd6; text-style: bold; }
        & > .targets-picture--sign-0 { color: #ffffff; background: #0057d9; text-style: bold; }
        & > .targets-picture--sign-1 { color: #ffffff; background: #c8102e; text-style: bold; }
        & > .targets-picture--sign-2 { color: #000000; background: #ff8c1a; text-style: bold; }
        & > .targets-picture--sign-3 { color: #ffffff; background: #6a1b9a; text-style: bold; }
    }
    """

    def __init__(self, *values: Any, **names: Any) -> None:
        super().__init__(*values, **names)
        self._targets: tuple[PageTarget, ...] = ()
        self.set_reactive(ScreenshotView.marks, False)
        self._follows = False  # all of the picture at first: targets lie far apart

    @property
    def targets(self) -> tuple[PageTarget, ...]:
        return self._targets

    @targets.setter
    def targets(self, targets: tuple[PageTarget, ...]) -> None:
        self._targets = targets
        self._follow()
        self.refresh()

    def centre_box(self) -> Box | None:
        """What is never left out of the part that is shown: the first target."""
        return super().centre_box() or (self._targets[0].box if self._targets else None)

    def _overlay(self, strip: Strip, y: int, width: int) -> Strip:
        strip, drawing = super()._overlay(strip, y, width), self._drawing
        if drawing is None:
            return strip
        signs: list[tuple[int, str, int]] = []
        taken: dict[tuple[int, int], int] = {}
        for at, target in enumerate(self._targets):
            cells = CellBox.around(target.box, self.viewfinder)
            below, beyond = cells.top >= self.content_region.height, cells.left >= width
            if below or beyond or cells.bottom <= 0 or cells.right <= 0:
                continue
            corner = (max(0, cells.top - 1), max(0, cells.left - 1))
            beside = taken.get(corner, 0)
            taken[corner] = beside + 1
            if y == min(corner[0], max(0, self.content_region.height - 1)):
                signs.append((corner[1] + 3 * beside, f" {letter(at)} ", at))
            if y not in cells.rows():
                continue
            strip = outline_row(
                strip,
                y,
                cells,
                component_style(self, f"targets-picture--box-{at % COLOURS}"),
                width,
                drawing.half_blocks,
                drawing.margin[0],
                ascii_only=glyphs_of(self) is ASCII,
            )
        for column, sign, at in signs:
            style = component_style(self, f"targets-picture--sign-{at % COLOURS}")
            strip = splice(strip, max(0, min(column, width - len(sign))), [Segment(sign, style)], width)
        return strip


class TargetsPane(Container):
    """The picture, and beside it who each letter is and whose target isn't on it."""

    DEFAULT_CSS = """
    TargetsPane {
        layout: horizontal;
        height: 1fr;
        & > TargetsPicture { width: 3fr; }
        & > TextRows { width: 2fr; }
    }
    """

    def __init__(self, graphics: Graphics, **names: Any) -> None:
        super().__init__(**names)
        self._picture = TargetsPicture(graphics, id="targets-picture")
        self._legend = TextRows(id="targets-legend")

    def compose(self) -> ComposeResult:
        yield self._picture
        yield self._legend

    def on_mount(self) -> None:
        self._legend.border_title = Content("Targets")
        self._legend.empty_text = "Nobody acts in this row."
        self._picture.clear("Reading…")

    def focus_panel(self) -> None:
        self._legend.focus()

    def show(self, found: SharedTargets) -> None:
        """Show a row's targets on one page."""
        shot = found.picture
        self._picture.observation = found.seen
        self._picture.targets = found.targets
        if shot is None:
            self._picture.clear("No page with a picture was recorded for this row.")
        else:
            self._picture.show(shot.data, scale=shot.scale, full_page=shot.full_page, origin=shot.origin)
            self._picture.border_title = Content(f"Page of {plain_text(found.of, limit=60)}")
        entries = [
            Entry(f"{letter(at)}  {plain_text(one.name, limit=60)}", _target_line(one), "strong")
            for at, one in enumerate(found.targets)
        ]
        left = [
            Entry(plain_text(name, limit=60), f"not on the picture: {why}") for name, why in found.left_out
        ]
        self._legend.entries = [*entries, *left]


def _target_line(one: PageTarget) -> str:
    box = one.box
    place = f"{box.width:.0f} x {box.height:.0f} at {box.x:.0f}, {box.y:.0f}"
    done = "what was done in the demonstration" if one.name == REFERENCE and not one.words else one.words
    return f"{done} ({place})"
