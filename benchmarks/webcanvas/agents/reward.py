"""Reading what the reward module says."""

from __future__ import annotations

import re

import msgspec

from webbench.core.json_types import Json
from webbench.core.text.bounded_json import decode

FINISHED = "finished"
STATUSES = (FINISHED, "doing", "loop")
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)
_LONGEST = 1000


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """`status` is one of `STATUSES`, "" where nothing was judged; `score` goes from 0 to 1."""

    status: str = ""
    score: float | None = None
    reason: str = ""

    @property
    def finished(self) -> bool:
        return self.status == FINISHED

    @property
    def told(self) -> str:
        """In words for the next prompt, "" where nothing was judged."""
        if not self.status:
            return ""
        score = "" if self.score is None else f", {self.score:.2f} of 1"
        return f"{self.status}{score}: {self.reason}".rstrip(": ")


def read_verdict(reply: str) -> Verdict:
    """The verdict in the JSON object of a reply; an empty one where it holds none."""
    found = _OBJECT.search(reply)
    try:
        value = decode(found[0]) if found else None
    except ValueError:
        value = None
    if not isinstance(value, dict) or value.get("status") not in STATUSES:
        return Verdict()
    score, reason = value.get("score"), value.get("reason")
    return Verdict(
        status=value["status"],
        score=_share(score),
        reason=reason[:_LONGEST] if isinstance(reason, str) else "",
    )


def _share(score: Json) -> float | None:
    """Between 0 and 1; None for what is no number."""
    if isinstance(score, bool) or not isinstance(score, int | float):
        return None
    # Cut before it is converted: JSON has whole numbers that no float can hold.
    return float(min(1, max(0, score)))
