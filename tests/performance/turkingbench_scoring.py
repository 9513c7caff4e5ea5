"""Loading TurkingBench's tables beside pandas, and ROUGE-L by rouge_score and our own code, interleaved."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

from tests.shared import MISSING, shared_folder
from webbench.benchmarks.turkingbench.batch import read_batch
from webbench.benchmarks.turkingbench.benchmark import create
from webbench.benchmarks.turkingbench.scoring.evaluate import TurkingEvaluator
from webbench.core.scoring.metrics.rouge import quick_rouge_l, rouge_l
from webbench.core.task import Task

ROUNDS = 5
TEXTS = 400
WRITTEN_TASKS = ("Formalize sentence", "ATOMIC - Object Rationale", "Event effect")


def main() -> None:
    folder = shared_folder()
    if folder is None:
        print(MISSING)
        return
    data = folder / "data" / "turkingbench"
    _importing()
    _loading(data)
    _texts(data)
    _scores(data)


def _seconds(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _compare(name: str, ours: Callable[[], Any], theirs: Callable[[], Any], rival: str) -> None:
    pairs = [(_seconds(ours), _seconds(theirs)) for _ in range(ROUNDS)]
    mine = median(pair[0] for pair in pairs)
    ratio = median(pair[1] / pair[0] for pair in pairs)
    print(f"{name}: {mine * 1000:.0f} ms, {rival} takes {ratio:.1f} x as long")


def _importing() -> None:
    """In processes of their own."""
    for name, program in (
        ("as we do", "from webbench.core.scoring.metrics.rouge import rouge_scorer; rouge_scorer()"),
        ("as it is", "import rouge_score.rouge_scorer"),
    ):
        taken = median(_processor_seconds(program) for _ in range(ROUNDS))
        print(f"Python with rouge_score imported {name}: {taken * 1000:.0f} ms of processor time")


def _processor_seconds(program: str) -> float:
    timed = f"{program}\nimport time; print(time.process_time())"
    done = subprocess.run([sys.executable, "-c", timed], capture_output=True, text=True, check=True)
    return float(done.stdout)


def _loading(data: Path) -> None:
    import pandas as pd

    paths = sorted((data / "tasks").glob("*/batch.csv"))

    def count_with_pandas() -> None:
        for path in paths:
            frame = pd.read_csv(path)
            frame[[name for name in frame.columns if not name.startswith("Answer.")]].drop_duplicates()

    _compare(
        f"instances of {len(paths)} tasks",
        lambda: [len(read_batch(path).instances) for path in paths],
        count_with_pandas,
        "pandas (already imported)",
    )
    print(f"all tasks with gold: {_seconds(lambda: create(data).tasks()) * 1000:.0f} ms")


def _texts(data: Path) -> None:
    from rouge_score.rouge_scorer import RougeScorer

    texts = [
        label
        for task in create(data).tasks(names=WRITTEN_TASKS, instances=40)
        for labels in task.gold["labels"].values()
        for label in labels
        if isinstance(label, str)
    ][:TEXTS]
    pairs = list(pairwise(texts))
    library = RougeScorer(["rougeL"], use_stemmer=True)

    def with_our_tokens() -> None:
        for first, second in pairs:
            rouge_l(first, [second])

    def by_our_own_code() -> None:
        for first, second in pairs:
            quick_rouge_l(first, second)

    def with_its_own_tokens() -> None:
        for first, second in pairs:
            library.score(second, first)

    name = f"ROUGE-L of {len(pairs)} pairs by rouge_score with our tokens"
    _compare(name, with_our_tokens, by_our_own_code, "our own code")
    _compare(name, with_our_tokens, with_its_own_tokens, "rouge_score with its own tokens")


def _scores(data: Path) -> None:
    evaluator = TurkingEvaluator()
    work = [(task, _answers(task)) for task in create(data).tasks(split="test_easy", instances=3)]
    fields = sum(len(evidence["fields"]) for _, evidence in work)
    taken = median(
        _seconds(lambda: [evaluator.score(task, evidence) for task, evidence in work]) for _ in range(ROUNDS)
    )
    print(f"both rule sets, with explanation: {fields / taken:,.0f} fields/s over {len(work)} instances")


def _answers(task: Task) -> dict[str, Any]:
    """Every answer column as a text field that holds its first label."""
    return {
        "fields": [
            {"name": name, "type": "text", "displayed": True, "values": [str(labels[0])]}
            for name, labels in task.gold["labels"].items()
        ]
    }


if __name__ == "__main__":
    main()
