"""Inspect's evaluation logs, version 1 to 3, `.eval` and JSON: a log is one task and one model, an episode
a sample.

A sample has `id`, `epoch` from 1, `input`, `target`, `messages`, `scores` {scorer: {value, answer,
explanation, metadata}}, `model_usage`, `total_time`, `error`, `limit`; its `events` tell when models
were called and what that took. Values are C, P, I, N (correct, partly, incorrect, no answer), numbers
or anything else. What the steps have no place for (events, store, attachments) is kept in a file of the
episode.

Defined by `inspect_ai/log/_log.py`; see "Eval Logs" in Inspect's documentation.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from webbench.core.errors import BadData
from webbench.core.exchange.account.source_shape import Frame, Shape
from webbench.core.exchange.conversation.spoken_turn import Turn
from webbench.core.exchange.conversation.steps_of_turns import (
    ends_answered,
    steps_of,
    told_by_turns,
)
from webbench.core.exchange.episode_building import RECORD_ENDS, STOPPED, foreign_header, origin_told, text_of
from webbench.core.exchange.foreign_terms import RULES, recorded_score
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedFile, MadeBy
from webbench.core.exchange.inspect_logs.log_files import header_and_samples, is_log
from webbench.core.exchange.inspect_logs.sample_messages import Messages, understood, usage_of_inspect
from webbench.core.exchange.own.carried_fields import (
    header_with,
    made_by_ours,
    score_beside,
    tells_record,
    without_origin,
)
from webbench.core.exchange.place import Place
from webbench.core.exchange.reading.archive import is_zip
from webbench.core.exchange.reading.points_in_time import utc
from webbench.core.json_types import Json, JsonObject
from webbench.core.score.score import Check, Score, Status, not_scored
from webbench.core.store.records import codec
from webbench.core.task import Task, name_and_instance

INSPECT = "inspect"
REST_FILE = "inspect-sample.json"
"""Kept with an episode: what its sample holds besides messages."""
IN_FILE = ("events", "transcript", "attachments", "store", "message_pool", "call_pool")
"""Fields of a sample that may be long, and that steps have no place for."""
_VALUES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
_SHAPE = Shape({"messages.role": Frame()})
_OWN = Shape(
    {
        "messages.role": Frame(),
        "metadata.webbench": Frame(),
        "scores": Frame(),
        "output": Frame(),
        # the page of a message is told by its nodes and its screenshot
        "messages.content": Frame(),
        "messages.metadata.webbench.tree": Frame(),
    }
)
_LOG = ('"eval"', '"run_id"', '"task"')


class Inspect:
    name = INSPECT
    title = "Inspect evaluation logs (.eval, JSON)"
    looks_like = (
        "a zip *.eval, or a JSON object of version, status, eval with task_id and run_id, plan, samples"
    )

    def claim(self, place: Place) -> Claim | None:
        if is_zip(place):
            if place.name.endswith(".eval"):
                return Claim()
            return Claim(sure=0.9) if is_log(place) else None
        return Claim(sure=0.9) if place.name.endswith(".json") and place.has_text(*_LOG) else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        header, samples = header_and_samples(place)
        place.tally.read(header, _SHAPE)
        number = 0
        for sample in samples:
            number += 1
            yield _episode(header, sample, place)
        if not number:
            status = text_of(header.get("status")) or "unknown"
            raise BadData(f"{place} is a log without samples (status {status}): there is no episode in it")


def create() -> Inspect:
    """The entry point."""
    return Inspect()


def _episode(log: JsonObject, sample: JsonObject, place: Place) -> ImportedEpisode:
    lost = place.tally.losses()
    sample, told = without_origin(sample, "metadata")
    own = told or _metadata(sample)
    ours = tells_record(own)
    place.tally.read(
        {name: one for name, one in sample.items() if name not in IN_FILE}, _OWN if ours else _SHAPE
    )
    messages = Messages(sample, lost)
    turns = messages.turns()
    evaluation: JsonObject = log["eval"] if isinstance(log.get("eval"), dict) else {}
    left = {name: value for name, value in sample.items() if name not in ("messages", *IN_FILE)}
    aside = {name: sample[name] for name in IN_FILE if name in sample}
    ended, why = _end(sample, turns)
    header = foreign_header(
        _task(evaluation, sample, messages, place),
        text_of(own.get("actor")) or text_of(evaluation.get("model")),
        score=score_beside(_score(sample), own, lost),
        end_reason=text_of(own.get("end_reason")) or why,
        settings={INSPECT: {"log": log, "sample": left}, **origin_told(own, INSPECT if ours else "")},
    )
    began, closed = _times(sample)
    epoch = sample.get("epoch")
    header = msgspec.structs.replace(
        header,
        started=began,
        ended=closed,
        repeat=epoch - 1 if isinstance(epoch, int) and 0 < epoch < 10**6 else 0,
    )
    header = told_by_turns(header_with(header, own, lost) if own else header, turns, place.tally)
    _notice_usage(sample, turns, place)
    steps = steps_of(turns, INSPECT, place.tally, lost, answered=ended, understand=understood)
    files = (ImportedFile(REST_FILE, codec.encode(aside)),) if aside else ()
    return ImportedEpisode(header, steps, lost, files=files, made_by=_made_by(log, evaluation, own))


def _made_by(log: JsonObject, evaluation: JsonObject, own: JsonObject) -> MadeBy:
    packages = evaluation.get("packages")
    number = text_of(packages.get("inspect_ai")) if isinstance(packages, dict) else ""
    made = (
        made_by_ours(own)
        if tells_record(own)
        else MadeBy(tool="inspect_ai" if number else "", version=number)
    )
    return msgspec.structs.replace(made, format_version=text_of(log.get("version")))


def _metadata(sample: JsonObject) -> JsonObject:
    """What an export of ours says of the episode, {} in logs of others."""
    metadata = sample.get("metadata")
    own = metadata.get("webbench") if isinstance(metadata, dict) else None
    return own if isinstance(own, dict) else {}


def _task(evaluation: JsonObject, sample: JsonObject, messages: Messages, place: Place) -> Task:
    own = _metadata(sample)
    name = text_of(evaluation.get("task")) or place.path.stem
    asked = sample.get("input")
    if isinstance(asked, list):
        said = [one.get("content") for one in asked if isinstance(one, dict) and one.get("role") == "user"]
        asked = said[-1] if said else ""
    named, instance = name_and_instance(text_of(own["task"])) if own.get("task") else ("", None)
    return Task(
        benchmark=text_of(own.get("benchmark")) or INSPECT,
        name=named or f"{name}/{text_of(sample.get('id'))}",
        instance=instance,
        intent=messages.text(asked),
        kind="" if own else name,
        site=text_of(own.get("site")),
        split=text_of(own.get("split")),
        gold={} if own else {"target": sample.get("target")},
    )


def _end(sample: JsonObject, turns: list[Turn]) -> tuple[bool, str]:
    """Whether the last words are an answer, and why the sample ended."""
    error, limit = sample.get("error"), sample.get("limit")
    if isinstance(error, dict):
        return False, f"error: {text_of(error.get('message'))[:500]}"
    if isinstance(limit, dict):
        return False, f"limit: {text_of(limit.get('type'))[:100]} {text_of(limit.get('limit'))[:40]}".rstrip()
    answered = ends_answered(turns)
    return answered, STOPPED if answered else RECORD_ENDS


def _times(sample: JsonObject) -> tuple[str, str]:
    """When the first and the last event were; "" where the log doesn't tell."""
    listed = sample.get("events")
    times = [
        utc(one.get("completed") or one.get("timestamp"))
        for one in (listed if isinstance(listed, list) else ())
        if isinstance(one, dict)
    ]
    known = sorted(filter(None, times))
    started = utc(sample.get("started_at")) or (known[0] if known else "")
    return started, utc(sample.get("completed_at")) or (known[-1] if known else "")


def _score(sample: JsonObject) -> Score:
    """The scorer's value; of several scorers each is a check, and none of them is the verdict."""
    given = sample.get("scores")
    if not isinstance(given, dict):
        given = {"score": sample["score"]} if isinstance(sample.get("score"), dict) else {}
    checks = [_check(name, one) for name, one in given.items() if isinstance(one, dict)]
    valued = [check for check in checks if check.value is not None]
    if len(checks) == 1 and valued:
        check = checks[0]
        found = recorded_score(
            check.value, f"Inspect's scorer {check.target}", check.why, actual=check.actual
        )
        return msgspec.structs.replace(found, checks=(check,))
    why = "it has several scorers, none of which is the verdict" if checks else "the sample has no score"
    if len(checks) == 1:
        why = f"the value of the scorer {checks[0].target} is no figure"
    return not_scored(why, rules=RULES, checks=tuple(checks))


def _check(name: str, score: JsonObject) -> Check:
    value = _value(score.get("value"))
    return Check(
        name="recorded",
        target=name,
        actual=score.get("answer"),
        normalised=score.get("value"),
        status=Status.NOT_SCORED if value is None else Status.SCORED,
        value=value,
        why=text_of(score.get("explanation"))[:2000] or "as the log says",
    )


def _value(value: Json) -> float | None:
    """Inspect's `value_to_float`: letters, booleans and numbers; None for anything else."""
    if isinstance(value, str):
        return _VALUES.get(value)
    return float(value) if isinstance(value, int | float) else None


def _notice_usage(sample: JsonObject, turns: list[Turn], place: Place) -> None:
    """Tokens that no message accounts for; both figures are kept."""
    listed = sample.get("model_usage")
    whole = [usage_of_inspect(one) for one in (listed.values() if isinstance(listed, dict) else ())]
    for name in ("prompt_tokens", "completion_tokens"):
        total = sum(one.get(name, 0) for one in whole)
        told = sum(turn.usage.get(name, 0) for turn in turns)
        if total != told:
            place.tally.notice(f"{name} of a sample are {total}, of its messages {told}")
