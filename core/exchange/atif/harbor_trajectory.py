"""ATIF (Harbor's Agent Trajectory Interchange Format), versions 1.0 to 1.8: one JSON file a run.

The root has `schema_version` "ATIF-v1.N", `agent` {name, version, model_name} and `steps` [{step_id,
source (system, user or agent), message, reasoning_content, tool_calls, observation: {results},
metrics}]. Since 1.7 `subagent_trajectories` holds whole trajectories, which become episodes of their
own. A message may be a list of parts, whose pictures are files beside the trajectory; an address is
never fetched. The format has no verdict: in a Harbor trial it stands in `result.json` in the folder
above (`verifier_result.rewards`).

Defined by Harbor's RFC 0001 (`rfcs/0001-trajectory-format.md`) and `harbor.models.trajectories`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

import msgspec

from webbench.core.errors import BadData
from webbench.core.exchange.account.source_shape import Frame, Shape
from webbench.core.exchange.account.tally import Lost
from webbench.core.exchange.conversation.spoken_turn import OF_MESSAGE, Call, Result, Turn
from webbench.core.exchange.conversation.steps_of_turns import (
    ends_answered,
    intent_of,
    steps_of,
    told_by_turns,
)
from webbench.core.exchange.episode_building import (
    LARGEST_PICTURE,
    ORIGIN,
    RECORD_ENDS,
    STOPPED,
    SUBAGENT_OF,
    foreign_header,
    list_in,
    object_in,
    origin_told,
    text_of,
)
from webbench.core.exchange.foreign_terms import recorded_score
from webbench.core.exchange.import_format import Claim, ImportedEpisode, MadeBy, Picture
from webbench.core.exchange.own.carried_fields import (
    header_with,
    made_by_ours,
    score_beside,
    tells_record,
    without_origin,
)
from webbench.core.exchange.place import Place
from webbench.core.exchange.reading.picture_bytes import PICTURES
from webbench.core.exchange.reading.points_in_time import utc
from webbench.core.exchange.reading.tree_text import nodes_of
from webbench.core.json_types import Json, JsonObject, objects_in
from webbench.core.observation import Observation
from webbench.core.score.score import Score
from webbench.core.task import Task, name_and_instance
from webbench.core.text.message_parts import message_text

ATIF = "atif"
IMAGES = "images"
OWN = "webbench"
"""Under `extra`: what an export of ours adds."""
VERIFIER = "Harbor's verifier"
MOST_SUBAGENTS = 200
_METRICS = {
    "prompt_tokens": "prompt_tokens",
    "completion_tokens": "completion_tokens",
    "cached_tokens": "cached_tokens",
    "cost_usd": "cost",
}
_SHAPE = Shape({"steps.step_id": Frame(), "subagent_trajectories.steps.step_id": Frame()})
_OWN_SHAPE = Shape(
    {
        "steps.step_id": Frame(),
        "extra.webbench": Frame(),
        # the tree is told by its nodes, and the output stands beside it
        "steps.observation.results.content": Frame(),
        "steps.observation.results.extra.webbench.tree": Frame(),
        "steps.extra.webbench.actor": Frame(),  # "human" is what a record leaves unsaid
    }
)
_VERSION = re.compile(rb'"schema_version"\s*:\s*"ATIF-v')


class Atif:
    name = ATIF
    title = "ATIF, Harbor's trajectory format"
    looks_like = "a JSON object of schema_version ATIF-v1, agent, steps with step_id, source, message"

    def claim(self, place: Place) -> Claim | None:
        if place.name == "result.json" and place.has_text('"trial_name"', '"task_name"'):
            return Claim("companion", "the result of a Harbor trial, read with its trajectory")
        if place.parent.name == IMAGES and place.head.startswith(PICTURES) and _holds(place.parent.parent):
            return Claim("companion", "a picture that a trajectory may name, read with it")
        return Claim() if _is_atif(place) else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        root = object_in(place)
        trial = _trial(place)
        for name, document in _documents(root, place):
            document, told = without_origin(document, "extra")
            read = _Document(document=document, own=told or _own(document), name=name, trial=trial)
            for number, one in enumerate(_episodes(read, place)):
                if number:
                    told_of = _origin_behind(told.get(ORIGIN), number)
                    settings = {**origin_told({ORIGIN: told_of}), **one.header.settings}
                    one.header = msgspec.structs.replace(one.header, settings=settings)
                yield one


def create() -> Atif:
    """The entry point."""
    return Atif()


def _is_atif(place: Place) -> bool:
    return _VERSION.search(place.head + place.tail) is not None


def _holds(folder: Place) -> bool:
    """Whether a folder has a trajectory in it."""
    named = (name for name in folder.names if name.endswith(".json") and name.startswith("trajectory"))
    return any(_is_atif(folder / name) for name in named)


def _documents(root: JsonObject, place: Place) -> Iterator[tuple[str, JsonObject]]:
    """The trajectory that a file is, or those that it holds side by side under names."""
    if _is_trajectory(root):
        yield "", root
        return
    held = {name: one for name, one in root.items() if isinstance(one, dict) and _is_trajectory(one)}
    if not held:
        raise BadData(f'{place} holds no trajectory: no "schema_version" ATIF-v with "steps"')
    if len(held) < len(root):
        place.tell(
            f"{place} holds values that are no trajectories: {', '.join(sorted(set(root) - set(held)))[:200]}"
        )
    yield from held.items()


def _is_trajectory(document: JsonObject) -> bool:
    return text_of(document.get("schema_version")).startswith("ATIF-v") and "steps" in document


def _trial(place: Place) -> JsonObject:
    """`result.json` of the Harbor trial that the file lies in, {} where there is none."""
    for folder in (place.parent, place.parent.parent):
        if "result.json" in folder.names and (folder / "result.json").has_text('"trial_name"'):
            found = (folder / "result.json").json()
            return found if isinstance(found, dict) else {}
    return {}


def _origin_behind(origin: Json, number: int) -> Json:
    """Where a subagent came from: what was read so many episodes behind the trajectory around it."""
    if not isinstance(origin, dict):
        return None
    told = {name: one for name, one in origin.items() if name not in ("number", ORIGIN)}
    if origin.get("format") == ATIF and isinstance(origin.get("number"), int):
        told["number"] = origin["number"] + number
    before = _origin_behind(origin.get(ORIGIN), number)
    return told | ({ORIGIN: before} if before else {})


class _Document(msgspec.Struct, kw_only=True):
    """A trajectory that is to be read.

    Attributes:
        document: without where it came from.
        own: what an export of ours told of it.
        name: under which a file holds it, or of a subagent its path; "" for a file's only one.
        around: of a subagent, the trajectory that it is embedded in: its task, and the step of the call.
    """

    document: JsonObject
    own: JsonObject
    name: str = ""
    trial: JsonObject = {}
    around: JsonObject = {}


def _episodes(read: _Document, place: Place) -> Iterator[ImportedEpisode]:
    """The trajectory, then the subagents that are embedded in it."""
    lost = place.tally.losses()
    document, own = read.document, read.own
    ours = tells_record(own)
    place.tally.read(document, _OWN_SHAPE if ours else _SHAPE)
    turns = [_turn(one, place, lost) for one in list_in(document, "steps", place)]
    subagents = document.get("subagent_trajectories")
    subagents = subagents if isinstance(subagents, list) else []
    continued = bool(document.get("continued_trajectory_ref"))
    answered = ends_answered(turns) and not continued
    agent = document["agent"] if isinstance(document.get("agent"), dict) else {}
    header = foreign_header(
        _task(read, turns, place),
        text_of(agent.get("name")),
        score=score_beside(_score(read.trial), own, lost),
        end_reason=text_of(own.get("end_reason")) or (STOPPED if answered else RECORD_ENDS),
        settings={
            ATIF: {key: value for key, value in document.items() if key != "steps"},
            **origin_told(own, ATIF if ours else ""),
            **({SUBAGENT_OF: read.around} if read.around else {}),
        },
    )
    header = told_by_turns(header_with(header, own, lost) if own else header, turns, place.tally)
    steps = steps_of(turns, ATIF, place.tally, lost, answered=answered)
    made = (
        made_by_ours(own)
        if ours
        else MadeBy(tool=text_of(agent.get("name")), version=text_of(agent.get("version")))
    )
    made = msgspec.structs.replace(made, format_version=text_of(document.get("schema_version")))
    yield ImportedEpisode(header, steps, lost, made_by=made)
    if len(subagents) > MOST_SUBAGENTS:
        place.tell(
            f"{place}: of {len(subagents)} subagents the first {MOST_SUBAGENTS} are episodes of their own"
        )
    for number, child in enumerate(subagents[:MOST_SUBAGENTS], 1):
        if not isinstance(child, dict) or not _is_trajectory(child):
            place.tell(f"{place}: subagent {number} is no trajectory")
            continue
        named = text_of(child.get("trajectory_id"))
        called = _step_of_call(turns, named)
        around = {"task": header.task.id} | ({"step": called} if called else {})
        under = f"{header.task.name}/{named or number}"
        yield from _episodes(_Document(document=child, own=_own(child), name=under, around=around), place)


def _step_of_call(turns: list[Turn], named: str) -> int:
    """The step of the record whose result refers to a subagent by its id; 0 for none."""
    first = next((at for at, turn in enumerate(turns) if turn.of_agent), len(turns))
    step = 0
    for turn in turns[first:]:
        calls = [call.id for call in turn.calls] or [""]
        for one in turn.results:
            listed = one.rest.get("subagent_trajectory_ref")
            referred = [ref.get("trajectory_id") for ref in _objects(listed)]
            if named and named in referred:
                return step + (calls.index(one.call) + 1 if one.call in calls else len(calls))
        step += len(calls)
    return 0


def _objects(listed: Json) -> list[JsonObject]:
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []


def _own(document: JsonObject) -> JsonObject:
    """What an export of ours says of the episode, {} in files of others."""
    extra = document.get("extra")
    own = extra.get(OWN) if isinstance(extra, dict) else None
    return own if isinstance(own, dict) else {}


def _task(read: _Document, turns: list[Turn], place: Place) -> Task:
    document, own = read.document, read.own
    named = read.name or text_of(own.get("task")) or text_of(read.trial.get("task_name"))
    named = named or text_of(document.get("trajectory_id") or document.get("session_id"))
    task, instance = name_and_instance(named) if own else (named, None)
    return Task(
        benchmark=text_of(own.get("benchmark")) or ATIF,
        name=task or place.path.stem,
        instance=instance,
        intent=intent_of(turns),
        site=text_of(own.get("site")),
        split=text_of(own.get("split")),
    )


def _score(trial: JsonObject) -> Score:
    """The verifier's reward, where there is one, or one that is called so."""
    verdict = trial.get("verifier_result")
    given = verdict.get("rewards") if isinstance(verdict, dict) else None
    rewards: JsonObject = given if isinstance(given, dict) else {}
    numbers = {
        name: float(value)
        for name, value in rewards.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
    value = numbers.get("reward", next(iter(numbers.values())) if len(numbers) == 1 else None)
    if value is None:
        why = "the trial has several rewards" if numbers else "the format has no verdict"
        return recorded_score(None, "", why)
    return recorded_score(value, VERIFIER, "the trial's reward", actual=numbers, metrics=numbers)


def _turn(step: Json, place: Place, lost: Lost) -> Turn:
    if not isinstance(step, dict):
        lost.append("a step that is no object")
        return Turn(speaker="system")
    rest = dict(step)
    message, picture, more = _content(rest.get("message"), place, lost)
    if isinstance(rest.get("message"), str):
        del rest["message"]
    turn = Turn(
        speaker=text_of(rest.pop("source", "")) or "system",
        text=message,
        reasoning=_taken_text(rest, "reasoning_content"),
        model=_taken_text(rest, "model_name"),
        at=utc(rest.get("timestamp")),
        counts=rest.get("is_copied_context") is not True,
        calls=_calls(rest, lost),
        results=_results(rest, place, lost),
        usage=_usage(rest),
        own=_own(step),
    )
    if picture is not None:
        turn.results.insert(0, Result(picture=picture, pictures=more, rest=dict(OF_MESSAGE)))
    extra = step.get("extra")
    if turn.own and isinstance(extra, dict):
        rest["extra"] = {name: value for name, value in extra.items() if name != OWN}
        if not rest["extra"]:
            del rest["extra"]
    rest.pop("step_id", None)
    turn.rest = rest
    return turn


def _taken_text(rest: JsonObject, key: str) -> str:
    """A text, which then is no part of the rest."""
    return str(rest.pop(key)) if isinstance(rest.get(key), str) and rest[key] else ""


def _calls(rest: JsonObject, lost: Lost) -> list[Call]:
    listed = rest.get("tool_calls")
    if not isinstance(listed, list) or not listed:
        return []
    del rest["tool_calls"]
    calls = []
    for one in listed:
        if not isinstance(one, dict):
            lost.append("a tool call that is no object")
            continue
        left = dict(one)
        calls.append(
            Call(
                name=text_of(left.pop("function_name", "")),
                arguments=left.pop("arguments", {}),
                id=_taken_text(left, "tool_call_id"),
                rest=left,
            )
        )
    return calls


def _results(rest: JsonObject, place: Place, lost: Lost) -> list[Result]:
    observation = rest.get("observation")
    listed = observation.get("results") if isinstance(observation, dict) else None
    if not isinstance(observation, dict) or not isinstance(listed, list) or not listed:
        return []
    rest["observation"] = {name: value for name, value in observation.items() if name != "results"}
    if not rest["observation"]:
        del rest["observation"]
    results = []
    for one in listed:
        if not isinstance(one, dict):
            lost.append("a result that is no object")
            continue
        left = dict(one)
        text, picture, more = _content(left.get("content"), place, lost)
        if isinstance(left.get("content"), str) and text:
            del left["content"]
        page = None
        own = _own(left)
        if own:
            text, page, left = _own_result(own, text, left)
        results.append(
            Result(
                call=_taken_text(left, "source_call_id"),
                text=text,
                page=page,
                picture=picture,
                pictures=more,
                rest=left,
            )
        )
    return results


def _own_result(own: JsonObject, text: str, left: JsonObject) -> tuple[str, Observation | None, JsonObject]:
    """Output and page of an export of ours, in which the tree stands after the output."""
    output, tree = text_of(own.get("output")), text_of(own.get("tree"))
    nodes = nodes_of(tree)
    page = (
        Observation(url=text_of(own.get("url")), title=text_of(own.get("title")), nodes=nodes)
        if nodes
        else None
    )
    left = {name: value for name, value in left.items() if name not in ("extra", "content")}
    return output or ("" if tree else text), page, left


def _content(content: Json, place: Place, lost: Lost) -> tuple[str, Picture | None, int]:
    """The words of a message, its first picture, and how many pictures there are besides."""
    parts = objects_in(content)
    found = [_picture(part, place, lost) for part in parts if part.get("type") == "image"]
    others = sorted({text_of(part.get("type")) for part in parts} - {"text", "image"})
    lost += [f"a part of a message of the kind {kind[:40]!r} is kept as it is, unread" for kind in others]
    pictures = [one for one in found if one is not None]
    return message_text(content), pictures[0] if pictures else None, max(0, len(pictures) - 1)


def _lose_picture(lost: Lost, line: str) -> None:
    lost.has("pictures")
    lost.lose("pictures", line, why=line.partition(":")[0])


def _picture(part: JsonObject, place: Place, lost: Lost) -> Picture | None:
    """A picture beside the trajectory; what lies elsewhere is told, and never fetched."""
    source = part.get("source")
    path = text_of(source.get("path")) if isinstance(source, dict) else ""
    if "://" in path:
        _lose_picture(lost, "a picture at an address, which is not fetched; the address is kept")
        return None
    pure = PurePosixPath(path)
    if not path or not path.isprintable() or pure.is_absolute() or ".." in pure.parts:
        _lose_picture(
            lost, "a picture outside of the trajectory's folder, which is not read; its path is kept"
        )
        return None
    file = place.parent
    for step in pure.parts:
        file = file / step
    try:
        return Picture(file.read(LARGEST_PICTURE))
    except BadData as error:
        _lose_picture(lost, f"a picture: {error}")
        return None


def _usage(rest: JsonObject) -> JsonObject:
    """Tokens and cost; what else the metrics hold stays in the rest."""
    metrics = rest.get("metrics")
    if not isinstance(metrics, dict):
        return {}
    usage = {
        ours: metrics[theirs]
        for theirs, ours in _METRICS.items()
        if isinstance(metrics.get(theirs), int | float) and not isinstance(metrics[theirs], bool)
    }
    left = {name: value for name, value in metrics.items() if _METRICS.get(name) not in usage}
    if left or not usage:
        rest["metrics"] = left
    else:
        del rest["metrics"]
    return usage
