"""Data is recognised by what its files hold; everything that is wrong is told, and where."""

from __future__ import annotations

import errno
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.shared import need_shared
from webbench.core.benchmark.benchmark import Problem
from webbench.core.benchmark.bundle import bundles_of
from webbench.core.datasets import checking
from webbench.core.datasets.checking import DataReport, check_data
from webbench.core.datasets.data_family import data_families
from webbench.core.errors import BadData

WEBARENA = {
    "task_id": 1,
    "sites": ["shopping"],
    "intent": "Find mugs",
    "intent_template": "Find {{what}}",
    "intent_template_id": 4,
    "instantiation_dict": {"what": "mugs"},
    "start_url": "__SHOPPING__",
    "eval": {"eval_types": ["string_match"], "reference_answers": {"exact_match": "mug"}},
}
VERIFIED = WEBARENA | {
    "start_urls": ["__SHOPPING__"],
    "revision": 2,
    "eval": [{"evaluator": "AgentResponseEvaluator", "expected": {"task_type": "retrieve"}}],
}
NODE = {
    "match_function_name": "url_exactly_match",
    "content": {"key": "", "reference_answer": "https://a.example/", "url": "https://a.example/"},
}
WEBCANVAS = {"index": 1, "task": "Go there", "reference_task_length": 1, "evaluation": [NODE]}
QUESTION = {"id": "ab", "task": "Which?", "answer": "this", "set": "dev", "difficulty": "Hard"}
CLICK = {"type": "browser", "timestamp": 1, "action": {"intent": "click", "arguments": {}}, "state": {}}
TEXT = {"demo_name": "abcdefg", "turn_index": 0, "intent": "click", "action": 'click(uid="x")'}


def check(path: Path) -> DataReport:
    return check_data(path, data_families())


def lines(*records: Any) -> str:
    """A JSON list with one record a line."""
    return "[" + ",\n".join(json.dumps(record) for record in records) + "]"


def turking(folder: Path) -> Path:
    task = folder / "tasks" / "One"
    task.mkdir(parents=True)
    (task / "template.html").write_text("<input name=a>${x}")
    (task / "batch.csv").write_text("Title,Description,Keywords,x,Answer.a\nt,d,k,1,yes\n")
    (folder / "splits").mkdir()
    for name in ("evaluation_tasks_easy", "evaluation_tasks_hard", "subjective_evaluation_tasks"):
        (folder / "splits" / f"{name}.txt").write_text("One\n" if name.endswith("easy") else "")
    return folder


@pytest.mark.parametrize(
    ("name", "content", "benchmark", "form"),
    [
        ("any.json", lines(WEBARENA), "webarena", "tasks"),
        ("one.json", json.dumps(WEBARENA, indent=1), "webarena", "tasks"),
        ("any.json", lines(VERIFIED), "webarena", "tasks of WebArena-Verified"),
        ("any.json", lines(WEBCANVAS), "webcanvas", "Mind2Web-Live tasks"),
        ("any.jsonl", json.dumps(QUESTION) + "\n", "assistantbench", "questions"),
        ("x.replay.json", json.dumps({"data": [CLICK]}), "weblinx", "replays"),
        ("my_turns.jsonl", json.dumps(TEXT), "weblinx", "turns as text"),
    ],
    ids=["list", "one task", "verified", "key nodes", "questions", "replay", "turns"],
)
def test_a_file_is_recognised_by_what_it_holds(
    name: str, content: str, benchmark: str, form: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(content)
    for path in (tmp_path / name, tmp_path):
        (found,) = check(path).found
        assert (found.benchmark, found.form, found.tasks) == (benchmark, form, 1)
        assert Path(found.where) == tmp_path / name
        assert check(path).clean


def test_folders_are_recognised_as_whole(tmp_path: Path) -> None:
    turking(tmp_path / "turking-bench")
    demonstration = tmp_path / "demonstrations" / "abcdefg"
    demonstration.mkdir(parents=True)
    (demonstration / "replay.json").write_text(json.dumps({"data": [CLICK, CLICK]}))
    (tmp_path / "README.md").write_text("words")
    (tmp_path / "other.json").write_text("{}")
    report = check(tmp_path)
    assert [(one.benchmark, one.tasks) for one in report.found] == [("weblinx", 2), ("turkingbench", 1)]
    assert [Path(path).name for path in report.ignored] == ["other.json"]


def test_a_clone_of_the_repository_will_do(tmp_path: Path) -> None:
    turking(tmp_path)
    (tmp_path / "data").mkdir()
    (tmp_path / "splits").rename(tmp_path / "data" / "splits")
    (found,) = check(tmp_path).found
    assert [problem for problem in found.problems if "splits" in problem.where] == []


def test_a_table_that_cannot_be_read_is_told_with_its_line(tmp_path: Path) -> None:
    table = turking(tmp_path) / "tasks" / "One" / "batch.csv"
    table.write_text(table.read_text() + "t,d,k,2,no,more,than,columns\n")
    (found,) = check(tmp_path).found
    assert (found.tasks, found.problems[-1].where) == (0, f"{table}:3")


def test_candidates_are_checked_line_by_line(tmp_path: Path) -> None:
    described = {"bbox": "x=0 y=0 width=1 height=1"}
    good = {"demo_name": "abcdefg", "turn_index": 0, "uid": "u1", "elem_dict": described}
    bad = [good | {"elem_dict": {"bbox": "x=0"}}, good | {"uid": 5}]
    (tmp_path / "candidates.jsonl").write_text("\n".join(json.dumps(line) for line in (good, *bad)))
    (found,) = check(tmp_path).found
    assert (found.form, [problem.where for problem in found.problems]) == (
        "ranked candidates",
        ["candidates.jsonl:2", "candidates.jsonl:3"],
    )


def test_problems_are_told_with_their_line_and_the_rest_is_used(tmp_path: Path) -> None:
    odd = WEBARENA | {"task_id": 2, "eval": {"eval_types": ["guess"]}}
    (tmp_path / "tasks.json").write_text(lines(WEBARENA, 5, WEBARENA, odd).replace("5,", '{"cut": },'))
    (found,) = check(tmp_path / "tasks.json").found
    assert found.tasks == 2
    told = [(problem.where, problem.severity) for problem in found.problems if problem.severity != "note"]
    assert told == [("tasks.json:2", "error"), ("tasks.json:3", "error"), ("tasks.json:4", "error")]
    assert not check(tmp_path / "tasks.json").clean


def test_files_beside_each_other_are_checked_together(tmp_path: Path) -> None:
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_text(lines(WEBARENA))
    (found,) = check(tmp_path).found
    assert (found.files, found.tasks) == (("a.json", "b.json"), 1)
    assert [problem.where for problem in found.problems if problem.severity == "error"] == ["b.json:1"]


@pytest.mark.parametrize("content", ["", "[]", "{", "\x00\xff", '{"a": 1}', "[" * 70, "words"], ids=range(7))
def test_what_is_nobodys_is_said_to_be(content: str, tmp_path: Path) -> None:
    (tmp_path / "any.json").write_text(content)
    for path in (tmp_path / "any.json", tmp_path):
        with pytest.raises(BadData, match="holds no data set"):
            check(path)
    with pytest.raises(BadData, match="no such file"):
        check(tmp_path / "gone")


def test_what_was_not_looked_at_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.json").write_text(lines(WEBARENA))
    (tmp_path / "b" / "c" / "d" / "e" / "f").mkdir(parents=True)
    (problem,) = check(tmp_path).problems
    assert (problem.where, problem.severity) == (str(tmp_path / "b" / "c" / "d" / "e"), "warning")
    assert not check(tmp_path).clean
    monkeypatch.setattr(checking, "MOST_PATHS", 2)
    (problem,) = check(tmp_path).problems
    assert (problem.where, "after 2 files" in problem.message) == (str(tmp_path / "b"), True)


def test_a_folder_that_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.json").write_text(lines(WEBARENA))
    (tmp_path / "locked").mkdir()
    whole = Path.iterdir

    def iterdir(path: Path) -> Iterator[Path]:
        if path.name == "locked":
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return whole(path)

    monkeypatch.setattr(Path, "iterdir", iterdir)
    report = check(tmp_path)
    told = Problem(str(tmp_path / "locked"), "can't be read: Permission denied")
    assert (report.problems, report.clean) == ((told,), False)
    with pytest.raises(BadData, match="Permission denied"):
        check(tmp_path / "locked")


def test_predictions_are_no_questions(tmp_path: Path) -> None:
    (tmp_path / "any.jsonl").write_text(json.dumps(QUESTION | {"gold_answer": "this", "score": 1}))
    with pytest.raises(BadData):
        check(tmp_path)


def test_names_of_data_sets_are_unique_and_bundled_ones_are_clean() -> None:
    names = [data_set.name for family in data_families() for data_set in family.known()]
    bundles = [bundle for family in data_families() for bundle in bundles_of(family.benchmark)]
    assert len(names) == len(set(names))
    assert not {bundle.name for bundle in bundles} & set(names)
    for bundle in bundles:
        report = check(bundle.data)
        assert {one.benchmark for one in report.found} == {bundle.benchmark}
        assert [one for one in report.found for one in one.problems if one.severity == "error"] == []


def test_the_published_data_is_recognised() -> None:
    report = check(need_shared("data"))
    found = {(one.benchmark, one.form, one.data_set): one.tasks for one in report.found}
    assert found["webarena", "tasks", "webarena"] == 812
    assert found["webarena", "tasks", "webarena-examples"] == 4
    assert found["webarena", "tasks of WebArena-Verified", "webarena-verified"] == 812
    assert found["webcanvas", "Mind2Web-Live tasks", ""] == 104 + 130
    assert found["assistantbench", "questions", ""] == 33
    assert found["turkingbench", "tasks and splits", ""] == 96
    assert {one.benchmark for one in report.found} >= {"weblinx"}
