"""How alike two moments are, from 0 to 1: half the page, half the action.

    page   = 0.4 address pattern + 0.2 title + 0.4 Jaccard index of the trees' shingles
    action = 0.2 verb + 0.5 element + 0.3 value

What one of the two lacks altogether is left out of a sum and the rest is weighed up: a trajectory without
trees is compared by addresses, one without pages by its actions alone. An element that only one of them has
counts as different, and so does a value.

- address pattern: 1 for the same (`moments.url_pattern`), else half the share of the path that is common;
- title: 1 for the same, else 0; trees: the index over samples of (role, name) pairs of neighbouring nodes;
- verb: 1 for the same (what does the same by other means counts as the same), else 0;
- element (`elements`): 1 for the same role and name (a role that one record lacks counts as the same), or for
  the same selector where neither has a name; 0.8 for the same name or selector alone (records name roles in
  their own ways, and a click on a picture is one on the link around it), else half the share of common words
  in the names, where the roles are the same;
- value (typed, chosen, answered, gone to): 1 for the same, else half the share of common words.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING

from webbench.core.analysis.compare.compared_step import BUCKETS, Moment

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

URL, TITLE, TREE = 0.4, 0.2, 0.4
VERB, ELEMENT, VALUE = 0.2, 0.5, 0.3
PAGE = 0.5
NAME_ALONE = 0.8
DEEPEST = 12
"""Parts of an address that are compared."""


def similarity(left: Moment, right: Moment) -> float:
    """Of two moments; 1 for equal ones, symmetric."""
    return float(similarities([left], [right])[0, 0])


def similarities(left: Sequence[Moment], right: Sequence[Moment]) -> Matrix:
    """The matrix of `similarity`, shape (len(left), len(right))."""
    import numpy as np

    if not left or not right:
        return np.zeros((len(left), len(right)))
    page, known = _pages(left, right)
    action, _ = _weighed(
        (VERB, _equal([m.verb for m in left], [m.verb for m in right])),
        (ELEMENT, _elements(left, right)),
        (VALUE, _texts([m.value for m in left], [m.value for m in right])),
    )
    share = np.where(known, PAGE, 0.0)
    return share * page + (1 - share) * action


def page_similarity(left: Moment, right: Moment) -> float | None:
    """Of the pages alone; None where nothing is known of one of them."""
    page, known = _pages([left], [right])
    return float(page[0, 0]) if known[0, 0] else None


def _pages(left: Sequence[Moment], right: Sequence[Moment]) -> tuple[Matrix, NDArray[np.bool_]]:
    """The matrix of the pages' likeness, and for which pairs anything is known."""
    return _weighed(
        (URL, _paths([m.url for m in left], [m.url for m in right])),
        (TITLE, _titles([m.title for m in left], [m.title for m in right])),
        (TREE, _trees(left, right)),
    )


def _weighed(*parts: tuple[float, Matrix]) -> tuple[Matrix, NDArray[np.bool_]]:
    """The weighed mean over what is known (not NaN) of each pair, and for which pairs anything is."""
    import numpy as np

    total = np.zeros_like(parts[0][1])
    weights = np.zeros_like(total)
    for weight, values in parts:
        there = ~np.isnan(values)
        weights += weight * there
        total += weight * np.where(there, values, 0.0)
    known = weights > 0
    return np.divide(total, weights, out=np.zeros_like(total), where=known), known


def _equal(left: Sequence[Hashable], right: Sequence[Hashable]) -> Matrix:
    """1 where both are the same, else 0."""
    import numpy as np

    numbers: dict[Hashable, int] = {}
    a, b = (np.array([numbers.setdefault(one, len(numbers)) for one in side]) for side in (left, right))
    same: Matrix = np.equal.outer(a, b).astype(np.float64)
    return same


def _where_both(left: Iterable[object], right: Iterable[object], values: Matrix) -> Matrix:
    """The values, NaN where one of the two is empty."""
    import numpy as np

    a, b = (np.array([bool(one) for one in side]) for side in (left, right))
    return np.where(np.logical_and.outer(a, b), values, np.nan)


def _titles(left: Sequence[str], right: Sequence[str]) -> Matrix:
    return _where_both(left, right, _equal(left, right))


def _paths(left: Sequence[str], right: Sequence[str]) -> Matrix:
    """1 for the same pattern; else the share of the path that is common, at most a half; 0 on other hosts."""
    import numpy as np

    numbers: dict[Hashable, int] = {}

    def prefixes(urls: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        found = np.full((len(urls), DEEPEST), -1, dtype=np.int64)
        lengths = np.ones(len(urls), dtype=np.int64)
        for row, url in enumerate(urls):
            parts = url.partition("?")[0].split("/")[:DEEPEST]
            lengths[row] = len(parts)
            for at in range(len(parts)):
                found[row, at] = numbers.setdefault(tuple(parts[: at + 1]), len(numbers))
        return found, lengths

    (a, long_a), (b, long_b) = prefixes(left), prefixes(right)
    common = np.zeros((len(left), len(right)))
    for at in range(DEEPEST):
        common += np.equal.outer(a[:, at], b[:, at]) & (a[:, at] >= 0)[:, None]
    shared = 0.5 * common / np.maximum.outer(long_a, long_b)
    return _where_both(left, right, np.maximum(shared, _equal(left, right)))


def _trees(left: Sequence[Moment], right: Sequence[Moment]) -> Matrix:
    """Jaccard index of the samples of shingles."""
    a, b = [m.shingles for m in left], [m.shingles for m in right]
    return _where_both(a, b, _jaccard(a, b, BUCKETS))


def _jaccard(left: Sequence[frozenset[int]], right: Sequence[frozenset[int]], width: int) -> Matrix:
    """Of all pairs of sets of numbers below `width`: what is common is a product of 0-1 matrices."""
    import numpy as np

    def held(sets: Sequence[frozenset[int]]) -> NDArray[np.float32]:
        matrix = np.zeros((len(sets), width), dtype=np.float32)
        for row, one in enumerate(sets):
            matrix[row, list(one)] = 1.0
        return matrix

    a, b = held(left), held(right)
    common = (a @ b.T).astype(np.float64)
    union = np.add.outer(a.sum(axis=1), b.sum(axis=1)).astype(np.float64) - common
    index: Matrix = np.divide(common, union, out=np.zeros_like(common), where=union > 0)
    return index


def _shared_words(left: Sequence[str], right: Sequence[str]) -> Matrix:
    """Jaccard index of the words of two texts."""
    numbers: dict[str, int] = {}
    a, b = (
        [frozenset(numbers.setdefault(word, len(numbers)) for word in text.split()) for text in side]
        for side in (left, right)
    )
    return _jaccard(a, b, max(1, len(numbers)))


def _texts(left: Sequence[str], right: Sequence[str]) -> Matrix:
    """1 for the same text, else half the share of common words; NaN where both are empty."""
    import numpy as np

    values = np.maximum(_equal(left, right), 0.5 * _shared_words(left, right))
    a, b = (np.array([not text for text in side]) for side in (left, right))
    return np.where(np.logical_and.outer(a, b), np.nan, values)


def _elements(left: Sequence[Moment], right: Sequence[Moment]) -> Matrix:
    """The same role and name: 1; only the name, or only the selector: 0.8; else shared words of the name.

    A role that isn't known differs from none.
    """
    import numpy as np

    a, b = ([m.element or ("", "") for m in side] for side in (left, right))
    (roles_a, names_a), (roles_b, names_b) = (([r for r, _ in side], [n for _, n in side]) for side in (a, b))
    selectors_a, selectors_b = [m.selector for m in left], [m.selector for m in right]
    named = _where_both(names_a, names_b, _equal(names_a, names_b))
    selected = _where_both(selectors_a, selectors_b, _equal(selectors_a, selectors_b))
    roles = np.nan_to_num(_where_both(roles_a, roles_b, _equal(roles_a, roles_b)), nan=1.0)
    likeness = 0.5 * _shared_words(names_a, names_b) * roles
    likeness = np.maximum(likeness, NAME_ALONE * np.nan_to_num(np.fmax(named, selected)))
    both = np.isfinite(_where_both([m.element for m in left], [m.element for m in right], roles))
    likeness = np.where(both & (_equal(names_a, names_b) * roles > 0), 1.0, likeness)
    unnamed_a, unnamed_b = (np.array([m.element is None for m in side]) for side in (left, right))
    likeness = np.where(np.logical_and.outer(unnamed_a, unnamed_b) & (selected > 0), 1.0, likeness)
    none_a, none_b = (np.array([not (m.element or m.selector) for m in side]) for side in (left, right))
    return np.where(np.logical_and.outer(none_a, none_b), np.nan, likeness)
