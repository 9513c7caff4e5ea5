"""Records that a crash, a disk or another release left odd."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.effort import examples
from webbench.core.errors import BadData, UsageError
from webbench.core.store.records import codec, reader
from webbench.core.store.store import Store
from webbench.core.trajectory import SCHEMA_VERSION


@pytest.fixture
def episode(store: Store, begin, step, page) -> Path:
    recorder = begin(store)
    for index in range(5):
        recorder.write(step(index), observation=page(index))
    recorder.finish(None, "done")
    return recorder.folder


def lines_of(episode: Path) -> list[bytes]:
    return (episode / "steps.jsonl").read_bytes().splitlines(keepends=True)


def rewrite(episode: Path, lines: list[bytes]) -> None:
    (episode / "steps.jsonl").write_bytes(b"".join(lines))


@pytest.mark.parametrize("kept", [1, 10, -2])
def test_a_torn_last_line_is_told_and_skipped(store: Store, episode: Path, kept: int) -> None:
    lines = lines_of(episode)
    rewrite(episode, [*lines[:-1], lines[-1][:kept]])
    trajectory = store.load(episode)
    assert [step.index for step in trajectory.steps] == [0, 1, 2, 3]
    assert "line 5, is torn" in trajectory.problems[0]


def test_a_last_line_that_lacks_only_its_end_is_kept(store: Store, episode: Path) -> None:
    lines = lines_of(episode)
    rewrite(episode, [*lines[:-1], lines[-1].rstrip(b"\n")])
    trajectory = store.load(episode)
    assert (len(trajectory.steps), trajectory.problems) == (5, ())


ENDLESS = b'{"index": 2, "at": "", "agent_state": {"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}}"
UNTYPED = b'{"index": 2, "at": "", "agent_state": ["plan"]}'


@pytest.mark.parametrize(
    "damage",
    [b"\0" * 50, b'{"index": "two", "at": ""}', b"\xff\xfe", b"[" * 100_000, ENDLESS, UNTYPED],
    ids=["zeros", "type", "bytes", "brackets", "endless state", "state that is no object"],
)
def test_a_damaged_line_in_the_middle_costs_only_its_step(store: Store, episode: Path, damage: bytes) -> None:
    lines = lines_of(episode)
    rewrite(episode, [*lines[:2], damage + b"\n", *lines[3:]])
    trajectory = store.load(episode)
    assert [step.index for step in trajectory.steps] == [0, 1, 3, 4]
    assert "line 3, is damaged and was skipped" in trajectory.problems[0]
    assert trajectory.problems[1] == "step 2 is not in the record"
    assert "holds 4 of the 5 steps" in trajectory.problems[2]


def test_a_record_cut_off_anywhere_gives_the_steps_before_the_cut(store: Store, episode: Path) -> None:
    whole, header = (episode / "steps.jsonl").read_bytes(), (episode / "episode.json").read_bytes()
    (episode / "episode.json").write_bytes(header.replace(b'"ended":"2', b'"began":"2'))
    for cut in range(len(whole)):
        (episode / "steps.jsonl").write_bytes(whole[:cut])
        trajectory = reader.read_trajectory(episode)
        complete = (whole[:cut] + whole[cut : cut + 1].replace(b"\n", b"\n")).count(b"\n")
        assert [step.index for step in trajectory.steps] == list(range(complete))
        torn = cut > 0 and b"\n" not in (whole[cut - 1 : cut], whole[cut : cut + 1])
        assert [("torn" in problem) for problem in trajectory.problems] == [True] * torn


@given(st.data())
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(300), deadline=None
)
def test_flipped_bytes_are_told_or_harmless(store: Store, episode: Path, data: st.DataObject) -> None:
    """Whatever a disk does to the lines, reading gives steps and problems, or says it can't."""
    path = episode / "steps.jsonl"
    before = path.read_bytes()
    damaged = bytearray(before)
    for _ in range(data.draw(st.integers(1, 5))):
        damaged[data.draw(st.integers(0, len(before) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(bytes(damaged))
    try:
        trajectory = reader.read_trajectory(episode)
    except codec.NewerSchema:
        assert b'"schema_version"' in damaged
    else:
        assert len(trajectory.steps) >= 5 or trajectory.problems
    finally:
        path.write_bytes(before)


def test_lost_and_doubled_lines_are_told(store: Store, episode: Path) -> None:
    lines = lines_of(episode)
    rewrite(episode, [lines[0], lines[3], lines[3], lines[4]])
    assert store.load(episode).problems[:2] == (
        "steps 1-2 are not in the record",
        "step 3 is in the record twice",
    )


def test_lost_steps_leave_the_header_readable(store: Store, episode: Path) -> None:
    (episode / "steps.jsonl").unlink()
    trajectory = store.load(episode)
    assert trajectory.header.end_reason == "done"
    assert "steps.jsonl is missing" in trajectory.problems[0]


@pytest.mark.parametrize("file", ["episode.json", "steps.jsonl"])
def test_a_newer_schema_is_refused_and_left_alone(store: Store, episode: Path, file: str) -> None:
    path = episode / file
    record = json.loads(path.read_bytes().splitlines()[0])
    record["schema_version"] = SCHEMA_VERSION + 1
    record["task"] = "of another shape"
    path.write_text(json.dumps(record) + "\n")
    before = path.read_bytes()
    with pytest.raises(BadData, match="written by a newer release") as caught:
        store.load(episode)
    assert file in caught.value.message
    assert "update" in caught.value.hint
    assert path.read_bytes() == before
    assert len(store.runs()) == 1


def test_newer_runs_and_episodes_are_listed_as_such(store: Store, episode: Path) -> None:
    for path in (episode / "episode.json", episode.parent / "run.json"):
        record = json.loads(path.read_text())
        path.write_text(json.dumps(record | {"schema_version": 99}))
    (run,) = Store(store.root).runs()
    assert "newer release" in run.problem
    (summary,) = store.episodes()
    assert summary.state == "unreadable"
    assert "newer release" in summary.problem


def test_a_record_of_an_older_release_is_read(store: Store, episode: Path) -> None:
    """Fields that came later are absent there, and the version may be."""
    header = json.loads((episode / "episode.json").read_text())
    kept = {key: header[key] for key in ("run", "episode", "task", "actor", "dialect")}
    (episode / "episode.json").write_text(json.dumps(kept))
    rewrite(episode, [b'{"index":0,"at":""}\n', b'{"index":1,"at":"","schema_version":1,"unknown":[]}\n'])
    trajectory = store.load(episode)
    assert len(trajectory.steps) == 2
    assert trajectory.problems == ()


def test_a_lost_blob_costs_only_what_it_held(store: Store, episode: Path) -> None:
    trajectory = store.load(episode)
    victim = trajectory.steps[4].observation
    next(store.blobs.folder.rglob(f"{victim}*")).unlink()
    with pytest.raises(BadData, match=r"observation of step 4 of .* is missing"):
        store.observation(trajectory, trajectory.steps[4])
    assert store.observation(trajectory, trajectory.steps[3]).title == "Shop"
    (problem,) = store.check(episode)
    assert problem.startswith("step 4, observation: ")


def test_an_episode_is_found_by_name_beginning_and_path(store: Store, begin, episode: Path) -> None:
    name, run = episode.name, episode.parent.name
    for text in (name, name[:-2], f"{run}/{name}", f"{run}/{name}/", str(episode)):
        assert store.find(text) == episode
    other = begin(store, run=run, order=0)
    with pytest.raises(UsageError, match="2 episodes are called 0000_cart") as caught:
        store.find("0000_cart")
    assert other.folder.name in caught.value.message
    with pytest.raises(UsageError, match="there is no episode 0007"):
        store.find("0007")


@pytest.mark.parametrize(
    "text",
    ["", "..", "../x", "a/../b", "/etc", "/etc/passwd", "run/../../x", "a\0b", "blobs", "%", ".", "a b"],
)
def test_names_that_lead_out_of_the_store_are_refused(store: Store, episode: Path, text: str) -> None:
    with pytest.raises(UsageError):
        store.find(text)
    with pytest.raises(UsageError):
        store.episodes(text or "..")


def test_a_link_out_of_the_store_is_not_followed(store: Store, episode: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "episode.json").write_bytes((episode / "episode.json").read_bytes())
    (episode.parent / "linked").symlink_to(outside)
    assert [summary.episode for summary in store.episodes()] == [episode.name]
    with pytest.raises(UsageError):
        store.find(str(episode.parent / "linked"))
