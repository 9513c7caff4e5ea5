"""Real mouse and keyboard for a browser: the display it runs on, and the hand that works there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from importlib.metadata import version
from pathlib import Path

import msgspec

from webbench.core.browser.desktop.calibration import Known
from webbench.core.browser.desktop.display import Display, Xvfb, existing, taken
from webbench.core.browser.desktop.hand import Hand
from webbench.core.browser.desktop.os_input import DesktopInput
from webbench.core.browser.driver import CdpSession, DriverPage
from webbench.core.browser.starting.browser_options import SCREEN, LaunchOptions
from webbench.core.browser.starting.keeper import Keeper
from webbench.core.errors import EnvironmentDown
from webbench.core.observation import Viewport
from webbench.core.time_limit import time_limit

FIT_SECONDS = 10.0
ENDPOINT_HINT = "leave browser.endpoint empty, or use --input browser"

SWITCHES = (
    "--ozone-platform=x11",
    "--window-position=8,8",
    "--hide-scrollbars",
    "--disable-smooth-scrolling",
    "--deny-permission-prompts",
    "--no-first-run",
)
"""For a window on a display. Scroll bars take no room in headless browsers, so here neither."""


class Desktop:
    """One display with one hand on it, for one browser and one actor: there is one pointer only.

    Attributes:
        display: where the browser is to be started.
        hand: its mouse and keyboard.
        pids: processes that run for it; the display itself is the last, where it is private.
    """

    def __init__(self, display: Display, hand: Hand, pids: Sequence[int], stack: AsyncExitStack) -> None:
        self.display = display
        self.hand = hand
        self.pids = pids
        self._known = Known()
        self._stack = stack

    @classmethod
    async def for_browser(cls, options: LaunchOptions) -> Desktop:
        """As the options ask; ended with us whatever happens. Raises `EnvironmentDown`, `OSError`."""
        if options.endpoint:
            raise EnvironmentDown("a browser that runs elsewhere has no display here", ENDPOINT_HINT)
        async with AsyncExitStack() as stack:
            keeper = await Keeper.start()
            stack.push_async_callback(keeper.close)
            desktop = await cls.open(options.display, keeper.folder, options.screen, keeper.watch)
            desktop._stack.push_async_callback(stack.pop_all().aclose)
            return desktop

    @classmethod
    async def open(
        cls,
        name: str,
        folder: Path,
        size: tuple[int, int] = SCREEN,
        watch: Callable[[int], None] = lambda _pid: None,
    ) -> Desktop:
        """On the display of that name, or a private one for "".

        Args:
            folder: private to us; what the display needs is put there.
            size: of a private display, in pixels.
            watch: told of the processes that are started.

        Raises `EnvironmentDown` with one clear line.
        """
        pids: list[int] = []
        async with AsyncExitStack() as stack:
            if name:
                display = existing(name, folder)
                stack.enter_context(taken(display))
            else:
                server = Xvfb(folder, *size)
                stack.push_async_callback(server.close)
                display = await server.start()
                watch(server.pid)
                pids.append(server.pid)
            hand = await Hand.start(display)
            stack.push_async_callback(hand.close)
            watch(hand.pid)
            return cls(display, hand, [hand.pid, *pids], stack.pop_all())

    @property
    def alive(self) -> bool:
        """Whether there is a hand on it still."""
        return self.hand.alive

    def dressed(self, options: LaunchOptions) -> LaunchOptions:
        """The options for a browser in a window on this display."""
        return msgspec.structs.replace(
            options,
            headless=False,
            extra_args=(*SWITCHES, *options.extra_args),
            variables={**options.variables, **self.display.variables},
        )

    def versions(self) -> dict[str, str]:
        """Of the software that acts, for the record."""
        return {"pyautogui": version("PyAutoGUI")}

    def input(self, session: CdpSession) -> DesktopInput:
        """Mouse and keyboard on a tab."""
        return DesktopInput(session, self.hand, self._known)

    async def sit_down(self, page: DriverPage, viewport: Viewport) -> None:
        """Give a tab this mouse and keyboard, and its window the size. Raises `EnvironmentDown`."""
        device = self.input(page.session)
        try:
            async with time_limit(FIT_SECONDS):
                await device.fit(viewport)
        except TimeoutError as error:
            raise EnvironmentDown("the tab's window does not answer") from error
        page.input = device

    async def close(self) -> None:
        """Idempotent, takes bounded time."""
        await self._stack.aclose()
