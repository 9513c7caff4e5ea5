"""The keys of a US keyboard, as DevTools key events name them."""

from __future__ import annotations

import string

import msgspec


class Key(msgspec.Struct, frozen=True):
    """What one key gives.

    Attributes:
        key, code: as in a page's KeyboardEvent.
        number: its Windows virtual key code.
        text: what it types, "" for nothing.
        shifted: key and text with Shift held, "" for the same.
        location: 1 = the left one of two.
    """

    key: str
    code: str
    number: int
    text: str = ""
    shifted: str = ""
    location: int = 0


_SIGNS = (
    ("`", "~", "Backquote", 192),
    ("-", "_", "Minus", 189),
    ("=", "+", "Equal", 187),
    ("[", "{", "BracketLeft", 219),
    ("]", "}", "BracketRight", 221),
    ("\\", "|", "Backslash", 220),
    (";", ":", "Semicolon", 186),
    ("'", '"', "Quote", 222),
    (",", "<", "Comma", 188),
    (".", ">", "Period", 190),
    ("/", "?", "Slash", 191),
)
_ABOVE_DIGITS = ")!@#$%^&*("
_NAMED = {
    "Backspace": 8,
    "Tab": 9,
    "Pause": 19,
    "CapsLock": 20,
    "Escape": 27,
    "PageUp": 33,
    "PageDown": 34,
    "End": 35,
    "Home": 36,
    "ArrowLeft": 37,
    "ArrowUp": 38,
    "ArrowRight": 39,
    "ArrowDown": 40,
    "PrintScreen": 44,
    "Insert": 45,
    "Delete": 46,
    "ContextMenu": 93,
    "NumLock": 144,
    "ScrollLock": 145,
    **{f"F{number}": 111 + number for number in range(1, 25)},
}
MODIFIERS = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}
"""The bit of each in an input event's `modifiers`."""

_MODIFIER_NUMBERS = {"Alt": 18, "Control": 17, "Meta": 91, "Shift": 16}


def _layout() -> dict[str, Key]:
    keys = {name: Key(name, name, number) for name, number in _NAMED.items()}
    keys |= {name: Key(name, f"{name}Left", number, location=1) for name, number in _MODIFIER_NUMBERS.items()}
    keys |= {name: Key("Enter", "Enter", 13, "\r") for name in ("Enter", "\n", "\r")}
    keys |= {name: Key(" ", "Space", 32, " ") for name in ("Space", " ")}
    plain = [(letter, letter.upper(), f"Key{letter.upper()}", ord(letter.upper())) for letter in _LETTERS]
    plain += [(digit, _ABOVE_DIGITS[int(digit)], f"Digit{digit}", ord(digit)) for digit in string.digits]
    for low, high, code, number in (*plain, *_SIGNS):
        keys[low] = keys[code] = Key(low, code, number, low, high)
        keys[high] = Key(high, code, number, high)
    return keys


_LETTERS = string.ascii_lowercase
LAYOUT = _layout()
"""Keys by name ("Enter", "ArrowDown"), by code ("KeyA") and by what they type ("a", "A", "?")."""
