"""Pages that flood, hang or ask without end: every action ends in time, and the page can be left."""

from __future__ import annotations

import asyncio
import os
import signal
from threading import Event

import pytest

from tests.conftest import Answer, Site
from tests.core.browser.conformance.conftest import WAYS, ways
from webbench.core.action.action import (
    Action,
    AnswerDialog,
    Back,
    Click,
    CloseTab,
    ElementRef,
    Goto,
    NewTab,
    Noop,
)
from webbench.core.browser.acting.settle import Patience
from webbench.core.browser.browser_environment import LONGEST_WAIT, BrowserEnvironment
from webbench.core.environment import EnvironmentSetup, StepResult
from webbench.core.observation import Observation, PageMessage

pytestmark = pytest.mark.flood

SPARE = 5.0
"""Seconds for the browser itself, on a machine that is busy with other tests."""

PLAIN = "<title>plain</title><button>B</button>"


def page(script: str, more: str = "") -> str:
    return f"<!doctype html><title>flood</title><button>B</button>{more}<script>{script}</script>"


def flood(statement: str, times: int = 500) -> str:
    return page(f"setInterval(() => {{ for (let i = 0; i < {times}; i++) {{ {statement} }} }}, 5)")


def workers(times: int) -> str:
    """Four of them, whose lines only the driver hears."""
    script = f"setInterval(() => {{ for (let i = 0; i < {times}; i++) console.log(i) }}, 5)"
    return page(f"for (let i = 0; i < 4; i++) new Worker(`data:text/javascript,{script}`)")


def popups(times: int) -> str:
    """Each becomes the tab in front, so that the page that opens them is never left, only closed."""
    return page(f"setInterval(() => {{ for (let i = 0; i < {times}; i++) open('/plain') }}, 200)")


FLOODS = {
    "console": flood("console.log('line', i)"),
    "long lines": page(
        "const text = 'x'.repeat(5e6);"
        " setInterval(() => { for (let i = 0; i < 10; i++) console.log(text) }, 5)"
    ),
    "errors": flood("setTimeout(() => { throw new Error('bad ' + i) })", 100),
    "rejections": flood("Promise.reject(new Error('bad'))", 100),
    "requests": flood("fetch('http://127.0.0.1:9/' + Math.random()).catch(() => 0)", 50),
    "pictures": flood("new Image().src = 'http://127.0.0.1:9/' + Math.random()", 50),
    "sockets": page(
        "setInterval(() => { for (let i = 0; i < 20; i++) new WebSocket('ws://127.0.0.1:9/') }, 20)"
    ),
    "workers": workers(2),
    "title": flood("document.title = 't' + Math.random()", 20),
    "hash": flood("location.hash = 'h' + Math.random()", 50),
    "history": flood("try { history.pushState(0, '', '?' + Math.random()) } catch {}", 100),
    "changes": flood(
        "const p = document.createElement('p'); p.textContent = i; document.body.append(p);"
        " if (document.body.children.length > 2000) document.body.children[2].remove()",
        200,
    ),
    "frames": flood("const f = document.createElement('iframe'); document.body.append(f); f.remove()", 20),
    "messages": page(
        "addEventListener('message', () => postMessage(1, '*'));"
        " for (let i = 0; i < 100; i++) postMessage(1, '*')"
    ),
    "timers": page("const next = () => setTimeout(next); for (let i = 0; i < 5000; i++) next()"),
    "animation": page(
        "const next = () => { const end = performance.now() + 50; while (performance.now() < end);"
        " requestAnimationFrame(next) }; next()"
    ),
    "popups": popups(1),
    "downloads": page(
        "setInterval(() => { for (let i = 0; i < 10; i++) { const a = document.createElement('a');"
        " a.href = 'data:text/plain,x'; a.download = 'f.txt'; a.click() } }, 20)"
    ),
    "refreshes": "<title>flood</title><meta http-equiv=refresh content=0><button>B</button>",
    "departures": page("setInterval(() => { location.href = '/flood?' + Math.random() }, 1)"),
    "reloads": page("setTimeout(() => location.reload(), 0)"),
    "microtasks": page("const next = () => Promise.resolve().then(next); setTimeout(next, 300)"),
    "busy": page(
        "setInterval(() => { const end = performance.now() + 3000; while (performance.now() < end); })"
    ),
    "endless": page("setTimeout(() => { for (;;); }, 300)"),
    "endless again and again": page("setInterval(() => { for (;;); }, 100)"),
    "endless while it loads": "<title>flood</title><script>for (;;);</script><button>B</button>",
    "endless as it is left": page("addEventListener('pagehide', () => { for (;;); })"),
    "endless as it is asked": page("addEventListener('beforeunload', () => { for (;;); })"),
    "endless frame": page("", "<iframe src='OTHER/endless'></iframe>"),
    "endless frame from its start": page("", "<iframe src='OTHER/begins'></iframe>"),
    "alerts": page("setInterval(() => alert('again'), 1)"),
    "endless alerts": page("setTimeout(() => { for (;;) alert('again') }, 100)"),
    "endless alerts while it loads": "<title>flood</title><script>for (;;) alert('again')</script>",
    "endless questions": page("setTimeout(() => { for (;;) confirm('sure?') }, 100)"),
    "endless prompts": page("setTimeout(() => { for (;;) prompt('name?') }, 100)"),
    "endless prints": page("setTimeout(() => { for (;;) print() }, 100)"),
    "alerts of a frame": page("", "<iframe src='OTHER/asks'></iframe>"),
    "alerts of a new tab": page("open('/asks')"),
}
DROWNING = {
    "title": flood("document.title = 't' + Math.random()"),
    "workers": workers(500),
    "popups": popups(80),
}
"""Of what the browser's own process, or the driver's, can't take in: a title costs that process 60 µs."""

QUICK = {("selenium", "console"), ("playwright", "alerts of a frame")}
FLOODED = [
    pytest.param(way, name, marks=() if (way, name) in QUICK else pytest.mark.thorough)
    for way in WAYS
    for name in FLOODS
]


@pytest.fixture(params=ways("playwright", "selenium"))
def way(request: pytest.FixtureRequest) -> str:
    """Whose mouse and keyboard act makes no difference here."""
    return str(request.param)


@pytest.fixture
def floods(serve: Site) -> Site:
    """A site that serves all of them, and what their frames and tabs show."""
    serve(PLAIN, "/plain")
    serve(page("setTimeout(() => { for (;;); }, 300)"), "/endless")
    serve("<title>begins</title><script>for (;;);</script>", "/begins")
    serve(page("setTimeout(() => { for (;;) alert('again') }, 100)"), "/asks")
    return serve


class InTime:
    """An environment whose every action and observation has to end in the time that was promised."""

    def __init__(self, world: BrowserEnvironment) -> None:
        self.world = world
        self.seconds = world.patience.deadline + SPARE
        self.messages: list[PageMessage] = []

    async def opened(self, url: str) -> None:
        """A reset's own bound is longer: a page that floods is opened while the one before may still end."""
        promised = self.world.browser.options.timeout + max(LONGEST_WAIT, 2 * self.world.patience.deadline)
        async with asyncio.timeout(promised + SPARE):
            await self.world.reset(EnvironmentSetup(start_urls=(url,)))

    async def act(self, action: Action) -> StepResult:
        async with asyncio.timeout(self.seconds):
            return await self.world.act(action)

    async def observe(self) -> Observation:
        async with asyncio.timeout(self.seconds):
            observation = await self.world.observe()
        self.messages += observation.messages
        return observation

    async def observed(self, condition: str) -> Observation:
        """Look until the page is in this condition: what a flood left in the pipes is worked off first."""
        async with asyncio.timeout(2 * self.seconds):
            while (observation := await self.observe()).condition != condition:
                pass
        return observation

    def told(self, words: str) -> bool:
        return any(words in message.text for message in self.messages)


@pytest.mark.parametrize(("way", "name"), FLOODED, indirect=["way"])
async def test_a_page_that_floods_is_acted_on_in_time_and_left(
    world: BrowserEnvironment, floods: Site, name: str
) -> None:
    actor = InTime(world)
    floods(FLOODS[name].replace("OTHER/", floods.other_origin), "/flood")
    await actor.opened(f"{floods.url}flood")
    await actor.observe()
    await actor.act(Click(target=ElementRef(selector="button")))
    await actor.observe()
    async with asyncio.timeout(actor.seconds):
        await world.screenshot()
    left = await actor.act(Goto(url=f"{floods.url}plain"))
    assert left.ok, left.error
    observation = await actor.observed("ok")
    assert observation.title == "plain"
    opened = await actor.act(NewTab(url=f"{floods.url}plain"))
    assert opened.ok, opened.error
    closed = await actor.act(CloseTab(index=0))
    assert closed.ok, closed.error
    async with asyncio.timeout(actor.seconds):
        await world.close()
    assert world.browser.alive, "no other episode lost its browser"


@pytest.mark.parametrize("way", ways("selenium"), indirect=True)
@pytest.mark.parametrize("name", ["departures", "refreshes"])
async def test_who_goes_to_an_address_arrives_though_the_page_goes_elsewhere(
    world: BrowserEnvironment, floods: Site, name: str
) -> None:
    """Its own departure may begin before ours has arrived, and then takes our document's place."""
    actor = InTime(world)
    await actor.opened(floods(FLOODS[name], "/flood"))
    left = await actor.act(Goto(url=f"{floods.url}plain"))
    assert left.ok, left.error
    assert (await actor.observed("ok")).title == "plain"


@pytest.mark.thorough
@pytest.mark.parametrize("name", DROWNING)
async def test_a_page_that_drowns_the_browser_itself_holds_up_no_action(
    world: BrowserEnvironment, serve: Site, name: str
) -> None:
    """An action may come too late for it, but that is told, and in time."""
    actor = InTime(world)
    serve(PLAIN, "/plain")
    await actor.opened(serve(DROWNING[name], "/flood"))
    await actor.observe()
    clicked = await actor.act(Click(target=ElementRef(selector="button")))
    assert clicked.ok or "did not answer within" in clicked.error or "was stopped" in clicked.error
    await actor.observe()
    await actor.act(CloseTab())
    async with asyncio.timeout(actor.seconds):
        await world.close()


@pytest.mark.parametrize("way", ways("playwright"), indirect=True)
async def test_a_page_is_slow_while_its_browser_gives_no_answer(
    world: BrowserEnvironment, serve: Site
) -> None:
    """Its process stands still here, which no page is the reason for: it is as fast as before afterwards."""
    actor = InTime(world)
    await actor.opened(serve(PLAIN))
    assert world._tabs is not None
    [tab] = world._tabs.open
    assert world.browser.pid is not None
    os.kill(world.browser.pid, signal.SIGSTOP)
    try:
        acting = asyncio.ensure_future(actor.act(Click(target=ElementRef(selector="button"))))
        async with asyncio.timeout(actor.seconds):
            while not tab.flood.is_slow:
                await asyncio.sleep(0.05)
    finally:
        os.kill(world.browser.pid, signal.SIGCONT)
    assert (await acting).ok
    async with asyncio.timeout(actor.seconds):
        while tab.flood.is_slow:
            await asyncio.sleep(0.05)
    assert (await actor.observe()).condition == "ok"


@pytest.mark.parametrize("verb", [NewTab, CloseTab, Goto])
async def test_no_dialog_holds_up_who_goes_away(
    world: BrowserEnvironment, floods: Site, verb: type[NewTab | CloseTab | Goto]
) -> None:
    actor = InTime(world)
    await actor.opened(f"{floods.url}plain")
    await actor.act(NewTab(url=floods(FLOODS["endless questions"], "/flood")))
    while (observation := await actor.observe()).dialog is None:
        await actor.act(Noop(seconds=0.1))
    away = CloseTab() if issubclass(verb, CloseTab) else verb(url=f"{floods.url}plain")
    result = await actor.act(away)
    assert result.ok, result.error
    observation = await actor.observe()
    assert (observation.dialog, observation.condition, observation.title) == (None, "ok", "plain")
    assert actor.told("answered at once: the page was left")


@pytest.mark.parametrize("call", ["alert('again')", "confirm('again')", "prompt('again')"])
async def test_dialogs_after_three_in_a_row_are_answered_at_once(
    world: BrowserEnvironment, serve: Site, call: str
) -> None:
    actor = InTime(world)
    count = f"let shown = 0; const next = () => {{ {call}; document.title = ++shown; setTimeout(next, 20) }};"
    await actor.opened(serve(page(f"{count} setTimeout(next, 100)")))
    for _ in range(3):
        while (await actor.observe()).dialog is None:
            await actor.act(Noop(seconds=0.1))
        assert (await actor.act(AnswerDialog())).ok
    while (observation := await actor.observe()).dialog is None and observation.title in ("", "1", "2", "3"):
        await actor.act(Noop(seconds=0.1))
    assert observation.dialog is None
    assert actor.told("answered at once: after 3 in a row")
    assert (await actor.act(Click(target=ElementRef(selector="button")))).ok


async def test_a_quiet_page_shows_its_next_dialogs(world: BrowserEnvironment, serve: Site) -> None:
    """Three in a row are counted anew once something else is done."""
    actor = InTime(world)
    await actor.opened(serve("<button onclick=\"alert('one more')\">B</button>"))
    for _ in range(5):
        await actor.act(Click(target=ElementRef(selector="button")))
        assert (await actor.observe()).dialog is not None
        assert (await actor.act(AnswerDialog())).ok


# Playwright hands every line from process to process, which costs ten times as much.
@pytest.mark.parametrize("way", ways("selenium"), indirect=True)
async def test_what_a_flood_said_is_counted(world: BrowserEnvironment, serve: Site) -> None:
    actor = InTime(world)
    await actor.opened(serve(flood("console.log('line ' + (window.said = (window.said ?? 0) + 1))")))
    observation = await actor.observe()
    said = [message for message in observation.messages if message.kind == "console"]
    assert said[0].text == "line 1"
    while not actor.told("more of these were left out"):
        await actor.act(Noop(seconds=0.2))
        await actor.observe()
    assert len(said) <= 201


@pytest.mark.thorough
async def test_a_server_that_takes_its_time(world: BrowserEnvironment, serve: Site) -> None:
    released = Event()

    def answer(_: str) -> Answer:
        released.wait(60)
        return 200, {}, b""

    world.patience = Patience(deadline=6.0, navigation=3.0)
    actor = InTime(world)
    serve(PLAIN, "/plain")
    serve(answer, "/slow")
    await actor.opened(f"{serve.url}plain")
    result = await actor.act(Goto(url=f"{serve.url}slow"))
    assert "did not answer within 3 s" in result.error
    assert (await actor.observe()).condition == "loading"
    await actor.act(Click(target=ElementRef(selector="button")))
    assert (await actor.act(Goto(url=f"{serve.url}plain"))).ok
    released.set()


@pytest.mark.parametrize("way", ways("selenium"), indirect=True)
async def test_a_page_that_says_much_at_once_is_no_flood(world: BrowserEnvironment, serve: Site) -> None:
    """It keeps its tab with its history, and what it says afterwards is heard."""
    actor = InTime(world)
    serve(PLAIN, "/plain")
    pictures = "".join(f"<img src=/{number}.png>" for number in range(700))
    burst = page(
        "for (let i = 0; i < 700; i++) console.log('line', i); document.title = 'burst'",
        f"<button id=last onclick=\"console.error('the last word')\">C</button>{pictures}",
    )
    await actor.opened(f"{serve.url}plain")
    await actor.act(Goto(url=serve(burst)))
    await actor.observe()
    clicked = await actor.act(Click(target=ElementRef(selector="#last")))
    assert clicked.ok, clicked.error
    async with asyncio.timeout(actor.seconds):
        while not actor.told("the last word"):
            await actor.act(Noop(seconds=0.1))
            await actor.observe()
    assert (await actor.act(Goto(url=f"{serve.url}plain"))).ok
    assert (await actor.act(Back())).ok
    observation = await actor.observe()
    assert not actor.told("gave way")
    assert not actor.told("was stopped")
    assert (observation.condition, observation.title) == ("ok", "burst")
