"""Runs that travel through a store which machines share, on disk and in memory, by fsspec itself."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from tests.core.runner.played_run import PlayedRun
from webbench.core.errors import BadData, EnvironmentDown, UsageError
from webbench.core.judge import Question, Reply
from webbench.core.observation import AccessibilityNode, Observation, Screenshot
from webbench.core.runner.sharing import pull, pull_episode, push, push_episode
from webbench.core.runner.status.run_status import run_status
from webbench.core.scoring.judges.kept_replies import keep_replies, kept_replies
from webbench.core.store.bin import Bin
from webbench.core.store.run_notes import RunNotes, change_notes, read_notes
from webbench.core.store.shared import SharedStore
from webbench.core.store.store import Store
from webbench.core.trajectory import Step, now

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c6360f8cfc0f01f0005050102a1d5b6c70000000049454e44ae426082"
)


@pytest.fixture(params=["file", "memory"])
def shared(request: pytest.FixtureRequest, tmp_path: Path) -> SharedStore:
    address = f"file://{tmp_path}/shared" if request.param == "file" else f"memory://{tmp_path.name}"
    return SharedStore(address)


def seen(number: int) -> Observation:
    nodes = tuple(
        AccessibilityNode(id=at, role="button", name=f"Button {at} of {number if at == 7 else 0}")
        for at in range(60)
    )
    return Observation(url=f"http://site/{number}", nodes=nodes)


def played(store: Store) -> PlayedRun:
    """A run with one episode that has ended, with pages that rest on each other, and one going on."""
    run = PlayedRun(store, planned=3)
    run.begin(0)
    picture = Screenshot(data=PNG, width=1, height=1, format="png")
    for number in (1, 2, 3):
        run.open[0].write(Step(index=number, at=now()), observation=seen(number), screenshot=picture)
    run.open[0].keep_data("order.pdf", b"%PDF")
    run.end(0, 1.0)
    run.begin(1)
    return run


def test_an_episode_comes_to_another_machine_whole_when_it_has_ended(
    tmp_path: Path, shared: SharedStore
) -> None:
    here, there = Store(tmp_path / "here"), Store(tmp_path / "there")
    run = played(here)
    assert push(here, shared).episodes == 1, "what is still being recorded waits"
    assert pull(there, shared, (run.run,)).episodes == 1
    (summary,) = there.episodes(run.run)
    assert (summary.value, there.check(summary.episode)) == (1.0, [])
    episode = there.load(summary.episode)
    assert [there.observation(episode, step).url for step in episode.steps[1:]] == [
        f"http://site/{number}" for number in (1, 2, 3)
    ]
    assert [path.name for path in there.files(summary.episode)] == ["order.pdf"]
    assert push(here, shared).episodes == pull(there, shared).episodes == 0, "both have it"
    run.end(1, None, "no answer")
    assert push(here, shared).episodes == pull(there, shared).episodes == 1
    assert run_status(there.root, run.run).not_scored == 1, "the log came too"


def test_what_its_recorder_left_unfinished_is_copied_and_replaced_once_it_has_ended(
    tmp_path: Path, shared: SharedStore
) -> None:
    here, there = Store(tmp_path / "here"), Store(tmp_path / "there")
    run = played(here)
    run.open[1].close()
    push(here, shared)
    pull(there, shared)
    first, second = there.episodes(run.run)
    assert (first.state, second.state) == ("ended", "interrupted")
    assert not pull_episode(there, shared, run.run, first.episode)
    assert pull_episode(there, shared, run.run, second.episode), "it may have ended meanwhile"


def test_what_judges_said_comes_along_also_later_and_from_both_sides(
    tmp_path: Path, shared: SharedStore
) -> None:
    here, there = Store(tmp_path / "here"), Store(tmp_path / "there")
    run = played(here)
    push(here, shared)
    pull(there, shared)
    (summary,) = there.episodes(run.run)
    question = Question(kind="page/done", fields={}, verdicts=("done",))
    for store, judge in ((here, "first"), (there, "second")):
        keep_replies(
            store, store.root / run.run / summary.episode, [(question, Reply(text="done", judge=judge))]
        )
        given = now()
        while now() == given:  # replies of one millisecond have no order between stores
            pass
    push(here, shared)
    pull(there, shared)
    push(there, shared)
    pull(here, shared)
    for store in (here, there):
        folder = store.root / run.run / summary.episode
        kept = kept_replies(folder)
        assert [one["judge"] for one in kept.values() if isinstance(one, dict)] == ["second"]
        assert len((folder / "replies.jsonl").read_bytes().splitlines()) == 2
    assert push(here, shared).left_out == pull(here, shared).left_out == ()


def test_a_damaged_or_foreign_shared_store_harms_nothing_here(tmp_path: Path) -> None:
    here, there = Store(tmp_path / "here"), Store(tmp_path / "there")
    run = played(here)
    shared = SharedStore(f"file://{tmp_path}/shared")
    push(here, shared)
    shutil.rmtree(tmp_path / "shared" / "blobs")
    copied = pull(there, shared)
    assert copied.episodes == 0
    assert "is missing" in copied.left_out[0]
    assert there.episodes(run.run) == [], "no half of an episode"
    with pytest.raises(UsageError, match="no run elsewhere"):
        pull(there, shared, ("elsewhere",))
    with pytest.raises(UsageError, match="no name of this store"):
        pull_episode(there, shared, run.run, "../outside")
    with pytest.raises(UsageError, match="no address of a shared store"):
        SharedStore("nonsense://somewhere")
    with pytest.raises(UsageError) as told:
        SharedStore("nonsense://name:hush@somewhere/runs")
    assert ("hush" in str(told.value), "nonsense://somewhere/runs" in str(told.value)) == (False, True)


def test_an_address_that_cannot_be_reached_is_told_and_loses_nothing(tmp_path: Path) -> None:
    here = Store(tmp_path / "here")
    run = played(here)
    (tmp_path / "taken").write_text("a file in its place")
    (episode, *_) = here.episodes(run.run)
    for folder in (tmp_path / "taken", "/proc/no such folder"):
        with pytest.raises(EnvironmentDown, match="can't be reached"):
            push_episode(here, SharedStore(f"file://{folder}"), run.run, episode.episode)
        with pytest.raises(EnvironmentDown, match="can't be reached"):
            SharedStore(f"file://{folder}").reach()
    there = SharedStore(f"file://{tmp_path / 'there'}")
    there.reach()
    assert there.runs() == [], "nothing that a reader heeds"
    assert here.check(episode.episode) == []


def test_a_file_that_is_no_blob_is_not_taken_in(tmp_path: Path) -> None:
    blobs = Store(tmp_path).blobs
    for name in ("../../etc/passwd", f"{'0' * 64}.exe", f"{'0' * 63}.zst"):
        with pytest.raises(BadData):
            blobs.adopt(name, b"")


def test_names_tags_and_deletion_travel_and_what_is_deleted_stays_so_until_it_is_named(
    tmp_path: Path, shared: SharedStore
) -> None:
    here, there = Store(tmp_path / "here"), Store(tmp_path / "there")
    run = played(here)
    run.open[1].close()
    say(here, run.run, name="The pilot", tags=("first", "old"))
    push(here, shared)
    assert pull(there, shared).deleted == ()
    assert said_of(there, run.run) == ("The pilot", ("first", "old"), "")

    say(here, run.run, note="before the fix", tags=("first",))
    say(there, run.run, name="Pilot", tags=("first", "old", "shown"))
    push(there, shared)
    push(here, shared)
    pull(there, shared)
    pull(here, shared)
    said = ("Pilot", ("first", "shown"), "before the fix")
    assert said_of(here, run.run) == said_of(there, run.run) == said

    Bin(there).put(run.run)
    assert pull(there, shared).deleted == (run.run,)
    Bin(there).empty([run.run])
    assert (pull(there, shared).deleted, there.run_names()) == ((run.run,), set())
    push(there, shared)
    assert pull(Store(tmp_path / "third"), shared).deleted == (run.run,)
    assert pull(here, shared).deleted_elsewhere == (run.run,)
    assert pull(there, shared, (run.run,)).episodes == 2
    assert said_of(there, run.run) == said
    push(there, shared)
    assert pull(Store(tmp_path / "third"), shared).deleted == ()


def say(store: Store, run: str, **said: object) -> None:
    change_notes(store.root, run, lambda notes: msgspec.structs.replace(notes, **said), store.redaction)


def said_of(store: Store, run: str) -> tuple[str, tuple[str, ...], str]:
    notes = read_notes(store.root / run)
    return notes.name, notes.tags, notes.note


def test_what_another_store_says_beyond_all_bounds_bars_nothing_here(tmp_path: Path) -> None:
    here, there = Store(tmp_path / "here"), Store(tmp_path / "there")
    run = played(here)
    shared = SharedStore(f"file://{tmp_path}/shared")
    push(here, shared)
    file = tmp_path / "shared" / run.run / "about.jsonl"
    said = RunNotes(name="x" * 999, tags=("two words", *(f"t{number}" for number in range(60))), at="2026")
    file.write_bytes(msgspec.json.encode(said) + b"\n")
    assert pull(there, shared).left_out == ()
    assert (
        len(change_notes(there.root, run.run, lambda one: without(one, "two words"), there.redaction).tags)
        == 60
    )
    Bin(there).put(run.run)
    Bin(there).restore(run.run)
    file.write_bytes((b" " * 1000 + b"\n") * 5000)
    assert "larger than" in pull(there, shared).left_out[0]
    assert len(read_notes(there.root / run.run).tags) == 60, "what was said before is known"


def without(notes: RunNotes, tag: str) -> RunNotes:
    return msgspec.structs.replace(notes, tags=tuple(one for one in notes.tags if one != tag))
