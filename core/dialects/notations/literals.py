"""Python literals as they stand in calls, read without evaluating anything.

Strings (single, double and triple quotes, prefixes r, u and b, escapes, adjacent ones joined), numbers,
True, False, None, and flat lists or tuples of them. Where a model forgets, we don't mind: a line break
inside a plain string, JSON's `true`, `false` and `null`.
"""

from __future__ import annotations

import re
import unicodedata

from webbench.core.dialects.forms import Unfit, Value

_SPACE = re.compile(r"\s*")
_STRING_START = re.compile(r"([rRuUbBfF]{0,2})('''|\"\"\"|'|\")")
_NUMBER = re.compile(r"[+-]?(?:[0-9][0-9_]*(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?![\w.])")
_NAME = re.compile(r"[^\W\d]\w*")
_PLAIN = {quote: re.compile(rf"[^\\{quote}]+") for quote in "'\""}
_ESCAPES = {
    "\n": "",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
}
_CODED = {"x": 2, "u": 4, "U": 8}
_OCTAL = re.compile(r"[0-7]{1,3}")
_HEX = re.compile(r"[0-9a-fA-F]+")
_NAMED = re.compile(r"\{([^{}]{1,100})\}")
_CONSTANTS: dict[str, bool | None] = {
    "True": True,
    "true": True,
    "False": False,
    "false": False,
    "None": None,
    "null": None,
}
_MOST_DIGITS = 400
_CLOSERS = {"[": "]", "(": ")"}


class Unclosed(Unfit):
    """The text ends inside a string; `opened` is where the string starts."""

    def __init__(self, position: int, opened: int, partial: str) -> None:
        super().__init__(position, "the string is not closed")
        self.opened = opened
        self.partial = partial


def skip_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def read_literal(text: str, position: int) -> tuple[Value, int]:
    """The literal at `position` and the offset behind it. Raises `Unfit`."""
    if position < len(text) and text[position] in _CLOSERS:
        return _read_list(text, position)
    return _read_scalar(text, position)


def _read_list(text: str, position: int) -> tuple[Value, int]:
    closer = _CLOSERS[text[position]]
    values: list[Value] = []
    position = skip_space(text, position + 1)
    while not text.startswith(closer, position):
        if position < len(text) and text[position] in _CLOSERS:
            raise Unfit(position, "a list inside a list means nothing here")
        value, position = _read_scalar(text, position)
        values.append(value)
        position = skip_space(text, position)
        if text.startswith(",", position):
            position = skip_space(text, position + 1)
        elif not text.startswith(closer, position):
            raise Unfit(position, f'"," or "{closer}" is missing')
    return values, position + 1


def _read_scalar(text: str, position: int) -> tuple[Value, int]:
    match = _STRING_START.match(text, position)
    if match:
        return _read_strings(text, match)
    match = _NUMBER.match(text, position)
    if match:
        return _read_number(match), match.end()
    match = _NAME.match(text, position)
    if match and match[0] in _CONSTANTS:
        return _CONSTANTS[match[0]], match.end()
    if match:
        raise Unfit(position, f'"{match[0][:40]}" is not in quotes')
    missing = position >= len(text) or text[position] in ",)]"
    raise Unfit(position, "a value is missing" if missing else "this is no text, number or list")


def _read_number(match: re.Match[str]) -> int | float:
    digits = match[0].replace("_", "")
    if len(digits) > _MOST_DIGITS:
        raise Unfit(match.start(), "the number is too long")
    try:
        return int(digits)
    except ValueError:
        return float(digits)


def _read_strings(text: str, match: re.Match[str] | None) -> tuple[str, int]:
    """A string and those right behind it, joined as Python does."""
    parts: list[str] = []
    position = 0
    while match:
        part, position = _read_string(text, match)
        parts.append(part)
        match = _STRING_START.match(text, skip_space(text, position))
    return "".join(parts), position


def _read_string(text: str, opening: re.Match[str]) -> tuple[str, int]:
    prefix, quotes = opening.groups()
    if "f" in prefix.lower():
        raise Unfit(opening.start(), "an f-string would have to be evaluated; write a plain string")
    raw = "r" in prefix.lower()
    parts: list[str] = []
    plain = _PLAIN[quotes[0]]
    position = opening.end()
    while position < len(text):
        run = plain.match(text, position)
        if run:
            parts.append(run[0])
            position = run.end()
        elif text.startswith(quotes, position):
            return "".join(parts), position + len(quotes)
        elif text[position] != "\\":
            parts.append(text[position])
            position += 1
        elif raw:
            parts.append(text[position : position + 2])
            position += 2
        else:
            part, position = _read_escape(text, position)
            parts.append(part)
    raise Unclosed(len(text), opening.start(), "".join(parts))


def _read_escape(text: str, position: int) -> tuple[str, int]:
    """The character that the escape at `position` stands for; an unknown escape stands for itself."""
    letter = text[position + 1 : position + 2]
    if letter in _ESCAPES:
        return _ESCAPES[letter], position + 2
    octal = _OCTAL.match(text, position + 1)
    if octal:
        return chr(int(octal[0], 8)), octal.end()
    if letter in _CODED:
        return _read_code(text, position, _CODED[letter])
    named = _NAMED.match(text, position + 2) if letter == "N" else None
    if named:
        try:
            return unicodedata.lookup(named[1]), named.end()
        except KeyError:
            raise Unfit(position, "there is no character of this name") from None
    return "\\" + letter, position + 2


def _read_code(text: str, position: int, digits: int) -> tuple[str, int]:
    end = position + 2 + digits
    code = text[position + 2 : end]
    if len(code) != digits or not _HEX.fullmatch(code) or int(code, 16) > 0x10FFFF:
        raise Unfit(position, f"\\{text[position + 1]} wants {digits} hexadecimal digits of a character")
    return chr(int(code, 16)), end


def write_literal(value: Value, quote: str) -> str:
    """Python's form of a value, with the given quotes; control characters and surrogates escaped."""
    if isinstance(value, list):
        return f"[{', '.join(write_literal(item, quote) for item in value)}]"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if not isinstance(value, str):
        return repr(value)
    return f"{quote}{''.join(_written(character, quote) for character in value)}{quote}"


def _written(character: str, quote: str) -> str:
    if character == quote or character == "\\":
        return "\\" + character
    if character.isprintable():
        return character
    return ascii(character)[1:-1]
