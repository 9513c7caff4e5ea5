"""One question: what the gold answer is, what was answered, and how well it matches (paper, section 3.4)."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import msgspec

from webbench.benchmarks.assistantbench.scoring.compare_answers import compare_numbers, compare_texts
from webbench.benchmarks.assistantbench.scoring.comparison_result import Comparison, kind_of, plain
from webbench.benchmarks.assistantbench.scoring.dictionaries import compare_dictionaries
from webbench.benchmarks.assistantbench.scoring.numbers import as_number, plain_number
from webbench.benchmarks.assistantbench.scoring.rules import PAPER, PUBLISHED
from webbench.core.errors import BadData
from webbench.core.json_types import Json
from webbench.core.score.score import Check

NUMBER, TEXT, TEXTS, JSON = "number", "string", "string list", "json"

_QUOTES = (("{'", '{"'), ("', '", '", "'), ("': '", '": "'), ("'}", '"}'), ("': ", '": '))
"""Python's quotation marks in a dictionary, and JSON's."""

_SIZED = (str, list, dict, tuple)
"""Types that can be empty; the pair (number, True) is a tuple."""
_JSON = re.compile(
    r'[ \t\n\r]*(?:["{\[]'
    r"|(?:true|false|null|NaN|-?Infinity|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)[ \t\n\r]*\Z)"
)
"""How JSON begins, and simple values whole: most answers are no JSON, and this tells it faster."""


class Gold(msgspec.Struct, frozen=True, gc=False):
    kind: str
    value: Json


class Answer(msgspec.Struct, frozen=True, gc=False):
    value: Json
    """As it is compared."""
    given: bool
    """False for an abstention."""
    reason: str = ""
    """Why there is nothing to compare and the score is 0, "" where there is."""


class Question(msgspec.Struct, frozen=True, gc=False):
    """One scored question.

    Attributes:
        comparison: its value is the score; None where the published formula has none.
        gold, answer: how they were read.
        prediction, expected: as they were given.
    """

    comparison: Comparison
    gold: Gold
    answer: Answer
    prediction: Json
    expected: Json

    @property
    def value(self) -> float | None:
        return self.comparison.value

    def explain(self) -> Check:
        """The check of the whole answer, made anew."""
        check = self.comparison.explain("answer")
        return msgspec.structs.replace(check, actual=self.prediction, expected=self.expected)


def question_score(prediction: Json, gold: Json, rules: str = PUBLISHED) -> Question:
    """Score one answer.

    Args:
        prediction: text, which is first tried as JSON, or any JSON value.
        gold: text with one answer in each line that isn't blank, or a list of answers.

    Raises `BadData` where the published code fails, naming what it fails on.
    """
    try:
        wanted = read_gold(gold_lines(gold), rules)
        read = _paper_answer if rules == PAPER else _published_answer
        answer = read(prediction, wanted)
        return Question(_compared(answer, wanted, rules), wanted, answer, prediction, gold)
    except RecursionError as error:
        raise BadData("the answer or the gold answer is nested too deeply") from error


def _compared(answer: Answer, gold: Gold, rules: str) -> Comparison:
    if answer.reason:
        return plain(gold.kind, answer.value, gold.value, answer.reason)
    if gold.kind == NUMBER:
        return compare_numbers(answer.value, gold.value, rules)
    if gold.kind == JSON:
        return compare_dictionaries(answer.value, gold.value, rules)
    return compare_texts(answer.value, gold.value, rules)


def gold_lines(gold: Json) -> Sequence[Json]:
    """The single gold answers. Raises `BadData` for what is neither text nor list."""
    if isinstance(gold, list):
        return gold
    if not isinstance(gold, str):
        raise BadData(f"the gold answer is {kind_of(gold)}, and neither a text nor a list")
    lines = gold.split("\n") if "\n" in gold else (gold,)
    return [line for line in lines if line.strip()]


def read_gold(lines: Sequence[Json], rules: str = PUBLISHED) -> Gold:
    """What kind of answer is wanted, decided by the gold answer alone.

    One line is a number, JSON or a text, in this order; several are JSON if all of them are, else texts.
    By the paper JSON counts only where all of it are dictionaries. Raises `BadData` for an integer that no
    float can hold.
    """
    if len(lines) == 1:
        number, is_number = (plain_number(lines[0]),) * 2 if rules == PAPER else as_number(lines[0])
        if is_number not in (None, False):
            return Gold(NUMBER, number)
    values = _decoded(lines)
    if values is not None and (rules != PAPER or (values and all(isinstance(v, dict) for v in values))):
        return Gold(JSON, values)
    if len(lines) == 1 and (isinstance(lines[0], str) or rules != PAPER):
        return Gold(TEXT, lines[0])
    return Gold(TEXTS, lines)


def _decoded(lines: Sequence[Json]) -> list[Json] | None:
    """The values of lines of JSON, also in Python's quotation marks; None if one is something else."""
    for line in lines:
        if not isinstance(line, str):
            return None
    return _all_decoded([_requoted(line) for line in lines])


def _all_decoded(lines: Sequence[str]) -> list[Json] | None:
    """The values of lines of JSON, None if one is something else."""
    if not all(map(_JSON.match, lines)):
        return None
    try:
        return [json.loads(line) for line in lines]
    except (ValueError, RecursionError):
        return None


def _requoted(line: str) -> str:
    if "'" in line:
        for python, quotes in _QUOTES:
            line = line.replace(python, quotes)
    return line


def as_json(prediction: Json) -> Json:
    """What a text says as JSON, else the text; anything else as it is."""
    if not isinstance(prediction, str) or not _JSON.match(prediction):
        return prediction
    try:
        return json.loads(prediction)
    except (ValueError, RecursionError):
        return prediction


def _published_answer(prediction: Json, gold: Gold) -> Answer:
    value = as_json(prediction)
    if isinstance(value, list) and len(value) == 1 and _digits(value[0]):
        value = as_number(value[0])
    if not isinstance(value, list):
        value, _ = as_number(value)
        if gold.kind == JSON:
            value = _decoded_lines(value)
    given = not _abstains(value)
    if type(value) in _SIZED and not value:
        return Answer(value, given, "the answer is empty")
    if isinstance(value, list) and len(value) > 1 and type(gold.value) is float:
        return Answer(value, given, f"{len(value)} items are answered where one number is wanted")
    return Answer(value, given)


def _digits(item: Json) -> bool:
    return type(item) is int or (type(item) is str and item.isnumeric())


def _decoded_lines(value: Json) -> list[Json]:
    """A text's lines as JSON, if every one is; anything else as the only item."""
    decoded = _all_decoded(value.split("\n")) if isinstance(value, str) else None
    return [value] if decoded is None else decoded


def _abstains(value: Json) -> bool:
    """Empty or NaN, or a list of nothing else. Raises `BadData` for null, true and false."""
    if (type(value) is not float and _length(value) == 0) or _is_nan(value):
        return True
    if not isinstance(value, list):
        return False
    return all((type(item) not in (float, int) and _length(item) == 0) or _is_nan(item) for item in value)


def _length(value: Json) -> int:
    if type(value) not in _SIZED:
        raise BadData(f"the answer is or holds {kind_of(value)}, which the published code can't measure")
    return len(value)


def _is_nan(value: Json) -> bool:
    """NaN itself, or alone in lists."""
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    return isinstance(value, float) and value != value


def _paper_answer(prediction: Json, gold: Gold) -> Answer:
    value = as_json(prediction)
    if isinstance(value, str) and gold.kind in (TEXTS, JSON):
        lines = [line for line in value.split("\n") if line.strip()]
        value = [as_json(line) for line in lines] if gold.kind == JSON else lines
    if _is_nothing(value):
        return Answer(value, False, "nothing is answered")
    if gold.kind == JSON:
        return Answer(value if isinstance(value, list) else [value], True)
    if isinstance(value, list) and len(value) == 1 and gold.kind in (NUMBER, TEXT):
        value = value[0]
    if isinstance(value, list) and gold.kind == NUMBER:
        return Answer(value, True, f"{len(value)} items are answered where one number is wanted")
    return Answer(value, True)


def _is_nothing(value: Json) -> bool:
    """Null, NaN, blank text, an empty list or dictionary, or a list of nothing else."""
    if isinstance(value, str):
        return not value.strip()
    if isinstance(value, list):
        return all(_is_nothing(item) for item in value)
    return value is None or value == {} or (isinstance(value, float) and value != value)
