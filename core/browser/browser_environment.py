"""The browser environment, over a live Chromium: what an episode acts on."""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import msgspec

from webbench.core.action.action import (
    Action,
    AnswerDialog,
    CaptureScreen,
    Check,
    Click,
    ClickAt,
    ElementRef,
    Goto,
    KeyDown,
    KeyUp,
    Maximize,
    MouseUp,
    NewTab,
    Noop,
    Press,
    Reload,
    Remember,
    Say,
    Search,
    Stop,
    Type,
    Upload,
    UploadAt,
)
from webbench.core.browser.acting.element_verbs import Acting, Outcome
from webbench.core.browser.acting.giving_files import GivingFiles
from webbench.core.browser.acting.input_device import OnDisplay
from webbench.core.browser.acting.navigation import ALWAYS_GO, Navigation, bring_to_front, load
from webbench.core.browser.acting.settle import Deadline, Patience, is_changing, settle
from webbench.core.browser.context_setup import open_context, tell_of_requests
from webbench.core.browser.desktop.on_display import captured, maximized, noted, size_on
from webbench.core.browser.elements.person_actions import Watch
from webbench.core.browser.elements.purpose import purpose_of
from webbench.core.browser.network.exchanges import ExchangeReader
from webbench.core.browser.network.only_hosts import JOINED, UNWALLED
from webbench.core.browser.network.request_filter import Gate
from webbench.core.browser.page_log import PageLog
from webbench.core.browser.racing import raced
from webbench.core.browser.second_page import Waits, second_page
from webbench.core.browser.seeing.page_reading import LOADING, empty, read, what_happened
from webbench.core.browser.seeing.screenshot import around, part_words, picture
from webbench.core.browser.stuck import silence, unstick, waits_for_server
from webbench.core.browser.tabs import LiveTab, Tabs
from webbench.core.browser.visiting import SEEN, asked_visitor, seen_visitor
from webbench.core.environment import EnvironmentSetup, SecondPage, StepResult
from webbench.core.errors import ActionFailed, EnvironmentDown, WebbenchError, internal_fault
from webbench.core.guards.risk import Purpose
from webbench.core.json_types import Json, JsonObject
from webbench.core.observation import (
    Observation,
    ObservationOptions,
    Screenshot,
    ScreenshotOptions,
    Visitor,
)
from webbench.core.time_limit import time_limit

if TYPE_CHECKING:
    from webbench.core.browser.driver import DriverBrowser, DriverContext
    from webbench.core.browser.launch import Browser

T = TypeVar("T")
LONGEST_WAIT = 30.0
CLOSE_SECONDS = 5.0
ALWAYS = (AnswerDialog, Remember, Say, Stop)
QUESTION = ("Runtime.evaluate", {"expression": "1", "silent": True})
"""That any page answers as long as it lives."""

NO_DOCUMENT = ("about:blank", "chrome-error://", "about:neterror", "about:certerror")
"""Beginnings of addresses that show nothing of a site."""

TOUCHING = (Check, Click, ClickAt, KeyDown, KeyUp, MouseUp, Press, Type, Upload, UploadAt)
"""Actions upon which a page may open a file dialog."""

REVIVING = (Goto, NewTab, Reload, Search)
"""Actions that open a page, and so can go on after the last one crashed or closed."""


class BrowserEnvironment:
    """One browser context with one actor in it; made by `Browser.environment`."""

    def __init__(self, browser: Browser, patience: Patience = Patience()) -> None:
        self.browser = browser
        self.patience = patience
        self._setup = EnvironmentSetup()
        self._tabs: Tabs | None = None
        self._holder: DriverBrowser | DriverContext | None = None
        self._context: DriverContext | None = None
        self._log = PageLog()
        self._last_error = ""
        self._loading = False
        self._watch = Watch()
        self._captured: Screenshot | None = None
        self._unreplaced = ""
        """Why the page before was lost, as long as no other document stands in its place."""

        self._beside = ""
        """What became of a second page since it was last asked for a loss."""
        self._silent = False

    @property
    def version(self) -> str:
        """Product and version of the browser, e.g. "Chrome/156.0.7000.1"."""
        return self.browser.version

    @property
    def _alive(self) -> bool:
        """Whether the browser that holds our tabs still runs; another may have been started since."""
        return self._context is not None and self._context.connected

    def _patience_with(self, tab: LiveTab) -> float:
        """Seconds that a question to a page may take: few, where it did not answer the last time."""
        return self.patience.probe if self._silent or not tab.activity.shows else self.patience.action

    @property
    def lost(self) -> bool:
        """Whether the browser that it was opened in has ended; of a Grid, the node that holds its context."""
        return self._holder is not None and not self._holder.connected

    @property
    def loss(self) -> str:
        tabs = self._tabs
        if tabs is None:
            return ""
        if not self._alive:
            return "the browser ended"
        tab = tabs.active
        if tab is not None and tab.crashed:
            return f"{tab.page.url} crashed"
        return self._unreplaced or (tabs.taken if tab is None or tab.closed else "")

    async def look_for_loss(self) -> str:
        tabs, tab = self._tabs, self._tabs.active if self._tabs else None
        askable = tabs is not None and not tabs.dialogs.waiting and tab is not None and tab.activity.shows
        if tab is not None and askable and not tab.gone and not self.loss:
            try:
                async with time_limit(self.patience.probe):
                    await tab.page.session.send(*QUESTION)
            except EnvironmentDown as error:
                return self.loss or error.message
            except (ActionFailed, TimeoutError):
                pass
        beside, self._beside = self._beside, ""
        return self.loss or (tabs.taken if tabs is not None else "") or beside

    async def reset(self, setup: EnvironmentSetup) -> None:
        await self.close()
        self._unreplaced = ""
        self._setup = setup
        self._log = PageLog()
        self._watch = Watch()
        self._last_error = ""
        opening = max(LONGEST_WAIT, 2 * self.patience.deadline)
        await self._bounded(self._open(setup.start_urls), self.browser.options.timeout + opening)

    async def observe(self, options: ObservationOptions = ObservationOptions()) -> Observation:
        started = time.perf_counter()
        tabs = self._tabs
        observation = await self._perceive(tabs, options)
        return msgspec.structs.replace(
            observation,
            messages=self._log.take(),
            last_error=self._last_error,
            viewport_only=options.viewport_only,
            timing=msgspec.structs.replace(observation.timing, total=(time.perf_counter() - started) * 1000),
        )

    async def screenshot(self, options: ScreenshotOptions = ScreenshotOptions()) -> Screenshot | None:
        tab = self._tabs.active if self._tabs else None
        if tab is None or tab.gone or (self._tabs and self._tabs.dialogs.waiting) or not self._alive:
            return None
        if self._captured is not None and not options.full_page and not options.anew:
            return self._captured
        limit = min(options.timeout, self._patience_with(tab))
        try:
            async with time_limit(limit):
                return await picture(tab.page.session, options)
        except (WebbenchError, TimeoutError):
            return None

    async def act(self, action: Action) -> StepResult:
        """See `Environment`. A fault of ours is a failed action: the page is still there to act on."""
        return await self._acted(action)

    @property
    def devtools(self) -> tuple[str, str] | None:
        address, tab = self.browser.devtools, self._tabs.active if self._tabs is not None else None
        shown = tab is not None and not tab.gone
        return (address, tab.page.frame_id) if address and tab is not None and shown else None

    async def act_by(
        self, hands: Callable[[], Awaitable[tuple[str, str]]], action: Action, within: float | None
    ) -> StepResult:
        return await self._acted(action, partial(self._lend, hands, within))

    async def _acted(
        self, action: Action, otherwise: Callable[[Outcome], Awaitable[None]] | None = None
    ) -> StepResult:
        """By ourselves, or otherwise."""
        started = time.perf_counter()
        outcome = Outcome(action=action)
        error = ""
        self._captured = None
        waits = min(max(action.seconds, 0.0), LONGEST_WAIT) if isinstance(action, Noop) else 0.0
        if self._tabs is not None:
            self._tabs.acting, self._tabs.taken = True, ""
        try:
            if otherwise is None:
                await self._act(action, outcome, Deadline(self.patience.deadline + waits))
            else:
                await otherwise(outcome)
        except ActionFailed as failure:
            error = str(failure)
        except EnvironmentDown as failure:
            if not self._alive and isinstance(action, REVIVING):
                raise
            error = failure.message
        except WebbenchError as failure:
            error = str(failure)
        except Exception as failure:
            error = internal_fault(failure)
        finally:
            if self._tabs is not None:
                self._tabs.acting = False
        self._last_error = error
        self._mind_the_loss()
        return StepResult(
            action=outcome.action,
            ok=not error,
            error=error,
            output=outcome.output,
            matched_by=outcome.matched_by,
            seconds=time.perf_counter() - started,
        )

    def _mind_the_loss(self) -> None:
        """A page that was lost is made up for by the next document, not by an empty tab."""
        tab = self._tabs.active if self._tabs is not None else None
        if self._unreplaced and tab is not None and not tab.gone:
            shown = tab.page.url
            if shown and not shown.startswith(NO_DOCUMENT):
                self._unreplaced = ""

    async def done_by_hand(self) -> Sequence[Action]:
        """Watches every open tab and its cross-process frames; a new tab from the next call on.

        A tab that was closed meanwhile, the person has closed.
        """
        tabs = self._tabs
        if tabs is not None:
            tabs.taken = ""
        if tabs is not None and self._alive and not tabs.dialogs.waiting:
            for tab in [tab for tab in tabs.open if not tab.gone]:
                with contextlib.suppress(WebbenchError):
                    frames = await tab.page.frames()
                    await self._watch.follow([tab.page.session, *(frame.session for frame in frames)])
        return self._watch.take()

    async def probe(self, script: str, argument: Json = None) -> Json:
        tab = self._tabs.active if self._tabs else None
        if tab is None or tab.gone or not self._alive:
            raise EnvironmentDown("there is no page to look into")
        if self._tabs and self._tabs.dialogs.waiting:
            raise EnvironmentDown("a dialog holds the page up", "answer it first")
        try:
            async with time_limit(self._patience_with(tab)):
                return await tab.elements.probe(script, argument)
        except TimeoutError as error:
            self._silent = True
            raise EnvironmentDown("the page did not answer an evaluator's question") from error
        except ActionFailed as error:
            raise EnvironmentDown(f"an evaluator's question failed: {error.message}") from error

    async def visitor(self) -> Visitor:
        try:
            return seen_visitor(self._setup, await self.probe(SEEN))
        except EnvironmentDown:
            return asked_visitor(self._setup)

    async def purpose(self, action: Action) -> Purpose:
        tab = self._tabs.active if self._tabs else None
        if tab is None or tab.gone or not self._alive or (self._tabs and self._tabs.dialogs.waiting):
            return Purpose()
        try:
            async with time_limit(self._patience_with(tab)):
                return await purpose_of(tab.elements, action)
        except TimeoutError:
            return Purpose()

    @asynccontextmanager
    async def second_page(self) -> AsyncIterator[SecondPage]:
        if self._tabs is None or not self._alive:
            raise EnvironmentDown("there is no page to look into")
        waits = Waits(opening=self.patience.navigation * 2, evaluation=self.patience.action / 2)
        async with second_page(self._tabs, waits) as page:
            page.on_crash(self._beside_crashed)
            yield page

    def _beside_crashed(self) -> None:
        self._beside = "the page that the score was to be read in crashed"

    async def storage_state(self) -> JsonObject:
        """Logins of the context as they stand, for `EnvironmentSetup.storage_state`."""
        if self._tabs is None or not self._alive:
            raise EnvironmentDown("the environment was not reset, or is closed")
        return await self._bounded(self._tabs.context.storage_state(), self.patience.action)

    async def close(self) -> None:
        tabs, self._tabs = self._tabs, None
        self._holder = None
        if tabs is None:
            return
        await tabs.finish()
        with contextlib.suppress(Exception):
            async with time_limit(CLOSE_SECONDS):
                await tabs.context.close()

    async def _open(self, urls: tuple[str, ...]) -> None:
        running = self._holder = await self.browser.connected()
        if self._setup.only_hosts is not None and (self.browser.options.by_proxy or self._setup.joins):
            self._log.add("network", "warning", JOINED if self._setup.joins else UNWALLED)
            self._setup = msgspec.structs.replace(self._setup, only_hosts=None)
        gate = Gate(self._setup, self._log)
        seat = self.browser.seat(self._setup.viewport)
        context = await open_context(running, self._setup, gate, windowed=seat is not None)
        self._context = self._holder = context
        self._tabs = Tabs(context, self._log, self._setup.downloads, gate, seat)
        if self._setup.exchanges is not None:
            exchanges = self._setup.exchanges
            exchanges.source = ExchangeReader(context, self._tabs.is_aside, bare=exchanges.bare).read
        if self._setup.on_request is not None:
            tell_of_requests(context, self._setup.on_request, self._tabs.is_aside)
        self._loading = False
        deadline = Deadline(self.patience.deadline)
        if self._setup.joins:
            await self._tabs.join()
        else:
            await self._open_tabs(self._tabs, urls or ("about:blank",), deadline)
        await self._begun(self._settle(), deadline)
        if self._tabs.active is not None and not self._tabs.active.closed:
            self._tabs.taken = ""

    async def _open_tabs(self, tabs: Tabs, urls: Sequence[str], deadline: Deadline) -> None:
        """One of each address, the first in front."""
        first: LiveTab | None = None
        for url in urls:
            tab = await tabs.new()
            first = first or tab
            if url != "about:blank":
                await self._begun(load(tab, url, self.patience), deadline)
        if first is not None and len(tabs.open) > 1:
            tabs.focus(first)
            await bring_to_front(first)

    async def _begun(self, work: Awaitable[object], deadline: Deadline) -> None:
        """Do a part of opening; what fails is told with the first observation."""
        assert self._tabs is not None
        try:
            await self._or_dialog(work, deadline, heeded=not self._tabs.dialogs.waiting)
        except ActionFailed as failure:
            self._last_error = str(failure)

    async def _or_dialog(self, work: Awaitable[object], deadline: Deadline, *, heeded: bool = True) -> None:
        """Do the work, or leave off where a dialog opens (unless it is not `heeded`): its page stands still.

        Raises `ActionFailed` where the deadline comes, or a script holds it up.
        """
        assert self._tabs is not None
        limit = max(deadline.left - self.patience.rescue, self.patience.probe)
        stuck = silence(self._tabs, self.patience.script)
        async with raced(work, self._tabs.dialogs.opened if heeded else None, limit, stuck) as race:
            if race.done:
                await race.work
            elif race.given_up:
                await self._give_up(self.patience.script, certain=True)
            elif not race.dialog:
                await self._give_up(deadline.seconds)

    async def _settled(self, deadline: Deadline) -> None:
        """Settle for as long as there is time; a page that does not come to rest is no failure.

        Raises `ActionFailed` where a script holds it up.
        """
        assert self._tabs is not None
        if self._tabs.dialogs.waiting:
            return
        stuck = silence(self._tabs, self.patience.script)
        async with raced(self._settle(), self._tabs.dialogs.opened, deadline.left, stuck) as race:
            if race.done:
                await race.work
            elif race.given_up:
                await self._give_up(self.patience.script, certain=True)
            elif not race.dialog:
                self._loading = True

    async def _act(self, action: Action, outcome: Outcome, deadline: Deadline) -> None:
        if isinstance(action, Remember | Say | Stop):
            return
        if isinstance(action, CaptureScreen) and action.target is None:
            self._captured = await self._bounded(captured(self._tabs), self.patience.action)
            return
        dialog = self._tabs.dialogs.first if self._tabs else None
        if dialog is not None and not isinstance(action, (*ALWAYS, *ALWAYS_GO)):
            raise ActionFailed(
                f'a {dialog.kind} dialog is open: "{dialog.message[:200]}"', "accept or dismiss it first"
            )
        tab = await self._live_tab(action)
        tabs = self._tabs
        assert tabs is not None
        tabs.arrival.clear()
        tab.activity.begin()
        answering = isinstance(action, AnswerDialog) and bool(tabs.dialogs.waiting)
        if not answering:
            tabs.dialogs.begin()
        try:
            with tabs.dialogs.cleared() if isinstance(action, ALWAYS_GO) else contextlib.nullcontext():
                await self._or_dialog(self._perform(action, outcome, tab), deadline, heeded=not answering)
            await self._settled(deadline)
            if isinstance(action, CaptureScreen) and action.target is not None:
                await self._or_dialog(self._picture_around(action.target, outcome, tab), deadline)
        finally:
            if isinstance(action, (*TOUCHING, AnswerDialog)) and not tabs.dialogs.waiting and not tab.gone:
                await self._noticed(tab, outcome)

    async def _lend(
        self, hands: Callable[[], Awaitable[tuple[str, str]]], within: float | None, outcome: Outcome
    ) -> None:
        """Have somebody else act, and wait until the page is settled. Dialogs are theirs to answer."""
        tabs = self._tabs
        if tabs is None:
            raise EnvironmentDown("the environment was not reset, or is closed")
        tabs.arrival.clear()
        if tabs.active is not None and not tabs.active.gone:
            tabs.active.activity.begin()
        tabs.dialogs.begin()
        try:
            async with time_limit(within):
                outcome.output, target = await hands()
        except TimeoutError as error:
            raise ActionFailed(f"it was not done within the {within:.0f} s that were left") from error
        finally:
            while tabs.dialogs.waiting:
                await tabs.answer(tabs.dialogs.waiting[0].kind != "prompt", "")
        if target and not any(tab.page.frame_id == target for tab in tabs.open):
            await tabs.arrivals(True, self.patience.popup)
        on = next((tab for tab in tabs.open if tab.page.frame_id == target and not tab.gone), None)
        if on is not None:
            tabs.focus(on)
        await self._settled(Deadline(self.patience.deadline))

    async def _noticed(self, tab: LiveTab, outcome: Outcome) -> None:
        """Tell of a file dialog that the action has opened; a person at the window may have the next one."""
        if (dialog := tab.file_dialogs.take()) is not None:
            outcome.output = "\n".join(filter(None, (outcome.output, dialog.words)))
        options = self.browser.options
        if (options.windowed or options.endpoint) and not isinstance(tab.page.input, OnDisplay):
            await tab.file_dialogs.release()

    async def _perform(self, action: Action, outcome: Outcome, tab: LiveTab) -> None:
        tabs = self._tabs
        assert tabs is not None
        if isinstance(action, AnswerDialog):
            if not tabs.dialogs.waiting:
                raise ActionFailed("there is no dialog to answer")
            await tabs.answer(action.accept, action.text)
        elif isinstance(action, Noop):
            await asyncio.sleep(min(max(action.seconds, 0.0), LONGEST_WAIT))
        elif isinstance(action, Navigation.VERBS):
            navigation = Navigation(tabs, self.patience, self._setup)
            await navigation.perform(action, tab)
        elif isinstance(action, Maximize):
            outcome.output = await maximized(tab.page.input)
        else:
            device = tab.page.input
            size = await size_on(device, self._setup.viewport)
            files = GivingFiles(tab.elements, device, tab.file_dialogs, self._setup.uploads)
            acting = Acting(tab.elements, device, files, size)
            if isinstance(action, TOUCHING):
                await tab.file_dialogs.watch()
            async with noted(device, outcome):
                await acting.perform(action, outcome)

    async def _picture_around(self, target: ElementRef, outcome: Outcome, tab: LiveTab) -> None:
        """Picture an element with what is around it, as far as the viewport shows it."""
        element = await tab.elements.find(target)
        box = await tab.elements.place(element)
        if box is None:
            raise ActionFailed(f"{element.label} has no size to be pictured")
        shown = await captured(self._tabs) or await picture(tab.page.session, ScreenshotOptions(format="png"))
        part = await asyncio.to_thread(around, shown, box)
        if part is None:
            raise ActionFailed(f"{element.label} can't be scrolled into view")
        self._captured = part
        outcome.output = "\n".join(filter(None, (outcome.output, part_words(part))))

    async def _give_up(self, limit: float, *, certain: bool = False) -> None:
        """Raises `ActionFailed`: the page did not answer in time, or loads for longer than that."""
        tab = self._tabs.active if self._tabs else None
        if tab is not None and not tab.gone:
            if not certain and await waits_for_server(tab, self.patience.probe):
                raise ActionFailed("the page is still loading", "wait, or go elsewhere")
            self._silent = True
            await unstick(tab, self.patience.probe)
        raise ActionFailed(
            f"the page did not answer within {limit:g} s", "its script was stopped; go elsewhere or reload"
        )

    async def _settle(self) -> None:
        """Wait for the active tab, and for tabs that the action has announced."""
        tabs = self._tabs
        assert tabs is not None
        tab = tabs.active
        if tab is None or tab.gone:
            return
        self._loading = not await settle(tab, self.patience)
        announced, tab.activity.opening = tab.activity.opening, False
        await tabs.arrivals(announced, self.patience.popup)
        if tabs.active is not None and tabs.active is not tab and not tabs.active.gone:
            self._loading = not await settle(tabs.active, self.patience)

    async def _live_tab(self, action: Action) -> LiveTab:
        """The active tab, or for actions that open a page a new one where it is gone."""
        tabs = self._tabs
        if tabs is None:
            raise EnvironmentDown("the environment was not reset, or is closed")
        alive = self._alive
        if alive and tabs.active is not None and not tabs.active.gone:
            return tabs.active
        if isinstance(action, AnswerDialog) or not isinstance(action, REVIVING):
            raise ActionFailed(what_happened(tabs, alive), "go to an address or open a tab")
        self._unreplaced = self.loss
        starting = 0.0 if alive else self.browser.options.timeout + LONGEST_WAIT
        return await self._bounded(self._revive(tabs, alive), self.patience.navigation + starting)

    async def _revive(self, tabs: Tabs, alive: bool) -> LiveTab:
        if not alive:
            await self.close()
            await self._open(("about:blank",))
            assert self._tabs is not None
            tabs = self._tabs
        else:
            broken = tabs.active
            fresh = await tabs.new()
            if broken is not None and broken.crashed and not broken.closed:
                with contextlib.suppress(Exception):
                    async with time_limit(self.patience.probe):
                        await broken.page.close()
            tabs.focus(fresh)
        assert tabs.active is not None
        return tabs.active

    async def _perceive(self, tabs: Tabs | None, options: ObservationOptions) -> Observation:
        if tabs is None:
            return empty(None, "closed", "the environment is closed")
        if not self._alive:
            return empty(None, "crashed", what_happened(tabs, alive=False))
        tab = tabs.active
        if tab is None or tab.closed:
            return empty(tabs, "closed", what_happened(tabs, alive=True))
        if tab.crashed:
            return empty(tabs, "crashed", what_happened(tabs, alive=True))
        if tabs.dialogs.first is not None:
            return msgspec.structs.replace(empty(tabs, "ok", ""), dialog=tabs.dialogs.first)
        deadline = Deadline(options.timeout)
        limit = max(options.timeout - self.patience.rescue, options.timeout / 2)
        limit = min(limit, self.patience.probe if tab.activity.navigating else math.inf)
        try:
            async with raced(self._read(tabs, tab, options), tabs.dialogs.opened, limit) as race:
                if race.done:
                    observation = await race.work
                    self._silent = False
                    return observation
                if race.dialog:
                    return msgspec.structs.replace(empty(tabs, "ok", ""), dialog=tabs.dialogs.first)
            return await self._unanswered(tabs, tab, deadline)
        except WebbenchError as error:
            if not self._alive or tab.gone:
                return empty(tabs, "crashed", what_happened(tabs, self._alive))
            return empty(tabs, "unreadable", str(error))
        except Exception as error:
            return empty(tabs, "unreadable", internal_fault(error))

    async def _unanswered(self, tabs: Tabs, tab: LiveTab, deadline: Deadline) -> Observation:
        """Of a page that tells nothing: it waits for its server, a dialog opens, or its script is stopped."""
        waits = waits_for_server(tab, max(self.patience.probe / 2, deadline.left - self.patience.probe))
        async with raced(waits, tabs.dialogs.opened) as race:
            if race.dialog or tabs.dialogs.first is not None:
                return msgspec.structs.replace(empty(tabs, "ok", ""), dialog=tabs.dialogs.first)
            if await race.work:
                return empty(tabs, "loading", LOADING)
        self._silent = True
        await unstick(tab, min(self.patience.probe, max(deadline.left, 0.5)))
        text = f"the page did not answer within {deadline.seconds:g} s; its script was stopped"
        return empty(tabs, "timeout", text)

    async def _read(self, tabs: Tabs, tab: LiveTab, options: ObservationOptions) -> Observation:
        changing = await is_changing(tab, self.patience)
        observation = await read(tabs, tab, options, self._loading)
        observation = msgspec.structs.replace(observation, changing=changing)
        for frame in await tab.page.frames():
            tab.flood.follow(frame.session)
        if not options.relevant_html or observation.condition not in ("ok", "loading"):
            return observation
        return msgspec.structs.replace(observation, relevant_html=await tab.elements.relevant_html())

    async def _bounded(self, work: Awaitable[T], timeout: float) -> T:
        try:
            async with time_limit(timeout):
                return await work
        except TimeoutError as error:
            raise EnvironmentDown(f"the browser did not answer within {timeout:g} s") from error
        except ActionFailed as error:
            raise EnvironmentDown(error.message, error.hint) from error
