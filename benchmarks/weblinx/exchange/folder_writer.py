"""Writing a demonstration's folder: replay, metadata, form, boxes, pages, screenshots."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path

import msgspec

from webbench.benchmarks.weblinx.demonstrations.demonstrations import REPLAY
from webbench.benchmarks.weblinx.demonstrations.form_json import FORM
from webbench.benchmarks.weblinx.pages.stamping import StampedPage
from webbench.benchmarks.weblinx.turns.state import BOXES, PAGES, SCREENSHOTS
from webbench.core.errors import UsageError
from webbench.core.exchange.atomic_output import appearing
from webbench.core.json_types import Json, JsonObject
from webbench.core.observation import Observation, Screenshot
from webbench.core.trajectory import Step

METADATA = "metadata.json"
_FEW_COLOURS = 32

Renames = Sequence[tuple[str, str]]


class ExportedState(msgspec.Struct, frozen=True):
    """The page of a step, written once however many turns start from it."""

    number: int
    page: StampedPage
    observation: Observation
    screenshot: Screenshot | None


class Exported(msgspec.Struct, frozen=True, kw_only=True):
    """A demonstration ready to be written.

    Attributes:
        left_out: what became no turn, in words.
        left_steps: every step that became no turn, with the reason; waits and notes are among them.
    """

    turns: Sequence[JsonObject]
    states: Sequence[ExportedState]
    metadata: JsonObject
    form: JsonObject
    left_out: Sequence[str]
    left_steps: Sequence[tuple[Step, str]] = ()


def write_demonstration(
    folder: Path, exported: Exported, *, renames: Renames = (), small_pictures: bool = False
) -> None:
    """All files or none: they are written beside the folder first.

    Raises `UsageError` for a folder that holds something, `EnvironmentDown` where nothing can be written.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is not empty", "name a folder that doesn't exist yet")
    with appearing(folder) as made:
        made.mkdir(mode=0o755)
        _write(made, exported, renames, small_pictures)


def _write(folder: Path, exported: Exported, renames: Renames, small_pictures: bool) -> None:
    replay = {"version": "1.0", "data": list(exported.turns)}
    for name, value in ((REPLAY, replay), (METADATA, exported.metadata), (FORM, exported.form)):
        (folder / name).write_text(_renamed(_json(value, indent=1), renames), "utf-8")
    for part in (PAGES, BOXES, SCREENSHOTS):
        (folder / part).mkdir()
    for state in exported.states:
        _write_state(folder, state, renames, small_pictures)


def _write_state(folder: Path, state: ExportedState, renames: Renames, small_pictures: bool) -> None:
    number = state.number
    if state.page.html:
        page = _renamed(state.page.html, renames)
        (folder / PAGES / f"page-{number}-0.html").write_text(page, "utf-8", errors="surrogatepass")
        boxes = _json(state.page.boxes, indent=None)
        (folder / BOXES / f"bboxes-{number}.json").write_text(boxes + "\n", "utf-8")
    if state.screenshot is not None:
        picture = _png(state.screenshot, small_pictures)
        (folder / SCREENSHOTS / f"screenshot-{number}-0.png").write_bytes(picture)


def _json(value: Json, *, indent: int | None) -> str:
    """ASCII, so that lone surrogates of pages survive."""
    return json.dumps(value, ensure_ascii=True, indent=indent)


def _renamed(text: str, renames: Renames) -> str:
    for old, new in renames:
        text = text.replace(old, new)
    return text


def _png(screenshot: Screenshot, small: bool) -> bytes:
    """As PNG, which is what the format has."""
    from PIL import Image

    if screenshot.format == "png" and not small:
        return screenshot.data
    with Image.open(io.BytesIO(screenshot.data), formats=("PNG", "JPEG", "WEBP")) as picture:
        shown = picture.convert("RGB")
        if small:
            half = shown.resize(
                (max(1, shown.width // 2), max(1, shown.height // 2)), Image.Resampling.LANCZOS
            )
            shown = half.quantize(_FEW_COLOURS, dither=Image.Dither.NONE)
        encoded = io.BytesIO()
        shown.save(encoded, "PNG", optimize=True)
        return encoded.getvalue()
