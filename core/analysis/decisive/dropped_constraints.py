"""Dropped constraints: searches that leave out what the task asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import parse_qsl, urlsplit

from webbench.core.analysis.decisive.signal import Signal, signal
from webbench.core.analysis.decisive.turn import Turn
from webbench.core.text.plain_text import plain_clip

SHOWN = 3

_SEARCHED = re.compile(
    r"typed ['\"“](.+?)['\"”] into|search(?:_web)?\(\s*f?[\"'](.+?)[\"']|search(?:ed)? for [\"'“](.+?)[\"'”]",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"https?://\S+")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NAME = re.compile(r"(?<!^)(?<![.?!] )\b[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*")
_LIMIT = re.compile(
    r"\b(?:(?:less|more|fewer|older|newer|cheaper) than|at (?:least|most)|under|over|within|between|before"
    r"|after|not including|without|except|only|until|since|up to)\b"
    r"(?: (?!(?:is|are|was|were|and|or|on|of|in|at|to|that|which|from|for|the|with)\b)[\w$.,'-]+){1,3}",
    re.IGNORECASE,
)
_MOST = re.compile(
    r"\b(?:cheapest|closest|nearest|smallest|largest|biggest|lowest|highest|best|newest|oldest|latest|earliest"
    r"|most [a-z]+|least [a-z]+|top [a-z]+|longest|shortest)\b",
    re.IGNORECASE,
)
_SEARCH_KEYS = frozenset({"q", "query", "s", "search", "keyword", "keywords", "k", "text"})


def dropped(turns: Sequence[Turn], intent: str) -> Iterator[Signal]:
    """Each search that lacks most of the task's limits and names; the first of them is told apart."""
    wanted = constraints(intent)
    if not wanted:
        return
    is_first = True
    for turn in turns:
        searches = queries(turn) if turn.part == "work" else []
        asked = " ".join(searches).casefold()
        missing = [one for one in wanted if not _is_in(one, asked)]
        if searches and 2 * len(missing) > len(wanted):
            told = ", ".join(f"“{plain_clip(one, 40)}”" for one in missing[:SHOWN])
            quote = plain_clip(searches[0], 200)
            yield signal("first-drop" if is_first else "drop", turn.step, told, quote)
            is_first = False


def constraints(intent: str) -> list[str]:
    """Limits, superlatives, names and numbers that a task is bound by, each once, in order."""
    found: dict[str, int] = {}
    for pattern in (_LIMIT, _MOST, _NAME):
        for match in pattern.finditer(intent):
            if not any(match[0] in known or known in match[0] for known in found):
                found[match[0]] = match.start()
    return sorted(found, key=found.__getitem__)


def queries(turn: Turn) -> list[str]:
    """What was searched for: typed texts, calls of a search, parameters of addresses."""
    found = [one for one in turn.searched if not _ADDRESS.match(one)]
    found += [next(filter(None, groups)) for groups in _SEARCHED.findall(turn.text)]
    for address in _ADDRESS.findall(" ".join((turn.text, *turn.searched))):
        try:
            found += [value for key, value in parse_qsl(urlsplit(address).query) if key in _SEARCH_KEYS]
        except ValueError:
            continue
    return list(dict.fromkeys(found))


def _is_in(constraint: str, asked: str) -> bool:
    """Its numbers, or where it has none most of its words."""
    numbers = _NUMBER.findall(constraint)
    if numbers:
        return all(number in asked for number in numbers)
    words = [word for word in re.findall(r"[\w'’-]+", constraint.casefold()) if len(word) > 2]
    return sum(word in asked for word in words) * 2 >= len(words) > 0
