"""What every page of the forum shows around its content, and who is looking at it."""

from __future__ import annotations

import re
from typing import Any

from starlette.responses import Response

from webbench.benchmarks.sample_sites import clock
from webbench.benchmarks.sample_sites.visits import frame
from webbench.benchmarks.sample_sites.web import Visit

_LINK = re.compile(r"https?://[^\s<>()\"']+[^\s<>()\"'.,;:!?]")


def show(visit: Visit, template: str, status: int = 200, **context: Any) -> Response:
    """Render a template inside the forum's frame; a pending notice is shown once."""
    return visit.render(
        template,
        status,
        month=clock.month,
        paragraphs=paragraphs,
        search=context.pop("search", ""),
        **frame(visit),
        **context,
    )


def missing(visit: Visit) -> Response:
    return show(visit, "missing.html", status=404)


def forbidden(visit: Visit, why: str) -> Response:
    return show(visit, "forbidden.html", status=403, why=why)


def paragraphs(text: str) -> list[list[tuple[str, str]]]:
    """What people wrote, as paragraphs of runs: (text, address), the address "" for plain text."""
    blocks = re.split(r"\n\s*\n", text.replace("\r\n", "\n"))
    return [_runs(block) for block in blocks if block.strip()]


def _runs(block: str) -> list[tuple[str, str]]:
    """Texts and addresses of one paragraph."""
    found_runs: list[tuple[str, str]] = []
    end = 0
    for found in _LINK.finditer(block):
        found_runs += [(block[end : found.start()], ""), (found[0], found[0])]
        end = found.end()
    return [run for run in (*found_runs, (block[end:], "")) if run[0]]
