"""The alignment with one constant a fifth less or more, or with one rule off: what each of them buys."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any
from unittest.mock import patch

import msgspec

from webbench.core.analysis.compare.compared_step import Moment
from webbench.core.analysis.compare.constants import CONSTANTS
from webbench.core.analysis.compare.similarity import Side
from webbench.core.analysis.compare.stems import words_of

ROOM = "webbench.core.analysis.compare"
UNMOVED = {"strictness"}
"""It moves how sure a parting is, never the parting."""


def variants() -> Iterator[tuple[str, AbstractContextManager[None]]]:
    """As it is, then each change with its name; one holds while its context does."""
    yield "as it is", nullcontext()
    for name, value in msgspec.structs.asdict(CONSTANTS).items():
        if name not in UNMOVED:
            less, more = (value - 1, value + 1) if 0 < value < 10 and value == int(value) else _fifth(value)
            yield f"`{name}` {value} → {less}", _constant(name, less)
            yield f"`{name}` {value} → {more}", _constant(name, more)
    for words, target, off in RULES:
        yield f"without: {words}", _rule(target, off)


def _fifth(value: float) -> tuple[float, float]:
    less, more = value * 0.8, value * 1.2
    if isinstance(value, int):
        return round(less), round(more)
    return round(less, 3), round(min(more, 1.0), 3)


@contextmanager
def _constant(name: str, value: float) -> Iterator[None]:
    before = getattr(CONSTANTS, name)
    msgspec.structs.force_setattr(CONSTANTS, name, value)
    try:
        yield
    finally:
        msgspec.structs.force_setattr(CONSTANTS, name, before)


@contextmanager
def _rule(target: str, off: object) -> Iterator[None]:
    words_of.cache_clear()
    try:
        with patch(f"{ROOM}.{target}", off):
            yield
    finally:
        words_of.cache_clear()


def _never(*_: object) -> bool:
    return False


def _nobody(*_: object) -> set[int]:
    return set()


def _nowhere(left: Side, right: Side, *_: object) -> Any:
    import numpy as np

    return np.zeros((len(left), len(right)), dtype=bool)


def _as_it_is(rows: Sequence[Any], _: object) -> list[Any]:
    return list(rows)


def _taken_back(rows: Sequence[Any], _: object) -> tuple[list[Any], bool]:
    return list(rows), False


def _all(rows: Sequence[Any], walks: Sequence[Any]) -> set[int]:
    return set(range(len(walks)))


def _unnamed(_: Moment) -> str:
    return ""


def _whole(moment: Moment) -> Iterator[Moment]:
    yield moment


RULES: tuple[tuple[str, str, Callable[..., object]], ...] = (
    ("a sentence tells several acts", "told_acts._from_prose", _whole),
    ("what belongs to the act beside it (click, then type)", "told_acts._parts_marked", tuple),
    ("tries to no effect stand before what counts", "partings._idle_first", _as_it_is),
    ("one step in general words stands for the other's", "partings._in_general_words", lambda *_: None),
    ("lone acts that leave a trace part", "partings._leaves_trace", _never),
    ("who does something else beside an act parts", "partings._others_at_once", _nobody),
    ("the same answer meets whatever the way", "partings._is_one_answer", _never),
    ("a parting begins with the click that gets ready for it", "partings._prepares", _never),
    ("a meeting after a parting needs a sign of it", "partings._checked", _taken_back),
    ("after acts of one alone they stand on the same page", "partings._acting", _all),
    ("from the first page one alone goes to another", "partings._is_elsewhere", _never),
    ("other words in one field leave both on the same page", "partings._fills_one_field", _never),
    ("a key and a click that send are the same act", "partings._sent_alike", _as_it_is),
    ('"the desired result" is what the other clicks on', "partings._stands_for", _never),
    ("who chooses from a list does more than the other", "partings._opens_list", _never),
    ("the left and the right of a page are two places", "similarity._side", _unnamed),
    ('"the title of the issue" is no "Issues"', "similarity._head", _unnamed),
    ("emptying the same field is the same", "similarity._empties", _never),
    ("a name is the same with its owner before it", "similarity._last_name", _unnamed),
    ("typing that finds what is clicked belongs to it", "told_acts._holds", str.__eq__),
    ("what worked for one alone is another effect", "similarity._other_outcome", _nowhere),
    ("what leads elsewhere is another effect", "similarity._leads_elsewhere", _nowhere),
    ("going to one address is the same by any means", "similarity._same_place", _nowhere),
    ("what is searched for isn't free text", "similarity.is_search", _never),
    ("words count by their stems", "stems._stem", str),
)
"""What a rule says, where it stands, and what stands there when it is off."""
