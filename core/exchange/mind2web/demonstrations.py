"""Mind2Web's own records: a JSON list of people's demonstrations, one each, in and out.

A record has `annotation_id`, `website`, `domain`, `subdomain`, `confirmed_task`, `action_reprs` (an action in
words) and `actions` [{`action_uid`, `raw_html`, `cleaned_html`, `operation` {op, original_op, value},
`pos_candidates`, `neg_candidates`}]. An action's page is the one that it was done on, so it is what was seen
after the step before. What steps have no place for (candidates, cleaned pages) is kept with the episode in
`mind2web-record.json`, and goes out again. An export of ours has `webbench` beside it: who acted, how it
ended, its score, where it came from.

Described by OSU-NLP-Group/Mind2Web, README, "Data fields".
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

import msgspec

from webbench.core.action.action import Action, Click, ElementRef, Hover, Press, Select, Type
from webbench.core.exchange.account.given import NOT_CARRIED, PAGE_LEFT, PICTURE_LEFT, Places, kept_besides
from webbench.core.exchange.account.recorded_counts import is_scored
from webbench.core.exchange.account.source_shape import Again, Frame, Shape
from webbench.core.exchange.account.tally import Lost
from webbench.core.exchange.episode_building import (
    RECORD_ENDS,
    as_it_came,
    foreign_header,
    lose_action,
    origin_told,
    text_of,
)
from webbench.core.exchange.export_format import Source
from webbench.core.exchange.foreign_terms import recorded_score
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedFile, ImportedStep
from webbench.core.exchange.mind2web.mind2web import (
    BENCHMARK,
    action_for,
    attributes_of,
    box_of,
    persons_step,
    told,
)
from webbench.core.exchange.own.carried_fields import (
    OWN,
    header_told,
    header_with,
    made_by_ours,
    origin_of,
    own_in,
    own_score,
    steps_told,
    steps_with,
    tells_record,
)
from webbench.core.exchange.place import Place
from webbench.core.exchange.reading.html_tree import nodes_of_markup, role_of
from webbench.core.exchange.reading.json_list import objects
from webbench.core.json_types import JsonObject
from webbench.core.observation import AccessibilityNode, Box, Observation
from webbench.core.store.records import codec
from webbench.core.task import Task
from webbench.core.text import bounded_json
from webbench.core.trajectory import Step, Trajectory

MIND2WEB = "mind2web"
RECORD_FILE = "mind2web-record.json"
"""Kept with an episode: its record without the raw pages, which are the steps' own."""
ACTOR = "Mind2Web annotator"
NOT_JUDGED = "a demonstration is what others are held against"
MOST_ACTIONS = 2_000
MOST_CANDIDATES = 20_000
_IN_FILE = f"kept with the episode in {RECORD_FILE}"
_PAGE = "the page is the step's own; its cut-down form is " + _IN_FILE
_SHAPE = Shape(
    {
        "actions.raw_html": Frame(),
        OWN: Frame(),
        "actions.cleaned_html": Again("values", _PAGE),
        "actions.neg_candidates": Again("values", f"elements that were not meant, {_IN_FILE}"),
    }
)
NUMBER = "backend_node_id"
"""The attribute that numbers an element; a page of another tool has none, its cut-down form has."""
_BOX = re.compile(r'backend_node_id="(\d{1,11})"[^<>]{0,200}?bounding_box_rect="([^"<>]{1,120})"')
_OPERATIONS: dict[type[Action], str] = {Click: "CLICK", Type: "TYPE", Select: "SELECT", Hover: "HOVER"}
_TAGS = {"link": "a", "textbox": "input", "combobox": "select", "image": "img", "button": "button"}
TREE_AS_MARKUP = dict.fromkeys(
    [
        *("trees.length", "trees.id", "trees.role", "trees.name", "trees.depth", "trees.tag", "trees.box"),
        *("trees.interactive", "trees.value", "trees.offscreen", "trees.clickable", "trees.looks"),
        *("trees.attributes.*", "trees.states.*"),
    ],
    "a tree is markup with html and body around it: an element's number, tag, role and label come back",
)
_VOID = frozenset({"input", "img", "br", "hr", "meta", "link"})


class Demonstrations:
    name = MIND2WEB
    title = "Mind2Web's own records"
    looks_like = (
        "a JSON list of annotation_id, website, confirmed_task, action_reprs, actions with operation, "
        "pos_candidates, neg_candidates, raw_html, cleaned_html"
    )

    def claim(self, place: Place) -> Claim | None:
        ends = place.head + place.tail
        told_of = all(key in ends for key in (b'"action_reprs"', b'"confirmed_task"'))
        acted = b'"raw_html"' in ends or b'"cleaned_html"' in ends or b'"actions"' in ends
        return Claim(sure=0.9) if told_of and acted and ends.lstrip().startswith(b"[") else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        for row in objects(place):
            yield _episode(row, place)


def create() -> Demonstrations:
    """The entry point."""
    return Demonstrations()


def _episode(row: JsonObject, place: Place) -> ImportedEpisode:
    lost = place.tally.losses()
    place.tally.read(row, _SHAPE)
    place.tally.count("episodes")
    given = row.get("actions")
    actions = [one for one in given if isinstance(one, dict)] if isinstance(given, list) else []
    if len(actions) > MOST_ACTIONS:
        lost.append(f"{len(actions) - MOST_ACTIONS:,} actions: only {MOST_ACTIONS:,} of one task are read")
        actions = actions[:MOST_ACTIONS]
    reprs = [text_of(one) for one in row["action_reprs"]] if isinstance(row.get("action_reprs"), list) else []
    told_of = _aligned(reprs, actions)
    if len(told_of) > len(actions):
        place.tally.notice(f"{len(told_of) - len(actions)} actions are told in words only, without a page")
    own = own_in(row)
    theirs = {name: one for name, one in row.items() if name != OWN}
    kept = [{name: one for name, one in action.items() if name != "raw_html"} for action in actions]
    header = foreign_header(
        Task(
            benchmark=BENCHMARK,
            name=text_of(row.get("annotation_id")) or place.path.stem,
            intent=text_of(row.get("confirmed_task")),
            site=text_of(row.get("website")),
        ),
        ACTOR,
        score=own_score(own, lost) or recorded_score(None, "", NOT_JUDGED),
        end_reason=RECORD_ENDS,
        settings={
            MIND2WEB: {name: one for name, one in theirs.items() if name != "actions"},
            **origin_told(own, MIND2WEB if tells_record(own) else ""),
        },
    )
    header = header_with(header, own, lost) if own else header
    place.tally.count("times", bool(header.started) + bool(header.ended))
    place.tally.count("scores", is_scored(header.score))
    file = ImportedFile(RECORD_FILE, codec.encode({**theirs, "actions": kept}))
    steps = steps_with(_steps(told_of, place, lost), own, lost)
    return ImportedEpisode(header, steps, lost, files=(file,), made_by=made_by_ours(own))


def _aligned(reprs: Sequence[str], actions: Sequence[JsonObject]) -> list[tuple[str, JsonObject | None]]:
    """Each action with its words; where there are fewer records than words, by operation from the end."""
    if len(actions) >= len(reprs):
        words = [*reprs, *[""] * (len(actions) - len(reprs))]
        return list(zip(words, actions, strict=True))
    left = list(actions)
    found: list[tuple[str, JsonObject | None]] = []
    for number in range(len(reprs) - 1, -1, -1):
        fits = bool(left) and (len(left) > number or _fits(reprs[number], left[-1]))
        found.append((reprs[number], left.pop() if fits else None))
    return found[::-1]


def _fits(words: str, action: JsonObject) -> bool:
    meant = told(words)
    op, _, value = _operation(action)
    return meant is not None and (meant.op, meant.value) == (op, value)


def _operation(action: JsonObject) -> tuple[str, str, str]:
    given = action.get("operation")
    operation: JsonObject = given if isinstance(given, dict) else {}
    return (
        text_of(operation.get("op")),
        text_of(operation.get("original_op")),
        text_of(operation.get("value")),
    )


def _steps(
    told_of: Sequence[tuple[str, JsonObject | None]], place: Place, lost: Lost
) -> Iterator[ImportedStep]:
    """The start with the first action's page, then each action with the page that the next one has."""
    pages = [_page(action) for _, action in told_of]
    shown = [action for _, action in told_of if action is not None]
    if cut := sum(not one.get("raw_html") and bool(one.get("cleaned_html")) for one in shown):
        place.tally.notice(f"{cut} actions have no whole page: the page is its cut-down form")
    for seen, markup in pages:
        place.tally.count("html", bool(markup))
        place.tally.count("trees", bool(seen and seen.nodes))
    seen, markup = pages[0] if pages else (None, "")
    yield ImportedStep(Step(index=0, at="", actor="operator"), seen, html=markup)
    for number, (words, action) in enumerate(told_of):
        step = _step(words, action, pages[number][0], lost)
        place.tally.count("steps")
        place.tally.count("actions")
        seen, markup = pages[number + 1] if number + 1 < len(pages) else (None, "")
        yield ImportedStep(msgspec.structs.replace(step, index=number + 1), seen, html=markup)


def _page(action: JsonObject | None) -> tuple[Observation | None, str]:
    if action is None:
        return None, ""
    markup = text_of(action.get("raw_html")) or text_of(action.get("cleaned_html"))
    if not markup:
        return None, ""
    cut_down = text_of(action.get("cleaned_html"))
    numbered = markup if NUMBER in markup or NUMBER not in cut_down else cut_down
    boxes = {
        identity: box
        for identity, rectangle in _BOX.findall(numbered)
        if (box := box_of(rectangle)) is not None
    }
    nodes = nodes_of_markup(numbered, NUMBER, boxes)
    return (Observation(nodes=nodes) if nodes else None), markup


def _step(words: str, action: JsonObject | None, seen: Observation | None, lost: Lost) -> Step:
    if action is None:
        return persons_step(words, lost)
    op, original, value = _operation(action)
    meant = told(words)
    target = _target(action, seen) or (meant.target if meant else ElementRef())
    if meant is not None and meant.target.name and not target.name:
        target = msgspec.structs.replace(target, name=meant.target.name)
    known = action_for(original, target, value) or action_for(op, target, value)
    text = words or " ".join(filter(None, (op, value)))
    if known is None:
        lose_action(lost, text)
    kept = {
        name: action[name] for name in action if name not in ("raw_html", "cleaned_html", "neg_candidates")
    }
    return Step(
        index=0, at="", actor="human", text=text, action=known, source={"format": MIND2WEB, "action": kept}
    )


def _target(action: JsonObject, seen: Observation | None) -> ElementRef | None:
    """The element that was meant; of several the one that the person hit."""
    given = action.get("pos_candidates")
    candidates = [one for one in given if isinstance(one, dict)] if isinstance(given, list) else []
    if not candidates:
        return None
    chosen = next((one for one in candidates if one.get("is_original_target") is True), candidates[0])
    attributes = attributes_of(text_of(chosen.get("attributes")))
    identity = text_of(chosen.get("backend_node_id"))
    number = int(identity) if identity.isascii() and identity.isdecimal() and len(identity) < 12 else None
    node = seen.node(number) if seen is not None and number is not None else None
    name = node.name if node is not None else ""
    return ElementRef(
        id=number,
        role=attributes.get("role") or role_of(text_of(chosen.get("tag"))),
        name=name or attributes.get("aria_label", ""),
        box=box_of(attributes.get("bounding_box_rect", "")),
    )


class DemonstrationExporter:
    """Records of Mind2Web; one that came from it as it was."""

    name = MIND2WEB
    title = "Mind2Web's records: a JSON list with pages, operations and candidates"
    ending = ".json"
    several = True
    lacks = (
        "screenshots, reasoning, calls of models, and what is no click, typing or choosing; times, tokens, "
        "notes and scores but in a field of ours, webbench"
    )
    places = Places(
        rewritten={**TREE_AS_MARKUP, "values.pages.viewport.*": "no field for the window"},
        no_place={
            **NOT_CARRIED,
            **PAGE_LEFT,
            **PICTURE_LEFT,
            "pictures": "no field for screenshots",
            "prompts.calls": "no field for calls of models",
            "replies.calls": "no field for calls of models",
            "reasoning": "a demonstration has no model",
            "labels": "no field for what annotators wrote",
            "messages": "no field for messages of pages",
            "exchanges": "no field for evidence",
            "files": "no field for files kept with an episode",
        },
        adds={
            **kept_besides(MIND2WEB),
            "html": "a tree without a page's HTML is written as markup",
            "files": "candidates are a file of the episode when they are read",
        },
        partly={
            "trees": "a page stands with the action that was done on it",
            "html": "a page stands with the action that was done on it",
            "values.pages.viewport": "a page stands with the action that was done on it",
        },
    )

    def write(self, source: Source, path: Path) -> None:
        with path.open("wb") as file:
            for number, trajectory in enumerate(source.trajectories()):
                row = _as_it_was(source, trajectory) or _record(source, trajectory)
                file.write((b",\n" if number else b"[\n") + codec.encode(row))
            file.write(b"\n]\n" if file.tell() else b"[]\n")


def create_exporter() -> DemonstrationExporter:
    """The entry point."""
    return DemonstrationExporter()


def _as_it_was(source: Source, trajectory: Trajectory) -> JsonObject | None:
    if as_it_came(trajectory.header, MIND2WEB) is None:
        return None
    folder = source.store.root / trajectory.header.run / trajectory.header.episode
    kept = next((file for file in source.store.files(folder) if file.name == RECORD_FILE), None)
    if kept is None:
        return None
    try:
        row = bounded_json.decode(source.store.file(kept))
        actions = [one for one in row["actions"] if isinstance(one, dict)]
    except (ValueError, RecursionError, LookupError, TypeError) as error:
        source.told.lose(f"{trajectory.header.episode}: {RECORD_FILE} can't be read: {error}")
        return None
    recorded = [number for number, step in enumerate(trajectory.steps) if "action" in step.source]
    for action, number in zip(actions, recorded, strict=False):
        markup = source.html(trajectory, trajectory.steps[number - 1]) if number else ""
        if markup and markup != action.get("cleaned_html"):
            action["raw_html"] = markup
    told = origin_of(trajectory.header)
    return {**row, "actions": actions, **({OWN: told} if told else {})}


def _record(source: Source, trajectory: Trajectory) -> JsonObject:
    task = trajectory.header.task
    actions, reprs = [], []
    before = trajectory.steps[0] if trajectory.steps else None
    placed = [(0, before)] if before is not None else []
    for step in trajectory.steps[1:]:
        made = _action(source, trajectory, before, step) if before is not None else None
        if made is None:
            source.lose_step(step, "a step that is no click, typing or choosing of an element")
        else:
            actions.append(made[0])
            reprs.append(made[1])
            placed.append((len(actions), step))
        before = step
    return {
        "annotation_id": task.id,
        "website": task.site,
        "domain": "",
        "subdomain": "",
        "confirmed_task": task.intent,
        "action_reprs": reprs,
        "actions": actions,
        OWN: {**header_told(trajectory.header), "steps": steps_told(placed)},
    }


def _action(
    source: Source, trajectory: Trajectory, before: Step, step: Step
) -> tuple[JsonObject, str] | None:
    """The record of a step and its words, None for what Mind2Web has no operation for."""
    action = step.action
    value = ""
    match action:
        case Click(target=ElementRef() as target) | Hover(target=ElementRef() as target):
            pass
        case Type(target=ElementRef() as target, text=value):
            pass
        case Select(target=ElementRef() as target, options=options) if len(options) == 1:
            value = options[0]
        case Press(keys="Enter", target=ElementRef() as target):
            pass
        case _:
            return None
    original = _OPERATIONS.get(type(action), "ENTER")
    op = original if original in ("CLICK", "TYPE", "SELECT") else "CLICK"
    page = source.observation(trajectory, before)
    nodes = page.nodes if page is not None else ()
    node = page.node(target.id) if page is not None and target.id is not None else None
    others = [one for one in nodes if one.interactive and one is not node]
    if len(others) > MOST_CANDIDATES:
        source.told.lose(f"candidates of a page beyond {MOST_CANDIDATES:,}", len(others) - MOST_CANDIDATES)
    meant: JsonObject = {"is_original_target": True, "is_top_level_target": True}
    made = {
        "action_uid": f"{trajectory.header.episode}-{step.index}",
        "raw_html": source.html(trajectory, before),
        "cleaned_html": _markup(nodes),
        "operation": {"op": op, "original_op": original, "value": value},
        "pos_candidates": [_candidate(node) | meant] if node is not None else [],
        "neg_candidates": [_candidate(one) for one in others[:MOST_CANDIDATES]],
    }
    role = node.role if node is not None else target.role
    name = node.name if node is not None else target.name
    words = f"[{role}]  {' '.join(name.split())} -> {original}" + (f": {value}" if value else "")
    return made, words


def _candidate(node: AccessibilityNode) -> JsonObject:
    return {
        "tag": _tag(node),
        "attributes": json.dumps(_attributes(node)),
        "backend_node_id": str(node.id),
    }


def _tag(node: AccessibilityNode) -> str:
    return node.tag or _TAGS.get(node.role, "div" if node.role != "StaticText" else "text")


def _attributes(node: AccessibilityNode) -> dict[str, str]:
    found = {"backend_node_id": str(node.id), "bounding_box_rect": _rectangle(node.box)}
    found |= {name.replace("-", "_"): value for name, value in node.attributes.items()}
    if node.name and node.role != "StaticText":
        found["aria_label"] = node.name
    if node.value:
        found["input_value"] = node.value
    if node.clickable:
        found["is_clickable"] = "true"
    return found


def _rectangle(box: Box | None) -> str:
    return f"{box.x:g},{box.y:g},{box.width:g},{box.height:g}" if box is not None else "-1,-1,-1,-1"


def _markup(nodes: Sequence[AccessibilityNode]) -> str:
    """The tree as Mind2Web's cut-down pages: elements in one another by their depth."""
    lines: list[str] = []
    waiting: list[tuple[int, str]] = []
    for node in nodes:
        while waiting and waiting[-1][0] >= node.depth:
            lines.append(f"</{waiting.pop()[1]}>")
        tag = _tag(node) if re.fullmatch(r"[a-z][a-z0-9-]{0,30}", _tag(node)) else "div"
        told = _attributes(node) | ({"role": node.role} if role_of(tag) != node.role else {})
        given = "".join(
            f' {name}="{escape(value)}"'
            for name, value in told.items()
            if name != "bounding_box_rect" and re.fullmatch(r"\w{1,60}", name)
        )
        if tag in _VOID:
            lines.append(f"<{tag}{given}/>")
            continue
        lines.append(f"<{tag}{given}>" + (escape(node.name) if node.role == "StaticText" else ""))
        waiting.append((node.depth, tag))
    lines += [f"</{tag}>" for _, tag in reversed(waiting)]
    return "\n".join(lines)
