"""What stands for our signs and lines on a terminal that shows nothing but ASCII."""

from __future__ import annotations

import unicodedata
from typing import Final


def _of_line(name: str) -> str:
    """For a box drawing character, by its Unicode name."""
    if "DIAGONAL" in name:
        return "X" if "CROSS" in name else "/" if "UPPER RIGHT" in name else "\\"
    level = any(word in name for word in ("HORIZONTAL", "LEFT", "RIGHT"))
    upright = any(word in name for word in ("VERTICAL", "UP", "DOWN"))
    if not upright:
        return "=" if "HEAVY" in name or "DOUBLE" in name else "-"
    return "|" if not level or ("VERTICAL" in name and "HORIZONTAL" not in name) else "+"


_LINES = {chr(code): _of_line(unicodedata.name(chr(code))) for code in range(0x2500, 0x2580)}
_BLOCKS = {
    **dict.fromkeys("▏▎▍▌▋▊▉▐▕", "|"),
    **dict.fromkeys("▖▗▘▙▚▛▜▝▞▟", "+"),
    **dict.fromkeys("▂▃▅▆▇", " "),
    **dict.fromkeys("▀▄▔", "-"),
    "▁": "_",
    "█": "#",
    "░": ".",
    "▒": ":",
    "▓": "%",
}
_MARKS = {
    "…": "~",
    "·": ".",
    "•": "*",
    "●": "o",
    "○": "o",
    "–": "-",
    "—": "-",
    "±": "~",
    "×": "x",
    "≠": "/",
    "≤": "<",
    "≥": ">",
    "≈": "~",
    "‘": "'",
    "’": "'",
    "“": '"',
    "”": '"',
    "‼": "!",
    "←": "<",
    "→": ">",
    "↑": "^",
    "↓": "v",
    "⇣": "v",
    "▲": "^",
    "▼": "v",
    "◀": "<",
    "▶": ">",
}
_HARMLESS = dict.fromkeys([*map(chr, range(0x2400, 0x2427)), "\ufffd"], "?")
"""What `core.plain_text` shows in place of control characters."""
_WIDE = {"🔎": "> "}
SIGNS: Final[dict[int, str]] = str.maketrans({**_LINES, **_BLOCKS, **_MARKS, **_HARMLESS, **_WIDE})
"""As wide as what it stands for, each. Letters are not among them: those belong to what is shown."""


def in_ascii(text: str) -> str:
    """The same text, cell by cell, with our signs in ASCII."""
    return text if text.isascii() else text.translate(SIGNS)
