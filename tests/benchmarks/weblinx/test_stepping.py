"""A demonstration walked turn by turn, with no browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.weblinx.folders import TURNS, URL, browser, chat, write_demonstration
from webbench.benchmarks.weblinx.benchmark import WebLINXBenchmark, create
from webbench.benchmarks.weblinx.notation.prediction import selector_of
from webbench.benchmarks.weblinx.paper import averaged
from webbench.core.action.action import Type
from webbench.core.agent import AgentView
from webbench.core.benchmark.benchmark import Stage
from webbench.core.dialects.dialect import ParseError, find_dialect
from webbench.core.environment import EnvironmentSetup, StepResult
from webbench.core.score.aggregates import Attempt
from webbench.core.score.score import Score, Status


@pytest.fixture
def benchmark(tmp_path: Path) -> WebLINXBenchmark:
    write_demonstration(tmp_path / "lamps")
    return create(tmp_path)


async def act(stage: Stage, text: str) -> StepResult:
    action = find_dialect("weblinx").parse(text)
    assert not isinstance(action, ParseError), action
    assert stage.environment is not None
    return await stage.environment.act(action)


async def scored(benchmark: WebLINXBenchmark, stage: Stage, rules: str = "published") -> Score:
    assert stage.environment is not None
    evidence = await benchmark.evaluator.collect(stage.environment, stage, "")
    return benchmark.evaluator.score(benchmark.tasks(names=("lamps",))[0], evidence, rules)


async def test_the_demonstration_goes_on_as_recorded_whatever_is_predicted(benchmark: WebLINXBenchmark):
    async with benchmark.stage(benchmark.tasks()[0]) as stage:
        world = stage.environment
        assert world is not None
        await world.reset(EnvironmentSetup())
        first = await world.observe()
        assert [turn.text for turn in first.dialogue] == [TURNS[0]["utterance"]]
        assert first.condition == "closed"
        assert (await scored(benchmark, stage)).status is Status.NOT_SCORED

        said = await act(stage, 'say(speaker="navigator", utterance="No")')
        assert said.output == 'turn 1 was: say(speaker="navigator", utterance="A "desk lamp", sure")'
        before_load = await world.observe()
        assert URL not in str(before_load)
        await act(stage, f'load(url="{URL}")')

        page = await world.observe()
        told = [(turn.speaker, turn.said) for turn in page.dialogue[1:]]
        assert told == [
            ("navigator", True),
            ("navigator", False),
        ]
        picture = await world.screenshot()
        assert picture is not None
        assert (picture.width, picture.scale, page.viewport.width) == (600, 2.0, 300)
        field = next(node for node in page.nodes if node.role == "textbox")
        assert (field.name, field.box) == ("Search", page.by_id()[field.id].box)
        typed = await act(stage, f'textinput(uid={field.id}, text="desk lamp")')
        assert isinstance(typed.action, Type)
        assert typed.action.target is not None
        assert typed.action.target.selector == selector_of("field")

        later = await world.observe()
        assert len(later.dialogue) == 5
        assert later.dialogue[4].text == "click(x=1, y=2)"
        assert next(node.id for node in later.nodes if node.role == "textbox") == field.id
        await act(stage, "click(top=10, left=10, right=50, bottom=30)")
        assert not await stage.ended(later)
        await act(stage, 'hover(uid="menu")')
        assert await stage.ended(later)
        score = await scored(benchmark, stage)
    values = {check.target: (check.name, check.value, check.counted) for check in score.checks}
    assert values["turn 2"] == ("load", 1.0, True)
    assert values["turn 3"] == ("textinput", 1.0, True)
    assert values["turn 5"] == ("click", 1.0, True)
    assert values["turn 7"] == ("hover", 1.0, False)
    assert score.value == pytest.approx((round(values["turn 1"][1] or 0, 2) + 3) / 4)
    assert score.metrics["turns_left"] == 0


async def test_what_is_no_prediction_leaves_the_turn_open(benchmark: WebLINXBenchmark):
    async with benchmark.stage(benchmark.tasks()[0]) as stage:
        assert stage.environment is not None
        for text, reason in (
            ("click(uid=99)", "no element [99]"),
            ('{"verb": "back"}', 'a demonstration knows no "back"'),
            ('{"verb": "submit"}', "submit needs an element"),
            ('{"verb": "click", "target": {"role": "button", "name": "Sell"}}', "no button 'Sell'"),
        ):
            result = await act(stage, text)
            assert not result.ok
            assert reason in result.error
        assert len((await stage.environment.observe()).dialogue) == 1


async def test_a_scroll_by_viewports_is_a_prediction_too(benchmark: WebLINXBenchmark):
    async with benchmark.stage(benchmark.tasks()[0]) as stage:
        assert (await act(stage, '{"verb": "scroll", "dy": 1, "unit": "viewports"}')).ok
        assert (await scored(benchmark, stage)).checks[0].actual == "scroll(x=0, y=720)"


async def test_the_oracle_predicts_what_was_done(benchmark: WebLINXBenchmark):
    task = benchmark.tasks()[0]
    oracle = benchmark.oracle(task)
    async with benchmark.stage(task) as stage:
        world = stage.environment
        assert world is not None
        while not await stage.ended(observation := await world.observe()):
            proposal = await oracle.propose(AgentView(task=task, step=0, observation=observation))
            assert proposal.action is not None
            assert (await world.act(proposal.action)).ok
        published, paper = await scored(benchmark, stage), await scored(benchmark, stage, "paper")
    assert (published.value, paper.value) == (1.0, 1.0)
    assert published.beside[0].value == paper.value


async def test_a_score_is_computed_again_from_its_evidence_alone(benchmark: WebLINXBenchmark):
    task = benchmark.tasks()[0]
    async with benchmark.stage(task) as stage:
        assert stage.environment is not None
        await act(stage, 'say(speaker="navigator", utterance="A desk")')
        evidence = await benchmark.evaluator.collect(stage.environment, stage, "")
    evaluator = create(Path("nowhere")).evaluator
    assert evaluator.score(task, evidence) == benchmark.evaluator.score(task, evidence)
    for broken in ({}, {"turns": [1]}, {"turns": [{"turn": 1}]}, {"turns": {}}):
        assert evaluator.score(task, broken).status is Status.ERROR


async def test_figures_of_a_run_are_given_for_each_split(tmp_path: Path):
    for name in ("lamps", "chairs"):
        write_demonstration(tmp_path / name)
    (tmp_path / "splits.json").write_text('{"valid": ["lamps"], "dev": ["lamps", "chairs"]}')
    benchmark = create(tmp_path)
    assert list(benchmark.splits()) == ["dev", "valid", "shop-talk"]
    attempts = []
    for task in benchmark.tasks("dev"):
        async with benchmark.stage(task) as stage:
            assert stage.environment is not None
            said = TURNS[1]["utterance"] if task.name == "lamps" else "x"
            await act(stage, f'say(speaker="navigator", utterance="{said}")')
            evidence = await benchmark.evaluator.collect(stage.environment, stage, "")
        attempts.append(Attempt(task, benchmark.evaluator.score(task, evidence)))
    found = benchmark.figures(attempts, "paper")
    assert (found["overall"], found["turns"], found["turns_left"]) == (0.5, 2, 8)
    assert (found["valid overall"], found["dev intent_match"]) == (1.0, 1.0)
    in_tables = averaged(attempts, ("valid",))
    assert (in_tables["overall", "overall"], in_tables["say", "intent-match"]) == (1.0, 1.0)
    assert averaged(attempts, ("dev", "valid"))["say", "chrf"] == pytest.approx(0.75, abs=0.01)
    assert averaged(attempts, ("test_iid",)) == {}


async def test_a_page_is_the_last_one_recorded(tmp_path: Path):
    turns = [browser("click", "button"), chat("navigator", "Done"), browser("click", "menu", page=2)]
    write_demonstration(tmp_path / "two", turns, pages=2)
    benchmark = create(tmp_path)
    async with benchmark.stage(benchmark.tasks()[0]) as stage:
        titles = []
        for _ in range(3):
            assert stage.environment is not None
            titles.append((await stage.environment.observe()).title)
            await act(stage, "hover(x=1, y=1)")
    assert titles == ["Lamps", "Lamps (page of turn 0)", "Lamps"]
