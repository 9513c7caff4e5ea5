"""Claims that nothing seen supports: numbers, names and files that a turn is the first to speak of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from webbench.core.analysis.decisive.signal import Signal, signal
from webbench.core.analysis.decisive.turn import Turn
from webbench.core.text.plain_text import plain_clip

ENOUGH = 2
"""Facts that are new in one turn before it counts as a claim: one may be a slip of the rule."""
SHOWN = 4

_CODE = re.compile(r"```.*?```", re.DOTALL)
_QUOTED = re.compile(r"[\"'“‘]([^\"'“”‘’\n]{3,80})[\"'”’]")
_NUMBER = re.compile(r"(?<![\w.,])[$€£]?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?![\w])")
_NAME = re.compile(r"\b[A-Z][\w'’&-]*(?: (?:of|the|and|de|in|at|&)? ?[A-Z][\w'’&-]*)+")
_FILE = re.compile(r"[\w-]+\.(?:csv|json|xlsx?|txt|db|html?)\b")
_WORD = re.compile(r"\w+")
_ASIDE = re.compile(r"^\s*#.*$|^\s*\d+[.)]|^/.*$|^.*Warning: .*$", re.MULTILINE)
"""Headings, numbers of a list, and what a program logged between what was said."""
_BOLD_LABEL = re.compile(r"\*\*[^*\n]{1,80}:\*\*|\*\*[^*\n]{1,80}\*\*:")

_MADE_UP = re.compile(
    r"\b(?:mock|synthetic|placeholders?|dummy|hypothetical|simulated?|simulating"
    r"|sample (?:data|dataset|addresses)|fictional|predefined|for (?:demonstration|illustration)"
    r"|let'?s assume|assum(?:e|ing) (?:the|that|we|you)|your_[a-z_]*key"
    r"|manually (?:gather|verify|collect|check|review|provide))",
    re.IGNORECASE,
)
_ACCEPTS = re.compile(
    r"\b(?:everything (?:looks|is|seems)|looks? (?:accurate|correct|good)"
    r"|(?:is|are) (?:accurate|correct|valid)|accurately"
    r"|(?:carefully|thoroughly) (?:reviewed|verified|checked)"
    r"|has been (?:successfully )?(?:verified|resolved|confirmed|validated)"
    r"|verification (?:is )?(?:complete|summary)|matches the criteria|no further)\b",
    re.IGNORECASE,
)


def claims(turns: Sequence[Turn], given: str) -> Iterator[Signal]:
    """Each turn that brings facts nobody saw before; the first of them is told apart.

    Args:
        given: what was to be read at the start: the task, and the first page.
    """
    known = _known(given)
    is_first = True
    for turn in turns:
        if turn.part in ("work", "instruction"):
            new = [fact for fact in facts(turn.claimed) if not _is_known(fact, known)]
            if len(new) >= ENOUGH:
                told = ", ".join(f"“{plain_clip(fact, 40)}”" for fact in new[:SHOWN])
                yield signal("first-unseen-claim" if is_first else "unseen-claim", turn.step, told)
                is_first = False
        known |= _known(turn.text) | _known(turn.seen)


def made_up(turns: Sequence[Turn]) -> Iterator[Signal]:
    """Turns that say themselves that their data are none."""
    for turn in turns:
        found = _MADE_UP.search(turn.text) if turn.part in ("work", "instruction") else None
        if found is not None:
            yield signal("made-up", turn.step, f"“{plain_clip(found[0], 60)}”", plain_clip(found[0], 60))


def accepted(turns: Sequence[Turn]) -> Iterator[Signal]:
    """Turns that call something verified and look at nothing themselves."""
    for turn in turns:
        found = _ACCEPTS.search(turn.text) if turn.part == "work" and not turn.seen else None
        if found is not None:
            yield signal("accepts", turn.step, f"“{plain_clip(found[0], 60)}”", plain_clip(found[0], 60))


def facts(text: str) -> list[str]:
    """Numbers of two digits or more, names of two words or more, and files; of code its strings alone."""
    code = "\n".join(match[1] for block in _CODE.findall(text) for match in _QUOTED.finditer(block))
    prose = _BOLD_LABEL.sub(" ", _ASIDE.sub(" ", _CODE.sub(" ", text)))
    found: dict[str, None] = {}
    for part in (prose, code):
        found.update(dict.fromkeys(match[0] for match in _NAME.finditer(part)))
        found.update(dict.fromkeys(match[0] for match in _FILE.finditer(part)))
    found.update(dict.fromkeys(one for one in _numbers(prose) if len(one) > 1))
    return list(found)


def _numbers(text: str) -> list[str]:
    return [match[1].replace(",", "").lstrip("0") or "0" for match in _NUMBER.finditer(text)]


def _known(text: str) -> set[str]:
    return {*_WORD.findall(text.casefold()), *_numbers(text)}


def _is_known(fact: str, known: set[str]) -> bool:
    """All its words were seen; the first of several may only begin a sentence."""
    if fact in known:
        return True
    words = _WORD.findall(fact.casefold())
    return all(word in known for word in (words[1:] if len(words) > 1 and "." not in fact else words))
