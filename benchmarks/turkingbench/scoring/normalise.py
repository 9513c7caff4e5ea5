"""The text forms in which answers are compared."""

from __future__ import annotations

import math
import string
from collections.abc import Sequence

from webbench.core.json_types import Json

_WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation)


def canonical_number(value: Json) -> Json:
    """A finite number, or text that reads as one, in its shortest text: "5.0", "05" and 5 are "5".

    Everything else comes back as it is. Whole numbers beyond 2**53 lose digits.
    """
    if not isinstance(value, str | int | float):
        return value
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return value
    if not math.isfinite(number):
        return value
    return str(int(number)) if number.is_integer() else str(number)


def clean_values(values: Sequence[Json]) -> list[Json]:
    """Values as they are read off a page: nothing is the empty text, numbers are canonical."""
    return ["" if value is None else canonical_number(value) for value in values]


def canonical_text(value: Json) -> str:
    """What a label or an answer is compared as: its text, with numbers canonical."""
    return str(canonical_number(str(value)))


def free_text(value: Json) -> str:
    """`canonical_text` for written answers, where an escaped ampersand is an ampersand."""
    return canonical_text(value).replace("&amp;", "&")


def normalised_answer(value: Json) -> str:
    """Canonical, lower-case, without ASCII punctuation, blanks squeezed; idempotent on its own output."""
    return squeezed(canonical_text(value))


def squeezed(text: str) -> str:
    """Lower-case, ASCII punctuation deleted (not replaced), runs of blanks as one."""
    return " ".join(text.lower().translate(_WITHOUT_PUNCTUATION).split())


def sorted_options(value: Json) -> Json:
    """Options of one checkbox answer, joined by "|", in order of their text."""
    return "|".join(sorted(value.split("|"))) if isinstance(value, str) else value
