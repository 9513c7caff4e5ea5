"""Giving files to a page: to a file field, through the dialog that a click opens, or as a drop.

A field is filled as it is, seen or not. Anything else is clicked, as a person would: the field behind the
dialog that opens gets the files. Where none opens, they go to the field inside the element, and where there
is none they are dropped on it, if the page lets them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from webbench.core.browser.acting.clicking import click_element
from webbench.core.browser.acting.file_dialog import FileDialogs
from webbench.core.browser.acting.input_device import InputDevice
from webbench.core.browser.elements.elements import Element, Elements, Facts
from webbench.core.errors import ActionFailed
from webbench.core.json_types import JsonObject

COPY = 1
"""The DevTools protocol's bit for a drag that copies."""

BUTTONS = frozenset({"button", "submit", "image", "reset"})
WHERE = "name a file field, or the button or the area that takes files"


class GivingFiles:
    """Uploads of one action.

    Args:
        folder: the only one that files may be taken from.
    """

    def __init__(
        self, elements: Elements, device: InputDevice, dialogs: FileDialogs, folder: Path | None
    ) -> None:
        self._elements = elements
        self._device = device
        self._dialogs = dialogs
        self._folder = folder

    async def to_element(
        self, element: Element, facts: Facts, point: tuple[float, float] | None, names: Sequence[str]
    ) -> str:
        """Give them; returns by which way where it is no file field.

        Args:
            point: where the element can be clicked; None for a file field, which needs none.

        Raises `ActionFailed`.
        """
        files = self.allowed(names)
        if is_file_field(facts):
            _require_few(element.label, files, facts.multiple)
            await self._fill(element, files)
            return ""
        assert point is not None
        if not _holds_text(facts):
            dialog = await self._dialogs.opened_by(
                click_element(self._elements, self._device, element, point)
            )
            if dialog is not None and dialog.backend_node_id is not None:
                _require_few(element.label, files, dialog.several)
                await dialog.choose(files)
                return "by the file dialog that it opens"
            inside = await self._elements.call(element, "fileFieldIn")
            if inside["found"]:
                _require_few(element.label, files, inside["several"])
                await self._fill(await self._elements.taken(element.frame), files)
                return "to the file field in it"
        if not await self._dropped(element, point, files):
            clicked = "" if _holds_text(facts) else "was clicked, and opens no file dialog, and "
            raise ActionFailed(
                f"{element.label} takes no files: it {clicked}takes nothing that is dropped on it", WHERE
            )
        return "as a drop"

    async def to_dialog_at(self, x: float, y: float, names: Sequence[str]) -> None:
        """Click at a point, and give them to the dialog that this opens. Raises `ActionFailed`."""
        files = self.allowed(names)
        where = f"what is at ({x:g}, {y:g})"
        dialog = await self._dialogs.opened_by(self._device.click(x, y, "left", 1))
        if dialog is None:
            raise ActionFailed(
                f"{where} was clicked and opened no file dialog", "click where files are chosen"
            )
        _require_few(where, files, dialog.several)
        await dialog.choose(files)

    def allowed(self, names: Sequence[str]) -> list[str]:
        """Paths of files inside the folder. Raises `ActionFailed`."""
        return [str(self._allowed(name)) for name in names]

    def _allowed(self, name: str) -> Path:
        if self._folder is None:
            raise ActionFailed("this task has no folder for uploads", "the setting uploads names one")
        folder = self._folder.resolve()
        path = (folder / name).resolve()
        if not path.is_relative_to(folder):
            raise ActionFailed(f"{name!r} lies outside the folder for uploads", "name a file inside it")
        if not path.is_file():
            there = ", ".join(sorted(entry.name for entry in folder.glob("*"))[:10]) or "nothing"
            raise ActionFailed(f"there is no file {name!r} to upload", f"the folder holds {there}")
        return path

    async def _fill(self, field: Element, files: list[str]) -> None:
        filling: JsonObject = {"files": list(files), "objectId": field.object_id}
        await field.session.send("DOM.setFileInputFiles", filling)

    async def _dropped(self, element: Element, point: tuple[float, float], files: list[str]) -> bool:
        """Drag them there, and let go of them where the page would take them; whether it did.

        A page that takes no drag would be left: the browser opens a file that is let go of over it.
        """
        await self._elements.call(element, "heedDrag")
        await self._drag("dragEnter", point, files)
        await self._drag("dragOver", point, files)
        if not await self._elements.evaluate("tookDrag", "dragover", frame=element.frame):
            await self._drag("dragCancel", point, files)
            return False
        await self._drag("drop", point, files)
        return bool(await self._elements.evaluate("tookDrag", "drop", frame=element.frame))

    async def _drag(self, kind: str, point: tuple[float, float], files: list[str]) -> None:
        carried: JsonObject = {"items": [], "files": list(files), "dragOperationsMask": COPY}
        event: JsonObject = {"type": kind, "x": point[0], "y": point[1], "data": carried}
        await self._elements.page.session.send("Input.dispatchDragEvent", event)


def is_file_field(facts: Facts) -> bool:
    return facts.tag == "input" and facts.type == "file"


def _holds_text(facts: Facts) -> bool:
    """It opens nothing when it is clicked; it may still be a place to drop files on."""
    return (
        facts.editable
        or facts.tag in ("select", "textarea")
        or (facts.tag == "input" and facts.type not in BUTTONS)
    )


def _require_few(where: str, files: Sequence[str], several: bool) -> None:
    if len(files) > 1 and not several:
        raise ActionFailed(f"{where} takes one file, not {len(files)}")
