"""How often and where people stepped in, by what recorded steps tell."""

from __future__ import annotations

import msgspec
import pytest

from webbench.core.action import action as a
from webbench.core.analysis.runs.interventions import figures_of, interventions_section, watched
from webbench.core.guards.guard import BLOCKED
from webbench.core.observation import AccessibilityNode, Observation, PageMessage
from webbench.core.provenance import Decision, Provenance
from webbench.core.statistics.figures import Bars, Table
from webbench.core.task import Task
from webbench.core.trajectory import Actor, EpisodeHeader, Step, Trajectory
from webbench.tui.cli.figure_lines import figure_lines

HEADER = EpisodeHeader(
    run="r", episode="e", task=Task(benchmark="demo", name="t"), actor="mixed", dialect="webarena"
)


def step(index: int, decision: Decision | None, actor: Actor = "agent", **more: object) -> Step:
    how = None if decision is None else Provenance(proposed_by="model", decision=decision)
    how = msgspec.structs.replace(how, **more) if how is not None else None
    return Step(index=index, at="", actor=actor, text=f"act {index}", proposed="wanted", provenance=how)


def trajectory(*steps: Step) -> Trajectory:
    return Trajectory(header=HEADER, steps=(Step(index=0, at=""), *steps))


EPISODE = trajectory(
    step(1, "alone"),
    step(2, "accepted", deciding=2.0, guard="purchase"),
    step(3, "picked", candidates=("first", "second"), candidate=1, deciding=4.0),
    step(4, "edited", "operator", edit_distance=2, edit_share=0.5, deciding=6.0),
    step(5, "rejected", "operator", reason="too dear"),
    step(6, "took over", "operator"),
    step(7, "refused", guard="delete (link)"),
    step(8, None, "operator"),
)


def test_an_episode_tells_every_decision() -> None:
    one = watched("r/e", EPISODE)
    assert one.decisions == {
        "alone": 1,
        "accepted": 1,
        "picked": 1,
        "edited": 1,
        "rejected": 1,
        "took over": 1,
        "refused": 1,
    }
    told = [(it.step, it.decision, it.proposed, it.done) for it in one.interventions]
    assert told == [
        (3, "picked", "first", "act 3"),
        (4, "edited", "wanted", "act 4"),
        (5, "rejected", "wanted", ""),
        (6, "took over", "wanted", "act 6"),
        (7, "refused", "wanted", ""),
    ]
    assert (one.confirmed, one.untold) == (1, 1)


def test_what_was_proposed_is_told_in_the_words_of_what_was_done() -> None:
    pay = AccessibilityNode(id=8, role="button", name="Pay", depth=1)
    page = Observation(nodes=(pay,))
    click = a.Click(target=a.ElementRef(id=9, role="link", name="Back"))
    how = Provenance(proposed_by="model", decision="edited", edit_distance=1)
    rejected = Provenance(proposed_by="model", decision="rejected")
    foreign = msgspec.structs.replace(HEADER, dialect="of a plug-in")
    steps = (
        Step(index=1, at="", text="click [9]", action=click, proposed="click [8]", provenance=how),
        Step(index=2, at="", proposed="press the button", provenance=rejected),
    )
    one = watched("r/e", trajectory(*steps), {1: page}.get)
    assert [(it.proposed, it.done) for it in one.interventions] == [
        ('click button "Pay"', 'click link "Back"'),
        ("press the button", ""),
    ]
    unknown = watched("r/e", msgspec.structs.replace(trajectory(*steps), header=foreign))
    assert unknown.interventions[0].proposed == "click [8]"


def test_figures_are_over_proposals() -> None:
    found = figures_of([watched("r/e", EPISODE), watched("r/f", trajectory(step(1, "alone")))])
    assert (found.episodes, found.with_any, found.proposals, found.interventions) == (2, 1, 7, 4)
    assert found.rate == pytest.approx(3 / 7), "taking over answers no proposal"
    assert (found.words_changed, found.deciding) == (2.0, 4.0)


def test_nothing_is_made_up_where_nothing_is_told() -> None:
    old = watched("r/e", trajectory(step(1, None), step(2, None, "operator")))
    found = figures_of([old])
    assert (found.proposals, found.rate, found.words_changed, found.deciding) == (0, None, None, None)
    assert found.untold == 1
    assert interventions_section({"A": [old]}) is None


def test_requests_that_were_blocked_are_counted() -> None:
    blocked = Step(
        index=1, at="", text="x", messages=(PageMessage("network", "error", f"{BLOCKED}POST (fetch)"),)
    )
    assert watched("r/e", trajectory(blocked)).blocked == 1


def test_the_section_tells_how_often_where_and_which() -> None:
    section = interventions_section({"A": [watched("r/e", EPISODE)], "B": []})
    assert section is not None
    often, where, which = section.figures
    assert isinstance(often, Table)
    assert isinstance(where, Bars)
    assert isinstance(which, Table)
    assert [row.cells[:4] for row in often.rows] == [("A", "1 of 1", 6, 0.5), ("B", "0 of 0", 0, None)]
    assert [bar.value for bar in where.bars if bar.actor == "A"] == [0.0, 2.0, 2.0, 1.0]
    assert [row.cells[3] for row in which.rows] == ["picked", "edited", "rejected", "took over", "refused"]
    assert which.rows[0].episodes == ("r/e",)


def test_the_decisions_are_whole_on_a_small_screen() -> None:
    each: tuple[Decision, ...] = ("picked", "edited", "replaced", "rejected", "paused")
    steps = [step(index, decision, "operator") for index, decision in enumerate(each, 1)]
    section = interventions_section({"A": [watched("r/e", trajectory(*steps))]})
    assert section is not None
    drawn = [line.text for line in figure_lines(section.figures[0], 76)]
    assert drawn[0].split()[-len(each) :] == list(each)
    assert "intervals" not in "".join(drawn)
