"""Where an attempt parted from one that succeeded and never came back."""

from __future__ import annotations

import msgspec

from webbench.core.action.action import Click, ElementRef, Stop
from webbench.core.analysis.decisive.reference_level import partings
from webbench.core.analysis.findings.suggestion import Subject
from webbench.core.observation import AccessibilityNode, Observation
from webbench.core.score.score import Check, Score, Status
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step, Trajectory


def attempt(names: list[str], value: float) -> Subject:
    """Clicks on links of these names, each on a page of its own, then an answer."""
    pages = [name.upper() for name in ["start", *names]]
    steps = [Step(index=0, at="", url="http://shop.test/START", title="START")]
    for index, name in enumerate(names, 1):
        click = Click(target=ElementRef(id=1, role="link", name=name))
        url = f"http://shop.test/{pages[index]}"
        steps.append(Step(index=index, at="", actor="agent", action=click, url=url, title=pages[index]))
    steps.append(Step(index=len(steps), at="", actor="agent", action=Stop(answer="done")))
    checks = (Check(name="exact match", target="answer", value=value, status=Status.SCORED),)
    header = EpisodeHeader(
        run="r",
        episode="e",
        task=Task(benchmark="b", name="t"),
        actor="agent",
        dialect="",
        ended="now",
        score=Score(status=Status.SCORED, value=value, checks=checks),
    )
    whole = Trajectory(header=header, steps=tuple(steps))

    def look(step: Step) -> Observation | None:
        if not step.title:
            return None
        words = ["Lamps", "Mugs", "Sale", "Cart", f"about {step.title}"]
        nodes = [AccessibilityNode(id=number, role="link", name=name) for number, name in enumerate(words, 1)]
        return Observation(url=step.url, title=step.title, nodes=tuple(nodes))

    return Subject(whole, look)


def test_the_parting_that_is_never_repaired_is_told_with_the_checks_it_cost() -> None:
    solved = attempt(["Lamps", "Sale", "Cart"], 1.0)
    failed = attempt(["Lamps", "Mugs", "Mugs"], 0.0)
    (found,) = [one for one in partings(failed, solved) if one.kind == "unrepaired-parting"]
    assert found.step == 2
    assert "1 check that only the other met, answer (exact match)" in found.text


def test_checks_on_the_way_are_the_cost_of_the_stretch_in_which_the_other_met_them() -> None:
    """Both come to the sale, one with a lamp in the cart; then they part for good."""
    solved = attempt(["Lamps", "Mugs", "Sale", "Cart"], 1.0)
    failed = attempt(["Lamps", "Chairs", "Sale", "Home"], 0.0)

    def scored(subject: Subject, values: list[float]) -> Subject:
        steps = []
        for step, value in zip(subject.steps, values, strict=True):
            end = values[-1] * (step.index == len(values) - 1)
            checks = (
                Check(name="field", target="lamp", value=value),
                Check(name="field", target="order", value=end),
            )
            score = Score(status=Status.SCORED, value=value * end, checks=checks)
            steps.append(msgspec.structs.replace(step, score=score))
        header = msgspec.structs.replace(subject.trajectory.header, score=steps[-1].score)
        return Subject(Trajectory(header=header, steps=tuple(steps)), subject.seen)

    found = list(partings(scored(failed, [0] * 6), scored(solved, [0, 0, 1, 1, 1, 1])))
    assert [(one.kind, one.step, one.strength) for one in found] == [
        ("parting", 2, 1.5),
        ("unrepaired-parting", 4, 1.5),
    ]
    assert "lamp (field)" in found[0].text
    assert "order (field)" in found[1].text


def test_the_same_way_has_no_parting() -> None:
    assert list(partings(attempt(["Lamps", "Sale"], 0.0), attempt(["Lamps", "Sale"], 1.0))) == []
