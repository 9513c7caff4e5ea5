"""The groups of entry points: what can be plugged in, under which name."""

from __future__ import annotations

BENCHMARKS = "webbench.benchmarks"
AGENTS = "webbench.agents"
DIALECTS = "webbench.dialects"
FORMATS = "webbench.formats"
EXPORTERS = "webbench.exporters"
SCORERS = "webbench.scorers"
TABLES = "webbench.tables"
BUNDLES = "webbench.bundles"
DATA = "webbench.data"
PAPERS = "webbench.papers"
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
    PAPERS,
    TAXONOMIES,
    PRESETS,
)
