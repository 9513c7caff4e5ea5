"""A score as rows: headline, checks with what was found and wanted, what differs under other rules."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from webbench.core.json_types import Json
from webbench.core.plain_text import plain_text
from webbench.core.plural import counted
from webbench.core.score import Check, Score, Status
from webbench.tui.widgets.glyphs import Glyphs
from webbench.tui.widgets.line import wrap

VALUE_LIMIT = 600
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
        headline = figure(score.value) if score.status is Status.SCORED else status_words(score.status)
        yield ScoreRow(
            ((f"{sign} ", part), (headline, part), (f"  {plain_text(score.rules, limit=40)} rules", "muted")),
            key="score",
        )
        yield from self._text("", score.combination or score.reason, "name", indent=2)
        if score.interval is not None:
            lowest, highest = score.interval
            yield from self._text("", f"can still become {lowest:.3f} to {highest:.3f}", "pending", indent=2)
        if score.checks:
            count = sum(check.counted for check in score.checks)
            left_out = len(score.checks) - count
            words = f"{count} of {counted(len(score.checks), 'check')} count{'s' if count == 1 else ''}" + (
                f", {left_out} left out" if left_out else ""
            )
            yield ScoreRow(((f"  {words}", "muted"),))
        for key, check in keyed(score.checks):
            yield from self._check(check, key, 0)
        for name, value in score.metrics.items():
            yield ScoreRow(((f"  {plain_text(name, limit=60)}", "muted"),), (figure(value), "value"))
        for loophole in score.loopholes:
            yield from self._text("beware", f"{loophole.text} ({loophole.source})", "clause", indent=2)
        for other in score.beside:
            yield from self._beside(other, score)

    def _check(self, check: Check, key: str, depth: int) -> Iterator[ScoreRow]:
        sign, part = check_sign(check, self.glyphs)
        open_unasked = self._open_unasked and check.counted and not passed(check)
        opened = self.folds.get(key, open_unasked and len(check.checks) <= OPEN_UP_TO)
        name = plain_text(check.target or check.name, limit=80)
        extra = f" {plain_text(check.name, limit=60)}" if check.target and check.name != check.target else ""
        shown = figure(check.value) if check.status is Status.SCORED else status_words(check.status)
        if not check.counted:
            shown = "left out" if check.status is not Status.SCORED else f"({shown})"
        told = f"  {plain_text(check.why, limit=120)}" if check.checks and not opened else ""
        changed = key in self.before and self.before[key] != outcome(check) if self.before else False
        yield ScoreRow(
            ((f"{sign} ", part), (name, "name"), (extra, "muted"), (told, "value")),
            (shown, part),
            key,
            depth,
            foldable=True,
            open=opened,
            changed=changed,
        )
        if opened:
            yield from self._details(check, depth)
            for inner_key, inner in keyed(check.checks, key):
                yield from self._check(inner, inner_key, depth + 1)

    def _details(self, check: Check, depth: int) -> Iterator[ScoreRow]:
        indent = 4 + 2 * depth
        yield from self._text("", f"= {check.combination}" if check.combination else "", "name", indent)
        if check.actual is not None or check.status is Status.SCORED:
            yield from self._text("actual", value_text(check.actual), "value", indent)
        if check.normalised is not None and check.normalised != check.actual:
            yield from self._text(self.glyphs.arrow, value_text(check.normalised), "value", indent)
        if check.expected is not None:
            for number, line in enumerate(expected_lines(check.expected)):
                yield from self._text("wanted" if number == 0 else "or", line, "expected", indent)
        yield from self._text("why", check.why, "muted", indent)
        yield from self._text("differs", check.clause, "clause", indent)

    def _beside(self, other: Score, score: Score) -> Iterator[ScoreRow]:
        key = f"beside {other.rules}"
        opened = self.folds.get(key, False)
        sign, part = status_sign(other.status, other.value, self.glyphs)
        pieces = (
            (f"{sign} ", part),
            (f"{plain_text(other.rules, limit=40)} rules", "name"),
            (" beside", "muted"),
        )
        shown = figure(other.value) if other.status is Status.SCORED else status_words(other.status)
        yield ScoreRow(pieces, (shown, part), key, foldable=True, open=opened)
        if not opened:
            return
        yield from self._text("", other.combination or other.reason, "muted", 4)
        mine = dict(keyed(score.checks))
        for check_key, check in keyed(other.checks):
            same = check_key in mine and outcome(mine[check_key]) == outcome(check)
            if not same:
                was = figure(mine[check_key].value) if check_key in mine else "absent"
                name = plain_text(check.target or check.name, limit=60)
                words = f"{name}: {was} here, {figure(check.value)} there"
                yield from self._text("", words, "clause", 4)

    def _text(self, label: str, text: str, part: str, indent: int) -> Iterator[ScoreRow]:
        """A labelled text wrapped into as many rows as it needs."""
        if not text:
            return
        column = indent + (8 if label else 0)
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


def outcomes(score: Score | None) -> dict[str, object]:
    """What every check came to, by key; compared with the next score's to tell what changed."""
    found: dict[str, object] = {}

    def walk(checks: tuple[Check, ...], above: str) -> None:
        for key, check in keyed(checks, above):
            found[key] = outcome(check)
            walk(check.checks, key)

    if score is not None:
        walk(score.checks, "")
    return found


def outcome(check: Check) -> object:
    """Status and value; the value as text, because what is not a number equals nothing."""
    return check.status, repr(check.value)


def passed(check: Check) -> bool:
    return check.status is Status.SCORED and check.value is not None and check.value >= 1


def figure(value: float | None) -> str:
    return "not defined" if value is None else f"{value:.3f}"


def status_words(status: Status) -> str:
    return status.value.replace("_", " ")


def status_sign(status: Status, value: float | None, glyphs: Glyphs) -> tuple[str, str]:
    """Sign and part for a status; a number between 0 and 1 is neither passed nor failed."""
    if status is Status.PENDING:
        return glyphs.pending, "pending"
    if status is Status.NOT_SCORED:
        return glyphs.skipped, "skipped"
    if status is Status.ERROR or value is None:
        return glyphs.trouble, "trouble"
    if value >= 1:
        return glyphs.passed, "passed"
    return (glyphs.partial, "partial") if value > 0 else (glyphs.failed, "failed")


def check_sign(check: Check, glyphs: Glyphs) -> tuple[str, str]:
    if not check.counted and check.status is Status.SCORED:
        return glyphs.skipped, "skipped"
    return status_sign(check.status, check.value, glyphs)


def value_text(value: Json) -> str:
    """A JSON value in one line; text stands in quotes, so that nothing looks like something."""
    if value is None:
        return "(nothing)"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return json.dumps(value, ensure_ascii=False, default=str)


def expected_lines(expected: Json) -> list[str]:
    """What was wanted, one line per alternative: labels with votes, a list of values, or one value."""
    if isinstance(expected, list) and expected:
        return [label_text(entry) for entry in expected]
    return [value_text(expected)]


def label_text(entry: Json) -> str:
    """A label with its votes (`{"label": …, "votes": n}` or `[label, n]`), or any other value."""
    if isinstance(entry, dict) and "votes" in entry:
        rest = {key: value for key, value in entry.items() if key != "votes"}
        label = next(iter(rest.values())) if len(rest) == 1 else rest
        votes = entry["votes"]
        return f"{value_text(label)}  {votes} vote{'' if votes == 1 else 's'}"
    return value_text(entry)
