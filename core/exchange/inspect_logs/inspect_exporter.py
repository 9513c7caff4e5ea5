"""`.eval`, as Inspect's viewer and `read_eval_log` read it: one task and one model, a sample an episode.

Samples of episodes that came from Inspect are what they were, with events and attachments, and with where
they came from in `metadata.webbench`. Of any other
episode the messages are the task, a call for each action, and what was seen then as the tool's answer:
the tree in WebArena's text form and the screenshot. What Inspect has no field for is
`metadata.webbench`.
"""

from __future__ import annotations

import base64
import zipfile
from collections import Counter
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import msgspec

from webbench.core.errors import BadData
from webbench.core.exchange.account.given import (
    NOT_CARRIED,
    PAGE_AS_TEXT,
    TREE_AS_TEXT,
    Places,
    kept_besides,
)
from webbench.core.exchange.conversation.spoken_turn import OF_MESSAGE, Call, Result, Turn
from webbench.core.exchange.conversation.turns_of_record import turns_of
from webbench.core.exchange.episode_building import as_it_came
from webbench.core.exchange.export_format import Source
from webbench.core.exchange.import_format import Picture
from webbench.core.exchange.inspect_logs.evaluation_log import INSPECT, REST_FILE
from webbench.core.exchange.inspect_logs.sample_messages import OWN
from webbench.core.exchange.own.carried_fields import header_told, with_origin
from webbench.core.json_types import Json, JsonObject
from webbench.core.models.spending import added, spent
from webbench.core.renderings.webarena import webarena_tree
from webbench.core.score.score import Status
from webbench.core.store.records import codec
from webbench.core.text import bounded_json
from webbench.core.trajectory import Trajectory, known_end

SCORER = "webbench"
_UNNAMED = str.maketrans('/\\:*?"<>|', "_________")


class InspectExporter:
    name = INSPECT
    title = "Inspect's .eval: one task and one model, a sample an episode"
    ending = ".eval"
    several = True
    lacks = "pages' HTML, boxes and states of nodes, and events of episodes that were not recorded by Inspect"
    places = Places(
        rewritten={**TREE_AS_TEXT, **PAGE_AS_TEXT},
        no_place={
            **NOT_CARRIED,
            **PAGE_AS_TEXT,
            "html": "pages are trees in WebArena's text form",
            "labels": "no field for what annotators wrote",
            "files": "no field for files kept with an episode",
        },
        adds={
            **kept_besides(INSPECT),
            "files": "what Inspect says of a sample besides is a file when it is read",
        },
    )

    def write(self, source: Source, path: Path) -> None:
        log: JsonObject = {}
        asked = ""
        summaries: list[JsonObject] = []
        named: Counter[str] = Counter()
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
            for trajectory in source.trajectories():
                asked = asked or _one_log(trajectory)
                if asked != _one_log(trajectory):
                    raise BadData(
                        "a log of Inspect holds one task and one model, and these episodes are of several",
                        "export each run by itself",
                    )
                log = log or _header(trajectory)
                sample = _sample(source, trajectory, len(summaries) + 1)
                summaries.append(_summary(sample))
                made.writestr(_member(source, sample, named), codec.encode(sample))
            _close(made, log, summaries)


def create() -> InspectExporter:
    """The entry point."""
    return InspectExporter()


def _member(source: Source, sample: JsonObject, named: Counter[str]) -> str:
    """The name of a sample's member, which no other has: a log that was imported twice has ids twice."""
    name = f"{sample.get('id', '')}".translate(_UNNAMED)
    member = f"samples/{name}_epoch_{sample.get('epoch', 1)}"
    named[member] += 1
    if named[member] == 1:
        return f"{member}.json"
    source.told.lose("a sample with the id and epoch of another: it is there under a name of its own")
    return f"{member}-{named[member]}.json"


def _theirs(trajectory: Trajectory) -> JsonObject:
    """What the importer kept of the log and the sample, {} for an episode from elsewhere."""
    kept = as_it_came(trajectory.header, INSPECT)
    if kept and all(isinstance(kept.get(name), dict) for name in ("log", "sample")):
        return kept
    return {}


def _one_log(trajectory: Trajectory) -> str:
    """What all episodes of a log have in common."""
    theirs = _theirs(trajectory)
    if theirs:
        return codec.encode(theirs["log"]).decode()
    return f"{trajectory.header.task.benchmark} {trajectory.header.actor}"


def _close(made: zipfile.ZipFile, log: JsonObject, summaries: Sequence[JsonObject]) -> None:
    reductions = log.pop("reductions", None)
    start = {name: log[name] for name in ("version", "eval", "plan") if name in log}
    made.writestr("_journal/start.json", codec.encode(start))
    made.writestr("summaries.json", codec.encode(summaries))
    if reductions is not None:
        made.writestr("reductions.json", codec.encode(reductions))
    if "results" in log and log.get("eval", {}).get("metadata", {}) == {OWN: {}}:
        log["results"] = {"total_samples": len(summaries), "completed_samples": len(summaries), "scores": []}
    made.writestr("header.json", codec.encode(log))


def _header(trajectory: Trajectory) -> JsonObject:
    """The log but for its samples."""
    theirs = _theirs(trajectory)
    if theirs:
        return dict(theirs["log"])
    header = trajectory.header
    began = header.started or trajectory.steps[0].at if trajectory.steps else header.started
    return {
        "version": 2,
        "status": "success",
        "eval": {
            "created": began or "1970-01-01T00:00:00+00:00",
            "task": header.task.benchmark,
            "task_id": header.task.benchmark,
            "run_id": header.run,
            "dataset": {"name": header.task.benchmark},
            "model": header.actor,
            "config": {},
            "packages": {"webbench-tui": version("webbench-tui")},
            "metadata": {OWN: {}},
        },
        "plan": {},
        "results": {},
        "stats": {"started_at": began, "completed_at": known_end(header)},
    }


def _summary(sample: JsonObject) -> JsonObject:
    names = ("id", "epoch", "input", "target", "scores", "model_usage", "total_time", "working_time", "uuid")
    return {name: sample[name] for name in names if name in sample} | {"completed": True}


def _sample(source: Source, trajectory: Trajectory, number: int) -> JsonObject:
    turns = turns_of(source, trajectory, INSPECT)
    messages = [message for turn in turns for message in _messages(turn)]
    theirs = _theirs(trajectory)
    if theirs:
        sample = {**theirs["sample"], "messages": messages, **_aside(source, trajectory)}
        return with_origin(sample, "metadata", trajectory.header, source.told)
    header, task = trajectory.header, trajectory.header.task
    usage = added(spent(step.usage) for step in trajectory.steps)
    answers = [message for message in messages if message["role"] == "assistant"]
    sample = {
        "id": f"{task.id} {number}",
        "epoch": header.repeat + 1,
        "input": task.intent,
        "target": "",
        "messages": messages,
        "output": {
            "model": header.actor,
            "choices": [{"message": one, "stop_reason": "stop"} for one in answers[-1:]],
        },
        "scores": _scores(trajectory),
        "metadata": {OWN: header_told(header)},
        "total_time": round(trajectory.seconds, 3),
        "events": [],
    }
    if usage.tokens is not None:
        tokens = {"input_tokens": usage.input_tokens or 0, "output_tokens": usage.output_tokens or 0}
        sample["model_usage"] = {header.actor: {**tokens, "total_tokens": usage.tokens}}
    return sample


def _aside(source: Source, trajectory: Trajectory) -> JsonObject:
    """What was kept in a file of the episode."""
    folder = source.store.root / trajectory.header.run / trajectory.header.episode
    kept = next((file for file in source.store.files(folder) if file.name == REST_FILE), None)
    try:
        found = bounded_json.decode(source.store.file(kept)) if kept is not None else {}
    except (ValueError, RecursionError) as error:
        source.told.lose(f"{trajectory.header.episode}: {REST_FILE} can't be read: {error}")
        return {}
    return found if isinstance(found, dict) else {}


def _scores(trajectory: Trajectory) -> JsonObject:
    score = trajectory.header.score
    if score is None or score.status is not Status.SCORED:
        return {}
    checks = msgspec.to_builtins(score.checks)
    told = {"value": score.value, "explanation": score.reason or None, "metadata": {"checks": checks}}
    return {SCORER: told}


def _messages(turn: Turn) -> list[JsonObject]:
    """A turn's message, then those of the tools that it called."""
    made = [] if turn.speaker == "tool" else [_message(turn)]
    tools = [one for one in turn.results if one.rest != OF_MESSAGE]
    if turn.of_agent or turn.speaker == "tool":
        names = {call.id: call.name for call in turn.calls}
        made += [_tool_message(one, names.get(one.call, "")) for one in tools]
    elif tools:
        made[0]["content"] = _seen(tools[0], made[0].get("content", ""))
        own = {**turn.own, "at": turn.at} if turn.own else {}
        made[0]["metadata"] = {OWN: {**own, **_page(tools[0])}}
    return made


def _message(turn: Turn) -> JsonObject:
    role = "assistant" if turn.of_agent else turn.speaker
    message: JsonObject = {"role": role if role in ("assistant", "system", "user") else "user"}
    rest = dict(turn.rest)
    message["content"] = rest.pop("content", turn.text)
    if turn.calls:
        message["tool_calls"] = [_call(call) for call in turn.calls]
    if turn.own:
        if turn.reasoning:
            said = [{"type": "text", "text": turn.text}] if turn.text else []
            message["content"] = [{"type": "reasoning", "reasoning": turn.reasoning}, *said]
        message["metadata"] = {OWN: {**turn.own, "at": turn.at}}
        if turn.model:
            message["model"] = turn.model
    return message | rest


def _call(call: Call) -> JsonObject:
    arguments = call.arguments if isinstance(call.arguments, dict) else {"text": call.arguments}
    made = {"id": call.id, "function": call.name, "arguments": arguments, **call.rest}
    return made if "type" in made or not call.id.startswith("step-") else {**made, "type": "function"}


def _tool_message(result: Result, name: str) -> JsonObject:
    rest = dict(result.rest)
    message: JsonObject = {"role": "tool"}
    if result.page is not None or (result.picture is not None and "content" not in rest):
        message["metadata"] = {OWN: {**_page(result), "output": result.text}}
        message["content"] = _seen(result, result.text or result.error)
    else:
        message["content"] = rest.pop("content", result.text)
    if result.call:
        message["tool_call_id"] = result.call
    if result.call.startswith("step-"):
        message["function"] = name
        if result.error:
            message["error"] = {"type": "unknown", "message": result.error}
    return message | rest


def _page(result: Result) -> JsonObject:
    page = result.page
    if page is None:
        return {}
    return {"url": page.url, "title": page.title, "tree": webarena_tree(page)}


def _seen(result: Result, words: Json) -> Json:
    """The words, the tree, and the picture as a data URL."""
    text = [words] if isinstance(words, str) and words else []
    if result.page is not None:
        text.append(f"{result.page.url}\n{webarena_tree(result.page)}")
    parts: list[JsonObject] = [{"type": "text", "text": "\n\n".join(text)}] if text else []
    if result.picture is not None:
        parts.append({"type": "image", "image": _data_url(result.picture)})
    return parts if result.picture is not None else "\n\n".join(text)


def _data_url(picture: Picture) -> str:
    return f"data:image/{picture.format};base64,{base64.b64encode(picture.data).decode('ascii')}"
