"""What a referee says of a page: how much is alike, and every class of difference with an example."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

import msgspec


class Verdict(msgspec.Struct):
    """How many of the browser's own things ours has alike, and what is different about the others.

    Attributes:
        total: of the browser's own.
        ours: how many ours has.
    """

    total: int = 0
    alike: int = 0
    ours: int = 0
    differences: dict[str, int] = msgspec.field(default_factory=dict)
    examples: dict[str, str] = msgspec.field(default_factory=dict)

    @property
    def share(self) -> float:
        """Percent."""
        return 100 * self.alike / self.total if self.total else 100.0

    def differ(self, kind: str, example: str) -> None:
        self.differences[kind] = self.differences.get(kind, 0) + 1
        self.examples.setdefault(kind, example)

    def add(self, other: Verdict) -> None:
        self.total += other.total
        self.alike += other.alike
        self.ours += other.ours
        self.differences = dict(Counter(self.differences) + Counter(other.differences))
        self.examples = other.examples | self.examples

    def unexplained(self, reasons: Mapping[str, str]) -> list[str]:
        """The classes for which no reason is known."""
        return [kind for kind in self.differences if not reason_of(kind, reasons)]


def reason_of(kind: str, reasons: Mapping[str, str]) -> str:
    """Why a class of difference is there, "" if that is not known; `reasons` are by a pattern of it."""
    return next((reason for pattern, reason in reasons.items() if re.fullmatch(pattern, kind)), "")


def table(name: str, what: str, verdict: Verdict, reasons: Mapping[str, str]) -> list[str]:
    """Print what was found; returns what was missed: the classes without a reason."""
    print(
        f"{name}: {verdict.alike} of {verdict.total} {what} alike = {verdict.share:.2f} %"
        f" ({verdict.ours} in ours)",
        flush=True,
    )
    for kind, count in Counter(verdict.differences).most_common():
        reason = reason_of(kind, reasons) or "NO REASON KNOWN"
        print(f"  {count:6}  {kind}: {reason}\n          e.g. {verdict.examples[kind]}", flush=True)
    return [
        f"no reason known for {verdict.differences[kind]} x {kind!r} in {name}"
        for kind in verdict.unexplained(reasons)
    ]
