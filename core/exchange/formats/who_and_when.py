"""Who&When: failed multi-agent runs with the annotated agent and step of the decisive mistake.

One JSON object a run: history [{content, role, name?}], question, question_ID (AssistantBench's id),
ground_truth, mistake_agent, mistake_step (text, 0-based index into history), mistake_reason. The speaker is
`name` where there is one (CaptainAgent), else `role` (Magentic-One). Source: Zhang et al. 2025, the data set.
"""

from __future__ import annotations

from collections.abc import Iterator

from webbench.core.action.action import Say
from webbench.core.exchange.account.tally import Lost
from webbench.core.exchange.episode_building import foreign_header, list_in, numbered, object_in, text_of
from webbench.core.exchange.foreign_terms import recorded_score
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedStep
from webbench.core.exchange.place import Place
from webbench.core.json_types import Json, JsonObject
from webbench.core.labels.label import Label
from webbench.core.score.score import Score
from webbench.core.task import Task
from webbench.core.trajectory import Step

BENCHMARK = "assistantbench"
TAXONOMY, VERSION = "who-and-when", 1
ANNOTATOR = "who-and-when"
"""The data set's annotators agreed on one answer and have no names."""
OPENING = 200
"""Characters of what was said that stand in the list of steps; the action has all of it."""


class WhoAndWhen:
    name = "who-and-when"
    title = "Who&When failure logs"
    looks_like = "a JSON object of history, question_ID, ground_truth, mistake_agent, mistake_step"

    def claim(self, place: Place) -> Claim | None:
        """The keys of the annotation stand before or behind a history that may be long."""
        ends = place.head + place.tail
        annotated = b'"mistake_step"' in ends and b'"mistake_agent"' in ends
        return (
            Claim()
            if annotated or place.has_text('"is_correct"', '"question_ID"', '"ground_truth"')
            else None
        )

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        run = object_in(place)
        history = list_in(run, "history", place)
        named = any(isinstance(item, dict) and "name" in item for item in history)
        lost = place.tally.losses()
        header = foreign_header(
            Task(
                benchmark=BENCHMARK,
                name=text_of(run.get("question_ID")),
                intent=text_of(run.get("question")),
                kind=text_of(run.get("level")),
                gold={"answer": text_of(run.get("ground_truth"))},
            ),
            "CaptainAgent" if named else "Magentic-One",
            score=_score(run),
            settings={"mistake": _mistake(run)},
        )
        yield ImportedEpisode(
            header, numbered(_steps(history, lost)), lost, _labels(header.settings["mistake"])
        )


def create() -> WhoAndWhen:
    """The entry point."""
    return WhoAndWhen()


def _score(run: JsonObject) -> Score:
    correct = run.get("is_correct", run.get("is_corrected"))
    if not isinstance(correct, bool):
        return recorded_score(None, "Who&When", "the source does not say whether the answer was right")
    return recorded_score(float(correct), "Who&When", "as the source says", actual=correct)


def _mistake(run: JsonObject) -> JsonObject:
    """Agent, reason, and the step in our count: the start is 0, so history item n is step n + 1."""
    text = text_of(run.get("mistake_step"))
    step = int(text) + 1 if text.isascii() and text.isdecimal() and len(text) < 9 else None
    return {
        "agent": text_of(run.get("mistake_agent")),
        "step": step,
        "reason": text_of(run.get("mistake_reason")),
    }


def _labels(mistake: JsonObject) -> list[Label]:
    """The decisive mistake as a label of its step; without a step there is none."""
    if mistake["step"] is None:
        return []
    note = ": ".join(filter(None, (mistake["agent"], mistake["reason"])))
    return [
        Label(
            step=mistake["step"],
            taxonomy=TAXONOMY,
            version=VERSION,
            question="mistake",
            code="decisive",
            note=note,
            annotator=ANNOTATOR,
        )
    ]


def _steps(history: list[Json], lost: Lost) -> Iterator[ImportedStep]:
    yield ImportedStep(Step(index=0, at="", actor="operator"))
    for number, item in enumerate(history):
        content = text_of(item.get("content")) if isinstance(item, dict) else ""
        speaker = text_of(item.get("name") or item.get("role")) if isinstance(item, dict) else ""
        if not isinstance(item, dict):
            lost.append(f"history item {number} is no object")
        opening = content if len(content) <= OPENING else f"{content[: OPENING - 1]}…"
        yield ImportedStep(
            Step(
                index=0,
                at="",
                actor="operator" if speaker in ("human", "user") else "agent",
                text=f"{speaker}: {opening}" if speaker else opening,
                action=Say(text=content),
                note=speaker,
            )
        )
