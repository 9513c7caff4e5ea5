"""Who&When: failed multi-agent runs with the annotated agent and step of the decisive mistake.

One JSON object a run: history [{content, role, name?}], question, question_ID (AssistantBench's id),
ground_truth, mistake_agent, mistake_step (text, 0-based index into history), mistake_reason. The speaker is
`name` where there is one (CaptainAgent), else `role` (Magentic-One). Source: Zhang et al. 2025, the data set.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from webbench.core.action.action import Say
from webbench.core.exchange.account.source_shape import Both, Frame, Shape
from webbench.core.exchange.account.tally import Lost, Tally
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
_TAKEN = ("history", "question", "question_ID", "ground_truth", "level", "mistake_agent", "mistake_step")
OPENING = 200
"""Characters of what was said that stand in the list of steps; the action has all of it."""


SHAPE = Shape(
    {
        "": "episodes",
        "history": Both(("steps", "actions")),
        "history.content": "values",
        "history.role": Frame(),
        "history.name": Frame(),
        "mistake_step": "labels",
        "is_correct": "scores",
        "is_corrected": "scores",
    }
)
_TRUTH = {"true": True, "false": False}


class WhoAndWhen:
    name = "who-and-when"
    title = "Who&When failure logs"
    looks_like = "a JSON object of history, question_ID, ground_truth, mistake_agent, mistake_step"

    def claim(self, place: Place) -> Claim | None:
        """The keys of the annotation stand before or behind a history that may be long."""
        ends = place.head + place.tail
        annotated = b'"mistake_step"' in ends and b'"mistake_agent"' in ends
        if annotated or place.has_text('"is_correct"', '"question_ID"', '"ground_truth"'):
            return Claim()
        cut_off = place.has_text('"history"', '"content"', '"role"') and place.head.lstrip().startswith(b"{")
        return Claim(sure=0.3) if cut_off else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        run = object_in(place)
        history = list_in(run, "history", place)
        named = any(isinstance(item, dict) and "name" in item for item in history)
        place.tally.read(run, SHAPE)
        _notice_doubles(history, place.tally)
        lost = place.tally.losses()
        mistake = _mistake(run, len(history), lost)
        header = foreign_header(
            Task(
                benchmark=BENCHMARK,
                name=text_of(run.get("question_ID")),
                intent=text_of(run.get("question")),
                kind=text_of(run.get("level")),
                gold={"answer": text_of(run.get("ground_truth"))},
            ),
            "CaptainAgent" if named else "Magentic-One",
            score=_score(run, lost),
            settings={"mistake": mistake} | {key: value for key, value in run.items() if key not in _TAKEN},
        )
        yield ImportedEpisode(header, numbered(_steps(history, lost)), lost, _labels(mistake))


def create() -> WhoAndWhen:
    """The entry point."""
    return WhoAndWhen()


def _notice_doubles(history: list[Json], tally: Tally) -> None:
    """Two entries in a row with the same words of the same speaker may be one that was written twice."""
    doubles = sum(one == other for one, other in itertools.pairwise(history))
    if doubles:
        tally.notice("entries of the history that repeat the one before word for word; all are kept")


def _score(run: JsonObject, lost: Lost) -> Score:
    """Some files have the verdict as a text."""
    given = run.get("is_correct", run.get("is_corrected"))
    correct = _TRUTH.get(given.strip().lower()) if isinstance(given, str) else given
    if not isinstance(correct, bool):
        if given not in (None, ""):
            lost.lose("scores", f"the verdict {text_of(given)[:40]!r} is neither true nor false")
        return recorded_score(None, "Who&When", "the source does not say whether the answer was right")
    return recorded_score(float(correct), "Who&When", "as the source says", actual=correct)


def _mistake(run: JsonObject, entries: int, lost: Lost) -> JsonObject:
    """Agent, reason, and the step in our count: the start is 0, so history item n is step n + 1."""
    text = text_of(run.get("mistake_step"))
    step = int(text) + 1 if text.isascii() and text.isdecimal() and len(text) < 9 else None
    if step is None and text:
        lost.lose("labels", f"the mistake's step {text[:40]!r} is no number")
    elif step is not None and step > entries:
        lost.lose("labels", f"the mistake's step {text} lies behind the last of {entries} entries")
        step = None
    return {
        "agent": text_of(run.get("mistake_agent")),
        "step": step,
        "told_step": text,
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
            lost.tally.count("steps")
            lost.tally.count("actions")
        lost.tally.value("history.name", speaker)
        lost.tally.made("notes", "who says something stands in the step's note", int(bool(speaker)))
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
