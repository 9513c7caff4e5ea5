"""Open Operator Evals: one JSON a run of Browser-Use, Proxy (Convergence) or Notte on WebVoyager's tasks.

`<agent>/<batch>/<site>_<task>/<run>/results_no_screenshot.json` holds success (the agent's own claim), eval
{eval: success, failure or unknown, reason} or null (a judge), task {question, id, answer, url}, agent_answer,
and steps [{url, duration_in_s, llm_calls: [{messages_in, message_out, pretty_out, input_tokens,
output_tokens}]}]. The address of a step is the one before its actions; with Notte, the one after.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import msgspec

from webbench.core.action.action import Stop
from webbench.core.dialects.notations.action_names import Elements, actions_of
from webbench.core.exchange.account.source_shape import Again, Frame, Shape, Whole
from webbench.core.exchange.account.tally import Lost, Tally
from webbench.core.exchange.episode_building import (
    RECORD_ENDS,
    STOPPED,
    foreign_header,
    list_in,
    lose_action,
    numbered,
    object_in,
    text_of,
)
from webbench.core.exchange.foreign_terms import RULES, recorded_score
from webbench.core.exchange.formats.webvoyager import site_of
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedStep
from webbench.core.exchange.open_operator.model_calls import (
    ASSISTANT,
    called,
    conversation,
    pictures_in,
    reply_text,
    shown,
    told_of,
)
from webbench.core.exchange.place import Place
from webbench.core.exchange.reading.element_lines import elements_of
from webbench.core.json_types import Json, JsonObject
from webbench.core.observation import Observation
from webbench.core.score.score import Check, Score, Status, not_scored
from webbench.core.task import Task
from webbench.core.trajectory import Seconds, Step

BENCHMARK = "webvoyager"
FILES = ("results_no_screenshot.json", "results.json")
KEPT = (
    *("run_id", "agent_answer", "replay_code", "logs", "eval", "success", "duration_in_s", "task_website"),
    *("total_input_tokens", "total_output_tokens"),
)
"""What goes into the settings as it is; nothing of it is ever run."""
NOTTE = "Notte"
JUDGE = "the source's judge"
_VALUES = {"success": 1.0, "failure": 0.0}
_ACTIONS = "\U0001f6e0"
"""What the readable form of a reply has before its actions."""


SHAPE = Shape(
    {
        "": "episodes",
        "eval.eval": "values",
        "duration_in_s": "values",
        "last_message": Again("replies", "the last message, which the last step has too"),
        "steps.duration_in_s": Frame(),
        "steps.llm_calls.input_tokens": "tokens",
        "steps.llm_calls.output_tokens": "tokens",
        "steps.llm_calls.messages_in": Whole("prompts"),
        "steps.llm_calls.message_out": Whole("replies"),
        "steps.llm_calls.pretty_out": "reasoning",
    }
)
_WORDS = Shape({"in": "values", "out": "values"})
SEVERAL_FIELDS = "fields that one call fills are a step each"
NO_CALL = "no call of the model was recorded"
LAST_CALL = "of several calls of the model in one step the last is kept"
PICTURE_GIVEN = "a picture within a prompt or reply"
WHOLE_TIME = "the source gives the time of the whole run alone"


class OpenOperator:
    name = "open-operator"
    title = "Open Operator Evals results"
    looks_like = "a JSON object of success, run_id, eval, agent_answer, task, steps with llm_calls"

    def claim(self, place: Place) -> Claim | None:
        named = place.name in FILES and place.has_text('"success"', '"run_id"', '"duration_in_s"')
        return Claim() if named else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        run = object_in(place)
        listed = [one for one in list_in(run, "steps", place) if isinstance(one, dict)]
        task: JsonObject = run["task"] if isinstance(run.get("task"), dict) else {}
        agent = _agent(place, run)
        place.tally.read(run, SHAPE)
        _count(run, listed, place.tally)
        lost = place.tally.losses()
        steps = _end(list(_steps(listed, agent == NOTTE, lost)), run, place.tally)
        stopped = any(isinstance(one.step.action, Stop) for one in steps)
        name = text_of(task.get("id") or run.get("task_id")).removeprefix("webvoyager--")
        header = foreign_header(
            Task(
                benchmark=BENCHMARK,
                name=name,
                intent=text_of(task.get("question")),
                site=site_of(name, text_of(task.get("url"))),
                gold={"answer": text_of(task.get("answer"))},
            ),
            agent,
            score=_score(run),
            end_reason=STOPPED if stopped else RECORD_ENDS if listed else "it failed before its first step",
            settings={
                "id": text_of(task.get("id") or run.get("task_id")),
                "url": text_of(task.get("url")),
                "batch": _batch(place),
            }
            | {key: run[key] for key in KEPT if run.get(key) not in (None, "")},
        )
        yield ImportedEpisode(header, numbered(steps), lost)


def create() -> OpenOperator:
    """The entry point."""
    return OpenOperator()


def _count(run: JsonObject, listed: Sequence[JsonObject], tally: Tally) -> None:
    """Steps and actions by what the model replied; times and verdicts by their values."""
    judged = run.get("eval")
    tally.count("scores", isinstance(judged, dict) and judged.get("eval") in _VALUES)
    for one in listed:
        calls = _calls_of(one)[-1:]
        for call in calls:
            _count_words(call, tally)
        names = [name for call in calls for name, _ in called(call.get("message_out"))]
        tally.count("steps", max(1, len(names)))
        tally.count("actions", len(names))
        tally.count("times", _is_time(one.get("duration_in_s")))


def _count_words(call: JsonObject, tally: Tally) -> None:
    """All that the messages of a call hold, which has to stand in the prompt and the reply word for word."""
    given, replied = call.get("messages_in"), told_of(call.get("message_out"))
    if isinstance(replied, dict) and replied.get("role") == ASSISTANT:
        replied = {name: one for name, one in replied.items() if name != "role"}
    tally.read({"in": told_of(given), "out": replied}, _WORDS)
    pictures = pictures_in(given) + pictures_in(call.get("message_out"))
    if pictures:
        tally.count("pictures", pictures)
        tally.left("pictures", PICTURE_GIVEN, pictures)


def _is_time(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0


def _calls_of(one: JsonObject) -> list[JsonObject]:
    calls = one.get("llm_calls")
    return [call for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []


def _batch(place: Place) -> str:
    """The folder of runs that were done together, "" where the file lies elsewhere."""
    folders = place.path.parts[-5:-1]
    return folders[1] if len(folders) == 4 and folders[1].isdecimal() else ""


def _agent(place: Place, run: JsonObject) -> str:
    """Named by the outermost folder; elsewhere told by the shape of what the model replied."""
    if _batch(place):
        return place.path.parts[-5]
    if "replay_code" in run:
        return NOTTE
    told = text_of(run.get("last_message"))
    return "BrowserUse" if "AgentOutput" in told else "Convergence" if "<observation>" in told else ""


def _score(run: JsonObject) -> Score:
    """The judge's verdict; the agent's own claim stands beside it and does not count."""
    claimed = run.get("success")
    claim = Check(
        name="claim",
        target="the agent's own claim",
        actual=claimed,
        value=float(claimed is True),
        counted=False,
        why="what the agent said of itself; it is not the verdict",
    )
    judged = run.get("eval")
    if not isinstance(judged, dict):
        return not_scored("the source's judge was not asked", rules=RULES, checks=(claim,))
    verdict = text_of(judged.get("eval"))
    why = text_of(judged.get("reason"))[:2000] or "the judge gave no reason"
    if verdict not in _VALUES:
        told = f"the source's judge says {verdict or 'nothing'!r}"
        return not_scored(told, rules=RULES, checks=(_undecided(verdict, why), claim))
    score = recorded_score(_VALUES[verdict], JUDGE, why, actual=verdict)
    return msgspec.structs.replace(score, checks=(*score.checks, claim))


def _undecided(verdict: str, why: str) -> Check:
    return Check(name="recorded", target=JUDGE, actual=verdict, status=Status.NOT_SCORED, why=why)


def _end(steps: list[ImportedStep], run: JsonObject, tally: Tally) -> list[ImportedStep]:
    """The steps; where an agent answered and the last step recorded no call, that was the answer."""
    last, answer = steps[-1].step, text_of(run.get("agent_answer"))
    if last.index == 0 and not last.reply and len(steps) > 1 and last.action is None and run.get("success"):
        answered = msgspec.structs.replace(last, text="answer", action=Stop(answer=answer), note="")
        steps[-1] = msgspec.structs.replace(steps[-1], step=answered)
        tally.made("actions", "the last step of an agent that answered, whose call the source lacks")
        tally.made("notes", NO_CALL, -1 if last.note else 0)
    return _timed(steps, run, tally)


def _timed(steps: list[ImportedStep], run: JsonObject, tally: Tally) -> list[ImportedStep]:
    """Where no step has a time, the run's own is the last step's."""
    whole = run.get("duration_in_s")
    timed = any(one.step.seconds.total > 0 for one in steps)
    if timed or not _is_time(whole) or len(steps) == 1:
        return steps
    last = steps[-1].step
    note = "\n".join(filter(None, (last.note, WHOLE_TIME)))
    tally.made("times", WHOLE_TIME)
    tally.made("notes", WHOLE_TIME, int(not last.note))
    last = msgspec.structs.replace(last, seconds=Seconds(agent=float(whole or 0)), note=note)
    return [*steps[:-1], msgspec.structs.replace(steps[-1], step=last)]


def _steps(listed: list[JsonObject], after: bool, lost: Lost) -> Iterator[ImportedStep]:
    """The start, then a step for each action.

    Args:
        after: whether addresses are those after the actions.
    """
    calls = [_last_call(one, lost) for one in listed]
    seen = [elements_of(shown(call)) for call in calls]
    urls = [text_of(one.get("url")) for one in listed]
    arrived = urls if after else [*urls[1:], ""]
    start = "" if after or not urls else urls[0]
    yield ImportedStep(Step(index=0, at="", actor="operator", url=start), _page(start, seen[:1]))
    for number, (one, call) in enumerate(zip(listed, calls, strict=True)):
        steps = list(_acted(one, call, seen[number], lost))
        lost.tally.count("trees", bool(seen[number]))
        where = arrived[number]
        last = msgspec.structs.replace(steps[-1], url=where)
        yield from (ImportedStep(step) for step in steps[:-1])
        yield ImportedStep(last, _page(where, seen[number + 1 : number + 2]))


def _page(url: str, seen: Sequence[Elements]) -> Observation | None:
    nodes = tuple(seen[0].values()) if seen else ()
    return Observation(url=url, nodes=nodes) if nodes else None


def _acted(one: JsonObject, call: JsonObject, seen: Elements, lost: Lost) -> Iterator[Step]:
    """A step for each action of a call; the first has the call with it."""
    took = one.get("duration_in_s")
    common = Step(
        index=0,
        at="",
        actor="agent",
        reasoning=text_of(call.get("pretty_out")).partition(_ACTIONS)[0].strip(),
        prompt=conversation(call.get("messages_in")),
        reply=reply_text(call.get("message_out")),
        usage={name: call[name] for name in ("input_tokens", "output_tokens") if name in call},
        seconds=Seconds(agent=max(0.0, float(took))) if isinstance(took, int | float) else Seconds(),
        note="" if call else NO_CALL,
    )
    if not call:
        lost.tally.made("notes", NO_CALL)
    steps: list[Step] = []
    for name, arguments in called(call.get("message_out")):
        text = f"{name}({json.dumps(arguments, ensure_ascii=False)})"
        actions = actions_of(name, arguments, seen)
        if not actions:
            lose_action(lost, name)
        begun = common if not steps else Step(index=0, at="", actor="agent")
        steps.append(msgspec.structs.replace(begun, text=text, action=actions[0] if actions else None))
        steps += [Step(index=0, at="", actor="agent", text=text, action=action) for action in actions[1:]]
        for kind in ("steps", "actions"):
            lost.tally.made(kind, SEVERAL_FIELDS, max(0, len(actions) - 1))
    yield from steps or [common]


def _last_call(one: JsonObject, lost: Lost) -> JsonObject:
    """The call whose reply was acted on."""
    found = _calls_of(one)
    for call in found[:-1]:
        lost.lose("prompts", LAST_CALL, int(bool(call.get("messages_in"))))
        lost.lose("replies", LAST_CALL, int(bool(call.get("message_out"))))
        lost.lose("reasoning", LAST_CALL, int(bool(call.get("pretty_out"))))
        lost.lose("tokens", LAST_CALL, sum(name in call for name in ("input_tokens", "output_tokens")))
    return found[-1] if found else {}
