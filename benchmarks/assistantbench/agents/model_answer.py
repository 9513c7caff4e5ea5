"""Reading the answer that a model gives: JSON, a number, a list, a text, or nothing.

An answer in another form would be scored as a text, so the form is read where the model means it plainly;
words are never changed. An empty answer is an abstention (AssistantBench, section 3.4), not a wrong one.
"""

from __future__ import annotations

import json
import re

from webbench.core.text.bounded_json import decode

ABSTENTIONS = frozenset(
    {
        *("", "none", "null", "n/a", "na", "unknown", "nan", "[]", "{}", "-", "abstain", "no answer"),
        *("not found", "i don't know", "i do not know", "unable to determine", "cannot be determined"),
    }
)
"""Answers that give none, in lower case and without a full stop."""

_FENCED = re.compile(r"\A```[a-z]*\n(.*?)\n?```\Z", re.DOTALL)
_NUMBER = re.compile(r"[$€£]?\s?(-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?)\s?(?:[$€£]|USD|EUR|GBP)?")
_ITEM = re.compile(r"(?:[-*•]|\d{1,3}[.)])\s+(\S.*)")


def read_answer(said: str) -> str:
    """The answer as `Stop` takes it; "" for an abstention.

    JSON stays JSON, in one line; a number loses currency signs and thousands' commas; lines that all begin
    with a bullet or a number become a JSON list; anything else is a text.
    """
    text = said.strip()
    fenced = _FENCED.match(text)
    text = fenced[1].strip() if fenced else text
    if text.lower().rstrip(".").replace("\u2019", "'") in ABSTENTIONS:
        return ""
    return _as_json(text) or _as_number(text) or _as_list(text) or text


def _as_json(text: str) -> str:
    if not text.startswith(("{", "[", '"')):
        return ""
    try:
        value = decode(text)
    except ValueError:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _as_number(text: str) -> str:
    found = _NUMBER.fullmatch(text.rstrip("."))
    return found[1].replace(",", "") if found else ""


def _as_list(text: str) -> str:
    items = [_ITEM.fullmatch(line.strip()) for line in text.splitlines() if line.strip()]
    if len(items) < 2 or not all(items):
        return ""
    return json.dumps([item[1].strip() for item in items if item], ensure_ascii=False)
