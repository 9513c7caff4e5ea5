"""What went wrong in sight, walked back to the decision that led to it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from webbench.core.analysis.decisive.signal import Signal, signal
from webbench.core.analysis.decisive.turn import Turn
from webbench.core.analysis.findings.suggestion import TITLES, Suggestion
from webbench.core.text.caseless import caseless
from webbench.core.text.plain_text import plain_clip

_PART_SEEN = re.compile(r"viewport shows (\d{1,2})% of the (?:web)?page", re.IGNORECASE)
_SCROLLED = re.compile(r"\bscroll(?:ed|ing)?\b|\bpage (?:down|up)\b", re.IGNORECASE)
_WHO_ACTS = ("work",)


def went_wrong(turns: Sequence[Turn]) -> Iterator[Signal]:
    """Turns whose outcome is an error or nothing; the first of each is told apart."""
    failed = empty = False
    for turn in turns:
        if not turn.is_own:
            continue
        if turn.failed:
            yield signal("failed" if failed else "first-failed", turn.step)
            failed = True
        elif turn.empty:
            yield signal("empty" if empty else "first-empty", turn.step)
            empty = True


def parts_of_pages(turns: Sequence[Turn]) -> Iterator[Signal]:
    """Pages of which a part was seen, where the next act goes elsewhere; and what was concluded from them."""
    acting = [turn for turn in turns if turn.part in _WHO_ACTS]
    after = {one.step: other for one, other in itertools.pairwise(acting)}
    for at, turn in enumerate(turns):
        seen = _PART_SEEN.search(turn.seen) if turn.part in _WHO_ACTS else None
        following = after.get(turn.step)
        if seen is None or (following is not None and _SCROLLED.search(following.text)):
            continue
        yield signal("part-of-page", turn.step, f"{seen[1]} % of it", plain_clip(seen[0], 80))
        if at + 1 < len(turns) and turns[at + 1].part == "plan":
            yield signal("trusts-part", turns[at + 1].step, f"{seen[1]} % of it")


def repeats(turns: Sequence[Turn]) -> Iterator[Signal]:
    """Acts in the same words as an earlier one."""
    done: dict[str, int] = {}
    for turn in turns:
        words = caseless(turn.text)
        if turn.part not in _WHO_ACTS or len(words) < 10:
            continue
        if words in done:
            yield signal("repeats", turn.step, f"as at step {done[words]}", plain_clip(turn.text, 120))
        done.setdefault(words, turn.step)


def walked_back(turns: Sequence[Turn], suggestions: Sequence[Suggestion]) -> Iterator[Signal]:
    """The last decision before each symptom begins; a budget is spent by all steps, not by the last."""
    for one in suggestions:
        if one.kind == "budget-spent":
            continue
        before = [turn.step for turn in turns if turn.is_own and turn.step < one.first]
        if before:
            yield signal("before-symptom", before[-1], f"it {TITLES[one.kind]} at step {one.step}", one.quote)
