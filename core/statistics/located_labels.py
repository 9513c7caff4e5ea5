"""Labels with a place on a line, such as steps: how many of two raters' meet, and whether segments do.

Labels meet where they are no further apart than the tolerance, each with at most one of the other's. Segments
are compared by boundary similarity (Fournier 2013, Evaluating Text Segmentation using Boundary Edit
Distance): boundaries that both have count as matches, those a few places apart as transpositions with part of
an edit's weight, all others as edits.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence


def met(first: Sequence[int], second: Sequence[int], tolerance: int) -> int:
    """The most pairs, one of each, that lie at most so many places apart."""
    one, other = sorted(first), sorted(second)
    at = beside = count = 0
    while at < len(one) and beside < len(other):
        if abs(one[at] - other[beside]) <= tolerance:
            count, at, beside = count + 1, at + 1, beside + 1
        elif one[at] < other[beside]:
            at += 1
        else:
            beside += 1
    return count


def boundaries(labels: Sequence[Hashable]) -> frozenset[int]:
    """Where a new segment begins: places whose label is another than that of the place before."""
    return frozenset(at for at in range(1, len(labels)) if labels[at] != labels[at - 1])


def boundary_parts(first: frozenset[int], second: frozenset[int], tolerance: int) -> tuple[float, int]:
    """What boundary similarity is the ratio of: boundaries without the weight of edits, and boundaries.

    Sums over many sequences give their common similarity; of none there is no boundary to compare.

    Args:
        tolerance: up to so many places apart two boundaries are a near miss, of weight distance /
            (tolerance + 1); the nearest are taken first, from the left.
    """
    only_first, only_second = set(first - second), set(second - first)
    missed, near = 0.0, 0
    for distance in range(1, tolerance + 1):
        for at in sorted(only_first | only_second):
            for one, other in ((only_first, only_second), (only_second, only_first)):
                if at in one and at + distance in other:
                    one.remove(at)
                    other.remove(at + distance)
                    missed, near = missed + distance / (tolerance + 1), near + 1
    edits = len(only_first) + len(only_second)
    count = len(first & second) + near + edits
    return count - edits - missed, count
