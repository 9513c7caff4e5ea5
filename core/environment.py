"""The contract between an episode and the world it acts on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

import msgspec

from webbench.core.action.action import Action
from webbench.core.json_types import Json, JsonObject
from webbench.core.observation import (
    Observation,
    ObservationOptions,
    Screenshot,
    ScreenshotOptions,
    Viewport,
    Visitor,
)

DOCUMENT = "document"
"""The resource type of what a tab or frame shows."""

WEB_SOCKET = "websocket"
"""The resource type of a connection that a filter is told of; its answer doesn't bear on it."""


class NetworkRequest(msgspec.Struct, frozen=True):
    """A request the page is about to make."""

    url: str
    method: str
    resource_type: str
    """Playwright's names: document, script, stylesheet, image, font, xhr, fetch, ..."""


class NetworkAnswer(msgspec.Struct, frozen=True):
    """What to do with it: answer it here, fail it at once, or let it go out.

    A document that is aborted leaves the tab as it was; `reason` tells the actor why.
    """

    decision: Literal["fulfil", "abort", "continue"]
    status: int = 200
    content_type: str = "text/plain"
    body: bytes = b""
    reason: str = ""

    @property
    def headers(self) -> dict[str, str]:
        return {"content-type": self.content_type, "access-control-allow-origin": "*"}


UNSEEN_KINDS = frozenset({"image", "font", "stylesheet", "script", "media", "manifest"})
"""Resource types that no record of exchanges holds."""

CREDENTIALS = frozenset(
    {
        *("cookie", "authorization", "proxy-authorization"),
        *("private-token", "x-api-key", "x-csrf-token", "x-xsrf-token"),
    }
)
"""Headers that no record of an exchange holds."""


class Body(msgspec.Struct, frozen=True):
    """What a request sent, or an answer brought, as text."""

    kind: str = ""
    """Its media type, with parameters."""
    text: str = ""


class Exchange(msgspec.Struct, frozen=True, kw_only=True):
    """A request and its answer. Headers that hold credentials are left out; names are lower case.

    Attributes:
        content: of a JSON answer alone.
        cookies: that the answer set.
    """

    method: str
    url: str
    status: int
    headers: dict[str, str] = {}
    sent: Body = Body()
    content: Body = Body()
    cookies: dict[str, str] = {}


class ExchangeLog:
    """What the actor's tabs sent and got, for evaluators that score by it; the browser's driver fills it.

    Attributes:
        bare: of each exchange method, address and status alone are kept, no headers, bodies and cookies.
        source: reads what is finished by now, in the order in which it began; set when a context is opened.
    """

    def __init__(self, *, bare: bool = False) -> None:
        self.bare = bare
        self.source: Callable[[], Awaitable[list[Exchange]]] | None = None

    async def read(self) -> list[Exchange]:
        """All exchanges of the context so far; none where there is no browser."""
        return await self.source() if self.source is not None else []


RequestFilter = Callable[[NetworkRequest], Awaitable[NetworkAnswer]]


async def refuse_all(_: NetworkRequest) -> NetworkAnswer:
    """The request filter of a task on bundled sites: nothing but these (`passthrough`) is reached."""
    return NetworkAnswer("abort", reason="it lies outside the bundled sites of this task")


DEFAULT_LOCALE = "en-US"


class EnvironmentSetup(msgspec.Struct, frozen=True, kw_only=True):
    """How a fresh browser context is prepared for one task.

    Attributes:
        start_urls: opened as tabs; the first is active.
        joins: the tabs that are open in the browser are the actor's. Somebody else has made their context for
            this task alone, and ends it: nothing is opened there, and of what follows only that holds which
            bears on requests and actions.
        request_filter: asked for every request that leaves `passthrough` origins, and for every redirect
            there, in tabs as soon as they are attached; None = all go out.
        passthrough: URL prefixes never asked about (the task's own server).
        only_hosts: such as "shop.test", "*.shop.test", "shop.test:8080"; nothing of the context gets anywhere
            else, and the filter is told of WebSockets of tabs too. None = every host.
        init_script: JavaScript run in every new document before the page's own.
        storage_state: Playwright storage state with logins, as a file or as what one holds.
        exchanges: keeps what the actor's tabs send and get; None = nobody does.
        on_request: told of every request of the actor's tabs as it begins; must not raise.
        search: address of a search engine, with {query} where the words go, for `Search`; "" = none.
        downloads, uploads: folders; uploads outside `uploads` are refused.
        locale: BCP 47, as in `navigator.language`; timezone: IANA name, "" = the browser's own.
        region: a place as the setting `browser.region` names it, whose position pages are told; "" = none.
            What the user sets goes before all three.
    """

    start_urls: tuple[str, ...] = ("about:blank",)
    joins: bool = False
    viewport: Viewport = Viewport()
    request_filter: RequestFilter | None = None
    passthrough: tuple[str, ...] = ()
    only_hosts: tuple[str, ...] | None = None
    init_script: str = ""
    storage_state: Path | JsonObject | None = None
    exchanges: ExchangeLog | None = None
    on_request: Callable[[NetworkRequest], None] | None = None
    search: str = ""
    downloads: Path | None = None
    uploads: Path | None = None
    locale: str = DEFAULT_LOCALE
    timezone: str = ""
    region: str = ""


class StepResult(msgspec.Struct, frozen=True, kw_only=True):
    """What became of an action.

    Attributes:
        action: the action with its element's full fingerprint.
        ok: the action had its effect; False leaves the episode going, with `error`.
        error: one sentence: what happened, to what, and what to do.
        output: text an information action asked for (HTML), else "".
        matched_by: on replay, how the element was found: id, selector, role+name+path, box.
    """

    action: Action
    ok: bool = True
    error: str = ""
    output: str = ""
    matched_by: str = ""
    seconds: float = 0.0


OUTER_HTML = """([last, now]) => {
  const html = document.documentElement.outerHTML, before = globalThis.webbenchHtml;
  globalThis.webbenchHtml = {mark: now, html};
  return before?.mark === last && before.html === html ? null : html;
}"""
"""The one probe that a world without a browser can answer too: the page's HTML.

Its argument is the mark of the answer that is at hand, and one for the answer to come; null: the page's last
answer is the one at hand, and the same still.
"""


class SecondPage(Protocol):
    """A page beside the actor's tabs, with the same logins, for whoever scores.

    The actor neither sees it nor is disturbed by it. Every call is bounded in time and may raise
    `EnvironmentDown`.
    """

    @property
    def url(self) -> str: ...

    async def goto(self, url: str) -> None:
        """Open an address, and wait (bounded) until it loads nothing more."""
        ...

    async def mirror(self) -> None:
        """Show the document of the actor's active tab as it stands now, field contents and all.

        Its address is the same, its scripts don't run again, and nothing is sent to the site.
        """
        ...

    async def content(self) -> str:
        """The document as HTML."""
        ...

    async def evaluate(self, function: str, argument: Json = None) -> Json:
        """Value of a function expression, called in the page. Raises `ActionFailed` where it throws."""
        ...


@runtime_checkable
class Watched(Protocol):
    """What an `Environment` may have besides: a window of its own, in which a person can act."""

    async def done_by_hand(self) -> Sequence[Action]:
        """What was done there since the last call, in order; the first call begins to look.

        Raises `EnvironmentDown`.
        """
        ...


@runtime_checkable
class Lent(Protocol):
    """What an `Environment` may have besides: a browser in which an agent can act by itself."""

    @property
    def devtools(self) -> tuple[str, str] | None:
        """Address of its DevTools and the active tab's target; None where it is not lent to anybody."""
        ...

    async def act_by(
        self, hands: Callable[[], Awaitable[tuple[str, str]]], action: Action, within: float | None
    ) -> StepResult:
        """As `act`, done by somebody else.

        Args:
            hands: do it, and give what it came to in words, and the target of the tab that they are on then,
                "" for the active one. May raise `ActionFailed`.
            action: what they do, as it is recorded.
            within: seconds that they may take; None = as long as they like.
        """
        ...


@runtime_checkable
class Visiting(Protocol):
    """What an `Environment` may have besides: a browser whose pages see where it is."""

    async def visitor(self) -> Visitor:
        """As the active tab's page sees it; what was asked for where it doesn't answer. Never raises."""
        ...


PAGE_LOST = "the page was lost"
"""How the reason begins why there is no score, where a `Losable` world says so."""


@runtime_checkable
class Losable(Protocol):
    """What an `Environment` may have besides: a page that can be lost, such as one that crashes.

    What is lost is no evidence of what the actor did. A tab that the actor closed is not lost.
    """

    @property
    def lost(self) -> bool:
        """The browser that it was opened in has ended."""
        ...

    @property
    def loss(self) -> str:
        """What became of the page, by what is known; "" where there is one, or the actor closed it."""
        ...

    async def look_for_loss(self) -> str:
        """The same for a page that is to be scored: it is asked whether it is there. Bounded, never raises.

        A tab that was closed since the actor acted counts too: what is shown in its place nobody has seen.
        """
        ...


class Environment(Protocol):
    """A world with one actor in it. Every method may raise `EnvironmentDown`, never anything else.

    Example:
        >>> observation = await environment.observe()
        >>> result = await environment.act(action)
    """

    async def reset(self, setup: EnvironmentSetup) -> None:
        """Throw the old context away and open a fresh one on the start URLs."""
        ...

    async def observe(self, options: ObservationOptions = ObservationOptions()) -> Observation:
        """Read the active tab. Never raises for a broken page: `Observation.condition` says so."""
        ...

    async def screenshot(self, options: ScreenshotOptions = ScreenshotOptions()) -> Screenshot | None:
        """Picture of the active tab; None while a dialog is open or the page is gone."""
        ...

    async def act(self, action: Action) -> StepResult:
        """Do it, wait until the page is settled (bounded), and tell what became of it."""
        ...

    async def probe(self, script: str, argument: Json = None) -> Json:
        """Run our own function expression in an isolated world of the active tab's main frame.

        For evaluators: `script` is `(argument) => JSON value` and must not change the page.
        """
        ...

    def second_page(self) -> AbstractAsyncContextManager[SecondPage]:
        """A page of the same context, closed on leaving. Raises `EnvironmentDown` where there can be none."""
        ...

    async def close(self) -> None:
        """End the context; idempotent."""
        ...
