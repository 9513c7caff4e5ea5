"""AssistantBench answers scored beside browsergym-assistantbench, on the same answers in turn."""

from __future__ import annotations

import importlib
import importlib.util
import json
import math
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.shared import MISSING, shared_folder
from webbench.benchmarks.assistantbench.scoring.evaluate import AssistantBenchEvaluator
from webbench.benchmarks.assistantbench.scoring.numbers import kept_text_number
from webbench.benchmarks.assistantbench.scoring.question import question_score
from webbench.benchmarks.assistantbench.scoring.words import kept_bag
from webbench.core.errors import WebbenchError
from webbench.core.task import Task

PACKAGE = "browsergym.assistantbench"
INSTALL = "pip install --no-deps browsergym-assistantbench, and scipy (its other dependencies aren't needed)"
ROUNDS = 7
ANSWERS_A_ROUND = 1000
WANTED = 3.0

Item = tuple[Any, str]
Scorer = Callable[[Any, str], tuple[float, float]]


def main() -> list[str]:
    folder = shared_folder()
    if folder is None:
        print(MISSING)
        return []
    theirs = _upstream()
    if theirs is None:
        print(f"browsergym-assistantbench is not installed: {INSTALL}")
        return []
    warnings.simplefilter("ignore")
    missed = []
    for name, items in _samples(folder).items():
        usable = [item for item in items if _agreed(item, theirs)]
        ratio = _compare(f"{name}: {len(usable)} answers", usable, theirs)
        if ratio < WANTED:
            missed.append(f"{name}: {ratio:.1f} x as fast as upstream, wanted {WANTED:.0f} x")
    return missed


def _upstream() -> Scorer | None:
    """Upstream's scorer without its package's own `__init__`, which wants a browser and a data set."""
    found = importlib.util.find_spec("browsergym")
    parents = found.submodule_search_locations if found else None
    folders = [str(Path(parent) / "assistantbench") for parent in parents or ()]
    if not any(Path(folder).is_dir() for folder in folders) or importlib.util.find_spec("scipy") is None:
        return None
    package = ModuleType(PACKAGE)
    package.__path__ = folders
    sys.modules[PACKAGE] = package
    scorer: Scorer = importlib.import_module(f"{PACKAGE}.evaluation.evaluator").question_scorer
    return scorer


def _samples(folder: Path) -> dict[str, list[Item]]:
    """The recorded agent's answers, and every recorded question by the kind of its gold answer."""
    predictions = folder / "data" / "assistantbench" / "predictions"
    rows = [
        json.loads(line)
        for path in sorted(predictions.glob("*.jsonl"))
        for line in path.open(encoding="utf-8")
    ]
    samples = {"one agent's": [(row["answer"], row["gold_answer"]) for row in rows]}
    with (folder / "parity" / "assistantbench.jsonl").open(encoding="utf-8") as lines:
        recorded = [json.loads(line) for line in lines]
    questions = [row["input"] for row in recorded if row["function"] == "question_scorer"]
    items = [(given["prediction"], given["gold"]) for given in questions]
    return samples | {"all recorded": [item for item in items if isinstance(item[1], str)]}


def _ours(prediction: Any, gold: str) -> tuple[float, float]:
    question = question_score(prediction, gold)
    return question.value or 0.0, float(question.answer.given)


def _agreed(item: Item, theirs: Scorer) -> bool:
    """Whether both score it; an answer on which both fail is left out. Raises where they differ."""
    try:
        expected = theirs(*item)
    except Exception:
        return False
    try:
        ours = _ours(*item)
    except WebbenchError as error:
        raise AssertionError(f"only ours fails on {item}: {error}") from error
    if not all(math.isclose(a, b, abs_tol=1e-9) for a, b in zip(ours, expected, strict=True)):
        raise AssertionError(f"ours {ours}, upstream {expected} for {item}")
    return True


def _compare(name: str, items: Sequence[Item], theirs: Scorer) -> float:
    evaluator = AssistantBenchEvaluator()
    tasks = [
        (Task(benchmark="assistantbench", name="timed", gold={"answer": gold}), {"answer": answer})
        for answer, gold in items
    ]
    passes = -(-ANSWERS_A_ROUND // len(items))
    rounds = [
        (
            _seconds(lambda: _ours_from_scratch(items), passes),
            _seconds(lambda: [theirs(*item) for item in items], passes),
            _seconds(lambda: [evaluator.score(task, evidence) for task, evidence in tasks], passes),
        )
        for _ in range(ROUNDS)
    ]
    mine, upstream, explained = (min(times) for times in zip(*rounds, strict=True))
    ratio = upstream / mine
    print(
        f"{name}: {len(items) / mine:,.0f} a second, {ratio:.1f} x as fast as upstream; with both rule sets, "
        f"clauses and digests {len(items) / explained:,.0f} a second"
    )
    return ratio


def _ours_from_scratch(items: Sequence[Item]) -> None:
    """With nothing kept from earlier rounds, as upstream keeps nothing."""
    kept_bag.cache_clear()
    kept_text_number.cache_clear()
    for item in items:
        _ours(*item)


def _seconds(work: Callable[[], Any], passes: int) -> float:
    """CPU time of one pass, which other programs on the machine don't lengthen."""
    start = time.process_time()
    for _ in range(passes):
        work()
    return (time.process_time() - start) / passes


if __name__ == "__main__":
    print(main())
