"""Rows of a score: headline, checks with what was found and wanted, what differs under other rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from webbench.core.score.explanation import (
    EXPECTED,
    RULES_DIFFER,
    CheckWords,
    check_words,
    counted_words,
    interval_words,
    outcome,
    value_words,
)
from webbench.core.score.score import Check, Score
from webbench.core.text.plain_text import plain_text
from webbench.tui.widgets.lines.glyphs import Glyphs, outcome_sign, status_sign
from webbench.tui.widgets.lines.line import wrap

VALUE_LIMIT = 600
LABEL_WIDTH = len(EXPECTED) + 1
OPEN_UP_TO = 3
"""So many checks that did not pass are unfolded unasked, and only where no more of them stand below."""


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """`pieces` are (text, part) from the left, `figure` stands at the right edge; `key` names the fold."""

    pieces: tuple[tuple[str, str], ...]
    figure: tuple[str, str] | None = None
    key: str = ""
    depth: int = 0
    foldable: bool = False
    open: bool = False
    changed: bool = False


@dataclass(slots=True)
class ScoreRows:
    """Builds the rows for a width; `folds` holds what a person opened (True) or closed (False)."""

    width: int
    glyphs: Glyphs
    folds: Mapping[str, bool] = field(default_factory=dict)
    before: Mapping[str, object] = field(default_factory=dict)
    _open_unasked: bool = False

    def rows(self, score: Score) -> list[ScoreRow]:
        self._open_unasked = sum(not passed(check) for check in score.checks) <= OPEN_UP_TO
        return list(self._score(score))

    def _score(self, score: Score) -> Iterator[ScoreRow]:
        sign, part = status_sign(score.status, score.value, self.glyphs)
        headline = value_words(score.value, score.status)
        yield ScoreRow(
            ((f"{sign} ", part), (headline, part), (f"  {plain_text(score.rules, limit=40)} rules", "muted")),
            key="score",
        )
        yield from self._text("", score.how, "name", indent=2)
        yield from self._text("", interval_words(score), "pending", indent=2)
        if score.checks:
            yield ScoreRow(((f"  {counted_words(score.checks)}", "muted"),))
        for key, check in keyed(score.checks):
            yield from self._check(check, key, 0)
        for name, value in score.metrics.items():
            yield ScoreRow(((f"  {plain_text(name, limit=60)}", "muted"),), (value_words(value), "value"))
        for loophole in score.loopholes:
            yield from self._text("beware", f"{loophole.text} ({loophole.source})", "clause", indent=2)
        for other in score.beside:
            yield from self._beside(other, score)

    def _check(self, check: Check, key: str, depth: int) -> Iterator[ScoreRow]:
        words = check_words(check)
        sign, part = outcome_sign(words.outcome, self.glyphs)
        open_unasked = self._open_unasked and check.counted and not passed(check)
        opened = self.folds.get(key, open_unasked and len(check.checks) <= OPEN_UP_TO)
        name = plain_text(words.target, limit=80)
        by = f" {plain_text(words.name, limit=60)}" if words.name != words.target else ""
        why = f"  {plain_text(words.why, limit=120)}" if check.checks and not opened else ""
        changed = key in self.before and self.before[key] != _result(check) if self.before else False
        yield ScoreRow(
            ((f"{sign} ", part), (name, "name"), (by, "muted"), (why, "value")),
            (words.value, part),
            key,
            depth,
            foldable=True,
            open=opened,
            changed=changed,
        )
        if opened:
            yield from self._details(words, depth)
            for inner_key, inner in keyed(check.checks, key):
                yield from self._check(inner, inner_key, depth + 1)

    def _details(self, check: CheckWords, depth: int) -> Iterator[ScoreRow]:
        indent = 4 + 2 * depth
        yield from self._text("", check.combination, "name", indent)
        yield from self._text("actual", check.actual, "value", indent)
        yield from self._text(self.glyphs.arrow, check.normalised, "value", indent)
        for number, one in enumerate(check.expected):
            yield from self._text("or" if number else EXPECTED, one, "expected", indent)
        yield from self._text("why", check.why, "muted", indent)
        yield from self._text(RULES_DIFFER, check.clause, "clause", indent)

    def _beside(self, other: Score, score: Score) -> Iterator[ScoreRow]:
        key = f"beside {other.rules}"
        opened = self.folds.get(key, False)
        sign, part = status_sign(other.status, other.value, self.glyphs)
        pieces = (
            (f"{sign} ", part),
            (f"{plain_text(other.rules, limit=40)} rules", "name"),
            (" beside", "muted"),
        )
        yield ScoreRow(
            pieces, (value_words(other.value, other.status), part), key, foldable=True, open=opened
        )
        if not opened:
            return
        yield from self._text("", other.combination or other.reason, "muted", 4)
        mine = dict(keyed(score.checks))
        for check_key, check in keyed(other.checks):
            same = check_key in mine and _result(mine[check_key]) == _result(check)
            if not same:
                here = check_words(mine[check_key]).value if check_key in mine else "absent"
                there = check_words(check)
                name = plain_text(there.target, limit=60)
                words = f"{name}: {here} here, {there.value} there"
                yield from self._text("", words, "clause", 4)

    def _text(self, label: str, text: str, part: str, indent: int) -> Iterator[ScoreRow]:
        """A labelled text wrapped into as many rows as it needs."""
        if not text:
            return
        column = indent + (max(LABEL_WIDTH, len(label) + 1) if label else 0)
        for number, line in enumerate(
            wrap(plain_text(text, limit=VALUE_LIMIT), max(8, self.width - column - 1), 8)
        ):
            head = f"{'':{indent}}{label if number == 0 else '':<{column - indent}}"
            yield ScoreRow(((head, "muted"), (line, part)))


def keyed(checks: tuple[Check, ...], above: str = "") -> Iterator[tuple[str, Check]]:
    """Checks with a key that stays the same from step to step."""
    seen: dict[str, int] = {}
    for check in checks:
        base = f"{above}/{check.target or check.name}"
        seen[base] = seen.get(base, 0) + 1
        yield (base if seen[base] == 1 else f"{base}#{seen[base]}"), check


def results(score: Score | None) -> dict[str, object]:
    """What every check came to, by key; compared with the next score's to tell what changed."""
    found: dict[str, object] = {}

    def walk(checks: tuple[Check, ...], above: str) -> None:
        for key, check in keyed(checks, above):
            found[key] = _result(check)
            walk(check.checks, key)

    if score is not None:
        walk(score.checks, "")
    return found


def _result(check: Check) -> object:
    """Status and value; the value as text, because what is not a number equals nothing."""
    return check.status, repr(check.value)


def passed(check: Check) -> bool:
    return outcome(check.value, check.status) == "passed"
