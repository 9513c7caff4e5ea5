"""Demonstrations as recorded episodes."""

import json
from pathlib import Path

import pytest

from tests.benchmarks.weblinx.folders import TURNS, URL, browser, chat, write_demonstration
from tests.shared import need_shared
from webbench.benchmarks.weblinx.exchange.demonstration_format import WebLinxDemonstration
from webbench.core.action.action import Click, ClickAt, Goto, Hover, Say, Type
from webbench.core.errors import BadData
from webbench.core.exchange.import_format import ImportedEpisode, ImportedStep
from webbench.core.exchange.importing import bring_in
from webbench.core.exchange.place import Place


def read(path: Path) -> tuple[ImportedEpisode, list[ImportedStep]]:
    place = Place(path, path.parent)
    claim = WebLinxDemonstration().claim(place)
    assert claim is not None
    assert claim.kind == "episodes"
    ((episode, steps),) = [(one, list(one.steps)) for one in WebLinxDemonstration().episodes(place)]
    return episode, steps


def test_each_turn_is_a_step_with_the_page_it_led_to(tmp_path: Path) -> None:
    episode, steps = read(write_demonstration(tmp_path / "demo1"))

    assert (episode.header.task.name, episode.header.task.intent) == ("demo1", "Buy a lamp")
    assert (episode.header.actor, len(steps)) == ("human", len(TURNS) + 1)
    assert [type(one.step.action) for one in steps[2:6]] == [Say, Goto, Type, ClickAt]
    typed, clicked, hovered = (steps[place].step.action for place in (4, 6, 8))
    assert isinstance(typed, Type)
    assert (typed.text, typed.target and typed.target.name) == ("desk lamp", "Search")
    assert isinstance(clicked, Click)
    assert (clicked.target.role, clicked.target.name) == ("button", "Buy")
    assert clicked.target.box is not None
    assert isinstance(hovered, Hover)
    assert steps[3].observation is not None
    assert (steps[3].step.url, steps[3].observation.title) == (URL, "Lamps")
    assert steps[3].picture is not None
    assert steps[3].picture.scale == 2.0
    assert "<button" in steps[3].html


def test_the_instructors_words_are_notes_that_are_exported_as_such(tmp_path: Path) -> None:
    _, steps = read(write_demonstration(tmp_path / "demo1"))

    assert [(one.step.note, one.step.actor) for one in steps if one.step.note][-1] == (
        "instructor: Thanks",
        "operator",
    )
    assert all(one.step.action is None for one in steps if one.step.note)


@pytest.mark.parametrize(("version", "actor"), [("2.1", "human"), ("webbench-tui 0.1", "model-a")])
def test_the_actor_of_what_was_exported_here_is_kept(tmp_path: Path, version: str, actor: str) -> None:
    folder = write_demonstration(tmp_path / "demo1")
    about = {"user": "model-a", "version": version, "recordingStart": 1_700_000_000_000}
    (folder / "metadata.json").write_text(json.dumps(about))

    episode, steps = read(folder)

    assert (episode.header.actor, episode.header.started[:10]) == (actor, "2023-11-14")
    assert {one.step.actor for one in steps} == {"operator", "human" if actor == "human" else "agent"}


def test_the_shared_demonstrations_are_read() -> None:
    told = list(bring_in(need_shared("data", "weblinx"), [WebLinxDemonstration()], None))

    read_of = {Path(one.path).name: (one.episodes, one.steps) for one in told if one.episodes}
    assert read_of == {"aaabtsd_turns.derived.jsonl": (1, 34), "cptbbef.replay.excerpt.json": (1, 8)}


def test_what_nobody_can_tell_is_lost_rather_than_made_up(tmp_path: Path) -> None:
    turns = [
        chat("instructor", "Hi"),
        chat("instructor", "Find a lamp"),
        browser("change", "gone", value="3"),
    ]
    folder = write_demonstration(tmp_path / "demo1", turns)
    (folder / "form.json").unlink()

    episode, steps = read(folder)

    assert episode.header.task.intent == "Find a lamp"
    assert steps[-1].step.action is None
    assert episode.lost[0].startswith("what was done on turn 2")


def test_a_page_that_is_a_link_out_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret.html").write_text("<html>secret</html>")
    folder = write_demonstration(tmp_path / "in" / "demo1")
    page = folder / "pages" / "page-1-0.html"
    page.unlink()
    page.symlink_to(tmp_path / "secret.html")

    with pytest.raises(BadData, match="leads out of"):
        list(WebLinxDemonstration().episodes(Place(folder, tmp_path / "in")))
