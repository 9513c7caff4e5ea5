"""In every published format: a field that is missing, wrong or absurd costs its own record at most."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.benchmarks.formats import CHAT, CLICK, FORMATS, TEXTS, Format, changes, fields, without, written
from webbench.benchmarks.weblinx.benchmark import WebLINXBenchmark
from webbench.core.benchmark.bundle import bundles_of
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.datasets.checking import Finding, check_data
from webbench.core.datasets.data_family import data_families
from webbench.core.engine.wire import catalogue_messages
from webbench.core.errors import BadData
from webbench.core.task import TaskEntry

LONGEST = 700
"""Characters of a clear line."""

_number = itertools.count()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("formats")


def fresh(folder: Path) -> Path:
    made = folder / str(next(_number))
    made.mkdir()
    return made


def checked(form: Format, path: Path) -> Finding:
    (family,) = (one for one in data_families() if one.benchmark == form.benchmark)
    (found,) = check_data(path, [family]).found
    return found


def own_entries(form: Format, path: Path) -> list[TaskEntry]:
    """What the library would list, encoded and decoded as between the processes."""
    benchmark = find_benchmark(form.benchmark, path)
    bundles = {bundle.name for bundle in bundles_of(form.benchmark)}
    listed = catalogue_messages.TasksListed(
        benchmark=form.benchmark,
        title=benchmark.title,
        status=benchmark.status(),
        entries=tuple(benchmark.catalogue()),
    )
    same = msgspec.msgpack.decode(msgspec.msgpack.encode(listed), type=catalogue_messages.TasksListed)
    assert same == listed
    return [entry for entry in listed.entries if entry.split not in bundles]


def check_one_change(form: Format, changed: dict[str, object], folder: Path) -> None:
    path = form.write(fresh(folder), form.texts(changed))
    found = checked(form, path)
    errors = [problem for problem in found.problems if problem.severity == "error"]
    assert found.tasks >= 2, "the records around it are used"
    for problem in found.problems:
        assert "\n" not in problem.message
        assert 0 < len(problem.message) <= LONGEST
    if found.tasks == 2:
        assert [problem.where for problem in errors] == [f"{path.name}:{form.line}"], "one clear line"
    else:
        assert {problem.where for problem in errors} <= {f"{path.name}:{form.line}"}
    if form.benchmark == "weblinx":
        assert len(own_entries(form, path)) == 1
        return
    listed = [entry.name for entry in own_entries(form, path)]
    assert len(listed) == found.tasks
    first, last = (str(form.numbered(number)[form.number]) for number in (1, 3))
    assert {name.rpartition(".")[2] for name in listed} >= {first, last}


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: f"{form.benchmark} {form.name}")
def test_good_records_are_clean(form: Format, folder: Path) -> None:
    path = form.write(fresh(folder), [written(form.numbered(number)) for number in (1, 2, 3)])
    found = checked(form, path)
    assert found.tasks == 3
    assert [problem for problem in found.problems if problem.severity == "error"] == []


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: f"{form.benchmark} {form.name}")
def test_every_field_may_be_missing(form: Format, folder: Path) -> None:
    for steps in fields(form.numbered(2)):
        check_one_change(form, without(form.numbered(2), steps), folder)


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: f"{form.benchmark} {form.name}")
@settings(max_examples=40, deadline=None, derandomize=True)
@given(data=st.data())
def test_every_field_may_be_wrong(form: Format, data: st.DataObject, folder: Path) -> None:
    _, changed = data.draw(changes(form))
    check_one_change(form, changed, folder)


@pytest.mark.parametrize("text", TEXTS.values(), ids=lambda text: text[:7])
def test_a_replay_that_is_no_json_costs_its_own_demonstration(text: str, tmp_path: Path) -> None:
    good, broken = (json.dumps({"data": [CHAT | {"speaker": "navigator"}, CLICK]}, indent=1) for _ in "12")
    for name, content in (("abcdefg", good), ("brokenn", broken.replace('"click"', text))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "replay.json").write_text(content)
    (family,) = (one for one in data_families() if one.benchmark == "weblinx")
    (found,) = check_data(tmp_path, [family]).found
    (error,) = (problem for problem in found.problems if problem.severity == "error")
    assert error.where.startswith("brokenn/replay.json")
    assert found.tasks == 2
    benchmark = find_benchmark("weblinx", tmp_path)
    assert {"abcdefg", "brokenn"} <= {entry.name for entry in benchmark.catalogue()}
    assert isinstance(benchmark, WebLINXBenchmark)
    assert benchmark.course("abcdefg").turns
    with pytest.raises(BadData, match="brokenn"):
        benchmark.course("brokenn")


@settings(max_examples=30, deadline=None, derandomize=True)
@given(
    cut=st.integers(0, 400),
    put=st.sampled_from(["", "\n", '"', ",", "\x00", "\ufeff", "é" * 9, '"' + "x" * 200_000]),
)
def test_a_broken_table_costs_its_own_task(cut: int, put: str, folder: Path) -> None:
    root = fresh(folder)
    good = "Title,Description,Keywords,text,Answer.tone\nTone,Say how,tone,Hello there,friendly\n"
    for name, table in (("One", good), ("Two", good[:cut] + put + good[cut + 3 :]), ("Three", good)):
        (root / "tasks" / name).mkdir(parents=True)
        (root / "tasks" / name / "template.html").write_text("<input name=tone> ${text}")
        (root / "tasks" / name / "batch.csv").write_text(table, "utf-8", newline="")
    benchmark = find_benchmark("turkingbench", root)
    usable = [entry.name for entry in benchmark.catalogue() if not entry.problem]
    assert {"One", "Three"} <= set(usable)
    assert {task.name for task in benchmark.tasks(names=("One", "Three"))} == {"One", "Three"}
    benchmark.tasks(names=("Two",))
    (family,) = (one for one in data_families() if one.benchmark == "turkingbench")
    (found,) = check_data(root, [family]).found
    assert found.tasks >= 2
    assert all("\n" not in problem.message for problem in found.problems)


def test_a_file_that_is_too_large_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    form = FORMATS[0]
    monkeypatch.setattr("webbench.core.scoring.offline.reading.LARGEST_FILE", 100)
    path = form.write(tmp_path, form.texts(form.numbered(2)))
    with pytest.raises(BadData):
        checked(form, path)


@pytest.mark.parametrize(
    "content", ["", "[]", "7", '{"u1": 5}', '{"u1": {"x": "left"}, "tasks": 5}', "[" * 99]
)
@pytest.mark.parametrize(
    "name", ["form.json", "metadata.json", "bboxes/bboxes-1.json", "pages/page-1-0.html"]
)
def test_a_wrong_file_of_a_demonstration_costs_no_other(name: str, content: str, tmp_path: Path) -> None:
    for demonstration in ("abcdefg", "brokenn"):
        for folder in ("bboxes", "pages"):
            (tmp_path / demonstration / folder).mkdir(parents=True)
        replay = {"data": [CHAT | {"speaker": "navigator"}, CLICK]}
        (tmp_path / demonstration / "replay.json").write_text(json.dumps(replay))
        (tmp_path / demonstration / "pages" / "page-1-0.html").write_text('<a data-webtasks-id="u1">mugs</a>')
        box = {"x": 0, "y": 0, "width": 9, "height": 9, "left": 0, "top": 0, "right": 9, "bottom": 9}
        (tmp_path / demonstration / "bboxes" / "bboxes-1.json").write_text(json.dumps({"u1": box}))
    (tmp_path / "brokenn" / name).write_text(content)
    benchmark = find_benchmark("weblinx", tmp_path)
    assert isinstance(benchmark, WebLINXBenchmark)
    assert {"abcdefg", "brokenn"} <= {entry.name for entry in benchmark.catalogue()}
    assert len(benchmark.course("abcdefg").predicted) == 2
    assert 0 in benchmark.course("brokenn").predicted
    (family,) = (one for one in data_families() if one.benchmark == "weblinx")
    (found,) = check_data(tmp_path, [family]).found
    assert found.tasks >= 3
    assert len([problem for problem in found.problems if problem.severity == "error"]) == 4 - found.tasks
