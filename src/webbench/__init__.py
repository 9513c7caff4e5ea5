"""The public door: `import webbench as wb`. Every name here is documented and kept; so are the
modules that docs/reference/contracts.md lists for plug-ins. All else is private.

Tasks: `benchmarks`, `benchmark`, `tasks`. Live: `open`, `engine`, `play`. Batches: `run`, `resume`.
Records: `Store`, `score`, `compare`, `analyse`, `agreement`, `figures`. Other formats: `import_`,
`export`. The types that these take and give stand beside them, those of actions in `actions`. docs/python.md
walks through all of it; `webbench.gym` is a Gymnasium environment.

Names are loaded at their first use (PEP 562), so that the import itself costs nothing.

Example:
    >>> import webbench as wb
    >>> wb.play("demo/camp-mugs", "oracle").header.score.value
    1.0
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webbench.core.action import action as actions
    from webbench.core.action.action import Action
    from webbench.core.agent import Agent, AgentView, Proposal
    from webbench.core.analysis.agreement.annotator_agreement import Agreement
    from webbench.core.analysis.compare.comparison import Comparison
    from webbench.core.analysis.find.find import Found
    from webbench.core.analysis.recorded.recorded_episode import RecordedEpisode
    from webbench.core.analysis.runs.whole_run import Analysed
    from webbench.core.api.analysing import agreement, analyse, compare, figures
    from webbench.core.api.available import AvailableBenchmark, benchmarks, tasks
    from webbench.core.api.available import ready_benchmark as benchmark
    from webbench.core.api.batch_run import resume, run
    from webbench.core.api.conversion import export, import_
    from webbench.core.api.live_episode import Episode, engine, open, play  # noqa: A004 - told by `wb.`
    from webbench.core.api.rescoring import score
    from webbench.core.api.store_tables import Episodes, Rows, Store
    from webbench.core.benchmark.agent_request import AgentRequest
    from webbench.core.benchmark.benchmark import Benchmark, Evaluator, Stage
    from webbench.core.engine.engine import Engine
    from webbench.core.environment import Environment
    from webbench.core.episode.limits import Budget
    from webbench.core.errors import (
        ActionFailed,
        AgentFailed,
        BadData,
        EnvironmentDown,
        UsageError,
        WebbenchError,
    )
    from webbench.core.exchange.export_format import Exported
    from webbench.core.exchange.importing import Imported
    from webbench.core.exchange.own.flat_rows import CheckRow, EpisodeRow, LabelRow, StepRow
    from webbench.core.observation import AccessibilityNode, Observation, Screenshot
    from webbench.core.runner.status.results import BatchReport, EpisodeResult
    from webbench.core.score.score import Check, Score, Status
    from webbench.core.store.index.summaries import EpisodeSummary, RunSummary
    from webbench.core.task import Task
    from webbench.core.trajectory import Step, Trajectory

__all__ = [
    "AccessibilityNode",
    "Action",
    "ActionFailed",
    "Agent",
    "AgentFailed",
    "AgentRequest",
    "AgentView",
    "Agreement",
    "Analysed",
    "AvailableBenchmark",
    "BadData",
    "BatchReport",
    "Benchmark",
    "Budget",
    "Check",
    "CheckRow",
    "Comparison",
    "Engine",
    "Environment",
    "EnvironmentDown",
    "Episode",
    "EpisodeResult",
    "EpisodeRow",
    "EpisodeSummary",
    "Episodes",
    "Evaluator",
    "Exported",
    "Found",
    "Imported",
    "LabelRow",
    "Observation",
    "Proposal",
    "RecordedEpisode",
    "Rows",
    "RunSummary",
    "Score",
    "Screenshot",
    "Stage",
    "Status",
    "Step",
    "StepRow",
    "Store",
    "Task",
    "Trajectory",
    "UsageError",
    "WebbenchError",
    "actions",
    "agreement",
    "analyse",
    "benchmark",
    "benchmarks",
    "compare",
    "engine",
    "export",
    "figures",
    "import_",
    "open",
    "play",
    "resume",
    "run",
    "score",
    "tasks",
]

_PLACES = {
    "webbench.core.action.action": ("Action",),
    "webbench.core.agent": ("Agent", "AgentView", "Proposal"),
    "webbench.core.analysis.agreement.annotator_agreement": ("Agreement",),
    "webbench.core.analysis.compare.comparison": ("Comparison",),
    "webbench.core.analysis.find.find": ("Found",),
    "webbench.core.analysis.recorded.recorded_episode": ("RecordedEpisode",),
    "webbench.core.analysis.runs.whole_run": ("Analysed",),
    "webbench.core.api.analysing": ("agreement", "analyse", "compare", "figures"),
    "webbench.core.api.available": ("AvailableBenchmark", "tasks"),
    "webbench.core.api.batch_run": ("resume", "run"),
    "webbench.core.api.conversion": ("export", "import_"),
    "webbench.core.api.live_episode": ("Episode", "engine", "open", "play"),
    "webbench.core.api.rescoring": ("score",),
    "webbench.core.api.store_tables": ("Episodes", "Rows", "Store"),
    "webbench.core.benchmark.agent_request": ("AgentRequest",),
    "webbench.core.benchmark.benchmark": ("Benchmark", "Evaluator", "Stage"),
    "webbench.core.engine.engine": ("Engine",),
    "webbench.core.environment": ("Environment",),
    "webbench.core.episode.limits": ("Budget",),
    "webbench.core.errors": (
        *("ActionFailed", "AgentFailed", "BadData"),
        *("EnvironmentDown", "UsageError", "WebbenchError"),
    ),
    "webbench.core.exchange.export_format": ("Exported",),
    "webbench.core.exchange.importing": ("Imported",),
    "webbench.core.exchange.own.flat_rows": ("CheckRow", "EpisodeRow", "LabelRow", "StepRow"),
    "webbench.core.observation": ("AccessibilityNode", "Observation", "Screenshot"),
    "webbench.core.runner.status.results": ("BatchReport", "EpisodeResult"),
    "webbench.core.score.score": ("Check", "Score", "Status"),
    "webbench.core.store.index.summaries": ("EpisodeSummary", "RunSummary"),
    "webbench.core.task": ("Task",),
    "webbench.core.trajectory": ("Step", "Trajectory"),
}
"""Where each name is defined."""

_PLACE_OF = {name: place for place, names in _PLACES.items() for name in names}


def __getattr__(name: str) -> object:
    if name == "benchmarks":  # the folder of this name, which can be called
        return import_module("webbench.benchmarks")
    if name == "actions":
        found: object = import_module("webbench.core.action.action")
    elif name == "benchmark":
        found = import_module("webbench.core.api.available").ready_benchmark
    elif name in _PLACE_OF:
        found = getattr(import_module(_PLACE_OF[name]), name)
    else:
        raise AttributeError(f"module 'webbench' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
