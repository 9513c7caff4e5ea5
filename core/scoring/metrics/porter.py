"""Porter's stemmer with the extensions of NLTK, which published ROUGE figures are computed with.

M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980. The extensions are a few
irregular words, "ies"/"ied" in short words, "-alli", "-fulli", "-logi", a stricter "y" to "i" rule and
a short form of the consonant-vowel-consonant test.

NLTK's own gives the same stems, but importing it takes 2.6 s of processor time.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise

_IRREGULAR = {
    "skies": "sky",
    "sky": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "innings": "inning",
    "inning": "inning",
    "outings": "outing",
    "outing": "outing",
    "cannings": "canning",
    "canning": "canning",
}
_IRREGULAR |= {word: word for word in ("news", "howe", "proceed", "exceed", "succeed")}

_STEP_2 = (
    "ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e ousli:ous "
    "ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive "
    "biliti:ble fulli:ful"
)
_STEP_3 = "icate:ic ative: alize:al iciti:ic ical:ic ful: ness:"
_STEP_4 = "al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize"


def _table(rules: str) -> tuple[tuple[str, str], ...]:
    return tuple(
        (suffix, replacement) for suffix, _, replacement in (r.partition(":") for r in rules.split())
    )


_STEP_2_RULES = _table(_STEP_2)
_STEP_3_RULES = _table(_STEP_3)
_STEP_4_RULES = _table(_STEP_4)


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem of a lower-case word."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 2:
        return word
    word = _final_y(_past_and_gerund(_plural(word)))
    word = _double_suffix(word)
    word = _strip(word, _STEP_3_RULES, lambda base: _measure(base) > 0)
    word = _strip(word, _STEP_4_RULES, _long_enough_for_step_4(word))
    return _final_l(_final_e(word))


def _consonants(word: str) -> list[bool]:
    """For each letter whether it is a consonant; "y" is one at the start and after a vowel."""
    kinds: list[bool] = []
    for letter in word:
        if letter == "y":
            kinds.append(not kinds or not kinds[-1])
        else:
            kinds.append(letter not in "aeiou")
    return kinds


def _measure(word: str) -> int:
    """How often a vowel is followed by a consonant."""
    kinds = _consonants(word)
    return sum(not before and after for before, after in pairwise(kinds))


def _ends_short(word: str) -> bool:
    """Ends consonant-vowel-consonant (the last not w, x or y), or is vowel-consonant altogether."""
    kinds = _consonants(word)
    if len(word) == 2:
        return kinds == [False, True]
    return kinds[-3:] == [True, False, True] and word[-1] not in "wxy"


def _strip(word: str, rules: tuple[tuple[str, str], ...], allowed: Callable[[str], bool]) -> str:
    """Replace the first suffix that fits, if its stem allows it; later suffixes aren't tried."""
    for suffix, replacement in rules:
        if word.endswith(suffix):
            base = word[: len(word) - len(suffix)]
            return base + replacement if allowed(base) else word
    return word


def _plural(word: str) -> str:
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def _past_and_gerund(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        base = word.removesuffix(suffix)
        if base != word and not all(_consonants(base)):
            return _repaired(base)
    return word


def _repaired(base: str) -> str:
    """A stem after "-ed" or "-ing" was taken off: "hop(p)", "fil(e)", "conflat(e)"."""
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if len(base) >= 2 and base[-1] == base[-2] and _consonants(base)[-1]:
        return base if base[-1] in "lsz" else base[:-1]
    return base + "e" if _measure(base) == 1 and _ends_short(base) else base


def _final_y(word: str) -> str:
    if word.endswith("y") and len(word) > 2 and _consonants(word)[-2]:
        return word[:-1] + "i"
    return word


def _double_suffix(word: str) -> str:
    if word.endswith("alli") and _measure(word[:-4]) > 0:
        return _double_suffix(word[:-2])
    if word.endswith("logi"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    return _strip(word, _STEP_2_RULES, lambda base: _measure(base) > 0)


def _long_enough_for_step_4(word: str) -> Callable[[str], bool]:
    def allowed(base: str) -> bool:
        taken = word[len(base) :]
        return _measure(base) > 1 and (taken != "ion" or base.endswith(("s", "t")))

    return allowed


def _final_e(word: str) -> str:
    if not word.endswith("e"):
        return word
    base = word[:-1]
    measure = _measure(base)
    return base if measure > 1 or (measure == 1 and not _ends_short(base)) else word


def _final_l(word: str) -> str:
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
