"""Real mouse and keyboard for a browser: the display it runs on, and the hand that works there."""

from __future__ import annotations

from pathlib import Path

from webbench.core.browser.desktop_display import Display, Xvfb, existing
from webbench.core.browser.desktop_input import DesktopInput
from webbench.core.browser.desktop_link import Hand
from webbench.core.browser.driver import CdpSession

SCREEN = (1920, 1200)
"""Pixels of a private display that nothing larger is asked of; every picture of it is taken whole."""

BARS = (120, 280)
"""Pixels that a display has beyond the page: the browser's own bars, and room for its window's place."""

SWITCHES = (
    "--ozone-platform=x11",
    "--window-position=8,8",
    "--hide-scrollbars",
    "--deny-permission-prompts",
    "--no-first-run",
)
"""For a window on a display. Scroll bars take no room in headless browsers, so here neither."""


def screen_for(width: int, height: int) -> tuple[int, int]:
    """Size of a private display for pages of this size (CSS px)."""
    return max(SCREEN[0], width + BARS[0]), max(SCREEN[1], height + BARS[1])


class Desktop:
    """One display with one hand on it, for one browser and one actor: there is one pointer only.

    Attributes:
        display: where the browser is to be started.
        pids: processes that must not outlive us.
    """

    def __init__(self, display: Display, hand: Hand, server: Xvfb | None) -> None:
        self.display = display
        self.hand = hand
        self._server = server

    @classmethod
    async def open(cls, name: str, folder: Path, size: tuple[int, int] = SCREEN) -> Desktop:
        """On the display of that name, or a private one for "".

        Args:
            folder: private to us; what the display needs is put there.

        Raises `EnvironmentDown` with one clear line.
        """
        server = None if name else Xvfb(folder, *size)
        try:
            display = await server.start() if server else existing(name, folder)
            return cls(display, await Hand.start(display), server)
        except BaseException:
            if server is not None:
                await server.close()
            raise

    @property
    def pids(self) -> tuple[int, ...]:
        server = self._server.pid if self._server else None
        return (self.hand.pid, server) if server is not None else (self.hand.pid,)

    @property
    def alive(self) -> bool:
        return self.hand.alive

    def input(self, session: CdpSession) -> DesktopInput:
        """Mouse and keyboard on a tab."""
        return DesktopInput(session, self.hand)

    async def close(self) -> None:
        """Idempotent, takes bounded time."""
        await self.hand.close()
        if self._server is not None:
            await self._server.close()
