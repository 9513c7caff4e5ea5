"""Every weight and threshold of the alignment, each with what it stands for.

What each buys on the labelled pairs for tuning: `python -m tests.performance alignment --ablation`.
"""

from __future__ import annotations

import msgspec


class Constants(msgspec.Struct, frozen=True, kw_only=True):
    """Likenesses and shares are from 0 to 1; costs are whole, 10,000 a unit; the rest are counts.

    Attributes:
        mismatch: cost of two moments in a row that are not at all alike.
        gap_open, gap_extend: cost of leaving a run of steps without partners, and of each of them.
        page: weight of the page beside the action.
        url, title, tree: weights of what a page is told by.
        verb, element, value: weights of what an action is told by.
        deepest: parts of an address that are compared.
        page_same: likeness from which two known pages may be one.
        name_same, value_same, prose_same: shares of common words from which names, values and sentences say
            the same.
        told_name: share of a name's words that general words tell if they may mean it.
        read_same: the same for what two readings are of.
        holds: share of common words from which a value that holds another one says the same.
        answer_same: share of the shorter answer's words from which two in sentences say the same.
        line_held: share of the shorter line's words from which a longer one of a chat says the same: it
            holds the task.
        sentence: words from which a value is free text, which may be said in other words.
        empty, full: shingles of a page with all but nothing on it, at most, and of one with something, at
            least.
        other_role: likeness of elements of one name and two roles: records name roles in their own ways.
        same: likeness of the same act, at least.
        others: likeness of two different acts, at most.
        unequal: likeness of the same act with another outcome.
        vague: likeness of an act and one told in general words that may be it, at least.
        reading: likeness of two steps that only read, at least.
        ending: likeness of two answers, at least; an answer stands in no row with an act, and neither does a
            reading.
        telling_name: words of a name that is hardly found on two pages.
        telling_stretch: acts that are hardly the same in a row on two pages.
        filled: acts before a sending among which one fills a field, so that what is sent lasts.
        strictness: what a stricter reading adds to the shares of words that are asked for, and a looser one
            takes away.
    """

    mismatch: int = 16_000
    gap_open: int = 2_500
    gap_extend: int = 3_500
    page: float = 0.5
    url: float = 0.4
    title: float = 0.2
    tree: float = 0.4
    verb: float = 0.2
    element: float = 0.5
    value: float = 0.3
    deepest: int = 12
    page_same: float = 0.4
    name_same: float = 0.67
    value_same: float = 0.5
    prose_same: float = 0.5
    told_name: float = 0.6
    read_same: float = 0.2
    holds: float = 0.4
    answer_same: float = 0.3
    line_held: float = 0.9
    sentence: int = 4
    empty: int = 3
    full: int = 20
    other_role: float = 0.9
    same: float = 0.85
    others: float = 0.8
    unequal: float = 0.7
    vague: float = 0.6
    reading: float = 0.5
    ending: float = 0.5
    telling_name: int = 3
    telling_stretch: int = 4
    filled: int = 3
    strictness: float = 0.15


CONSTANTS = Constants()
