"""Cleaned copies: what an edit changes, what a replay proves, and who says that it is valid."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

import webbench as wb
from tests.core.report.conftest import FIND, SEARCH, STOP, record
from tests.tui.cli.conftest import here
from tests.tui.cli.program import Here
from webbench.core.action.action import Stop, Type
from webbench.core.errors import UsageError
from webbench.core.exchange.training.seen_prompt import own_begin
from webbench.core.people.cleaning.cleaned_copy import Proof, cleaning_of, edited_trajectory, write_copy
from webbench.core.people.cleaning.trajectory_edits import Edits
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Origin, Step

__all__ = ["here"]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


def test_steps_are_dropped_moved_and_corrected_and_the_original_stays(store: Store) -> None:
    original = store.load(record(store, "human", (SEARCH, FIND, FIND, STOP), 1.0))
    edits = Edits(drop=(2,), moves=((3, 1),), texts={1: "tea"}, answer="42", bad_pictures=(4,))
    made = write_copy(
        store, edited_trajectory(original, edits), edits, Proof(state="stopped"), by="ann", why="w"
    )
    copy = store.load(store.root / made.run / made.episode)

    assert [step.index for step in copy.steps] == [0, 1, 2, 3]
    assert [step.action for step in copy.steps[1:2]] == [original.steps[3].action]
    assert copy.steps[2].observation == original.steps[2].observation, "what the next one was chosen by"
    typed, answered = copy.steps[2].action, copy.steps[3].action
    assert isinstance(typed, Type)
    assert isinstance(answered, Stop)
    assert (typed.text, answered.answer, copy.steps[2].prompt) == ("tea", "42", "")
    assert (copy.steps[3].screenshot, copy.steps[1].screenshot) == ("", original.steps[3].screenshot)
    assert copy.header.mixed
    assert copy.header.warnings[-1].endswith(f"{original.header.episode}, edited by ann")
    assert (copy.header.started, copy.header.ended) == (original.header.started, original.header.ended)
    assert copy.header.score is not None
    assert copy.header.score.headline() == "not scored: a cleaned copy; replay: stopped"
    assert all(step.score is None and not step.evidence for step in copy.steps)
    assert store.load(store.root / original.header.run / original.header.episode) == original


def test_a_copy_says_which_prompts_are_of_the_original_and_is_no_fork(store: Store) -> None:
    found = store.load(record(store, "human", (SEARCH, FIND, FIND, STOP), 1.0))
    steps = [msgspec.structs.replace(step, prompt=f"{step.index} steps") for step in found.steps]
    origin = Origin(run="r", episode="e", step=1)
    fork = msgspec.structs.replace(
        found, header=msgspec.structs.replace(found.header, origin=origin), steps=tuple(steps)
    )
    edits = Edits(drop=(2,), answer="")
    made = write_copy(store, edited_trajectory(fork, edits), edits, Proof(state="stopped"), by="ann", why="w")
    copy = store.load(store.root / made.run / made.episode)

    assert copy.header.origin is None
    assert isinstance(copy.steps[-1].action, Stop)
    assert copy.steps[-1].action.answer == ""
    assert copy.header.warnings[-2] == "1 prompt of it still tells what the original did before"
    assert cleaning_of(copy).first_change == 2


def test_what_follows_a_changed_reasoning_may_tell_of_the_original() -> None:
    assert Edits(reasoning={3: "because"}, drop=(5,)).first_change == 3
    assert Edits(bad_pictures=(1,)).first_change is None


def test_a_copy_of_a_fork_tells_what_it_repeats_even_without_the_note(store: Store) -> None:
    run = store.start_run("shop", "m", 1)
    task = Task(benchmark="shop", name="tea", intent="Find tea.")
    origin = Origin(run="r", episode="e", step=1)
    header = EpisodeHeader(run="", episode="", task=task, actor="m", dialect="", origin=origin)
    writer = store.recorder(run, header)
    for step in (
        Step(index=0, at=""),
        Step(index=1, at="", actor="agent", action=FIND),
        Step(index=2, at="", note="fork of r/e at step 1: 1 step"),
        Step(index=3, at="", actor="agent", action=STOP),
    ):
        writer.write(step)
    writer.finish(None, "done")
    writer.close()
    fork, edits = store.load(writer.folder), Edits(drop=(2,))
    assert own_begin(fork) == 3

    made = write_copy(store, edited_trajectory(fork, edits), edits, Proof(state="stopped"), by="ann", why="w")
    copy = store.load(store.root / made.run / made.episode)

    assert [bool(step.note) for step in copy.steps] == [False] * 3
    assert own_begin(copy) == 2


@pytest.mark.parametrize(
    "edits",
    [
        Edits(),
        Edits(drop=(0,)),
        Edits(drop=(9,)),
        Edits(drop=(1, 2)),
        Edits(texts={1: "nothing is typed"}),
        Edits(moves=((1, 1),)),
        Edits(drop=(1,), reasoning={1: "lost with the step"}),
        Edits(drop=(1,), moves=((1, 2),)),
    ],
)
def test_what_can_not_be_edited_is_refused(store: Store, edits: Edits) -> None:
    original = store.load(record(store, "human", (FIND, STOP), 1.0))
    with pytest.raises(UsageError):
        edited_trajectory(original, edits)


def test_another_person_validates_a_copy_and_no_replay_is_no_proof(
    store: Store, tmp_path: Path, here: Here
) -> None:
    episode = record(store, "human", (SEARCH, FIND, STOP), 1.0)
    place = ("--store", str(store.root), "--json")

    both = here(tmp_path, "edit", episode, "--text", "1=a", "--text", "1=b", "--as", "ann", *place)
    dropped = here(tmp_path, "edit", episode, "--drop", "2", "--as", "ann", *place)
    marked = here(tmp_path, "edit", episode, "--bad-picture", "1", "--as", "ann", "--note", "grey", *place)
    copy = marked.json["copy"]["episode"]
    own = here(tmp_path, "edit", copy, "--valid", "--as", "ann", *place)
    mute = here(tmp_path, "edit", copy, "--invalid", "--as", "bea", *place)
    valid = here(tmp_path, "edit", copy, "--valid", "--as", "bea", *place)
    invalid = here(tmp_path, "edit", copy, "--invalid", "--note", "step 1", "--as", "cy", *place)
    twice = here(tmp_path, "edit", copy, "--drop", "1", "--as", "bea", *place)

    assert (dropped.code, dropped.json["copy"]["cleaning"]["proof"]["state"]) == (1, "not possible")
    assert (marked.code, marked.json["copy"]["cleaning"]["proof"]["state"]) == (0, "same actions")
    assert (marked.json["copy"]["cleaning"]["why"], marked.json["copy"]["validated"]) == ("grey", {})
    assert (own.code, mute.code, twice.code, both.code) == (2, 2, 2, 2)
    assert (valid.code, valid.json["copy"]["validated"]) == (0, {"bea": "valid"})
    assert (invalid.code, invalid.json["copy"]["validated"]) == (1, {"bea": "valid", "cy": "invalid"})


@pytest.mark.thorough
@pytest.mark.browser
def test_a_copy_that_still_solves_the_task_has_its_score_and_another_has_none(
    store: Store, tmp_path: Path, here: Here
) -> None:
    episode = wb.play("demo/camp-mugs", "oracle", store=store.root).header.episode
    place = ("--as", "ann", "--store", str(store.root), "--json")
    whole = here(tmp_path, "edit", episode, "--drop", "1", *place)
    broken = here(tmp_path, "edit", episode, "--drop", "6", *place)

    assert (whole.code, whole.json["copy"]["cleaning"]["proof"]["state"]) == (0, "same score")
    assert (broken.code, broken.json["copy"]["cleaning"]["proof"]["state"]) == (1, "stopped")
    scores = [store.load(one.json["copy"]["episode"]).header.score for one in (whole, broken)]
    assert [score.value if score else None for score in scores] == [1.0, None]
