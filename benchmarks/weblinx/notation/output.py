"""Reading an action out of what a model wrote: the first `intent(key=value, ...)` of the text.

Text is split, never evaluated. The first opening bracket counts, whatever stands before it; the intent is the
word that ends right at the bracket. Double quotes protect commas and brackets, and nothing escapes a quote.
"""

from __future__ import annotations

from functools import lru_cache

from webbench.benchmarks.weblinx.turns.intents import ACTION, UNKNOWN, intent_of
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject

_SHOWN = 60


def parse_output(raw: str, *, quoted_text: bool = False) -> tuple[str, JsonObject]:
    """Intent and arguments of a raw model output; `UNKNOWN` and {} where there is no call in it.

    Args:
        quoted_text: what stands in quotes stays text. The published reader makes a number of it.

    Raises `BadData` for what is no text, for digits that make no integer ("²"), and for an
    `action(intent=...)` that is a number.
    """
    intent, pairs = _parsed(as_text(raw, "the model's output"), quoted_text)
    return intent, dict(pairs)


def format_value(text: str, *, quoted_text: bool = False) -> Json:
    """The value of one argument: without blanks and one pair of double quotes around it, numbers as such.

    A dot makes a float of what Python reads as one, digits alone make an integer ("007" is 7).
    Raises `BadData` for what is no text and for digits that make no integer.
    """
    text = as_text(text, "the value of an argument").strip()
    if text.startswith('"') and text.endswith('"'):
        text = text[1:-1]
        if quoted_text:
            return text
    if "." in text:
        try:
            return float(text)
        except ValueError:
            return text
    if not text.removeprefix("-").isdigit():
        return text
    try:
        return int(text)
    except ValueError as error:
        raise BadData(f"the argument value {text[:_SHOWN]!r} can't be read as a number: {error}") from error


def split_by_comma(text: str, *, quotes: bool = True) -> list[str]:
    """The parts between commas; with `quotes`, a comma between double quotes doesn't split.

    Raises `BadData` for what is no text.
    """
    parts = as_text(text, "what is split at commas").split(",")
    if not quotes or '"' not in text:
        return parts
    joined: list[str] = []
    open_part: list[str] = []
    inside = False
    for part in parts:
        open_part.append(part)
        inside ^= part.count('"') % 2 == 1
        if not inside:
            joined.append(",".join(open_part))
            open_part = []
    if open_part:
        joined.append(",".join(open_part))
    return joined


def sanitised(args: JsonObject) -> JsonObject:
    """Arguments with coordinates as floats.

    x and y become None where they are no numbers, and both where only one was given, unless the other hides
    in its text ("10 y=20"). Corners ("top", "left", "right", "bottom") become floats each by itself.
    Raises `BadData` for a coordinate that is neither number nor text, and for arguments that are no object.
    """
    if not isinstance(args, dict):
        raise BadData(f"the arguments of an action are an object, these are {repr(args)[:_SHOWN]}")
    clean = dict(args)
    if "x" in clean and "y" in clean:
        clean |= {"x": _float(clean["x"]), "y": _float(clean["y"])}
    elif "x" in clean or "y" in clean:
        given, other = ("x", "y") if "x" in clean else ("y", "x")
        clean |= _both(clean[given], given, other)
    for name in clean.keys() & {"top", "left", "right", "bottom"}:
        clean[name] = _float(clean[name])
    return clean


@lru_cache(maxsize=1024)
def _parsed(raw: str, quoted_text: bool) -> tuple[str, tuple[tuple[str, Json], ...]]:
    """Intent and arguments. Kept, for an output is read to find its element and again to be scored."""
    name, pairs = _parts(raw)
    args = tuple((key, format_value(value, quoted_text=quoted_text)) for key, value in pairs)
    intent = intent_of(name)
    if intent == ACTION:
        intent = intent_of(dict(args).get("intent", UNKNOWN))
    return intent, args


@lru_cache(maxsize=256)
def _parts(raw: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The name of the call, and its arguments as they are written; the rule sets differ only in values."""
    name, inside = _call(raw)
    parts = (part.strip().partition("=") for part in split_by_comma(inside) if "=" in part)
    return name, tuple((key.strip(), value) for key, _, value in parts)


def _call(raw: str) -> tuple[str, str]:
    """The word before the first bracket, and the text up to the bracket that closes it or to the end."""
    opening = raw.find("(")
    if opening < 0:
        return "", ""
    start = opening
    while start and (raw[start - 1].isalnum() or raw[start - 1] == "_"):
        start -= 1
    return raw[start:opening], raw[opening + 1 : _closing(raw, opening)]


def _closing(raw: str, opening: int) -> int:
    """Where the first closing bracket outside quotes stands, else the length of the text."""
    at, quoted = opening, False
    while True:
        bracket = raw.find(")", at)
        if bracket < 0:
            return len(raw)
        quoted ^= raw.count('"', at, bracket) % 2 == 1
        if not quoted:
            return bracket
        at = bracket + 1


def as_text(value: Json, what: str) -> str:
    """The text, or `BadData` that names `what` is none."""
    if isinstance(value, str):
        return value
    raise BadData(f"{what} has to be text, this is {repr(value)[:_SHOWN]}")


def _both(value: Json, given: str, other: str) -> JsonObject:
    if not isinstance(value, str) or f"{other}=" not in value:
        return {given: None, other: None}
    first, _, second = value.partition(f"{other}=")
    return {given: _float(first), other: _float(second)}


def _float(value: Json) -> float | None:
    if value is None:
        return None
    try:
        return float(value)
    except ValueError:
        return None
    except (TypeError, OverflowError) as error:
        raise BadData(f"the coordinate {str(value)[:_SHOWN]} is no number: {error}") from error
