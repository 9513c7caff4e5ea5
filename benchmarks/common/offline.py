"""Offline scoring of a file of predictions: read, scored and summed up in the same way for all benchmarks.

A benchmark hands in its `Parts`: how a line becomes a prediction with its task and its evidence, how
predictions are scored, and which figures are told of them. Lines that can't be used, second predictions and
failed scores are told here.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from webbench.core.benchmark.benchmark import Problem
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.judge import Judge, Question, Reply
from webbench.core.score.rule_sets import require_rules
from webbench.core.score.score import Score, Status
from webbench.core.scoring.judges.open_questions import answered, recorded_replies
from webbench.core.scoring.offline.offline_scorer import ItemScore, OfflineReport, PredictionFile, Record
from webbench.core.scoring.offline.problems import failed_score
from webbench.core.task import Task

TOGETHER = 500
"""Predictions that are read and then scored at once: what was read of them is kept meanwhile."""


class Prediction(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the file that can be scored.

    Attributes:
        key: what may be predicted once in a file.
        evidence: as the benchmark's evaluator takes it.
        score: what it comes to where the line itself decides it.
        note: what a reader of its score has to know.
        warning, error: what is told of its line.
    """

    key: Hashable
    task: Task
    evidence: JsonObject = {}
    score: Score | None = None
    note: str = ""
    warning: str = ""
    error: str = ""


class Scored(msgspec.Struct, frozen=True, kw_only=True):
    """A prediction's score. See `ItemScore` for the attributes that go into the report."""

    task: Task
    score: Score
    groups: dict[str, str] = {}
    note: str = ""
    left_out: bool = False
    replies: dict[str, Json] = {}
    warning: str = ""
    """What scoring it showed of its line."""

    def item(self) -> ItemScore:
        """As the report lists it."""
        return ItemScore(
            id=self.task.id,
            score=self.score,
            groups=self.groups,
            note=self.note,
            left_out=self.left_out,
            replies=self.replies,
        )


Item = TypeVar("Item", bound=Scored)


class Parts(Protocol[Item]):
    """What a benchmark hands in for one file of predictions.

    Attributes:
        rule_sets: those that every score holds.
        problems: what is to be known of the tasks.
    """

    @property
    def rule_sets(self) -> Sequence[str]: ...

    @property
    def problems(self) -> Sequence[Problem]: ...

    def read(self, record: Record) -> Prediction:
        """The prediction of a line. Raises `BadData` for one that can't be used."""
        ...

    async def scored(
        self, predictions: Sequence[Prediction], rules: str, judge: Judge | None
    ) -> Sequence[Item]:
        """One for each, in the same order."""
        ...

    def summary(self, items: Sequence[Item], rules: str, unusable: int) -> dict[str, Json]:
        """The headline figures under a rule set; `unusable` lines of the file are in none of them."""
        ...

    def groups(self, items: Sequence[Item]) -> dict[str, list[JsonObject]]:
        """The tables below the headline, by name."""
        ...

    def remarks(self, items: Sequence[Item]) -> Sequence[Problem]:
        """What is to be known of the figures as a whole."""
        ...


class Scorer:
    """An `OfflineScorer` out of a benchmark's parts.

    Args:
        name, title: of the benchmark.
        data: file or folder of its tasks, None = none.
        open_parts: the parts for a file of predictions, from the tasks' file or folder and the rule set.
            Raises `BadData` for tasks that can't be used, `UsageError` where they are needed and not named.
        regrouped: the file with a record for each prediction, where its lines are parts of them.
    """

    def __init__(
        self,
        name: str,
        title: str,
        rule_sets: tuple[str, ...],
        data: Path | None,
        open_parts: Callable[[PredictionFile, Path | None, str], Parts[Item]],
        regrouped: Callable[[PredictionFile], PredictionFile] = lambda file: file,
    ) -> None:
        self.name = name
        self.rule_sets = rule_sets
        self.data = data
        self._title = title
        self._open_parts = open_parts
        self._regrouped = regrouped

    async def score(
        self, predictions: PredictionFile, *, tasks: Path | None, rules: str, judge: Judge | None
    ) -> OfflineReport:
        """See `OfflineScorer`. Of a benchmark whose rules alone decide no judge is asked."""
        require_rules(rules, self.rule_sets, self._title)
        predictions = self._regrouped(predictions)
        parts = self._open_parts(predictions, tasks or self.data, rules)
        # A judge takes minutes or hours, in which the rest of the process makes garbage, too.
        with nullcontext() if judge else _without_collection():
            return await _report(self.name, predictions, parts, rules, judge)


async def _report(
    name: str, predictions: PredictionFile, parts: Parts[Item], rules: str, judge: Judge | None
) -> OfflineReport:
    places: dict[Hashable, str] = {}
    items: list[Item] = []
    problems = [*predictions.problems, *parts.problems]
    for start in range(0, len(predictions.records), TOGETHER):
        usable: list[tuple[str, Prediction]] = []
        for record in predictions.records[start : start + TOGETHER]:
            place = predictions.place(record)
            try:
                prediction = parts.read(record)
                _require_first(prediction, places)
            except BadData as error:
                problems.append(Problem(place, str(error), "error"))
                continue
            places[prediction.key] = place
            usable.append((place, prediction))
        scored = await parts.scored([prediction for _, prediction in usable], rules, judge)
        for (place, prediction), item in zip(usable, scored, strict=True):
            problems += _told_of_line(place, prediction, item)
        items += scored
    unread = sum(problem.severity == "error" for problem in predictions.problems)
    unusable = unread + len(predictions.records) - len(items)
    return OfflineReport(
        benchmark=name,
        rules=rules,
        summary=parts.summary(items, rules, unusable),
        beside={other: parts.summary(items, other, unusable) for other in parts.rule_sets if other != rules},
        groups=parts.groups(items),
        items=tuple(item.item() for item in items),
        problems=(*problems, *parts.remarks(items)),
    )


def _require_first(prediction: Prediction, places: Mapping[Hashable, str]) -> None:
    """Raises `BadData` for a second prediction; `places` are those of the ones that count."""
    if prediction.key in places:
        task, place = prediction.task.id, places[prediction.key]
        raise BadData(f"a second prediction for task {task}; the one at {place} is used")


def _told_of_line(place: str, prediction: Prediction, item: Scored) -> Iterator[Problem]:
    if prediction.error:
        yield Problem(place, prediction.error, "error")
    elif item.score.status is Status.ERROR:
        yield failed_score(place, item.score)
    warning = prediction.warning or item.warning
    if warning:
        yield Problem(place, warning)


class AsksAndScores(Protocol):
    """The part of an evaluator that is needed here."""

    def questions(self, task: Task, evidence: JsonObject, rules: str = ...) -> Sequence[Question]: ...

    def score(self, task: Task, evidence: JsonObject, rules: str = ...) -> Score: ...


async def judged_scores(
    evaluator: AsksAndScores, predictions: Sequence[Prediction], rules: str, judge: Judge | None
) -> list[tuple[Score, dict[str, Json]]]:
    """For each prediction its score and the judge's replies that it rests on; all are asked at once.

    Where the judge can't be asked, what waits for it is an error of that prediction alone.
    """

    asked = None if judge is None else _Asked(judge)

    async def judged(one: Prediction) -> tuple[Score, dict[str, Json]]:
        if one.score is not None:
            return one.score, {}
        try:
            evidence = await answered(evaluator, one.task, one.evidence, asked, rules)
        except _CannotBeAsked as error:
            waiting = evaluator.score(one.task, one.evidence, rules)
            return _never_judged(waiting, f"the judge can't be asked: {error}"), {}
        return evaluator.score(one.task, evidence, rules), recorded_replies(evidence)

    return await asyncio.gather(*map(judged, predictions))


class _CannotBeAsked(Exception):
    """A judge lacks what it needs for a question, such as its prompt."""


class _Asked:
    """A judge whose bad data can be told from an evaluator's."""

    def __init__(self, judge: Judge) -> None:
        self.name = judge.name
        self._judge = judge

    async def ask(self, question: Question) -> Reply:
        try:
            return await self._judge.ask(question)
        except BadData as error:
            raise _CannotBeAsked(str(error)) from error


def _never_judged(score: Score, reason: str) -> Score:
    """The score, and those beside it, with an error instead of what waits for a judge."""
    beside = tuple(_never_judged(one, reason) for one in score.beside)
    if score.status is not Status.PENDING:
        return msgspec.structs.replace(score, beside=beside)
    return msgspec.structs.replace(score, status=Status.ERROR, reason=reason, interval=None, beside=beside)


@contextmanager
def _without_collection() -> Iterator[None]:
    """Scores hold no cycles, and to look for some among so many objects takes a fifth of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            # What is new counts as old, or the first collection would walk through all of it.
            gc.freeze()
            gc.unfreeze()
            gc.enable()
