"""Recorded scores of pages that were not there, and records that don't name all who acted."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.tui.cli.program import Done, call_here
from webbench.core.action.action import Action, Click, CloseTab, ElementRef, Goto, Stop
from webbench.core.provenance import Provenance
from webbench.core.score.score import Score, Status
from webbench.core.store.index.filters import parse_filter
from webbench.core.store.store import Store
from webbench.core.trajectory import MIXED, Actor, EpisodeHeader, Step

SHOP = "http://127.0.0.1/shop"
SCORED = Score(status=Status.SCORED, value=0.0)
CLICK, STOP = Click(target=ElementRef(id=1)), Stop()


def seen(index: int, action: Action | None, condition: str = "ok", url: str = SHOP) -> Step:
    """A step by an agent, and what it led to."""
    by: Actor = "agent" if index else "operator"
    at = "2026-01-01T00:00:00.000+00:00"
    return Step(index=index, at=at, actor=by, action=action, condition=condition, url=url)


def record(store: Store, begin, *steps: Step, score: Score = SCORED) -> str:
    recorder = begin(store)
    for step in (seen(0, None), *steps):
        recorder.write(step)
    recorder.finish(score, "the actor stopped")
    return str(recorder.header.episode)


LOST = {
    "crashed": (seen(1, CLICK, "crashed"), seen(2, STOP, "crashed")),
    "crashed at last": (seen(1, CLICK), seen(2, STOP, "crashed")),
    "closed": (seen(1, CLICK), seen(2, STOP, "closed", "")),
    "blank": (seen(1, CLICK), seen(2, CLICK, url="about:blank"), seen(3, STOP, url="about:blank")),
    "blank after a crash": (
        seen(1, CLICK, "crashed"),
        seen(2, Goto(url=SHOP), url="about:blank"),
        seen(3, STOP, url="about:blank"),
    ),
}
SOUND = {
    "ok": (seen(1, CLICK), seen(2, STOP)),
    "closed by the actor": (seen(1, CloseTab(), "closed", ""), seen(2, STOP, "closed", "")),
    "blank by the actor": (
        seen(1, Goto(url="about:blank"), url="about:blank"),
        seen(2, STOP, url="about:blank"),
    ),
    "opened again": (seen(1, CLICK, "crashed"), seen(2, Goto(url=SHOP)), seen(3, STOP)),
}


@pytest.mark.parametrize("steps", LOST.values(), ids=LOST)
def test_a_score_of_a_page_that_was_not_there_is_found(store: Store, begin, steps) -> None:
    episode = record(store, begin, *steps)
    [found] = store.select(parse_filter("status:suspect"))
    assert (found.episode, found.value) == (episode, 0.0)
    assert found.suspicion.startswith("the page")
    assert found.suspicion.endswith("scored")


@pytest.mark.parametrize("steps", SOUND.values(), ids=SOUND)
def test_what_the_actor_did_or_made_up_for_is_not_suspect(store: Store, begin, steps) -> None:
    record(store, begin, *steps)
    assert store.select(parse_filter("status:suspect")) == []


def test_without_a_score_there_is_nothing_to_suspect(store: Store, begin) -> None:
    record(store, begin, *LOST["crashed"], score=Score(status=Status.NOT_SCORED, reason="the page crashed"))
    assert store.select(parse_filter("status:suspect")) == []


def test_the_command_names_them(
    store: Store,
    begin,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def here(home: Path, *words: str) -> Done:
        return call_here(home, monkeypatch, capsys, *words)

    command = ("score", "--suspect", "--store", str(store.root))
    record(store, begin, *SOUND["ok"])
    assert (here(tmp_path, *command).code, here(tmp_path, *command, "--json").json["suspects"]) == (0, [])
    episode = record(store, begin, *LOST["crashed"])
    told = here(tmp_path, *command)
    assert told.code == 1
    assert episode in told.out.replace("\n", "")
    listed = here(tmp_path, *command, "--json")
    assert (listed.code, [one["episode"] for one in listed.json["suspects"]]) == (1, [episode])
    assert here(tmp_path, "score", "benchmark:other", *command[1:]).code == 0
    assert here(tmp_path, "score").code == 2


def by(actor: Actor, index: int, name: str = "oracle") -> Step:
    proposed = Provenance(proposed_by=name, decision="alone") if actor == "agent" else None
    return msgspec.structs.replace(seen(index, CLICK), actor=actor, provenance=proposed)


@pytest.mark.parametrize(
    ("actor", "ended", "steps", "named"),
    [
        (MIXED, True, [by("agent", 1), by("human", 2)], "oracle + human"),
        (MIXED, True, [by("agent", 1), by("agent", 2, "random")], "oracle + random"),
        ("oracle", False, [by("agent", 1), by("operator", 2)], "oracle + human"),
        ("oracle", False, [by("agent", 1)], "oracle"),
    ],
)
def test_a_record_names_all_who_acted(store: Store, begin, actor, ended, steps, named) -> None:
    """As it was written before there were several names, and where its recorder was killed."""
    recorder = begin(store)
    recorder.revise(actor=actor)
    for step in (seen(0, None), *steps):
        recorder.write(step)
    if ended:
        recorder.finish(SCORED, "the actor stopped")
    recorder.close()
    [listed] = store.episodes()
    header: EpisodeHeader = store.load(recorder.folder).header
    assert listed.actor == header.actor == store.header(listed.run, listed.episode).actor == named
    assert listed.mixed == header.mixed == ("+" in named)
    assert store.runs()[0].agent == named
