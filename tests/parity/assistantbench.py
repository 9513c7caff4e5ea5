"""AssistantBench's recorded functions, answered by our evaluator under the published rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.parity.drop_metrics import drop_metrics
from webbench.benchmarks.assistantbench.scoring.aggregate import Result, figures
from webbench.benchmarks.assistantbench.scoring.compare_answers import compare_numbers, compare_texts
from webbench.benchmarks.assistantbench.scoring.dictionaries import compare_dictionaries
from webbench.benchmarks.assistantbench.scoring.numbers import as_number
from webbench.benchmarks.assistantbench.scoring.question import question_score, read_gold
from webbench.benchmarks.assistantbench.scoring.rules import PUBLISHED
from webbench.benchmarks.assistantbench.scoring.words import normalise

Json = Any


def open_adapter() -> AssistantBenchAdapter:
    return AssistantBenchAdapter()


class AssistantBenchAdapter:
    _functions: dict[str, Callable[..., Json]]

    def __init__(self) -> None:
        self._functions = {
            "question_scorer": question,
            "parse_answer": parse_answer,
            "fix_number": fix_number,
            "fix_number_in_dict": lambda value: {"value": as_number(value, areas=False)[0]},
            "normalize_answer": lambda text: normalise(text),
            "evaluate_strings": lambda **both: compare_texts(**both, rules=PUBLISHED).value,
            "evaluate_numbers": lambda **both: compare_numbers(**both, rules=PUBLISHED).value,
            "evaluate_dicts": lambda prediction, gold: (
                compare_dictionaries(prediction, gold, PUBLISHED).value
            ),
            "drop_metrics": lambda prediction, gold: drop_metrics(prediction, gold)._asdict(),
            "corpus": corpus,
        }

    def run(self, function: str, arguments: dict[str, Json]) -> Json:
        return self._functions[function](**arguments)

    def close(self) -> None:
        """Nothing is held open."""


def question(prediction: Json, gold: Json) -> Json:
    scored = question_score(prediction, gold)
    return {"score": scored.value, "has_answer": float(scored.answer.given)}


def parse_answer(answer_lines: list[Json]) -> Json:
    gold = read_gold(answer_lines)
    return {"value": gold.value, "kind": gold.kind}


def fix_number(value: Json) -> Json:
    number, is_number = as_number(value)
    return {"value": number, "is_number": is_number}


def corpus(items: list[Json]) -> Json:
    scored = [question_score(**item) for item in items]
    return figures([Result(one.value, one.answer.given) for one in scored])
