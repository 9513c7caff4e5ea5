"""`paper`: every table of every paper in every form, without a run and with one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.shared import need_shared
from tests.tui.cli.program import Here
from webbench.benchmarks.webarena.benchmark import create as webarena
from webbench.benchmarks.webarena.task_traits import is_unachievable_task
from webbench.benchmarks.weblinx.paper import absent_splits
from webbench.core.action.action import Stop
from webbench.core.analysis.printed.beside_printed import (
    as_figure,
    as_table,
    beside_printed,
    beside_printed_json,
)
from webbench.core.analysis.printed.filled_table import Evidence
from webbench.core.analysis.printed.installed_papers import paper_names, paper_of
from webbench.core.analysis.recorded.run_records import read_runs
from webbench.core.labels.label import Done, Label
from webbench.core.labels.ledger import ledger_of
from webbench.core.model_call import ModelCall
from webbench.core.report.paper.figure_files import write_figures
from webbench.core.report.paper.number_tables import csv_text, latex_table
from webbench.core.score.aggregates import Attempt
from webbench.core.score.score import Score, Status
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step

TABLES = [(name, table.name) for name in paper_names() for table in paper_of(name).tables]


@pytest.mark.parametrize(("benchmark", "table"), TABLES)
def test_every_table_is_rendered_or_says_what_it_takes(benchmark: str, table: str) -> None:
    found = beside_printed(paper_of(benchmark), table, Evidence(data=need_shared("data", benchmark)))
    assert found.missing or any(line.kind == "ours" for line in found.lines)
    figure = as_figure(found)
    assert len(as_table(found).rows) == len(found.lines)
    assert len(csv_text(figure.table).splitlines()) == len(found.lines) + 1
    assert "\\toprule" in latex_table(figure)
    assert beside_printed_json(found)["table"] == table


def draw(folder: Path, benchmark: str, table: str) -> None:
    """In one format: what a picture holds doesn't depend on it."""
    evidence = Evidence(data=need_shared("data", benchmark))
    figure = as_figure(beside_printed(paper_of(benchmark), table, evidence))
    written = write_figures(folder, [figure], ["svg"])
    drawn = [path for path in written.files if path.suffix == ".svg"]
    assert len(drawn) == (figure.plot is not None)


@pytest.mark.thorough
@pytest.mark.parametrize(("benchmark", "table"), TABLES)
def test_every_table_is_drawn(tmp_path: Path, benchmark: str, table: str) -> None:
    draw(tmp_path / "figure", benchmark, table)


def test_a_table_is_drawn(tmp_path: Path) -> None:
    draw(tmp_path / "figure", "assistantbench", "table 9")


def record(store: Store) -> str:
    """A run of bundled tasks of WebArena: one solved, one not, and one that can't be done, given up."""
    tasks = webarena(None).tasks("laptop-arena")
    impossible = next(task for task in tasks if is_unachievable_task(task))
    possible = [task for task in tasks if not is_unachievable_task(task)][:2]
    run = store.start_run("webarena", "model x", 3)
    for at, (task, value) in enumerate(zip((*possible, impossible), (1.0, 0.0, 1.0), strict=True)):
        header = EpisodeHeader(run="", episode="", task=task, actor="model x", dialect="webarena", order=at)
        recorder = store.recorder(run, header, durable=False)
        answer = "" if value and task is not impossible else "N/A"
        recorder.write(Step(index=0, at=""))
        recorder.write(Step(index=1, at="", actor="agent", action=Stop(answer=answer), text="stop"))
        recorder.finish(Score(status=Status.SCORED, value=value), "done")
    return run


def test_a_run_fills_the_tables(tmp_path: Path, here: Here) -> None:
    run = record(Store(tmp_path / "store"))
    at = ("--store", str(tmp_path / "store"))
    done = here(tmp_path, "paper", "webarena", run, "--table", "2", "--table", "section 5.2", "--json", *at)
    assert done.code == 0, done.err
    rates, given_up = done.json["tables"]
    (ours,) = (line for line in rates["lines"] if line["kind"] == "ours")
    assert [one["value"] for one in ours["values"]] == pytest.approx([200 / 3, 50.0, 100.0])
    (ours,) = (line for line in given_up["lines"] if line["kind"] == "ours")
    assert [one["value"] for one in ours["values"]] == [50.0, 0.0]
    assert [one["low"] is not None for one in ours["values"]] == [True, True]
    assert "bundled" in rates["not_comparable"][0]
    told = here(tmp_path, "paper", "webarena", run, "--table", "2", "--against", "human", *at, COLUMNS="160")
    assert told.code == 0
    assert "A − paper" in told.out
    assert "Not comparable: 3 of the tasks are bundled ones" in told.out


def test_what_nothing_fills_and_what_is_unknown(tmp_path: Path, here: Here) -> None:
    at = ("--store", str(tmp_path / "store"))
    nothing = here(tmp_path, "paper", "webarena", "--table", "5", *at)
    assert nothing.code == 1
    assert "Nothing of ours: name a run" in " ".join(nothing.out.split())
    assert here(tmp_path, "paper", "webarena", "--table", "9", *at).code == 2
    assert here(tmp_path, "paper", "webarina", *at).code == 2
    both = here(tmp_path, "paper", "webarena", "--csv", "--latex", *at)
    assert both.code == 2
    listed = here(tmp_path, "paper", "list", "--json", *at).json["tables"]
    assert ("webarena", "table 2") in [(one["benchmark"], one["table"]) for one in listed]


def test_other_rules_are_those_of_the_scores(tmp_path: Path, here: Here) -> None:
    run = record(Store(tmp_path / "store"))
    at = ("--store", str(tmp_path / "store"))
    refused = here(tmp_path, "paper", "webarena", run, "--table", "2", "--rules", "paper", *at)
    assert refused.code == 2
    assert "No score of" in refused.err


def test_the_authors_predictions_give_the_row_that_they_print() -> None:
    """AssistantBench, table 8, SPA with CB-1S behind it: the predictions lie beside the tasks."""
    evidence = Evidence(data=need_shared("data", "assistantbench"))
    found = beside_printed(paper_of("assistantbench"), "8", evidence)
    (apart,) = (line for line in found.lines if line.kind == "difference")
    assert apart.labels == ("SPA→CB",)
    assert [one.value for one in apart.values if one] == pytest.approx([0.0] * 4, abs=0.05)


def test_runs_of_another_set_than_the_printed_numbers_are_told(tmp_path: Path) -> None:
    """WebCanvas: table 4 is of the test set, table 11 of the dev set."""
    store = Store(tmp_path / "store")
    run = store.start_run("webcanvas", "agent x", 1)
    task = Task(benchmark="webcanvas", name="a", intent="?", split="mind2web-live_test_20241024")
    recorder = store.recorder(
        run, EpisodeHeader(run="", episode="", task=task, actor="agent x", dialect="d"), durable=False
    )
    recorder.write(Step(index=0, at=""))
    metrics: dict[str, float | None] = {"key_nodes": 2.0, "step_score": 1.0, "task_success": 0.0}
    recorder.finish(Score(status=Status.SCORED, value=0.5, metrics=metrics), "done")
    evidence = Evidence(runs=read_runs(store, [run]), store=store)
    told = {
        table: beside_printed(paper_of("webcanvas"), table, evidence).not_comparable for table in ("4", "11")
    }
    assert told["4"] == ()
    assert "the dev set's 438 tasks" in told["11"][0]


def test_a_mean_of_fewer_splits_is_told() -> None:
    """WebLINX: out of domain the paper has the mean of four splits."""
    score = Score(status=Status.SCORED, value=1.0)
    web, other = (
        Attempt(Task(benchmark="weblinx", name=split, intent="?", split=split), score)
        for split in ("test_web", "test_iid")
    )
    assert absent_splits([web, other]) == ["test_cat", "test_geo", "test_vis"]
    assert absent_splits([other]) == []


def test_a_zero_shot_model_and_its_finetuned_self_are_two_rows() -> None:
    """WebLINX prints Llama-2-13B twice in each of its tables by intent."""
    for number in range(22, 31):
        table = paper_of("weblinx").table(str(number))
        split = table.rows[0].labels[2:]
        zero, tuned = (table.row((kind, "Llama-2-13B", *split)) for kind in ("zero-shot", "finetuned"))
        assert zero is not None
        assert tuned is not None
        assert sum(row.labels[0] == "zero-shot" for row in table.rows) == 5 * len(table.rows) // 19


def test_labels_of_failures_fill_a_table_of_causes(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    run = store.start_run("assistantbench", "agent x", 3)
    ledger = ledger_of(store)
    for at, code in enumerate(("navigation", "navigation", "wrong-answer")):
        task = Task(benchmark="assistantbench", name=f"q{at}", intent="?", gold={"answer": "x"})
        header = EpisodeHeader(run="", episode="", task=task, actor="agent x", dialect="d", order=at)
        recorder = store.recorder(run, header, durable=False)
        recorder.write(Step(index=0, at=""))
        recorder.finish(Score(status=Status.SCORED, value=0.0), "done")
        place: dict[str, Any] = {"run": run, "episode": recorder.header.episode, "taxonomy": "assistantbench"}
        ledger.add([Label(version=1, question="error", code=code, annotator="ann", **place)])
        ledger.add([Done(annotator="ann", **place)])
    evidence = Evidence(runs=read_runs(store, [run]), store=store)
    found = beside_printed(paper_of("assistantbench"), "4", evidence)
    ours = {line.labels[0]: line.values[0] for line in found.lines if line.kind == "ours"}
    shares = [round(one.value or 0.0, 1) for one in ours.values() if one]
    assert dict(zip(ours, shares, strict=True)) == {
        "Navigation error": 66.7,
        "Technical issue": 0.0,
        "No answer": 0.0,
        "Wrong answer": 33.3,
    }


def test_planning_and_reward_model_are_told_by_the_calls(tmp_path: Path) -> None:
    """WebCanvas, table 5: a run's line bears both, "(+)" where the reward module was told the key nodes."""
    store = Store(tmp_path / "store")
    name = "webcanvas-golden-reward (gpt-4) (reward by gpt-3.5) (shown the key nodes)"
    run = store.start_run("webcanvas", name, 1)
    task = Task(benchmark="webcanvas", name="a", intent="?")
    header = EpisodeHeader(run="", episode="", task=task, actor=name, dialect="d")
    recorder = store.recorder(run, header, durable=False)
    calls = (ModelCall(model="GPT-3.5", purpose="reward"), ModelCall(model="GPT-4", purpose="act"))
    recorder.write(Step(index=0, at=""))
    recorder.write(Step(index=1, at="", actor="agent", action=Stop(), calls=calls))
    metrics: dict[str, float | None] = {"key_nodes": 2.0, "step_score": 1.0, "task_success": 0.0}
    recorder.finish(Score(status=Status.SCORED, value=0.5, metrics=metrics), "done")
    evidence = Evidence(runs=read_runs(store, [run]), store=store)
    found = beside_printed(paper_of("webcanvas"), "5", evidence)
    (ours,) = (line for line in found.lines if line.kind == "ours")
    assert ours.labels == ("GPT-4", "GPT-3.5(+)")
    by_complexity = beside_printed(paper_of("webcanvas"), "figure 9", evidence)
    (ours,) = (line for line in by_complexity.lines if line.kind == "ours")
    assert (ours.labels[1], ours.values[0] and ours.values[0].value) == ("1 or 2 key nodes", 50.0)


def test_domains_are_counted_where_the_tasks_name_them(tmp_path: Path) -> None:
    node = {
        "match_function_name": "url_included_match",
        "content": {"reference_answer": "a.test", "url": "https://a.test/"},
    }
    task = {"task": "Book", "reference_task_length": 2, "evaluation": [node]}
    hotel = task | {"index": 1, "domain": "Travel", "subdomain": "Hotel"}
    file = tmp_path / "own_test_2026.json"
    file.write_text(json.dumps([hotel, task | {"index": 2}]))
    found = beside_printed(paper_of("webcanvas"), "8", Evidence(data=tmp_path))
    (ours,) = (line for line in found.lines if line.kind == "ours")
    assert ours.labels == ("Travel", "Hotel")
    assert [one and one.value for one in ours.values] == [1, 0]
    assert found.left_out == {"tasks without a domain": 1}


def test_imported_predictions_of_mind2web_fill_the_offline_half_of_table_3(
    here: Here, tmp_path: Path
) -> None:
    def row(task: str, step: int, op: str) -> dict[str, object]:
        told = {"task_id": task, "step": step, "website": "shop", "task": "Find shoes", "domain": "Shopping"}
        held = {
            "gt_op": "CLICK",
            "gt_value": "",
            "action_repr": "[link]  Shoes -> CLICK",
            "gt_element_tag": "a",
        }
        said = {"pred_op": op, "pred_value": "", "element_correct": True, "step_correct": op == "CLICK"}
        return told | held | said

    rows = [row("a", 1, "CLICK"), row("a", 2, "CLICK"), row("b", 1, "CLICK"), row("b", 3, "CLICK")]
    file = tmp_path / "model.json"
    file.write_text(json.dumps({"model": "model-x", "total_steps": 4, "accuracy": 1, "predictions": rows}))
    kept = ("--store", str(tmp_path / "store"))
    assert here(tmp_path, "import", str(file), *kept).code == 1  # a step is left out of the file
    runs = here(tmp_path, "runs", *kept, "--json").json["runs"]
    run = next(one["run"] for one in runs if one["agent"] == "model-x")
    (table,) = here(tmp_path, "paper", "webcanvas", "--table", "3", run, *kept, "--json").json["tables"]
    (ours,) = (line for line in table["lines"] if line["kind"] == "ours")
    assert ours["labels"] == ["model-x", "offline"]
    assert [one["value"] for one in ours["values"]] == [80.0, 50.0, 100.0]
    other = here(tmp_path, "paper", "webcanvas", "--table", "4", run, *kept, "--json")
    assert other.code == 1
    assert not [line for line in other.json["tables"][0]["lines"] if line["kind"] == "ours"]
    assert here(tmp_path, "paper", "webarena", "--table", "2", run, *kept).code == 2
