"""What the environment needs of a browser driver, as protocols; Playwright's is in `playwright/`.

A driver owes what has no common language: contexts and tabs with their lives, DevTools sessions,
dialogs, downloads, requests, and mouse and keyboard. All else is said over `CdpSession` by code that
every driver shares (navigation and history, settling, reading, evaluating, scoring pages, redirects).

Rules for all of them:

- Methods raise `ActionFailed` (it had no effect, the page goes on) and `EnvironmentDown` (page, context or
  browser is gone, or does not answer), never an error of the library behind them. They may be cancelled.
- Handlers (`on_…`) are plain functions, any number per event, called within the running event loop in
  the order of events. They don't raise.
- Pages and dialogs are compared by identity: the same tab is the same object wherever it turns up.
- Properties are what the driver knows already. They never ask the browser, which may hang.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

import msgspec

from webbench.core.browser.acting.input_device import InputDevice
from webbench.core.errors import ActionFailed
from webbench.core.json_types import JsonObject
from webbench.core.observation import Viewport

if TYPE_CHECKING:
    from webbench.core.environment import NetworkAnswer, NetworkRequest

FRAME_SECONDS = 2.0
"""Until a cross-process frame answers that is looked at for the first time. One that doesn't is passed over,
and taken up when it does."""

ACCURACY = 100.0
"""Metres, of a position that pages are told."""

TERMINATED = "Execution was terminated"
"""Chromium's words for a script that was stopped from outside."""

DialogKind = Literal["alert", "confirm", "prompt", "beforeunload"]

PERCEIVED = ("Page.enable", "Runtime.enable", "Accessibility.enable")
"""What is sent on the session of a page, or frame, that is to be observed: without the last, every read
would build its accessibility tree anew."""

SCORED = ("Page.enable", "Runtime.enable")
"""What is sent on the session of a page that only scripts look into."""


def without_effect(method: str, reason: str) -> ActionFailed:
    """What it means that the browser refused a command.

    The order to stop a page's script may come late, and stop our question instead.
    """
    if TERMINATED in reason:
        return ActionFailed("the page's script was stopped meanwhile", "observe again")
    return ActionFailed(f"{method}: {reason}")


class CdpSession(Protocol):
    """A Chrome DevTools Protocol session of one target (a page, or a cross-process iframe)."""

    async def send(self, method: str, params: JsonObject | None = None) -> JsonObject:
        """One command. Raises `ActionFailed` with the protocol's message, or `EnvironmentDown`."""
        ...

    def on(self, event: str, handler: Callable[[JsonObject], None]) -> None: ...


class SheetTexts(Protocol):
    """What the style sheets of a document say, those of other hosts too, which no script may read."""

    async def texts(self, addresses: Sequence[str]) -> list[str] | None:
        """Of all sheets, imported ones too; None unless those at these addresses are among them."""
        ...


class FrameTarget(Protocol):
    """A frame that is reached apart from the one that holds it: its session, its id, and its style sheets.

    `sheets` is None where they were not followed from their beginning.
    """

    session: CdpSession
    frame_id: str
    sheets: SheetTexts | None


class PageTarget(Protocol):
    """A tab as the observation code needs it: its main session and its cross-process frames.

    `PERCEIVED` has been sent on every session given out.
    """

    session: CdpSession

    async def frames(self) -> Sequence[FrameTarget]:
        """The cross-process frames that exist now and answer, parents before children."""
        ...


class DriverPage(PageTarget, Protocol):
    """One tab.

    Attributes:
        session, frame_id: there once `attach` is through. The session is nobody else's: what is enabled on
            it, `Fetch` for one, does not meddle with what the driver does by itself. It outlives
            navigations, cross-process ones too, and opens before anything that could hang the page.
        frame_id: id of the main frame, which Chromium also uses as the id of the tab's target.
        input: mouse and keyboard on this tab.
    """

    frame_id: str
    input: InputDevice

    @property
    def url(self) -> str: ...

    @property
    def closed(self) -> bool: ...

    async def attach(self, commands: Sequence[str] = PERCEIVED) -> None:
        """Open `session` and send these. Raises `EnvironmentDown` if the tab is gone already."""
        ...

    async def opener(self) -> DriverPage | None:
        """The tab whose page opened this one."""
        ...

    async def close(self) -> None:
        """Close it without asking its page."""
        ...

    def on_close(self, handler: Callable[[], None]) -> None: ...

    def on_crash(self, handler: Callable[[], None]) -> None:
        """Its renderer died; the tab is still there."""
        ...

    def on_download(self, handler: Callable[[DriverDownload], None]) -> None: ...


class DriverDialog(Protocol):
    """A dialog by which a page stands still; nobody answers it unasked."""

    @property
    def kind(self) -> DialogKind: ...

    @property
    def message(self) -> str: ...

    @property
    def default(self) -> str:
        """The text that a prompt offers, else ""."""
        ...

    @property
    def page(self) -> DriverPage | None: ...

    async def accept(self, text: str | None = None) -> None:
        """Press OK; `text` goes into a prompt (None leaves what it offers)."""
        ...

    async def dismiss(self) -> None: ...


class DriverDownload(Protocol):
    """A file that a page gave instead of a document."""

    @property
    def name(self) -> str:
        """The name that the site gave it: foreign text, no path."""
        ...

    @property
    def url(self) -> str: ...

    async def save(self, place: Path) -> None:
        """Wait until it is complete and write it here. Raises `ActionFailed` where it broke off."""
        ...

    async def cancel(self) -> None: ...


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """What was sent and what came back; names of headers are lower case.

    Attributes:
        sent_headers: as they left the browser, with cookies.
        cookies: the answer's `set-cookie` headers, each as it came.
    """

    status: int
    headers: dict[str, str]
    sent_headers: dict[str, str]
    sent: bytes = b""
    cookies: tuple[str, ...] = ()


class DriverRequest(Protocol):
    """A request of a context. Each hop of a redirect is a request of its own."""

    @property
    def url(self) -> str: ...

    @property
    def method(self) -> str: ...

    @property
    def resource_type(self) -> str:
        """As `NetworkRequest` names it: document, script, stylesheet, image, font, xhr, fetch, ..."""
        ...

    @property
    def page(self) -> DriverPage | None:
        """The tab that asked; None for a worker."""
        ...

    async def answered(self) -> Answered | None:
        """Once it is finished; None where nothing came."""
        ...

    async def text(self) -> str:
        """The answer's body. Raises `ActionFailed` where it is no text or is not kept any more."""
        ...


class ContextOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How a fresh context is prepared.

    Attributes:
        viewport: exactly this size, whatever the window.
        windowed: no size is emulated; the pages are as large as their windows, which others see to.
        locale: as in `navigator.language`.
        timezone: IANA name, "" = the browser's own.
        position: degrees north and east that geolocation tells every page; None = pages that ask are refused.
        storage_state: logins in Playwright's form: {"cookies": [{name, value, domain, path, expires,
            httpOnly, secure, sameSite}], "origins": [{origin, localStorage: [{name, value}]}]}.
        init_script: run in every new document of every tab and frame, before the page's own.
        only_hosts: as `EnvironmentSetup` has them; nothing of the context gets anywhere else.
        joins: the context that is there, in a browser that is used for nothing else; what is said of a fresh
            one doesn't bear on it.
    """

    joins: bool = False
    viewport: Viewport = Viewport()
    windowed: bool = False
    locale: str = "en-US"
    timezone: str = ""
    position: tuple[float, float] | None = None
    storage_state: JsonObject | None = None
    init_script: str = ""
    only_hosts: tuple[str, ...] | None = None


class DriverContext(Protocol):
    """Tabs that share cookies with each other and with nobody else.

    Attributes:
        session: of the browser that holds it, which never waits for a page.
    """

    session: CdpSession

    @property
    def connected(self) -> bool:
        """Whether the browser that holds it still runs and answers us."""
        ...

    def on_page(self, handler: Callable[[DriverPage], None]) -> None:
        """Told of every tab that opens, also of those of `new_page` (before that returns)."""
        ...

    def on_dialog(self, handler: Callable[[DriverDialog], None]) -> None:
        """Told of every dialog, of tabs not attached as well."""
        ...

    def on_request(self, handler: Callable[[DriverRequest], None]) -> None:
        """Told of every request as it begins; the same object is given to `on_finished`."""
        ...

    def on_finished(self, handler: Callable[[DriverRequest], None]) -> None:
        """Told of every request that was answered to the end."""
        ...

    async def guard(
        self, asked_about: re.Pattern[str], decide: Callable[[NetworkRequest], Awaitable[NetworkAnswer]]
    ) -> None:
        """Let requests begin only as `decide` says, for every URL that matches, from the first of a tab on.

        Redirects are not asked about here: `Gate` sees them on the sessions of attached tabs. `decide`
        never raises. An aborted document leaves its tab as it was.
        """
        ...

    @property
    def pages(self) -> Sequence[DriverPage]:
        """The tabs that are open, in the order in which they came."""
        ...

    async def new_page(self) -> DriverPage: ...

    async def storage_state(self) -> JsonObject:
        """Cookies, and the local storage of the origins that are open, as `ContextOptions` has them."""
        ...

    async def close(self) -> None: ...


class DriverBrowser(Protocol):
    """A browser that runs; made by `start` of a driver's module.

    Attributes:
        version: its product and version, e.g. "Chrome/156.0.7000.1".
        versions: of the software between us and it, for the record: {"playwright": "1.65.2"}.
        pid: its process id where we started it, else None.
    """

    version: str
    versions: Mapping[str, str]
    pid: int | None

    @property
    def connected(self) -> bool:
        """Whether it still runs and answers us."""
        ...

    async def context(self, options: ContextOptions) -> DriverContext:
        """A fresh one, or the one that is there (`joins`). Raises `EnvironmentDown`."""
        ...

    async def close(self) -> None:
        """End it with all that was started for it; never raises, takes bounded time."""
        ...
