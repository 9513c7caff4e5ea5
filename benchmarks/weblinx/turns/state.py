"""What was on the screen when a turn was recorded: files and figures beside its action.

In a replay.json a browser turn has `state` {"screenshot", "page"}, names of files in `screenshots/` and
`pages/` or null, and `action.arguments.metadata` {"url", "tabId", "viewportWidth", "viewportHeight", ...},
where -1 means that there was none. Boxes of the page `page-<n>-<m>.html` are in `bboxes/bboxes-<n>.json`.
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import TypeGuard

import msgspec

from webbench.core.json_types import Json, JsonObject
from webbench.core.observation import Viewport

PAGES, BOXES, SCREENSHOTS = "pages", "bboxes", "screenshots"

_PAGE_NUMBER = re.compile(r"\d+")
_LARGEST_SIDE = 100_000


class RecordedState(msgspec.Struct, frozen=True, kw_only=True):
    """Where a turn's page is kept, and what is told about it.

    Attributes:
        page, boxes, screenshot: existing files, None where the turn has none.
        markup: HTML in place of a page, made of what else is known of the page's elements.
        tab: the browser's number of the tab, None where the turn is in none.
        viewport: in CSS pixels; None where nothing tells.
        mouse: where the mouse was, in the viewport's pixels; None where nothing tells.
        seconds: since the recording began.
    """

    page: Path | None = None
    boxes: Path | None = None
    screenshot: Path | None = None
    markup: str = ""
    url: str = ""
    tab: int | None = None
    viewport: Viewport | None = None
    mouse: tuple[float, float] | None = None
    seconds: float | None = None

    @property
    def shows(self) -> bool:
        """Whether there is anything to look at."""
        return self.page is not None or self.screenshot is not None or bool(self.markup)


def no_state() -> RecordedState:
    return RecordedState()


def state_of(turn: JsonObject, folder: Path) -> RecordedState:
    """The state of a turn of a replay.json that lies in `folder`; what isn't as it should be is left out."""
    state = _object(turn.get("state"))
    metadata = _object(_object(_object(turn.get("action")).get("arguments")).get("metadata"))
    page = page_file(folder, state.get("page"))
    x, y = metadata.get("mouseX"), metadata.get("mouseY")
    url, tab, seconds = metadata.get("url"), metadata.get("tabId"), turn.get("timestamp")
    return RecordedState(
        page=page,
        boxes=boxes_file(page) if page else None,
        screenshot=file_in(folder / SCREENSHOTS, state.get("screenshot")),
        url=url if isinstance(url, str) else "",
        tab=tab if isinstance(tab, int) and tab >= 0 else None,
        viewport=_viewport(metadata.get("viewportWidth"), metadata.get("viewportHeight")),
        mouse=(x, y) if _is_number(x) and _is_number(y) else None,
        seconds=seconds if _is_number(seconds) else None,
    )


def page_file(folder: Path, name: Json) -> Path | None:
    return file_in(folder / PAGES, name)


def boxes_file(page: Path) -> Path | None:
    """The boxes that belong to a page's file."""
    return file_in(page.parent.parent / BOXES, boxes_name(page.name))


def boxes_name(page: str) -> str:
    """What the file of boxes is called that belongs to a page."""
    number = _PAGE_NUMBER.search(page)
    return f"bboxes-{number[0] if number else ''}.json"


def file_in(folder: Path, name: Json) -> Path | None:
    """The file of this name in the folder, None where it isn't there; never one elsewhere."""
    if not isinstance(name, str) or not name or "\0" in name or Path(name).name != name:
        return None
    path = folder / name
    try:
        return path if path.is_file() else None
    except OSError:
        return None


def _viewport(width: Json, height: Json) -> Viewport | None:
    for side in (width, height):
        if not _is_number(side) or not 0 < side <= _LARGEST_SIDE:
            return None
    return Viewport(width=round(width), height=round(height))


def _is_number(value: Json) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}
