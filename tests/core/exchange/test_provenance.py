"""Where an episode came from, and when it was, survive an export and an import of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.shared import need_shared
from webbench.core.exchange.export_format import find_exporter
from webbench.core.exchange.exporting import export
from webbench.core.exchange.import_format import find_format
from webbench.core.exchange.importing import bring_in
from webbench.core.store.store import Store
from webbench.core.trajectory import IMPORTED, known_end


def imported(root: Path, path: Path, format: str) -> tuple[Store, Path]:
    """A store with what lies at a path, and its first episode's folder."""
    store = Store(root)
    list(bring_in(path, [find_format(format)], store))
    return store, min(one.parent for one in store.root.glob("*/*/episode.json"))


@pytest.mark.parametrize(
    "format", ["adp", "atif", "browser-use", "inspect", "opentelemetry", "webbench-jsonl"]
)
def test_the_origin_survives_and_the_time_of_an_import_is_no_end(tmp_path: Path, format: str) -> None:
    store, folder = imported(tmp_path / "first", need_shared("data/trajectories/nnetnav"), "nnetnav")
    before = store.load(folder).header
    out = tmp_path / "out"
    export(store, [folder], find_exporter(format.removeprefix("webbench-")), out)
    again, copy = imported(tmp_path / "again", out, format)
    after = again.load(copy).header
    source, told = before.settings[IMPORTED], after.settings[IMPORTED]
    assert isinstance(source, dict)
    assert isinstance(told, dict)
    here = source | {"from": Path(str(source["from"])).name}
    assert (told["format"], told["origin"]) == (format, here)
    if format == "opentelemetry":  # a span has no place for a time that nobody knows
        return
    assert (known_end(before), known_end(after), after.started) == ("", "", "")
    assert [one.ended for one in again.episodes()] == [""]


def test_a_log_of_inspect_does_not_end_when_it_was_imported(tmp_path: Path) -> None:
    store, folder = imported(tmp_path / "first", need_shared("data/trajectories/nnetnav"), "nnetnav")
    out = tmp_path / "log.json"
    export(store, [folder], find_exporter("inspect"), out)
    assert store.load(folder).header.ended.encode() not in out.read_bytes()


def test_episodes_whose_steps_are_not_public_have_no_count_of_steps(tmp_path: Path) -> None:
    annotations = need_shared("data/trajectories/agent-reward-bench-annotations")
    rows = (annotations / "annotations.csv").read_text("utf-8").splitlines()[:3]
    (tmp_path / "annotations.csv").write_text("\n".join(rows))
    store, _ = imported(tmp_path / "store", tmp_path / "annotations.csv", "agent-reward-bench")
    for one in store.episodes():
        assert (one.steps, one.steps_words) == (0, "–")
        assert "the episodes are not public" in one.reason_words
