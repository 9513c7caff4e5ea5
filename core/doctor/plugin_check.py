"""What is plugged in: every entry point of our groups, where it comes from, and whether it works."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from importlib.metadata import EntryPoint
from typing import Literal

import msgspec

from webbench.core.benchmark.benchmark import Benchmark
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.dialects.dialect import Dialect, find_dialect
from webbench.core.errors import UsageError, WebbenchError
from webbench.core.exchange.import_format import Format, find_format
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import AGENTS, BENCHMARKS, DIALECTS, FORMATS, GROUPS
from webbench.core.text.nearest import nearest_names
from webbench.core.text.plain_text import plain_clip

Origin = Literal["built-in", "foreign"]
State = Literal["ok", "broken", "unused"]


class Plugin(msgspec.Struct, frozen=True, kw_only=True):
    """One entry point.

    Attributes:
        group: without our prefix: "agents".
        distribution, version: of the package it came with; "" where it names none.
        target: what the entry point names: "module:attribute".
        state: "unused" where a built-in, or another package's, has the same name.
        problem: why it is not "ok", in one line.
    """

    name: str
    group: str
    distribution: str
    version: str
    origin: Origin
    target: str
    state: State = "ok"
    problem: str = ""


def groups() -> list[str]:
    """Names of the groups, without our prefix."""
    return [_short(group) for group in GROUPS]


def plugins(group: str = "") -> list[Plugin]:
    """All of them, or those of one group; imports each, and makes those that need nothing to be made.

    One that fails is told as broken. Raises `UsageError` for an unknown group.
    """
    known = {_short(one): one for one in GROUPS} | {one: one for one in GROUPS}
    if group and group not in known:
        near = nearest_names(group, groups(), 1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise UsageError(
            f'There is no group of plug-ins named "{plain_clip(group, 60)}"',
            f"{hint}known: {', '.join(groups())}",
        )
    wanted: Sequence[str] = [known[group]] if group else GROUPS
    return [one for each in wanted for one in _of(each)]


def foreign_problems(besides: Collection[str] = ()) -> list[str]:
    """What is wrong with the plug-ins that other packages bring, but in these groups; imports only those."""
    return [
        f"{one.group} {one.name} ({one.distribution or one.target}): {one.problem}"
        for group in GROUPS
        if group not in besides
        for point, used in _claimed(group)
        if not entry_points.built_in(point) and (one := _plugin_of(point, used)).problem
    ]


def _of(group: str) -> list[Plugin]:
    return [_plugin_of(point, used) for point, used in _claimed(group)]


def _claimed(group: str) -> Iterator[tuple[EntryPoint, EntryPoint]]:
    """Every entry point, with the one of its name that is used."""
    used: dict[str, EntryPoint] = {}
    for point in entry_points.claims(group):
        yield point, used.setdefault(point.name, point)


def _plugin_of(point: EntryPoint, used: EntryPoint) -> Plugin:
    problem = _problem(point.group, point.name) if used is point else _shadowed(used)
    state: State = "unused" if used is not point else "broken" if problem else "ok"
    return Plugin(
        name=point.name,
        group=_short(point.group),
        distribution=_package(point),
        version=point.dist.version if point.dist else "",
        origin="built-in" if entry_points.built_in(point) else "foreign",
        target=point.value,
        state=state,
        problem=problem,
    )


def _shadowed(owner: EntryPoint) -> str:
    named = "a built-in" if entry_points.built_in(owner) else f"one of {_package(owner) or owner.value}"
    return f"{named} has the same name"


def _problem(group: str, name: str) -> str:
    """Why the plug-in doesn't work, or ""."""
    try:
        made = entry_points.load(group)[name]()
        make, contract = _MADE.get(group, (None, None))
        if make is not None and contract is not None:
            lacking = [member for member in _members(contract) if not hasattr(make(name), member)]
            return f"what it makes lacks {', '.join(lacking)}" if lacking else ""
    except entry_points.PluginBroken as error:
        return error.reason
    except WebbenchError as error:
        return plain_clip(str(error), 300)
    if group == AGENTS and not callable(made):
        return f"{type(made).__name__} can't be called to make an agent"
    return ""


_MADE: dict[str, tuple[Callable[[str], object], type]] = {
    BENCHMARKS: (find_benchmark, Benchmark),
    DIALECTS: (find_dialect, Dialect),
    FORMATS: (find_format, Format),
}
"""How those are made that need nothing for it, and the contract that what is made must keep."""


def _members(contract: type) -> list[str]:
    methods = [name for name, member in vars(contract).items() if callable(member) and name[0] != "_"]
    return [*contract.__annotations__, *methods]


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist else ""


def _short(group: str) -> str:
    return group.removeprefix("webbench.")
