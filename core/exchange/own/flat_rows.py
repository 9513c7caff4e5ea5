"""Episodes, steps, checks and labels as flat rows; the columns are the fields of the row types, in order."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import msgspec

from webbench.core.action.action import target_of, verb
from webbench.core.json_types import Json
from webbench.core.labels.corrections import corrected
from webbench.core.labels.label import Label
from webbench.core.labels.ledger import Book
from webbench.core.score.score import Check, Score
from webbench.core.trajectory import Step, Trajectory, known_end, step_words


class EpisodeRow(msgspec.Struct, frozen=True, kw_only=True):
    """One episode; times are seconds, `usage` sums as JSON.

    `value` is as it was scored, null unless `status` is "scored". `corrected` is the same, or what a dispute
    says that holds; then `correction` says by whom.
    """

    run: str
    episode: str
    benchmark: str
    task: str
    instance: int | None
    template: str
    site: str
    kind: str
    split: str
    intent: str
    actor: str
    dialect: str
    rules: str
    seed: int
    position: int
    origin_run: str
    origin_episode: str
    origin_step: int | None
    started: str
    ended: str
    end_reason: str
    status: str
    value: float | None
    corrected: float | None
    correction: str
    score_reason: str
    actions: int
    invalid: int
    seconds: float
    seconds_idle: float
    seconds_agent: float
    seconds_environment: float
    seconds_scoring: float
    usage: str
    problems: int


class StepRow(msgspec.Struct, frozen=True, kw_only=True):
    """One step; step 0 is the start. `observation`, `screenshot` and `html` name blobs of the store."""

    run: str
    episode: str
    step: int
    at: str
    actor: str
    verb: str
    words: str
    sent: str
    element_role: str
    element_name: str
    element_selector: str
    ok: bool
    error: str
    url: str
    title: str
    condition: str
    matched_by: str
    proposed: str
    note: str
    reasoning: str
    output: str
    seconds_idle: float
    seconds_agent: float
    seconds_environment: float
    seconds_scoring: float
    usage: str
    status: str
    value: float | None
    messages: int
    observation: str
    screenshot: str
    html: str


class CheckRow(msgspec.Struct, frozen=True, kw_only=True):
    """One check of an episode's score. `path` is its place ("0.2": the third part of the first check);
    `actual`, `normalised` and `expected` are JSON."""

    run: str
    episode: str
    rules: str
    path: str
    depth: int
    target: str
    name: str
    status: str
    value: float | None
    counted: bool
    actual: str
    normalised: str
    expected: str
    combination: str
    why: str
    clause: str


class LabelRow(msgspec.Struct, frozen=True, kw_only=True):
    """One label that nobody may be swayed by any more; `step` is null for one of the episode as a whole."""

    run: str
    episode: str
    step: int | None
    taxonomy: str
    version: int
    question: str
    code: str
    note: str
    evidence: int | None
    confidence: int | None
    annotator: str
    settles: str
    at: str
    source: str


Row = EpisodeRow | StepRow | CheckRow | LabelRow


def episode_row(trajectory: Trajectory, book: Book) -> EpisodeRow:
    header, task, score = trajectory.header, trajectory.header.task, trajectory.header.score
    value = score.value if score is not None else None
    origin = header.origin
    verdict = corrected(book, header.run, header.episode, value)
    acted = [step for step in trajectory.steps if step.acted]
    times = [step.seconds for step in trajectory.steps]
    return EpisodeRow(
        run=header.run,
        episode=header.episode,
        benchmark=task.benchmark,
        task=task.name,
        instance=task.instance,
        template=task.template,
        site=task.site,
        kind=task.kind,
        split=task.split,
        intent=task.intent,
        actor=header.actor,
        dialect=header.dialect,
        rules=header.rules,
        seed=header.seed,
        position=header.order,
        origin_run=origin.run if origin is not None else "",
        origin_episode=origin.episode if origin is not None else "",
        origin_step=origin.step if origin is not None else None,
        started=header.started,
        ended=known_end(header),
        end_reason=header.end_reason,
        status=score.status.value if score is not None else "not_scored",
        value=value,
        corrected=verdict.corrected,
        correction=verdict.why,
        score_reason=score.reason or score.combination if score is not None else "",
        actions=len(acted),
        invalid=sum(not step.ok for step in acted),
        seconds=trajectory.seconds,
        seconds_idle=sum(one.idle for one in times),
        seconds_agent=sum(one.agent for one in times),
        seconds_environment=sum(one.environment for one in times),
        seconds_scoring=sum(one.scoring for one in times),
        usage=_json(usage_totals(trajectory)),
        problems=len(trajectory.problems),
    )


def step_rows(trajectory: Trajectory) -> Iterator[StepRow]:
    for step in trajectory.steps:
        yield _step_row(trajectory, step)


def check_rows(trajectory: Trajectory) -> Iterator[CheckRow]:
    """Of the recorded score, and of those beside it under other rules."""
    score = trajectory.header.score
    for one in (score, *score.beside) if score is not None else ():
        yield from _checks(trajectory, one, one.checks, "")


def label_rows(labels: Sequence[Label]) -> Iterator[LabelRow]:
    for label in labels:
        yield LabelRow(
            run=label.run,
            episode=label.episode,
            step=label.step,
            taxonomy=label.taxonomy,
            version=label.version,
            question=label.question,
            code=label.code,
            note=label.note,
            evidence=label.evidence,
            confidence=label.confidence,
            annotator=label.annotator,
            settles=" ".join(label.settles),
            at=label.at,
            source=label.source,
        )


def usage_totals(trajectory: Trajectory) -> dict[str, float]:
    """Sums over the steps of what their `usage` counts, by its own names."""
    totals: dict[str, float] = {}
    for step in trajectory.steps:
        for name, value in step.usage.items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                totals[name] = totals.get(name, 0) + value
    return totals


def _step_row(trajectory: Trajectory, step: Step) -> StepRow:
    element = target_of(step.action) if step.action is not None else None
    return StepRow(
        run=trajectory.header.run,
        episode=trajectory.header.episode,
        step=step.index,
        at=step.at,
        actor=step.actor,
        verb=verb(step.action) if step.action is not None else "",
        words=step_words(step),
        sent=step.text,
        element_role=element.role if element is not None else "",
        element_name=element.name if element is not None else "",
        element_selector=element.selector if element is not None else "",
        ok=step.ok,
        error=step.error,
        url=step.url,
        title=step.title,
        condition=step.condition,
        matched_by=step.matched_by,
        proposed=step.proposed,
        note=step.note,
        reasoning=step.reasoning,
        output=step.output,
        seconds_idle=step.seconds.idle,
        seconds_agent=step.seconds.agent,
        seconds_environment=step.seconds.environment,
        seconds_scoring=step.seconds.scoring,
        usage=_json(step.usage),
        status=step.score.status.value if step.score is not None else "",
        value=step.score.value if step.score is not None else None,
        messages=len(step.messages),
        observation=step.observation,
        screenshot=step.screenshot,
        html=step.html,
    )


def _checks(trajectory: Trajectory, score: Score, checks: Sequence[Check], above: str) -> Iterator[CheckRow]:
    for number, check in enumerate(checks):
        path = f"{above}.{number}" if above else str(number)
        yield CheckRow(
            run=trajectory.header.run,
            episode=trajectory.header.episode,
            rules=score.rules,
            path=path,
            depth=path.count("."),
            target=check.target,
            name=check.name,
            status=check.status.value,
            value=check.value,
            counted=check.counted,
            actual=_json(check.actual),
            normalised=_json(check.normalised),
            expected=_json(check.expected),
            combination=check.combination,
            why=check.why,
            clause=check.clause,
        )
        yield from _checks(trajectory, score, check.checks, path)


def _json(value: Json) -> str:
    """As JSON; nothing is ""."""
    return "" if value is None or value == {} else json.dumps(value, ensure_ascii=False, default=str)
