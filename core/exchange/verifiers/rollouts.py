"""verifiers' results: `results.jsonl`, a line a rollout, and `metadata.json` beside it.

A line has `id` or `example_id` (the same for each rollout of an example), `prompt` and `completion`
(chat messages), `task`, `answer`, `reward` (a weighted sum, which may be above 1), `info`, times in ms,
and a key for each reward function. Exports of the hosted platform have `prompt`, `completion`,
`metrics`, `timing` and `info` as JSON in a string. Calls of tools are JSON in a string as well, and
their arguments once more.

Described by PrimeIntellect-ai/verifiers in `docs/legacy/evaluation.md` and `verifiers/types.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec

from webbench.core.errors import BadData
from webbench.core.exchange.account.source_shape import Frame, Shape
from webbench.core.exchange.account.tally import Lost
from webbench.core.exchange.conversation.spoken_turn import AGENT, Call, Result, Turn
from webbench.core.exchange.conversation.steps_of_turns import (
    ends_answered,
    intent_of,
    steps_of,
    told_by_turns,
)
from webbench.core.exchange.episode_building import RECORD_ENDS, STOPPED, foreign_header, origin_told, text_of
from webbench.core.exchange.foreign_terms import RULES, recorded_score
from webbench.core.exchange.import_format import Claim, ImportedEpisode
from webbench.core.exchange.own.carried_fields import (
    OWN,
    header_with,
    made_by_ours,
    own_in,
    score_with,
    steps_with,
    tells_record,
    without_origin,
)
from webbench.core.exchange.place import Place
from webbench.core.exchange.reading.points_in_time import utc
from webbench.core.json_types import Json, JsonObject
from webbench.core.score.score import Check, Score, Status, not_scored
from webbench.core.task import Task
from webbench.core.text import bounded_json
from webbench.core.text.message_parts import message_text

VERIFIERS = "verifiers"
RESULTS, METADATA = "results.jsonl", "metadata.json"
PAGES = ("output",)
"""Pages are words of what a tool answered, which is the output."""
REWARD = "the environment's reward"
CHATS = ("prompt", "completion")
_EXAMPLE = ("example_id", "id", "problem_id")
_FRAMES = {f"{chat}.{key}" for chat in CHATS for key in ("role", "tool_calls")}
_SHAPE = Shape(dict.fromkeys([*_FRAMES, f"info.{OWN}"], Frame()))


class Rollouts:
    name = VERIFIERS
    title = "verifiers results"
    looks_like = "JSON lines results.jsonl of prompt, completion, reward, answer, with metadata.json"

    def claim(self, place: Place) -> Claim | None:
        if place.name == METADATA and place.has_text('"model"', '"rollouts_per_example"'):
            return Claim("companion", "what verifiers evaluated, read with its results")
        return Claim(sure=0.7) if place.name == RESULTS and _holds_rollouts(place) else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        metadata = _metadata(place)
        rollouts: Counter[str] = Counter()
        for number, line in place.lines():
            if not line.strip():
                continue
            row = place.line_json(number, line)
            if not isinstance(row, dict):
                raise BadData(f"{place}, line {number}, holds no object")
            yield _episode(row, metadata, rollouts, place)


def create() -> Rollouts:
    """The entry point."""
    return Rollouts()


def _holds_rollouts(place: Place) -> bool:
    """By the keys of the first line, which may be long."""
    ends = place.head + place.tail
    keys = (b'"completion"', b'"reward"')
    if all(key in ends for key in keys):
        return True
    try:
        first = next((line for _, line in place.lines() if line.strip()), b"")
    except BadData:
        return False
    return all(key in first for key in keys)


def _metadata(place: Place) -> JsonObject:
    folder = place.parent
    found = (folder / METADATA).json() if METADATA in folder.names else {}
    return found if isinstance(found, dict) else {}


def decoded(value: Json) -> Json:
    """What a JSON text holds; any other value as it is."""
    if not isinstance(value, str) or value.lstrip()[:1] not in ("[", "{"):
        return value
    try:
        return bounded_json.decode(value)
    except (ValueError, RecursionError):
        return value


def _episode(row: JsonObject, metadata: JsonObject, rollouts: Counter[str], place: Place) -> ImportedEpisode:
    lost = place.tally.losses()
    row, told = without_origin(row, "info")
    chats = {chat: decoded(row.get(chat)) for chat in CHATS}
    listed = {chat: one if isinstance(one, list) else [] for chat, one in chats.items()}
    place.tally.read({**row, **chats}, _SHAPE)
    turns: list[Turn] = []
    for chat, speaker in zip(CHATS, ("user", AGENT), strict=True):
        said = chats[chat]
        if isinstance(said, str) and said:
            turns.append(Turn(speaker=speaker, text=said))
        _add(listed[chat], turns, lost)
    own = told or own_in(decoded(row.get("info")))
    ours = tells_record(own)
    example = next((text_of(row[name]) for name in _EXAMPLE if row.get(name) is not None), "")
    answered = ends_answered(turns)
    environment = text_of(metadata.get("env") or metadata.get("env_id") or row.get("env_name")) or VERIFIERS
    kept = {name: value for name, value in row.items() if name not in CHATS or not listed[name]}
    header = foreign_header(
        Task(
            benchmark=VERIFIERS,
            name=f"{environment}/{example}",
            intent=intent_of(turns),
            kind="" if ours else environment,
            gold={"answer": row["answer"]} if "answer" in row and not (ours and row["answer"] == "") else {},
        ),
        text_of(metadata.get("model") or row.get("model")),
        score=score_with(_score(row), own, lost),
        end_reason=STOPPED if answered else RECORD_ENDS,
        settings={
            VERIFIERS: {
                "row": kept,
                "metadata": metadata,
                "prompt_messages": len(listed["prompt"]),
                "encoded": [chat for chat in CHATS if isinstance(row.get(chat), str) and listed[chat]],
            },
            **origin_told(own, VERIFIERS if ours else ""),
        },
    )
    header = msgspec.structs.replace(header, repeat=rollouts[example], ended=utc(row.get("created_at")))
    rollouts[example] += 1
    header = told_by_turns(header_with(header, own, lost) if own else header, turns, place.tally)
    steps = steps_of(turns, VERIFIERS, place.tally, lost, answered=answered)
    steps = steps_with(steps, own, lost, left=PAGES)
    return ImportedEpisode(header, steps, lost, made_by=made_by_ours(own))


def _score(row: JsonObject) -> Score:
    """The reward, which is a score where it is a share of 1."""
    reward = row.get("reward")
    if not isinstance(reward, int | float) or isinstance(reward, bool):
        return recorded_score(None, "", "the rollout has no reward")
    if 0 <= reward <= 1:
        return recorded_score(
            float(reward), REWARD, "the weighted sum of its reward functions", actual=reward
        )
    why = f"its reward of {reward:g} is a sum that is no share of 1"
    check = Check(
        name="reward", target=REWARD, actual=reward, status=Status.NOT_SCORED, counted=False, why=why
    )
    return not_scored(why, rules=RULES, checks=(check,))


def _add(messages: list[Json], turns: list[Turn], lost: Lost) -> None:
    """A turn for each message; what a tool said comes with the turn that called it."""
    for message in messages:
        if not isinstance(message, dict):
            lost.append("a message that is no object")
            continue
        rest = dict(message)
        role = text_of(rest.pop("role", "")) or "user"
        content = rest.get("content")
        text = message_text(content)
        if isinstance(content, str) and content:
            del rest["content"]
        if role == "tool":
            call = rest.pop("tool_call_id") if isinstance(rest.get("tool_call_id"), str) else ""
            if not turns or not turns[-1].of_agent:
                turns.append(Turn(speaker="tool"))
            turns[-1].results.append(Result(call=call, text=text, rest=rest))
            continue
        turn = Turn(speaker=AGENT if role == "assistant" else role, text=text)
        if turn.of_agent and isinstance(rest.get("reasoning_content"), str) and rest["reasoning_content"]:
            turn.reasoning = rest.pop("reasoning_content")
        if turn.of_agent:
            turn.calls = _calls(rest.get("tool_calls"))
        turn.rest = rest
        turns.append(turn)


def _calls(listed: Json) -> list[Call]:
    """Calls as they are meant; how they were written is kept with the turn."""
    calls = []
    for one in listed if isinstance(listed, list) else ():
        call = decoded(one)
        if not isinstance(call, dict):
            continue
        function = call["function"] if isinstance(call.get("function"), dict) else call
        arguments = decoded(function.get("arguments"))
        calls.append(
            Call(name=text_of(function.get("name")), arguments=arguments, id=text_of(call.get("id")))
        )
    return calls
