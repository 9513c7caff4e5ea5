"""Words for an answer of the text index: where a hit is, what it rests on, and what can't be found."""

from __future__ import annotations

from webbench.core.analysis.find.find import Hit
from webbench.core.analysis.find.indexed_texts import MOST_CHARACTERS
from webbench.core.analysis.find.text_index import IndexState
from webbench.core.text.plural import counted

TOLD = 3
"""Episodes that could not be read, and are named."""


def index_words(state: IndexState) -> list[str]:
    """A sentence for each thing that a person should know of an answer."""
    told = []
    if state.rebuilt:
        told.append(f"The index of texts was made anew: {state.rebuilt}")
    if not state.kept:
        told.append(
            "The index of texts can't be kept, as the store can't be written: it was made for this time"
        )
    if state.waiting:
        told.append(
            f"{counted(state.waiting, 'new or changed episode')} not looked through: another process is at it"
        )
    if state.cut:
        told.append(
            f"Of {counted(state.cut, 'text')} only the first {MOST_CHARACTERS:,} characters can be found"
        )
    if state.unread_pages:
        steps = counted(state.unread_pages, "step")
        told.append(f"{steps} without an accessibility tree: HTML and pictures are not looked through")
    if state.unread_labels:
        told.append(f"Labels that could not be read can't be found: {state.unread_labels}")
    if state.problems:
        named = "; ".join(f"{name}: {why}" for name, why in list(state.problems.items())[:TOLD])
        more = f"; and {len(state.problems) - TOLD:,} more" if len(state.problems) > TOLD else ""
        told.append(f"Not all could be read of {counted(len(state.problems), 'episode')}: {named}{more}")
    return told


def step_words(hit: Hit) -> str:
    """`step 3`, of a page that stays `step 3-5`, of the episode as a whole nothing."""
    if hit.step is None:
        return ""
    return f"step {hit.step}" if hit.until in (None, hit.step) else f"step {hit.step}-{hit.until}"
