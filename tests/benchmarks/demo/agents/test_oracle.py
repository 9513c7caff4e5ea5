"""Every task in a real browser: solved by the oracle, not by doing nothing, not by nearly doing it."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.benchmarks.demo.playing import BENCHMARK, TASKS, play
from webbench.benchmarks.demo.agents.moves import add_to_cart, answer, fill, radio, tick
from webbench.benchmarks.demo.agents.oracle import DemoOracle
from webbench.core.action.action import Action
from webbench.core.agents.reference import references
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.browser.launch import Browser
from webbench.core.score.score import Status
from webbench.core.task import Task

ALL = os.environ.get("WEBBENCH_REPLAYS") == "all"
SOLVED = list(TASKS) if ALL else list(TASKS)[::8]
"""Every run plays every eighth task, `make replays` all of them."""


@pytest.mark.parametrize("task", [TASKS[name] for name in SOLVED], ids=SOLVED)
async def test_oracle_solves(task: Task, environment: BrowserEnvironment) -> None:
    played = await play(task, BENCHMARK.oracle(task), environment)
    last = played.scores[-1]
    assert last.value == 1.0, (last.headline(), last.checks, played.errors)
    assert played.values[0] == 0
    assert played.ended == ("the form was submitted" if task.site == "annotation" else "stopped")
    assert json.loads(json.dumps(played.evidence)) == played.evidence
    assert BENCHMARK.evaluator.score(task, played.evidence) == last


async def test_live_score_rises_with_every_answered_field(environment: BrowserEnvironment) -> None:
    task = TASKS["review-sentiment#0"]
    values = (await play(task, BENCHMARK.oracle(task), environment)).values
    assert [round(6 * value) for value in values if value is not None] == [0, 0, 1, 2, 3, 4, 5, 6]


class NearMiss(DemoOracle):
    """The oracle with one move replaced or left out."""

    def __init__(self, task: Task, wrong: Action, instead: Sequence[Action]) -> None:
        super().__init__(task)
        places = [at for at, action in enumerate(self.actions) if _alike(action, wrong)]
        self.actions[places[-1] : places[-1] + 1] = instead


def _alike(action: Action, wrong: Action) -> bool:
    """Both act on an element of the same role and name, or both end the episode."""
    return references(action) == references(wrong) and (
        bool(references(action)) or type(action) is type(wrong)
    )


ADD = add_to_cart("x")[1]
NEAR_MISSES: dict[str, tuple[Action, Sequence[Action]]] = {
    "price-of-lantern": (answer(""), [answer("$49.00")]),
    "cheapest-bag": (answer(""), [answer("Ledger Zip Pouch")]),
    "order-total": (answer(""), [answer("$120.00")]),
    "camp-mugs": (radio("Cream"), [radio("Rust")]),
    "start-over": (ADD, [fill("Quantity", "2", "spinbutton"), ADD]),
    "write-review": (radio("4 stars"), [radio("5 stars")]),
    "moved-house": (tick("Send me the harbour letter once a month"), []),
    "new-password": (fill("Repeat new password", ""), [fill("Repeat new password", "lantern-quay-43")]),
    "right-size": (radio("Harbour"), [radio("Rust")]),
    "buy-again": (radio("Pick up at the harbour store"), []),
    "birthday-present": (tick("Gift wrap for $3.50"), []),
    "receipt#0": (radio("Cash"), [radio("Card")]),
    "picture-labels#0": (tick("Dog"), []),
    "product-sheet#0": (fill("Weight", ""), [fill("Weight", "980 g")]),
}


REPLAYED = list(NEAR_MISSES) if ALL else list(NEAR_MISSES)[::7]
"""Every run replays every seventh near miss, `make replays` all of them."""


@pytest.mark.parametrize("task_id", REPLAYED)
async def test_near_miss_is_no_success(task_id: str, environment: BrowserEnvironment) -> None:
    task = TASKS[task_id]
    played = await play(task, NearMiss(task, *NEAR_MISSES[task_id]), environment)
    score = played.scores[-1]
    assert score.status is Status.SCORED
    assert score.value is not None
    assert score.value < 1
    assert score.metrics["success"] == 0
    assert any(check.value is not None and check.value < 1 and check.why for check in score.checks)


@pytest.mark.thorough
async def test_two_episodes_side_by_side(chromium: Browser) -> None:
    first, second = chromium.environment(), chromium.environment()
    try:
        mugs, present = TASKS["camp-mugs"], TASKS["birthday-present"]
        played = await asyncio.gather(
            play(mugs, BENCHMARK.oracle(mugs), first),
            play(present, BENCHMARK.oracle(present), second),
        )
    finally:
        await first.close()
        await second.close()
    assert [one.scores[-1].value for one in played] == [1, 1]
    assert played[0].evidence["shop"]["orders"] == []
    assert played[1].evidence["shop"]["cart"] == []


async def test_secrets_stay_out_of_the_evidence(environment: BrowserEnvironment) -> None:
    class Peeking(DemoOracle):
        """Stops before the order is placed, when card and code stand in the form."""

        def __init__(self, task: Task) -> None:
            super().__init__(task)
            del self.actions[-1]

    task = TASKS["birthday-present"]
    played = await play(task, Peeking(task), environment)
    assert played.evidence["page"]["fields"]["city"] == "Hellerup"
    assert "4242" not in json.dumps(played.evidence)
    assert not {"card", "expiry", "cvc"} & set(played.evidence["page"]["fields"])


async def test_no_request_leaves_loopback(environment: BrowserEnvironment) -> None:
    asked: list[str] = []
    for task_id in ("camp-mugs", "right-size", "picture-labels#1"):
        task = TASKS[task_id]
        async with BENCHMARK.stage(task) as stage:
            await environment.reset(stage.setup)
            script = "() => performance.getEntriesByType('resource').map((entry) => entry.name)"
            asked += await environment.probe(script)
            assert all(url.startswith(stage.setup.passthrough[0]) for url in asked)
    assert any(url.endswith(".svg") for url in asked)


def test_pages_name_no_other_host() -> None:
    import webbench.benchmarks.demo as demo

    folder = Path(str(demo.__file__)).parents[1] / "sample_sites"
    for file in folder.rglob("*"):
        hostile = file.relative_to(folder).parts[0] == "bazaar"  # it tells agents to send data elsewhere
        if file.suffix in {".html", ".css", ".js", ".svg", ".jinja"} and not hostile:
            text = file.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
            assert re.findall(r"\w://\w\S*", text) == [], file
