"""Agent Data Protocol (neulab/agent-data-protocol): a JSON list or lines of trajectories.

A trajectory is {id, content, details}; content is a sequence of items told apart by `class_`: api_action
{function, kwargs}, code_action {language, content}, message_action {content}, text_observation {content,
source}, web_observation {html, axtree, url, image_observation, viewport_size}, image_observation {content}.
Every action begins a step; what is observed up to the next belongs to it. The first text of the user is the
task. Our own export is a folder with `trajectories.jsonl` and `images/`.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

import msgspec

from webbench.core.action.action import Action, Say, Stop
from webbench.core.errors import BadData
from webbench.core.exchange.account.source_shape import Both, Frame, Shape, Whole
from webbench.core.exchange.account.tally import Lost, Tally
from webbench.core.exchange.agent_data.actions import action_of_call, call_text
from webbench.core.exchange.episode_building import (
    NO_NODE,
    RECORD_ENDS,
    STOPPED,
    foreign_header,
    lose_action,
    numbered,
    origin_told,
    text_of,
)
from webbench.core.exchange.foreign_terms import recorded_score
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedStep, Picture
from webbench.core.exchange.own.carried_fields import (
    OWN,
    header_with,
    made_by_ours,
    own_in,
    score_with,
    steps_with,
)
from webbench.core.exchange.place import Place
from webbench.core.exchange.reading.json_list import objects
from webbench.core.exchange.reading.tree_text import nodes_of, root_of
from webbench.core.json_types import Json, JsonObject
from webbench.core.observation import Observation, Viewport
from webbench.core.score.score import Score
from webbench.core.task import Task
from webbench.core.trajectory import Step

UNNAMED = "agent-data"
"""The benchmark of trajectories that name none."""
EXPORTED = "trajectories.jsonl"
_ITEMS = ('"api_action"', '"code_action"', '"message_action"', '"text_observation"', '"web_observation"')
_SAMPLES = (".sample_std.json", ".std.jsonl", "_std.jsonl")
_OURS = re.compile(r"(.*)#(\d{1,9})", re.DOTALL | re.ASCII)
_THEIRS = re.compile(r"(.*)__(\d{1,9})", re.DOTALL | re.ASCII)
_DATA_URL = "base64,"
_THOUGHTS = ("reasoning_content", "description")
NO_PICTURE = "a picture that is not with the trajectory, or can't be read"


SHAPE = Shape(
    {
        "": "episodes",
        "content": Frame(),
        "schema_version": Frame(),
        "details.score.value": "scores",
        "details.score.status": "values",
        "details.webbench": Frame(),
    }
)
ITEMS = {
    "text_observation": Shape({"class_": Frame(), "source": Frame(), "reward": "notes", "*": "values"}),
    "api_action": Shape(
        {
            "": Both(("steps", "actions")),
            "class_": Frame(),
            "reasoning_content": Frame(),
            "description": Frame(),
            "reward": "notes",
        }
    ),
    "web_observation": Shape(
        {
            "class_": Frame(),
            "html": "html",
            "axtree": Whole("trees"),
            "image_observation": Whole("pictures"),
            "reward": "notes",
        }
    ),
    "image_observation": Shape({"": Whole("pictures"), "reward": "notes"}),
}
EVERYTHING = Shape({})
ITEMS["message_action"] = ITEMS["code_action"] = ITEMS["api_action"]
"""What an item has, by its class; reasoning stands under two keys and is counted by hand."""
SPEAKERS = ("user", "environment")
"""Of texts, by the protocol."""
LAST_PAGE = "of several pages after one action the last is kept"


class AgentData:
    name = "adp"
    title = "Agent Data Protocol"
    looks_like = "a JSON list or lines of id, content with class_ api_action and web_observation, details"

    def claim(self, place: Place) -> Claim | None:
        if place.is_folder:
            exported = EXPORTED in place.names and _holds_items(place / EXPORTED)
            return Claim(sure=0.9) if exported else None
        return Claim(sure=0.9) if _holds_items(place) else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        file = place / EXPORTED if place.is_folder else place
        for trajectory in trajectories(file):
            yield episode_of(trajectory, file)


def create() -> AgentData:
    """The entry point."""
    return AgentData()


def _holds_items(place: Place) -> bool:
    return place.has_text('"content"', '"class_"') and any(place.has_text(item) for item in _ITEMS)


def trajectories(file: Place) -> Iterator[JsonObject]:
    """The trajectories of a list or of lines. Raises `BadData` where nothing more can be read."""
    if file.head.lstrip().startswith(b"["):
        yield from objects(file)
        return
    for number, line in file.lines():
        if not line.strip():
            continue
        found = file.line_json(number, line)
        if not isinstance(found, dict):
            raise BadData(f"{file}, line {number}, holds no object")
        yield found


def episode_of(trajectory: JsonObject, file: Place) -> ImportedEpisode:
    """A trajectory as an episode. Raises `BadData` where it has no content.

    Args:
        file: where it is from; its images are named from there.
    """
    content = trajectory.get("content")
    if not isinstance(content, list):
        raise BadData(f"{file} holds a trajectory without a list content")
    items = [item for item in content if isinstance(item, dict)]
    details: JsonObject = trajectory["details"] if isinstance(trajectory.get("details"), dict) else {}
    lost = file.tally.losses()
    _count(trajectory, content, file.tally)
    if len(items) < len(content):
        lost.lose("values", "items of the content that are no objects", len(content) - len(items))
    intent = next((text_of(item.get("content")) for item in items if _is_asked(item)), "")
    trees = (text_of(item.get("axtree")) for item in items if item.get("class_") == "web_observation")
    start = next(filter(None, (root_of(tree)[0] for tree in trees)), "")
    identity = text_of(trajectory.get("id"))
    own = own_in(details)
    theirs = {name: one for name, one in details.items() if name != OWN}
    header = foreign_header(
        _task(identity, details, intent, _site(start), file),
        text_of(details.get("actor") or details.get("source")),
        score=score_with(_score(details), own, lost),
        end_reason=text_of(details.get("end_reason")) or (STOPPED if _answers(items) else RECORD_ENDS),
        settings={
            "id": identity,
            **({"details": theirs} if theirs else {}),
            **origin_told({**details, **own}),
        },
    )
    header = header_with(header, own, lost) if own else header
    lost.has("times", bool(header.started) + bool(header.ended))
    steps = steps_with(numbered(_steps(items, file, lost)), own, lost)
    made = msgspec.structs.replace(
        made_by_ours(own), format_version=text_of(trajectory.get("schema_version"))
    )
    return ImportedEpisode(header, steps, lost, made_by=made)


def _count(trajectory: JsonObject, content: Sequence[Json], tally: Tally) -> None:
    """What the source has, item by item."""
    tally.read(trajectory, SHAPE)
    asked = False
    for item in content:
        if not isinstance(item, dict):
            tally.count("values")
            continue
        tally.read(item, ITEMS.get(text_of(item.get("class_")), EVERYTHING))
        tally.count("reasoning", any(item.get(name) for name in _THOUGHTS))
        if item.get("class_") == "text_observation" and item.get("source") not in SPEAKERS:
            tally.notice(
                "a text that doesn't say that it is the user's or the environment's: it is kept as output"
            )
        if _is_asked(item):
            if asked:
                for kind in ("steps", "actions"):
                    tally.count(kind)
            asked = True


def _answers(items: Sequence[JsonObject]) -> bool:
    turns = [item for item in items if _is_turn(item)]
    return bool(turns) and turns[-1].get("class_") == "message_action"


def _is_asked(item: JsonObject) -> bool:
    return item.get("class_") == "text_observation" and item.get("source") == "user"


def _site(address: str) -> str:
    """Scheme and host of an address, "" of anything else."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def _task(identity: str, details: JsonObject, intent: str, site: str, file: Place) -> Task:
    """As the details tell; `<task>__<n>`, in our own export `<task>#<n>`, is the n-th instance of a task."""
    stem = next((file.name.removesuffix(end) for end in _SAMPLES if file.name.endswith(end)), UNNAMED)
    named = text_of(details.get("task")) or identity
    ours, theirs = _OURS.fullmatch(named), _THEIRS.fullmatch(identity)
    found = ours or (theirs if theirs and theirs[1] == named else None)
    return Task(
        benchmark=text_of(details.get("benchmark")) or stem,
        name=found[1] if found else named,
        instance=int(found[2]) if found else None,
        intent=intent,
        site=text_of(details.get("site")) or site,
        split=text_of(details.get("split")),
    )


def _score(details: JsonObject) -> Score:
    given = details.get("score")
    value = given.get("value") if isinstance(given, dict) else None
    if isinstance(given, dict) and isinstance(value, int | float) and not isinstance(value, bool):
        return recorded_score(
            float(value), "the source", text_of(given.get("reason")) or "as the source says"
        )
    return recorded_score(None, "", "the source gives no score")


def _is_turn(item: JsonObject) -> bool:
    """Whether somebody did or said something, rather than something being observed."""
    return text_of(item.get("class_")).endswith("_action") or _is_asked(item)


class _Pending:
    """A step that is not complete before the next action."""

    def __init__(self, step: Step) -> None:
        self.step = step
        self.page: Observation | None = None
        self.picture: Picture | None = None
        self.html = ""

    def imported(self) -> ImportedStep:
        return ImportedStep(self.step, self.page, self.picture, self.html)

    def change(self, **fields: Json) -> None:
        self.step = msgspec.structs.replace(self.step, **fields)


def _steps(items: Sequence[JsonObject], file: Place, lost: Lost) -> Iterator[ImportedStep]:
    pending = _Pending(Step(index=0, at="", actor="operator"))
    asked = False
    page: Observation | None = None
    end = max((number for number, item in enumerate(items) if _is_turn(item)), default=-1)
    for number, item in enumerate(items):
        step = _acted(item, page, number == end, lost)
        if _is_asked(item) and asked:
            said = text_of(item.get("content"))
            step = Step(index=0, at="", actor="operator", text=said, action=Say(text=said))
        if step is not None:
            yield pending.imported()
            pending = _Pending(step)
            continue
        asked = asked or _is_asked(item)
        _observe(pending, item, file, lost)
        page = pending.page or page
    yield pending.imported()


def _acted(item: JsonObject, page: Observation | None, last: bool, lost: Lost) -> Step | None:
    """The step that an action begins, None for an observation."""
    kind, content = item.get("class_"), text_of(item.get("content"))
    action: Action | None = None
    if kind == "api_action":
        arguments = item["kwargs"] if isinstance(item.get("kwargs"), dict) else {}
        function = text_of(item.get("function"))
        action, text = action_of_call(function, arguments, page), call_text(function, arguments)
        if action is None:
            lose_action(lost, function)
    elif kind == "message_action":
        action, text = Stop(answer=content) if last else Say(text=content), content
    elif kind == "code_action":
        text = content
        lost.lose("actions", "code that was run is kept as text")
    else:
        return None
    reasoning = [text_of(item.get(name)) for name in _THOUGHTS]
    return Step(
        index=0,
        at="",
        actor="agent",
        text=text,
        action=action,
        reasoning="\n\n".join(filter(None, reasoning)),
        note=_reward(item),
    )


def _reward(item: JsonObject) -> str:
    return "" if item.get("reward") is None else f"reward {item['reward']}"


def _observe(pending: _Pending, item: JsonObject, file: Place, lost: Lost) -> None:
    """Add what was observed to the step before."""
    kind, content = item.get("class_"), text_of(item.get("content"))
    if note := _reward(item):
        pending.change(note="\n".join(filter(None, (pending.step.note, note))))
    if kind == "web_observation":
        _observe_page(pending, item, file, lost)
    elif kind == "image_observation":
        _take_picture(pending, item, file, lost)
    elif kind == "text_observation" and not _is_asked(item):
        pending.change(output="\n".join(filter(None, (pending.step.output, content))))
    elif kind != "text_observation":
        lost.append(f"an item of the class {text_of(kind)!r}, which we don't know")


def _observe_page(pending: _Pending, item: JsonObject, file: Place, lost: Lost) -> None:
    """A page; one that was seen before it, after the same action, is told where it is replaced."""
    tree, html = text_of(item.get("axtree")), text_of(item.get("html"))
    address, title = root_of(tree)
    url = text_of(item.get("url")) or address
    nodes = nodes_of(tree)
    if tree and not nodes:
        lost.lose("trees", NO_NODE)
    if nodes or item.get("viewport_size"):
        if pending.page is not None and pending.page.nodes:
            lost.lose("trees", LAST_PAGE)
        view = _viewport(item.get("viewport_size"))
        pending.page = Observation(url=url, title=title, nodes=nodes, viewport=view)
    if html and pending.html:
        lost.lose("html", LAST_PAGE)
    pending.html = html or pending.html
    pending.change(url=url or pending.step.url, title=title or pending.step.title)
    _take_picture(pending, item.get("image_observation"), file, lost)


def _take_picture(pending: _Pending, image: Json, file: Place, lost: Lost) -> None:
    found = _picture(image, file, lost)
    if found is not None and pending.picture is not None:
        lost.lose("pictures", LAST_PAGE)
    pending.picture = found or pending.picture


def _viewport(size: Json) -> Viewport:
    numbers = size if isinstance(size, list) and len(size) == 2 else []
    if len(numbers) == 2 and all(isinstance(one, int) and 0 < one < 100_000 for one in numbers):
        return Viewport(width=numbers[0], height=numbers[1])
    return Viewport()


def _picture(image: Json, file: Place, lost: Lost) -> Picture | None:
    """A picture in the trajectory itself, or in a file that is named from the trajectories' folder."""
    content = text_of(image.get("content")) if isinstance(image, dict) else ""
    if not content:
        return None
    try:
        if content.startswith("data:image/"):
            return Picture(base64.b64decode(content.partition(_DATA_URL)[2], validate=True))
        place = file.parent
        for part in content.split("/"):
            place = place / part
        return Picture(place.read())
    except (BadData, binascii.Error, ValueError):
        lost.lose("pictures", NO_PICTURE)
        return None
