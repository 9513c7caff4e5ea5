"""How well an answer to a pair fits its label: counts, which add up over pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tests.performance.labelled_pairs.label import Reading, Steps

HEADINGS = (
    f"{'':20} {'pairs':>5}  {'exact':>11}  {'within 1':>11}  {'acceptable':>11}  "
    f"{'never part':>18}  {'meetings: P, R, F1':>22}  {'detours':>14}  {'loops':>14}"
)


def measured(found: Reading, label: Reading, unclear: Sequence[Steps] = ()) -> Counter[str]:
    """What of an answer is right.

    "within 1" is at most one step beside the label on each side. Detours and loops are compared by steps:
    those that both have, of those that either has.

    Args:
        unclear: meetings that count neither way.
    """
    met = set(found.meetings) - set(unclear)
    told = set(label.meetings) - set(unclear)
    counts = Counter(
        pairs=1,
        exact=int(found.first == label.first),
        near=int(_near(found.first, label.first)),
        acceptable=int(found.first in label.accepted),
        never=int(label.first is None),
        never_said=int(found.first is None),
        never_right=int(found.first is None and label.first is None),
        met=len(met),
        told=len(told),
        met_right=len(met & told),
    )
    for name, one, other in (
        ("detours", found.detours, label.detours),
        ("loops", found.loops, label.loops),
    ):
        counts[f"{name}_both"] = len(one.steps() & other.steps())
        counts[f"{name}_either"] = len(one.steps() | other.steps())
    return counts


def line(name: str, counts: Counter[str]) -> str:
    """Under `HEADINGS`. Of "never part": right, of those labelled so, and how often it was said in all."""
    shares = [_share(counts[key], counts["pairs"]) for key in ("exact", "near", "acceptable")]
    never = f"{counts['never_right']}/{counts['never']}, said {counts['never_said']}"
    overlaps = [_share(counts[f"{key}_both"], counts[f"{key}_either"]) for key in ("detours", "loops")]
    return (
        f"{name:20} {counts['pairs']:>5}  {'  '.join(f'{share:>11}' for share in shares)}  "
        f"{never:>18}  {_meetings(counts):>22}  {'  '.join(f'{share:>14}' for share in overlaps)}"
    )


def precision_recall(counts: Counter[str]) -> tuple[float | None, float | None, float | None]:
    """Of meetings, with F1; None where nothing was found or nothing is told."""
    right, met, told = counts["met_right"], counts["met"], counts["told"]
    return _quotient(right, met), _quotient(right, told), _quotient(2 * right, met + told)


def _near(one: Steps | None, other: Steps | None) -> bool:
    if one is None or other is None:
        return one is other
    return abs(one[0] - other[0]) <= 1 and abs(one[1] - other[1]) <= 1


def _meetings(counts: Counter[str]) -> str:
    return "  ".join("-" if value is None else f"{value:.3f}" for value in precision_recall(counts))


def _share(part: int, whole: int) -> str:
    return f"{part}/{whole} {100 * part / whole:3.0f} %" if whole else "-"


def _quotient(part: int, whole: int) -> float | None:
    return part / whole if whole else None
