"""The command line of a run: the words that `run` reads the same request from."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

from webbench.tui.finding_again import store_option
from webbench.tui.headless.run_request import ResumeRequest, RunRequest

UNSET = RunRequest(benchmark="", agent="")
"""What the options are when nothing is said."""


def run_words(request: RunRequest) -> list[str]:
    """`run BENCHMARK --agent ...` with what differs from the defaults; without the store."""
    return ["run", request.benchmark, "--agent", request.agent, *_selecting(request), *_playing(request)]


def resume_words(request: ResumeRequest) -> list[str]:
    """`run --resume RUN` with what is asked for now; without the store."""
    words = ["run", *([request.benchmark] if request.benchmark else []), "--resume", request.run]
    if request.workers is not None:
        words += ["--workers", str(request.workers)]
    if request.retry:
        words += ["--retry", "not-scored"]
    if request.run_cost is not None:
        words += ["--limit-run-cost", _number(request.run_cost)]
    return [*words, *_placed(request)]


def run_command(request: RunRequest, store: Path, usual_store: Path, *more: str) -> str:
    """The whole command as a shell reads it, with the store where that isn't the settings' one."""
    place = store_option(store, usual_store)
    return shlex.join(["webbench-tui", *run_words(request), *more]) + (f" {place}" if place else "")


def _selecting(request: RunRequest) -> Iterator[str]:
    if request.split:
        yield from ("--split", request.split)
    for name in request.tasks:
        yield from ("--task", name)
    if request.instances is not None:
        yield from ("--instances", str(request.instances))


def _playing(request: RunRequest) -> Iterator[str]:
    budget = request.budget
    values = {
        "workers": (request.workers, UNSET.workers),
        "repeat": (request.repeats, UNSET.repeats),
        "order": (request.order, UNSET.order),
        "seed": (request.seed, UNSET.seed),
        "limit-steps": (budget.steps, 0),
        "limit-seconds": (budget.seconds, 0),
        "limit-tokens": (budget.tokens, 0),
        "limit-cost": (budget.cost, 0),
        "limit-run-cost": (request.run_cost, UNSET.run_cost),
        "hang": (request.hang_seconds, UNSET.hang_seconds),
        "retry": ("not-scored" if request.retry else "", ""),
        "dialect": (request.dialect, UNSET.dialect),
        "rules": (request.rules, UNSET.rules),
    }
    for name, (value, unset) in values.items():
        if value != unset:
            yield from (f"--{name}", _number(value) if isinstance(value, float) else str(value))
    switches = {
        "site-safety": (request.site_safety, True),
        "pictures": (request.pictures, True),
        "relevant-html": (request.relevant_html, None),
        "reset": (request.reset, None),
    }
    for name, (on, unsaid) in switches.items():
        if on is not unsaid:
            yield f"--{'' if on else 'no-'}{name}"
    yield from _placed(request)


def _placed(request: RunRequest | ResumeRequest) -> Iterator[str]:
    where = request.where
    if where.engine != "local":
        yield from ("--engine", where.engine)
    if where.address != "auto":
        yield from ("--address", where.address)
    if where.share:
        yield from ("--share", where.share)
    if request.data is not None:
        yield from ("--data", str(request.data))


def _number(value: float) -> str:
    """As short as it is exact."""
    return str(int(value)) if value == int(value) else repr(value)
