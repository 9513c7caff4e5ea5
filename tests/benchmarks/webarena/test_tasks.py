"""Loading task files: everything odd is told, nothing odd is fatal."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from webbench.benchmarks.webarena.statistics import intents
from webbench.benchmarks.webarena.tasks import (
    DATA_VARIABLE,
    FILE,
    LoadedTasks,
    load_tasks,
    read_task_files,
)
from webbench.core.analysis.printed.filled_table import Evidence
from webbench.core.errors import BadData

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 900) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


def entry(identity: Any = 1, **changes: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "sites": ["shopping"],
        "task_id": identity,
        "require_login": False,
        "storage_state": None,
        "start_url": "__SHOPPING__",
        "geolocation": None,
        "intent_template": "Find {{what}}",
        "instantiation_dict": {"what": "mugs"},
        "intent": f"Find mugs {identity}",
        "require_reset": False,
        "eval": {"eval_types": ["string_match"], "reference_answers": {"exact_match": "mug"}},
        "intent_template_id": 4,
    }
    return made | changes


def load(folder: Path, *entries: Any) -> LoadedTasks:
    (folder / FILE).write_text("[" + ",\n".join(map(json.dumps, entries)) + "]")
    return load_tasks(folder)


def test_a_clean_file_has_no_problems(tmp_path: Path) -> None:
    loaded = load(tmp_path, entry(1), entry(2))
    assert loaded.problems == ()
    first = loaded.tasks[0]
    assert (first.name, first.site, first.kind, first.template) == ("1", "shopping", "string_match", "4")
    assert first.gold["reference_answers"] == {"exact_match": "mug"}


def gold(**changes: Any) -> dict[str, Any]:
    return {"eval": {"eval_types": ["string_match"], "reference_answers": {"exact_match": "a"}} | changes}


def page(**changes: Any) -> dict[str, Any]:
    target = {"url": "last", "locator": "", "required_contents": {"exact_match": "a"}} | changes
    return {"eval": {"eval_types": ["program_html"], "program_html": [target]}}


@pytest.mark.parametrize(
    ("changes", "severity", "told"),
    [
        ({"string_note": ""}, "note", 'unknown key "string_note"'),
        ({"sites": ["shop"]}, "warning", 'unknown site "shop"'),
        ({"instantiation_dict": {}}, "note", 'slot "what" of the template has no value'),
        ({"instantiation_dict": {"what": 3}}, "note", 'value "what" is no text but 3'),
        ({"require_login": True}, "note", "names no storage_state"),
        (gold(eval_types=[]), "warning", "every result passes as published"),
        (gold(eval_types=["x"]), "error", "evaluator 'x' is unknown"),
        (gold(eval_types=["string_match", "url_match"]), "error", "url_match has no reference_url"),
        (gold(reference_url="text"), "note", "reference_url is given, but not compared"),
        (gold(reference_answers=["a"]), "error", "the shape of older examples"),
        (gold(reference_answers={"must_include": [5]}), "error", "no text but 5"),
        (gold(reference_answers={"must_include": ["a |OR| b"]}), "warning", "as it is written in answers"),
        (gold(reference_answers={"near": "a"}), "warning", '"near", which is not compared'),
        (gold(reference_answers={"fuzzy_match": "N/A"}), "note", "string_note gives no reason"),
        (gold(url_note="EXACT"), "error", "'EXACT' of the address is unknown"),
        (page(locator="func:open('/etc/passwd')"), "error", "calls no known function"),
        (page(required_contents={"near": "a"}), "warning", "neither exact_match nor must_include"),
        (
            page(required_contents={"exact_match": "a", "must_include": []}),
            "warning",
            "only exact_match of required_contents",
        ),
    ],
)
def test_dirt_is_told(tmp_path: Path, changes: dict[str, Any], severity: str, told: str) -> None:
    loaded = load(tmp_path, entry(**changes))
    assert len(loaded.tasks) == 1
    assert [p.severity for p in loaded.problems if told in p.message] == [severity]


def test_what_cannot_be_a_task_is_left_out_and_named(tmp_path: Path) -> None:
    loaded = load(tmp_path, entry(1), 5, entry("1"), entry(1), entry(3, eval=None))
    assert [task.name for task in loaded.tasks] == ["1"]
    errors = [problem for problem in loaded.problems if problem.severity == "error"]
    assert [(problem.where, problem.message.partition(":")[0]) for problem in errors] == [
        (f"{FILE}:2", "a number in place of an object"),
        (f"{FILE}:3", "a task is left out"),
        (f"{FILE}:4", "task 1 is left out"),
        (f"{FILE}:5", "task 3 is left out"),
    ]


def test_a_table_of_the_data_counts_the_entries_that_are_no_task_and_those_alone(tmp_path: Path) -> None:
    unknown = entry(2, eval={"eval_types": ["unheard_of"]})
    spoken = entry(3, instantiation_dict={"what is left out": 3})
    loaded = load(tmp_path, entry(1), 5, "task", entry(1), unknown, spoken)
    assert [task.name for task in loaded.tasks] == ["1", "2", "3"]
    assert intents(Evidence(data=tmp_path)).left_out == {"entries that are no task": 3}


def test_what_tasks_share_is_told_once(tmp_path: Path) -> None:
    loaded = load(tmp_path, entry(1, intent="x"), entry(2, intent="x", intent_template="Seek {{what}}"))
    assert {problem.message for problem in loaded.problems} == {
        "template 4 has 2 wordings",
        "tasks 1, 2 have the same intent",
    }


@pytest.mark.parametrize("content", ["", "{", "5", "[" * 100, '"a"', "\ufeff"])
def test_an_unusable_file_is_refused_with_its_name(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content)
    with pytest.raises(BadData, match=FILE):
        load_tasks(tmp_path)


def test_where_the_tasks_are_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(DATA_VARIABLE, raising=False)
    with pytest.raises(BadData, match="not set"):
        load_tasks()
    with pytest.raises(BadData, match="holds no"):
        load_tasks(tmp_path)
    nested = tmp_path / "config_files"
    nested.mkdir()
    load(nested, entry())
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path))
    assert load_tasks().tasks == load_tasks(nested / FILE).tasks
    (tmp_path / "one.json").write_text("\ufeff" + json.dumps(entry()))
    assert len(load_tasks(tmp_path / "one.json").tasks) == 1


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(JSON | st.builds(entry, JSON, eval=JSON, sites=JSON, instantiation_dict=JSON), max_size=3))
def test_any_list_loads(tmp_path_factory: pytest.TempPathFactory, entries: list[Any]) -> None:
    folder = tmp_path_factory.getbasetemp()
    with contextlib.suppress(BadData):
        load(folder, *entries)
    loaded = read_task_files([folder / FILE])
    assert loaded.left_out is not None
    assert len(loaded.tasks) + loaded.left_out == len(entries)


def test_the_published_tasks(shared: Path) -> None:
    loaded = load_tasks(shared / "data" / "webarena")
    assert len(loaded.tasks) == 812
    assert len({task.template for task in loaded.tasks}) == 190
    assert [p.severity for p in loaded.problems if p.severity != "note"] == ["warning"]
    assert any("task 723" in p.message and "string_note" in p.message for p in loaded.problems)
    for number in range(1, 5):
        example = load_tasks(shared / "data" / "webarena" / "examples" / f"{number}.json")
        assert len(example.tasks) == 1
