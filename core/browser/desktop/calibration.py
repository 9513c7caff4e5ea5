"""From points of a page to pixels of the display, measured with the pointer itself.

What lies between the two is not to be had from any one number: where the window is, how high the browser's
own bars are, the page's zoom, the display's scale, an emulated pixel ratio that scales nothing. So the
pointer is moved to two places and the page's own events say where that was.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence

import msgspec

from webbench.core.browser.desktop.hand import Hand
from webbench.core.browser.driver import CdpSession
from webbench.core.browser.seeing.isolated_world import ask, isolated
from webbench.core.errors import ActionFailed
from webbench.core.json_types import Json

WORLD = "webbench-desktop"
PROBE_SECONDS = 0.5
PROBE_PAUSE = 0.01
MOST_KNOWN = 100

_OPEN_PLACES = """(() => {
  const places = [[.2, .2], [.8, .8], [.2, .8], [.8, .2], [.5, .1], [.5, .9], [.1, .5], [.9, .5], [.5, .5]];
  const hits = (x, y) => document.elementFromPoint(x, y);
  return places.map(([across, down]) => [Math.round(innerWidth * across), Math.round(innerHeight * down)])
    .filter(([x, y]) => !/^(IFRAME|FRAME|OBJECT|EMBED)$/.test(hits(x, y)?.tagName ?? ''));
})()"""

_LISTEN = """(() => {
  globalThis.pointed = null;
  const see = (event) => { if (event.isTrusted) pointed = [event.clientX, event.clientY]; };
  globalThis.listening = new AbortController();
  addEventListener('pointermove', see, { capture: true, passive: true, signal: listening.signal });
})()"""

_METRICS = """[screenX, screenY, outerWidth, outerHeight, innerWidth, innerHeight, devicePixelRatio,
  visualViewport ? visualViewport.scale : 1]"""


class Metrics(msgspec.Struct, frozen=True, array_like=True):
    """What a page knows of its window; where none of it changed, an earlier measurement holds.

    Attributes:
        screen_x, screen_y, outer_width, outer_height: of the window, in units of the desktop.
        inner_width, inner_height: of the page, in CSS px.
        ratio: device pixels per CSS px, with zoom, real or emulated.
        pinch: scale of the visual viewport.
    """

    screen_x: float
    screen_y: float
    outer_width: float
    outer_height: float
    inner_width: float
    inner_height: float
    ratio: float
    pinch: float


class Mapping(msgspec.Struct, frozen=True):
    """pixel = offset + scale * CSS px, for each axis.

    Attributes:
        measured: False where no event of the page confirmed it.
    """

    offset_x: float
    offset_y: float
    scale_x: float
    scale_y: float
    measured: bool = True

    def pixel(self, x: float, y: float) -> tuple[int, int]:
        """The pixel nearest to a point of the page."""
        across = self.offset_x + self.scale_x * x
        down = self.offset_y + self.scale_y * y
        return math.floor(across + 0.5), math.floor(down + 0.5)

    def moved(self, before: Metrics, now: Metrics) -> Mapping:
        """The mapping of the same window elsewhere on the desktop."""
        unit = self.scale_x * before.inner_width / max(before.outer_width, 1.0)
        x, y = now.screen_x - before.screen_x, now.screen_y - before.screen_y
        return msgspec.structs.replace(
            self, offset_x=self.offset_x + unit * x, offset_y=self.offset_y + unit * y, measured=False
        )


class Known:
    """What was measured of one display: the same window in the same place needs no second look."""

    def __init__(self) -> None:
        self._mappings: dict[Metrics, Mapping] = {}

    def of(self, metrics: Metrics) -> Mapping | None:
        return self._mappings.get(metrics)

    def like(self, metrics: Metrics) -> Mapping | None:
        """From a window that differs only in its place."""
        for before, mapping in self._mappings.items():
            there = msgspec.structs.replace(before, screen_x=metrics.screen_x, screen_y=metrics.screen_y)
            if there == metrics:
                return mapping.moved(before, metrics)
        return None

    def learn(self, metrics: Metrics, mapping: Mapping) -> None:
        """Keep a measurement; the oldest gives way."""
        self._mappings[metrics] = mapping
        if len(self._mappings) > MOST_KNOWN:
            del self._mappings[next(iter(self._mappings))]


def guesses(metrics: Metrics) -> list[Mapping]:
    """Where the page should be: below the window's bars, over its whole width, at the likely scales."""
    zoom = metrics.outer_width / max(metrics.inner_width, 1.0)
    found = []
    for unit in dict.fromkeys((metrics.ratio / zoom, 1.0)):
        scale = zoom * unit
        bars = metrics.outer_height * unit - metrics.inner_height * scale
        left, top = metrics.screen_x * unit, metrics.screen_y * unit + bars
        found.append(Mapping(left, top, scale, scale, measured=False))
    return found


class PageEyes:
    """Questions to the main frame of a tab, in a world that its page can't reach."""

    def __init__(self, session: CdpSession) -> None:
        self._session = session
        self._world = ""

    async def metrics(self) -> Metrics:
        """Raises `ActionFailed` where the page does not answer as pages do."""
        try:
            return msgspec.convert(await self.evaluate(_METRICS), Metrics)
        except msgspec.ValidationError as error:
            raise ActionFailed("the page's window has no size", "reload the page") from error

    async def evaluate(self, expression: str) -> Json:
        """Value of an expression. The world lasts as long as its document; then there is a new one."""
        if self._world:
            try:
                return await self._value(expression)
            except ActionFailed:
                self._world = ""
        self._world = (await isolated(self._session, WORLD)).root
        return await self._value(expression)

    async def _value(self, expression: str) -> Json:
        answer = await ask(self._session, self._world, expression)
        return answer.get("result", {}).get("value")


async def calibrate(eyes: PageEyes, hand: Hand, metrics: Metrics) -> Mapping:
    """Move the pointer over the page and see what arrives there.

    Falls back to a guess, `measured` False, where the page is all foreign frames and tells nothing.
    """
    places = msgspec.convert(await eyes.evaluate(_OPEN_PLACES) or [], list[tuple[int, int]])
    await eyes.evaluate(_LISTEN)
    try:
        for guess in guesses(metrics):
            seen = await _probes(eyes, hand, guess, places)
            if len(seen) == 2:
                return _fitted(seen)
    finally:
        await eyes.evaluate("globalThis.listening?.abort()")
    return guesses(metrics)[0]


Pair = tuple[tuple[int, int], tuple[float, float]]


async def _probes(
    eyes: PageEyes, hand: Hand, guess: Mapping, places: Sequence[tuple[int, int]]
) -> list[Pair]:
    """Two pairs of a pixel and the point that the page saw there, apart from each other on both axes."""
    seen: list[Pair] = []
    for place in places:
        if any(abs(place[0] - x) < 8 or abs(place[1] - y) < 8 for _, (x, y) in seen):
            continue
        pixel = guess.pixel(*place)
        if (point := await _probe(eyes, hand, pixel)) is None:
            continue
        seen.append((pixel, point))
        if len(seen) == 2:
            break
    return seen


async def _probe(eyes: PageEyes, hand: Hand, pixel: tuple[int, int]) -> tuple[float, float] | None:
    """What the page says of the pointer at this pixel; None where it saw nothing."""
    x, y = pixel
    if not (0 < x < hand.about.width - 1 and 0 < y < hand.about.height - 1):
        return None
    await eyes.evaluate("globalThis.pointed = null")
    await hand.order("move", x=x + 1, y=y)
    if (beside := await _seen(eyes, None)) is None:
        return None
    await hand.order("move", x=x, y=y)
    return await _seen(eyes, beside)


async def _seen(eyes: PageEyes, before: tuple[float, float] | None) -> tuple[float, float] | None:
    """The next point that the page tells, None where none comes: events arrive late, but in order."""
    deadline = asyncio.get_running_loop().time() + PROBE_SECONDS
    while asyncio.get_running_loop().time() < deadline:
        point = msgspec.convert(await eyes.evaluate("globalThis.pointed"), tuple[float, float] | None)
        if point not in (None, before):
            return point
        await asyncio.sleep(PROBE_PAUSE)
    return None


def _fitted(seen: list[Pair]) -> Mapping:
    (((x1, y1), (a1, b1)), ((x2, y2), (a2, b2))) = seen
    scale_x, scale_y = (x2 - x1) / (a2 - a1), (y2 - y1) / (b2 - b1)
    return Mapping(x1 - scale_x * a1, y1 - scale_y * b1, scale_x, scale_y)
