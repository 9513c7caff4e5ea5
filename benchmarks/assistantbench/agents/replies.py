"""Reading replies in which lines begin with a word in capitals: "SEARCH: ferry fares", "ANSWER: 12.50"."""

from __future__ import annotations

import re
from collections.abc import Mapping

_HEAD = re.compile(r"^[ \t>*#]*([A-Za-z][A-Za-z ]{1,20}[A-Za-z])[ \t*]*:(?:\*\*)?[ \t]*", re.MULTILINE)
_BOLD = "**"


def labelled(reply: str, labels: frozenset[str]) -> Mapping[str, str]:
    """What follows each label, up to the next one; of several with one label the last.

    What stands before the first label is under ""; the labels come in the order in which each was first met.
    They are also found in small letters ("Answer: 5") where the reply has none in capitals.
    """
    heads = [head for head in _HEAD.finditer(reply) if head[1] in labels]
    heads = heads or [head for head in _HEAD.finditer(reply) if head[1].upper() in labels]
    starts = [*(head.start() for head in heads), len(reply)]
    found = {"": reply[: starts[0]].strip()}
    for head, end in zip(heads, starts[1:], strict=True):
        found[head[1].upper()] = _whole_bold(reply[head.end() : end].strip())
    return found


def _whole_bold(value: str) -> str:
    """Without the end of bold letters that began at the label: "**ANSWER: 5**"."""
    return value.removesuffix(_BOLD).rstrip() if value.count(_BOLD) % 2 else value
