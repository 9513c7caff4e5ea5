"""Faults planted into stage, evaluator and oracle are found on live pages, each by its own rule."""

from __future__ import annotations

import random
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import quote

import pytest

from webbench.core.action.action import Click, ElementRef, Stop
from webbench.core.agents.reference import Reference
from webbench.core.benchmark.benchmark import Stage
from webbench.core.browser.launch import Browser
from webbench.core.conformance.rule import Finding, Ledger
from webbench.core.conformance.staged_play import Stages
from webbench.core.engine.engine import Engine
from webbench.core.environment import Environment, EnvironmentSetup
from webbench.core.json_types import JsonObject
from webbench.core.observation import Observation
from webbench.core.score.score import Check, Score, Status
from webbench.core.store.store import Store
from webbench.core.task import Task

PAGE = "<title>Lamp</title><button onclick='this.ariaPressed = true'>Lamp</button><p id=told>{gold}</p>"
TASK = Task(benchmark="lamp", name="lamp", intent="Turn on the lamp.", gold={"lit": "Lamp"})
READ = "() => document.querySelector('button').ariaPressed === 'true'"


class Lamp:
    """One task that is right in everything; a fault by its name changes one part."""

    name = title = "lamp"
    dialect = "webarena"
    rule_sets = ("published",)
    step_limit = 5
    version = "1"

    def __init__(self, *faults: str) -> None:
        self.faults = frozenset(faults)
        self.held: list[socket.socket] = []
        self.evaluator: Any = self

    def stage(self, task: Task) -> Any:
        @asynccontextmanager
        async def staged() -> AsyncIterator[Stage]:
            if "port" in self.faults:
                self.held.append(socket.create_server(("127.0.0.1", 0)))
            shown = str(task.gold["lit"]) if "gold" in self.faults else ""

            class Room(Stage):
                setup = EnvironmentSetup(
                    start_urls=(f"data:text/html,{quote(PAGE.replace('{gold}', shown))}",)
                )

                async def ended(self, observation: Observation) -> str:
                    return ""

            yield Room()

        return staged()

    async def collect(self, environment: Environment, stage: Stage, answer: str) -> JsonObject:
        if "touching" in self.faults:
            await environment.probe("() => { document.querySelector('#told').textContent = 'was here' }")
        lit = await environment.probe(READ)
        return {"lit": lit, "when": ("now",)} if "tuple" in self.faults else {"lit": lit}

    def questions(self, task: Task, evidence: JsonObject, rules: str = "published") -> list[Any]:
        return []

    def score(self, task: Task, evidence: JsonObject, rules: str = "published") -> Score:
        lit = evidence["lit"] if "trusting" in self.faults else evidence.get("lit")
        value = 1.0 if "generous" in self.faults else float(lit is True)
        if "random" in self.faults:
            value = random.random()
        check = Check(
            name="lamp", target="page", actual=lit, expected=True, value=value, why="it is as it is"
        )
        checks = () if "silent" in self.faults else (check,)
        return Score(status=Status.SCORED, value=value, rules=rules, checks=checks)

    def oracle(self, task: Task) -> Any:
        click = Click(target=ElementRef(role="button", name="Lamp"))
        return Reference([Stop()] if "idle" in self.faults else [click, Stop()])


async def broken(benchmark: Lamp, store: Store, chromium: Browser) -> set[str]:
    told: list[Finding] = []
    async with Engine(store, browser=chromium) as engine:
        stages = Stages(benchmark, Ledger("benchmarks", "lamp", told.append), engine, 0)  # type: ignore[arg-type]
        await stages.ask(TASK)
    for one in benchmark.held:
        one.close()
    return {finding.rule.removeprefix("benchmark-") for finding in told if finding.state != "kept"}


@pytest.mark.thorough
async def test_a_right_one_has_none(store: Store, chromium: Browser) -> None:
    assert await broken(Lamp(), store, chromium) == set()


@pytest.mark.thorough
async def test_every_planted_fault_is_found_by_its_rule(store: Store, chromium: Browser) -> None:
    found = await broken(
        Lamp("port", "gold", "touching", "tuple", "trusting", "silent", "idle"), store, chromium
    )
    assert found == {
        "stage-leaves-nothing",
        "gold-unseen",
        "collect-quiet",
        "evidence",
        "score-never-raises",
        "score-told",
        "oracle",
        "untouched",
    }


async def test_faults_that_need_no_page_to_change_are_found(store: Store, chromium: Browser) -> None:
    assert await broken(Lamp("trusting", "silent"), store, chromium) >= {"score-never-raises", "score-told"}


@pytest.mark.thorough
async def test_a_score_by_chance_and_one_for_nothing_are_found(store: Store, chromium: Browser) -> None:
    assert await broken(Lamp("generous"), store, chromium) == {"untouched"}
    assert "score-pure" in await broken(Lamp("random"), store, chromium)
