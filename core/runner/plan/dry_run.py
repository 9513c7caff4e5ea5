"""A dry run: what a run would play, told before anything is written or begun."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from webbench.core.benchmark.benchmark import SiteUse
from webbench.core.episode.options import EpisodeOptions
from webbench.core.runner.plan.plan import RunPlan
from webbench.core.settings.regions import AUTO
from webbench.core.task import name_and_instance
from webbench.core.text.plural import counted

SCHEMA_VERSION = 1
VISITOR = ("browser.locale", "browser.timezone", "browser.region")
"""Settings of what pages are told of their visitor."""


class Outline(msgspec.Struct, frozen=True, kw_only=True):
    """A plan in figures.

    Attributes:
        tasks: different names; instances: what is played of them, each `repeats` times: `episodes` in all.
        workers: episodes at a time.
        alone: episodes that have a site to themselves, because they change it.
        options: with the limits that hold, whoever set them.
        cost_limit: US dollars of the whole run; 0 = none.
        visitor: what the settings say of locale, time zone and region, by name; empty: the benchmark does.
        command: with which just this run is begun, as a shell reads it.
    """

    benchmark: str
    agent: str
    tasks: int
    instances: int
    repeats: int
    episodes: int
    workers: int
    seed: int
    alone: int
    options: EpisodeOptions
    cost_limit: float
    store: str
    command: str
    visitor: dict[str, str] = {}
    schema_version: int = SCHEMA_VERSION


def visitor_options(plan: RunPlan) -> list[str]:
    """The options of `run` that say what pages are told of their visitor."""
    told = ((name.rpartition(".")[2], plan.settings.get(name, AUTO)) for name in VISITOR)
    return [word for name, value in told if value != AUTO for word in (f"--{name}", value)]


def outline_of(plan: RunPlan, uses: Mapping[str, SiteUse], *, store: str, command: str) -> Outline:
    """The figures of a plan; `uses` are those of its tasks, by id."""
    ids = dict.fromkeys(plan.task_ids)
    alone = {one for one, use in uses.items() if use.sites and (use.changes or plan.reset)}
    return Outline(
        benchmark=plan.benchmark,
        agent=plan.agent,
        tasks=len({name_and_instance(one)[0] for one in ids}),
        instances=len(ids),
        repeats=plan.repeats,
        episodes=len(plan.episodes),
        workers=plan.workers,
        seed=plan.seed,
        alone=sum(one in alone for one in plan.task_ids),
        options=plan.options,
        cost_limit=plan.cost_limit,
        store=store,
        command=command,
        visitor={name: value for name in VISITOR if (value := plan.settings.get(name, AUTO)) != AUTO},
    )


def outline_words(outline: Outline) -> list[str]:
    """Lines for a person: how much, within which limits, and where to."""
    return [
        f"{_count_words(outline)} of {outline.benchmark} by {outline.agent}",
        " · ".join(_limit_words(outline)),
        " · ".join(_manner_words(outline)),
    ]


def _count_words(outline: Outline) -> str:
    """ "2 tasks, 40 instances, 3 times each = 120 episodes"."""
    parts = [counted(outline.tasks, "task")]
    if outline.instances != outline.tasks:
        parts.append(counted(outline.instances, "instance"))
    if outline.repeats > 1:
        parts.append(f"{outline.repeats:,} times each")
    return f"{', '.join(parts)} = {counted(outline.episodes, 'episode')}"


def _limit_words(outline: Outline) -> list[str]:
    """What ends an episode, and the run, before its time."""
    options = outline.options
    limits = [f"at most {counted(options.step_limit, 'step')}"]
    if options.seconds_limit:
        limits.append(f"{options.seconds_limit:g} s")
    if options.token_limit:
        limits.append(counted(options.token_limit, "token"))
    if options.cost_limit:
        limits.append(f"${options.cost_limit:g}")
    whole = (
        f"${outline.cost_limit:g} for the whole run" if outline.cost_limit else "no limit of the run's cost"
    )
    return [f"{', '.join(limits)} an episode", whole]


def _manner_words(outline: Outline) -> list[str]:
    pictures = "a picture of every step" if outline.options.pictures else "no pictures"
    words = [
        f"{outline.workers} at a time",
        f"seed {outline.seed}",
        f"rules {outline.options.rules}",
        pictures,
    ]
    if outline.visitor:
        words.append("pages are told " + ", ".join(outline.visitor.values()))
    if outline.alone:
        words.append(f"{counted(outline.alone, 'episode')} alone on a site")
    return words
