"""The tables of a human baseline, in the layouts of the literature and in full."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.core.people.baselines.human_baseline import Results
from webbench.core.people.baselines.people_and_models import ActorRow
from webbench.core.people.baselines.same_task_agreement import Agreement, WayAgreement
from webbench.core.people.baselines.success_and_time import UNKNOWN, Rate
from webbench.core.statistics.estimates import LEVEL, RESAMPLES
from webbench.core.statistics.figures import Cell, Column, Row, Section, Table
from webbench.core.text.plural import counted

TITLES = {
    "category": "By category",
    "achievable": "Tasks that can be done, and tasks that can't",
    "site": "By site",
    "difficulty": "By difficulty",
    "template": "By intent template",
    "task": "By task",
    "annotator": "By annotator",
}
RATE_COLUMNS = (
    Column("group", "text"),
    Column("n"),
    Column("success"),
    Column("mean s"),
    Column("median s"),
    Column("steps"),
    Column("median", optional=True),
    Column("ended otherwise", "text", optional=True),
)
ANSWERED = ("All", TITLES["annotator"])
"""Tables that tell what annotators answered."""
MOST_WAYS = 40
"""Tasks whose ways are listed; --json has all."""


def sections(results: Results) -> tuple[Section, ...]:
    """What there is to tell, the shortest first."""
    found = [_human(results), _groups(results)]
    if results.agreement is not None:
        found.append(_agreement(results.agreement))
    if results.beside:
        found.append(_beside(results.beside))
    if results.corrected is not None:
        found += [_corrected(section) for section in sections(results.corrected)]
    return tuple(found)


def _corrected(section: Section) -> Section:
    """Stands behind the figures as scored, never in their place."""
    return msgspec.structs.replace(
        section,
        name=f"{section.name}-corrected",
        title=f"{section.title}, as people corrected the scores",
        about=f"Disputed scores have the values that people hold to be right. {section.about}",
    )


def _human(results: Results) -> Section:
    by_category = {one.group: one for one in results.groups.get("category", ())}
    rows = [
        Row(("Avg. time", _mean(results.all.mean_seconds, " s"), results.all.timed)),
        *(
            _percent_row(f"Success rate, {title}", by_category.get(group))
            for title, group in (("info-seek", "information seeking"), ("others", "other"))
        ),
        _percent_row("Success rate, all", results.all),
    ]
    left = [f"{count} {state.replace('_', ' ')}" for state, count in results.all.states.items()]
    note = f"scores: {', '.join(left) or 'none'}"
    if results.open:
        note += f"; {counted(results.open, 'assigned task')} still to be done: the figures are not final"
    about = (
        "Attempts of people, in the layout of WebArena's table of human performance (section 3.2). Only "
        "scored attempts are in a rate; nothing that has no score counts as 0."
    )
    columns = (Column("", "text"), Column("value"), Column("n"))
    table = Table(title="Human performance", columns=columns, rows=tuple(rows), note=note)
    return Section(name="human", title="People", about=about, figures=(table,))


def _percent_row(title: str, found: Rate | None) -> Row:
    if found is None:
        return Row((title, None, 0))
    return Row((title, _percent(found), found.success.n), found.episodes)


def _percent(found: Rate) -> Cell:
    value = found.success.value
    return None if value is None else f"{100 * value:.2f} %"


def _groups(results: Results) -> Section:
    about = (
        f"Share of scored attempts with a score of 1 and its {100 * LEVEL:.0f} % interval by cluster "
        f"bootstrap ({RESAMPLES:,} resamples; clusters are intent templates, tasks where they name none), "
        "seconds without pauses, actions. n counts attempts, also those without a score."
    )
    tables = [
        _rates("All", (results.all,)),
        *(_rates(TITLES[name], of) for name, of in results.groups.items()),
    ]
    return Section(name="groups", title="In detail", about=about, figures=tuple(tables))


def _rates(title: str, found: Sequence[Rate]) -> Table:
    rows = [Row(_rate_cells(one), one.episodes) for one in found]
    answered = found if title in ANSWERED else ()
    told = [
        f"{one.group}: difficulty {one.mean_difficulty:.1f}, confidence {one.mean_confidence or 0:.1f}"
        for one in answered
        if one.mean_difficulty is not None
    ]
    return Table(
        title=title,
        columns=RATE_COLUMNS,
        rows=tuple(rows),
        note=f"means of what annotators answered, 1 to 5: {'; '.join(told)}" if told else "",
    )


def _rate_cells(one: Rate) -> tuple[Cell, ...]:
    otherwise = [f"{count} {name}" for name, count in one.outcomes.items() if name != "submitted"]
    return (
        "not known by the benchmark" if one.group == UNKNOWN else one.group,
        one.trials,
        one.success,
        _mean(one.mean_seconds),
        _mean(one.median_seconds),
        _mean(one.mean_steps),
        _mean(one.median_steps),
        ", ".join(otherwise),
    )


def _mean(value: float | None, unit: str = "") -> Cell:
    return None if value is None else f"{value:.1f}{unit}"


def _agreement(found: Agreement) -> Section:
    columns = (Column("measure", "text"), Column("value"), Column("n"), Column("left out", optional=True))
    figures = (
        ("outcome, share of agreeing pairs", found.outcome),
        ("outcome, Krippendorff's alpha", found.outcome_alpha),
        ("difficulty (1 to 5), Krippendorff's alpha, ordinal", found.difficulty),
        ("confidence (1 to 5), Krippendorff's alpha, ordinal", found.confidence),
        ("ways, mean over tasks", found.ways),
    )
    rows = tuple(
        Row((title, one, one.n, found.tasks - one.n))
        for title, one in figures
        if one.n or one not in (found.difficulty, found.confidence)
    )
    note = (
        f"{counted(found.tasks, 'task')} done by several people, {counted(found.pairs, 'pair')}; left out: "
        "tasks for which fewer than two people have a score, an answer or steps"
    )
    tables = [Table(title="Agreement", columns=columns, rows=rows, note=note)]
    if found.own is not None:
        tables.append(found.own)
    if found.by_task:
        tables.append(_ways(found.by_task))
    about = (
        "Of people who did the same task. The ways of two are aligned step by step; they agree by the "
        "similarity of what stands in a row, over all rows: a step that one alone took counts 0. Of several "
        "attempts of one person at a task the first counts."
    )
    return Section(name="agreement", title="Agreement", about=about, figures=tuple(tables))


def _ways(found: Sequence[WayAgreement]) -> Table:
    columns = (
        Column("task", "text"),
        Column("people"),
        Column("steps", "text"),
        Column("agreement"),
        Column("least"),
        Column("same", optional=True),
        Column("in all ways", optional=True),
    )
    ordered = sorted(found, key=lambda one: one.agreement)
    rows = tuple(
        Row(
            (
                one.task,
                len(one.people),
                ", ".join(map(str, one.steps)),
                one.agreement,
                one.least,
                one.same,
                f"{one.core} of {one.rows}",
            ),
            one.episodes,
        )
        for one in ordered[:MOST_WAYS]
    )
    rest = len(found) - len(rows)
    note = f"those that agree least come first; {rest} more are left out here" if rest else ""
    return Table(title="Ways by task", columns=columns, rows=rows, note=note)


def _beside(rows: Sequence[ActorRow]) -> Section:
    columns = (
        Column("actor", "text"),
        Column("n"),
        Column("SR"),
        Column("SR info-seek", optional=True),
        Column("SR others", optional=True),
        Column("SR_AC"),
        Column("SR_UA"),
        Column("mean s", optional=True),
        Column("steps"),
    )
    table = Table(
        title="People and models",
        columns=columns,
        rows=tuple(Row(_actor_cells(one), one.all.episodes) for one in rows),
        note="SR_AC and SR_UA: tasks that can and can't be done, as in WebArena's table of results",
    )
    about = "Models only on the tasks that people did, so that all rows speak of the same tasks."
    return Section(name="beside", title="Beside models", about=about, figures=(table, _tested(rows)))


def _tested(rows: Sequence[ActorRow]) -> Table:
    differences = [(one.actor, one.difference, one.all.episodes) for one in rows]
    columns = (
        Column("model", "text"),
        Column("tasks"),
        Column("difference"),
        Column("p", "p"),
        Column("test", "text"),
    )
    return Table(
        title="People minus model",
        columns=columns,
        rows=tuple(
            Row((actor, found.estimate.n, found.estimate, found.p, found.test), episodes)
            for actor, found, episodes in differences
            if found is not None
        ),
        note="on the tasks that both have scored; several models are several tests",
    )


def _actor_cells(one: ActorRow) -> tuple[Cell, ...]:
    parts = (one.all, one.seeking, one.others, one.achievable, one.unachievable)
    return (
        one.actor if not one.run else f"{one.actor} ({one.run})",
        one.all.trials,
        *(_percent(part) for part in parts),
        _mean(one.all.mean_seconds),
        _mean(one.all.mean_steps),
    )
