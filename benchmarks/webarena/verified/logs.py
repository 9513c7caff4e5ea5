"""Logs of WebArena-Verified: a folder a task with the agent's response, the verdict and the network log.

`agent_response.json` {task_type, status, retrieved_data, error_details}; `eval_result.json` {task_id, sites,
status, score, evaluators_results: [{evaluator_name, status, score, actual, actual_normalized, expected,
assertions}], checksums}; `network.har` (HAR 1.2). What the agent did is not in it, only what its browser
asked for: pages that were opened are steps without an action. Source: the project's repository, ServiceNow.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from functools import cached_property

import msgspec

from webbench.benchmarks.webarena.collection import VERIFIED as SPLIT
from webbench.benchmarks.webarena.collection import collect
from webbench.benchmarks.webarena.sites import NAME, addresses_set
from webbench.benchmarks.webarena.verified.episode_events import cookies_wanted
from webbench.benchmarks.webarena.verified.events import read_events
from webbench.benchmarks.webarena.verified.har import read_har, without_credentials
from webbench.core.action.action import Stop
from webbench.core.errors import BadData
from webbench.core.exchange.account.kinds import Kind
from webbench.core.exchange.account.source_shape import Shape
from webbench.core.exchange.account.tally import Lost, Tally
from webbench.core.exchange.episode_building import (
    RECORD_ENDS,
    STOPPED,
    foreign_header,
    numbered,
    object_in,
    text_of,
)
from webbench.core.exchange.foreign_terms import RULES, score_of_checks
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedFile, ImportedStep, MadeBy
from webbench.core.exchange.place import Place
from webbench.core.json_types import Json, JsonObject
from webbench.core.score.score import Check, Score, Status, failed, not_scored
from webbench.core.settings.locations import benchmark_data
from webbench.core.task import Task
from webbench.core.trajectory import Step

RESPONSE, RESULT, NETWORK = "agent_response.json", "eval_result.json", "network.har"
NO_ACTIONS = "the agent's actions: the source holds its response and what its browser asked the network for"
NO_TASK = (
    "the task is not among the installed ones, so this episode can't be scored again: get them with "
    "`webbench-tui data get webarena-verified` and import it anew"
)
OWN = "webarena_verified_"
LARGEST_KEPT = 64 * 1024 * 1024
"""Bytes of a network log that is kept whole."""
FOUND_PAGE = 300
"""Answers from this status on did not show a page."""


SHAPE = Shape({"score": "scores", "status": "values"})


class VerifiedLogs:
    name = "webarena-verified"
    title = "WebArena-Verified logs"
    looks_like = "a folder with agent_response.json, eval_result.json and network.har"

    def claim(self, place: Place) -> Claim | None:
        if RESULT in place.names and (place / RESULT).has_text('"task_id"', '"evaluators_results"'):
            return Claim()
        if RESPONSE in place.names and NETWORK in place.names:
            return Claim("refused", f"without {RESULT} nothing says which task it is")
        return None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        """Raises `BadData` where the verdict can't be read; a log or response that can't be is told."""
        result = object_in(place / RESULT)
        number = text_of(result.get("task_id"))
        if not number:
            raise BadData(f"{place / RESULT} names no task")
        known = self._tasks.get(f"{SPLIT}.{number}")
        task = known or _unknown_task(number, result)
        place.tally.count("episodes")
        place.tally.read(result, SHAPE)
        lost = place.tally.losses()
        lost.append(NO_ACTIONS)
        evidence = _evidence(place, task, lost)
        header = foreign_header(
            task,
            place.parent.name,
            score=_score(result),
            end_reason=STOPPED if "response" in evidence else RECORD_ENDS,
            settings={"result": result}
            | {key: value for key, value in result.items() if key.startswith(OWN)},
        )
        header = msgspec.structs.replace(header, warnings=() if known else (NO_TASK,))
        _count(evidence, place.tally)
        files = _files(place / NETWORK, len(evidence["har_events"]), lost) if "har_events" in evidence else ()
        release = text_of(result.get("webarena_verified_version"))
        made = MadeBy(tool=self.name if release else "", version=release)
        yield ImportedEpisode(header, numbered(_steps(evidence)), lost, files=files, made_by=made)

    @cached_property
    def _tasks(self) -> Mapping[str, Task]:
        return collect(benchmark_data(NAME, None), ()).tasks


def create() -> VerifiedLogs:
    """The entry point."""
    return VerifiedLogs()


def _count(evidence: JsonObject, tally: Tally) -> None:
    """What the browser asked for, and the response; the steps are made of both."""
    tally.count("replies", "response" in evidence)
    tally.again(
        "replies", "the response is the answer that the episode ends with", int("response" in evidence)
    )
    kinds: tuple[Kind, ...] = ("steps", "actions", "notes")
    for kind in kinds:
        tally.retold(kind, NO_ACTIONS)


def _unknown_task(number: str, result: JsonObject) -> Task:
    sites = result.get("sites")
    return Task(
        benchmark=NAME,
        name=f"{SPLIT}.{number}",
        split=SPLIT,
        site=", ".join(map(str, sites)) if isinstance(sites, list) else "",
        template=text_of(result.get("intent_template_id")),
        gold={"eval": []},
    )


def _evidence(place: Place, task: Task, lost: Lost) -> JsonObject:
    """What the evaluator of the verified edition scores; sites' addresses are those of the settings."""
    evidence: JsonObject = {"sites": addresses_set()}
    if RESPONSE in place.names:
        try:
            evidence["response"] = (place / RESPONSE).text()
        except BadData as error:
            lost.append(str(error))
    if NETWORK in place.names:
        try:
            evidence["har_events"] = _events(place / NETWORK, task)
        except BadData as error:
            lost.append(str(error))
            evidence["events_problem"] = "the network log can't be read"
    return evidence


def _events(log: Place, task: Task) -> list[JsonObject]:
    """Of cookies, which may sign somebody in, only those that the task looks at."""
    if not log.confined:
        raise BadData(f"{log} does not lie in {log.root}", "links out of the folder are not followed")
    wanted = set(cookies_wanted(task))
    return [
        event | {"cookies": {name: value for name, value in event["cookies"].items() if name in wanted}}
        for event in read_har(log.path)
    ]


def _files(log: Place, taken: int, lost: Lost) -> tuple[ImportedFile, ...]:
    """The whole log without what could sign somebody in."""
    try:
        content = log.read(LARGEST_KEPT)
        entries = content.count(b'"startedDateTime"') - content.count(b'"pageTimings"')
        log.tally.count("exchanges", entries)
        log.tally.again(
            "exchanges", "what scoring looks at is here, the others in the log that is kept", entries - taken
        )
        return (ImportedFile(NETWORK, without_credentials(content, str(log))),)
    except BadData as error:
        lost.append(f"the whole network log; what scoring looks at is kept: {error}")
        return ()


def _steps(evidence: JsonObject) -> Iterator[ImportedStep]:
    yield ImportedStep(Step(index=0, at="", actor="operator"))
    for event in read_events(evidence.get("har_events", [])):
        if event.opens_page and event.status < FOUND_PAGE:
            told = "from the network log, which doesn't tell what opened it"
            step = Step(index=0, at="", actor="agent", text=f"opened {event.url}", url=event.url, note=told)
            yield ImportedStep(step)
    response = text_of(evidence.get("response"))
    action = Stop(answer=response) if "response" in evidence else None
    end = Step(index=0, at="", actor="agent", text="respond" if action else "", action=action)
    yield ImportedStep(msgspec.structs.replace(end, evidence=evidence))


def _score(result: JsonObject) -> Score:
    listed = result.get("evaluators_results")
    given = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    checks = tuple(map(_check, given))
    value = _figure(result.get("score"))
    if result.get("status") == "error":
        problems = filter(None, (text_of(one.get("error_msg")) for one in given))
        return failed("; ".join(problems) or "the source's evaluator failed", rules=RULES, checks=checks)
    if value is None:
        return not_scored("the source gives no score", rules=RULES, checks=checks)
    version = text_of(result.get("webarena_verified_version"))
    return score_of_checks(value, f"webarena-verified {version}".strip(), checks)


def _check(one: JsonObject) -> Check:
    listed = one.get("assertions")
    differences = [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []
    name, value = text_of(one.get("evaluator_name")), _figure(one.get("score"))
    target = "network events" if "Network" in name else "agent response"
    return Check(
        name=name,
        target=target,
        actual=one.get("actual"),
        normalised=_json_text(one.get("actual_normalized")),
        expected=_json_text(one.get("expected")),
        status=Status.NOT_SCORED if value is None else Status.SCORED,
        value=value,
        why=text_of(one.get("error_msg")) or (_messages_text(differences) or "no difference was recorded"),
        combination="1 without a difference" if differences else "",
        checks=tuple(
            Check(
                name=text_of(item.get("assertion_name")), target=target, value=0.0, why=_messages_text([item])
            )
            for item in differences
            if item.get("status") == "failure"
        ),
    )


def _messages_text(differences: list[JsonObject]) -> str:
    messages = (item.get("assertion_msgs") for item in differences)
    return " ".join(text_of(text) for listed in messages if isinstance(listed, list) for text in listed)


def _figure(value: Json) -> float | None:
    """A number that is one: no truth value, no NaN."""
    is_figure = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return float(value) if is_figure else None


def _json_text(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)
