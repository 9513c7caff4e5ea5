"""Review of single responses by a person: is the answer in a field right, and is the evaluator? (section 4.5)

A response is what a field held at the end; it is labelled at the step that gave it that value, by the
taxonomy `turkingbench-responses`. Fields that no step changed have no response, as those of the paper that
could not be parsed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import msgspec

from webbench.benchmarks.turkingbench.scoring.evaluate import instance_result
from webbench.benchmarks.turkingbench.scoring.instance import FieldReading, Outcome
from webbench.core.action.action import Check, Click, Press, Select, SetRange, Type
from webbench.core.analysis.recorded.run_records import RecordedRun
from webbench.core.errors import BadData
from webbench.core.json_types import Json
from webbench.core.labels.label import Label
from webbench.core.labels.settled import counting
from webbench.core.statistics.estimates import wilson
from webbench.core.statistics.figures import Column, Row, Table
from webbench.core.store.store import Store
from webbench.core.text.plain_text import plain_clip
from webbench.core.trajectory import Step, Trajectory

TAXONOMY = "turkingbench-responses"
ANSWER, EVALUATOR = "answer", "evaluator"
RIGHT, UNCLEAR, FALSE_POSITIVE, FALSE_NEGATIVE = "right", "unclear", "false-positive", "false-negative"
ENTERING = (Check, Click, Press, Select, SetRange, Type)
"""Actions that may change a field."""
WRONG = ("wrong", "wrong-form")
LONGEST = 120
"""Characters of an answer that are shown."""
UNCHANGED = "fields that no step is known to have changed"
TOGETHER = "fields that a step changed together with another"
NO_EVIDENCE = "episodes without the fields of the page"
DIFFERENT = "responses that annotators judge differently"
ABOUT = (
    "Judged by people at the step that gave a field its last value (section 4.5). Where nobody judged the "
    "evaluator it follows from the answer if the field is worth exactly 0 or 1: right and worth 0 is a false "
    "negative, wrong and worth 1 a false positive."
)


class Response(msgspec.Struct, frozen=True, kw_only=True):
    """What a field held at the end.

    Attributes:
        step: that gave it this value.
        value: what the evaluator holds it to be worth, 0 to 1.
        answer, evaluator: codes that people settled on, "" for none.
    """

    run: str
    episode: str
    task: str
    step: int
    field: str
    type: str
    given: Json
    wanted: tuple[Json, ...]
    value: float
    answer: str = ""
    evaluator: str = ""

    @property
    def verdict(self) -> str:
        """Of the evaluator: what people said, else what follows from the answer; "" where nothing does."""
        if self.evaluator or self.value not in (0.0, 1.0) or not self.answer:
            return self.evaluator
        right = self.answer == RIGHT
        if not right and self.answer not in WRONG:
            return ""
        if right == (self.value == 1.0):
            return RIGHT
        return FALSE_NEGATIVE if right else FALSE_POSITIVE

    def words(self, *, blind: bool = False) -> str:
        """What a reviewer is asked about; `blind` leaves out what the workers and the evaluator say."""
        told = f'field "{self.field}" ({self.type}) holds {_quoted(self.given)}'
        if blind:
            return told
        return f"{told}; workers: {', '.join(map(_quoted, self.wanted)) or 'nothing'}; worth {self.value:.3f}"


class Reviewed(msgspec.Struct, frozen=True, kw_only=True):
    """Responses in order of run, episode and step, and what has none, by reason."""

    responses: tuple[Response, ...]
    left_out: dict[str, int]
    problems: tuple[str, ...] = ()


def reviewed(
    store: Store, runs: Sequence[RecordedRun], labels: Iterable[Label], rules: str = "published"
) -> Reviewed:
    """The responses of TurkingBench's episodes, with what people settled on."""
    answers = _settled(label for label in labels if label.taxonomy == TAXONOMY)
    found: list[Response] = []
    left_out, problems = Counter[str](), []
    for one in (episode for run in runs for episode in run.episodes):
        try:
            trajectory = store.load(store.root / one.run / one.episode)
            responses, without = responses_of(trajectory, one.run, one.episode, rules)
        except BadData as error:
            problems.append(f"{one.name}: {error}")
            continue
        left_out.update(without)
        for response in responses:
            place = response.run, response.episode, response.step
            given = {name: answers.get((*place, name), set()) for name in (ANSWER, EVALUATOR)}
            left_out[DIFFERENT] += any(len(codes) > 1 for codes in given.values())
            codes = {name: next(iter(of)) if len(of) == 1 else "" for name, of in given.items()}
            found.append(msgspec.structs.replace(response, **codes))
    return Reviewed(
        responses=tuple(found),
        left_out={name: count for name, count in left_out.items() if count},
        problems=tuple(problems),
    )


def responses_of(
    trajectory: Trajectory, run: str, episode: str, rules: str = "published"
) -> tuple[list[Response], Counter[str]]:
    """The responses of an episode, and fields without one by reason.

    Raises `BadData` for evidence of another page or shape.
    """
    steps = [step for step in trajectory.steps if step.evidence.get("fields")]
    if not steps:
        return [], Counter({NO_EVIDENCE: 1})
    outcomes = instance_result(trajectory.header.task, steps[-1].evidence, rules).outcomes
    counted = {one.field.name: one for one in outcomes if one.verdict and one.verdict.value is not None}
    changed = giving_steps(trajectory.steps)
    per_step = Counter(changed.values())
    found, left_out = [], Counter[str]()
    for name, outcome in counted.items():
        step = changed.get(name)
        if step is None or per_step[step] > 1:
            left_out[UNCHANGED if step is None else TOGETHER] += 1
            continue
        found.append(_response(trajectory.header.task.name, run, episode, step, outcome))
    return sorted(found, key=lambda one: one.step), left_out


def giving_steps(steps: Sequence[Step]) -> dict[str, int]:
    """By field the step that gave it its last value.

    By what the page held after one step and after the next, where that is recorded; else by the field that an
    action names. Raises `BadData` for evidence of another shape.
    """
    acted = {
        target.field: step.index
        for step in steps
        if step.ok and isinstance(step.action, ENTERING) and (target := step.action.target) and target.field
    }
    changed: dict[str, int] = {}
    held = ((step.index, _held(step)) for step in steps)
    for (_, before), (index, after) in pairwise(held):
        changed |= {name: index for name, values in after.items() if before.get(name, values) != values}
    return acted | changed


def by_field_type(responses: Sequence[Response]) -> Table:
    """A row for each type of field, and one for all."""
    kinds = [kind for kind, _ in Counter(one.type for one in responses).most_common()]
    rows = [_row(kind, [one for one in responses if one.type == kind]) for kind in kinds]
    if responses:
        rows.append(_row("all", responses))
    return Table(
        title="Responses by type of field, as people judge them",
        columns=(
            Column("type of field", "text"),
            *map(Column, ("responses", "answer judged", "answer right", "worth on average")),
            *map(Column, ("evaluator judged", "evaluator right", "false positives", "false negatives")),
        ),
        rows=tuple(rows),
        note=ABOUT,
    )


def places_asked(responses: Iterable[Response], *, blind: bool) -> Mapping[tuple[str, str], dict[int, str]]:
    """By episode and step what a reviewer is asked about, of responses that nobody judged yet.

    Where the evaluator's verdict follows from the answer nobody is asked for it, nor who doesn't see it.
    """
    found: dict[tuple[str, str], dict[int, str]] = {}
    for one in responses:
        if not one.answer or not (blind or one.verdict):
            found.setdefault((one.run, one.episode), {})[one.step] = one.words(blind=blind)
    return found


def _row(kind: str, responses: Sequence[Response]) -> Row:
    judged = [one for one in responses if one.answer]
    known = [one.verdict for one in responses if one.verdict]
    verdicts = Counter(known)
    return Row(
        (
            kind,
            len(responses),
            len(judged),
            wilson(sum(one.answer == RIGHT for one in judged), len(judged)) if judged else None,
            sum(one.value for one in responses) / len(responses),
            len(known),
            wilson(verdicts[RIGHT], len(known)) if known else None,
            verdicts[FALSE_POSITIVE],
            verdicts[FALSE_NEGATIVE],
        ),
        tuple(dict.fromkeys(f"{one.run}/{one.episode}" for one in responses)),
    )


def _response(task: str, run: str, episode: str, step: int, outcome: Outcome) -> Response:
    assert outcome.verdict is not None
    value = outcome.verdict.value
    assert value is not None
    return Response(
        run=run,
        episode=episode,
        task=task,
        step=step,
        field=outcome.field.name,
        type=outcome.field.type,
        given=outcome.field.prediction,
        wanted=tuple(dict.fromkeys(str(label) for label in outcome.labels)),
        value=value,
    )


def _held(step: Step) -> dict[str, tuple[Json, ...]]:
    """Values by field after a step, nothing where they are not recorded."""
    try:
        read = msgspec.convert(step.evidence.get("fields", []), list[FieldReading])
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        raise BadData(f"the evidence of step {step.index} has another shape: {error}") from error
    return {field.name: field.values for field in read}


def _settled(labels: Iterable[Label]) -> dict[tuple[str, str, int, str], set[str]]:
    """Codes by run, episode, step and question: more than one where annotators differ."""
    found: dict[tuple[str, str, int, str], set[str]] = {}
    for label in counting(labels):
        if label.step is not None and label.code:
            found.setdefault((label.run, label.episode, label.step, label.question), set()).add(label.code)
    return found


def _quoted(value: Json) -> str:
    return f'"{plain_clip(str(value), LONGEST)}"'
