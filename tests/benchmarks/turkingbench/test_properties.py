"""Loaders and scoring on generated input, with pandas, NLTK and rouge_score as referees."""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from webbench.benchmarks.turkingbench.batch import Batch, parse_batch, read_batch
from webbench.benchmarks.turkingbench.columns import BLANKS, read_column
from webbench.benchmarks.turkingbench.scoring.evaluate import TurkingEvaluator
from webbench.benchmarks.turkingbench.scoring.gold import gold_of
from webbench.benchmarks.turkingbench.scoring.normalise import (
    canonical_number,
    clean_values,
    normalised_answer,
    squeezed,
)
from webbench.benchmarks.turkingbench.splits import open_folder
from webbench.core.errors import BadData
from webbench.core.score.score import Status
from webbench.core.task import Task

KINDS = ("text", "textarea", "hidden", "radio", "select", "checkbox", "range", "number", "submit", "")
CELLS = st.one_of(
    st.text(max_size=12),
    st.integers(-(10**6), 10**6).map(str),
    st.floats(-1e6, 1e6).map(lambda number: f"{number:.6g}"),
    st.sampled_from(
        [*sorted(BLANKS), "None", "True", "FALSE", "true", "007", " 5", "{}", "a|b", "1.0", "inf"]
    ),
)
WORDS = st.text(st.sampled_from("abcdeilnosty "), max_size=40)


def table(columns: list[list[str]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["x", *(f"Answer.q{n}" for n in range(len(columns) - 1))])
    writer.writerows(zip(*columns, strict=True))
    return out.getvalue()


@settings(max_examples=examples(300), deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_load_or_are_refused(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "batch.csv"
    path.write_bytes(content)
    try:
        batch = read_batch(path)
    except BadData:
        return
    assert sum(map(len, batch.instances)) == len(batch.rows)


@settings(max_examples=examples(300), deadline=None)
@given(st.text(st.sampled_from('x,"\r\n \t1\ufeffAnswer.'), max_size=80))
def test_any_csv_like_text_loads_or_is_refused(text: str) -> None:
    try:
        batch = parse_batch(text)
    except BadData:
        return
    assert len(set(batch.header)) == len(batch.header)
    for instance in range(len(batch.instances)):
        assert set(gold_of(batch, instance)["labels"]) == set(batch.answer_names)


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(st.text(max_size=20), max_size=8))
def test_any_split_file_is_read(tmp_path_factory: pytest.TempPathFactory, lines: list[str]) -> None:
    root = tmp_path_factory.getbasetemp() / "folder"
    (root / "tasks" / "one").mkdir(parents=True, exist_ok=True)
    (root / "splits").mkdir(exist_ok=True)
    for name in ("template.html", "batch.csv"):
        (root / "tasks" / "one" / name).touch()
    path = root / "splits" / "evaluation_tasks_easy.txt"
    path.write_bytes("\n".join(["one", *lines]).encode("utf-8", errors="surrogatepass"))
    assert open_folder(root).names == ("one",)


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=2, max_size=4))
def test_columns_and_instances_are_those_of_pandas(columns: list[list[str]]) -> None:
    import pandas as pd

    clean = [[cell.translate({0: "0", 13: "_", 10: "_"}) for cell in column] for column in columns]
    text = table([[cell if cell.isascii() else "wide" for cell in column] for column in clean])
    batch = parse_batch(text)
    frame = pd.read_csv(io.StringIO(text), keep_default_na=False, na_values=sorted(BLANKS))
    assert list(frame.columns) == list(batch.header)
    for name in batch.header:
        theirs = [_typed(value) for value in frame[name].tolist()]
        assert [(type(cell), cell) for cell in batch.column(name).cells] == theirs
    assert len(batch.instances) == len(frame[list(batch.input_columns)].drop_duplicates())


def _typed(value: Any) -> tuple[type, Any]:
    cell = None if isinstance(value, float) and math.isnan(value) else value
    return type(cell), cell


@given(st.lists(st.sampled_from(["1", "2", "", "NA", "x", "True", "3.5"]), min_size=1, max_size=6))
def test_a_column_of_numbers_or_booleans_holds_no_text(texts: list[str]) -> None:
    column = read_column(texts)
    kinds = {type(cell) for cell in column.cells if cell is not None}
    assert kinds <= {"integer": {int}, "float": {float}, "boolean": {bool}, "text": {str}}[column.kind]
    assert len(column.cells) == len(texts)


@settings(max_examples=examples(300))
@given(st.text(max_size=40))
def test_normalisation_is_idempotent(text: str) -> None:
    assert squeezed(squeezed(text)) == squeezed(text)
    assert canonical_number(canonical_number(text)) == canonical_number(text)
    assert clean_values(clean_values([text])) == clean_values([text])
    assert isinstance(normalised_answer(text), str)


@settings(max_examples=examples(400), deadline=None)
@given(
    labels=st.lists(CELLS, min_size=1, max_size=5),
    values=st.lists(st.text(max_size=10), max_size=3),
    kind=st.sampled_from(KINDS),
    displayed=st.booleans(),
)
def test_a_score_is_in_range_or_has_a_reason(
    labels: list[str], values: list[str], kind: str, displayed: bool
) -> None:
    batch = _batch(labels)
    task = Task(benchmark="turkingbench", name="any", instance=0, gold=gold_of(batch, 0))
    evidence = {"fields": [{"name": "q0", "type": kind, "values": values, "displayed": displayed}]}
    score = TurkingEvaluator().score(task, evidence)
    if score.status is Status.SCORED:
        assert score.value is not None
        assert 0 <= score.value <= 1
    else:
        assert score.reason
    for beside in score.beside:
        assert beside.value is None or beside.value <= 1


def _batch(labels: list[str]) -> Batch:
    return parse_batch(table([["same"] * len(labels), labels]))


@settings(max_examples=examples(300), deadline=None)
@given(st.text(st.sampled_from("abcdeilnosty"), max_size=14))
def test_stems_are_those_of_nltk(word: str) -> None:
    from nltk.stem.porter import PorterStemmer

    from webbench.core.scoring.metrics.porter import stem

    assert stem(word) == PorterStemmer().stem(word)


@settings(max_examples=examples(200), deadline=None)
@given(WORDS, WORDS)
def test_rouge_is_that_of_rouge_score(prediction: str, reference: str) -> None:
    from rouge_score.rouge_scorer import RougeScorer

    from webbench.core.scoring.metrics.rouge import quick_rouge_l, rouge_l

    theirs = RougeScorer(["rougeL"], use_stemmer=True).score(reference, prediction)["rougeL"].fmeasure
    assert rouge_l(prediction, [reference]) == [theirs]
    assert quick_rouge_l(prediction, reference) == theirs


def test_a_table_on_disk_is_the_table_in_memory(tmp_path: Path) -> None:
    text = table([["1", "1"], ["a\nb", "c,d"]])
    (tmp_path / "batch.csv").write_text(text, newline="")
    assert read_batch(tmp_path / "batch.csv").rows == parse_batch(text).rows
