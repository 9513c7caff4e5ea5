"""The only gate through which foreign text (page, agent, data file, plug-in) reaches a terminal.

After the gate a text holds no control byte, no escape sequence, no bidi control and nothing invisible,
and its width can be computed by adding up its characters. It may still look like markup: show it with
markup off. Records keep the raw text; only what is displayed passes here.

| in | out |
|---|---|
| C0 control | its picture, U+2400 + code ("␛" for ESC) |
| line break (`\\n`, `\\r\\n`) | "␤", or a real newline on request |
| tab | four spaces |
| DEL, C1, bidi controls, line and paragraph separators, lone surrogates, noncharacters | U+FFFD |
| zero-width characters, tag characters, soft hyphens, Hangul fillers | dropped |
| combining marks, conjoining jamo | at most three in a row; one without a base gets "◌" |
| emoji: joiners, variation selectors, skin tones | dropped: a family becomes its members, two cells each |
| regional indicators, private use (icon fonts), unassigned | kept |

Emoji sequences are taken apart because terminals disagree on their width and a wrong guess tears the
line; the same holds for presentation selectors.
"""

from __future__ import annotations

import unicodedata
from typing import Literal

Newlines = Literal["␤", "keep"]

DEFAULT_LIMIT = 4096
"""Characters of a text that are shown where the caller names no limit."""

_REPLACEMENT = "\ufffd"
_TAB = "    "
_MARKS_IN_A_ROW = 3
_CACHED_CHARACTERS = 20_000
_FIRST_MARK = "\u0300"

_DROPPED = frozenset(
    (
        *(0x00AD, 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x200B, 0x200C, 0x200D, 0x3164, 0xFEFF, 0xFFA0),
        *range(0x180B, 0x1810),
        *range(0x2060, 0x2066),
        *range(0xFE00, 0xFE10),
        *range(0x1BCA0, 0x1BCA4),
        *range(0x1D173, 0x1D17B),
        *range(0x1F3FB, 0x1F400),
    )
)
_TAGS_AND_SELECTORS = range(0xE0000, 0xE1000)
_JAMO_WITHOUT_WIDTH = frozenset((*range(0x1160, 0x1200), *range(0xD7B0, 0xD800)))


def _is_mark(code: int, category: str) -> bool:
    return category[0] == "M" or code in _JAMO_WITHOUT_WIDTH


def _is_noncharacter(code: int) -> bool:
    return code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF or 0xFFF0 <= code <= 0xFFF8


def _replacement(code: int) -> str:
    """What a single character becomes, regardless of its neighbours."""
    if code < 0x20:
        return _TAB if code == 0x09 else chr(0x2400 + code)
    if code in _DROPPED or code in _TAGS_AND_SELECTORS:
        return ""
    category = unicodedata.category(chr(code))
    if category in ("Cc", "Cf", "Cs", "Zl", "Zp") or _is_noncharacter(code):
        return _REPLACEMENT
    return chr(code)


class _Shown(dict[int, str]):
    """Translation table that fills itself; emptied when a hostile page has filled it."""

    def __init__(self, newline: str) -> None:
        super().__init__()
        self._newline = newline

    def __missing__(self, code: int) -> str:
        if len(self) >= _CACHED_CHARACTERS:
            self.clear()
        shown = self[code] = self._newline if code == 0x0A else _replacement(code)
        return shown


class _Cells(dict[str, str]):
    """Cells that a character takes, as a digit: "0" for marks, "1", or "2" for wide ones."""

    def __missing__(self, character: str) -> str:
        if len(self) >= _CACHED_CHARACTERS:
            self.clear()
        if _is_mark(ord(character), unicodedata.category(character)):
            cells = "0"
        else:
            cells = "2" if unicodedata.east_asian_width(character) in "WF" else "1"
        self[character] = cells
        return cells


_tables: dict[Newlines, _Shown] = {"␤": _Shown("␤"), "keep": _Shown("\n")}
_cells = _Cells()


def plain_text(text: str, *, limit: int = DEFAULT_LIMIT, newlines: Newlines = "␤") -> str:
    """Make foreign text harmless for a terminal.

    Args:
        text: anything, of any length; only its first `limit` characters are looked at.
        limit: characters of `text` to show; where it has more, "… (+N characters)" follows.
        newlines: show line breaks as "␤", or keep them as "\\n".
    """
    more = len(text) - limit
    if more > 0:
        return f"{plain_text(text[:limit], limit=limit, newlines=newlines)}… (+{more:,} characters)"
    if text.isascii():
        if text.isprintable():
            return text
    elif max(text) < _FIRST_MARK and text.isprintable():
        return text
    return _with_few_marks(text.replace("\r\n", "\n").translate(_tables[newlines]))


def _with_few_marks(text: str) -> str:
    """Cap runs of combining marks, and give a base to marks at the start of a line."""
    if text.isascii() or max(text) < _FIRST_MARK:
        return text
    cells = "".join(map(_cells.__getitem__, text))
    if cells[0] != "0" and "0" * (_MARKS_IN_A_ROW + 1) not in cells and "\n" not in text:
        return text
    kept: list[str] = []
    run = _MARKS_IN_A_ROW
    at_start = True
    for character, width in zip(text, cells, strict=True):
        if width != "0":
            run = 0
            at_start = character == "\n"
        elif at_start:
            kept.append("◌")
            run, at_start = 1, False
        elif run < _MARKS_IN_A_ROW:
            run += 1
        else:
            continue
        kept.append(character)
    return "".join(kept)


def display_width(text: str) -> int:
    """Terminal cells that a text takes which has passed `plain_text`: 0, 1 or 2 per character."""
    if text.isascii():
        return len(text)
    cells = "".join(map(_cells.__getitem__, text))
    return len(cells) + cells.count("2") - cells.count("0")


def clip(text: str, width: int) -> str:
    """At most `width` cells of a text which has passed `plain_text`, ending in "…" where it was cut."""
    if display_width(text) <= width:
        return text
    if width <= 0:
        return ""
    room = width - 1
    for index, character in enumerate(text):
        room -= int(_cells[character])
        if room < 0:
            return text[:index] + "…"
    return text


def plain_clip(text: str, width: int) -> str:
    """Foreign text on one line of at most `width` cells."""
    room = max(width, 0)
    if text.isascii() and text.isprintable() and len(text) <= room:
        return text
    head = plain_text(text[: 4 * room + 16])
    return clip(head if len(text) <= 4 * room + 16 else head + "…", room)


def without_surrogates(value: object) -> object:
    """A text without lone surrogates, which neither tables nor SQLite take; anything else as it is."""
    if not isinstance(value, str) or value.isascii():
        return value
    return value.encode("utf-8", "replace").decode()
