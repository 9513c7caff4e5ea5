"""`instruct` by lines: what is said goes into the episode of a navigator, and what happens there is told."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.core.engine.session.test_session import Sitting
from tests.core.runner.played_run import PlayedRun
from tests.tui.cli.program import Here, call
from webbench.core.engine import catalogue
from webbench.core.engine.engine import Engine
from webbench.core.engine.wire import messages
from webbench.core.episode.utterances import Utterance
from webbench.core.store.store import Store
from webbench.tui.cli.stepping.answers import print_heard

TASK = catalogue.read_task("weblinx", "mugtrip", 0).task
START = messages.StartEpisode(benchmark="weblinx", task=TASK, instructor="ann")


async def test_lines_are_said_and_both_are_heard(tmp_path: Path) -> None:
    async with Engine(Store(tmp_path / "store"), drain=False) as engine:
        navigator = Sitting(engine)
        await navigator.do(START, messages.AddNote(text="navigator: I am here"))
        lines = "Find a mug\n\n" + "x" * 5_000 + "\nA blue one"
        told = await asyncio.to_thread(call, tmp_path, "instruct", "--store", "store", "--json", stdin=lines)
        await navigator.session.close()
    assert told.code == 1, "one line could not be said"
    assert "not said: That has 5,000 characters" in told.err
    assert [line["said"] for line in told.json_lines if line["event"] == "StepRecorded"] == [
        None,
        {"speaker": "navigator", "text": "I am here"},
        {"speaker": "instructor", "text": "Find a mug"},
        {"speaker": "instructor", "text": "A blue one"},
    ]


def test_an_episode_that_lets_nobody_in_is_told_with_what_to_do(tmp_path: Path, here: Here) -> None:
    played = PlayedRun(Store(tmp_path / "store"), planned=1)
    nobody = here(tmp_path, "instruct", "--store", "store", "--json")
    assert (nobody.code, "step TASK --instructor NAME" in nobody.err) == (2, True)
    closed = here(tmp_path, "instruct", played.begin(0), "--store", "store", "--json")
    assert (closed.code, "can't be instructed from here" in closed.err) == (3, True)
    played.leave()


def test_the_navigator_who_steps_by_lines_hears_it_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    heard = Utterance("instructor", "Go\x1b[31m on")
    print_heard(4, heard, as_json=False)
    print_heard(4, heard, as_json=True)
    plain, as_json = capsys.readouterr().out.splitlines()
    assert plain == "instructor says: Go␛[31m on"
    assert '"step": 4' in as_json
    assert '"speaker": "instructor"' in as_json
