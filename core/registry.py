"""Plug-ins by name: benchmarks, agents, dialects, formats, export formats, scorers, tables, bundles, data
sets, taxonomies, presets of agents; our own by the same door.

A plug-in is an entry point of one of these groups. Listing names imports nothing; a plug-in that
can't be imported is reported when it is asked for, or by `broken`, and never disturbs the others.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import msgspec

from webbench.core.agents.contract import Agent, AgentFactory, AgentRequest
from webbench.core.bundle import Bundle
from webbench.core.dialects.contract import Dialect
from webbench.core.errors import UsageError, WebbenchError
from webbench.core.exports.contract import Exporter, ExporterFactory
from webbench.core.formats.contract import Format, FormatFactory
from webbench.core.nearest import nearest_names
from webbench.core.offline.contract import OfflineScorer, OfflineScorerFactory
from webbench.core.plain_text import plain_clip
from webbench.core.task import Benchmark, BenchmarkFactory

if TYPE_CHECKING:
    from webbench.core.datasets.contract import DataFamily

Made = TypeVar("Made")

BENCHMARKS = "webbench.benchmarks"
AGENTS = "webbench.agents"
DIALECTS = "webbench.dialects"
FORMATS = "webbench.formats"
EXPORTERS = "webbench.exporters"
SCORERS = "webbench.scorers"
TABLES = "webbench.tables"
BUNDLES = "webbench.bundles"
DATA = "webbench.data"
TAXONOMIES = "webbench.taxonomies"
PRESETS = "webbench.presets"
GROUPS = (
    AGENTS,
    BENCHMARKS,
    DIALECTS,
    FORMATS,
    EXPORTERS,
    SCORERS,
    BUNDLES,
    DATA,
    TABLES,
    TAXONOMIES,
    PRESETS,
)

DISTRIBUTION = "webbench-tui"
"""What our own entry points come with."""

Loader = Callable[[], Any]
"""Imports the plug-in and gives what its entry point names. Raises `PluginBroken`."""


class PluginBroken(WebbenchError):
    """An installed plug-in can't be imported or made (exit code 3); `reason` is why, without its name."""

    exit_code = 3

    def __init__(self, message: str, hint: str = "", reason: str = "") -> None:
        super().__init__(message, hint)
        self.reason = reason or message


def claims(group: str) -> list[EntryPoint]:
    """All entry points of a group by name; of those with one name the one that is used comes first.

    The product's own wins over any other, else the first by the module it names.
    """
    return sorted(entry_points(group=group), key=lambda point: (point.name, not built_in(point), point.value))


def built_in(point: EntryPoint) -> bool:
    """Whether the product itself brings it."""
    return point.dist is not None and point.dist.name.lower().replace("_", "-") == DISTRIBUTION


@cache
def _installed(group: str) -> Mapping[str, EntryPoint]:
    found: dict[str, EntryPoint] = {}
    for point in claims(group):
        found.setdefault(point.name, point)
    return found


def load(group: str) -> dict[str, Loader]:
    """Loaders of a group by name, in alphabetical order. Imports nothing."""
    return {name: _loader(point) for name, point in _installed(group).items()}


def broken(group: str) -> dict[str, str]:
    """What is wrong with the plug-ins of a group that can't be imported; imports all of them."""
    problems: dict[str, str] = {}
    for name, loader in load(group).items():
        try:
            loader()
        except PluginBroken as error:
            problems[name] = str(error)
    return problems


def benchmark(name: str, data: Path | None = None) -> Benchmark:
    """The benchmark of this name over the given data folder.

    Raises:
        UsageError: no such benchmark; names the nearest ones.
        PluginBroken: it is installed but can't be made.
    """
    factory = cast("BenchmarkFactory", _find(BENCHMARKS, "benchmark", name)())
    return _make(BENCHMARKS, name, lambda: factory(data))


def offline_scorer(name: str, data: Path | None = None) -> OfflineScorer:
    """What scores predictions of this benchmark from a file. Raises as `benchmark` does."""
    factory = cast("OfflineScorerFactory", _find(SCORERS, "scorer of predictions", name)())
    return _make(SCORERS, name, lambda: factory(data))


def tables(name: str, data: Path | None = None) -> dict[str, Callable[[], Any]]:
    """What else was published about a benchmark: functions that load a pandas table, by its name.

    Nothing is read before one is called. Raises as `benchmark` does.
    """
    factory = _find(TABLES, "benchmark with tables", name)()
    return _make(TABLES, name, lambda: dict(factory(data)))


def formats() -> list[Format]:
    """Every trajectory format that can be read, in alphabetical order; one that is broken is left out.

    `broken(FORMATS)` tells of those.
    """
    found: list[Format] = []
    for name in load(FORMATS):
        try:
            found.append(trajectory_format(name))
        except PluginBroken:
            continue
    return found


def trajectory_format(name: str) -> Format:
    """What reads trajectories in the format of this name. Raises as `benchmark` does."""
    factory = cast("FormatFactory", _find(FORMATS, "format", name)())
    return _make(FORMATS, name, factory)


def exporter(name: str) -> Exporter:
    """What writes episodes in the format of this name. Raises as `benchmark` does."""
    factory = cast("ExporterFactory", _find(EXPORTERS, "export format", name)())
    return _make(EXPORTERS, name, factory)


def exporters() -> list[Exporter]:
    """Every format that episodes can be written in, in alphabetical order; one that is broken is left out.

    `broken(EXPORTERS)` tells of those.
    """
    found: list[Exporter] = []
    for name in load(EXPORTERS):
        try:
            found.append(exporter(name))
        except PluginBroken:
            continue
    return found


def bundles(benchmark: str) -> list[Bundle]:
    """The data sets that ship for this benchmark, in alphabetical order; one that is broken is left out.

    `broken(BUNDLES)` tells of those.
    """
    found: list[Bundle] = []
    for loader in load(BUNDLES).values():
        try:
            named = loader()
            bundle = cast("Bundle", named() if callable(named) else named)
        except Exception:  # noqa: S112 - foreign code at import; `broken` reports it
            continue
        if bundle.benchmark == benchmark:
            found.append(bundle)
    return found


def data_families() -> list[DataFamily]:
    """What knows the data sets of each benchmark, in alphabetical order. Raises `PluginBroken`."""
    return [cast("DataFamily", loader()) for loader in load(DATA).values()]


def agent(spec: str, request: AgentRequest) -> Agent:
    """The agent of a spec "name option ...", quoted as in a shell; `request.options` come after.

    The name is that of an agent, or of a preset, whose options come before all others.

    Raises:
        UsageError: empty or unbalanced spec, no such agent, or options the agent refuses.
        BadData: the preset can't be used.
        PluginBroken: it is installed but can't be made.
    """
    called, *options = _words(spec) or [""]
    name, *preset = _base_agent(called)
    factory = cast("AgentFactory", _find(AGENTS, "agent", name)())
    asked = msgspec.structs.replace(request, options=(*preset, *options, *request.options), called=called)
    return _make(AGENTS, name, lambda: factory(asked))


def _base_agent(name: str) -> list[str]:
    """The agent of this name, or of the preset of this name with the preset's words."""
    from webbench.core.agents.presets import load_presets

    return [name] if name in load(AGENTS) else load_presets().words_of(name)


def _words(spec: str) -> list[str]:
    try:
        return shlex.split(spec)
    except ValueError as error:
        raise UsageError(
            f'The agent "{plain_clip(spec, 60)}" can\'t be read: {str(error).lower()}',
            'write: name option ..., for example "random steps=20"',
        ) from error


def dialect(name: str) -> Dialect:
    """The action language of this name. Raises as `benchmark` does."""
    return _dialect(name)


@cache
def _dialect(name: str) -> Dialect:
    factory = cast("Callable[[], Dialect]", _find(DIALECTS, "dialect", name)())
    return _make(DIALECTS, name, factory)


def _find(group: str, kind: str, name: str) -> Loader:
    loaders = load(group)
    if name in loaders:
        return loaders[name]
    near = nearest_names(name, loaders)
    known = ", ".join(loaders) or "none is installed"
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    raise UsageError(f'There is no {kind} named "{plain_clip(name, 60)}"', f"{hint}known: {known}")


def _loader(point: EntryPoint) -> Loader:
    def load_point() -> object:
        try:
            return point.load()
        except (Exception, SystemExit) as error:
            raise _trouble(point.group, point.name, error) from error

    return load_point


def _make(group: str, name: str, make: Callable[[], Made]) -> Made:
    try:
        return make()
    except WebbenchError:
        raise
    except (Exception, SystemExit) as error:
        raise _trouble(group, name, error) from error


def _trouble(group: str, name: str, error: BaseException) -> PluginBroken:
    point = _installed(group)[name]
    source = f"{point.dist.name} {point.dist.version}" if point.dist else point.value
    reason = plain_clip(f"{type(error).__name__}: {error}", 300)
    return PluginBroken(
        f'The plug-in "{name}" of {group} ({source}) failed: {reason}',
        f"reinstall or remove {point.dist.name if point.dist else point.module}",
        reason,
    )
