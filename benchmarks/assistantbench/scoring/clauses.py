"""Which clause of the rules makes two scores of the same answer differ."""

from __future__ import annotations

import math

import msgspec

from webbench.benchmarks.assistantbench.scoring.alignment import LISTS_NAME
from webbench.benchmarks.assistantbench.scoring.compare_answers import NUMBERS_NAME, TEXTS_NAME
from webbench.benchmarks.assistantbench.scoring.dictionaries import PAIR_NAME, VALUE_NAME
from webbench.benchmarks.assistantbench.scoring.numbers import has_thousands, plain_number
from webbench.benchmarks.assistantbench.scoring.question import JSON, NUMBER, Question, as_json
from webbench.benchmarks.assistantbench.scoring.rules import (
    BLANK,
    CONSTANTS,
    GUARD,
    ITEMS,
    JSON_GOLD,
    LINES,
    LISTS,
    LOGARITHM,
    LONE,
    NUMBER_TEXT,
    OTHER,
    PAIRING,
    SIGN,
    UNLIKE,
    VALUES,
)
from webbench.core.score.score import Check

BETWEEN = " · "
"""Between several clauses of one check."""


def with_clauses(published: Question, paper: Question) -> tuple[Check, Check]:
    """The checks of both, with the clauses named where the two differ."""
    first, second = published.explain(), paper.explain()
    if _same(first, second):
        return first, second
    clause = _reading_clause(published, paper)
    if clause:
        return with_clause(first, clause), with_clause(second, clause)
    return _marked(first, second), _marked(second, first)


def with_clause(check: Check, clause: str) -> Check:
    return msgspec.structs.replace(check, clause=clause)


def clause_of_failure(paper: Question) -> str:
    """The clause on which the published code fails, told from how the paper's rules read the answer."""
    value = as_json(paper.prediction)
    items = value if isinstance(value, list) else [value]
    if any(item is None or isinstance(item, bool) for item in items):
        return CONSTANTS
    if paper.gold.kind == JSON:
        return VALUES
    if isinstance(value, dict):
        return UNLIKE
    if isinstance(value, list):
        return LONE if paper.gold.kind == NUMBER else OTHER
    return NUMBER_TEXT if isinstance(value, str) else SIGN


def _reading_clause(published: Question, paper: Question) -> str:
    """Why gold or answer are read differently, "" where they aren't."""
    if published.gold.kind != paper.gold.kind:
        if published.gold.kind == JSON:
            return JSON_GOLD
        return NUMBER_TEXT if NUMBER in (published.gold.kind, paper.gold.kind) else OTHER
    theirs, ours = published.answer.value, paper.answer.value
    if published.answer.given != paper.answer.given:
        return BLANK if isinstance(theirs, str) else CONSTANTS
    if isinstance(theirs, tuple) or (isinstance(theirs, list) and not isinstance(ours, list)):
        return LONE
    if isinstance(theirs, str) and isinstance(ours, list):
        return LINES
    if isinstance(theirs, list) and isinstance(ours, list) and len(theirs) != len(ours):
        return LINES
    return ""


def _marked(mine: Check, other: Check) -> Check:
    if _same(mine, other):
        return mine
    alike = [check.target for check in mine.checks] == [check.target for check in other.checks]
    if not mine.checks or not alike:
        return with_clause(mine, _leaf_clause(mine, other))
    checks = tuple(_marked(one, two) for one, two in zip(mine.checks, other.checks, strict=True))
    named = dict.fromkeys(part for check in checks if check.clause for part in check.clause.split(BETWEEN))
    return msgspec.structs.replace(mine, checks=checks, clause=BETWEEN.join(named))


def _leaf_clause(mine: Check, other: Check) -> str:
    names = {mine.name, other.name}
    if NUMBERS_NAME in names:
        return _number_clause(mine, alone=names == {NUMBERS_NAME})
    if names == {TEXTS_NAME}:
        return GUARD
    if names & {PAIR_NAME, VALUE_NAME, "dictionaries"}:
        return VALUES
    if LISTS_NAME not in names:
        return OTHER
    if not mine.actual and not mine.expected:
        return LISTS
    return PAIRING if mine.checks and other.checks else ITEMS


def _number_clause(check: Check, *, alone: bool) -> str:
    numbers = [plain_number(check.actual), plain_number(check.expected)]
    commas = has_thousands(check.actual) or has_thousands(check.expected)
    if not alone or commas or None in numbers:
        return NUMBER_TEXT
    return LOGARITHM if all(number is not None and number > 0 for number in numbers) else SIGN


def _same(mine: Check, other: Check) -> bool:
    if mine.value is None or other.value is None:
        return mine.value is other.value
    return mine.value == other.value or math.isclose(mine.value, other.value, abs_tol=1e-9)
