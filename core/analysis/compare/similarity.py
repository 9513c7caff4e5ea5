"""How alike two moments are, from 0 to 1, and whether they are the same act.

    likeness = 0.5 page + 0.5 action
    page     = 0.4 address pattern + 0.2 title + 0.4 Jaccard index of the trees' shingles
    action   = 0.2 verb + 0.5 element + 0.3 value

What one of the two lacks altogether is left out of a sum and the rest is weighed up: a trajectory without
trees is compared by addresses, one without pages by its actions alone. Going to an address doesn't depend on
the page before.

- address pattern: 1 for the same (`moments.url_pattern`), else half the share of the path that is common;
- title: 1 for the same, else 0; trees: the index over samples of (role, name) pairs of neighbouring nodes;
- verb: 1 for the same (what does the same by other means counts as the same), else 0;
- element, value: 1 for the same selector or the same words (`stems`), else the words they share, each by
  its weight in these attempts, against all words of both (Dice); a whole sentence stands in for an element
  that is told in prose.

The same act (`Judged.same`) has the same verb, an element and a value in the same words, and a page that may
be the same one; or it goes to the same new address. A longer value that holds the shorter one counts as the
same, numbers that differ make another one. With another effect (`Judged.unequal`) it is another act.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from math import log
from typing import TYPE_CHECKING

import msgspec

from webbench.core.analysis.compare.compared_step import BUCKETS, Moment, address, url_pattern
from webbench.core.analysis.compare.stems import canonical, is_number, words_of
from webbench.core.analysis.compare.told_acts import is_search, is_sentence

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]
    Mask = NDArray[np.bool_]

URL, TITLE, TREE = 0.4, 0.2, 0.4
VERB, ELEMENT, VALUE = 0.2, 0.5, 0.3
PAGE = 0.5
DEEPEST = 12
"""Parts of an address that are compared."""
PAGE_SAME = 0.4
"""Likeness from which two known pages may be one."""
NAME_SAME, VALUE_SAME, PROSE_SAME = 0.6, 0.5, 0.5
"""Shares of common words from which names, values and sentences say the same."""
READ_SAME = 0.2
"""Shares of common words from which two readings are of the same thing."""
HOLDS = 0.4
"""Share of common words from which a value that holds another one says the same."""
ANSWER_SAME = 0.3
"""Share of the shorter answer's words from which two in sentences say the same."""
LINE_HELD = 0.9
"""Share of the shorter line's words from which a longer one of a chat says the same: it holds the task."""
SENTENCE = 4
"""Words from which a value is free text, which may be said in other words."""
EMPTY, FULL = 3, 20
"""Shingles of a page with all but nothing on it, at most, and of one with something, at least."""
OTHER_ROLE = 0.9
"""Likeness of elements of one name and two roles: records name roles in their own ways."""
SAME = 0.85
"""Likeness of the same act, at least."""
OTHERS = 0.8
"""Likeness of two different acts, at most."""
UNEQUAL = 0.7
"""Likeness of the same act with another effect."""
VAGUE = 0.6
"""Likeness of an act and one told in general words that may be it, at least."""
READING = 0.5
"""Likeness of two steps that only read, at least."""
ENDING = 0.5
"""Likeness of two answers, at least; an answer stands in no row with an act, and neither does a reading."""
ABSOLUTE = frozenset({"goto", "newtab", "search"})
"""Verbs that lead to the same place from any page."""


class Judged(msgspec.Struct, frozen=True):
    """Matrices of two attempts, shape (len(left), len(right)).

    Attributes:
        alike: from 0 to 1.
        same: it is the same act with the same effect.
        unequal: it is the same act with another effect.
    """

    alike: Matrix
    same: Mask
    unequal: Mask


def similarity(left: Moment, right: Moment) -> float:
    """Of two moments; 1 for equal ones, symmetric."""
    return float(similarities([left], [right])[0, 0])


def similarities(left: Sequence[Moment], right: Sequence[Moment]) -> Matrix:
    """The matrix of `similarity`, shape (len(left), len(right))."""
    return judged(left, right).alike


def judged(left: Sequence[Moment], right: Sequence[Moment], strictness: float = 0.0) -> Judged:
    """Compare all moments of one attempt with all of another.

    Args:
        strictness: is added to the shares of words that are asked for.
    """
    import numpy as np

    if not left or not right:
        nothing = np.zeros((len(left), len(right)))
        return Judged(nothing, nothing > 0, nothing > 0)
    weights = _weights(left, right)
    page, known = _pages(left, right)
    absolute = _both(left, right, lambda one: one.verb in ABSOLUTE or _ends(one))
    verb = _equal([_verb(m) for m in left], [_verb(m) for m in right])
    element, names = _elements(left, right, weights)
    value, values = _values(left, right, weights, strictness)
    prose = _bags([_sentence(m) for m in left], [_sentence(m) for m in right], weights).dice
    told = _either(left, right, lambda m: m.vague)
    element = np.where(told, np.fmax(element, prose), element)
    action, _ = _weighed((VERB, verb), (ELEMENT, element), (VALUE, value))
    share = np.where(known & ~absolute, PAGE, 0.0)
    alike = share * page + (1 - share) * action

    there = ~known | (page >= PAGE_SAME) | absolute
    same_element = (names >= NAME_SAME + strictness) | (told & (prose >= PROSE_SAME + strictness))
    reads = _both(left, right, lambda one: one.reads)
    act = (verb > 0) & there & same_element & values & ~reads
    act |= _same_place(left, right, names) & ~reads
    act |= _both(left, right, lambda one: one.verb == "send")
    unequal = act & _other_effect(left, right)
    same = (act & ~unequal) | (
        reads & there & ((prose >= READ_SAME) | (_named_verbs(left, right) & (verb > 0)))
    )
    alike = np.where(act, SAME + (1 - SAME) * alike, np.minimum(alike, OTHERS))
    alike = np.where(act & _other_outcome(left, right), UNEQUAL, alike)
    alike = np.where((verb > 0) & told & ~same, np.maximum(alike, VAGUE), alike)
    alike = np.where(reads, READING + (OTHERS - READING) * prose, alike)
    alike = np.where(_both(left, right, _ends), np.maximum(alike, ENDING), alike)
    apart = np.not_equal.outer(_mask(left, _reads), _mask(right, _reads))
    apart |= np.not_equal.outer(_mask(left, _ends), _mask(right, _ends))
    alike = np.where(apart, 0.0, alike)
    equal = _equal(list(map(_content, left)), list(map(_content, right))) > 0
    return Judged(np.where(equal & same, 1.0, alike), same, unequal)


def page_similarity(left: Moment, right: Moment) -> float | None:
    """Of the pages alone; None where nothing is known of one of them."""
    page, known = _pages([left], [right])
    return float(page[0, 0]) if known[0, 0] else None


def _reads(moment: Moment) -> bool:
    return moment.reads


def _ends(moment: Moment) -> bool:
    return moment.verb == "stop"


def _content(moment: Moment) -> Moment:
    return msgspec.structs.replace(moment, step=0)


def _verb(moment: Moment) -> str:
    if moment.verb == "hover":
        return "click"
    return "goto" if moment.verb == "newtab" and moment.value else moment.verb


def _sentence(moment: Moment) -> str:
    return (moment.told or moment.text) if moment.reads or is_sentence(moment) else ""


def _mask(moments: Sequence[Moment], holds: Callable[[Moment], bool]) -> Mask:
    import numpy as np

    return np.array([holds(one) for one in moments], dtype=bool)


def _both(left: Sequence[Moment], right: Sequence[Moment], holds: Callable[[Moment], bool]) -> Mask:
    import numpy as np

    found: Mask = np.logical_and.outer(_mask(left, holds), _mask(right, holds))
    return found


def _either(left: Sequence[Moment], right: Sequence[Moment], holds: Callable[[Moment], bool]) -> Mask:
    import numpy as np

    found: Mask = np.logical_or.outer(_mask(left, holds), _mask(right, holds))
    return found


def _named_verbs(left: Sequence[Moment], right: Sequence[Moment]) -> Mask:
    return _both(left, right, lambda one: one.verb not in ("", "say"))


def _same_place(left: Sequence[Moment], right: Sequence[Moment], names: Matrix) -> Mask:
    """Both go to the same new address, one of them by name or both by controls with like names."""
    goes = _either(left, right, lambda one: one.verb in ABSOLUTE)
    moved = _both(left, right, _is_moved)
    arrived = _equal([m.after for m in left], [m.after for m in right]) > 0
    return moved & arrived & (goes | (names >= NAME_SAME / 2))


def _is_moved(moment: Moment) -> bool:
    known = moment.before if moment.verb == "click" else moment.verb in ABSOLUTE
    return bool(known and moment.after and moment.after != moment.before)


def _other_effect(left: Sequence[Moment], right: Sequence[Moment]) -> Mask:
    """It worked for one and not for the other, led elsewhere, or to a page with all but nothing on it."""
    found = _other_outcome(left, right)
    leads = _both(left, right, lambda m: bool(m.after) and m.verb != "type")
    found |= leads & (_equal([_goal(m) for m in left], [_goal(m) for m in right]) == 0)
    found |= _crossed(left, right, lambda m: 0 < len(m.left) <= EMPTY, lambda m: len(m.left) >= FULL)
    return found


def _other_outcome(left: Sequence[Moment], right: Sequence[Moment]) -> Mask:
    """It worked for one and not for the other."""
    found = _crossed(left, right, lambda m: m.effect == "unchanged", lambda m: m.effect == "changed")
    return found | _crossed(
        left, right, lambda m: m.effect == "failed", lambda m: m.effect in ("changed", "")
    )


def _crossed(
    left: Sequence[Moment],
    right: Sequence[Moment],
    one: Callable[[Moment], bool],
    other: Callable[[Moment], bool],
) -> Mask:
    """One holds on either side, the other on the other."""
    import numpy as np

    there = np.logical_and.outer(_mask(left, one), _mask(right, other))
    found: Mask = there | np.logical_and.outer(_mask(left, other), _mask(right, one))
    return found


def _goal(moment: Moment) -> str:
    return url_pattern(f"//{moment.after}")


def _pages(left: Sequence[Moment], right: Sequence[Moment]) -> tuple[Matrix, Mask]:
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


class _Bags(msgspec.Struct, frozen=True):
    """Texts by pairs: the weight of the words they share, against all of both and against the shorter's."""

    dice: Matrix
    held: Matrix
    clash: Mask
    """Both name numbers, and each one that the other doesn't."""


def _weights(left: Sequence[Moment], right: Sequence[Moment]) -> dict[str, float]:
    """Of words: those in few steps of these attempts weigh more (1 to about 5)."""
    texts = [
        {*words_of(one.text), *words_of(one.value), *words_of(one.element[1] if one.element else "")}
        for one in (*left, *right)
    ]
    counts = Counter(word for said in texts for word in said)
    return {word: 1 + log((1 + len(texts)) / (1 + times)) for word, times in counts.items()}


def _bags(left: Sequence[str], right: Sequence[str], weights: Mapping[str, float]) -> _Bags:
    import numpy as np

    a, b = ([frozenset(words_of(text)) for text in side] for side in (left, right))
    numbers = {word: at for at, word in enumerate(sorted(frozenset().union(*a, *b)))}

    def held(sets: Sequence[frozenset[str]]) -> Matrix:
        matrix = np.zeros((len(sets), max(1, len(numbers))))
        for row, words in enumerate(sets):
            for word in words:
                matrix[row, numbers[word]] = 1.0
        return matrix

    weight = np.array([weights.get(word, 1.0) for word in sorted(numbers)] or [1.0])
    digits = np.array([is_number(word) for word in sorted(numbers)] or [False])
    one, other = held(a), held(b)
    common = (one * weight) @ other.T
    sums = [(side * weight).sum(axis=1) for side in (one, other)]
    both, least = np.add.outer(*sums), np.minimum.outer(*sums)
    figures = (one * digits) @ other.T
    fewest = np.minimum.outer((one * digits).sum(axis=1), (other * digits).sum(axis=1))
    return _Bags(
        np.divide(2 * common, both, out=np.zeros_like(common), where=both > 0),
        np.divide(common, least, out=np.zeros_like(common), where=least > 0),
        figures < fewest,
    )


def _values(
    left: Sequence[Moment], right: Sequence[Moment], weights: Mapping[str, float], strictness: float
) -> tuple[Matrix, Mask]:
    """How alike values are, NaN where neither has one; and whether they may be the same one."""
    import numpy as np

    a, b = [_value(m) for m in left], [_value(m) for m in right]
    bags = _bags(a, b, weights)
    equal = _equal([canonical(text) or text for text in a], [canonical(text) or text for text in b]) > 0
    long_a, long_b = (np.array([len(set(words_of(text))) >= SENTENCE for text in side]) for side in (a, b))
    long = np.logical_and.outer(long_a, long_b)
    said = long & (bags.dice >= VALUE_SAME + strictness)
    lines = _both(left, right, lambda m: m.verb == "say") & (bags.held >= LINE_HELD)
    told = _both(left, right, is_sentence)
    holds = told & (bags.held >= 1 - 1e-9) & (bags.dice >= HOLDS)
    said &= told | ~_both(left, right, is_search)
    answers = _both(left, right, lambda m: m.verb == "stop")
    worded = answers & long & (bags.held >= ANSWER_SAME + strictness)
    short = answers & (bags.held >= VALUE_SAME + strictness)
    same = equal | worded | lines | ((said | holds | short) & ~bags.clash)
    none_a, none_b = (np.array([not text for text in side]) for side in (a, b))
    lacking = np.not_equal.outer(none_a, none_b)
    may_lack = _either(left, right, lambda m: m.vague or m.verb == "stop")
    values = np.where(equal, 1.0, np.minimum(0.9, bags.dice))
    return np.where(np.logical_and.outer(none_a, none_b), np.nan, values), same | (lacking & may_lack)


def _value(moment: Moment) -> str:
    return address(moment.value) or moment.value if moment.verb in ABSOLUTE else moment.value


def _elements(
    left: Sequence[Moment], right: Sequence[Moment], weights: Mapping[str, float]
) -> tuple[Matrix, Matrix]:
    """How alike elements are, NaN where neither has one; and how far their names are the same."""
    import numpy as np

    a, b = ([m.element or ("", "") for m in side] for side in (left, right))
    (roles_a, names_a), (roles_b, names_b) = (([r for r, _ in side], [n for _, n in side]) for side in (a, b))
    selectors_a, selectors_b = [m.selector for m in left], [m.selector for m in right]
    bags = _bags(names_a, names_b, weights)
    equal = np.nan_to_num(_where_both(names_a, names_b, _equal(names_a, names_b)))
    selected = np.nan_to_num(_where_both(selectors_a, selectors_b, _equal(selectors_a, selectors_b)))
    names = np.maximum(np.maximum(equal, selected), np.where(bags.clash, bags.dice / 2, bags.dice))
    typed = _both(left, right, lambda m: m.verb == "type")
    names = np.where(typed & (bags.held >= 1 - 1e-9), 1.0, names)
    none_a, none_b = (np.array([not (m.element or m.selector) for m in side]) for side in (left, right))
    neither = np.logical_and.outer(none_a, none_b)
    open_a, open_b = (
        np.array([m.verb == "type" and not _names_field(m) for m in side]) for side in (left, right)
    )
    unsaid = np.logical_or.outer(open_a, open_b) & typed
    unsaid &= ~neither
    roles = np.nan_to_num(_where_both(roles_a, roles_b, _equal(roles_a, roles_b)), nan=1.0)
    likeness = names * np.where(roles > 0, 1.0, OTHER_ROLE)
    return (
        np.where(neither | unsaid, np.nan, likeness),
        np.where(neither | unsaid, 1.0, names),
    )


def _names_field(moment: Moment) -> bool:
    return bool(moment.selector or (moment.element and canonical(moment.element[1])))
