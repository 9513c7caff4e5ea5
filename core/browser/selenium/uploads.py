"""Files for a browser on another machine: WebDriver takes them there, one zip each."""

from __future__ import annotations

import asyncio
import base64
import io
import zipfile
from pathlib import Path

from webbench.core.browser.selenium.webdriver_session import WebDriverSession
from webbench.core.browser.selenium.websocket import Wire, WireSession
from webbench.core.errors import ActionFailed, EnvironmentDown
from webbench.core.json_types import JsonObject

FILLING = "DOM.setFileInputFiles"
DRAGGING = "Input.dispatchDragEvent"


class FarSession(WireSession):
    """A session that fields are filled and drags are made on with our files, wherever the browser runs."""

    def __init__(self, wire: Wire, id: str, webdriver: WebDriverSession) -> None:
        super().__init__(wire, id)
        self._webdriver = webdriver

    async def send(self, method: str, params: JsonObject | None = None) -> JsonObject:
        if method == FILLING and params is not None:
            params = await self._moved(params)
        elif method == DRAGGING and params is not None:
            params = {**params, "data": await self._moved(params["data"])}
        return await super().send(method, params)

    async def _moved(self, params: JsonObject) -> JsonObject:
        """The same with the files as they lie there."""
        return {**params, "files": [await self._taken_there(Path(name)) for name in params.get("files", ())]}

    async def _taken_there(self, file: Path) -> str:
        """The file's path on the browser's machine. Raises `ActionFailed`."""
        try:
            packed = await asyncio.to_thread(_packed, file)
            return await self._webdriver.upload(packed)
        except (OSError, EnvironmentDown) as error:
            raise ActionFailed(f"{file.name} could not be taken to the browser: {error}") from error


def _packed(file: Path) -> str:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(file, file.name)
    return base64.b64encode(memory.getvalue()).decode("ascii")
