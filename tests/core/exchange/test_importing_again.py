"""An import that is repeated, or was cut off, adds what is missing and nothing twice."""

import json
from pathlib import Path

import msgspec
import pytest

from webbench.core.exchange.exporting import export
from webbench.core.exchange.import_format import known_formats
from webbench.core.exchange.importing import bring_in
from webbench.core.exchange.own import jsonl
from webbench.core.labels.ledger import ledger_of
from webbench.core.score.score import Score
from webbench.core.store.records.durable_files import StoreUnwritable
from webbench.core.store.records.recorder import Recorder
from webbench.core.store.store import Store
from webbench.core.trajectory import EpisodeHeader, known_end


def write(path: Path, *tasks: str) -> None:
    runs = [
        {
            "question_ID": task,
            "question": "How long is it?",
            "history": [{"role": "WebSurfer", "content": "I can't find it"}],
            "ground_truth": "5 m",
            "is_correct": False,
            "mistake_agent": "WebSurfer",
            "mistake_step": "0",
        }
        for task in tasks
    ]
    path.mkdir(exist_ok=True)
    for task, run in zip(tasks, runs, strict=True):
        (path / f"{task}.json").write_text(json.dumps(run))


def sums(root: Path, store: Store, *, again: bool = False) -> tuple[int, int, int]:
    told = list(bring_in(root, known_formats(), store, again=again))
    store.close()
    return sum(one.episodes for one in told), sum(one.known for one in told), sum(one.changed for one in told)


def test_what_was_imported_before_is_known_and_new_files_join_its_run(tmp_path: Path) -> None:
    store, root = Store(tmp_path / "store"), tmp_path / "in"
    write(root, "a", "b")
    assert sums(root, store) == (2, 0, 0)
    write(root, "c")

    assert sums(root, store) == (3, 2, 0)

    assert len(store.runs()) == 1
    assert [(one.task, one.order) for one in store.episodes()] == [("a", 0), ("b", 1), ("c", 2)]
    assert len(ledger_of(store).book().labels) == 3


def test_no_time_is_made_up_for_an_episode_whose_source_tells_none(tmp_path: Path) -> None:
    store, root = Store(tmp_path / "store"), tmp_path / "in"
    write(root, "a")
    sums(root, store)

    (episode,) = store.episodes()
    header = store.load(episode.episode).header
    assert episode.state == "ended"
    assert known_end(header) == ""
    assert known_end(msgspec.structs.replace(header, ended="2024-02-03T04:05:06Z")) == "2024-02-03T04:05:06Z"


def test_a_changed_file_is_kept_in_a_run_of_its_own_beside_the_old_one(tmp_path: Path) -> None:
    store, root = Store(tmp_path / "store"), tmp_path / "in"
    write(root, "a", "b")
    sums(root, store)
    (root / "a.json").write_text((root / "a.json").read_text().replace("false", "true"))

    assert sums(root, store) == (2, 1, 1)
    assert sums(root, store) == (2, 2, 0)

    assert sorted((run.episodes, run.mean_score) for run in store.runs()) == [(1, 1.0), (2, 0.0)]


def test_everything_is_kept_once_more_when_asked_for(tmp_path: Path) -> None:
    store, root = Store(tmp_path / "store"), tmp_path / "in"
    write(root, "a")
    sums(root, store)

    assert sums(root, store, again=True) == (1, 0, 0)

    assert [run.episodes for run in store.runs()] == [1, 1]


def test_an_import_that_was_cut_off_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, root = Store(tmp_path / "store"), tmp_path / "in"
    write(root, "a", "b")
    finish = Recorder.finish

    def full(self: Recorder, score: Score | None, reason: str, *, ended: str = "") -> EpisodeHeader:
        if self.header.task.name == "b":
            raise StoreUnwritable("no space left", "free some", "full")
        return finish(self, score, reason, ended=ended)

    with monkeypatch.context() as broken:
        broken.setattr(Recorder, "finish", full)
        with pytest.raises(StoreUnwritable):
            sums(root, store)

    assert sums(root, store) == (2, 1, 0)

    assert len(store.runs()) == 1
    assert [one.task for one in store.episodes() if one.state == "ended"] == ["a", "b"]


def test_labels_that_a_killed_import_could_not_write_any_more_are_added(tmp_path: Path) -> None:
    store, root = Store(tmp_path / "store"), tmp_path / "in"
    write(root, "a")
    sums(root, store)
    (tmp_path / "store" / "labels" / "who-and-when.jsonl").unlink()

    assert sums(root, Store(tmp_path / "store")) == (1, 1, 0)

    (label,) = ledger_of(store).book().labels
    assert (label.episode, label.code) == (store.episodes()[0].episode, "decisive")


def test_a_name_that_no_annotator_can_have_costs_the_label_not_the_import(tmp_path: Path) -> None:
    store, root = Store(tmp_path / "store"), tmp_path / "in"
    write(root, "a")
    sums(root, store)
    out = tmp_path / "out.jsonl"
    export(
        store, [store.root / one.run / one.episode for one in store.episodes()], jsonl.create_exporter(), out
    )
    out.write_text(out.read_text().replace('"annotator":"who-and-when"', '"annotator":"../who"'))

    (told,) = bring_in(out, known_formats(), store)

    assert (told.episodes, told.state) == (1, "partial")
    assert '"../who" is no name for an annotator' in told.lost[0]
