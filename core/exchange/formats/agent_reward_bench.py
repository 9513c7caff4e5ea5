"""AgentRewardBench: what experts said of agents' episodes; a table with a row a judgement.

Columns: annotator_name, benchmark, task_id (`webarena.177`), model_name, exp_name, trajectory_success
(Successful, Unsuccessful, Unsure), trajectory_side_effect, trajectory_optimality (`2. Suboptimal`),
trajectory_looping. The episodes themselves are not public: what is imported has a verdict and labels, and of
the steps only the start. Source: Lù et al. 2025, the data set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from webbench.core.errors import BadData
from webbench.core.exchange.account.source_shape import Shape
from webbench.core.exchange.episode_building import foreign_header
from webbench.core.exchange.foreign_terms import RULES, score_of_checks
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedStep
from webbench.core.exchange.place import Place
from webbench.core.exchange.reading.csv_rows import Row, has_columns, rows_of
from webbench.core.labels.label import Label
from webbench.core.score.score import Check, Score, Status, not_scored
from webbench.core.task import Task
from webbench.core.trajectory import UNSEEN_STEPS, Step

TAXONOMY, VERSION = "agent-reward-bench", 1
MOST_ROWS = 200_000
NO_STEPS = "the source holds no steps: the episodes are not public"
_SUCCESS = "trajectory_success"
_VALUES = {"successful": 1.0, "unsuccessful": 0.0}
_QUESTIONS = {
    _SUCCESS: "success",
    "trajectory_side_effect": "side-effect",
    "trajectory_optimality": "optimality",
    "trajectory_looping": "looping",
}


SHAPE = Shape(dict.fromkeys(_QUESTIONS, "labels"))
_OF_EPISODE = frozenset({"benchmark", "task_id", "model_name", "exp_name"})


class AgentRewardBench:
    name = "agent-reward-bench"
    title = "AgentRewardBench's expert annotations"
    looks_like = "a CSV of annotator_name, benchmark, task_id, model_name, trajectory_success"

    def claim(self, place: Place) -> Claim | None:
        wanted = ("annotator_name", "benchmark", "task_id", "model_name", _SUCCESS)
        return Claim() if has_columns(place, *wanted) else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        """One for each episode that was judged, with all its judgements, in the order of the first ones."""
        judged: dict[tuple[str, ...], list[Row]] = {}
        for number, row in rows_of(place):
            if number > MOST_ROWS:
                raise BadData(f"{place} has more than {MOST_ROWS:,} rows", "split it by benchmark")
            if not row.get("task_id") or not row.get(_SUCCESS):
                place.tally.count("labels")
                place.tally.left("labels", "rows without a task or a verdict")
                continue
            key = tuple(row.get(name, "") for name in ("benchmark", "task_id", "model_name", "exp_name"))
            judged.setdefault(key, []).append(row)
        for rows in judged.values():
            yield _episode(rows, place)


def create() -> AgentRewardBench:
    """The entry point."""
    return AgentRewardBench()


def _episode(rows: Sequence[Row], place: Place) -> ImportedEpisode:
    first = rows[0]
    benchmark = first.get("benchmark", "")
    score = _score(rows)
    lost = place.tally.losses()
    lost.append(NO_STEPS)
    place.tally.count("episodes")
    place.tally.read(rows, SHAPE)
    if len(rows) > len({row.get("annotator_name") for row in rows}):
        place.tally.notice("several judgements of one episode by one expert; all are kept")
    header = foreign_header(
        Task(benchmark=benchmark, name=first.get("task_id", "").removeprefix(f"{benchmark}.")),
        first.get("model_name", ""),
        score=score,
        settings={
            "experiment": first.get("exp_name", ""),
            UNSEEN_STEPS: NO_STEPS,
            "task_id": first.get("task_id", ""),
            "judgements": [
                {name: cell for name, cell in row.items() if name not in _OF_EPISODE and cell} for row in rows
            ],
        },
    )
    place.tally.count("scores", sum(_code(row.get(_SUCCESS, "")) in _VALUES for row in rows))
    agreed = int(score.status is Status.SCORED)
    judged = sum(_code(row.get(_SUCCESS, "")) in _VALUES for row in rows)
    if agreed:
        place.tally.again("scores", "experts who agree give one verdict", judged - 1)
    else:
        lost.lose("scores", "experts who disagree give no verdict; each is a check and a label", judged)
    place.tally.made("notes", NO_STEPS)
    labels = [label for row in rows for label in _labels(row)]
    start = ImportedStep(Step(index=0, at="", actor="operator", note=NO_STEPS))
    return ImportedEpisode(header, iter([start]), lost, labels)


def _score(rows: Sequence[Row]) -> Score:
    """The experts' verdict, a check for each of them; where they differ or are not sure there is none."""
    checks = tuple(_check(row) for row in rows)
    values = {check.value for check in checks}
    if len(values) > 1:
        told = "; ".join(f"{check.target}: {check.actual}" for check in checks)
        return not_scored(f"the experts disagree ({told})", rules=RULES, checks=checks)
    (value,) = values
    if value is None:
        return not_scored("the expert could not tell", rules=RULES, checks=checks)
    agreed = "as recorded" if len(checks) == 1 else f"{len(checks)} experts agree"
    return score_of_checks(value, "AgentRewardBench's experts", checks, combination=agreed)


def _check(row: Row) -> Check:
    verdict = row.get(_SUCCESS, "")
    value = _VALUES.get(_code(verdict))
    return Check(
        name="recorded",
        target=f"expert {_annotator(row)}",
        actual=verdict,
        status=Status.NOT_SCORED if value is None else Status.SCORED,
        value=value,
        why="whether the task was solved, as the expert saw it",
    )


def _labels(row: Row) -> Iterator[Label]:
    for column, question in _QUESTIONS.items():
        if code := _code(row.get(column, "")):
            yield Label(
                taxonomy=TAXONOMY, version=VERSION, question=question, code=code, annotator=_annotator(row)
            )


def _code(answer: str) -> str:
    """ "2. Suboptimal" -> "suboptimal"."""
    return re.sub(r"[^a-z]+", "-", answer.lower()).strip("-")


def _annotator(row: Row) -> str:
    """Names have blanks in the table; a name that can't be one of ours becomes letters and digits."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", row.get("annotator_name", "")).strip("-._")[:40] or "unknown"
