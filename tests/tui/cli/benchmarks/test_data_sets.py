"""`data list`, `data check` and `data get`: what is printed, and the exit codes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.core.datasets.source import open_source
from tests.core.datasets.test_checking import QUESTION, WEBARENA, lines
from tests.tui.cli.program import Here
from webbench.benchmarks.common.data_sets import DataSets
from webbench.benchmarks.webarena.data_sets import FORMS
from webbench.core.benchmark.bundle import bundles_of
from webbench.core.datasets.data_family import DataSet, Part
from webbench.tui.cli.benchmarks import data_sets

TASKS = lines(WEBARENA).encode()


def test_the_list_tells_what_is_known_and_where_it_is(tmp_path: Path, here: Here) -> None:
    (tmp_path / "test.raw.json").write_bytes(TASKS)
    done = here(tmp_path, "data", "list", "--json", WEBBENCH_DATA_WEBARENA=str(tmp_path))
    assert done.code == 0
    listed = {one["benchmark"]: one for one in done.json["benchmarks"]}
    assert set(listed) >= {"assistantbench", "demo", "turkingbench", "webarena", "webcanvas", "weblinx"}
    sets = {one["name"]: one for benchmark in listed.values() for one in benchmark["data_sets"]}
    assert sets["webarena"]["state"] == "changed"
    assert sets["webarena"]["path"] == str(tmp_path / "test.raw.json")
    assert sets["webarena-verified"]["state"] == "not installed"
    assert sets["laptop-arena"]["state"] == "bundled"
    assert all(one["licence"] for one in sets.values())
    text = here(tmp_path, "data", "list").out
    assert all(name in text for name in sets)


def test_a_bundle_has_the_licence_that_it_states(
    tmp_path: Path, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ours,) = (bundle for bundle in bundles_of("weblinx") if bundle.name == "shop-talk")
    theirs = SimpleNamespace(name="theirs", title="Theirs", data=ours.data, licence="")
    monkeypatch.setattr(data_sets, "bundles_of", lambda name: [ours, theirs] if name == "weblinx" else [])
    listed = here(tmp_path, "data", "list", "--json").json["benchmarks"]
    licences = {one["name"]: one["licence"] for benchmark in listed for one in benchmark["data_sets"]}
    assert (licences["shop-talk"], licences["theirs"]) == ("Apache-2.0", "")
    (line,) = (
        line for line in here(tmp_path, "data", "list", COLUMNS="200").out.splitlines() if "theirs" in line
    )
    assert "not stated" in line


def test_check_says_by_its_exit_code_whether_data_is_clean(tmp_path: Path, here: Here) -> None:
    file = tmp_path / "any.jsonl"
    file.write_text(json.dumps(QUESTION))
    done = here(tmp_path, "data", "check", str(file))
    assert (done.code, "1 can be used, clean" in " ".join(done.out.split())) == (0, True)
    file.write_text(f"{json.dumps(QUESTION)}\n{json.dumps(QUESTION | {'answer': 5})}\n\x1b[2J")
    done = here(tmp_path, "data", "check", str(file), "--json")
    assert done.code == 1
    assert (done.json["clean"], done.json["counts"]["error"]) == (False, 2)
    (found,) = done.json["found"]
    assert [problem["where"] for problem in found["problems"]] == ["any.jsonl:3", "any.jsonl:2"]
    text = here(tmp_path, "data", "check", str(file))
    assert (text.code, "\x1b" in text.out, "any.jsonl:2" in text.out) == (1, False, True)
    assert here(tmp_path, "data", "check", str(tmp_path / "gone")).code == 4


class Published(DataSets):
    """Data of a source of our own."""

    def __init__(self, url: str, sha256: str) -> None:
        super().__init__("webarena", __file__, FORMS)
        self._part = Part(url=url, path="test.raw.json", size=len(TASKS), sha256=sha256)

    def known(self) -> Sequence[DataSet]:
        one = DataSet(name="own", title="Own", source="own", licence="MIT", parts=(self._part,))
        return (one,)


def test_get_downloads_once_and_says_what_came(
    tmp_path: Path, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_source() as source:
        family = Published(source.gives("/tasks", TASKS), hashlib.sha256(TASKS).hexdigest())
        monkeypatch.setattr(data_sets, "data_families", lambda: [family])
        done = here(tmp_path, "data", "get", "own", "--json")
        assert done.code == 0
        (put,) = done.json["put"]
        assert Path(put).read_bytes() == TASKS
        assert done.json["found"][0]["data_set"] == "own"
        assert "licence: MIT" in done.err
        again = here(tmp_path, "data", "get", "own")
        assert (again.code, len(source.asked)) == (0, 1)
        assert here(tmp_path, "data", "get", "own", "--again").code == 0
        assert len(source.asked) == 2
        tasks = here(tmp_path, "data", "list", "--json").json["benchmarks"]
        webarena = next(one for one in tasks if one["benchmark"] == "webarena")
        assert webarena["data_sets"][0]["state"] == "installed"


def test_get_says_what_to_do_where_it_cannot(
    tmp_path: Path, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    misspelt = here(tmp_path, "data", "get", "webarna")
    assert (misspelt.code, "did you mean webarena" in misspelt.err) == (2, True)
    assert here(tmp_path, "data", "get", "laptop-arena").code == 2
    monkeypatch.setattr(data_sets, "data_families", lambda: [Published("http://127.0.0.1:1/tasks", "")])
    done = here(tmp_path, "data", "get", "own")
    assert done.code == 3
    assert "127.0.0.1 can't be reached" in done.err
    assert "on another machine get" in done.err
    with open_source() as source:
        family = Published(source.gives("/tasks", TASKS), "0" * 64)
        monkeypatch.setattr(data_sets, "data_families", lambda: [family])
        assert here(tmp_path, "data", "get", "own").code == 4
