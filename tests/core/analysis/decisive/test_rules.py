"""Each signal on a talk that shows it, and how signals and places rank every step."""

from __future__ import annotations

from collections.abc import Sequence

from webbench.core.action.action import Action, Click, ElementRef, Say, Stop, Type
from webbench.core.analysis.decisive.dropped_constraints import constraints
from webbench.core.analysis.decisive.ranking import Ranking, ranked, weights
from webbench.core.analysis.decisive.rule_level import rules, turns_of
from webbench.core.analysis.decisive.signal import FOLLOWS
from webbench.core.analysis.findings.suggestion import Subject
from webbench.core.task import Task
from webbench.core.trajectory import Actor, EpisodeHeader, Step, Trajectory

INTENT = "Which lamp under $20 is sold in Oslo?"


def talk(*said: tuple[str, str]) -> Trajectory:
    """Steps 1.. in which (speaker, text) was said."""
    steps = [Step(index=0, at="")]
    for index, (speaker, text) in enumerate(said, 1):
        actor: Actor = "operator" if speaker == "human" else "agent"
        steps.append(Step(index=index, at="", actor=actor, action=Say(text=text), note=speaker))
    return Trajectory(header=header(), steps=tuple(steps))


def header() -> EpisodeHeader:
    task = Task(benchmark="b", name="t", intent=INTENT)
    return EpisodeHeader(run="r", episode="e", task=task, actor="agent", dialect="")


def ranking(trajectory: Trajectory) -> Ranking:
    subject = Subject(trajectory, lambda step: None)
    taken = turns_of(subject)
    return ranked(taken, rules(subject, taken), is_talk=not subject.shows_pages)


def kinds(trajectory: Trajectory) -> dict[int, set[str]]:
    return {
        one.step: {signal.kind for signal in one.signals} for one in ranking(trajectory).steps if one.signals
    }


def test_the_first_claim_that_nothing_shows_is_told_from_what_was_seen() -> None:
    found = kinds(
        talk(
            ("human", INTENT),
            ("Asker", "Please look for lamps."),
            ("Surfer", "I clicked 'Lamps'. Here is a screenshot of Blue Star Lamp 12.50"),
            ("Surfer", "The Blue Star costs 12.50."),
            ("Expert", "The Green Moon Lamp costs 17.90 at Karl Johan Store."),
        )
    )
    assert "first-unseen-claim" in found[5]
    assert not any("unseen-claim" in kind for step, kinds in found.items() for kind in kinds if step < 5)


def test_a_command_that_fails_points_at_who_gave_it_and_its_report_is_nobodys_decision() -> None:
    found = ranking(
        talk(
            ("human", INTENT),
            ("Coder", "Run this code with mock prices."),
            (
                "Computer_terminal",
                "exitcode: 1 (execution failed)\nCode output: Traceback (most recent call last)",
            ),
            ("Coder", "TERMINATE"),
        )
    )
    first = found.steps[0]
    assert (first.step, first.agent) == (2, "Coder")
    assert {one.kind for one in first.signals} == {"first-failed", "made-up"}
    assert "Did step 2 decide it? It is the first after which something went wrong" in first.question
    assert [one.step for one in found.steps] == [2, 1, 3, 4], "every step is ranked"
    assert abs(sum(one.share for one in found.steps) - 1) < 1e-9


def test_a_search_without_the_tasks_limits_is_told_with_what_it_lacks() -> None:
    assert constraints(INTENT) == ["under $20", "Oslo"]
    done: Sequence[Action] = (
        Type(target=ElementRef(id=1, role="searchbox", name="Search"), text="desk lamp"),
        Click(target=ElementRef(id=2)),
        Stop(answer="none"),
    )
    steps = [Step(index=0, at="", url="http://shop.test/")]
    steps += [
        Step(index=index, at="", actor="agent", action=action, url="http://shop.test/")
        for index, action in enumerate(done, 1)
    ]
    (first, *_) = ranking(Trajectory(header=header(), steps=tuple(steps))).steps
    assert first.step == 1
    assert "“under $20”, “Oslo”" in first.question


def test_every_signal_has_a_weight_wherever_it_can_be_seen() -> None:
    kinds = set(FOLLOWS)
    assert kinds == set(weights().pages)
    learnt = {name for name, one in weights().talk.items() if one.hits is not None}
    assert learnt - kinds == {"second-work", "later", "plan", "instruction"}
    assert set(weights().talk) - learnt < kinds
