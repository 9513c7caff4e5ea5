"""Writing a demonstration's folder: replay, metadata, form, boxes, pages, screenshots."""

from __future__ import annotations

import io
import json
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from webbench.benchmarks.weblinx.about import FORM
from webbench.benchmarks.weblinx.demonstrations import REPLAY
from webbench.benchmarks.weblinx.state import BOXES, PAGES, SCREENSHOTS
from webbench.core.errors import EnvironmentDown, UsageError
from webbench.core.json_types import Json
from webbench.core.observation import Screenshot

if TYPE_CHECKING:
    from webbench.benchmarks.weblinx.export import Exported, ExportedState

METADATA = "metadata.json"
_FEW_COLOURS = 32

Renames = Sequence[tuple[str, str]]


def write_demonstration(
    folder: Path, exported: Exported, *, renames: Renames = (), small_pictures: bool = False
) -> None:
    """All files or none: they are written beside the folder first.

    Raises `UsageError` for a folder that holds something, `EnvironmentDown` where nothing can be written.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is not empty", "name a folder that doesn't exist yet")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        try:
            _write(made, exported, renames, small_pictures)
            made.chmod(0o755)
            made.replace(folder)
        finally:
            shutil.rmtree(made, ignore_errors=True)
    except OSError as error:
        raise EnvironmentDown(
            f"the demonstration could not be written to {folder}: {error.strerror or error}",
            "choose another folder",
        ) from error


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
