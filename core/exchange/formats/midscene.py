"""Midscene's reports: an HTML page that holds its data, or the data alone; a report is an episode.

{`groupName`, `sdkVersion`, `executions` [{`name`, `logTime`, `tasks` [{`type` Planning, Insight,
Action Space, `subType` Plan, Locate, Tap, Input, `status`, `param`, `output`, `error`, `timing` {start,
end (ms)}, `usage`, `uiContext` {screenshot}, `recorder` [{screenshot}]}]}]}; pictures stand beside it by
their ids. A step is an action, with the planning and locating before it: what they said, what they took. In
an HTML report scripts of type `midscene_web_dump` are the data, of which later ones tell the same execution
further, and those of type `midscene-image` the pictures; "<" and ">" are written as words. Nothing of the
page is run.

Defined by web-infra-dev/midscene `packages/core/src/types.ts` and `packages/core/src/utils.ts`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Literal

from webbench.core.action.action import Action, Click, ElementRef, Hover, Press, Scroll, Type
from webbench.core.errors import BadData
from webbench.core.exchange.account.source_shape import Shape
from webbench.core.exchange.account.tally import Lost
from webbench.core.exchange.conversation.spoken_turn import AGENT, OF_MESSAGE, Call, Result, Turn
from webbench.core.exchange.conversation.steps_of_turns import ends_answered, steps_of, told_by_turns
from webbench.core.exchange.episode_building import RECORD_ENDS, STOPPED, foreign_header, text_of
from webbench.core.exchange.foreign_terms import recorded_score
from webbench.core.exchange.import_format import Claim, ImportedEpisode, MadeBy, Picture
from webbench.core.exchange.place import Place
from webbench.core.exchange.reading.picture_bytes import picture_of_base64
from webbench.core.exchange.reading.points_in_time import utc
from webbench.core.json_types import Json, JsonObject, objects_in
from webbench.core.observation import Box, Observation
from webbench.core.task import Task

MIDSCENE = "midscene"
MOST_TASKS = 20_000
DUMPS, IMAGES = "midscene_web_dump", "midscene-image"
_SCRIPT = re.compile(
    rf'<script\b([^<>]{{0,2000}}?type="(?:{DUMPS}|{IMAGES})"[^<>]{{0,2000}})>(.*?)</script>', re.DOTALL
)
_NAMED = re.compile(r'data-id="([^"<>]{1,200})"')
_ACTION_SPACE = ("Action Space", "Action")
_USAGE = {
    "prompt_tokens": "prompt_tokens",
    "completion_tokens": "completion_tokens",
    "cached_input": "cached_tokens",
}
_PICTURES = frozenset({"screenshot", "screenshotBase64", "recorder"})
_VALUES = Shape({})


class Midscene:
    name = MIDSCENE
    title = "Midscene reports (HTML, JSON)"
    looks_like = (
        "HTML with scripts of type midscene_web_dump, or JSON of dump: sdkVersion, groupName, executions "
        "with tasks, images"
    )

    def claim(self, place: Place) -> Claim | None:
        if place.has_text('"executions"', '"groupName"') or place.has_text('"sdkVersion"', '"groupName"'):
            return Claim(sure=0.9)
        page = place.name.lower().endswith((".html", ".htm"))
        return Claim(sure=0.9) if page and b"idscene" in place.head + place.tail else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        report, images = _report(place)
        yield _episode(report, images, place)


def create() -> Midscene:
    """The entry point."""
    return Midscene()


def _report(place: Place) -> tuple[JsonObject, JsonObject]:
    """The data of a report, and its pictures by id. Raises `BadData` where the file holds none."""
    if place.head.lstrip()[:1] == b"{":
        whole = place.json()
        held = whole.get("dump", whole) if isinstance(whole, dict) else None
        images = whole.get("images") if isinstance(whole, dict) else None
        if not isinstance(held, dict) or not isinstance(held.get("executions"), list):
            raise BadData(f'{place} holds no list "executions"')
        return held, images if isinstance(images, dict) else {}
    found: JsonObject = {}
    pictures: JsonObject = {}
    executions: dict[tuple[str, str, str, int], Json] = {}
    for attributes, held_text in _SCRIPT.findall(place.text()):
        text = held_text.strip().replace("__midscene_lt__", "<").replace("__midscene_gt__", ">")
        named = _NAMED.search(attributes)
        if IMAGES in attributes:
            if named is not None and text.startswith("data:"):
                pictures[named[1]] = text
        elif text.startswith("{"):  # the page's own program has such tags too
            dump = _object(place.json_of(text))
            found |= dump
            _take_executions(dump, executions)
    if not executions:
        raise BadData(f"{place} is a page of Midscene's without a report in it")
    return {**found, "executions": list(executions.values())}, pictures


def _take_executions(dump: JsonObject, known: dict[tuple[str, str, str, int], Json]) -> None:
    """Add what a script tells; what tells an execution further takes the place of what was told of it.

    It is the same by its id, else by group, name, and when its first task began, which may not be told yet;
    of several alike in one script each is its own.
    """
    group = text_of(dump.get("groupName"))
    alike: Counter[tuple[str, str, str]] = Counter()
    for one in objects_in(dump.get("executions")):
        named, tasks = text_of(one.get("id")), objects_in(one.get("tasks"))
        began = text_of(_object(tasks[0].get("timing")).get("start")) if tasks and not named else ""
        key = named or group, "" if named else text_of(one.get("name")), began
        if began:
            known.pop((*key[:2], "", alike[*key[:2], ""]), None)
            alike[*key[:2], ""] += 1
        known[*key, alike[key]] = one
        alike[key] += 1


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _episode(report: JsonObject, images: JsonObject, place: Place) -> ImportedEpisode:
    lost = place.tally.losses()
    reading = _Reading(images, lost)
    executions = objects_in(report["executions"])
    for one in executions:
        reading.execution(one)
    turns = reading.turns
    reading.tell_unused()
    place.tally.read(_without_pictures(report), _VALUES)
    answered = ends_answered(turns)
    header = foreign_header(
        Task(
            benchmark=MIDSCENE,
            name=text_of(report.get("groupName")) or place.path.stem,
            intent="\n".join(dict.fromkeys(reading.asked)),
        ),
        next((turn.model for turn in turns if turn.model), "") or MIDSCENE,
        score=recorded_score(None, "", "a report has no verdict on the task"),
        end_reason=STOPPED if answered else RECORD_ENDS,
        settings={MIDSCENE: {name: one for name, one in report.items() if name != "executions"}},
    )
    header = told_by_turns(header, turns, place.tally)
    steps = steps_of(turns, MIDSCENE, place.tally, lost, answered=answered, understand=_understood)
    made = MadeBy(tool=MIDSCENE, version=text_of(report.get("sdkVersion")))
    return ImportedEpisode(header, steps, lost, made_by=made)


def _without_pictures(value: Json) -> Json:
    """A report's values without references to pictures, which are told by the pictures."""
    if isinstance(value, list):
        return [_without_pictures(one) for one in value]
    if isinstance(value, dict):
        return {name: _without_pictures(one) for name, one in value.items() if name not in _PICTURES}
    return value


class _Reading:
    """Tasks as turns: what was planned and located waits for the action that it was for."""

    def __init__(self, images: JsonObject, lost: Lost) -> None:
        self.turns: list[Turn] = []
        self.asked: list[str] = []
        self._images, self._lost = images, lost
        self._used: set[str] = set()
        self._count = 0

    def execution(self, one: JsonObject) -> None:
        about = {name: _without_pictures(held) for name, held in one.items() if name != "tasks"}
        tasks = objects_in(one.get("tasks"))
        self._count += len(tasks)
        if self._count > MOST_TASKS:
            raise BadData(f"the report has more than {MOST_TASKS:,} tasks")
        asked = next((_asked(task) for task in tasks if _asked(task)), "") or text_of(one.get("name"))
        self.asked.append(asked)
        began = utc(_object(tasks[0].get("timing")).get("start")) if tasks else ""
        turn = Turn(
            speaker="user", text=asked, at=began or utc(one.get("logTime")), rest={"execution": about}
        )
        first = self._picture(_object(tasks[0].get("uiContext"))) if tasks else None
        if first is not None:
            turn.results.append(Result(picture=first, rest=dict(OF_MESSAGE)))
        self.turns.append(turn)
        waiting: list[JsonObject] = []
        for task in tasks:
            waiting.append(task)
            if task.get("type") in _ACTION_SPACE:
                self._add(waiting, task)
                waiting = []
        if waiting:
            self._add(waiting, None)

    def _add(self, tasks: list[JsonObject], acted: JsonObject | None) -> None:
        said = [words for task in tasks if task is not acted and (words := _words(task.get("output")))]
        turn = Turn(
            speaker=AGENT,
            text="\n".join(said),
            reasoning="\n".join(filter(None, (text_of(task.get("thought")) for task in tasks))),
            rest={"tasks": [_without_pictures(task) for task in tasks]},
        )
        timings = [_object(task.get("timing")) for task in tasks]
        turn.at = utc(timings[0].get("start"))
        turn.seconds = sum(
            _seconds(one) for task, one in zip(tasks, timings, strict=True) if task is not acted
        )
        for task in tasks:
            usage = _object(task.get("usage"))
            turn.model = turn.model or text_of(usage.get("model_name"))
            for theirs, ours in _USAGE.items():
                if isinstance(usage.get(theirs), int) and not isinstance(usage[theirs], bool):
                    turn.usage[ours] = turn.usage.get(ours, 0) + usage[theirs]
        failed = next(
            (
                text_of(task.get("errorMessage") or task.get("error"))
                for task in tasks
                if task.get("status") == "failed"
            ),
            "",
        )
        last = tasks[-1]
        result = Result(error=failed or ("it failed" if last.get("status") == "failed" else ""))
        for task in tasks:
            for one in objects_in(task.get("recorder")):
                before = result.picture
                result.picture = self._picture(one) or before
                result.pictures += before is not None and result.picture is not before
        if acted is not None:
            named = text_of(acted.get("subType")) or "action"
            turn.calls = [Call(name=named, arguments=_without_pictures(acted.get("param")), id="")]
            result.text = _words(acted.get("output"))
        if result.text or result.error or result.picture is not None:
            turn.results.append(result)
        self.turns.append(turn)

    def _picture(self, holder: JsonObject) -> Picture | None:
        """The picture that a task names, the first time that it is named."""
        given = holder.get("screenshot") or holder.get("screenshotBase64")
        if isinstance(given, str):
            return picture_of_base64(given, self._lost)
        named = text_of(_object(given).get("id"))
        if not named or named in self._used:
            return None
        self._used.add(named)
        held = self._images.get(named)
        if not isinstance(held, str):
            self._lost.has("pictures")
            self._lost.lose("pictures", "a picture that is not in the report's file")
            return None
        return picture_of_base64(held, self._lost)

    def tell_unused(self) -> None:
        left = len(self._images.keys() - self._used)
        self._lost.has("pictures", left)
        self._lost.lose("pictures", f"pictures that no action's task names: {left}", left)


def _asked(task: JsonObject) -> str:
    param = _object(task.get("param"))
    return text_of(param.get("userInstruction") or param.get("userPrompt"))


def _seconds(timing: JsonObject) -> float:
    cost = timing.get("cost")
    return (
        cost / 1000
        if isinstance(cost, int | float) and not isinstance(cost, bool) and 0 < cost < 1e9
        else 0.0
    )


def _words(output: Json) -> str:
    """What a task said: its log where it has one, a text as it is, "" for what stands in the rest alone."""
    if isinstance(output, dict):
        return text_of(output.get("log")) or text_of(output.get("thought"))
    return output if isinstance(output, str) else ""


def _understood(call: Call, _page: Observation | None) -> Action | None:
    """Midscene's actions on what it located, by its description and its place."""
    given = _object(call.arguments)
    target = _located(given.get("locate"))
    button: Literal["left", "right"] = "right" if call.name == "RightClick" else "left"
    match call.name:
        case "Tap" | "Click" | "RightClick" | "DoubleClick" if target is not None:
            return Click(target=target, button=button, count=2 if call.name == "DoubleClick" else 1)
        case "Hover" if target is not None:
            return Hover(target=target)
        case "Input":
            text, mode = text_of(given.get("value")), given.get("mode")
            return Type(target=target, text="" if mode == "clear" else text, clear=mode != "typeOnly")
        case "KeyboardPress" if given.get("keyName"):
            return Press(keys=text_of(given["keyName"]), target=target)
        case "Scroll":
            return _scrolled(given, target)
    return None


def _located(given: Json) -> ElementRef | None:
    held = _object(given)
    rect = _object(held.get("rect"))
    sides = [rect.get(name) for name in ("left", "top", "width", "height")]
    numbers = [float(one) for one in sides if isinstance(one, int | float) and abs(one) < 1e6]
    box = Box(*numbers) if len(numbers) == 4 else None
    name = text_of(held.get("description") or held.get("prompt"))
    return ElementRef(name=name, box=box) if name or box is not None else None


def _scrolled(given: JsonObject, target: ElementRef | None) -> Action | None:
    """By pixels where a distance is given; to an end is no distance, and stays words."""
    distance = given.get("distance")
    if not isinstance(distance, int | float) or isinstance(distance, bool) or not 0 < distance < 1e6:
        return None
    x, y = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}.get(
        text_of(given.get("direction")) or "down", (0, 0)
    )
    return Scroll(dx=x * distance, dy=y * distance, unit="pixels", target=target) if x or y else None
