"""WebLINX' paper: its tables of results filled from runs, turns by split from the demonstrations' list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean

from webbench.benchmarks.weblinx.scoring.aggregate import (
    ELEMENT_GROUP,
    MATCH,
    OVERALL,
    TEXT_GROUP,
    Row,
    records,
    row_of_turn,
    splits_of_attempt,
)
from webbench.benchmarks.weblinx.scoring.agreement import ORIGINAL, nearest_scores
from webbench.benchmarks.weblinx.scoring.rules import PUBLISHED
from webbench.benchmarks.weblinx.statistics import DATA_FILLS
from webbench.benchmarks.weblinx.turns.intents import CLICK, LOAD, SAY, SUBMIT, TEXT_INPUT
from webbench.core.analysis.printed.filled_table import (
    DATA,
    Evidence,
    Filled,
    FilledRow,
    counted,
    is_human,
    unscored,
)
from webbench.core.analysis.printed.printed_table import Filler, Paper, read_paper
from webbench.core.analysis.recorded.run_records import RecordedRun
from webbench.core.json_types import JsonObject
from webbench.core.score.aggregates import Attempt
from webbench.core.settings.load_settings import load_settings
from webbench.core.statistics.estimates import Estimate

FILE = Path(__file__).with_name("paper.json")
NEEDS_RUNS = "name a run of demonstrations: `webbench-tui paper weblinx --table NAME RUN`"
NEEDS_ELEMENTS = (
    "name demonstrations of the splits by --data; "
    "a trained ranker joins by the settings ranking=dense and ranker"
)
NEEDS_PEOPLE = "name a run in which a person predicted a demonstration, and runs of models of the same"
OTHER_TURNS = "the printed agreement is of 134 turns that three people annotated, which are not published."
RANKED = "the printed rankings were trained on the 969 demonstrations of the train split."
FEW = "turns of a demonstration are not independent, and no interval is told of ours."
FEWER = "out of domain the printed numbers are means of four splits, and {run} has no turn of {absent}."
ID = "test_iid"
VALID = "valid"
OUT = ("test_web", "test_cat", "test_geo", "test_vis")
GROUPS = ((OVERALL, OVERALL), (OVERALL, MATCH), (ELEMENT_GROUP, "iou"), (TEXT_GROUP, "chrf-urlf"))
"""Intent and metric of overall, intent match, element group, text group."""
IN_ORDER = (0, 1, 2, 3)
BY_INTENT = (
    *(
        (CLICK, "iou"),
        (SUBMIT, "iou"),
        (TEXT_INPUT, "iou"),
        (SAY, "chrf"),
        (TEXT_INPUT, "chrf"),
        (LOAD, "urlf"),
    ),
    *((intent, MATCH) for intent in (CLICK, LOAD, SAY, SUBMIT, TEXT_INPUT)),
)
"""The columns of tables 22 to 27."""


def create() -> Paper:
    """The entry point."""
    each = {22: (ID,), 23: OUT, 24: ("test_cat",), 25: ("test_geo",), 26: ("test_vis",), 27: ("test_web",)}
    pairs = {28: ((ID,), OUT), 29: (("test_cat",), ("test_geo",)), 30: (("test_vis",), ("test_web",))}
    return read_paper(
        "weblinx",
        FILE,
        {
            **DATA_FILLS,
            "table 4": Filler("runs", models),
            "table 5": Filler(
                "runs", partial(by_split, [(one,) for one in OUT], ("LLaMA-2-13B",), (1, 2, 3, 0))
            ),
            "table 20": Filler("people's runs of the same demonstrations, with runs of models", nearest_ways),
            "table 13": Filler("demonstrations with ids of elements, or files of candidates", rankings),
            **{f"table {number}": Filler("runs", on_validation) for number in (16, 17)},
            "table 18": Filler("runs", partial(on_validation, before=("–",))),
            "table 21": Filler("runs", prompts),
            **{f"table {number}": Filler("runs", partial(by_intent, of)) for number, of in each.items()},
            **{
                f"table {at}": Filler("runs", partial(by_split, of, ("zero-shot", "GPT-4V"), IN_ORDER))
                for at, of in pairs.items()
            },
        },
        {
            "table 1": "it compares benchmarks by their features, without numbers",
            "table 10": "a list of names: those of table 11 with a demonstration in TEST_CAT",
            "table 12": "a list of websites; `data stats weblinx` tells subcategories by it (table 11)",
            "figure 2": "a picture; its numbers are not in the text",
        },
    )


def models(evidence: Evidence) -> Filled:
    """Intent match, element group, text group and overall out of domain, and overall in domain."""

    def values(attempts: Sequence[Attempt]) -> list[Estimate | None]:
        outside = averaged(attempts, OUT)
        inside = averaged(attempts, (ID,))
        return [
            *(_percent(outside.get(GROUPS[at])) for at in (1, 2, 3, 0)),
            _percent(inside.get(GROUPS[0])),
        ]

    return _filled(evidence, lambda run: [(("–", run.agent, "–"), values)], outside=True)


def prompts(evidence: Evidence) -> Filled:
    """Overall, intent match and both groups in domain."""
    return _filled(evidence, lambda run: [(("–", run.agent), _groups((ID,), IN_ORDER))])


def on_validation(evidence: Evidence, before: tuple[str, ...] = ()) -> Filled:
    """Overall, intent match and both groups on the validation split."""
    return _filled(evidence, lambda run: [((*before, run.agent), _groups((VALID,), IN_ORDER))])


def nearest_ways(evidence: Evidence) -> Filled:
    """People, models and the demonstrations against the nearest way of the others (appendix C.6)."""
    by_run: dict[str, list[JsonObject]] = {}
    named: dict[str, RecordedRun] = {}
    for at, run in evidence.lettered():
        named[at] = run
        last = [
            next((step.evidence for step in reversed(found.steps) if step.evidence), {})
            for _, found in evidence.trajectories(run)
        ]
        by_run[at] = [one for one in last if one.get("turns")]
    people = {at: found for at, found in by_run.items() if is_human(named[at])}
    models = {at: found for at, found in by_run.items() if at not in people}
    rules = next((one.attempt.score.rules for run in evidence.runs for one in run.scored if one.attempt), "")
    scored = nearest_scores(people, models, rules or PUBLISHED)
    whole = {name: _row_values(rows, rules or PUBLISHED) for name, rows in scored.items()}
    best = whole[ORIGINAL][3] if ORIGINAL in whole else None
    rows = []
    for name, values in whole.items():
        normalised = 100 * values[3] / best if best and values[3] is not None else None
        of = named.get(name)
        who = "Original" if of is None else f"annotator {name}" if name in people else of.agent
        rows.append(
            FilledRow(
                source=DATA if of is None else name,
                labels=(who,),
                values=tuple(map(counted, (*values, normalised))),
                beside=("Original",) if of is None else ("Annotator Mean",) if name in people else (),
                episodes=tuple(one.name for one in of.scored) if of is not None else (),
            )
        )
    return Filled(
        rows=tuple(rows),
        not_comparable=(FEW, OTHER_TURNS) if rows else (),
        left_out=unscored(evidence),
        missing="" if rows else NEEDS_PEOPLE,
    )


def _row_values(rows: Sequence[Row], rules: str) -> list[float | None]:
    """Intent match, text group, element group and overall, in percent."""
    found = {(one.intent, one.metric): one.unconditional_score for one in records(rows, rules)}
    values = [found.get(GROUPS[at]) for at in (1, 3, 2, 0)]
    return [None if value is None else 100 * value for value in values]


def rankings(evidence: Evidence) -> Filled:
    """Recall@10 of BM25, of scores that came with the data, and of the ranker of the settings."""
    from webbench.benchmarks.weblinx.benchmark import create as opened
    from webbench.benchmarks.weblinx.ranker.labelled_elements import labelled_turns
    from webbench.benchmarks.weblinx.ranker.recall import (
        BM25,
        IN_DOMAIN,
        OUT_OF_DOMAIN,
        PUBLISHED,
        TEST_OOD,
        recalls,
        scores_of,
        unlearned,
    )

    settings = load_settings()
    names = (BM25, PUBLISHED, *((settings.ranker,) if settings.ranking == "dense" else ()))
    found = unlearned(labelled_turns(opened(evidence.data)), names)
    columns = (IN_DOMAIN, *OUT_OF_DOMAIN, TEST_OOD)
    turns = [turn for turn in found.turns if set(turn.splits) & set(columns)]
    rows = []
    for name in names:
        by_split = {one.split: one for one in recalls(name, scores_of(name), turns)}
        values = tuple(
            counted(None if one is None or one.at_ten is None else 100 * one.at_ten, one.turns if one else 0)
            for one in map(by_split.get, columns)
        )
        if any(value is not None for value in values):
            rows.append(FilledRow(source=DATA, labels=(Path(name).name,), values=values))
    return Filled(
        rows=tuple(rows),
        not_comparable=(FEW, RANKED) if rows else (),
        left_out={
            **found.left_out,
            "turns of other splits": len(found.turns) - len(turns),
            "demonstrations that can't be read": len(found.unread),
        },
        missing="" if rows else NEEDS_ELEMENTS,
    )


def by_split(
    splits: Sequence[tuple[str, ...]], model: tuple[str, ...], order: Sequence[int], evidence: Evidence
) -> Filled:
    """The four figures for each split, or for the mean of several.

    Args:
        model: labels, but for the split, of the printed row of the same split that ours is held against.
        order: in which the table has `GROUPS`.
    """
    unknown = ("–",) * (len(model) - 1)
    return _filled(
        evidence,
        lambda run: [((*unknown, run.agent, _name(of)), _groups(of, order)) for of in splits],
        model=model,
        outside=OUT in splits,
    )


def by_intent(splits: Sequence[str], evidence: Evidence) -> Filled:
    """Every metric that an intent has, and how often it was met."""

    def values(attempts: Sequence[Attempt]) -> list[Estimate | None]:
        found = averaged(attempts, splits)
        return [_percent(found.get(name)) for name in BY_INTENT]

    return _filled(evidence, lambda run: [(("–", run.agent), values)], outside=splits == OUT)


def averaged(attempts: Sequence[Attempt], splits: Sequence[str]) -> dict[tuple[str, str], float]:
    """The records of each split, from 0 to 1, averaged over the splits that have them."""
    of: dict[tuple[str, str], list[float]] = {}
    for split in splits:
        inside = [one for one in attempts if split in splits_of_attempt(one)]
        rows = [
            row
            for one in inside
            for turn in one.score.checks
            if (row := row_of_turn(turn, one.score.rules)) is not None
        ]
        for record in records(rows, inside[0].score.rules) if rows else ():
            if record.unconditional_score is not None:
                of.setdefault((record.intent, record.metric), []).append(record.unconditional_score)
    return {name: fmean(values) for name, values in of.items()}


def absent_splits(attempts: Sequence[Attempt]) -> list[str]:
    """Splits out of domain that none of the attempts is of; none where no attempt is of any."""
    present = {split for one in attempts for split in splits_of_attempt(one)}
    return [split for split in OUT if split not in present] if present.intersection(OUT) else []


ValuesOf = Callable[[Sequence[Attempt]], list[Estimate | None]]


def _groups(splits: Sequence[str], order: Sequence[int]) -> ValuesOf:
    def values(attempts: Sequence[Attempt]) -> list[Estimate | None]:
        found = averaged(attempts, splits)
        return [_percent(found.get(GROUPS[at])) for at in order]

    return values


def _name(splits: Sequence[str]) -> str:
    return "TEST_OOD" if len(splits) > 1 else splits[0].upper()


def _filled(
    evidence: Evidence,
    rows: Callable[[RecordedRun], Sequence[tuple[tuple[str, ...], ValuesOf]]],
    *,
    model: tuple[str, ...] = (),
    outside: bool = False,
) -> Filled:
    """Rows of runs, those without a number left out.

    Args:
        model: whose printed row, with the same last label, a row is held against; () for the headline's.
        outside: numbers out of domain are means of all four splits.
    """
    made, without = [], 0
    fewer: list[str] = []
    for at, run in evidence.lettered():
        attempts = [one for each in run.scored if (one := each.attempt) is not None]
        if outside and (absent := absent_splits(attempts)):
            fewer.append(FEWER.format(run=at, absent=", ".join(absent)))
        for labels, values in rows(run):
            found = values(attempts)
            without += all(value is None for value in found)
            if any(value is not None for value in found):
                made.append(
                    FilledRow(
                        source=at,
                        labels=labels,
                        values=tuple(found),
                        beside=(*model, labels[-1]) if model else (),
                        episodes=tuple(one.name for one in run.scored),
                    )
                )
    missing = "no demonstration of these runs is of its splits" if evidence.runs else NEEDS_RUNS
    return Filled(
        rows=tuple(made),
        not_comparable=(FEW, *fewer) if made else (),
        left_out=unscored(evidence) | {"rows without a turn of their split": without},
        missing="" if made else missing,
    )


def _percent(share: float | None) -> Estimate | None:
    return counted(None if share is None else 100 * share)
