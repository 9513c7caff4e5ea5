"""A standalone Playwright trace, without an agent's own record: one episode of the API calls in it.

Each call that does something is a step; the picture is the screencast's last frame before the next one, the
HTML the snapshot after it. Which task it was, and who acted, a trace doesn't tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from webbench.core.action.action import (
    Action,
    Back,
    Check,
    Click,
    ClickAt,
    CloseTab,
    ElementRef,
    Forward,
    Goto,
    Hover,
    HoverAt,
    NewTab,
    Press,
    Reload,
    Scroll,
    Select,
    Type,
)
from webbench.core.errors import BadData
from webbench.core.exchange.account.tally import Lost, Tally
from webbench.core.exchange.episode_building import foreign_header, numbered, text_of
from webbench.core.exchange.foreign_terms import recorded_score
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedStep, MadeBy, Picture
from webbench.core.exchange.place import Place
from webbench.core.exchange.playwright.dom_snapshots import TooLarge
from webbench.core.exchange.playwright.trace import Call, Trace, is_trace, picture_of, read_trace
from webbench.core.exchange.reading.archive import Archive, is_zip
from webbench.core.json_types import JsonObject, number_of
from webbench.core.task import Task
from webbench.core.trajectory import Seconds, Step


class PlaywrightTrace:
    name = "playwright-trace"
    title = "Playwright traces (trace.zip)"
    looks_like = "a zip of Playwright with trace.trace, trace.network and resources"

    def claim(self, place: Place) -> Claim | None:
        if not is_zip(place):
            return None
        try:
            with Archive(place) as archive:
                return Claim("episodes", sure=0.9) if is_trace(archive) else None
        except BadData as error:
            return Claim("refused", str(error), sure=0.1)

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        with Archive(place) as archive:
            trace = read_trace(archive)
            lost = place.tally.losses()
            lost += [f"left out of the trace: {what}" for what in trace.lost]
            count_trace(archive, trace, place.tally)
            header = foreign_header(
                Task(benchmark="playwright", name=place.path.stem),
                "playwright",
                score=recorded_score(None, "", "a trace tells no score"),
                settings={"browser": trace.browser},
            )
            header = msgspec.structs.replace(header, started=trace.started, ended=trace.ended)
            made = MadeBy(tool="playwright", format_version=f"{trace.version}" if trace.version else "")
            yield ImportedEpisode(header, numbered(_steps(archive, trace, lost)), lost, made_by=made)


def count_trace(archive: Archive, trace: Trace, tally: Tally) -> None:
    """What a trace has, from its lines and its list of entries."""
    acting = sum(call.method in _CALLS for call in trace.calls)
    tally.count("episodes")
    tally.count("steps", acting)
    tally.count("actions", acting)
    tally.count("messages", len(trace.messages))
    tally.count("exchanges", len(trace.exchanges))
    tally.count("pictures", sum(name.endswith((".jpeg", ".png")) for name in archive.names))
    tally.retold("pictures", "frames of a film: the last one before the next step is kept")
    tally.retold("html", "snapshots before, while and after a call: the one after it is kept")
    tally.retold("times", "start and end of each call are told as a time and spans")


def create() -> PlaywrightTrace:
    """The entry point."""
    return PlaywrightTrace()


def _steps(archive: Archive, trace: Trace, lost: Lost) -> Iterator[ImportedStep]:
    acting = [(call, action) for call in trace.calls if (action := action_of_call(call)) is not None]
    first = acting[0][0].start if acting else float("inf")
    start = Step(index=0, at=trace.started, actor="operator")
    start = msgspec.structs.replace(start, messages=trace.between(0, first))
    yield ImportedStep(start, picture=_picture(archive, trace, first, ""))
    for number, (call, action) in enumerate(acting):
        until = acting[number + 1][0].start if number + 1 < len(acting) else float("inf")
        before = acting[number - 1][0].end if number else call.start
        step = Step(
            index=0,
            at=trace.wall(call.start),
            actor="agent",
            text=call.words,
            action=action,
            ok=not call.error,
            error=call.error,
            url=trace.snapshots.url(f"after@{call.id}"),
            messages=trace.between(call.start, until),
            seconds=Seconds(
                agent=max(0.0, call.start - before) / 1000, environment=max(0.0, call.end - call.start) / 1000
            ),
            evidence=_evidence(trace) if number + 1 == len(acting) else {},
        )
        yield ImportedStep(
            step, picture=_picture(archive, trace, until, call.page), html=_html(trace, call, lost)
        )


def _evidence(trace: Trace) -> JsonObject:
    return {"har_events": [found for _, found in trace.exchanges]} if trace.exchanges else {}


def _picture(archive: Archive, trace: Trace, until: float, page: str) -> Picture | None:
    data = picture_of(archive, trace.frame_at(until, page))
    return Picture(data) if data else None


def _html(trace: Trace, call: Call, lost: Lost) -> str:
    try:
        return trace.snapshots.html(f"after@{call.id}")
    except TooLarge as error:
        lost.lose("html", f"the HTML after {call.words[:60]}: {error}", why="a page too large")
        return ""


def action_of_call(call: Call) -> Action | None:
    """What a call does, None for one that only looks or waits."""
    build = _CALLS.get(call.method)
    return build(call.params) if build else None


def _target(params: JsonObject) -> ElementRef:
    return ElementRef(selector=text_of(params.get("selector")))


def _options(params: JsonObject) -> tuple[str, ...]:
    listed = params.get("options")
    found = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    return tuple(text_of(one.get("label") or one.get("valueOrLabel") or one.get("value")) for one in found)


_CALLS: dict[str, Callable[[JsonObject], Action]] = {
    "goto": lambda params: Goto(url=text_of(params.get("url"))),
    "goBack": lambda _: Back(),
    "goForward": lambda _: Forward(),
    "reload": lambda _: Reload(),
    "newPage": lambda _: NewTab(),
    "close": lambda _: CloseTab(),
    "click": lambda params: Click(target=_target(params)),
    "dblclick": lambda params: Click(target=_target(params), count=2),
    "tap": lambda params: Click(target=_target(params)),
    "hover": lambda params: Hover(target=_target(params)),
    "check": lambda params: Check(target=_target(params)),
    "uncheck": lambda params: Check(target=_target(params), checked=False),
    "fill": lambda params: Type(target=_target(params), text=text_of(params.get("value"))),
    "type": lambda params: Type(target=_target(params), text=text_of(params.get("text")), clear=False),
    "press": lambda params: Press(target=_target(params), keys=text_of(params.get("key"))),
    "selectOption": lambda params: Select(target=_target(params), options=_options(params)),
    "keyboardType": lambda params: Type(text=text_of(params.get("text")), clear=False),
    "keyboardInsertText": lambda params: Type(text=text_of(params.get("text")), clear=False, at_once=True),
    "keyboardPress": lambda params: Press(keys=text_of(params.get("key"))),
    "mouseClick": lambda params: ClickAt(x=number_of(params.get("x")), y=number_of(params.get("y"))),
    "mouseMove": lambda params: HoverAt(x=number_of(params.get("x")), y=number_of(params.get("y"))),
    "mouseWheel": lambda params: Scroll(
        dx=number_of(params.get("deltaX")), dy=number_of(params.get("deltaY"))
    ),
}
