"""`score BENCHMARK --predictions FILE`: predictions that were made elsewhere, scored without a browser."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from webbench.core.errors import UsageError
from webbench.core.json_types import Json, JsonObject
from webbench.core.plugins.entry_points import PluginBroken
from webbench.core.score.as_json import plain_numbers, score_json
from webbench.core.score.score import Status
from webbench.core.scoring.judges.judge_choice import choose_judge, in_use
from webbench.core.scoring.judges.model import ModelJudge
from webbench.core.scoring.offline.offline_scorer import ItemScore, OfflineReport, find_scorer
from webbench.core.scoring.offline.problems import in_line_order
from webbench.core.scoring.offline.reading import STANDARD_INPUT, read_predictions
from webbench.core.settings.load_settings import load_settings
from webbench.core.text.nearest import suggestion
from webbench.core.text.plain_text import plain_clip
from webbench.tui.cli.asking_person import person_at
from webbench.tui.cli.output import print_json, say
from webbench.tui.cli.place import BOTH, chosen_rules, data_folder

if TYPE_CHECKING:
    from webbench.core.judge import Judge

SCHEMA_VERSION = 1


class OfflineRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments of `score` with --predictions.

    `rules` may be "both"; `items` are the ids of those that are shown alone, with their checks.
    """

    benchmark: str
    predictions: str
    tasks: Path | None = None
    rules: str = ""
    judge: str = "none"
    data: Path | None = None
    items: tuple[str, ...] = ()


def score_predictions(request: OfflineRequest, *, as_json: bool, as_table: bool) -> int:
    """Score a file of predictions.

    Exit code as of `exit_code`.

    Raises:
        UsageError: no such benchmark, rule set, judge or item.
        BadData: predictions or tasks that can't be read at all.
    """
    scorer = find_scorer(request.benchmark, data_folder(request.benchmark, request.data))
    rules = chosen_rules(request.rules, scorer.rule_sets, scorer.name)
    judge = _judge(request)
    predictions = read_predictions(request.predictions)

    async def run() -> OfflineReport:
        async with in_use(judge):
            return await scorer.score(predictions, tasks=request.tasks, rules=rules, judge=judge)

    found = asyncio.run(run())
    report = msgspec.structs.replace(found, problems=in_line_order(found.problems, predictions.name))
    shown = chosen_items(report.items, request.items)
    if as_json:
        print_json(report_json(report, judge, shown))
    else:
        from webbench.tui.cli.records.prediction_report import print_checks, print_report

        if request.items:
            print_checks(shown, as_table=as_table)
        else:
            print_report(report, judge, both=request.rules == BOTH, items=as_table)
    for problem in report.problems:
        say(f"{problem.where}: {problem.severity}: {problem.message}")
    return exit_code(report)


def _judge(request: OfflineRequest) -> Judge | None:
    settings = load_settings()
    person = person_at() if request.predictions != STANDARD_INPUT else None
    return choose_judge(request.judge, settings.judge, person, settings.prices)


def chosen_items(items: Sequence[ItemScore], names: Sequence[str]) -> Sequence[ItemScore]:
    """The items of these ids in the order of the ids, all of them for none. Raises `UsageError`."""
    by_id = {item.id: item for item in items}
    unknown = next((name for name in names if name not in by_id), None)
    if unknown is not None:
        told = f'The predictions hold no item "{plain_clip(unknown, 60)}" that can be scored'
        raise UsageError(told, suggestion(unknown, list(by_id)))
    return [by_id[name] for name in dict.fromkeys(names)] or items


def exit_code(report: OfflineReport) -> int:
    """4 when a line was unusable, 1 when something got no score though no rule leaves it out, else 0."""
    if any(problem.severity == "error" for problem in report.problems):
        return 4
    missing = (item.score.status is not Status.SCORED and not item.left_out for item in report.items)
    return 1 if any(missing) else 0


def report_json(report: OfflineReport, judge: Judge | None, items: Sequence[ItemScore]) -> JsonObject:
    """The headline figures at the top, then the groupings by name, then what they rest on.

    Figures are those of the whole report; `items` are those to be listed.

    Raises `PluginBroken` where a scorer's figure has the name of something else.
    """
    parts: tuple[dict[str, Json], ...] = (
        {"schema_version": SCHEMA_VERSION, "benchmark": report.benchmark, "rules": report.rules},
        dict(report.summary),
        dict(report.groups),
        {
            "beside": report.beside,
            "judge": judge_json(judge),
            "loopholes": loophole_counts(report.items),
            "items": [item_json(item) for item in items],
            "problems": [msgspec.to_builtins(problem) for problem in report.problems],
        },
    )
    names = Counter(name for part in parts for name in part)
    doubled = next((name for name, count in names.items() if count > 1), "")
    if doubled:
        raise PluginBroken(f'The scorer of {report.benchmark} gives two things named "{doubled}"')
    merged: JsonObject = {name: value for part in parts for name, value in part.items()}
    found: JsonObject = plain_numbers(merged)
    return found


def item_json(item: ItemScore) -> JsonObject:
    score = score_json(item.score)
    del score["schema_version"]
    return {
        "id": item.id,
        "status": item.score.status.value,
        "value": None,
        **score,
        "groups": item.groups,
        "note": item.note,
        "clauses": list(item.score.clauses()),
        "left_out": item.left_out,
        "replies": item.replies,
    }


def loophole_counts(items: Sequence[ItemScore]) -> list[JsonObject]:
    """How many items each weakness holds for, the most frequent first."""
    holds = [(loophole.id, loophole) for item in items for loophole in item.score.loopholes]
    texts = dict(holds)
    return [
        {"id": name, "count": count, "text": texts[name].text, "source": texts[name].source}
        for name, count in Counter(name for name, _ in holds).most_common()
    ]


def judge_json(judge: Judge | None) -> JsonObject | None:
    """Who was asked, and what it took; None where nobody was."""
    if judge is None:
        return None
    usage = judge.usage if isinstance(judge, ModelJudge) else None
    return {"name": judge.name, **(msgspec.to_builtins(usage) if usage else {})}
