"""`data tables`: what others published, listed and printed in three forms."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.tui.cli.program import Here

GRADING = """task id,A,a note,B,b note,C,c note,average
0,1,,0.5,"wrong, twice\x1b[2J",1,,0.8333
7,0,,0,,0,,0
Win Rate,0.5,,0.25,,0.5,,0.4
"""


@pytest.fixture
def data(tmp_path: Path) -> str:
    folder = tmp_path / "webarena" / "human_assessment"
    folder.mkdir(parents=True)
    (folder / "WebArena-AgentOccam.csv").write_text(GRADING)
    return str(folder.parent)


def test_the_list_names_tables_with_their_benchmark(tmp_path: Path, here: Here) -> None:
    done = here(tmp_path, "data", "tables", "--json")
    assert done.code == 0
    assert {"benchmark": "webarena", "table": "human_assessment"} in done.json["tables"]
    assert "human_assessment" in here(tmp_path, "data", "tables").out


@pytest.mark.parametrize("name", ["human_assessment", "webarena/human_assessment"])
def test_json_rows_have_null_for_what_is_missing(name: str, tmp_path: Path, data: str, here: Here) -> None:
    done = here(tmp_path, "data", "tables", name, "--data", data, "--json")
    assert done.code == 0
    assert (done.json["benchmark"], done.json["table"]) == ("webarena", "human_assessment")
    assert [row["task_id"] for row in done.json["rows"]] == [0, 7]
    assert done.json["rows"][0]["bob"] == 0.5
    assert list(done.json["rows"][0]) == done.json["columns"]


def test_csv_is_for_programs_and_text_for_people(tmp_path: Path, data: str, here: Here) -> None:
    raw = here(tmp_path, "data", "tables", "human_assessment", "--data", data, "--csv").out
    rows = list(csv.DictReader(io.StringIO(raw)))
    assert [row["average"] for row in rows] == ["0.8333", "0.0"]
    text = here(tmp_path, "data", "tables", "human_assessment", "--data", data).out
    assert "0.833" in text
    assert "\x1b" not in text


@pytest.mark.parametrize("form", ["--json", "--csv", ""])
def test_days_are_printed_as_days(form: str, tmp_path: Path, here: Here) -> None:
    folder = tmp_path / "webarena" / "leaderboard_results"
    folder.mkdir(parents=True)
    known = {"id": "a", "name": "A", "open": True, "size_b": "-", "success_rate": 1.5}
    rows = [known | {"date": "09/2025"}, known | {"date": "-"}]
    (folder / "models.json").write_text(json.dumps(rows))
    call = ["data", "tables", "leaderboard_models", "--data", str(folder.parent), *filter(None, [form])]
    done = here(tmp_path, *call)
    assert done.code == 0, done.err
    assert "2025-09-01" in done.out
    assert "00:00" not in done.out
    if form == "--json":
        assert [row["date"] for row in done.json["rows"]] == ["2025-09-01", None]


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["human_asessment"], 2, "did you mean human_assessment"),
        (["human_assessment", "--csv", "--json"], 2, "choose one"),
        (["human_assessment"], 4, "WEBBENCH_DATA_WEBARENA"),
        (["leaderboard_results", "--data", "nothing"], 4, "nothing"),
    ],
)
def test_wrong_calls(arguments: list[str], code: int, told: str, tmp_path: Path, here: Here) -> None:
    done = here(tmp_path, "data", "tables", *arguments)
    assert (done.code, done.out) == (code, "")
    assert told in done.err
    assert "Traceback" not in done.err
