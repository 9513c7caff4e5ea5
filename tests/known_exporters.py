"""Every export format that is installed."""

from __future__ import annotations

from webbench.core.exchange.export_format import Exporter, find_exporter
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import EXPORTERS


def known_exporters() -> list[Exporter]:
    """In alphabetical order; a plug-in that is broken fails here."""
    return [find_exporter(name) for name in entry_points.load(EXPORTERS)]
