"""Laptop Arena: every task is solved by its reference list, and not by its near miss.

Every run replays a sample of the tasks, `make replays` all of them.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Sequence

import msgspec
import pytest
import pytest_asyncio

from webbench.benchmarks.webarena.benchmark import WebArena
from webbench.benchmarks.webarena.bundle.bundle import HERE, SITES, LaptopArena
from webbench.benchmarks.webarena.scoring.judging import FUZZY
from webbench.benchmarks.webarena.stage import WebArenaStage
from webbench.benchmarks.webarena.tasks import load_tasks
from webbench.core.action.action import Action, Goto, Stop
from webbench.core.agent import AgentView, Proposal
from webbench.core.agents.reference import Reference
from webbench.core.browser.launch import Browser
from webbench.core.browser.playwright.context import PlaywrightContext
from webbench.core.environment import Environment, EnvironmentSetup
from webbench.core.json_types import Json, JsonObject
from webbench.core.judge import Question, Reply
from webbench.core.score.score import Score, Status
from webbench.core.scoring.judges.open_questions import answered
from webbench.core.task import Task

BUNDLE = LaptopArena()
ARENA = WebArena(None)
TASKS = {task.name: task for task in ARENA.tasks(BUNDLE.name)}
AT_ONCE = 2
BATCH = 3
SHOP = ("10011", "10014", "10016")
BACK_OFFICE = ("10037",)
FORUM = ("10109",)
FORGE = ("10136", "10145")
TWO_SITES = ("10035", "10170", "10188")
SAMPLE = (*SHOP, *BACK_OFFICE, *FORUM, *FORGE, *TWO_SITES)
"""The fewest actions that come to every site, evaluator and kind of reference, and to two-site tasks."""

ALL = os.environ.get("WEBBENCH_REPLAYS") == "all"
REPLAYED = list(TASKS) if ALL else list(SAMPLE)
MISSED = frozenset(TASKS if ALL else ("10011", "10014"))
"""Whose near misses are replayed too: one ends on another page, one leaves another content."""
BATCHES = [REPLAYED[start : start + BATCH] for start in range(0, len(REPLAYED), BATCH)]
EVALUATORS = {"string_match", "url_match", "program_html"}
CHECKED = (
    "exact_match",
    "must_include",
    "fuzzy_match",
    '"fuzzy_match": "N/A"',
    " |OR| ",
    '"url": "last"',
    "func:shopping_get_latest_order_url",
    "func:shopping_get_sku_latest_review_author",
    "func:shopping_get_sku_latest_review_rating",
    "func:reddit_get_post_url",
    "func:gitlab_get_project_memeber_role",
    "prep_actions",
)
"""What WebArena's tasks are scored by, as it is written in them."""


class Literal:
    """A judge for whom an answer means what it says: the reference, or the reason, in the same words."""

    name = "literal"

    async def ask(self, question: Question) -> Reply:
        wanted = words(question.fields["reference" if question.kind == FUZZY else "reason"])
        same = wanted in words(question.fields["answer"])
        return Reply(text=f"VERDICT: {question.verdicts[0 if same else -1]}", judge=self.name)


def words(text: Json) -> str:
    """Small letters and figures, one blank between words."""
    return " ".join(re.findall(r"\w+", str(text).casefold()))


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
            assert isinstance(tabs.context, PlaywrightContext)
            await tabs.context.context.add_cookies(setup.storage_state["cookies"])
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


async def judged(task: Task, evidence: JsonObject) -> Score:
    return ARENA.evaluator.score(task, await answered(ARENA.evaluator, task, evidence, Literal()))


def only_answers(task: Task) -> bool:
    """Whether nothing but the answer counts: then a near miss differs in that, and needs no browser."""
    return bool(task.gold["eval_types"] == ["string_match"])


async def outcome(name: str, lanes: asyncio.Queue[Lane]) -> list[float | None]:
    """What the reference list of a task scores, and its near miss where that is tried."""
    task = TASKS[name]
    solved = await replay_scored(task, BUNDLE.reference(name), lanes)
    near_miss = BUNDLE.near_miss(name)
    if only_answers(task):
        return [solved, (await judged(task, {"answer": answer_of(near_miss)})).value]
    return [solved, await replay_scored(task, near_miss, lanes)] if name in MISSED else [solved]


async def replay_scored(task: Task, actions: Sequence[Action], lanes: asyncio.Queue[Lane]) -> float | None:
    lane = await lanes.get()
    try:
        evidence = await replayed(task, actions, lane)
    finally:
        lanes.put_nowait(lane)
    assert json.loads(json.dumps(evidence)) == evidence
    return (await judged(task, evidence)).value


@pytest.mark.parametrize("names", BATCHES, ids=[f"{names[0]}-{names[-1]}" for names in BATCHES])
async def test_references_solve_and_near_misses_do_not(
    names: list[str], lanes: asyncio.Queue[Lane], chromium: Browser
) -> None:
    found = await asyncio.gather(*(outcome(name, lanes) for name in names))
    assert dict(zip(names, found, strict=True)) == {
        name: [1.0, 0.0] if name in MISSED or only_answers(TASKS[name]) else [1.0] for name in names
    }


async def test_every_answer_is_told_from_its_near_miss() -> None:
    told = {
        task.name: [
            (await judged(task, {"answer": answer_of(actions)})).value
            for actions in (BUNDLE.reference(task.name), BUNDLE.near_miss(task.name))
        ]
        for task in TASKS.values()
        if only_answers(task)
    }
    assert len(told) > 20
    assert {name: values for name, values in told.items() if values != [1.0, 0.0]} == {}


def test_what_only_a_judge_can_tell_is_pending() -> None:
    task = TASKS["10008"]
    evidence = {"answer": answer_of(BUNDLE.reference(task.name))}
    assert ARENA.evaluator.score(task, evidence).status is Status.PENDING


def test_a_task_that_cannot_be_done_needs_no_judge_for_the_right_answer() -> None:
    score = ARENA.evaluator.score(TASKS["10009"], {"answer": "N/A", "url": "http://127.0.0.1/"})
    assert score.value == 1.0


@pytest.mark.parametrize("name", ["10009", "10116", "10145"])
async def test_a_judge_compares_the_reason_why_a_task_cannot_be_done(name: str) -> None:
    reason, other = TASKS[name].gold["string_note"], "The site is slow today."
    values = [(await judged(TASKS[name], {"answer": answer})).value for answer in (reason, other)]
    assert values == [1.0, 0.0]


async def test_without_its_preparations_a_target_is_not_there(
    lanes: asyncio.Queue[Lane], chromium: Browser
) -> None:
    task = TASKS["10037"]
    unprepared = [target | {"prep_actions": []} for target in task.gold["program_html"]]
    changed = msgspec.structs.replace(task, gold=task.gold | {"program_html": unprepared})
    assert await replay_scored(changed, BUNDLE.reference(task.name), lanes) == 0.0


def missing(tasks: Iterable[Task]) -> list[str]:
    """What WebArena's tasks are scored by and none of these."""
    written = json.dumps([task.gold for task in tasks])
    return [checked for checked in CHECKED if checked not in written]


def test_the_sample_is_of_every_kind() -> None:
    sample = [TASKS[name] for name in SAMPLE]
    assert missing(sample) == []
    assert {kind for task in sample for kind in task.gold["eval_types"]} == EVALUATORS
    assert {site for task in sample for site in task.data["sites"]} == {name.lower() for name in SITES}
    assert sum(len(task.data["sites"]) == 2 for task in sample) >= 2


def test_the_bundle_covers_what_webarena_checks() -> None:
    kinds = Counter(kind for task in TASKS.values() for kind in task.gold["eval_types"])
    assert min(kinds[kind] for kind in EVALUATORS) >= 4
    assert missing(TASKS.values()) == []
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
