"""Decoding JSON that strangers wrote: bounded in depth, so that no input can exhaust the stack."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable

import msgspec

from webbench.core.json_types import Json

DEEPEST = 64

LONGEST_WHOLE = 19
"""Digits of a whole number, with its sign, that surely fits into 64 bits."""
LONGEST_NUMBER = 500
"""Characters of a number that are kept as text."""
_SIGN = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[\[\]{},]', re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_BRACKET = re.compile(r"[\[\]{}]")
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


def decode(text: str | bytes, *, writable: bool = False) -> Json:
    """The value of a JSON text.

    Args:
        writable: refuse texts that can't be written again as UTF-8, because they hold half a character.

    Raises `json.JSONDecodeError` with a position, or ValueError for anything else that is wrong: more
    than 64 levels, NaN and the infinities, numbers too large or endless, bytes that are no UTF-8.
    """
    text = text.decode() if isinstance(text, bytes) else text
    try:
        value: Json = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return _slowly(text, writable)
    if not _is_shallow(text):
        _check_depth(text)
    return value


def _slowly(text: str, writable: bool) -> Json:
    """Tells what is wrong and where, and takes halves of surrogate pairs."""
    _check_depth(text)
    value = _loaded(text)
    if writable and _SURROGATE.search(text):
        _check_characters(value)
    return value


def _loaded(text: str) -> Json:
    try:
        return json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except json.JSONDecodeError:
        raise
    except ValueError as error:
        if "digits" not in str(error):
            raise
        raise ValueError("a number has more digits than can be read") from None


def decode_leniently(text: str, tell: Callable[[str], object]) -> Json:
    """As `decode`, but NaN, the infinities and numbers that are too large become texts, which is told.

    Raises as `decode` does for anything else that is wrong.
    """
    _check_depth(text)

    def kept(digits: str) -> str:
        tell(f"the number {digits[:20]}{'…' if len(digits) > 20 else ''}")
        return digits[:LONGEST_NUMBER]

    def whole(digits: str) -> int | str:
        return int(digits) if len(digits) < LONGEST_WHOLE else kept(digits)

    def broken(digits: str) -> float | str:
        return kept(digits) if math.isinf(float(digits)) else float(digits)

    return json.loads(text, parse_constant=kept, parse_float=broken, parse_int=whole)


def salvaged(text: str) -> str:
    """What stands before the cut of a JSON text that ends in the middle, closed so that it can be read.

    "" where nothing whole stands there.
    """
    open_brackets: list[str] = []
    end, closing = 0, ""
    for found in _SIGN.finditer(text):
        sign = found[0]
        if sign in "[{":
            open_brackets.append("]" if sign == "[" else "}")
            if len(open_brackets) > DEEPEST:
                return ""
        elif sign in "]}":
            if not open_brackets or open_brackets.pop() != sign:
                return ""
            end, closing = found.end(), "".join(reversed(open_brackets))
        elif sign == ",":
            end, closing = found.start(), "".join(reversed(open_brackets))
    return text[:end] + closing if end else ""


def _check_characters(value: Json) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("it holds half a character (a lone surrogate)") from None


def _is_shallow(valid: str) -> bool:
    """Whether a text that is JSON is surely not too deep. False for some that are not, too."""
    if valid.count("[") + valid.count("{") <= DEEPEST:
        return True
    outside = "".join(valid.replace("\\\\", "").replace('\\"', "").split('"')[::2])
    brackets = outside.encode(errors="replace").translate(None, _NO_BRACKETS)
    # A round takes off the innermost brackets: one level, or a list and the object around it.
    for _ in range(DEEPEST // 2):
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
        if not brackets:
            return True
    return False


def _check_depth(text: str) -> None:
    if text.count("[") + text.count("{") <= DEEPEST:
        return
    depth = 0
    for bracket in _BRACKET.finditer(_STRING.sub("", text)):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > DEEPEST:
            raise ValueError(f"it is nested deeper than {DEEPEST} levels")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(f"the number {digits[:40]} is too large")
    return number


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")
