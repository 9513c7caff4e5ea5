"""Markdown and JSON texts without the freedom of their notation."""

from __future__ import annotations

import json
import re

from webbench.core import bounded_json
from webbench.core.json_types import Json

_STEPS = (
    (re.compile(r"\r\n?"), "\n"),
    (re.compile(r"[ \t]+$", re.MULTILINE), ""),
    (re.compile(r"\n{3,}"), "\n\n"),
    (re.compile(r"^(\s*)(#{1,6})[ \t]+", re.MULTILINE), r"\1\2 "),
    (re.compile(r"^(\s*)[*+][ \t]+", re.MULTILINE), r"\1- "),
    (re.compile(r"^[ \t]+(-)", re.MULTILINE), r"  \1"),
    (re.compile(r"\[([^\]\n]*)\n\s*([^\]]*)\](\([^)]+\))"), r"[\1 \2]\3"),
    (re.compile(r"\(\s*([^)\s][^)]*?)\s*\)"), r"(\1)"),
)
_BRACKETS = re.compile(r"\[([^\]]+)\]")


def markdown(value: Json) -> str:
    """Line ends, blank lines, bullets, headings and links in one form; letters stay. Raises ValueError."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError("no text")
    text = value.strip()
    for pattern, form in _STEPS:
        text = pattern.sub(form, text)
    return _BRACKETS.sub(lambda found: f"[{' '.join(found[1].split())}]", text).strip()


def json_text(value: Json) -> str:
    """Compact, with sorted keys. Raises ValueError."""
    if not isinstance(value, str) or not value:
        raise ValueError("no text")
    decoded = bounded_json.decode(value)
    return json.dumps(decoded, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
