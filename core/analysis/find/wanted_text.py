"""Wanted text: what a person types to find something, as an expression of SQLite's FTS5.

Every word and phrase is handed over in quotation marks, so nothing that is typed can be a syntax error, name
a column or become SQL.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

import msgspec

from webbench.core.errors import UsageError
from webbench.core.text.plural import counted

LONGEST = 2_000
"""Characters of what is typed."""
MOST_WORDS = 100
DEEPEST = 10
"""Parentheses in each other; FTS5 has a bound, too."""

AND, OR, NOT = "AND", "OR", "NOT"
_PARTS = re.compile(r'"(?P<phrase>[^"]*)"(?P<star>\*?)|(?P<bracket>[()])|(?P<word>[^\s()"]+)|"')
_TOKENS = re.compile(r"[^\W_]+")
_ONE_BY_ONE = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
"""Letters of languages that put no blanks between words: each is looked for by itself."""


class Phrase(msgspec.Struct, frozen=True):
    """Words that have to follow each other; with `prefix` the last one may go on."""

    text: str
    prefix: bool = False

    @property
    def expression(self) -> str:
        quoted = spaced(self.text).replace('"', '""')
        return f'"{quoted}"{" *" if self.prefix else ""}'


class WantedText(msgspec.Struct, frozen=True, kw_only=True):
    """What is looked for.

    Attributes:
        expression: for FTS5; it also tells a person how their text was read.
        phrases: those that a text may be found by, to mark where it was.
    """

    expression: str
    phrases: tuple[Phrase, ...]

    def place_in(self, text: str) -> tuple[int, int]:
        """What to mark in a text: all phrases behind each other, else the longest of those that stand in it.

        Its place and its length; (0, 0) where there is none.
        """
        folded = fold(text)
        *first, last = self.phrases
        together = Phrase(" ".join(one.text for one in self.phrases), last.prefix)
        by_length = sorted((*first, last), key=lambda one: len(one.text), reverse=True)
        for phrase in (together, *by_length):
            if match := _pattern(phrase).search(folded):
                return match.start(), match.end() - match.start()
        return 0, 0


def wanted_text(typed: str) -> WantedText:
    """Read what was typed.

    All words have to occur; `"..."` is a phrase, `wor*` any word that begins so, and `AND`, `OR`, `NOT` in
    capitals with parentheses do what they say. What is no such expression is taken word by word.

    Raises `UsageError` where there is no word in it, or too many.
    """
    if len(typed) > LONGEST:
        raise UsageError(f"A text of {len(typed):,} characters is too long to look for", "look for less")
    parts = list(_lexed(typed))
    words = [part for part in parts if isinstance(part, Phrase)]
    if len(words) > MOST_WORDS:
        raise UsageError(
            f"{counted(len(words), 'word')} are too many to look for", f"give at most {MOST_WORDS}"
        )
    try:
        expression, phrases = _Reading(parts).whole()
    except _NoExpression:
        phrases = [one if isinstance(one, Phrase) else Phrase(one) for one in parts if one not in ("(", ")")]
        expression = _joined(AND, [one.expression for one in phrases])
    if not phrases:
        raise UsageError("There is no word to look for", "give a letter or a digit at least")
    return WantedText(expression=expression, phrases=tuple(phrases))


def spaced(text: str) -> str:
    """With blanks around letters of languages that write none between words."""
    return text if text.isascii() else _ONE_BY_ONE.sub(r" \g<0> ", text)


def fold(text: str) -> str:
    """Without case and accents, letter by letter, so that places stay what they are."""
    return text.lower() if text.isascii() else "".join(map(_folded, text))


def _folded(letter: str) -> str:
    return unicodedata.normalize("NFD", letter)[0].lower()[0]


def _lexed(typed: str) -> Iterator[Phrase | str]:
    """Phrases, operators and brackets in order; what holds no letter and no digit is left out."""
    for match in _PARTS.finditer(_harmless(typed)):
        phrase, word = match["phrase"], match["word"]
        if match["bracket"] or word in (AND, OR, NOT):
            yield match[0]
        elif phrase is not None:
            if _has_letters(phrase):
                yield Phrase(phrase, bool(match["star"]))
        elif word and _has_letters(word):
            yield Phrase(word.rstrip("*"), word.endswith("*"))


def _harmless(typed: str) -> str:
    """Without what SQLite takes for an end, or can't take at all."""
    return typed.replace("\0", " ").encode("utf-8", "replace").decode()


def _has_letters(text: str) -> bool:
    return any(unicodedata.category(one)[0] in "LN" for one in text)


def _pattern(phrase: Phrase) -> re.Pattern[str]:
    tokens = [re.escape(one) for one in _TOKENS.findall(spaced(fold(phrase.text)))]
    by_one = bool(_ONE_BY_ONE.search(phrase.text))
    before, after = ("", "") if by_one else (r"(?<![^\W_])", r"(?![^\W_])")
    between = r"[\W_]*" if by_one else r"[\W_]+"
    return re.compile(before + between.join(tokens) + (r"[^\W_]*" if phrase.prefix else after))


class _NoExpression(Exception):
    """An operator without its operand, or a parenthesis without its partner."""


class _Reading:
    """Recursive descent: OR binds least, then AND and mere neighbourhood, then NOT."""

    def __init__(self, parts: Sequence[Phrase | str]) -> None:
        self._parts = parts
        self._at = 0
        self._depth = 0
        self._phrases: list[Phrase] = []

    def whole(self) -> tuple[str, list[Phrase]]:
        if not self._parts:
            return "", []
        expression = self._any()
        if self._next() is not None:
            raise _NoExpression
        return expression, self._phrases

    def _next(self) -> Phrase | str | None:
        return self._parts[self._at] if self._at < len(self._parts) else None

    def _any(self) -> str:
        found = [self._all()]
        while self._next() == OR:
            self._at += 1
            found.append(self._all())
        return _joined(OR, found)

    def _all(self) -> str:
        found = [self._one_without()]
        while (following := self._next()) not in (None, OR, ")"):
            self._at += following == AND
            found.append(self._one_without())
        return _joined(AND, found)

    def _one_without(self) -> str:
        found = [self._one()]
        while self._next() == NOT:
            self._at += 1
            kept = len(self._phrases)
            found.append(self._one())
            del self._phrases[kept:]
        return _joined(NOT, found)

    def _one(self) -> str:
        part = self._next()
        self._at += 1
        if isinstance(part, Phrase):
            self._phrases.append(part)
            return part.expression
        if part != "(" or self._depth == DEEPEST:
            raise _NoExpression
        self._depth += 1
        inner = self._any()
        if self._next() != ")":
            raise _NoExpression
        self._at += 1
        self._depth -= 1
        return inner


def _joined(operator: str, operands: Sequence[str]) -> str:
    if len(operands) == 1:
        return operands[0]
    return f"({f' {operator} '.join(operands)})"
