"""WebCanvas's recorded functions, answered by our evaluator under the published rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from tests.parity.compare import PENDING, NotHere
from webbench.benchmarks.webcanvas.scoring import element_values, urls
from webbench.benchmarks.webcanvas.scoring import metrics as figures
from webbench.benchmarks.webcanvas.scoring.judge_replies import cut, fenced_number
from webbench.benchmarks.webcanvas.scoring.key_nodes import KeyNode, annotated_key_nodes, key_node
from webbench.benchmarks.webcanvas.scoring.matched_key_node import PUBLISHED, Event, match, match_value
from webbench.benchmarks.webcanvas.scoring.outcomes import Outcome
from webbench.benchmarks.webcanvas.scoring.progress import follow
from webbench.benchmarks.webcanvas.scoring.recorded_page import Page
from webbench.core.errors import BadData

NOT_NEEDED = {
    "get_netloc_as_shipped": "upstream's module as shipped lacks an import and fails on every address",
    "step_event_evaluate": "upstream's unfinished event path; step_evaluate gives the published scores",
    "escape_class": "selectors are given by the recording, none is built from class names",
    "escape_value": "selectors are given by the recording, none is built from attribute values",
}

Json = Any
ATTEMPTS = 3


def open_adapter() -> WebCanvasAdapter:
    return WebCanvasAdapter()


class Unanswered(Exception):
    """A judge would be asked, and there is no reply."""


def published_verdict(ask: Callable[[], Json]) -> float:
    """The published way of asking: the first ``` fenced number, cut to [0, 1], rounded to two decimals.

    Args:
        ask: gives the next reply; None (a call that failed) and what is no text can't be read. It is called
            up to three times, until a reply can be read; if none can, the verdict is 0.
    """
    for _ in range(ATTEMPTS):
        score = fenced_number(ask())
        if score is not None:
            return cut(score)
    return 0


class CannedReplies:
    """Replies in the place of a model; the last one repeats."""

    def __init__(self, replies: Sequence[str | None]) -> None:
        self.replies, self.calls = replies, 0

    def ask(self) -> str | None:
        if not self.replies:
            raise Unanswered
        self.calls += 1
        return self.replies[min(self.calls, len(self.replies)) - 1]

    def judge(self, answer: str, requirement: str) -> float:
        return published_verdict(self.ask)

    def told(self, score: float) -> Json:
        return {"score": score, "llm_calls": self.calls} if self.replies else score


class WebCanvasAdapter:
    def __init__(self) -> None:
        self._functions: dict[str, Callable[..., Json]] = {
            "url_exact_match": urls.url_exact_match,
            "url_include_match": urls.url_include_match,
            "url_semantic_match": url_semantic_match,
            "semantic_match": semantic_match,
            "element_path_exact_match": element_path_exact_match,
            "element_value_exact_match": value_match("element_value_exactly_match"),
            "element_value_include_match": value_match("element_value_included_match"),
            "element_value_semantic_match": value_match("element_value_semantic_match"),
            "text_exact_match": element_values.text_exact_match,
            "text_include_match": element_values.text_include_match,
            "get_netloc": urls.site_label,
            "element_value": element_values.element_value,
            "step_evaluate": step_evaluate,
            "read_task": read_task,
            "task_length_score": task_length_score,
            "finish_task_score": lambda reference_step_score, step_score: int(
                reference_step_score == step_score
            ),
            "score_rate": lambda score: figures.score_rate(score),
            "completion_rate": lambda scores: figures.completion_rate(scores),
            "aggregate": aggregate,
            "human_alignment_score": figures.human_alignment_score,
        }

    def run(self, function: str, arguments: dict[str, Json]) -> Json:
        if function in NOT_NEEDED:
            raise NotHere(NOT_NEEDED[function])
        try:
            return self._functions[function](**arguments)
        except Unanswered:
            return PENDING

    def close(self) -> None: ...


def semantic_match(llm_replies: Sequence[str | None]) -> Json:
    replies = CannedReplies(llm_replies)
    return replies.told(published_verdict(replies.ask))


def url_semantic_match(url: Json, reference: Json, key: Json, llm_replies: Sequence[str | None] = ()) -> Json:
    replies = CannedReplies(llm_replies)
    node = KeyNode(match_function="url_semantic_match", reference_answer=reference, key=key)
    return replies.told(match(node, Event(url=url), Page(None), replies.judge).value)


def element_path_exact_match(
    path: Json, reference: Json, method: Json, html: Json, netloc: Json, reference_netloc: Json
) -> Json:
    return netloc == reference_netloc and Page(html).same_element(path, reference, method)


def value_match(function: str) -> Callable[..., Json]:
    def run(
        value: Json,
        reference: Json,
        netloc: Json,
        reference_netloc: Json,
        llm_replies: Sequence[str | None] = (),
    ) -> Json:
        replies = CannedReplies(llm_replies)
        node = KeyNode(match_function=function, reference_answer=reference, netloc=reference_netloc)
        return replies.told(match_value(node, value, netloc, replies.judge).value)

    return run


def step_evaluate(
    steps: list[Json], events: list[Json], html: Json = None, llm_replies: Sequence[str | None] = ()
) -> Json:
    """What the evaluator makes of the episode, told after each event in the form of the rows."""
    replies = CannedReplies(llm_replies)
    nodes = [key_node(step) for step in steps]
    seen = [Event(**event, html=html) for event in events]
    _, *told = [[one.outcome() for one in found] for found in follow(nodes, seen, replies.judge, PUBLISHED)]
    return [_state(found) for found in told]


def _state(found: Sequence[Outcome]) -> Json:
    for one in found:
        if one.error or one.missing:
            raise BadData(one.error or f"the page of step {one.missing[0]} is not there")
    scores = [one.counted(PUBLISHED) for one in found]
    reached = [one.node for one, score in zip(found, scores, strict=True) if score >= 1]
    matched = [{node.match_function: node.reference_answer} for node in reached]
    return {"scores": scores, "matched": matched, "total": sum(scores)}


def read_task(task: Json) -> Json:
    nodes = annotated_key_nodes(task)
    return {"steps": [msgspec.to_builtins(node) | {"score": node.score} for node in nodes]}


def task_length_score(reference_length: Json, actual_length: Json, alpha: Json = None) -> Json:
    allowance = figures.LENGTH_ALLOWANCE if alpha is None else alpha
    return figures.task_length_score(reference_length, actual_length, allowance)


def aggregate(tasks: list[Json], total_token_cost: float) -> Json:
    return figures.aggregate([_result(task) for task in tasks], total_token_cost)


def _result(task: Json) -> figures.TaskResult:
    """Of one task of the framework's summary: only its last step counts."""
    try:
        last = task["step_list"][-1]
        # Upstream's average reads the first two numbers and ignores whatever follows a second slash.
        score, possible = figures.score_parts("/".join(last["task_score"].split("/")[:2]))
        found = {
            "status": task["task_status"],
            "steps": last["step_index"] + 1,
            "score": score,
            "possible": possible,
            "rate": last["task_score_rate"],
        }
        return msgspec.convert(found, figures.TaskResult)
    except (KeyError, IndexError, TypeError, AttributeError, msgspec.ValidationError) as error:
        raise BadData(f"the result has another shape: {error!r}") from error
