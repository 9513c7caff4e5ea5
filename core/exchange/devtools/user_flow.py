"""User flows that Chrome DevTools' Recorder exports as JSON, and that `@puppeteer/replay` replays.

{`title`, `timeout`, `steps`: [{`type`, `selectors`, `target`, `offsetX`, `offsetY`, `value`, `key`,
`url`, `assertedEvents`: [{type: navigation, url, title}]}]}. Selectors are alternatives for one
element; an alternative is a text or a list of texts, of which the last is the element and those before
are the shadow roots around it. Prefixes: `aria/`, `xpath/`, `text/`, `pierce/`, else CSS. A flow has no
times, no pages and no result. Expressions in it are JavaScript, which is kept as text and never run.

Defined by puppeteer/replay, `src/Schema.ts`. An imported flow is an episode like any other: the agent
`replay` repeats it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

from webbench.core.action.action import (
    Action,
    Button,
    Click,
    CloseTab,
    ElementRef,
    Goto,
    Hover,
    KeyDown,
    KeyUp,
    Scroll,
    Type,
)
from webbench.core.errors import BadData
from webbench.core.exchange.account.recorded_counts import count_imported
from webbench.core.exchange.account.source_shape import Frame, Shape
from webbench.core.exchange.account.tally import Lost
from webbench.core.exchange.episode_building import (
    foreign_header,
    lose_action,
    numbered,
    object_in,
    origin_told,
    text_of,
)
from webbench.core.exchange.foreign_terms import recorded_score
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedStep
from webbench.core.exchange.own.carried_fields import (
    OWN,
    header_with,
    made_by_ours,
    own_in,
    own_score,
    steps_with,
    tells_record,
)
from webbench.core.exchange.place import Place
from webbench.core.json_types import Json, JsonObject
from webbench.core.observation import Observation, Viewport
from webbench.core.task import Task
from webbench.core.trajectory import HUMAN, Step

RECORDER = "devtools-recorder"
SETTINGS = frozenset({"setViewport", "emulateNetworkConditions"})
"""Steps that set something up; before the first other one they belong to the start."""
WAITS = frozenset({"waitForElement", "waitForExpression", "customStep"})
"""Steps in which nobody acts."""
_TYPES = re.compile(
    rb'"type"\s*:\s*"(setViewport|navigate|click|doubleClick|hover|change|keyDown|keyUp|scroll|close|'
    rb'emulateNetworkConditions|waitForElement|waitForExpression|customStep)"'
)
_BUTTONS: dict[str, Button] = {"secondary": "right", "auxiliary": "middle"}
_ARIA = re.compile(r'(.*?)(?:\[role="([^"]*)"\])?', re.DOTALL)
_SHAPE = Shape({OWN: Frame()})


class UserFlow:
    name = RECORDER
    title = "Chrome DevTools Recorder user flows"
    looks_like = "a JSON object of title, steps with type navigate, click, change, selectors, assertedEvents"

    def claim(self, place: Place) -> Claim | None:
        if not place.name.endswith(".json") or _TYPES.search(place.head) is None:
            return None
        if place.has_text('"steps"'):
            return Claim(sure=0.8)
        alone = place.head.lstrip().startswith(b"{") and place.has_text('"type"')
        return Claim("refused", "one step of a user flow, and no flow", sure=0.3) if alone else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        flow = object_in(place)
        listed = flow.get("steps")
        if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
            raise BadData(f"{place} holds no list of steps")
        place.tally.read(flow, _SHAPE)
        lost = place.tally.losses()
        title, own = text_of(flow.get("title")), own_in(flow)
        header = foreign_header(
            Task(
                benchmark=RECORDER,
                name=title or place.path.stem,
                intent=title,
                site=next((text_of(one.get("url")) for one in listed if one.get("type") == "navigate"), ""),
            ),
            HUMAN,
            score=own_score(own, lost) or recorded_score(None, "", "a user flow has no result"),
            settings={
                RECORDER: {name: value for name, value in flow.items() if name not in ("steps", OWN)},
                **origin_told(own, RECORDER if tells_record(own) else ""),
            },
        )
        header = header_with(header, own, lost) if own else header
        count_imported(place.tally, header)
        steps = _counted(place, numbered(_steps(listed, lost)))
        yield ImportedEpisode(header, steps_with(steps, own, lost), lost, made_by=made_by_ours(own))


def create() -> UserFlow:
    """The entry point."""
    return UserFlow()


def _counted(place: Place, steps: Iterator[ImportedStep]) -> Iterator[ImportedStep]:
    for one in steps:
        count_imported(place.tally, one)
        yield one


def _steps(listed: list[JsonObject], lost: Lost) -> Iterator[ImportedStep]:
    first = next((at for at, one in enumerate(listed) if one.get("type") not in SETTINGS), len(listed))
    before = listed[:first]
    source = {"format": RECORDER, "before": before}
    yield ImportedStep(Step(index=0, at="", actor="operator", source=source), _viewport(before))
    scrolled = (0.0, 0.0)
    for one in listed[first:]:
        kind = text_of(one.get("type"))
        action = _action(kind, one)
        if kind == "navigate":
            scrolled = (0.0, 0.0)
        elif kind == "scroll" and (to := _place(one)) is not None:
            # A flow tells where it was scrolled to, an action by how much.
            target = element_of(one)
            start = scrolled if target is None else (0.0, 0.0)
            action = Scroll(dx=to[0] - start[0], dy=to[1] - start[1], target=target)
            scrolled = to if target is None else scrolled
        if action is None and kind not in SETTINGS | WAITS:
            lost.has("actions")
            lose_action(lost, kind)
        url, title = _arrived(one)
        yield ImportedStep(
            Step(
                index=0,
                at="",
                actor="human" if kind not in SETTINGS | WAITS else "operator",
                text=_words(kind, one),
                action=action,
                url=url,
                title=title,
                source={"format": RECORDER, "rest": one},
            )
        )


def _place(step: JsonObject) -> tuple[float, float] | None:
    """Where a scroll ends, in pixels from the top left of what is scrolled."""
    to = [step.get(name, 0) for name in ("x", "y")]
    known = all(isinstance(one, int | float) and not isinstance(one, bool) and abs(one) < 1e9 for one in to)
    return (float(to[0]), float(to[1])) if known else None


def _viewport(before: list[JsonObject]) -> Observation | None:
    """Of a page of which nothing but the window is known."""
    for one in before:
        width, height, scale = (one.get(name) for name in ("width", "height", "deviceScaleFactor"))
        if isinstance(width, int) and isinstance(height, int) and 0 < min(width, height) < 100_000:
            ratio = float(scale) if isinstance(scale, int | float) and 0 < scale < 100 else 1.0
            view = Viewport(width=min(width, 99_999), height=min(height, 99_999), device_pixel_ratio=ratio)
            return Observation(viewport=view)
    return None


def _words(kind: str, step: JsonObject) -> str:
    told: JsonObject = {
        name: step[name] for name in ("url", "value", "key", "x", "y", "expression", "name") if name in step
    }
    alternatives = _alternatives(step.get("selectors"))
    if alternatives:
        told["selector"] = alternatives[0][-1]
    return f"{kind}({json.dumps(told, ensure_ascii=False) if told else ''})"


def _arrived(step: JsonObject) -> tuple[str, str]:
    """Address and title of the page that the step led to, "" where nothing is asserted."""
    events = step.get("assertedEvents")
    for event in events if isinstance(events, list) else ():
        if isinstance(event, dict) and event.get("type") == "navigation":
            return text_of(event.get("url")), text_of(event.get("title"))
    return "", ""


def _alternatives(selectors: Json) -> list[list[str]]:
    """Each as its parts, from the outermost root to the element."""
    found = []
    for one in selectors if isinstance(selectors, list) else ():
        parts = one if isinstance(one, list) else [one]
        if parts and all(isinstance(part, str) and part for part in parts):
            found.append(parts)
    return found


def element_of(step: JsonObject) -> ElementRef | None:
    """The element that a step's selectors name: by role and name, by CSS, by XPath; None without any."""
    role = name = selector = path = ""
    for parts in _alternatives(step.get("selectors")):
        last = parts[-1]
        kind, _, rest = last.partition("/")
        if kind == "aria" and not name:
            aria = _ARIA.fullmatch(rest)
            name, role = (aria[1], aria[2] or "") if aria else (rest, "")
        elif kind == "text" and not name:
            name = rest
        elif kind == "xpath" and not path:
            path = rest
        elif kind == "pierce" and not selector:
            selector = rest
        elif kind not in ("aria", "text", "xpath", "pierce") and not selector:
            selector = last
    if not (name or selector or path):
        return None
    target = text_of(step.get("target"))
    return ElementRef(
        role=role, name=name, selector=selector, path=path, frame_url="" if target == "main" else target
    )


def _action(kind: str, step: JsonObject) -> Action | None:
    build = _BUILDERS.get(kind)
    return build(step, element_of(step)) if build is not None else None


def _click(count: int) -> Callable[[JsonObject, ElementRef | None], Action | None]:
    def built(step: JsonObject, target: ElementRef | None) -> Action | None:
        button = _BUTTONS.get(text_of(step.get("button")), "left")
        return Click(target=target, button=button, count=count) if target is not None else None

    return built


_BUILDERS: dict[str, Callable[[JsonObject, ElementRef | None], Action | None]] = {
    "navigate": lambda step, _: Goto(url=text_of(step.get("url"))),
    "click": _click(1),
    "doubleClick": _click(2),
    "hover": lambda _, target: Hover(target=target) if target is not None else None,
    "change": lambda step, target: Type(target=target, text=text_of(step.get("value"))) if target else None,
    "keyDown": lambda step, _: KeyDown(key=text_of(step.get("key"))),
    "keyUp": lambda step, _: KeyUp(key=text_of(step.get("key"))),
    "close": lambda _step, _target: CloseTab(),
}
