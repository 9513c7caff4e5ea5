"""What an agent may not do unless a person confirms it: rules over words of a page and over addresses.

A rule is written "NAME: REGULAR EXPRESSION"; the defaults are in `settings.guard_defaults`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import unquote

import msgspec

from webbench.core.errors import BadData

LONGEST = 2_000
"""Characters of a text that are looked at."""
_ROUNDS = 3


class Rule(msgspec.Struct, frozen=True):
    """What matches the pattern falls under the rule of this name."""

    name: str
    pattern: re.Pattern[str]


@lru_cache(maxsize=16)
def read_rules(written: tuple[str, ...]) -> tuple[Rule, ...]:
    """Raises `BadData` for one that has no name, or whose expression is none."""
    return tuple(map(_read, written))


def _read(written: str) -> Rule:
    name, colon, expression = written.partition(":")
    if not (colon and name.strip() and expression.strip()):
        raise BadData(f'The guard\'s rule "{written[:80]}" has no name', 'write "purchase: buy now|pay now"')
    try:
        return Rule(name.strip(), re.compile(expression.strip(), re.IGNORECASE))
    except re.error as error:
        raise BadData(f'The guard\'s rule "{name.strip()}" is no regular expression: {error}') from error


def broken(rules: Iterable[Rule], text: str) -> str:
    """Name of the first rule that a normalised text falls under, or ""."""
    return next((rule.name for rule in rules if rule.pattern.search(text)), "")


def plain_words(text: str) -> str:
    """Words as a person reads them: without invisible signs, look-alike widths and repeated blanks."""
    kept = "".join(
        sign
        for sign in unicodedata.normalize("NFKC", text[:LONGEST])
        if unicodedata.category(sign) not in ("Cf", "Cc") or sign.isspace()
    )
    return " ".join(kept.split()).casefold()


def plain_address(url: str) -> str:
    """Path and query of an address with its escapes undone, and doubled or backward slashes made one."""
    _, _, rest = url[:LONGEST].partition("://")
    path = "/" + rest.partition("/")[2]
    for _ in range(_ROUNDS):
        path = unquote(path)
    return re.sub(r"[/\\]+", "/", path.partition("#")[0]).casefold()
