"""The command that a run is begun with, read by the program again, asks for the very same run."""

from __future__ import annotations

import shlex
from pathlib import Path

import msgspec
import pytest

from webbench.core.api.batch_run import planned_batch
from webbench.core.runner.plan.new_run import plan_of
from webbench.core.runner.plan.run_request import ResumeRequest, RunRequest, run_words
from webbench.core.store.store import Store
from webbench.tui.cli.program import app
from webbench.tui.cli.runs import run as batch
from webbench.tui.cli.stepping.step import StepRequest
from webbench.tui.cli.stepping.tasks import TasksRequest
from webbench.tui.finding_again import shell_command


def test_a_benchmark_may_be_named_with_a_task() -> None:
    named = RunRequest(benchmark="demo:camp-mugs", tasks=("receipt#0",))
    assert (named.benchmark, named.tasks) == ("demo", ("camp-mugs", "receipt#0"))
    assert run_words(named)[:2] == run_words(RunRequest(benchmark="demo"))[:2]
    stepped = StepRequest(benchmark="browsergym:miniwob.click-test#3")
    assert (stepped.benchmark, stepped.task) == ("browsergym", "miniwob.click-test#3")
    assert TasksRequest(benchmark="demo:camp-mugs").tasks == ("camp-mugs",)


PLAIN = RunRequest(benchmark="demo", agent="oracle", tasks=("camp-mugs", "receipt#0"))
EVERYTHING = RunRequest(
    benchmark="demo",
    agent="command ./agent.py --name 'an agent'",
    split="shop",
    tasks=("camp-mugs",),
    instances=2,
    workers=3,
    repeats=4,
    order="random",
    seed=-5,
    limit_steps=6,
    limit_seconds=7.5,
    limit_tokens=8000,
    limit_cost=0.1,
    guard="on",
    allow_hosts=("one.test", "two.test"),
    run_cost=1e-05,
    hang_seconds=90.0,
    retry=True,
    pictures=False,
    relevant_html=False,
    reset=True,
    site_safety=False,
    dialect="webarena",
    rules="published",
    engine="ray",
    address="cluster:6379",
    share="file:///shared runs",
    data=Path("some where"),
)


def read_again(words: list[str], name: str, monkeypatch: pytest.MonkeyPatch) -> RunRequest | ResumeRequest:
    """What the program makes of a command line, which isn't carried out."""
    asked: list[RunRequest | ResumeRequest] = []

    def taken(request: RunRequest | ResumeRequest, *, as_json: bool) -> int:
        asked.append(request)
        return 0

    monkeypatch.setattr(batch, name, taken)
    app(words, standalone_mode=False)
    return asked[0]


@pytest.mark.parametrize("request_", [PLAIN, EVERYTHING], ids=["plain", "everything"])
def test_a_run_is_read_as_it_was_asked_for(request_: RunRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_again(run_words(request_), "run_tasks", monkeypatch) == request_


def test_every_field_of_a_request_is_tried() -> None:
    unset = RunRequest(benchmark="", agent="")
    same = [
        name for name in RunRequest.__struct_fields__ if getattr(EVERYTHING, name) == getattr(unset, name)
    ]
    assert same == ["store"]


def test_a_resumption_is_read_as_it_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ResumeRequest(run="a-run", benchmark="demo", workers=2, retry=True, run_cost=0.0)
    assert read_again(run_words(asked), "resume_run", monkeypatch) == asked


def test_the_shown_command_plans_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    store = Store(tmp_path / "a store")
    asked = msgspec.structs.replace(PLAIN, repeats=2, seed=3, limit_steps=9, workers=2)
    told = shell_command([*run_words(asked), "--detach"], store.root, tmp_path / "usual")
    assert told.endswith(f"--detach --store '{store.root}'")
    words = [word for word in shlex.split(told)[1:] if word != "--detach"]
    again = read_again(words, "run_tasks", monkeypatch)
    assert isinstance(again, RunRequest)
    assert again.store == store.root
    assert plan_of(planned_batch(again, store)) == plan_of(planned_batch(asked, store))
