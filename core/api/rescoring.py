"""Rescoring: a recorded episode's evidence scored again, offline."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from webbench.core.analysis.rubrics.scored_verdicts import keep_verdict
from webbench.core.api.defaults import chosen_rules, data_folder
from webbench.core.api.event_loop import wait_for
from webbench.core.api.store_tables import Store, core_store, episode_folder
from webbench.core.benchmark.benchmark import Benchmark, ScoresRecords
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.engine import catalogue
from webbench.core.errors import BadData, WebbenchError
from webbench.core.json_types import JsonObject
from webbench.core.judge import REPLIES
from webbench.core.score.score import Score, Status, not_scored
from webbench.core.scoring.judges.human import AskPerson
from webbench.core.scoring.judges.judge_choice import choose_judge, in_use
from webbench.core.scoring.judges.kept_replies import Listening, keep_replies, kept_replies
from webbench.core.scoring.judges.model import ModelJudge
from webbench.core.scoring.judges.open_questions import answered
from webbench.core.scoring.judges.stored_pictures import pictures_of
from webbench.core.settings.load_settings import load_settings
from webbench.core.store.index.summaries import EpisodeSummary
from webbench.core.store.records.durable_files import StoreUnwritable
from webbench.core.store.records.later_scores import keep_score
from webbench.core.store.store import Store as RecordStore
from webbench.core.task import Task
from webbench.core.trajectory import IMPORTED, EpisodeHeader, Trajectory

SCHEMA_VERSION = 1
NO_END = "it is of the last evidence before an end that nothing was scored at; the episode stays not scored"


class Rescored(msgspec.Struct, frozen=True, kw_only=True):
    """A recorded score, and what the same evidence scores now.

    Attributes:
        step: the step whose evidence was scored, None where nothing was.
        recorded: how the episode ended; *not scored* for one that did not end.
        score: the new score, None for an episode that ended without one.
        unkept: why what the judge said, or the score, could not be kept with the record, "" where it was.
    """

    run: str
    episode: str
    task: str
    rules: str
    recorded: Score
    step: int | None = None
    score: Score | None = None
    unkept: str = ""
    schema_version: int = SCHEMA_VERSION


def score(
    episode: Trajectory | EpisodeSummary | Path | str,
    *,
    rules: str = "",
    judge: str = "none",
    anyway: bool = False,
    store: Store | Path | str | None = None,
    data: Path | str | None = None,
) -> Score:
    """Score a recorded episode's last evidence again: no browser, no site, the same score each time.

    Args:
        episode: its trajectory, its summary, or its name in the store.
        rules: the rule set; "": by the settings, else the benchmark's own.
        judge: who decides what rules can't: "none", "model", or the name of a model with options.
        anyway: score the last evidence also of an episode that ended without a score.
        store: where a name is looked for; None: the configured one.
        data: the benchmark's data folder; None: by the settings, else what is bundled.

    Returns the new score; the recorded one, *not scored*, for an episode without a score, unless `anyway`.

    Raises:
        UsageError: no such episode, rule set or judge.
        BadData: the episode holds no evidence.

    Example:
        >>> import webbench as wb
        >>> for name in wb.Store().episodes("benchmark:webarena").names:
        ...     print(name, wb.score(name, rules="paper").headline())
    """
    records = core_store(store)
    trajectory = (
        episode if isinstance(episode, Trajectory) else records.load(episode_folder(records, episode))
    )
    found = rescored(
        trajectory,
        records,
        rules=rules,
        judge=judge,
        anyway=anyway,
        data=Path(data) if data is not None else None,
    )
    return found.score or found.recorded


def rescored(
    trajectory: Trajectory,
    store: RecordStore,
    *,
    rules: str = "",
    judge: str = "none",
    anyway: bool = False,
    data: Path | None = None,
    ask_person: AskPerson | None = None,
) -> Rescored:
    """The recorded score beside the new one. Raises as `score`.

    Where the episode ended without a value, and its own rules give one now, that is kept beside the record
    and shown as given later (`core/store/records/later_scores.py`). An imported episode has no rules of the
    benchmark's: its default ones count. By other rules nothing is kept: such a score follows from the record
    and the judges' kept replies, and is the same each time; a second headline score would be taken for the
    first. With `anyway` nothing is kept either: that evidence is not of an end.

    Args:
        store: where its pictures are, which a judge may have to see.
        ask_person: how the judge "human" asks; None where nobody is there.
    """
    header = trajectory.header
    task = header.task
    benchmark = find_benchmark(task.benchmark, data_folder(task.benchmark, data))
    unscored = Rescored(
        run=header.run,
        episode=header.episode,
        task=task.id,
        rules=chosen_rules(rules, benchmark.rule_sets, benchmark.name),
        recorded=_recorded(header),
    )
    foreign = IMPORTED in header.settings and isinstance(benchmark, ScoresRecords)
    if unscored.recorded.status is Status.NOT_SCORED and not (anyway or foreign):
        return unscored
    index, recorded = _evidence(trajectory, benchmark)
    task = _published(header, data) if foreign else catalogue.with_gold(header, str(data or ""))
    evaluator = benchmark.evaluator

    valueless = {Status.PENDING, Status.ERROR}
    if foreign:  # of any other it would say nothing about an end
        valueless.add(Status.NOT_SCORED)

    async def judged() -> tuple[Score, str]:
        settings = load_settings()
        chosen = choose_judge(judge, settings.judge, ask_person, settings.prices, pictures_of(store))
        folder = store.root / header.run / header.episode
        kept = kept_replies(folder, chosen.name if chosen else "")
        own = recorded.get(REPLIES)
        known = recorded | {REPLIES: kept | (own if isinstance(own, dict) else {})} if kept else recorded
        async with in_use(chosen):
            listening = Listening(chosen) if chosen else None
            evidence = await answered(evaluator, task, known, listening, unscored.rules)
        score = evaluator.score(task, evidence, unscored.rules)
        heard = listening.heard if listening else []
        if not folder.is_dir():
            return score, ""
        unkept = ""
        try:
            if heard:
                keep_replies(store, folder, heard)
            if unscored.recorded.status in valueless and _is_new(header, score):
                unkept = _why_unwanted(header, score, benchmark.rule_sets)
                if not unkept:
                    keep_score(store.root, folder, score, settings.annotator, _deciding(evidence))
            elif unscored.recorded.status not in (Status.SCORED, *valueless):
                unkept = NO_END
            if heard and isinstance(chosen, ModelJudge) and isinstance(benchmark, ScoresRecords):
                keep_verdict(store, header, score, chosen, heard)
        except StoreUnwritable as error:
            return score, error.message
        return score, unkept

    score, unkept = wait_for(judged())
    return msgspec.structs.replace(unscored, step=index, score=score, unkept=unkept)


def _recorded(header: EpisodeHeader) -> Score:
    """What the episode ended with, whatever it was given later."""
    score = header.score
    if score is not None and score.later is not None:
        score = score.later.recorded
    return score or unfinished_score(header)


def _is_new(header: EpisodeHeader, score: Score) -> bool:
    """Whether the ended episode has no value so far, or another one by the same rules."""
    if not header.ended or score.status is not Status.SCORED:
        return False
    held = header.score
    if held is None or held.value is None:
        return True
    return held.rules == score.rules and (held.value, held.checks) != (score.value, score.checks)


def _why_unwanted(header: EpisodeHeader, score: Score, rule_sets: Sequence[str]) -> str:
    """Why the score is none of the episode's: it is by other rules; "" where it is by its own."""
    own = header.rules
    if own not in rule_sets and IMPORTED in header.settings:
        own = rule_sets[0]
    return "" if score.rules == own else f"the episode's rules are {own}, and the score is by {score.rules}"


def _deciding(evidence: JsonObject) -> str:
    """The judges whose replies the evidence has, "" where there are none."""
    replies = evidence.get(REPLIES)
    given = replies.values() if isinstance(replies, dict) else ()
    return ", ".join(dict.fromkeys(str(one.get("judge", "")) for one in given if isinstance(one, dict)))


def _published(header: EpisodeHeader, data: Path | None) -> Task:
    """The installed benchmark's task that an imported episode is an attempt at; its own words without one."""
    recorded = header.task
    try:
        found = catalogue.read_task(
            recorded.benchmark, recorded.name, recorded.instance or 0, str(data or "")
        ).task
    except WebbenchError:
        return recorded
    return found if found.intent == recorded.intent else recorded


def _evidence(trajectory: Trajectory, benchmark: Benchmark) -> tuple[int, JsonObject]:
    """The last evidence with its step; of a record without any what its benchmark makes of the steps.

    Raises `BadData` where there is none.
    """
    step = next((step for step in reversed(trajectory.steps) if step.evidence), None)
    if step is not None:
        return step.index, step.evidence
    if isinstance(benchmark, ScoresRecords) and trajectory.steps:
        return trajectory.steps[-1].index, benchmark.evidence_of(trajectory)
    raise BadData(
        f"Episode {trajectory.header.episode} holds no evidence to score", "it ended before anything was read"
    )


def unfinished_score(header: EpisodeHeader) -> Score:
    """Of an episode without an end."""
    return not_scored("the episode did not end (interrupted, or still running)", rules=header.rules)
