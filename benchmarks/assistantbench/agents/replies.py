"""Reading replies in which lines begin with a word in capitals: "SEARCH: ferry fares", "ANSWER: 12.50"."""

from __future__ import annotations

import re
from collections.abc import Mapping

_HEAD = re.compile(r"^[ \t>*#]*([A-Z][A-Z ]{1,20}[A-Z])[ \t*]*:[ \t*]*", re.MULTILINE)


def labelled(reply: str, labels: frozenset[str]) -> Mapping[str, str]:
    """What follows each label, up to the next one; of several with one label the last.

    What stands before the first label is under "".
    """
    heads = [head for head in _HEAD.finditer(reply) if head[1] in labels]
    starts = [*(head.start() for head in heads), len(reply)]
    found = {"": reply[: starts[0]].strip()}
    for head, end in zip(heads, starts[1:], strict=True):
        found[head[1]] = reply[head.end() : end].strip()
    return found
