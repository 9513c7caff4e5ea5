"""TurkingBench's answers of workers, and logs of the published code, as episodes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from webbench.benchmarks.turkingbench.recorded.agent_data import TurkingAgentData
from webbench.benchmarks.turkingbench.recorded.console_log import ConsoleLog
from webbench.core.action.action import Check, ElementRef, Type
from webbench.core.exchange.import_format import Format, ImportedEpisode, ImportedStep
from webbench.core.exchange.place import Place
from webbench.core.score.score import Status

LOG = """\x1b[32mSolver: claude\x1b[0m
 = = = starting new task: `Compression HIT` = = =
instance_id: 31 <-> row_number: 5
 - - -  starting a new element: `Input(name=`short`, type=`text`, task=`x`)` - - -
input: Input(name=`short`, type=`text`, task=`x`)
about to try executing one action, on the following input: short
Claude response:  I would type:

self.actions.modify_text('short', 'Less')
Executing one action: self.actions.modify_text('short', 'Less')
That does it.
Failed to execute an action self.actions.modify_text('short', 'Less')
That does it., error: invalid syntax (<string>, line 2)
 - - -  starting a new element: `Input(name=`n`, type=`hidden`, task=`x`)` - - -
Skipping element `n` since it is not visible.
 ------- evaluating input: Input(name=`short`, type=`text`, task=`x`) -------
----> answers: `['Less']` - type: `<class 'list'>`
----> baseline_answer: `Lots` - type: `<class 'str'>`
----> per-field score: 0.25
 ------- evaluating input: Input(name=`n`, type=`hidden`, task=`x`) -------
Skipping element `n` since it is not visible.
 --> Per-instance overall score: 0.25
instance_id: 32 <-> row_number: 6
 - - -  starting a new element: `Input(name=`short`, type=`text`, task=`x`)` - - -
Claude response: no idea
Executing one action: no idea
"""


def read(format: Format, path: Path) -> list[tuple[ImportedEpisode, list[ImportedStep]]]:
    place = Place(path, path)
    assert format.claim(place) is not None
    return [(episode, list(episode.steps)) for episode in format.episodes(place)]


def test_a_log_becomes_an_episode_for_each_instance(tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_text(LOG)

    (first, steps), (second, unfinished) = read(ConsoleLog(), tmp_path / "log.txt")

    assert (first.header.task.id, first.header.actor) == ("Sentence Compression#5", "claude")
    assert first.header.score is not None
    assert (first.header.score.value, first.header.score.combination) == (
        0.25,
        "mean of 1 fields, as recorded",
    )
    (check,) = first.header.score.checks
    assert (check.target, check.actual, check.expected, check.value) == ("short", "Lots", "['Less']", 0.25)
    typed = steps[1].step
    assert typed.action == Type(target=ElementRef(field="short"), text="Less")
    assert (typed.ok, typed.error) == (False, "invalid syntax (<string>, line 2)")
    assert typed.reply.startswith("I would type:")
    assert steps[2].step.note == "field n: left out, as it is not visible"
    assert (second.header.task.instance, unfinished[1].step.action) == (6, None)
    assert second.header.score is not None
    assert second.header.score.status is Status.NOT_SCORED
    assert second.lost == [
        "a response without a call is kept as text",
        "the log ends before the instance was scored",
    ]


TEMPLATE = "<form><input type=radio name=q><input type=checkbox name=c><input type=text name=t></form>"


def test_a_row_becomes_what_the_worker_filled_in(tmp_path: Path) -> None:
    answers = {"q": "1", "c": "on", "t": "", "more": "x"}
    row = {
        "Title": "Judge",
        "Keywords": "k",
        "a": "b",
        "Task": "Compression HIT",
        "Template": TEMPLATE,
        "_id": "Compression HIT__4",
        "Answer": answers,
    }
    (tmp_path / "raw.json").write_text(json.dumps([row]))

    ((episode, steps),) = read(TurkingAgentData(), tmp_path / "raw.json")

    assert (episode.header.task.id, episode.header.actor) == ("Sentence Compression#4", "human")
    assert episode.header.task.data["inputs"]["a"] == "b"
    assert steps[0].html == TEMPLATE
    assert [one.step.action for one in steps[1:]] == [
        Check(target=ElementRef(field="q", option="1", role="radio")),
        Check(target=ElementRef(field="c", role="checkbox")),
        Type(target=ElementRef(field="more", role="textbox"), text="x"),
    ]
    assert len(episode.lost) == 1


@pytest.mark.parametrize("name", ["turkingbench.sample_std.json", "other.json"])
def test_a_trajectory_made_from_answers_is_a_persons(tmp_path: Path, name: str) -> None:
    url = "https://turkingbench.github.io/tasks/T__0"
    content = [{"class_": "api_action", "function": "goto", "kwargs": {"url": url}}]
    (tmp_path / name).write_text(json.dumps([{"id": "T__0", "content": content, "details": {"task": "T"}}]))

    ((episode, steps),) = read(TurkingAgentData(), tmp_path / name)

    assert (episode.header.task.benchmark, episode.header.task.id) == ("turkingbench", "T#0")
    assert (episode.header.actor, steps[1].step.actor) == ("human", "human")
