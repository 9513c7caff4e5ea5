"""`score BENCHMARK --predictions FILE`: predictions that were made elsewhere, scored without a browser."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from webbench.core import registry
from webbench.core.json_types import Json, JsonObject
from webbench.core.judge.choosing import choose_judge, in_use
from webbench.core.judge.model import ModelJudge
from webbench.core.offline.contract import ItemScore, OfflineReport
from webbench.core.offline.reading import STANDARD_INPUT, read_predictions
from webbench.core.score import Status
from webbench.core.score_json import plain_numbers, score_json
from webbench.core.settings import load_settings
from webbench.tui.headless.asking_person import person_at
from webbench.tui.headless.output import print_json, say
from webbench.tui.headless.place import BOTH, chosen_rules, data_folder

if TYPE_CHECKING:
    from webbench.core.judge.contract import Judge

SCHEMA_VERSION = 1


class OfflineRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments of `score` with --predictions; `rules` may be "both"."""

    benchmark: str
    predictions: str
    tasks: Path | None = None
    rules: str = ""
    judge: str = "none"
    data: Path | None = None


def score_predictions(request: OfflineRequest, *, as_json: bool, as_table: bool) -> int:
    """Score a file of predictions.

    Exit code 4 when a line was unusable, 1 when something got no score, else 0.

    Raises:
        UsageError: no such benchmark, rule set or judge.
        BadData: predictions or tasks that can't be read at all.
    """
    scorer = registry.offline_scorer(request.benchmark, data_folder(request.benchmark, request.data))
    rules = chosen_rules(request.rules, scorer.rule_sets, scorer.name)
    judge = _judge(request)
    predictions = read_predictions(request.predictions)

    async def run() -> OfflineReport:
        async with in_use(judge):
            return await scorer.score(predictions, tasks=request.tasks, rules=rules, judge=judge)

    report = asyncio.run(run())
    if as_json:
        print_json(report_json(report, judge))
    else:
        from webbench.tui.headless.report_text import print_report

        print_report(report, judge, both=request.rules == BOTH, items=as_table)
    for problem in report.problems:
        say(f"{problem.where}: {problem.severity}: {problem.message}")
    return exit_code(report)


def _judge(request: OfflineRequest) -> Judge | None:
    return choose_judge(
        request.judge,
        load_settings().judge,
        person_at() if request.predictions != STANDARD_INPUT else None,
    )


def exit_code(report: OfflineReport) -> int:
    if any(problem.severity == "error" for problem in report.problems):
        return 4
    return 1 if any(item.score.status is not Status.SCORED for item in report.items) else 0


def report_json(report: OfflineReport, judge: Judge | None) -> JsonObject:
    """The headline figures at the top, then the groupings by name, then what they rest on.

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
            "items": [item_json(item) for item in report.items],
            "problems": [msgspec.to_builtins(problem) for problem in report.problems],
        },
    )
    names = Counter(name for part in parts for name in part)
    doubled = next((name for name, count in names.items() if count > 1), "")
    if doubled:
        raise registry.PluginBroken(f'The scorer of {report.benchmark} gives two things named "{doubled}"')
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
