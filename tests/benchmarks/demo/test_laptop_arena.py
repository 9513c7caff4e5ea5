"""Laptop Arena: every task is solved by its reference list, and not by its near miss."""

from __future__ import annotations

import asyncio
import json
import os
from collections import Counter
from collections.abc import AsyncIterator, Sequence

import msgspec
import pytest
import pytest_asyncio

from webbench.benchmarks.demo.bundles.webarena.bundle import HERE, LaptopArena
from webbench.benchmarks.webarena.benchmark import WebArena
from webbench.benchmarks.webarena.stage import WebArenaStage
from webbench.benchmarks.webarena.tasks import load_tasks
from webbench.core.action import Action, Goto, Stop
from webbench.core.agents.contract import AgentView, Proposal
from webbench.core.agents.reference import Reference
from webbench.core.browser.launch import Browser
from webbench.core.environment import Environment, EnvironmentSetup
from webbench.core.json_types import JsonObject
from webbench.core.judge.asking import answered
from webbench.core.judge.contract import Question, Reply
from webbench.core.score import Score, Status
from webbench.core.task import Task

BUNDLE = LaptopArena()
ARENA = WebArena(None)
TASKS = {task.name: task for task in ARENA.tasks(BUNDLE.name)}
AT_ONCE = 2
BATCH = 6
LONGEST_NEAR_MISS = 60 if os.environ.get("WEBBENCH_REPLAYS") == "all" else 6
"""Actions of a near miss that is replayed in every run; longer ones are when WEBBENCH_REPLAYS=all."""

BATCHES = [list(TASKS)[start : start + BATCH] for start in range(0, len(TASKS), BATCH)]


class Judge:
    """Finds that every answer means the same as its reference, or that none does."""

    name = "somebody"

    def __init__(self, *, same: bool) -> None:
        self._verdict = 0 if same else -1

    async def ask(self, question: Question) -> Reply:
        return Reply(text=f"VERDICT: {question.verdicts[self._verdict]}", judge=self.name)


class Lane:
    """One browser context for many episodes, because opening one costs more than most of them.

    The sites of each episode have addresses of their own, so nothing of an earlier one is in the way; and
    nothing has to be kept from going elsewhere, which would slow down every request.
    """

    def __init__(self, chromium: Browser) -> None:
        self.environment = chromium.environment()
        self._fresh = False

    async def open(self, setup: EnvironmentSetup) -> Environment:
        tabs = self.environment._tabs
        if self._fresh and tabs is not None and len(setup.start_urls) == 1:
            assert isinstance(setup.storage_state, dict)
            await tabs.context.add_cookies(setup.storage_state["cookies"])
            assert (await self.environment.act(Goto(url=setup.start_urls[0]))).ok
        else:
            await self.environment.reset(msgspec.structs.replace(setup, request_filter=None))
        self._fresh = len(setup.start_urls) == 1
        return self.environment


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def lanes(chromium: Browser) -> AsyncIterator[asyncio.Queue[Lane]]:
    queue: asyncio.Queue[Lane] = asyncio.Queue()
    every = [Lane(chromium) for _ in range(AT_ONCE)]
    for lane in every:
        queue.put_nowait(lane)
    yield queue
    for lane in every:
        await lane.environment.close()


async def replayed(task: Task, actions: Sequence[Action], lane: Lane) -> JsonObject:
    """The evidence when the list of actions has been carried out. Fails where one of them can't be."""
    agent, proposal, error = Reference(actions), Proposal(), ""
    carried_out: set[str] = set()
    async with ARENA.stage(task) as stage:
        assert isinstance(stage, WebArenaStage)
        environment = await lane.open(stage.setup)
        for step in range(ARENA.step_limit + 1):
            seen = await environment.observe()
            view = AgentView(task=task, step=step, observation=seen, last_proposal=proposal, last_error=error)
            proposal = await agent.propose(view)
            if isinstance(proposal.action, Stop):
                break
            assert proposal.action is not None
            error = (await environment.act(proposal.action)).error
            carried_out |= set() if error else {proposal.reasoning}
        wanted = {f"reference action {number} of {len(actions)}" for number in range(1, len(actions))}
        assert wanted <= carried_out, f"task {task.name}: {proposal.reasoning}; {error}"
        stage.thorough = True
        return await ARENA.evaluator.collect(environment, stage, answer_of(actions))


def answer_of(actions: Sequence[Action]) -> str:
    last = actions[-1]
    assert isinstance(last, Stop)
    return last.answer


async def judged(task: Task, evidence: JsonObject, *, same: bool) -> Score:
    answered_evidence = await answered(ARENA.evaluator, task, evidence, Judge(same=same))
    return ARENA.evaluator.score(task, answered_evidence)


def only_answers(task: Task) -> bool:
    """Whether nothing but the answer counts: then a near miss differs in that, and needs no browser."""
    return bool(task.gold["eval_types"] == ["string_match"])


def wanted(name: str) -> tuple[float, ...]:
    """What the reference list has to score, and the near miss unless it is left out for its length."""
    left_out = len(BUNDLE.near_miss(name)) > LONGEST_NEAR_MISS and not only_answers(TASKS[name])
    return (1.0,) if left_out else (1.0, 0.0)


async def outcome(name: str, lanes: asyncio.Queue[Lane]) -> tuple[float | None, ...]:
    """What the reference list of a task and its near miss score."""
    task = TASKS[name]
    values: list[float | None] = []
    for actions, value in zip((BUNDLE.reference(name), BUNDLE.near_miss(name)), wanted(name), strict=False):
        if value == 0.0 and only_answers(task):
            evidence: JsonObject = {"answer": answer_of(actions)}
        else:
            lane = await lanes.get()
            try:
                evidence = await replayed(task, actions, lane)
            finally:
                lanes.put_nowait(lane)
        assert json.loads(json.dumps(evidence)) == evidence
        values.append((await judged(task, evidence, same=value == 1.0)).value)
    return tuple(values)


@pytest.mark.parametrize("names", BATCHES, ids=[f"{names[0]}-{names[-1]}" for names in BATCHES])
async def test_references_solve_and_near_misses_do_not(
    names: list[str], lanes: asyncio.Queue[Lane], chromium: Browser
) -> None:
    found = await asyncio.gather(*(outcome(name, lanes) for name in names))
    assert dict(zip(names, found, strict=True)) == {name: wanted(name) for name in names}


def test_what_only_a_judge_can_tell_is_pending() -> None:
    task = TASKS["10008"]
    evidence = {"answer": answer_of(BUNDLE.reference(task.name))}
    assert ARENA.evaluator.score(task, evidence).status is Status.PENDING


def test_a_task_that_cannot_be_done_needs_no_judge_for_the_right_answer() -> None:
    score = ARENA.evaluator.score(TASKS["10009"], {"answer": "N/A", "url": "http://127.0.0.1/"})
    assert score.value == 1.0


def test_the_bundle_covers_what_webarena_checks() -> None:
    kinds = Counter(kind for task in TASKS.values() for kind in task.gold["eval_types"])
    assert min(kinds[kind] for kind in ("string_match", "url_match", "program_html")) >= 4
    written = json.dumps([task.gold for task in TASKS.values()])
    for needed in (
        "exact_match",
        "must_include",
        "fuzzy_match",
        " |OR| ",
        "func:shopping_get_latest_order_url",
        "func:shopping_get_sku_latest_review_author",
        "func:shopping_get_sku_latest_review_rating",
    ):
        assert needed in written
    assert any(len(task.data["sites"]) == 2 for task in TASKS.values())
    assert max(Counter(task.template for task in TASKS.values()).values()) > 1


def test_the_files_are_clean_and_belong_together() -> None:
    loaded = load_tasks(BUNDLE.data)
    assert [problem for problem in loaded.problems if problem.severity != "note"] == []
    names = {task.name for task in loaded.tasks}
    assert min(int(name) for name in names) > 811
    for folder in ("references", "near_misses"):
        assert {file.stem for file in (HERE / folder).iterdir()} == names
    assert all(BUNDLE.reference(name) != BUNDLE.near_miss(name) for name in names)


async def test_every_episode_has_sites_of_its_own() -> None:
    async with BUNDLE.open() as first, BUNDLE.open(["SHOPPING_ADMIN"]) as second:
        assert not set(first.addresses.values()) & set(second.addresses.values())
        assert set(second.addresses) == {"SHOPPING_ADMIN", "SHOPPING"}
        assert {cookie["path"] for cookie in second.storage_state["cookies"]} == {
            "/" + address.split("/", 3)[3] for address in second.addresses.values()
        }
    assert msgspec.json.encode(first.storage_state) != msgspec.json.encode(second.storage_state)
