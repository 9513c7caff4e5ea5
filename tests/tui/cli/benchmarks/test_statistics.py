"""`data stats`: what a data set holds, beside the numbers of its paper."""

from __future__ import annotations

import csv
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.shared import need_shared
from tests.tui.cli.program import Here
from webbench.benchmarks.turkingbench.statistics import answer_fields, of_folder
from webbench.benchmarks.weblinx.demonstrations.websites import website_of, websites
from webbench.core.analysis.printed.beside_printed import BesidePrinted, as_table, beside_printed
from webbench.core.analysis.printed.filled_table import Evidence
from webbench.core.analysis.printed.installed_papers import paper_names, paper_of
from webbench.core.models import gpt2_subwords
from webbench.core.models.gpt2_subwords import PACKAGE, gpt2_length

TASK = "Receipt totals"


def described(benchmark: str, table: str, data: Path) -> BesidePrinted:
    return beside_printed(paper_of(benchmark), table, Evidence(data=data))


def ours(found: BesidePrinted) -> dict[str, list[float | None]]:
    """Values of our lines by their last label."""
    return {
        line.labels[-1]: [one.value if one else None for one in line.values]
        for line in found.lines
        if line.kind == "ours"
    }


def test_bundled_tasks_stand_in_where_there_is_no_data(tmp_path: Path, here: Here) -> None:
    done = here(tmp_path, "data", "stats", "turkingbench", "--json")
    assert done.code == 0, done.err
    assert "bundled tasks of desk-forms" in done.err
    tables = {one["table"]: one for one in done.json["tables"]}
    assert list(tables) == [one.name for one in paper_of("turkingbench").of_data()]
    rows = {tuple(line["labels"]): line for line in tables["by task"]["lines"]}
    (receipts,) = (line for labels, line in rows.items() if TASK in labels)
    assert receipts["from"] == "data"
    splits = [line for line in tables["section 3.5"]["lines"] if line["kind"] == "ours"]
    assert {line["labels"][1] for line in splits} <= {
        *("evaluation_tasks_easy.txt", "evaluation_tasks_hard.txt", "subjective_evaluation_tasks.txt"),
        "every folder that no file names",
    }


def test_csv_latex_and_text_have_one_table(tmp_path: Path, here: Here) -> None:
    asked = ("data", "stats", "assistantbench", "--table", "section 6.4")
    table = here(tmp_path, *asked, "--csv")
    assert table.out.splitlines()[0].startswith("time_dependency,from,kind,tasks")
    assert "\\toprule" in here(tmp_path, *asked, "--latex").out
    assert "static" in here(tmp_path, *asked).out
    for wrong in (("--table", "2", "--csv"), ("assistantbench", "--table", "8"), ("nowhere",)):
        assert here(tmp_path, "data", "stats", *wrong).code == 2


def test_every_benchmark_of_a_paper_is_described(tmp_path: Path, here: Here) -> None:
    done = here(tmp_path, "data", "stats", "--json")
    assert {one["benchmark"] for one in done.json["tables"]} == set(paper_names())
    assert done.code == any(one["missing"] for one in done.json["tables"])


def test_fields_are_counted_by_their_answers() -> None:
    template = (
        '<form><input type=radio name=a value=1><input type=radio name=a value=2><select name="b.c"></select>'
        '<crowd-checkbox class="x" name="d"></crowd-checkbox><textarea name=e></textarea></form>'
    )
    found = answer_fields(["a", "a.1", "a.2", "b.c.on", "d.on", "made", "made.1"], template)
    assert found == {
        "a": "radio",
        "b.c": "select",
        "d": "crowd-checkbox",
        **dict.fromkeys(("made", "made.1"), "not in the template"),
    }


def test_the_shared_tasks_have_what_was_counted_of_them() -> None:
    data = need_shared("data", "turkingbench")
    with (data / "task_report.csv").open(encoding="utf-8-sig", newline="") as lines:
        report = {row["task"]: row for row in csv.DictReader(lines)}
    tasks, unread = of_folder(data, whole=False)
    assert unread == 0
    assert {task.name for task in tasks} == set(report)
    plain = [one for one in tasks if report[one.name]["field_types"].startswith(("radio=", "textarea="))]
    told = {one.name: report[one.name]["field_types"].partition("=")[0] for one in plain}
    assert len(plain) > 20
    assert all(told[one.name] in one.fields.values() for one in plain)
    split = ours(described("turkingbench", "section 3.5", data))
    assert {name: values[0] for name, values in split.items()} == {
        "train": 59,
        "test_easy": 19,
        "test_hard": 16,
        "subjective": 2,
    }


@pytest.mark.thorough
def test_lengths_are_the_papers() -> None:
    """16.8K subwords a task are printed; of the 96 shared tasks of 158 it is 16.7K."""
    if find_spec(PACKAGE) is None:
        pytest.skip("the extra `gpt2` is not installed")
    data = need_shared("data", "turkingbench")
    value = ours(described("turkingbench", "table 2", data))["avg. length (subwords) of the tasks"][0]
    assert value == pytest.approx(16_800, rel=0.01)


def test_without_the_vocabulary_lengths_are_missing_and_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    bundled = Path(__file__).parents[4] / "benchmarks/turkingbench/bundle/data"
    monkeypatch.setattr(gpt2_subwords, "PACKAGE", "no_such_package")
    gpt2_length.cache_clear()
    found = described("turkingbench", "table 2", bundled)
    gpt2_length.cache_clear()
    assert ours(found)["avg. length (subwords) of the tasks"] == [None]
    assert "extra `gpt2`" in as_table(found).note


def test_a_word_that_would_take_for_ever_is_not_counted() -> None:
    length = gpt2_length()
    if length is None:
        pytest.skip("the extra `gpt2` is not installed")
    assert length("Hello, world!") == 4
    assert length("a" * 100_000) is None
    assert length("\ud800 lone") is not None


def test_time_dependency_is_the_papers() -> None:
    values = ours(described("assistantbench", "section 6.4", need_shared("data", "assistantbench")))
    assert {name: round(value[1] or 0, 1) for name, value in values.items()} == {
        "static": 43.5,
        "stable": 15.4,
        "unlikely": 41.1,
    }


def test_every_website_of_the_paper_is_found_by_its_address() -> None:
    assert len(websites()) == 155
    assert [one.address for one in websites() if website_of(one.address) != one] == []
    assert website_of("https://www.bing.com/create/x") != website_of("https://bing.com/translator?y")
    assert website_of("https://www.bing.com/maps") is None
    assert website_of("https://example.org") is None
    assert website_of("http://[") is None


def test_demonstrations_are_counted_by_intent_split_and_website() -> None:
    data = need_shared("data", "weblinx")
    intents = ours(described("weblinx", "table 7", data))
    assert intents["say"][0] == 2
    assert intents["load"][3] == 3
    splits = ours(described("weblinx", "table 8", data))
    assert splits["TRAIN"][0] == 969
    assert splits["TEST_GEO"][4] == 32
    assert "Transport" in ours(described("weblinx", "table 11", data))
