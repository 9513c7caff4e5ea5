"""The HTML around each field of a page: what a form's agent is shown beside the tree."""

from __future__ import annotations

from webbench.core.browser.elements.elements import Elements
from webbench.core.errors import ActionFailed

MOST_FIELDS = 500
MOST_HTML = 100_000
"""Characters of it in one observation."""

HTML_MILLISECONDS = 2000


async def relevant_html(elements: Elements) -> dict[str, str]:
    """The HTML around each named field of the main frame, bounded; empty where the document went away."""
    try:
        found = await elements.evaluate("relevantHtmlOfFields", MOST_FIELDS, MOST_HTML, HTML_MILLISECONDS)
    except ActionFailed:
        return {}
    return dict(found)
