"""BrowserGym's observations as JSON, as REAL (AGI SDK) gives them to agents: a file a step.

`NAME_step03.json.gz` is {`goal`, `goal_object`, `task_id`, `chat_messages`, `url`, `open_pages_urls`,
`axtree_object` {nodes of Chromium's accessibility tree}, `dom_object`, `extra_element_properties` {bid: {bbox
[x, y, width, height], clickable}}, `focused_element_bid`, `last_action`, `last_action_error`, `capture`
{captured_at}}; the screenshot beside it is `NAME_step03.png`. An observation tells the action that led to it,
so files of one name are an episode; steps without a file are told. There is no reward, so no score.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from webbench.core.errors import BadData
from webbench.core.exchange.account.source_shape import Again, Both, Frame, Left, Shape, Whole
from webbench.core.exchange.account.tally import Lost
from webbench.core.exchange.episode_building import (
    foreign_header,
    lose_action,
    numbered,
    object_in,
    picture_in,
    text_of,
)
from webbench.core.exchange.foreign_terms import action_of
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedStep
from webbench.core.exchange.place import Place
from webbench.core.exchange.reading.points_in_time import utc
from webbench.core.exchange.reading.tree_text import CONTROLS, MOST_NODES
from webbench.core.json_types import Json, JsonObject
from webbench.core.observation import NUMBERED_HERE, AccessibilityNode, Box, Observation, StateValue, Tab
from webbench.core.score.score import not_scored
from webbench.core.task import Task
from webbench.core.text.plural import counted
from webbench.core.trajectory import Step

DIALECT = "browsergym"
NO_REWARD = "observations alone tell no reward"
MOST_FILES = 10_000
_FILE = re.compile(r"(?P<name>.{1,200})_step(?P<number>\d{1,6})\.json(?:\.gz)?")
_KEYS = ('"chat_messages"', '"goal_object"')
_SHAPE = Shape(
    {
        "goal_object": Again("values", "the goal, in parts"),
        "chat_messages": Left("values", "BrowserGym's greeting, and the goal again"),
        "axtree_object": Whole("trees"),
        "dom_object": Left("html", "Chromium's snapshot of the elements; the accessibility tree is kept"),
        "extra_element_properties": Again("values", "where elements are, kept with the tree's nodes"),
        "focused_element_bid": Again("values", "the focus, which the tree tells"),
        "last_action": Both(("steps", "actions")),
        "browser": Left("values", "the name of the browser's program on the machine that recorded it"),
        "capture": Frame(),
        "capture.captured_at": "times",
        "capture.step": Frame(),
    }
)


class BrowserGymObservations:
    name = "browsergym-observations"
    title = "Observations of REAL (AGI SDK) and BrowserGym as JSON"
    looks_like = "files NAME_step<n>.json or .json.gz: goal_object, chat_messages, axtree_object, last_action"

    def claim(self, place: Place) -> Claim | None:
        if not place.is_folder:
            return Claim(sure=0.9) if place.has_text(*_KEYS) else None
        first = next(iter(sorted(name for name in place.names if _FILE.fullmatch(name))), "")
        return Claim(sure=0.9) if first and (place / first).has_text(*_KEYS) else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        if not place.is_folder:
            yield _episode(place.name.partition(".")[0], [(0, place)], place)
            return
        found = sorted(place.names)
        groups: dict[str, list[tuple[int, Place]]] = {}
        for file in found[:MOST_FILES]:
            if named := _FILE.fullmatch(file):
                groups.setdefault(named["name"], []).append((int(named["number"]), place / file))
        if len(found) > MOST_FILES:
            place.tell(f"{len(found) - MOST_FILES:,} files were left out: {MOST_FILES:,} are read")
        for name, files in groups.items():
            yield _episode(name, sorted(files, key=lambda one: one[0]), place)


def create() -> BrowserGymObservations:
    """The entry point."""
    return BrowserGymObservations()


def _episode(name: str, files: Sequence[tuple[int, Place]], place: Place) -> ImportedEpisode:
    lost = place.tally.losses()
    seen = [(number, file, object_in(file)) for number, file in files]
    for _, file, one in seen:
        if not isinstance(one.get("axtree_object"), dict):
            raise BadData(f"{file} holds no observation: no axtree_object")
        place.tally.read(one, _SHAPE)
    place.tally.count("episodes")
    first = seen[0][2]
    task = Task(
        benchmark="real" if "capture" in first else "browsergym",
        name=text_of(first.get("task_id")) or name,
        intent=text_of(first.get("goal")),
        site=text_of(first.get("url")),
    )
    capture = first.get("capture")
    told = (
        {key: capture[key] for key in ("task", "source") if key in capture}
        if isinstance(capture, dict)
        else {}
    )
    header = foreign_header(task, "agent", dialect=DIALECT, score=not_scored(NO_REWARD), settings=told)
    header = msgspec.structs.replace(header, started=_time(first))
    if header.started:
        place.tally.made("times", "the episode begins with its first observation")
    return ImportedEpisode(header, numbered(_steps(seen, place, lost)), lost)


def _steps(seen: Sequence[tuple[int, Place, JsonObject]], place: Place, lost: Lost) -> Iterator[ImportedStep]:
    """What each file saw, with the action before it."""
    before: Observation | None = None
    expected = seen[0][0]
    for at, (number, file, one) in enumerate(seen):
        if number != expected:
            place.tell(f"{file.name}: no file tells of the {counted(number - expected, 'step')} before it")
        expected = number + 1
        now = _observation(one)
        step = _acted(one, before, lost, number) if at else Step(index=0, at=_time(one), actor="operator")
        step = msgspec.structs.replace(step, url=now.url, title=now.title)
        picture = picture_in(place, f"{file.name.partition('.json')[0]}.png", lost)
        place.tally.count("pictures", picture is not None)
        yield ImportedStep(step, now, picture)
        before = now


def _acted(one: JsonObject, before: Observation | None, lost: Lost, number: int) -> Step:
    text, error = text_of(one.get("last_action")), text_of(one.get("last_action_error"))
    action = action_of(text, DIALECT, before) if text else None
    if text and action is None:
        lose_action(lost, text, number)
    return Step(
        index=0,
        at=_time(one),
        actor="agent",
        text=text,
        dialect=DIALECT,
        action=action,
        error=error,
        ok=not error,
    )


def _captured(one: JsonObject) -> JsonObject:
    """What the file says of how it was made."""
    capture = one.get("capture")
    told = capture if isinstance(capture, dict) else {}
    return {key: told[key] for key in ("task", "source") if key in told}


def _time(one: JsonObject) -> str:
    capture = one.get("capture")
    return utc(text_of(capture.get("captured_at"))) if isinstance(capture, dict) else ""


def _observation(one: JsonObject) -> Observation:
    url = text_of(one.get("url"))
    addresses = one.get("open_pages_urls")
    nodes = _nodes(one)
    title = nodes[0].name if nodes else ""
    tabs = tuple(
        Tab(at, title if address == url else "", text_of(address), active=address == url)
        for at, address in enumerate(addresses if isinstance(addresses, list) else ())
    )
    return Observation(url=url, title=title, tabs=tabs, nodes=nodes)


def _nodes(one: JsonObject) -> tuple[AccessibilityNode, ...]:
    """Chromium's tree in document order, without the nodes that it ignores."""
    tree, properties = one.get("axtree_object"), one.get("extra_element_properties")
    listed = tree.get("nodes") if isinstance(tree, dict) else None
    raw = [node for node in listed if isinstance(node, dict)] if isinstance(listed, list) else []
    by_id = {text_of(node.get("nodeId")): node for node in raw}
    known: Mapping[str, Json] = properties if isinstance(properties, dict) else {}
    found: list[AccessibilityNode] = []
    waiting = [(node, 0) for node in raw[:1]]
    met: set[str] = set()
    while waiting and len(found) < MOST_NODES:
        node, depth = waiting.pop()
        name = text_of(node.get("nodeId"))
        if name in met:
            continue
        met.add(name)
        if not node.get("ignored"):
            found.append(_node(node, depth, known, len(found)))
            depth += 1
        below = node.get("childIds")
        children = [by_id.get(text_of(child)) for child in below] if isinstance(below, list) else []
        waiting += [(child, depth) for child in reversed(children) if child is not None]
    return tuple(found)


def _node(node: JsonObject, depth: int, known: Mapping[str, Json], place: int) -> AccessibilityNode:
    bid, role = text_of(node.get("browsergym_id")), _value(node.get("role"))
    about = known.get(bid)
    about = about if isinstance(about, dict) else {}
    value = node.get("value")
    attributes = {} if bid.isdecimal() or not bid else {"bid": bid}
    return AccessibilityNode(
        id=int(bid) if bid.isdecimal() and len(bid) < 7 else NUMBERED_HERE + place,
        role=role,
        name=_value(node.get("name")),
        value=_value(value) if isinstance(value, dict) else None,
        depth=depth,
        box=_box(about.get("bbox")),
        states=_states(node),
        interactive=role in CONTROLS or about.get("clickable") is True,
        attributes=attributes,
    )


def _value(holder: Json) -> str:
    return text_of(holder.get("value")) if isinstance(holder, dict) else ""


def _states(node: JsonObject) -> dict[str, StateValue]:
    """Chromium's properties that are true, a number or a word."""
    listed = node.get("properties")
    found: dict[str, StateValue] = {}
    for one in listed if isinstance(listed, list) else ():
        holder = one.get("value") if isinstance(one, dict) else None
        value = holder.get("value") if isinstance(holder, dict) else None
        if isinstance(value, str | int) and value not in (False, "", "false"):
            found[text_of(one.get("name"))] = value
    return found


def _box(given: Json) -> Box | None:
    if not isinstance(given, list) or len(given) != 4:
        return None
    sides = [float(side) for side in given if isinstance(side, int | float) and abs(side) < 1e6]
    return Box(*sides) if len(sides) == 4 else None
