"""The small protocols that browser drivers speak to the observation and acting code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from webbench.core.json_types import JsonObject


class CdpSession(Protocol):
    """A Chrome DevTools Protocol session of one target (a page, or a cross-process iframe)."""

    async def send(self, method: str, params: JsonObject | None = None) -> JsonObject:
        """One command. Raises `ActionFailed` with the protocol's message, or `EnvironmentDown`."""

    def on(self, event: str, handler: Callable[[JsonObject], None]) -> None: ...


class FrameTarget(Protocol):
    """A cross-process iframe: its own session, and the id of the frame that holds it."""

    session: CdpSession
    frame_id: str
    url: str


class PageTarget(Protocol):
    """A tab as the observation code needs it: its main session and its cross-process frames.

    `Accessibility.enable` and `Runtime.enable` have been sent on every session given out.
    """

    session: CdpSession

    async def frames(self) -> Sequence[FrameTarget]:
        """The cross-process frames that exist now, parents before children."""
