"""WebCanvas' paper: its tables filled from runs, and from the task files of Mind2Web-Live."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import msgspec

from webbench.benchmarks.webcanvas.agents.modular import SHOWN
from webbench.benchmarks.webcanvas.mind2web.offline_accuracy import PUBLISHED, task_score
from webbench.benchmarks.webcanvas.mind2web.predicted_steps import predicted_task, shown_rows
from webbench.benchmarks.webcanvas.scoring.aggregate import LENGTH_BINS, NODE_BINS, bin_of
from webbench.benchmarks.webcanvas.statistics import DATA_FILLS
from webbench.core.analysis.printed.filled_table import (
    Evidence,
    Filled,
    FilledRow,
    mean_percent,
    rows_of_runs,
    share_percent,
    unscored,
)
from webbench.core.analysis.printed.printed_table import Filler, Paper, read_paper
from webbench.core.analysis.recorded.run_records import Recorded, RecordedRun
from webbench.core.errors import BadData
from webbench.core.score.score import Score
from webbench.core.statistics.estimates import Estimate, clustered_mean
from webbench.core.trajectory import HUMAN

FILE = Path(__file__).with_name("paper.json")
NEEDS_RUNS = "name a run: `webbench-tui paper webcanvas --table NAME RUN`"
OTHER_TASKS = (
    "the printed numbers are of {printed}, on live sites in 2024; {count} of ours are of other files: "
    "{splits}."
)
TEST_SET = ("the test set's 104 tasks", "mind2web-live_test")
FORTY = ("40 tasks of the test set", "mind2web-live_test")
DEV_SET = ("the dev set's 438 tasks", "mind2web-live_train")
MIND2WEB = "mind2web"
"""Of imported runs whose steps were predicted offline."""
SUCCESSES = ("task_success", "task_success_1")
SAMPLE = ("130 tasks of both sets", "_130")
"""What printed numbers are of, and how the names of files of such tasks are known."""


def create() -> Paper:
    """The entry point."""
    return read_paper(
        "webcanvas",
        FILE,
        {
            **DATA_FILLS,
            "table 3": Filler("runs, and imported predictions of Mind2Web", online_and_offline),
            "table 4": Filler("runs", _online(partial(rates, of=TEST_SET))),
            "section 6.2": Filler("runs", _online(last_key_node)),
            "table 5": Filler("runs", _online(aligned)),
            "figure 9": Filler("runs", _online(complexity)),
            "table 11": Filler("runs", _online(partial(rates, of=DEV_SET))),
            "table 12": Filler("runs", _online(ablations)),
            "table 13": Filler("runs", _online(places)),
        },
        {
            "table 1": "it describes the evaluation functions",
            "table 6": "it shows cases of earlier benchmarks",
            "table 7": "it shows examples of evaluation functions",
            "table 9": "it compares two data sets in words",
            "table 10": "it lists actions; `webbench-tui plugins dialects` lists ours",
            "table 14": "it tells single failures in words",
            "figure 11": "a picture; `webbench-tui stats RUN --section reached` draws the like",
            "figure 12": "a picture; `webbench-tui stats RUN --section reached` draws the like",
            "figure 13": "a picture; `webbench-tui stats RUN --section groups` has rates by site",
            "figure 14": "a picture; `webbench-tui stats RUN --section groups` has rates by site",
        },
        also_of=(MIND2WEB,),
    )


def _online(fill: Callable[[Evidence], Filled]) -> Callable[[Evidence], Filled]:
    """The filler for runs on live sites alone: the lines of others are left out, and counted."""

    def filled(evidence: Evidence) -> Filled:
        offline = {at: run for at, run in evidence.lettered() if run.benchmark == MIND2WEB}
        found = fill(evidence)
        if not offline:
            return found
        rows = tuple(row for row in found.rows if row.source not in offline)
        count = sum(len(run.episodes) for run in offline.values())
        return msgspec.structs.replace(
            found,
            rows=rows,
            left_out=found.left_out | {"episodes of Mind2Web, which was evaluated offline": count},
            missing=found.missing or ("" if rows else NEEDS_RUNS),
        )

    return filled


def rates(evidence: Evidence, *, of: tuple[str, str]) -> Filled:
    """Completion rate, task success rate, efficiency.

    Args:
        of: what the printed numbers are of, and the part of the name of its file.
    """
    return _filled(
        evidence, lambda run: (run.agent,), lambda found: three_figures(found, evidence.seed), of=of
    )


def aligned(evidence: Evidence) -> Filled:
    """The same with the human alignment score, by the models that planned and that judged.

    Which they were is told by the recorded calls; "(+)" behind the reward model: it was told the key nodes.
    """
    models = {run.run: _two_models(evidence, run) for run in evidence.runs if run.scored}

    def values(found: Sequence[Recorded]) -> list[Estimate | None]:
        alignment = _mean_of(found, "human_alignment_score", evidence.seed)
        return [*three_figures(found, evidence.seed), alignment]

    return _filled(evidence, lambda run: models[run.run], values, of=SAMPLE)


def _two_models(evidence: Evidence, run: RecordedRun) -> tuple[str, str]:
    """Planning and reward model; the agent and "–" where no call tells them."""
    found: dict[str, dict[str, None]] = {"act": {}, "reward": {}}
    for _, trajectory in evidence.trajectories(run):
        for step in trajectory.steps:
            for call in step.calls:
                if call.purpose in found:
                    found[call.purpose][call.model] = None
    planning, reward = (", ".join(found[purpose]) for purpose in ("act", "reward"))
    golden = "(+)" if reward and SHOWN in run.agent else ""
    return planning or run.agent, f"{reward}{golden}" or "–"


def ablations(evidence: Evidence) -> Filled:
    """The same; a run's memory and reasoning aren't recorded as these switches."""
    return _filled(
        evidence, lambda run: (run.agent, "–", "–"), lambda found: three_figures(found, evidence.seed)
    )


def places(evidence: Evidence) -> Filled:
    """The same by what the records tell of the place, the system and the browser."""
    return _filled(evidence, _place, lambda found: three_figures(found, evidence.seed))


def online_and_offline(evidence: Evidence) -> Filled:
    """Runs on live sites beside predicted steps of Mind2Web, which are scored anew (section 5.1)."""
    live = _online(online)(evidence)
    rows = [
        row
        for at, run in evidence.lettered()
        if run.benchmark == MIND2WEB
        for row in _offline(evidence, at, run)
    ]
    if not rows:
        return live
    why = (
        "offline: the printed numbers are of 40 tasks of Mind2Web-Live's test set; a step that a file leaves "
        "out counts as wrong"
    )
    return msgspec.structs.replace(
        live,
        rows=(*live.rows, *rows),
        not_comparable=(*live.not_comparable, why),
        left_out={
            name: n for name, n in live.left_out.items() if not name.startswith("episodes of Mind2Web")
        },
        missing="",
    )


def _offline(evidence: Evidence, at: str, run: RecordedRun) -> Iterator[FilledRow]:
    """A row for each model of an imported run whose steps keep what was predicted."""
    scores: dict[str, list[tuple[str, Score]]] = {}
    for one, trajectory in evidence.trajectories(run):
        rows = list(shown_rows([step.evidence for step in trajectory.steps]))
        if not rows or trajectory.header.actor == HUMAN:
            continue
        try:
            task = predicted_task(trajectory.header.task.name, rows, {})
        except BadData as error:
            evidence.problems.append(f"{one.name}: {error}")
            continue
        scores.setdefault(trajectory.header.actor, []).append((one.name, task_score(task, PUBLISHED)))
    for model, found in scores.items():
        steps = [(name, check.value or 0.0) for name, score in found for check in score.checks]
        rates = [share_percent(score.metrics[name] == 1 for _, score in found) for name in SUCCESSES]
        yield FilledRow(
            source=at,
            labels=(model, "offline"),
            values=(
                mean_percent([value for _, value in steps], [name for name, _ in steps], seed=evidence.seed),
                *rates,
            ),
            beside=("GPT-4", "offline"),
            episodes=tuple(name for name, _ in found),
        )


def online(evidence: Evidence) -> Filled:
    """Completion rate, and success with no key node missed, or one at most."""

    def values(found: Sequence[Recorded]) -> list[Estimate | None]:
        missed = [_key_nodes(one) - _reached(one) for one in found if _key_nodes(one)]
        return [
            completion_rate(found, evidence.seed),
            share_percent(count <= 0 for count in missed),
            share_percent(count <= 1 for count in missed),
        ]

    return _filled(evidence, lambda run: (run.agent, "online"), values, of=FORTY)


def complexity(evidence: Evidence) -> Filled:
    """Completion and success by annotated steps, and by key nodes."""
    rows = []
    for at, run in evidence.lettered():
        for what, bins, count in (
            ("steps", LENGTH_BINS, _length),
            ("key nodes", NODE_BINS, _key_nodes),
        ):
            inside: dict[str, list[Recorded]] = {name: [] for _, name in bins}
            for one in run.scored:
                if name := bin_of(count(one), bins):
                    inside[name].append(one)
            rows += [
                FilledRow(
                    source=at,
                    labels=(run.agent, f"{name} {what}"),
                    values=tuple(three_figures(found, evidence.seed)[:2]),
                    episodes=tuple(one.name for one in found),
                )
                for name, found in inside.items()
                if found
            ]
    return Filled(
        rows=tuple(rows),
        left_out=unscored(evidence),
        missing="" if rows else "no episode of these runs is scored" if evidence.runs else NEEDS_RUNS,
    )


def _length(one: Recorded) -> float:
    length = one.task.gold.get("reference_length")
    return float(length) if isinstance(length, int | float) else 0.0


def last_key_node(evidence: Evidence) -> Filled:
    """Of episodes that reached their last key node, how many reached all."""

    def values(found: Sequence[Recorded]) -> list[Estimate | None]:
        arrived = [one for one in found if _last_reached(one)]
        return [share_percent(_reached(one) >= _key_nodes(one) for one in arrived)]

    filled = _filled(evidence, lambda run: (run.agent,), values)
    why = "the paper's authors judged tasks; ours is what attempts came to that reached the last key node."
    return Filled(
        rows=filled.rows,
        not_comparable=(why, *filled.not_comparable) if filled.rows else (),
        left_out=filled.left_out,
        missing=filled.missing,
    )


def three_figures(found: Sequence[Recorded], seed: int = 0) -> list[Estimate | None]:
    """Completion rate and task success rate in percent, efficiency in steps per key node."""
    return [
        completion_rate(found, seed),
        share_percent(bool(_metric(one, "task_success")) for one in found if _key_nodes(one)),
        _mean_of(found, "efficiency", seed),
    ]


def completion_rate(found: Sequence[Recorded], seed: int = 0) -> Estimate | None:
    """Key nodes reached of all key nodes; those of a task are drawn together."""
    values: list[float] = []
    tasks: list[str] = []
    for one in found:
        count = round(_key_nodes(one))
        values += [_reached(one) / count] * count if count else []
        tasks += [one.task.id] * count
    return mean_percent(values, tasks, seed=seed)


def _filled(
    evidence: Evidence,
    labels: Callable[[RecordedRun], tuple[str, ...]],
    values: Callable[[Sequence[Recorded]], Sequence[Estimate | None]],
    *,
    of: tuple[str, str] = TEST_SET,
) -> Filled:
    printed, part = of
    rows = rows_of_runs(evidence, labels, values)
    live = [run for run in evidence.runs if run.benchmark != MIND2WEB]
    splits = Counter(one.task.split for run in live for one in run.scored)
    others = {name or "no file": count for name, count in splits.items() if part not in name}
    told = OTHER_TASKS.format(printed=printed, count=sum(others.values()), splits=", ".join(others))
    return Filled(
        rows=rows,
        not_comparable=(told,) if others else (),
        left_out=unscored(evidence),
        missing="" if rows else "no episode of these runs is scored" if evidence.runs else NEEDS_RUNS,
    )


def _place(run: RecordedRun) -> tuple[str, str, str, str]:
    """Agent, region, system and browser, each "–" where episodes differ or don't tell."""
    seen = [one.header.visitor for one in run.episodes]
    told = ({one.region for one in seen}, {one.system for one in seen}, {one.browser for one in seen})
    region, system, browser = (next(iter(of)) if len(of) == 1 else "" for of in told)
    return run.agent, region or "–", system or "–", browser or "–"


def _metric(one: Recorded, name: str) -> float:
    score = one.header.score
    return (score.metrics.get(name) or 0.0) if score else 0.0


def _key_nodes(one: Recorded) -> float:
    return _metric(one, "key_nodes")


def _reached(one: Recorded) -> float:
    return _metric(one, "step_score")


def _last_reached(one: Recorded) -> bool:
    score = one.header.score
    nodes = [check for check in score.checks if check.target.startswith("key node ")] if score else []
    return bool(nodes) and nodes[-1].value == 1


def _mean_of(found: Sequence[Recorded], name: str, seed: int) -> Estimate | None:
    scores = [one.header.score for one in found if one.header.score]
    values = [value for score in scores if (value := score.metrics.get(name)) is not None]
    return clustered_mean(values, range(len(values)), seed=seed) if values else None
