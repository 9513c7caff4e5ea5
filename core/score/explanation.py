"""The explanation of a score in words: what each check found, what was expected, what came of it and why.

All renderings (terminal text, tables, reports, widgets) take their words from here. Those of `CheckWords` are
foreign text, uncut: a rendering makes them harmless and as short as it needs them.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from webbench.core.json_types import Json
from webbench.core.score.score import Check, Score, Status, every_check
from webbench.core.text.plain_text import clip, display_width, plain_clip, plain_text
from webbench.core.text.plural import counted

Outcome = Literal["passed", "partial", "failed", "pending", "skipped", "trouble"]
"""What a score or a check came to, in one word: the name of its sign and of its colour."""

BLANK = "blank"
NOT_DEFINED = "not defined"
NO_SCORE = "no score"
LEFT_OUT = "left out"
ARROW = "→"
EXPECTED = "expected"
RULES_DIFFER = "rules differ"

HEADERS = ("check", "by", "actual", "normalised", EXPECTED, "value", "why")
FLEXIBLE = (0, 1, 2, 3, 4, 6)
"""Columns of texts that give way where there is little room."""
OPTIONAL = (3, 1)
"""Columns that are left out where there is little room, the first one first."""
NUMBERS = (5,)

_FULL = 0.9995
"""What is shown as 1.000 has passed."""
_INDENT = "  "
_VALUE_WIDTH = 8
_TARGET_WIDTH = 24
_NAME_WIDTH = 22
_ALTERNATIVES_SHOWN = 6
_TARGETS_SHOWN = 3
_TEXT_SHOWN = 60
_NARROWEST = 20


class CheckWords(msgspec.Struct, frozen=True, kw_only=True):
    """One check in words; a text is "" where there is nothing to say.

    Attributes:
        depth: how many checks it stands below.
        target: what is compared; its name where it has no target.
        actual: "" for a check that only combines others, or had nothing to compare.
        normalised: "" where normalisation changed nothing.
        expected: the alternatives, each with its votes: '"yes" (2 votes)'.
        value: "0.750", "(0.750)" where it is not counted, "left out", "pending".
        combination: how the value follows from other checks: "= product of 2".
    """

    depth: int
    target: str
    name: str
    actual: str
    normalised: str
    expected: tuple[str, ...]
    value: str
    outcome: Outcome
    combination: str
    why: str
    clause: str

    @property
    def reason(self) -> str:
        """Combination, reason and what differs under other rules, in one line."""
        differs = f"{RULES_DIFFER}: {self.clause}" if self.clause else ""
        return "; ".join(filter(None, (self.combination, self.why, differs)))


def check_words(check: Check, depth: int = 0) -> CheckWords:
    """One check in words, the same for every rendering; `depth` is how many checks it stands under."""
    found_alone = check.status is Status.SCORED and not check.checks
    compares = found_alone or check.actual is not None or check.expected is not None
    changed = check.normalised is not None and check.normalised != check.actual
    aside = not check.counted and check.status is Status.SCORED
    value = value_words(check.value, check.status) if check.counted or aside else LEFT_OUT
    return CheckWords(
        depth=depth,
        target=check.target or check.name,
        name=check.name,
        actual=json_words(check.actual) if compares else "",
        normalised=json_words(check.normalised) if changed else "",
        expected=_alternatives(check.expected) if check.expected is not None else (),
        value=f"({value})" if aside else value,
        outcome="skipped" if aside else outcome(check.value, check.status),
        combination=f"= {check.combination}" if check.combination else "",
        why=check.why,
        clause=check.clause,
    )


def every_check_in_words(checks: Sequence[Check], depth: int = 0) -> Iterator[CheckWords]:
    """The checks in order, each followed by those it was combined from."""
    for check in checks:
        yield check_words(check, depth)
        yield from every_check_in_words(check.checks, depth + 1)


def unmet_in_words(checks: Sequence[Check]) -> Iterator[CheckWords]:
    """What keeps a score below 1: checks that count and did not pass, of combined ones those below them."""
    for check in checks:
        words = check_words(check)
        if check.counted and words.outcome != "passed":
            yield from list(unmet_in_words(check.checks)) or [words]


def value_words(value: float | None, status: Status = Status.SCORED) -> str:
    """ "0.750", "not defined", or the status of what has no value: "pending"."""
    if status is not Status.SCORED:
        return status.words
    return NOT_DEFINED if value is None else f"{value:.3f}"


def given_words(value: float | None) -> str:
    """ "0.750", "no score" where none was given, for whatever reason."""
    return NO_SCORE if value is None else f"{value:.3f}"


def outcome(value: float | None, status: Status = Status.SCORED) -> Outcome:
    """A value between 0 and 1 is neither passed nor failed."""
    if status is Status.PENDING:
        return "pending"
    if status is Status.NOT_SCORED:
        return "skipped"
    if status is Status.ERROR or value is None:
        return "trouble"
    return "passed" if value >= _FULL else "partial" if value > 0 else "failed"


def interval_words(score: Score) -> str:
    """What a pending score can still become, "" where that is not known."""
    if score.interval is None:
        return ""
    lowest, highest = score.interval
    return f"it can still become {lowest:.3f} to {highest:.3f}"


def counted_words(checks: Sequence[Check]) -> str:
    """ "3 of 4 checks count, 1 left out"."""
    count = sum(check.counted for check in checks)
    left_out = len(checks) - count
    words = f"{count} of {counted(len(checks), 'check')} count{'s' if count == 1 else ''}"
    return words + (f", {left_out} {LEFT_OUT}" if left_out else "")


def json_words(value: Json) -> str:
    """A JSON value in one line: text in quotation marks, nothing as "blank", anything else as JSON."""
    if value is None:
        return BLANK
    return f'"{value}"' if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _alternatives(expected: Json) -> tuple[str, ...]:
    """What was wanted: labels with votes, a list of values, or one value."""
    if isinstance(expected, list | tuple) and expected:
        return tuple(map(_label_words, expected))
    return (json_words(expected),)


def _label_words(item: Json) -> str:
    """A label with its votes (`{"label": …, "votes": n}`) where several people gave it, or any value."""
    if not isinstance(item, dict) or set(item) != {"label", "votes"}:
        return json_words(item)
    votes = item["votes"]
    return json_words(item["label"]) + (f" ({votes} votes)" if votes != 1 else "")


def score_table(score: Score) -> list[tuple[str, ...]]:
    """Rows under `HEADERS`, nested checks indented, the headline last; not yet made harmless."""
    headline = value_words(score.value, score.status)
    last = (f"score, {score.rules}", "", "", "", "", headline, score.how)
    return [*(_table_row(check) for check in every_check_in_words(score.checks)), last]


def _table_row(check: CheckWords) -> tuple[str, ...]:
    return (
        _INDENT * check.depth + check.target,
        check.name,
        plain_clip(check.actual, _TEXT_SHOWN),
        plain_clip(check.normalised, _TEXT_SHOWN),
        _expected_line(check.expected),
        check.value,
        check.reason,
    )


def score_text(score: Score, *, width: int = 100, details: bool = True) -> str:
    """The headline and every check as lines of at most `width` cells, without control characters or markup.

    Args:
        details: also what each check compared: actual, normalised and expected.
    """
    return "\n".join(clip(line, width) for line in _lines(score, width, details=details))


def _lines(score: Score, width: int, *, details: bool) -> Iterator[str]:
    yield _headline(score)
    if score.interval is not None:
        yield _INDENT + interval_words(score)
    yield from _check_lines(score.checks, 0, width, details=details)
    for name, value in score.metrics.items():
        yield f"{_INDENT}{plain_text(name)}: {value_words(value)}"
    for loophole in score.loopholes:
        text = f"{loophole.text} ({loophole.source})"
        yield from _hanging(f"{_INDENT}beware  {plain_text(loophole.id)}  ", plain_text(text), width)
    for other in score.beside:
        yield f"beside it: {_headline(other)}"
    yield from _clause_lines(score, width)


def _headline(score: Score) -> str:
    return f"{plain_text(score.headline())}  [{plain_text(score.rules)} rules]"


def _check_lines(checks: Sequence[Check], depth: int, width: int, *, details: bool) -> Iterator[str]:
    told = [check_words(check, depth) for check in checks]
    targets = _column([check.target for check in told], _TARGET_WIDTH)
    names = _column([check.name for check in told], _NAME_WIDTH)
    indent = _INDENT * (depth + 1)
    for check, words, target, name in zip(checks, told, targets, names, strict=True):
        start = f"{indent}{words.value:{_VALUE_WIDTH}}  {target}  {name}  "
        yield from _hanging(start, plain_text("; ".join(filter(None, (words.combination, words.why)))), width)
        if details and words.actual:
            yield from _hanging(indent + " " * (_VALUE_WIDTH + 2), compared_words(words), width)
        yield from _check_lines(check.checks, depth + 1, width, details=details)


def compared_words(check: CheckWords) -> str:
    """'actual "Yes!" → "yes", expected "yes" (2 votes), blank'."""
    values = (check.actual, check.normalised)
    actual = f" {ARROW} ".join(plain_clip(value, _TEXT_SHOWN) for value in values if value)
    return f"actual {actual}" + (f", {EXPECTED} {_expected_line(check.expected)}" if check.expected else "")


def _expected_line(alternatives: Sequence[str]) -> str:
    more = len(alternatives) - _ALTERNATIVES_SHOWN
    shown = ", ".join(plain_clip(one, _TEXT_SHOWN) for one in alternatives[:_ALTERNATIVES_SHOWN])
    return shown + (f" and {more} more" if more > 0 else "")


def _clause_lines(score: Score, width: int) -> Iterator[str]:
    """Which clauses make the rule sets differ, and where."""
    targets: dict[str, dict[str, None]] = {}
    for check in every_check(score.checks):
        if check.clause:
            targets.setdefault(check.clause, {})[check.target] = None
    for clause, named in targets.items():
        more = len(named) - _TARGETS_SHOWN
        listed = ", ".join(plain_clip(target, _TARGET_WIDTH) for target in list(named)[:_TARGETS_SHOWN])
        start = f"{_INDENT}{RULES_DIFFER} in {listed}{f' and {more} more' if more > 0 else ''}: "
        yield from _hanging(start, plain_text(clause), width)


def _column(texts: Sequence[str], largest: int) -> list[str]:
    """The texts clipped and padded to one width."""
    shown = [plain_clip(text, largest) for text in texts]
    width = max(map(display_width, shown), default=0)
    return [text + " " * (width - display_width(text)) for text in shown]


def _hanging(start: str, text: str, width: int) -> Iterator[str]:
    """`start` and the words of `text`, continued below where the text began."""
    indent = display_width(start)
    pieces = textwrap.wrap(text, max(width - indent, _NARROWEST)) or [""]
    yield (start + pieces[0]).rstrip()
    yield from (" " * indent + piece for piece in pieces[1:])
