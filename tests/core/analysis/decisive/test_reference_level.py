"""Where an attempt parted from one that succeeded and never came back."""

from __future__ import annotations

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


def test_the_same_way_has_no_parting() -> None:
    assert list(partings(attempt(["Lamps", "Sale"], 0.0), attempt(["Lamps", "Sale"], 1.0))) == []
