"""The calculator's page: a line of arithmetic and its result."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites.homepage.arithmetic import FUNCTIONS, LONGEST, Unreadable, calculated
from webbench.benchmarks.sample_sites.web import Visit, page


def calculator(visit: Visit) -> Response:
    line = visit.query("expression")[: LONGEST + 1]
    result, problem = "", ""
    if line:
        try:
            result = calculated(line)
        except Unreadable as error:
            problem = str(error)
    return visit.render(
        "calculator.html", line=line, result=result, problem=problem, functions=tuple(FUNCTIONS)
    )


def routes() -> Sequence[BaseRoute]:
    return [page("homepage", "/calculator.html", calculator)]
