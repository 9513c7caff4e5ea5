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
- element, value: 1 for the same selector or the same words (`stems`), else the words they share
  against all words of both (Dice); a whole sentence stands in for an element
  that is told in prose.

The same act (`Judged.same`) has the same verb, an element and a value in the same words, and a page that may
be the same one; or it goes to the same new address. A longer value that holds the shorter one counts as the
same, numbers that differ make another one. With another effect (`Judged.unequal`) it is another act.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from webbench.core.analysis.compare.compared_step import BUCKETS, Moment, address, url_pattern
from webbench.core.analysis.compare.constants import CONSTANTS
from webbench.core.analysis.compare.stems import canonical, is_number, words_of
from webbench.core.analysis.compare.told_acts import is_search, is_sentence

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]
    Mask = NDArray[np.bool_]

T = TypeVar("T", bound=Hashable)

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

    @property
    def matrices(self) -> tuple[NDArray[Any], ...]:
        return self.alike, self.same, self.unequal


def similarity(left: Moment, right: Moment) -> float:
    """Of two moments; 1 for equal ones, symmetric."""
    return float(similarities([left], [right])[0, 0])


def similarities(left: Sequence[Moment], right: Sequence[Moment]) -> Matrix:
    """The matrix of `similarity`, shape (len(left), len(right))."""
    return Compared(Side(left), Side(right)).judged().alike


class Column(Generic[T]):
    """One thing of each moment of an attempt.

    Attributes:
        distinct: each value once.
        which: the position of each moment's value among them, shape (moments,).
    """

    def __init__(self, values: Iterable[T]) -> None:
        import numpy as np

        numbers: dict[T, int] = {}
        places = [numbers.setdefault(one, len(numbers)) for one in values]
        self.distinct = tuple(numbers)
        self.which = np.array(places, dtype=np.int64)

    def holds(self, condition: Callable[[T], bool] = bool) -> Mask:
        """For which moments it does, shape (moments,)."""
        import numpy as np

        found: Mask = np.array([condition(one) for one in self.distinct], dtype=bool)[self.which]
        return found


class Side:
    """One attempt's moments, with what comparisons ask of them worked out once and only when it is asked."""

    def __init__(self, moments: Sequence[Moment]) -> None:
        self.moments = moments
        self._masks: dict[Callable[[Moment], bool], Mask] = {}
        self._columns: dict[Callable[[Moment], Hashable], Column[Any]] = {}

    def __len__(self) -> int:
        return len(self.moments)

    def mask(self, holds: Callable[[Moment], bool]) -> Mask:
        """For which moments a condition (a named function) holds, shape (moments,)."""
        import numpy as np

        if holds not in self._masks:
            self._masks[holds] = np.array([holds(one) for one in self.moments], dtype=bool)
        return self._masks[holds]

    def column(self, of: Callable[[Moment], T]) -> Column[T]:
        """What a named function tells of each moment."""
        if of not in self._columns:
            self._columns[of] = Column(map(of, self.moments))
        return self._columns[of]


class Compared:
    """All moments of one attempt beside all of another: what no strictness changes."""

    def __init__(self, left: Side, right: Side) -> None:
        import numpy as np

        self._sides = left, right
        if not (len(left) and len(right)):
            return
        page, known = _pages(left, right)
        absolute = _both(left, right, _is_absolute)
        verb = _equal(left.column(_verb), right.column(_verb))
        element, names = _elements(left, right)
        self._values = _Values(left, right)
        prose = _bags(left.column(_sentence), right.column(_sentence))
        self._prose = np.where(prose.clash, prose.dice / 2, prose.dice)
        self._told = _either(left, right, _is_vague)
        worded = _equal_where_known(left.column(_sentence), right.column(_sentence)) > 0
        self._of_another = _of_another(left, right) if self._told.any() else self._told
        held = (prose.held >= CONSTANTS.line_held) & ~prose.clash
        self._held = _both(left, right, _is_vague) & (held | worded)
        element = np.where(self._told, np.fmax(element, self._prose), element)
        action, _ = _weighed(
            (CONSTANTS.verb, verb), (CONSTANTS.element, element), (CONSTANTS.value, self._values.alike)
        )
        share = np.where(known & ~absolute, CONSTANTS.page, 0.0)
        self._alike = share * page + (1 - share) * action
        self._names, self._same_verb = names, verb > 0
        self._there = ~known | (page >= CONSTANTS.page_same) | absolute
        self._reads = _both(left, right, _reads)
        self._anyway = _same_place(left, right, names) & ~self._reads | _both(left, right, _sends)
        self._anyway |= _both(left, right, _empties)
        self._other_outcome = _other_outcome(left, right)
        self._other_effect = self._other_outcome | _leads_elsewhere(left, right)
        read_alike = (self._prose >= CONSTANTS.read_same) | (
            _both(left, right, _has_named_verb) & self._same_verb
        )
        plans = _both(left, right, _says)
        self._same_reading = self._reads & self._there & read_alike & ~plans
        self._ends = _both(left, right, _ends)
        self._elsewhere = _crossed(left, right, _enters, _clicks_else)
        sides = left.column(_side), right.column(_side)
        if all(side.holds().any() for side in sides):
            self._elsewhere |= _where_both(*sides, _equal(*sides)) == 0
        self._apart = _unlike(left, right, _reads) | _unlike(left, right, _ends)
        self._equal = _equal(left.column(_content), right.column(_content)) > 0

    def judged(self, strictness: float = 0.0) -> Judged:
        """How alike they are, and which are the same act.

        Args:
            strictness: is added to the shares of words that are asked for.
        """
        import numpy as np

        left, right = self._sides
        if not (len(left) and len(right)):
            nothing = np.zeros((len(left), len(right)))
            return Judged(nothing, nothing > 0, nothing > 0)
        in_prose = self._told & (self._prose >= CONSTANTS.prose_same + strictness) | self._held
        in_prose &= ~self._of_another
        same_element = (self._names >= CONSTANTS.name_same + strictness) | in_prose
        values = self._values.same(strictness)
        act = self._same_verb & self._there & same_element & values & ~self._reads & ~self._elsewhere
        act |= self._anyway
        unequal = act & self._other_effect
        same = (act & ~unequal) | self._same_reading
        alike = np.where(
            act,
            CONSTANTS.same + (1 - CONSTANTS.same) * self._alike,
            np.minimum(self._alike, CONSTANTS.others),
        )
        alike = np.where(act & self._other_outcome, CONSTANTS.unequal, alike)
        alike = np.where(self._same_verb & self._told & ~same, np.maximum(alike, CONSTANTS.vague), alike)
        alike = np.where(
            self._reads, CONSTANTS.reading + (CONSTANTS.others - CONSTANTS.reading) * self._prose, alike
        )
        alike = np.where(self._ends, np.maximum(alike, CONSTANTS.ending), alike)
        alike = np.where(self._apart, 0.0, alike)
        return Judged(np.where(self._equal & same, 1.0, alike), same, unequal)


def _of_another(left: Side, right: Side) -> Mask:
    """One is told in general words that lack most of the other's name."""
    import numpy as np

    a, b = left.column(_head), right.column(_head)
    known = np.logical_and.outer(a.holds(_has_words), b.holds(_has_words))
    lacks: Mask = _bags(a, b).held < CONSTANTS.told_name
    return known & lacks & _crossed(left, right, _is_vague, _is_exact)


def page_similarity(left: Moment, right: Moment) -> float | None:
    """Of the pages alone; None where nothing is known of one of them."""
    page, known = _pages(Side([left]), Side([right]))
    return float(page[0, 0]) if known[0, 0] else None


def _reads(moment: Moment) -> bool:
    return moment.reads


def _is_vague(moment: Moment) -> bool:
    return moment.vague


def _is_exact(moment: Moment) -> bool:
    return not moment.vague


def _head(moment: Moment) -> str:
    """The noun of a control told in general words that tell what it is of; the name of any other."""
    head, of, _ = _name(moment).partition(" of ")
    return (head if of else moment.gist) if moment.vague else _name(moment)


def _has_words(text: str) -> bool:
    return bool(words_of(text))


def _ends(moment: Moment) -> bool:
    return moment.verb == "stop"


def _sends(moment: Moment) -> bool:
    return moment.verb == "send"


def _empties(moment: Moment) -> bool:
    """It empties the field that is typed into next."""
    return moment.verb == "clear" and moment.part


def _enters(moment: Moment) -> bool:
    """It only goes into a field, which it doesn't name."""
    return moment.verb == "click" and moment.part and moment.vague


def _clicks_else(moment: Moment) -> bool:
    return moment.verb == "click" and not moment.part


def _says(moment: Moment) -> bool:
    return moment.verb == "say"


def _types(moment: Moment) -> bool:
    return moment.verb == "type"


def _goes(moment: Moment) -> bool:
    return moment.verb in ABSOLUTE


def _is_absolute(moment: Moment) -> bool:
    return _goes(moment) or _ends(moment)


def _side(moment: Moment) -> str:
    return moment.side


def _is_part(moment: Moment) -> bool:
    return moment.part


def _has_named_verb(moment: Moment) -> bool:
    return moment.verb not in ("", "say")


def _may_lack_value(moment: Moment) -> bool:
    return moment.vague or moment.verb == "stop"


def _leads(moment: Moment) -> bool:
    return bool(moment.after) and moment.verb != "type"


def _is_left_empty(moment: Moment) -> bool:
    return 0 < len(moment.left) <= CONSTANTS.empty


def _is_left_full(moment: Moment) -> bool:
    return len(moment.left) >= CONSTANTS.full


def _is_unchanged(moment: Moment) -> bool:
    """What is typed often stands in no tree."""
    return moment.effect == "unchanged" and moment.verb != "type"


def _is_changed(moment: Moment) -> bool:
    return moment.effect == "changed"


def _has_failed(moment: Moment) -> bool:
    return moment.effect == "failed"


def _was_done(moment: Moment) -> bool:
    return moment.effect in ("changed", "")


def _url(moment: Moment) -> str:
    return moment.url


def _title(moment: Moment) -> str:
    return moment.title


def _after(moment: Moment) -> str:
    return moment.after


def _tree(moment: Moment) -> frozenset[int]:
    return moment.shingles


def _selector(moment: Moment) -> str:
    return moment.selector


def _role(moment: Moment) -> str:
    return moment.element[0] if moment.element else ""


def _name(moment: Moment) -> str:
    return moment.element[1] if moment.element else ""


def _said_name(moment: Moment) -> str:
    return canonical(_name(moment))


def _last_name(moment: Moment) -> str:
    """Of a name that tells an owner before a slash."""
    _, slash, last = _name(moment).rpartition("/")
    return canonical(last) if slash else ""


def _uncounted(moment: Moment) -> str:
    """Of a name that tells a count: "12 Reviews"."""
    said = words_of(_name(moment))
    plain = [word for word in said if not is_number(word)]
    return " ".join(plain) if len(plain) < len(said) else ""


def _noun(moment: Moment) -> str:
    return canonical(moment.noun) if moment.noun else ""


def _content(moment: Moment) -> Moment:
    return msgspec.structs.replace(moment, step=0)


def _verb(moment: Moment) -> str:
    if moment.verb == "hover":
        return "click"
    return "goto" if moment.verb == "newtab" and moment.value else moment.verb


def _sentence(moment: Moment) -> str:
    if moment.gist:
        return moment.gist
    return moment.text if moment.reads or is_sentence(moment) else ""


def _both(left: Side, right: Side, holds: Callable[[Moment], bool]) -> Mask:
    import numpy as np

    found: Mask = np.logical_and.outer(left.mask(holds), right.mask(holds))
    return found


def _either(left: Side, right: Side, holds: Callable[[Moment], bool]) -> Mask:
    import numpy as np

    found: Mask = np.logical_or.outer(left.mask(holds), right.mask(holds))
    return found


def _unlike(left: Side, right: Side, holds: Callable[[Moment], bool]) -> Mask:
    import numpy as np

    found: Mask = np.not_equal.outer(left.mask(holds), right.mask(holds))
    return found


def _same_place(left: Side, right: Side, names: Matrix) -> Mask:
    """Both go to the same new address, one of them by name or both by controls with like names."""
    moved = _both(left, right, _is_moved)
    arrived = _equal(left.column(_after), right.column(_after)) > 0
    return moved & arrived & (_either(left, right, _goes) | (names >= CONSTANTS.name_same / 2))


def _is_moved(moment: Moment) -> bool:
    known = moment.before if moment.verb == "click" else moment.verb in ABSOLUTE
    return bool(known and moment.after and moment.after != moment.before)


def _leads_elsewhere(left: Side, right: Side) -> Mask:
    """It led elsewhere, or to a page with all but nothing on it."""
    elsewhere: Mask = _equal(left.column(_goal), right.column(_goal)) == 0
    empty = _crossed(left, right, _is_left_empty, _is_left_full)
    return empty | (_both(left, right, _leads) & elsewhere)


def _other_outcome(left: Side, right: Side) -> Mask:
    """It worked for one and not for the other."""
    found = _crossed(left, right, _is_unchanged, _is_changed)
    return found | _crossed(left, right, _has_failed, _was_done)


def _crossed(left: Side, right: Side, one: Callable[[Moment], bool], other: Callable[[Moment], bool]) -> Mask:
    """One holds on either side, the other on the other."""
    import numpy as np

    there = np.logical_and.outer(left.mask(one), right.mask(other))
    found: Mask = there | np.logical_and.outer(left.mask(other), right.mask(one))
    return found


def _goal(moment: Moment) -> str:
    return url_pattern(f"//{moment.after}") if moment.after else ""


def _pages(left: Side, right: Side) -> tuple[Matrix, Mask]:
    """The matrix of the pages' likeness, and for which pairs anything is known."""
    return _weighed(
        (CONSTANTS.url, _paths(left.column(_url), right.column(_url))),
        (CONSTANTS.title, _equal_where_known(left.column(_title), right.column(_title))),
        (CONSTANTS.tree, _trees(left.column(_tree), right.column(_tree))),
    )


def _weighed(*parts: tuple[float, Matrix]) -> tuple[Matrix, Mask]:
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


def _equal(left: Column[T], right: Column[T]) -> Matrix:
    """1 where both are the same, else 0."""
    import numpy as np

    numbers = {value: at for at, value in enumerate(left.distinct)}
    there = np.array([numbers.get(value, -1) for value in right.distinct], dtype=np.int64)
    same: Matrix = np.equal.outer(left.which, there[right.which]).astype(np.float64)
    return same


def _equal_where_known(left: Column[str], right: Column[str]) -> Matrix:
    """1 where both are the same, else 0; NaN where one of the two is empty."""
    return _where_both(left, right, _equal(left, right))


def _where_both(left: Column[T], right: Column[T], values: Matrix) -> Matrix:
    """The values, NaN where one of the two is empty."""
    import numpy as np

    return np.where(np.logical_and.outer(left.holds(), right.holds()), values, np.nan)


def _spread(left: Column[T], right: Column[T], values: NDArray[Any]) -> NDArray[Any]:
    """What is told of distinct values, for all pairs of moments."""
    return values[left.which[:, None], right.which]


def _paths(left: Column[str], right: Column[str]) -> Matrix:
    """1 for the same pattern; else the share of the path that is common, at most a half; 0 on other hosts."""
    import numpy as np

    numbers: dict[Hashable, int] = {}

    def prefixes(urls: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        found = np.full((len(urls), CONSTANTS.deepest), -1, dtype=np.int64)
        lengths = np.ones(len(urls), dtype=np.int64)
        for row, url in enumerate(urls):
            parts = url.partition("?")[0].split("/")[: CONSTANTS.deepest]
            lengths[row] = len(parts)
            for at in range(len(parts)):
                found[row, at] = numbers.setdefault(tuple(parts[: at + 1]), len(numbers))
        return found, lengths

    (a, long_a), (b, long_b) = prefixes(left.distinct), prefixes(right.distinct)
    common = np.zeros((len(a), len(b)))
    for at in range(CONSTANTS.deepest):
        common += np.equal.outer(a[:, at], b[:, at]) & (a[:, at] >= 0)[:, None]
    shared = _spread(left, right, 0.5 * common / np.maximum.outer(long_a, long_b))
    return _where_both(left, right, np.maximum(shared, _equal(left, right)))


def _trees(left: Column[frozenset[int]], right: Column[frozenset[int]]) -> Matrix:
    """Jaccard index of the samples of shingles."""
    return _where_both(left, right, _spread(left, right, _jaccard(left.distinct, right.distinct, BUCKETS)))


def _jaccard(left: Sequence[frozenset[int]], right: Sequence[frozenset[int]], width: int) -> Matrix:
    """Of all pairs of sets of numbers below `width`, a multiple of 64, as bits of 64 a word.

    No matrix product: the threads of the library that does those cost more than they gain.
    """
    import numpy as np

    def held(sets: Sequence[frozenset[int]]) -> NDArray[np.uint64]:
        flags = np.zeros((len(sets), width), dtype=bool)
        for row, one in enumerate(sets):
            flags[row, list(one)] = True
        return np.packbits(flags, axis=1).view(np.uint64)

    b = held(right)
    common = np.array([np.bitwise_count(row & b).sum(axis=1) for row in held(left)], dtype=np.float64)
    sizes = (np.array(list(map(len, sets)), dtype=np.float64) for sets in (left, right))
    union = np.add.outer(*sizes) - common
    index: Matrix = np.divide(common, union, out=np.zeros_like(common), where=union > 0)
    return index


class _Bags(msgspec.Struct, frozen=True):
    """Texts by pairs: the words they share, against all of both and against the shorter's."""

    dice: Matrix
    held: Matrix
    clash: Mask
    """Both name numbers, and each one that the other doesn't."""


def _bags(left: Column[str], right: Column[str]) -> _Bags:
    import numpy as np

    a, b = (_Words(side.distinct) for side in (left, right))
    common, figures = (np.zeros((len(left.distinct), len(right.distinct))) for _ in range(2))
    for word in sorted(a.places.keys() & b.places.keys()):
        at = np.ix_(a.places[word], b.places[word])
        common[at] += 1.0
        if is_number(word):
            figures[at] += 1.0
    both, least = np.add.outer(a.weight, b.weight), np.minimum.outer(a.weight, b.weight)
    return _Bags(
        _spread(left, right, np.divide(2 * common, both, out=np.zeros_like(common), where=both > 0)),
        _spread(left, right, np.divide(common, least, out=np.zeros_like(common), where=least > 0)),
        _spread(left, right, figures < np.minimum.outer(a.numbers, b.numbers)),
    )


class _Words:
    """The words of texts: in which texts each is, and per text how many there are and how many numbers."""

    def __init__(self, texts: Sequence[str]) -> None:
        import numpy as np

        said = [sorted(set(words_of(text))) for text in texts]
        self.places: defaultdict[str, list[int]] = defaultdict(list)
        for at, words in enumerate(said):
            for word in words:
                self.places[word].append(at)
        self.weight = np.array(list(map(len, said)), dtype=np.float64)
        self.numbers = np.array([sum(map(is_number, words)) for words in said])


class _Values:
    """How alike values are (`alike`, NaN where neither has one), and whether they may be the same one."""

    def __init__(self, left: Side, right: Side) -> None:
        import numpy as np

        a, b = left.column(_value), right.column(_value)
        self._bags = bags = _bags(a, b)
        equal = _equal(left.column(_canonical_value), right.column(_canonical_value)) > 0
        self._long = np.logical_and.outer(a.holds(_is_long), b.holds(_is_long))
        told = _both(left, right, is_sentence)
        found = _either(left, right, is_search) & ~_both(left, right, _is_part)
        self._sayable = self._long & ~found
        self._holds = told & ~found & (bags.held >= 1 - 1e-9) & (bags.dice >= CONSTANTS.holds)
        self._answers = _both(left, right, _ends)
        lines = _both(left, right, _says) & (bags.held >= CONSTANTS.line_held)
        some_a, some_b = a.holds(), b.holds()
        lacking = np.not_equal.outer(some_a, some_b) & _either(left, right, _may_lack_value)
        self._anyway = equal | lines | lacking
        values = np.where(equal, 1.0, np.minimum(0.9, bags.dice))
        self.alike: Matrix = np.where(np.logical_or.outer(some_a, some_b), values, np.nan)

    def same(self, strictness: float) -> Mask:
        held, enough = self._bags.held, CONSTANTS.value_same + strictness
        said = self._sayable & (self._bags.dice >= enough)
        worded = self._answers & self._long & (held >= CONSTANTS.answer_same + strictness)
        short = self._answers & (held >= enough)
        return self._anyway | worded | ((said | self._holds | short) & ~self._bags.clash)


def _value(moment: Moment) -> str:
    return address(moment.value) or moment.value if moment.verb in ABSOLUTE else moment.value


def _canonical_value(moment: Moment) -> str:
    return canonical(_value(moment)) or _value(moment)


def _is_long(text: str) -> bool:
    return len(set(words_of(text))) >= CONSTANTS.sentence


def _elements(left: Side, right: Side) -> tuple[Matrix, Matrix]:
    """How alike elements are, NaN where neither has one; and how far their names are the same."""
    import numpy as np

    bags = _bags(left.column(_name), right.column(_name))
    equal = np.nan_to_num(_equal_where_known(left.column(_name), right.column(_name)))
    selected = np.nan_to_num(_equal_where_known(left.column(_selector), right.column(_selector)))
    names = np.maximum(np.maximum(equal, selected), np.where(bags.clash, bags.dice / 2, bags.dice))
    for of in (_last_name, _noun, _uncounted):
        if left.column(of).holds().any():
            part = _equal_where_known(left.column(of), right.column(_said_name))
            names = np.maximum(names, np.nan_to_num(part))
        if right.column(of).holds().any():
            part = _equal_where_known(left.column(_said_name), right.column(of))
            names = np.maximum(names, np.nan_to_num(part))
    typed = _both(left, right, _types)
    names = np.where(typed & (bags.held >= CONSTANTS.value_same), 1.0, names)
    neither = ~_either(left, right, _has_element)
    unsaid = _either(left, right, _types_somewhere) & typed & ~neither
    roles = np.nan_to_num(_equal_where_known(left.column(_role), right.column(_role)), nan=1.0)
    likeness = names * np.where(roles > 0, 1.0, CONSTANTS.other_role)
    return (
        np.where(neither | unsaid, np.nan, likeness),
        np.where(neither | unsaid, 1.0, names),
    )


def _has_element(moment: Moment) -> bool:
    return bool(moment.element or moment.selector)


def _types_somewhere(moment: Moment) -> bool:
    """It types, and tells no field by its name."""
    named = moment.selector or (moment.element and canonical(moment.element[1]))
    return moment.verb == "type" and not named
