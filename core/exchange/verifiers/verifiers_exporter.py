"""Results as verifiers keeps them: a folder with `results.jsonl`, a line an episode, and `metadata.json`.

Lines of episodes that came from verifiers are what they were, with where they came from in
`info.webbench`. Of any other episode the prompt is the
task, and the completion a call for each action, with what was seen then as the tool's answer in
WebArena's text form.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from webbench.core.exchange.account.given import (
    NOT_CARRIED,
    PAGE_LEFT,
    PICTURE_LEFT,
    Places,
    kept_besides,
)
from webbench.core.exchange.conversation.spoken_turn import Result, Turn
from webbench.core.exchange.conversation.turns_of_record import turns_of
from webbench.core.exchange.episode_building import as_it_came
from webbench.core.exchange.export_format import Source
from webbench.core.exchange.own.carried_fields import OWN, header_told, steps_told, with_origin
from webbench.core.exchange.verifiers.rollouts import METADATA, RESULTS, VERIFIERS
from webbench.core.json_types import Json, JsonObject
from webbench.core.renderings.webarena import webarena_tree
from webbench.core.store.records import codec
from webbench.core.trajectory import Trajectory

ANOTHER = "what was evaluated, of a rollout of another evaluation: a folder tells of one (metadata.json)"
PAGES_ARE_WORDS = "pages are words of a tool's answer"


class VerifiersExporter:
    name = VERIFIERS
    title = "verifiers results: a folder with results.jsonl and metadata.json"
    ending = ""
    several = True
    lacks = (
        "pictures and HTML of pages, boxes and states of nodes, calls of models; tokens and cost, times, "
        "notes and checks of scores but in a field of ours, info.webbench"
    )
    places = Places(
        rewritten={"values.steps.output": PAGES_ARE_WORDS},
        partly={
            "values.header.repeat": "which rollout of its example it is, is told by the lines before it",
        },
        no_place={
            **NOT_CARRIED,
            **PAGE_LEFT,
            **PICTURE_LEFT,
            "trees": PAGES_ARE_WORDS,
            "html": PAGES_ARE_WORDS,
            "pictures": "no field for pictures",
            "prompts.calls": "no field for calls of models",
            "replies.calls": "no field for calls of models",
            "reasoning.calls": "no field for calls of models",
            "labels": "no field for what annotators wrote",
            "messages": "no field for messages of pages",
            "exchanges": "no field for evidence",
            "files": "no field for files kept with an episode",
        },
        adds={
            **kept_besides(VERIFIERS),
            "prompts.steps": "the task is the prompt of an episode",
            "values.steps.output": PAGES_ARE_WORDS,
        },
    )

    def write(self, source: Source, path: Path) -> None:
        path.mkdir()
        metadata: JsonObject = {}
        examples: Counter[str] = Counter()
        with (path / RESULTS).open("wb") as file:
            for trajectory in source.trajectories():
                theirs = as_it_came(trajectory.header, VERIFIERS)
                if theirs and isinstance(theirs.get("row"), dict):
                    row = _as_it_was(source, trajectory, theirs)
                    row = with_origin(row, "info", trajectory.header, source.told)
                    theirs_too = _object(theirs.get("metadata"))
                    metadata = metadata or theirs_too
                    if theirs_too != metadata:
                        source.told.lose(ANOTHER)
                else:
                    row = _row(source, trajectory)
                    ours = {"env": trajectory.header.task.benchmark, "model": trajectory.header.actor}
                    metadata = metadata or ours
                examples[trajectory.header.task.id] += 1
                file.write(codec.encode(row) + b"\n")
        if not metadata:
            return  # the results came without
        counts = {"num_examples": len(examples), "rollouts_per_example": max(examples.values(), default=0)}
        (path / METADATA).write_bytes(codec.encode({**counts, **metadata}))


def create() -> VerifiersExporter:
    """The entry point."""
    return VerifiersExporter()


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _as_it_was(source: Source, trajectory: Trajectory, theirs: JsonObject) -> JsonObject:
    messages = [one for turn in turns_of(source, trajectory, VERIFIERS) for one in _messages(turn)]
    told = theirs.get("prompt_messages")
    count = told if isinstance(told, int) and told > 0 else 0
    encoded = theirs.get("encoded")
    row = dict(theirs["row"])
    chats = {"prompt": messages[:count], "completion": messages[count:]}
    for chat, said in chats.items():
        if chat not in row:
            row[chat] = json.dumps(said) if isinstance(encoded, list) and chat in encoded else said
    return row


def _row(source: Source, trajectory: Trajectory) -> JsonObject:
    header = trajectory.header
    turns = list(turns_of(source, trajectory, VERIFIERS))
    first = next((number for number, turn in enumerate(turns) if turn.of_agent), len(turns))
    prompt, completion = (
        [one for turn in part for one in _messages(turn)] for part in (turns[:first], turns[first:])
    )
    own = {**header_told(header), "steps": steps_told(enumerate(trajectory.steps))}
    value = header.score.value if header.score is not None else None
    if value is None:
        source.told.lose("an episode without a score has no reward")
    return {
        "example_id": header.task.id,
        "task": header.task.benchmark,
        "answer": "",
        "reward": value,
        "prompt": prompt,
        "completion": completion,
        "info": {OWN: own},
    }


def _messages(turn: Turn) -> list[JsonObject]:
    made = [] if turn.speaker == "tool" else [_message(turn)]
    if made and not turn.of_agent:
        # the page at the start: nothing called for it, so it is part of what was said
        made[0]["content"] = (
            "\n\n".join([turn.text, *map(_seen, turn.results)]) if turn.results else turn.text
        )
        return [made[0] | turn.rest]
    for result in turn.results:
        message: JsonObject = {"role": "tool", "content": _seen(result)}
        if result.call:
            message["tool_call_id"] = result.call
        made.append(message | result.rest)
    return made


def _message(turn: Turn) -> JsonObject:
    message: JsonObject = {"role": "assistant" if turn.of_agent else turn.speaker, "content": turn.text}
    if turn.reasoning:
        message["reasoning_content"] = turn.reasoning
    if turn.calls and "tool_calls" not in turn.rest:
        message["tool_calls"] = [
            json.dumps(
                {
                    "id": call.id,
                    "function": {"name": call.name, "arguments": json.dumps(call.arguments)},
                    "type": "function",
                }
            )
            for call in turn.calls
        ]
    return message | turn.rest


def _seen(result: Result) -> str:
    words = [result.text or result.error]
    if result.page is not None:
        words.append(f"{result.page.url}\n{webarena_tree(result.page)}")
    return "\n\n".join(filter(None, words))
