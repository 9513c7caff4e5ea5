"""A person's episode becomes its task's gold trajectory: compared by default, told after the end alone."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.tui.cli.program import Here
from webbench.core.action.action import Click, ElementRef, Stop
from webbench.core.analysis.recorded.gold_trajectory import FILE
from webbench.core.analysis.recorded.other_attempts import other_attempts
from webbench.core.score.score import Score, Status
from webbench.core.store.index.summaries import read_summary
from webbench.core.store.records.recorder import Recorder
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step


def recorded(
    store: Store, actor: str, value: float | None = 1.0, *, task: str = "boats", end: bool = True
) -> str:
    run = store.start_run("assistantbench", actor, 1)
    header = EpisodeHeader(
        run=run,
        episode="",
        task=Task(benchmark="assistantbench", name=task, intent="Which boat?", gold={"answer": "Dunlin"}),
        actor=actor,
        dialect="assistantbench",
    )
    who: Any = "human" if actor == "human" else "agent"
    link = ElementRef(role="link", name="Fleet")
    steps = (
        Step(index=0, at="", actor="operator", url="http://ferry.localhost/"),
        Step(index=1, at="", actor=who, action=Click(target=link), url="http://ferry.localhost/fleet"),
        Step(index=2, at="", actor=who, action=Stop(answer="Dunlin")),
    )
    recorder = store.recorder(run, header, durable=not end)
    if end:
        for step in steps:
            recorder.write(step)
        status = Status.NOT_SCORED if value is None else Status.SCORED
        recorder.finish(Score(status=status, value=value), "done")
    else:
        asyncio.run(_left(recorder, steps))
    return recorder.header.episode


async def _left(recorder: Recorder, steps: Sequence[Step]) -> None:
    """Recorded without an end, as an episode is that goes on."""
    for step in steps:
        await recorder.append(step)
    recorder.close()


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


def test_the_gold_trajectory_is_compared_by_default_and_shown_after_the_end(
    store: Store, here: Here, tmp_path: Path
) -> None:
    kept = ("--store", str(store.root), "--json")
    other, gold = recorded(store, "human"), recorded(store, "human")
    agent, going_on = recorded(store, "agent x", 0.0), recorded(store, "agent y", end=False)
    alone = here(tmp_path, "compare", agent, *kept)
    assert alone.code == 2

    named = here(tmp_path, "gold", gold, "--as", "ann", "--note", "the short way", *kept)
    assert (named.code, named.json["gold"]["by"], named.json["gold"]["origin"]) == (0, "ann", "recorded here")
    compared = here(tmp_path, "compare", agent, *kept).json["comparison"]["attempts"]
    assert [one["episode"] for one in compared] == [gold, agent]
    among = here(tmp_path, "compare", other, agent, gold, *kept).json["comparison"]["attempts"]
    assert [one["episode"] for one in among] == [gold, other, agent]
    two = here(tmp_path, "compare", other, agent, *kept).json["comparison"]["attempts"]
    assert [one["episode"] for one in two] == [other, agent]
    first, *_ = other_attempts(store, read_summary(store.find(agent)))
    assert first.episode == gold

    shown = here(tmp_path, "show", agent, *kept).json["gold"]
    assert (shown["episode"], shown["note"]) == (gold, "the short way")
    text = here(tmp_path, "show", agent, "--store", str(store.root)).out
    assert "gold trajectory: " in text
    assert "named by ann: the short way" in text
    before = here(tmp_path, "show", going_on, *kept)
    assert before.json["gold"] is None
    assert "gold trajectory" not in here(tmp_path, "show", going_on, "--store", str(store.root)).out
    assert here(tmp_path, "compare", going_on, *kept).code == 2

    (listed,) = here(tmp_path, "gold", *kept).json["golds"]
    assert (listed["task"], listed["episode"], listed["gone"]) == ("boats", gold, False)
    assert here(tmp_path, "gold", other, "--as", "ben", *kept).code == 0
    assert here(tmp_path, "show", agent, *kept).json["gold"]["episode"] == other
    wrong = here(tmp_path, "gold", gold, "--withdraw", "--as", "ben", *kept)
    assert (wrong.code, "is not the gold" in wrong.err) == (2, True)
    assert here(tmp_path, "gold", other, "--withdraw", "--as", "ben", *kept).json["gold"]["withdrawn"]
    assert here(tmp_path, "show", agent, *kept).json["gold"] is None
    assert len((store.root / FILE).read_text().splitlines()) == 3


@pytest.mark.parametrize(
    ("actor", "value", "end", "told"),
    [
        ("agent x", 1.0, True, "a person's alone"),
        ("human", 0.5, True, "does not solve its task"),
        ("human", 1.0, False, "has no end"),
    ],
)
def test_what_cannot_be_a_gold_trajectory(
    store: Store, here: Here, tmp_path: Path, actor: str, value: float, end: bool, told: str
) -> None:
    episode = recorded(store, actor, value, end=end)
    refused = here(tmp_path, "gold", episode, "--as", "ann", "--store", str(store.root))
    assert (refused.code, told in refused.err) == (2, True), refused.err
    assert not (store.root / FILE).exists()


def test_a_question_without_a_public_answer_has_one_too_and_a_damaged_line_is_told(
    store: Store, here: Here, tmp_path: Path
) -> None:
    episode = recorded(store, "human", None)
    kept = ("--store", str(store.root))
    assert here(tmp_path, "gold", episode, "--as", "ann", *kept).code == 0
    with (store.root / FILE).open("a") as file:
        file.write("{torn\n")
    listed = here(tmp_path, "gold", *kept)
    assert (listed.code, "line 2, is damaged" in listed.err) == (4, True), listed.err
    assert episode in listed.out


def test_a_list_of_a_newer_release_or_that_leads_elsewhere_hinders_no_reading(
    store: Store, here: Here, tmp_path: Path
) -> None:
    episode, kept = recorded(store, "human"), ("--store", str(store.root), "--json")
    elsewhere = Store(tmp_path / "elsewhere")
    other = elsewhere.find(recorded(elsewhere, "human"))
    named = here(tmp_path, "gold", episode, "--as", "ann", *kept).json["gold"]
    away = named | {"run": f"../elsewhere/{other.parent.name}", "episode": other.name}
    (store.root / FILE).write_text(json.dumps(away) + "\n")
    assert (store.root / away["run"] / away["episode"]).is_dir()
    assert here(tmp_path, "show", episode, *kept).json["gold"] is None
    assert [one["gone"] for one in here(tmp_path, "gold", *kept).json["golds"]] == [True]
    (store.root / FILE).write_text(json.dumps(named | {"schema_version": 99}) + "\n")
    shown = here(tmp_path, "show", episode, *kept)
    assert (shown.code, shown.json["gold"], "newer" in shown.err) == (0, None, True), shown.err
    assert here(tmp_path, "gold", *kept).code == 4
