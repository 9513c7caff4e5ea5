"""A dialog that a page shows, over DevTools."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from webbench.core.browser.driver import DialogKind, DriverPage
from webbench.core.json_types import JsonObject

if TYPE_CHECKING:
    from webbench.core.browser.selenium.page import SeleniumPage


class SeleniumDialog:
    """A `DriverDialog`: `Page.javascriptDialogOpening` of the driver's own session."""

    def __init__(self, page: SeleniumPage, event: JsonObject) -> None:
        self.page: DriverPage | None = page
        self._session = page.own
        self.kind: DialogKind = cast("DialogKind", event["type"])
        self.message: str = event["message"]
        self.default: str = event.get("defaultPrompt", "")

    async def accept(self, text: str | None = None) -> None:
        answer: JsonObject = {"accept": True}
        if self.kind == "prompt":
            answer["promptText"] = self.default if text is None else text
        await self._session.send("Page.handleJavaScriptDialog", answer)

    async def dismiss(self) -> None:
        await self._session.send("Page.handleJavaScriptDialog", {"accept": False})
