"""What a text says, whatever the words: stems without fillers, numbers and dates in one form.

Only words and a small written-down table; no model and no network. Texts are told apart by their words'
weight: a word that every step has says less than one that a single step has.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache


def word_set(words: str) -> frozenset[str]:
    """The words of a written-down list."""
    return frozenset(words.split())


FILLERS = word_set(
    "a an the and or of for to in into on onto at by from with within under below above over near "
    "between beside is are be was were it its this that these those there here your you our we i my will "
    "which as then so if when where until up down all any some each also just only not s t following "
    "corresponding appropriate desired directly located labeled labelled called named bolded "
    "desired relevant matching matched displayed shown resulting appears appear"
)
"""Words that say nothing of what a step is about."""
CONTROLS = word_set(
    "button link tab option menu submenu dropdown box textbox texbox checkbox searchbox textarea combobox "
    "field bar sidebar icon image page screen section popup pop window dialog heading row column table "
    "header footer "
    "panel list item input area form toggle switch radio label text left right top bottom middle side corner "
    "hand center centre upper lower topmost drop gray grey blue red white black green orange yellow purple "
    "dark light small large empty click clicked required optional arrow symbol placeholder"
)
"""Words for kinds of controls, their places and colours: two people tell one control in other ones."""
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
SYNONYMS = {
    "repo": "repository",
    "repos": "repository",
    "pic": "image",
    "catalogue": "catalog",
    "magnifying": "search",
    "magnifier": "search",
    "glass": "search",
    "mail": "email",
    "e-mail": "email",
    "sign": "log",
    "login": "log",
    "wishlist": "wish",
    "signin": "log",
    "id": "number",
    "no": "number",
    "forward": "next",
    "forwards": "next",
    "advance": "next",
    **{word: f"{number}th" for number, word in enumerate(_ORDINALS, 1)},
    "1st": "1th",
    "2nd": "2th",
    "3rd": "3th",
}
LONGEST_STEM = 8
"""Letters that count: names that are misspelt or garbled at their end stay the same."""
SHORTEST_STEM = 3
_WORD = re.compile(r"[^\W_]+")
_DATE = re.compile(r"\b(\d{1,4})[/.-](\d{1,2})[/.-](\d{1,4})\b")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_ENDINGS = ("ations", "ation", "ments", "ment", "ings", "ing", "ies", "edly", "ed", "es", "s", "e", "y")


@lru_cache(maxsize=65536)
def words_of(text: str) -> tuple[str, ...]:
    """Stems of the words that carry meaning, in order; numbers without leading zeros, dates in one form.

    >>> words_of("Click the blue “Orders” button for order 000000161")
    ('ord', 'ord', '161')
    """
    folded = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(letter for letter in folded if not unicodedata.combining(letter))
    dated = _DATE.sub(_dated, _THOUSANDS.sub("", plain))
    said = [_one(word) for word in _WORD.findall(dated)]
    return tuple(word for word in said if word)


def is_number(word: str) -> bool:
    """Whether a word of `words_of` is a number, or a date."""
    return word[0].isdigit()


def canonical(text: str) -> str:
    """Texts with the same meaning-carrying words in the same order are the same; "" for fillers alone."""
    return " ".join(words_of(text))


def _dated(found: re.Match[str]) -> str:
    """Month first, as the sites of the field write it, unless it can't be; as one word."""
    one, two, three = (int(part) for part in found.groups())
    year, month, day = (one, two, three) if len(found[1]) == 4 else (three, one, two)
    if month > 12:
        month, day = day, month
    year += 2000 if year < 100 else 0
    return f" {year}d{month:02}d{day:02} "


def _one(word: str) -> str:
    if word.isdigit():
        return word.lstrip("0") or "0"
    if word[0].isdigit():
        return word
    if word in FILLERS or word in CONTROLS:
        return ""
    return _stem(SYNONYMS.get(word, word))


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_STEM:
            word = word.removesuffix(ending)
            break
    return word[:LONGEST_STEM]
