"""Results of the WebCanvas framework as recorded episodes, with the key nodes that each step had reached.

One JSON object a task: {task_name, status, step_list: [{dict_result, execute_action, selector, step_url,
score "1 / 3", match_func_result, ...}], evaluate_steps: [{match_function, reference_answer, score}]}. The
framework scores a step before it acts; so what it tells with a step was reached by the step before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from webbench.benchmarks.webcanvas.framework_results import FrameworkResult, framework_result
from webbench.benchmarks.webcanvas.scoring.evaluate import WebCanvasEvaluator
from webbench.benchmarks.webcanvas.scoring.key_nodes import KeyNode
from webbench.benchmarks.webcanvas.scoring.matched_key_node import PUBLISHED
from webbench.benchmarks.webcanvas.scoring.metrics import score_parts
from webbench.core.action.action import (
    Action,
    Back,
    Click,
    ElementRef,
    FocusTab,
    Goto,
    Hover,
    Noop,
    Remember,
    Scroll,
    Search,
    Select,
    Stop,
    Type,
)
from webbench.core.errors import BadData
from webbench.core.exchange.account.source_shape import Again, Both, Left, Shape, Whole
from webbench.core.exchange.account.tally import Lost
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
from webbench.core.exchange.foreign_terms import RULES
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedStep
from webbench.core.exchange.place import Place
from webbench.core.json_types import Json, JsonObject
from webbench.core.score.score import Score, failed
from webbench.core.task import Task
from webbench.core.trajectory import Step

ACTOR = "WebCanvas agent"
_ENDS = {"finished": STOPPED, "llm_finished": STOPPED}


SHAPE = Shape(
    {
        "": "episodes",
        "step_list": Both(("steps", "actions")),
        "step_list.dict_result.description.thought": "reasoning",
        "step_list.dict_result.description.action": "replies",
        "step_list.dict_result.planning_token_count": "tokens",
        "step_list.score": "notes",
        "step_list.previous_trace": Again("values", "the steps before, as a text"),
        "step_list.match_func_result": Whole("scores"),
        "step_list.execute_action.element_id": Left("values", "the framework's own number of an element"),
        "step_list.execute_action.action_type": Again("values", "the action's number beside its name"),
        "step_list.current_trace": Again("values", "the thought and action of the step once more"),
        "evaluate_steps": "values",
    }
)


class WebCanvasResult:
    name = "webcanvas-result"
    title = "WebCanvas results"
    looks_like = "a JSON object of task_name, reference_task_length, step_list and evaluate_steps"

    def claim(self, place: Place) -> Claim | None:
        if place.has_text('"task_name"', '"step_list"') and place.head.lstrip().startswith(b"{"):
            return Claim()
        listed = place.has_text('"reference_task_length"', '"evaluation"', '"match_function_name"')
        return Claim("companion", "a list of Mind2Web-Live tasks with their key nodes") if listed else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        data = object_in(place)
        rows = [row for row in list_in(data, "step_list", place) if isinstance(row, dict)]
        place.tally.read(data, SHAPE)
        lost = place.tally.losses()
        place.tally.retold("scores", "each step is scored anew by the key nodes that the source marks")
        result = _result(data, lost)
        status = text_of(data.get("status"))
        header = foreign_header(
            result.task() if result else Task(benchmark="webcanvas", name=text_of(data.get("task_name"))),
            ACTOR,
            score=_score(result) if result else failed(lost[0], rules=RULES),
            end_reason=_ENDS.get(status, status or RECORD_ENDS),
            settings={
                "status": status,
                "errors": text_of(data.get("LLM_error_rate")),
                "result": {name: value for name, value in data.items() if name != "step_list"},
            },
        )
        if result:
            header = msgspec.structs.replace(header, rules=PUBLISHED)
        yield ImportedEpisode(header, numbered(_steps(rows, result, lost)), lost)


def create() -> WebCanvasResult:
    """The entry point."""
    return WebCanvasResult()


def _result(data: JsonObject, lost: Lost) -> FrameworkResult | None:
    """The key nodes and their scores; None where they can't be used, which is told."""
    try:
        result = framework_result(data)
    except BadData as error:
        lost.append(f"the score: {error}")
        return None
    if result.trouble():
        lost.append(f"it contradicts itself: {result.trouble()}")
    return result


def _score(result: FrameworkResult, reached: Sequence[float] | None = None, steps: int = 0) -> Score:
    """The framework's marks put into the benchmark's own checks: at the end, or after so many steps."""
    evidence = result.evidence
    if reached is not None:
        evidence = {"steps": evidence["steps"][: steps + 1], "scores": list(reached), "taken": steps}
    return WebCanvasEvaluator().score(result.task(), evidence)


def _steps(rows: list[JsonObject], result: FrameworkResult | None, lost: Lost) -> Iterator[ImportedStep]:
    yield ImportedStep(Step(index=0, at="", actor="operator"))
    for number, row in enumerate(rows, start=1):
        step = _step(number, row, lost)
        if result is not None:
            step = _scored(step, number, rows, result, lost)
        yield ImportedStep(step)


def _scored(step: Step, number: int, rows: list[JsonObject], result: FrameworkResult, lost: Lost) -> Step:
    """With what the next step tells of the key nodes; with the last one all evidence."""
    if number == len(rows):
        return msgspec.structs.replace(step, evidence=result.evidence, score=_score(result))
    reached = _reached(rows[number].get("match_func_result"), result.nodes, lost)
    return msgspec.structs.replace(step, score=_score(result, reached, number))


def _reached(told: Json, nodes: Sequence[KeyNode], lost: Lost) -> list[float]:
    """1 for each key node that the list names by its function and answer, else 0; what fits none is told."""
    pairs = (
        [pair for one in told if isinstance(one, dict) for pair in one.items()]
        if isinstance(told, list)
        else []
    )
    found: list[float] = []
    for node in nodes:
        pair = (node.match_function, node.reference_answer)
        found.append(float(pair in pairs))
        if pair in pairs:
            pairs.remove(pair)
    odd = told not in (None, [], {}) and (
        not isinstance(told, list) or not all(isinstance(one, dict) for one in told)
    )
    if pairs or odd:
        lost.append("a key node that was matched and is none of the task's, or has another shape")
    return found


def _step(number: int, row: JsonObject, lost: Lost) -> Step:
    asked, done = _object(row, "dict_result"), _object(row, "execute_action")
    verb, value = text_of(asked.get("action_type")), text_of(asked.get("value"))
    target = _target(asked, row)
    action = action_for(verb, value, target, done)
    text = " ".join(part for part in (verb, f"[{target.id}]" if target.id is not None else "", value) if part)
    error = text_of(row.get("error_message"))
    if action is None:
        lose_action(lost, text, number)
    return Step(
        index=0,
        at="",
        actor="agent",
        text=text,
        action=action,
        ok=not error,
        error=error,
        reasoning=text_of(_object(asked, "description").get("thought")),
        reply=text_of(_object(asked, "description").get("action")),
        usage=_usage(asked.get("planning_token_count")),
        url=text_of(row.get("step_url")),
        note=_reached_before(number, row, lost),
    )


def _reached_before(number: int, row: JsonObject, lost: Lost) -> str:
    """The framework's own count before the step, such as "1 / 3"; told where its list has another count."""
    score, listed = text_of(row.get("score")), row.get("match_func_result")
    if isinstance(listed, list):
        named = sum(len(one) if isinstance(one, dict) else 1 for one in listed)
        if not _counts(score, named):
            lost.append(
                f"it contradicts itself: step {number} counts {score} key nodes and lists {named}; "
                "the list is used"
            )
    return f"key nodes before it: {score}" if score else ""


def _counts(score: str, listed: int) -> bool:
    """Whether points such as "2 / 3" fit so many key nodes, of which each has up to one."""
    try:
        return listed - 1 < score_parts(score)[0] <= listed
    except BadData:
        return True  # nothing to compare


def _object(data: JsonObject, name: str) -> JsonObject:
    found = data.get(name)
    return found if isinstance(found, dict) else {}


def _target(asked: JsonObject, row: JsonObject) -> ElementRef:
    """The element by the id it was shown under; its selector, role and words as the framework found them."""
    identity, value = asked.get("id"), text_of(row.get("element_value"))
    role = text_of(_object(row, "execute_action").get("element_name"))
    return ElementRef(
        id=identity if isinstance(identity, int) and not isinstance(identity, bool) else None,
        role=role,
        name=value,
        selector=text_of(row.get("selector")),
    )


def _usage(counts: Json) -> JsonObject:
    if not isinstance(counts, list) or len(counts) != 2 or not all(isinstance(one, int) for one in counts):
        return {}
    return {"input_tokens": counts[0], "output_tokens": counts[1]}


def action_for(verb: str, value: str, target: ElementRef, done: JsonObject) -> Action | None:
    """The action of the framework's name for it, None for others."""
    text = text_of(done.get("fill_text")) or value
    match verb:
        case "goto":
            return Goto(url=text_of(done.get("url")) or value)
        case "click":
            return Click(target=target)
        case "hover":
            return Hover(target=target)
        case "fill_form" | "fill_search":
            return Type(target=target, text=text, enter=verb == "fill_search")
        case "select_option":
            return Select(target=target, options=(text,))
        case "google_search":
            return Search(query=text)
        case "go_back":
            return Back()
        case "scroll_down" | "scroll_up":
            return Scroll(dy=1.0 if verb.endswith("down") else -1.0, unit="viewports")
        case "cache_data":
            return Remember(text=value)
        case "get_final_answer":
            return Stop(answer=value)
        case "switch_tab":
            return FocusTab(index=int(value)) if value.isascii() and value.isdecimal() else None
        case "none" | "None":
            return Noop()
        case _:
            return None
