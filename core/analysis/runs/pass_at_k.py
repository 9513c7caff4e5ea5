"""pass@k, where tasks were attempted more than once: the chance that one of k attempts succeeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from webbench.core.analysis.recorded.run_records import Recorded, RecordedRun
from webbench.core.statistics.estimates import Estimate, clustered_mean, pass_at_k
from webbench.core.statistics.figures import Cell, Column, Row, Section, Table

KS = (1, 2, 3, 5, 8, 10, 20, 50, 100)

ABOUT = (
    "pass@k (Chen et al. 2021): from n scored attempts at a task with c successes, 1 - C(n - c, k) / "
    "C(n, k), averaged over the tasks with at least k attempts; intervals by cluster bootstrap. Several runs "
    "under one agent's name are also taken together, whatever their settings."
)


def repeats_section(runs: Mapping[str, RecordedRun], *, seed: int = 0) -> Section | None:
    """pass@k of each run; None where no task was attempted twice."""
    by_run = _by_actor(runs)
    most = max((len(found) for tasks in by_run.values() for found in tasks.values()), default=0)
    if most < 2:
        return None
    ks = [k for k in KS if k <= most]
    rows = [
        Row(
            (k, *(cell for letter in by_run for cell in _cells(by_run[letter], k, seed))),
            tuple(one.name for tasks in by_run.values() for found in tasks.values() for one in found),
        )
        for k in ks
    ]
    columns = [
        column
        for letter in by_run
        for column in (Column(f"{letter} pass@k"), Column(f"{letter} tasks", optional=True))
    ]
    table = Table(title="pass@k", columns=(Column("k"), *columns), rows=tuple(rows))
    return Section(name="repeats", title="Several attempts", about=ABOUT, figures=(table,))


def pass_rate(attempts: Mapping[str, list[Recorded]], k: int, *, seed: int = 0) -> Estimate:
    """pass@k over the tasks with at least k scored attempts, clustered by template."""
    enough = [found for found in attempts.values() if len(found) >= k]
    return clustered_mean(
        [pass_at_k(len(found), sum(one.value == 1 for one in found), k) for found in enough],
        [found[0].cluster for found in enough],
        seed=seed,
    )


def _cells(attempts: Mapping[str, list[Recorded]], k: int, seed: int) -> tuple[Cell, Cell]:
    found = pass_rate(attempts, k, seed=seed)
    return (found if found.n else None), found.n


def _by_actor(runs: Mapping[str, RecordedRun]) -> dict[str, dict[str, list[Recorded]]]:
    """Attempts of each run, and where several runs are one agent's of all of them together ("A+B")."""
    found = {letter: attempts_by_task(run.scored) for letter, run in runs.items()}
    letters: dict[tuple[str, bool], list[str]] = {}
    for letter, run in runs.items():
        if run.agent:
            letters.setdefault((run.agent, letter.endswith("*")), []).append(letter)
    for several in letters.values():
        if len(several) > 1:
            together = [one for letter in several for one in runs[letter].scored]
            found["+".join(several)] = attempts_by_task(together)
    return found


def attempts_by_task(episodes: Sequence[Recorded]) -> dict[str, list[Recorded]]:
    """Episodes by the id of their task."""
    by_task: dict[str, list[Recorded]] = {}
    for one in episodes:
        by_task.setdefault(one.task.id, []).append(one)
    return by_task
