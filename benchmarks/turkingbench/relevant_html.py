"""The "relevant HTML" of a field (paper, appendix C): the part of the page that its question stands in."""

from __future__ import annotations

import functools
from pathlib import Path

from webbench.benchmarks.turkingbench.fields import Probing

MOST_CHARACTERS = 6000


@functools.cache
def _script() -> str:
    return (Path(__file__).parent / "relevant_html.js").read_text("utf-8")


async def relevant_html(environment: Probing, field: str, limit: int = MOST_CHARACTERS) -> str:
    """The HTML around a field, at most `limit` characters; "" where the page has no such field.

    It is the largest element around all controls of this name that holds no control of another name
    (or, where that says nothing in words, the next one out that does), without scripts, styles and
    comments, with blanks squeezed; cut off with "…" where even the field alone is too long.
    """
    found = await environment.probe(_script(), {"name": field, "limit": limit})
    return found if isinstance(found, str) else ""
