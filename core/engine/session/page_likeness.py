"""Whether a page is the one that was recorded: what a fork looks at after every step it repeats."""

from __future__ import annotations

from webbench.core.analysis.compare.compared_step import page_moment, url_pattern
from webbench.core.analysis.compare.similarity import page_similarity
from webbench.core.engine.wire.fork_report import Likeness, PageLikeness
from webbench.core.observation import Observation
from webbench.core.store.secrets.redaction import MARKER
from webbench.core.text.plural import counted

SAME, OTHER = 0.9, 0.5
"""From `SAME` on a page counts as the recorded one, below `OTHER` as another; between them nobody is sure."""
MOST_NAMED = 3


def page_likeness(recorded: Observation | None, url: str, title: str, live: Observation) -> PageLikeness:
    """Compare a live page with what was recorded of it.

    Args:
        recorded: the recorded observation, None where there is none.
        url, title: as the record has them.
    """
    if live.condition not in ("ok", recorded.condition if recorded is not None else "ok"):
        return PageLikeness(state="other", value=0.0, why=live.problem or f"the page is {live.condition}")
    dialog = _dialog(recorded, live)
    if dialog:
        return PageLikeness(state="other", value=0.0, why=dialog)
    left = page_moment(url, title, recorded)
    value = page_similarity(left, page_moment(live.url, live.title, live))
    if value is None:
        return PageLikeness(state="unsure", why="nothing of the page was recorded to compare it with")
    if value < SAME:
        state: Likeness = "other" if value < OTHER else "unsure"
        return PageLikeness(state=state, value=value, why=_difference(url, title, live, value))
    fields = _fields(recorded, live)
    return PageLikeness(state="unsure" if fields else "same", value=value, why=fields)


def _dialog(recorded: Observation | None, live: Observation) -> str:
    """What is wrong about the open dialog, "" where it is as recorded."""
    then = recorded.dialog if recorded is not None else live.dialog
    if (then is None) == (live.dialog is None):
        return ""
    if live.dialog is not None:
        return f'a dialog is open that was not there: "{live.dialog.message[:80]}"'
    return f'the dialog "{then.message[:80] if then else ""}" did not open'


def _difference(url: str, title: str, live: Observation, value: float) -> str:
    parts = [f"the page is {value:.0%} like the recorded one"]
    if url and url_pattern(url) != url_pattern(live.url):
        parts.append(f"its address is {live.url}, it was {url}")
    if title and title != live.title:
        parts.append(f'its title is "{live.title}", it was "{title}"')
    return "; ".join(parts)


def _fields(recorded: Observation | None, live: Observation) -> str:
    """Fields that hold something else than they did, in words."""
    then, now = _held(recorded) if recorded is not None else {}, _held(live)
    differing = [key for key, value in then.items() if key in now and now[key] != value]
    if not differing:
        return ""
    named = [
        f'{role} "{name}" holds "{now[role, name]}", it was "{then[role, name]}"'
        for role, name in differing[:MOST_NAMED]
    ]
    more = len(differing) - MOST_NAMED
    return "; ".join(named) + (f"; and {counted(more, 'field')} more" if more > 0 else "")


def _held(page: Observation) -> dict[tuple[str, str], str]:
    """What fields hold, by role and name; nothing of several of one name, nor of what was redacted."""
    held: dict[tuple[str, str], str] = {}
    twice = set()
    for node in page.nodes:
        key = (node.role, node.name)
        told = node.value if node.value is not None else node.states.get("checked")
        if not node.interactive or told is None:
            continue
        if key in held:
            twice.add(key)
        held[key] = str(told)
    return {key: told for key, told in held.items() if key not in twice and MARKER not in told}
