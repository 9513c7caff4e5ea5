"""Which rules are asked of the plug-ins of each group, and how one is made that needs nothing for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from webbench.core.agents.presets import read_preset
from webbench.core.benchmark.installed import find_benchmark, published_tables
from webbench.core.conformance import benchmark_contract, dialect_contract
from webbench.core.conformance.rule import Ledger, Rule, require
from webbench.core.dialects.dialect import find_dialect
from webbench.core.exchange.export_format import find_exporter
from webbench.core.exchange.import_format import find_format
from webbench.core.labels.taxonomy import read_taxonomy
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import BENCHMARKS, BUNDLES, DATA, PRESETS, TAXONOMIES
from webbench.core.plugins.toml_files import files_in
from webbench.core.scoring.offline.offline_scorer import find_scorer

if TYPE_CHECKING:
    from webbench.core.conformance.package_check import Ordered


def benchmark(ordered: Ordered, ledger: Ledger) -> None:
    """Its tasks first, then some of them live."""
    asking = ordered.asking
    tasks = benchmark_contract.check(ordered.name, ledger, asking.seed)
    from webbench.core.conformance.staged_play import ask_stages

    asyncio.run(ask_stages(ordered.name, tasks, ledger, asking.seed, asking.tasks))


def dialect(ordered: Ordered, ledger: Ledger) -> None:
    """Its texts, its errors, its completion."""
    dialect_contract.check(ordered.name, ledger, ordered.asking.seed)


def agent(ordered: Ordered, ledger: Ledger) -> None:
    """Its answers to pages of all kinds."""
    from webbench.core.conformance import agent_contract

    asyncio.run(agent_contract.check(ordered.name, ledger, ordered.asking.options))


def trajectory_format(ordered: Ordered, ledger: Ledger) -> None:
    """Its claims, and what it makes of its sample."""
    from webbench.core.conformance import format_contract

    format_contract.check(ordered.name, ledger, ordered.asking.seed)


def shaped(ordered: Ordered, ledger: Ledger) -> None:
    """That it has what its contract names, which is all that is asked of the smaller ones."""
    rule, look = SHAPES[ordered.group]
    ledger.ask(rule, lambda: look(ordered.name))


def _has(thing: object, *names: str) -> str:
    missing = [name for name in names if not hasattr(thing, name)]
    require(not missing, f"{type(thing).__name__} has no {', '.join(missing)}")
    return f"it has {', '.join(names)}"


def _scorer(name: str) -> str:
    scorer = find_scorer(name)
    require(scorer.name == name, f"its name is {scorer.name!r}")
    require(bool(scorer.rule_sets), "rule_sets is empty")
    return _has(scorer, "score")


def _exporter(name: str) -> str:
    exporter = find_exporter(name)
    require(exporter.name == name, f"its name is {exporter.name!r}")
    require(bool(exporter.title.strip()), "title is blank")
    require(exporter.ending == "" or exporter.ending.startswith("."), f"its ending is {exporter.ending!r}")
    return _has(exporter, "several", "lacks", "write")


def _bundle(name: str) -> str:
    named = entry_points.load(BUNDLES)[name]()
    bundle: Any = named() if callable(named) else named
    require(bundle.name == name, f"its name is {bundle.name!r}")
    require(
        bundle.benchmark in entry_points.load(BENCHMARKS), f"no benchmark {bundle.benchmark!r} is installed"
    )
    require(bundle.data.exists(), f"there is nothing at {bundle.data}")
    return _has(bundle, "title", "licence", "open", "reference")


def _family(name: str) -> str:
    family = entry_points.load(DATA)[name]()
    require(family.benchmark == name, f"its benchmark is {family.benchmark!r}")
    sets = [one.name for one in family.known()]
    require(len(sets) == len(set(sets)), f"two data sets have one name: {sets}")
    return f"{_has(family, 'recognise', 'check')}; data sets: {', '.join(sets) or 'none'}"


def _tables(name: str) -> str:
    tables = published_tables(name)
    require(all(callable(one) for one in tables.values()), "a table is no function")
    return f"{len(tables)} tables"


def _taxonomies(name: str) -> str:
    found = [read_taxonomy(data, where) for where, data in files_in(entry_points.load(TAXONOMIES)[name]())]
    require(bool(found), "the package holds no TOML file")
    return ", ".join(one.name for one in found)


def _presets(name: str) -> str:
    files = files_in(entry_points.load(PRESETS)[name]())
    require(bool(files), "the package holds no TOML file")
    return ", ".join(read_preset(data, where).agent for where, data in files)


def _shape(name: str, expected: str, contract: str) -> Rule:
    return Rule(name=name, expected=expected, why="what uses it relies on it", contract=contract)


SHAPES: dict[str, tuple[Rule, Callable[[str], str]]] = {
    "scorers": (
        _shape(
            "scorer-shape",
            "it has the name of its entry point, rule sets, and `score`",
            "core/scoring/offline/offline_scorer.py::OfflineScorer",
        ),
        _scorer,
    ),
    "exporters": (
        _shape(
            "exporter-shape",
            "it has the name of its entry point, a title, an ending with a dot, and `write`",
            "core/exchange/export_format.py::Exporter",
        ),
        _exporter,
    ),
    "bundles": (
        _shape(
            "bundle-shape",
            "it has the name of its entry point, an installed benchmark, data that are there, and `open`",
            "core/benchmark/bundle.py::Bundle",
        ),
        _bundle,
    ),
    "data": (
        _shape(
            "data-shape",
            "its benchmark is the name of its entry point, and no two data sets have one name",
            "core/datasets/data_family.py::DataFamily",
        ),
        _family,
    ),
    "tables": (
        _shape("tables-shape", "it gives functions by name", "core/benchmark/installed.py::published_tables"),
        _tables,
    ),
    "taxonomies": (
        _shape(
            "taxonomy-shape",
            "its package holds TOML files, each a taxonomy that can be read",
            "core/labels/taxonomy.py::read_taxonomy",
        ),
        _taxonomies,
    ),
    "presets": (
        _shape(
            "preset-shape", "its package holds TOML files that can be read", "core/agents/presets.py::Preset"
        ),
        _presets,
    ),
}

RULES: dict[str, Callable[[Ordered, Ledger], None]] = {
    "benchmarks": benchmark,
    "dialects": dialect,
    "agents": agent,
    "formats": trajectory_format,
    **dict.fromkeys(SHAPES, shaped),
}


def made(group: str, name: str) -> object:
    """What the entry point comes to: made where it is a callable that needs nothing, else as it is."""
    makers: dict[str, Callable[[str], object]] = {
        "benchmarks": find_benchmark,
        "dialects": find_dialect,
        "formats": find_format,
        "exporters": find_exporter,
        "scorers": find_scorer,
    }
    if group in makers:
        return makers[group](name)
    loaded: object = entry_points.load(f"webbench.{group}")[name]()
    return loaded
