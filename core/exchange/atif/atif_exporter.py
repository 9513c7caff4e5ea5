"""ATIF 1.7 for Harbor and whatever reads its trajectories: `trajectory.json` with `images/` beside it.

| in the record | in the trajectory |
|---|---|
| the task's intent | the first step, of the user |
| an action | an agent step with a tool call named by its verb; what was said or answered is its message |
| what was seen: tree in WebArena's text form, screenshot | the call's result, a text and a picture |
| reasoning, tokens, cost | `reasoning_content`, `metrics` |
| what the format has no field for | `extra.webbench` of step and root |

Of an episode that came from ATIF each step is what it was, with the version that it had; where it came from
is told in the root's `extra.webbench`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from webbench.core.exchange.account.given import (
    NAMED_BY_FILE,
    NOT_CARRIED,
    PAGE_AS_TEXT,
    TREE_AS_TEXT,
    Places,
    kept_besides,
)
from webbench.core.exchange.account.read_back import parts_of_episode
from webbench.core.exchange.atif.harbor_trajectory import ATIF, IMAGES, OWN, Atif
from webbench.core.exchange.conversation.spoken_turn import OF_MESSAGE, Call, Result, Turn
from webbench.core.exchange.conversation.turns_of_record import turns_of
from webbench.core.exchange.episode_building import as_it_came
from webbench.core.exchange.export_format import Source
from webbench.core.exchange.import_format import Picture
from webbench.core.exchange.own.carried_fields import header_told, with_origin
from webbench.core.exchange.place import Place
from webbench.core.json_types import Json, JsonObject
from webbench.core.observation import Observation
from webbench.core.renderings.webarena import webarena_tree
from webbench.core.store.records import codec
from webbench.core.trajectory import Trajectory

SCHEMA_VERSION = "ATIF-v1.7"
EMBEDDED = "subagents that are embedded in the trajectory are episodes of their own when it is read"
TRAJECTORY = "trajectory.json"
_METRICS = (
    ("prompt_tokens", "prompt_tokens"),
    ("completion_tokens", "completion_tokens"),
    ("cached_tokens", "cached_tokens"),
    ("cost", "cost_usd"),
)
_SPEAKERS = ("system", "user", "agent")


class AtifExporter:
    name = ATIF
    title = "ATIF 1.7, Harbor's trajectory format: a folder with trajectory.json and images"
    ending = ""
    several = False
    lacks = "pages' HTML, boxes and states of nodes, checks of the final score as more than an extra"
    places = Places(
        rewritten={**TREE_AS_TEXT, **PAGE_AS_TEXT, "values.task.name": NAMED_BY_FILE},
        adds=kept_besides(ATIF),
        no_place={
            **NOT_CARRIED,
            **PAGE_AS_TEXT,
            "html": "pages are trees in WebArena's text form",
            "labels": "no field for what annotators wrote",
            "files": "no field for files kept with an episode",
        },
    )

    def write(self, source: Source, path: Path) -> None:
        for trajectory in source.trajectories():
            path.mkdir()
            document = _document(source, trajectory, path)
            (path / TRAJECTORY).write_bytes(codec.encode(document))
            if document.get("subagent_trajectories"):
                _tell_of_subagents(source, path / TRAJECTORY)


def _tell_of_subagents(source: Source, file: Path) -> None:
    """What the subagents that are embedded in a trajectory bring: each is an episode when it is read."""
    for number, episode in enumerate(Atif().episodes(Place(file, file.parent))):
        if not number:
            continue
        for part, count in parts_of_episode(episode).items():
            source.made(part, EMBEDDED, count)
        for line in episode.lost:
            source.told.lose(f"a subagent: {line}")


def create() -> AtifExporter:
    """The entry point."""
    return AtifExporter()


def _document(source: Source, trajectory: Trajectory, folder: Path) -> JsonObject:
    turns = list(turns_of(source, trajectory, ATIF))
    steps = [_step(turn, number, folder) for number, turn in enumerate(turns, 1)]
    theirs = as_it_came(trajectory.header, ATIF)
    if theirs and theirs.get("schema_version"):
        return with_origin(_in_their_order(theirs, steps), "extra", trajectory.header, source.told)
    return {
        "schema_version": SCHEMA_VERSION,
        "session_id": f"{trajectory.header.run}/{trajectory.header.episode}",
        "agent": _agent(trajectory, turns),
        "steps": steps or [{"step_id": 1, "source": "user", "message": trajectory.header.task.intent}],
        "final_metrics": _final_metrics(turns, len(steps)),
        "extra": {OWN: header_told(trajectory.header)},
    }


def _in_their_order(theirs: JsonObject, steps: list[JsonObject]) -> JsonObject:
    """A root as it was; steps stand after the agent, as Harbor writes them."""
    document: JsonObject = {}
    for name, value in theirs.items():
        if name == "steps":
            continue
        document[name] = value
        if name == "agent":
            document["steps"] = steps
    return {"steps": steps, **document} if "steps" not in document else document


def _agent(trajectory: Trajectory, turns: Sequence[Turn]) -> JsonObject:
    model = next((turn.model for turn in turns if turn.model), "")
    agent: JsonObject = {"name": trajectory.header.actor, "version": version("webbench-tui")}
    return agent | ({"model_name": model} if model else {})


def _final_metrics(turns: Sequence[Turn], steps: int) -> JsonObject:
    found: JsonObject = {}
    for ours, theirs in _METRICS:
        known = [turn.usage[ours] for turn in turns if turn.counts and ours in turn.usage]
        if known:
            found[f"total_{theirs}"] = math.fsum(known) if ours == "cost" else sum(known)
    return found | {"total_steps": steps}


def _step(turn: Turn, number: int, folder: Path) -> JsonObject:
    rest = dict(turn.rest)
    known_speaker = turn.speaker if turn.speaker in _SPEAKERS else "system"
    step: JsonObject = {"step_id": number}
    if turn.at and "timestamp" not in rest:
        step["timestamp"] = turn.at
    step["source"] = known_speaker
    step["message"] = rest.pop("message", turn.text)
    agents: JsonObject = {
        "model_name": turn.model,
        "reasoning_content": turn.reasoning,
        "tool_calls": [_call(call) for call in turn.calls],
        "metrics": _metrics(turn.usage, rest.pop("metrics", None)),
    }
    step |= {name: value for name, value in agents.items() if value not in ("", [], None)}
    observed = [one for one in turn.results if one.rest != OF_MESSAGE]
    if observed:
        step["observation"] = {
            **rest.pop("observation", {}),
            "results": [_result(one, folder) for one in observed],
        }
    step |= rest
    if turn.own:
        step["extra"] = {**step.get("extra", {}), OWN: turn.own}
    for one in turn.results:
        if one.rest == OF_MESSAGE:
            step["message"] = _with_picture(step["message"], one.picture, folder)
    return step


def _call(call: Call) -> JsonObject:
    arguments = call.arguments if isinstance(call.arguments, dict) else {"text": call.arguments}
    return {"tool_call_id": call.id, "function_name": call.name, "arguments": arguments, **call.rest}


def _metrics(usage: JsonObject, rest: Json) -> JsonObject | None:
    found = {theirs: usage[ours] for ours, theirs in _METRICS if ours in usage}
    if isinstance(rest, dict):
        return found | rest
    return found or None


def _result(result: Result, folder: Path) -> JsonObject:
    rest = dict(result.rest)
    found: JsonObject = {"source_call_id": result.call} if result.call else {}
    if "content" in rest:
        content = _with_picture(rest.pop("content"), result.picture, folder)
    else:
        content = _seen(result, folder)
    if content:
        found["content"] = content
    if result.page is not None:
        found["extra"] = {OWN: _page(result.page, result.text)}
    return found | rest


def _page(page: Observation, output: str) -> JsonObject:
    return {"url": page.url, "title": page.title, "output": output, "tree": webarena_tree(page)}


def _seen(result: Result, folder: Path) -> Json:
    """The words, and where there was a page, its tree and its picture."""
    words = [result.text or result.error]
    if result.page is not None:
        words.append(f"{result.page.url}\n{webarena_tree(result.page)}")
    text = "\n\n".join(filter(None, words))
    if result.picture is not None:
        return [*([{"type": "text", "text": text}] if text else []), _part(result.picture, folder)]
    return text


def _part(picture: Picture, folder: Path) -> JsonObject:
    return {
        "type": "image",
        "source": {"media_type": f"image/{picture.format}", "path": _file(picture, folder)},
    }


def _file(picture: Picture, folder: Path) -> str:
    """The path from the trajectory of a picture, which is written there once."""
    name = f"{IMAGES}/{sha256(picture.data).hexdigest()}.{picture.format}"
    (folder / IMAGES).mkdir(exist_ok=True)
    if not (folder / name).exists():
        (folder / name).write_bytes(picture.data)
    return name


def _with_picture(content: Json, picture: Picture | None, folder: Path) -> Json:
    """Parts as they were; the first picture that is a file leads to the copy that is written."""
    if not isinstance(content, list) or picture is None:
        return content
    parts, written = list(content), False
    for at, part in enumerate(parts):
        source = part.get("source") if isinstance(part, dict) else None
        if not written and isinstance(source, dict) and "://" not in str(source.get("path")):
            parts[at] = {**part, "source": _part(picture, folder)["source"]}
            written = True
    return parts
