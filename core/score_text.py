"""A score as plain text for a terminal: the headline, and under it every check with its reason."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Sequence

from webbench.core.json_types import Json
from webbench.core.plain_text import clip, display_width, plain_clip, plain_text
from webbench.core.score import Check, Score, Status, every_check

_INDENT = "  "
_VALUE_WIDTH = 7
_TARGET_WIDTH = 24
_NAME_WIDTH = 22
_LABELS_SHOWN = 6
_TARGETS_SHOWN = 3
_TEXT_SHOWN = 60
_NARROWEST = 20


def score_text(score: Score, *, width: int = 100, details: bool = True) -> str:
    """Lines of at most `width` cells, without control characters or markup.

    Args:
        details: also what each check compared: actual, normalised and expected.
    """
    return "\n".join(clip(line, width) for line in _lines(score, width, details=details))


def value_text(check: Check) -> str:
    """The value of a check ("0.750"), or why it has none: "skipped", "pending", "error"."""
    if check.status is Status.SCORED and check.value is not None:
        return f"{check.value:.3f}"
    return "skipped" if not check.counted else check.status.value.replace("_", " ")


def expected_text(expected: Json) -> str:
    """What was wanted: labels with their votes ("yes" x2, blank), or the value itself."""
    if not isinstance(expected, list | tuple):
        return json_text(expected)
    shown = [_label_text(item) for item in expected[:_LABELS_SHOWN]]
    more = len(expected) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def json_text(value: Json) -> str:
    """A JSON value in few words: text in quotation marks, nothing as "blank", the rest as JSON."""
    if value is None:
        return "blank"
    if isinstance(value, str):
        return f'"{plain_clip(value, _TEXT_SHOWN)}"'
    return plain_clip(json.dumps(value, ensure_ascii=False, default=str), _TEXT_SHOWN)


def _label_text(item: Json) -> str:
    if isinstance(item, dict) and set(item) == {"label", "votes"}:
        votes = f" x{item['votes']}" if item["votes"] != 1 else ""
        return json_text(item["label"]) + votes
    return json_text(item)


def _lines(score: Score, width: int, *, details: bool) -> Iterator[str]:
    yield _headline(score)
    if score.interval is not None:
        lowest, highest = score.interval
        yield f"{_INDENT}it can still become {lowest:.3f} to {highest:.3f}"
    yield from _check_lines(score.checks, _INDENT, width, details=details)
    for name, value in score.metrics.items():
        yield f"{_INDENT}{plain_text(name)}: {'undefined' if value is None else f'{value:.3f}'}"
    for loophole in score.loopholes:
        text = f"{loophole.text} ({loophole.source})"
        yield from _hanging(f"{_INDENT}beware  {plain_text(loophole.id)}  ", plain_text(text), width)
    for other in score.beside:
        yield f"beside it: {_headline(other)}"
    yield from _clause_lines(score, width)


def _headline(score: Score) -> str:
    return f"{plain_text(score.headline())}  [{plain_text(score.rules)} rules]"


def _clause_lines(score: Score, width: int) -> Iterator[str]:
    """Which clauses make the rule sets differ, and where."""
    targets: dict[str, dict[str, None]] = {}
    for check in every_check(score.checks):
        if check.clause:
            targets.setdefault(check.clause, {})[check.target] = None
    for clause, named in targets.items():
        more = len(named) - _TARGETS_SHOWN
        listed = ", ".join(plain_clip(target, _TARGET_WIDTH) for target in list(named)[:_TARGETS_SHOWN])
        start = f"{_INDENT}rules differ in {listed}{f' and {more} more' if more > 0 else ''}: "
        yield from _hanging(start, plain_text(clause), width)


def _check_lines(checks: Sequence[Check], indent: str, width: int, *, details: bool) -> Iterator[str]:
    targets = _column([check.target for check in checks], _TARGET_WIDTH)
    names = _column([check.name for check in checks], _NAME_WIDTH)
    for check, target, name in zip(checks, targets, names, strict=True):
        start = f"{indent}{value_text(check):{_VALUE_WIDTH}}  {target}  {name}  "
        combination = f"= {check.combination}" if check.combination else ""
        yield from _hanging(start, plain_text(": ".join(filter(None, (combination, check.why)))), width)
        if details:
            for line in _detail_lines(check):
                yield from _hanging(indent + " " * (_VALUE_WIDTH + 2), line, width)
        yield from _check_lines(check.checks, indent + _INDENT, width, details=details)


def _detail_lines(check: Check) -> Iterator[str]:
    if check.actual is not None or check.expected is not None:
        parts = [json_text(check.actual)]
        if check.normalised is not None and check.normalised != check.actual:
            parts.append(f"as {json_text(check.normalised)}")
        if check.expected is not None:
            parts.append(f"wanted {expected_text(check.expected)}")
        yield ", ".join(parts)


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
