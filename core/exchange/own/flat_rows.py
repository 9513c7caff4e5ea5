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
from webbench.core.labels.settled import counting
from webbench.core.score.score import Check, Score
from webbench.core.trajectory import Step, Trajectory, known_end, step_words


class EpisodeRow(msgspec.Struct, frozen=True, kw_only=True):
    """One episode: a row of `Episodes.to_pandas()` and of the table "episodes". What isn't known is "" or NA.

    Attributes:
        run, episode: names in the store; together the key that joins the tables.
        benchmark: name of the benchmark.
        task: the task's own name.
        instance: number of the task's instance from 0, NA where the task has none.
        template: what tasks of one pattern share.
        site: the site, or the sites, that the task is about.
        kind: what kind of task it is, in the benchmark's own words.
        split: part of the benchmark that the task is of.
        intent: what is to be done, in words.
        actor: "human", the agent's name, or both where both acted: "oracle + human".
        dialect: the action language.
        rules: the rule set of `value`.
        seed: of what is left to chance.
        position: place in its run, from 0.
        origin_run, origin_episode: the episode that it was forked from.
        origin_step: the last step that it repeats of that one, NA where it is no fork.
        started: when it began (UTC, ISO 8601).
        ended: when it ended (UTC, ISO 8601), "" while it goes on.
        end_reason: why it ended: "the actor stopped", a limit, the page's own end.
        status: "scored", "pending" (a judge is awaited), "not_scored", "error"; "unreadable" for an episode
            whose record can't be read.
        value: the score as it was given, mostly from 0 to 1; NA unless `status` is "scored".
        corrected: `value`, or what a dispute about it says that holds.
        correction: by whom it is corrected and whether anybody confirmed it, or why a dispute changes
            nothing; "" where nobody disputes it.
        score_reason: why there is no value, or how it follows from the checks; also who gave it later.
        actions: steps in which something was done or sent; not the start, not bare notes.
        invalid: those of `actions` that had no effect.
        seconds: how long it took, in seconds, with what it was resumed from.
        seconds_idle: seconds in which a person thought, or it was paused.
        seconds_agent: seconds in which the agent thought.
        seconds_environment: seconds in which the browser acted and was read.
        seconds_scoring: seconds that scoring took.
        usage: sums over the steps of what agents counted (tokens, US dollars), a JSON object by their names.
        problems: how many parts of its record could not be read.

    Example:
        >>> table = wb.Store().episodes().to_pandas()
        >>> table.groupby(["actor", "site"])["value"].agg(["count", "mean"])
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
    """One step: a row of `Episodes.steps()` and of the table "steps". Step 0 is the start.

    Page, score and blobs are those after the action. What isn't known, or wasn't recorded, is "" or NA.

    Attributes:
        run, episode: names in the store; together the key that joins the tables.
        step: its number in the episode; 0 is the start, which has no action.
        at: when it was recorded (UTC, ISO 8601).
        actor: who caused it: "human", "agent", or "operator" for a person who intervened in an agent's
            episode.
        verb: type of the action in small letters ("click", "setrange"), "" where there is none.
        words: the action in words.
        sent: the action's text as it was sent, in the episode's action language.
        element_role, element_name: accessibility role and name of the element it is about.
        element_selector: a CSS selector that was unique in its frame at that time.
        ok: whether the action had its effect.
        error: why it had none.
        url: address of the active tab.
        title: title of the active tab.
        condition: "ok", or why there was nothing to see, or only something old: "loading", "crashed",
            "closed", "offline", "timeout", "unreadable".
        matched_by: how the element was found: "id", "selector", "role+name+path", "box".
        proposed: what the agent had proposed when a person edited or rejected it.
        note: what a person wrote down.
        reasoning: why the agent acts so, in its own words.
        output: what the action answered, such as the page's HTML.
        seconds_idle: seconds in which a person thought, or the episode was paused.
        seconds_agent: seconds in which the agent thought.
        seconds_environment: seconds in which the browser acted and was read.
        seconds_scoring: seconds that scoring took.
        usage: what the agent counted (tokens, US dollars), a JSON object by its own names.
        status: of the score at this step, as of an episode; "" where the step was not scored at all.
        value: the score at this step; NA unless `status` is "scored".
        messages: how many messages of console and network came with it.
        observation, screenshot, html: names of blobs of the store (SHA-256 of their content): what was seen.

    Example:
        >>> steps = wb.Store().episodes("actor:human").steps().to_pandas()
        >>> steps[~steps["ok"]].groupby("verb")["error"].value_counts()
    """

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
    """One check of an episode's score: a row of `Episodes.checks()` and of the table "checks".

    Attributes:
        run, episode: names in the store; together the key that joins the tables.
        rules: the rule set of the score that it belongs to; an episode may have several.
        path: its place in that score, from 0; "0.2" is the third part of the first check.
        depth: how many checks it is a part of; 0 for one of the score itself.
        target: what is compared: a form field, "answer", "url", a key node.
        name: the metric or rule.
        status: "scored", "pending", "not_scored" or "error".
        value: the check's own score, mostly from 0 to 1; NA unless `status` is "scored".
        counted: False for a check that is shown but left out of the score.
        actual: what the page or the actor gave, as JSON; "" for nothing.
        normalised: `actual` after the evaluator's normalisation, as JSON; "" for nothing.
        expected: what was wanted, as JSON; "" for nothing.
        combination: how `value` follows from its parts, "" for a check without parts.
        why: one sentence a person can read.
        clause: what makes the rule sets differ for it, "" where they agree.

    Example:
        >>> checks = wb.Store().episodes().checks().to_pandas()
        >>> checks[checks["counted"]].groupby("name")["value"].mean()
    """

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
    """One label: a row of `Episodes.labels()` and of the table "labels".

    Only labels that nobody may be swayed by any more: those of annotators who are done with the episode.

    Attributes:
        run, episode: names in the store; together the key that joins the tables.
        step: number of the step that is labelled, NA for the episode as a whole.
        taxonomy: name of the taxonomy.
        version: of the taxonomy, whose definitions the code is to be read by.
        question: the one of the taxonomy's questions that the code answers.
        code: short name of the answer; "" where it was decided that there shall be none.
        note: why, in the annotator's words.
        evidence: number of the step that shows it, NA where none was named.
        confidence: from 1, a guess, to 5, certain; NA where it wasn't given.
        annotator: a pseudonym.
        settles: annotators between whose labels this one decides, with blanks between; "" for a label of
            one's own.
        counts: False for a label that a settled one stands in for; count the others, and nothing is counted
            twice.
        at: when it was given (UTC, ISO 8601).
        source: the format that it was imported from, "" for one that was given here.

    Example:
        >>> labels = wb.Store().episodes().labels().to_pandas()
        >>> labels[labels["counts"]].groupby("question")["code"].value_counts()
    """

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
    counts: bool
    at: str
    source: str


Row = EpisodeRow | StepRow | CheckRow | LabelRow


def _reason(score: Score) -> str:
    return "; ".join(filter(None, (score.reason or score.combination, score.later_words)))


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
        score_reason=_reason(score) if score is not None else "",
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
    """Rows of one episode's labels."""
    counted = {id(one) for one in counting(labels)}
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
            counts=id(label) in counted,
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
