"""Options and arguments that several commands have: one name and one sentence for each, in every command."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import typer


def finite(value: float) -> float:
    """Raises `typer.BadParameter` for what no record can hold."""
    if not math.isfinite(value):
        raise typer.BadParameter(f"{value} is no amount; leave the option out where there is no limit")
    return value


StorePath = Annotated[Path | None, typer.Option("--store", help="Folder that trajectories are kept in.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON (with a schema_version).")]
Data = Annotated[Path | None, typer.Option("--data", help="Folder with the benchmark's data set.")]
DialectName = Annotated[
    str, typer.Option("--dialect", help="Action language; the benchmark's own if not given.")
]
RULE_SETS = "published or paper; webarena: also libwebarena or verified"
Rules = Annotated[str, typer.Option("--rules", help=f"Rule set of the headline score: {RULE_SETS}.")]
Reset = Annotated[
    bool | None,
    typer.Option(
        "--reset/--no-reset",
        help="First reset the task's sites that were changed (reset.BENCHMARK.SITE = command); by default "
        "as the settings say.",
    ),
]
Approve = Annotated[
    str,
    typer.Option(
        "--approve",
        help="Before which of the agent's actions you are asked: always, changes (what submits, navigates or "
        "types) or never; by default as the settings say.",
    ),
]
GuardMode = Annotated[
    str,
    typer.Option(
        "--guard",
        help="Whether an agent's purchases, messages and deletions have to be confirmed: on, off or auto "
        "(except on sites that are there for the task); by default as the settings say.",
    ),
]
AllowHosts = Annotated[
    list[str] | None,
    typer.Option("--allow-host", help="Let pages reach only the task's sites and this host; repeatable."),
]
LimitSteps = Annotated[
    int,
    typer.Option(
        "--limit-steps",
        min=0,
        help="Steps that each episode may take; 0: by the setting step_limit, else by the benchmark.",
    ),
]
LimitSeconds = Annotated[
    float,
    typer.Option(
        "--limit-seconds",
        min=0,
        callback=finite,
        help="Seconds that each episode may take; 0: by the setting seconds_limit, else no limit.",
    ),
]
LimitTokens = Annotated[
    int,
    typer.Option(
        "--limit-tokens",
        min=0,
        help="Tokens that models may take in each episode; 0: by the setting token_limit, else no limit.",
    ),
]
LimitCost = Annotated[
    float,
    typer.Option(
        "--limit-cost",
        min=0,
        callback=finite,
        help="US dollars that each episode may cost; 0: by the setting cost_limit, else no limit.",
    ),
]
BenchmarkName = Annotated[str, typer.Argument(help="Benchmark, e.g. demo or turkingbench.")]
EpisodeName = Annotated[str, typer.Argument(help="Recorded episode, or a unique prefix of it.")]
Split = Annotated[str, typer.Option("--split", help="Only this split.")]
OnlyTasks = Annotated[list[str] | None, typer.Option("--task", help="Only this task; may be repeated.")]
ResamplingSeed = Annotated[int, typer.Option("--seed", help="Seed of resampling.")]
Agent = Annotated[
    str,
    typer.Option(
        "--agent",
        help="An agent or preset, with options: oracle, 'webarena-reasoning model=NAME', 'replay EPISODE', "
        "'command PROGRAM' …; `agents` lists them.",
    ),
]

RelevantHtml = Annotated[
    bool | None,
    typer.Option(
        "--relevant-html/--no-relevant-html",
        help="Give the HTML around each form field with every observation; by default as the settings say.",
    ),
]
ShareAddress = Annotated[
    str,
    typer.Option(
        "--share", help="Address of a store that machines share: file://, s3://, gs://, sftp:// ..."
    ),
]
