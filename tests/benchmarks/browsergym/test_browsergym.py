"""BrowserGym's environments through the door: a real process with a package of its own, with a real browser.

The package speaks BrowserGym's contract through a stand-in of its core (`installed/browsergym`), since the
real one pins a Playwright that can't be installed beside ours. `test_packages_of_the_field` plays real ones.
"""

import asyncio
import base64
import contextlib
import io
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PIL import Image

import webbench as wb
from webbench.benchmarks.browsergym import installed_packages
from webbench.benchmarks.browsergym import tasks as listing
from webbench.benchmarks.browsergym.benchmark import BrowserGym, create
from webbench.benchmarks.browsergym.environment_process import HOST, EnvironmentProcess
from webbench.benchmarks.browsergym.evaluate import RewardEvaluator
from webbench.benchmarks.browsergym.goal import cut, goal_pictures, goal_text
from webbench.benchmarks.browsergym.installed_packages import Interpreter, Package, Registered
from webbench.benchmarks.browsergym.mends import Trouble
from webbench.core.agent import AgentView
from webbench.core.agents.browsergym.obs import Chat, Observer
from webbench.core.agents.command.protocol import hello_line
from webbench.core.agents.model.prompt_fields import pictures_of
from webbench.core.engine import catalogue
from webbench.core.errors import EnvironmentDown, UsageError
from webbench.core.json_types import JsonObject
from webbench.core.task import Task, task_pictures
from webbench.tui.widgets.lists.task_preview import task_entries

TOYS = ("button", "talk.number", "disturbing", "broken", "unset", "pictured", "endless")
FIELD = os.environ.get("WEBBENCH_BROWSERGYM_PYTHONS", "").split()
INSTALLED = Path(__file__).with_name("installed")


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The environments of the stand-in, in this interpreter; the file says when a task was torn down."""
    log = tmp_path / "log"
    for name, value in {
        "PYTHONPATH": str(INSTALLED),
        "TOY_LOG": str(log),
        "WEBBENCH_BROWSERGYM_PYTHONS": sys.executable,
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }.items():
        monkeypatch.setenv(name, value)
    catalogue.forget("browsergym")
    yield log
    catalogue.forget("browsergym")


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> BrowserGym:
    """The benchmark with its list at hand: asking for it anew takes seconds."""
    environments = tuple(Registered(f"browsergym/toy.{name}", "browsergym.toy") for name in TOYS)
    package = Package(name="browsergym-toy", environments=environments, python=sys.executable)
    listed = Interpreter(python=sys.executable, packages=(package,), versions={"playwright": "1.0"})
    monkeypatch.setattr(listing, "packages_of", lambda _: listed)
    found = catalogue.benchmark("browsergym")
    assert isinstance(found, BrowserGym)
    return found


def named(name: str, wanted: str, nodes: wb.Observation) -> int:
    (found,) = [node.id for node in nodes.nodes if (node.role, node.name) == (name, wanted)]
    return found


def test_environments_are_listed_by_package_and_what_breaks_is_told_with_its_mend() -> None:
    benchmark = create()
    entries = {entry.name: entry for entry in benchmark.catalogue()}
    assert sorted(entries) == sorted(f"toy.{name}" for name in TOYS)
    assert entries["toy.talk.number"].splits == ("toy", "toy.talk")
    told = {problem.where: problem.message for problem in benchmark.problems()}
    assert "the environment's process ended" in told["browsergym-hostile"]
    assert "pip install no_such_module" in told["browsergym-noisy"]
    assert benchmark.status().state == "ready"
    assert [task.id for task in benchmark.tasks(names=["toy.button"])] == ["toy.button#0"]
    assert [task.instance for task in benchmark.tasks(names=["toy.button"], instances=3)] == [0, 1, 2]
    with pytest.raises(UsageError) as error:
        benchmark.tasks(names=["toy.buttom"])
    assert "toy.button" in error.value.hint
    kept = next(Path(os.environ["XDG_CACHE_HOME"]).rglob("browsergym/*.msgpack"))
    before = kept.stat().st_mtime_ns
    assert list(create().catalogue()) == list(benchmark.catalogue())
    assert kept.stat().st_mtime_ns == before


def test_a_package_that_failed_is_tried_again_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = Package(name="browsergym-noisy", problem=Trouble(type="LookupError", message="punkt_tab"))
    answers = [Interpreter(python="p", packages=(failed,)), Interpreter(python="p", packages=())]
    monkeypatch.setattr(installed_packages, "_answer", lambda _: answers.pop(0))
    assert installed_packages.packages_of(sys.executable).packages == (failed,)
    assert installed_packages.packages_of(sys.executable).packages == (failed,)
    (kept,) = (tmp_path / "cache").rglob("browsergym/*.msgpack")
    old = time.time() - installed_packages.FAILURE_SECONDS - 1
    os.utime(kept, (old, old))
    assert installed_packages.packages_of(sys.executable).packages == ()
    os.utime(kept, (old, old))
    assert installed_packages.packages_of(sys.executable).packages == (), "one that works was asked again"


async def test_an_environment_begins_without_holding_up_the_event_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def listed(_: str) -> Interpreter:
        asked.append(threading.get_ident())
        return Interpreter(python="")

    monkeypatch.setattr(listing, "packages_of", listed)
    with pytest.raises(UsageError, match="is not installed"):
        async with create().stage(Task(benchmark="browsergym", name="toy.button")):
            pass
    assert asked
    assert threading.get_ident() not in asked


async def test_an_environment_finds_nothing_in_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python, where = tmp_path / "bin" / "python", tmp_path / "where"
    python.parent.mkdir()
    python.write_text(f'#!/bin/sh\npwd -P > {where}\nexec {sys.executable} "$@"\n')
    python.chmod(0o700)
    monkeypatch.chdir(tmp_path)
    process = await EnvironmentProcess.start("bin/python")
    folder = process.folder.resolve()
    await process.close()
    assert where.read_text().strip() == str(folder)


async def test_the_answer_to_a_question_that_was_given_up_answers_no_other(
    tmp_path: Path,
) -> None:
    python = tmp_path / "python"
    python.write_text(f"""#!{sys.executable}
import json, sys
first = json.loads(sys.stdin.readline())
second = json.loads(sys.stdin.readline())
for asked in (first, second):
    print(json.dumps({{"to": asked["do"], "number": asked["number"]}}), flush=True)
sys.stdin.readline()
""")
    python.chmod(0o700)
    process = await EnvironmentProcess.start(str(python))
    given_up = asyncio.create_task(process.ask({"do": "first"}, 30))
    await asyncio.sleep(0)
    given_up.cancel()
    await asyncio.gather(given_up, return_exceptions=True)
    assert await process.ask({"do": "second"}, 30) == {"to": "second"}
    await process.close()


def test_what_is_cut_says_how_much() -> None:
    assert cut("abcde", 3) == "abc … (2 more characters are left out)"
    evidence: JsonObject = {"asked": 1, "info": {"\ud800": ["\ud800"]}, "disturbances": 3, "disturbed": ["x"]}
    score = RewardEvaluator().score(Task(benchmark="browsergym", name="a"), evidence)
    assert [check.actual for check in score.checks if check.name == "left out"] == ["2 earlier disturbances"]


async def test_we_act_and_observe_and_the_environment_judges(
    toys: BrowserGym, installed: Path, tmp_path: Path
) -> None:
    (task,) = toys.tasks(names=["toy.button#7"])
    async with wb.open(task, store=tmp_path / "store") as episode:
        seen = await episode.observe()
        assert seen.source == "script"
        assert [node.name for node in seen.nodes if node.name.startswith("word ")]
        first = await episode.act(f"click('{named('link', 'Other', seen)}')")
        assert first.score is not None
        assert first.score.value == 0
        seen = await episode.observe()
        assert len(seen.tabs) == 2
        await episode.act("tab_close()")
        seen = await episode.observe()
        last = await episode.act(f"click('{named('button', 'Press', seen)}')")
        assert last.score is not None
        assert last.score.value == 1
    store = wb.Store(tmp_path / "store")
    record = store.load(store.episodes()[0])
    assert record.header.task.intent == "Press the button."
    assert record.header.end_reason == "the environment ended the episode: reward 1"
    assert record.header.versions["browser"].startswith(("Chrome/", "HeadlessChrome/"))
    assert record.header.versions["browsergym-toy"] == "unknown"
    told = {check.target: check.actual for check in last.score.checks}
    assert (told["title"], told["url"]) == ("pressed", "http://toy.test/")
    assert installed.read_text() == "torn down"


@pytest.mark.thorough
async def test_messages_go_into_its_chat_and_its_words_come_back(toys: BrowserGym, tmp_path: Path) -> None:
    (task,) = toys.tasks(names=["toy.talk.number"])
    async with wb.open(task, store=tmp_path) as episode:
        step = await episode.act("send_msg_to_user('It is 42')")
        assert step.score is not None
        assert step.score.value == 0
        dialogue = (await episode.observe()).dialogue
        assert [(turn.speaker, turn.text) for turn in dialogue] == [
            ("assistant", "It is 42"),
            ("user", "Only the number, please."),
        ]
        step = await episode.act("send_msg_to_user('42')")
        assert step.score is not None
        assert step.score.value == 1
        said = [check for check in step.score.checks if check.name == "said by user"]
        assert said[0].actual == "Only the number, please."


@pytest.mark.thorough
async def test_a_report_that_it_cannot_be_done_ends_it(toys: BrowserGym, tmp_path: Path) -> None:
    (task,) = toys.tasks(names=["toy.talk.number"])
    async with wb.open(task, store=tmp_path) as episode:
        step = await episode.act("report_infeasible('no number')")
    assert step.score is not None
    assert step.score.value == 0.25
    assert ("said by infeasible", "no number") in {(check.name, check.actual) for check in step.score.checks}


@pytest.mark.thorough
async def test_a_validation_that_disturbs_the_page_or_fails_is_told(toys: BrowserGym, tmp_path: Path) -> None:
    disturbing, broken = toys.tasks(names=["toy.disturbing", "toy.broken"])
    async with wb.open(disturbing, store=tmp_path) as episode:
        await episode.act("noop()")
        step = await episode.act("noop()")
    assert step.score is not None
    assert {one.rules: one.value for one in (step.score, *step.score.beside)} == {"published": 1, "last": 0.5}
    told = [check.actual for check in step.score.checks if "disturbed" in check.name]
    assert told == ["opened http://toy.test/validated"] * 2
    async with wb.open(broken, store=tmp_path) as episode:
        step = await episode.act("noop()")
        assert step.score is not None
        assert step.score.status is wb.Status.ERROR
        assert "RuntimeError: the site of this task went away" in step.score.reason


@pytest.mark.thorough
async def test_what_keeps_an_environment_from_beginning_is_told(
    toys: BrowserGym, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unset, endless = toys.tasks(names=["toy.unset", "toy.endless"])
    with pytest.raises(EnvironmentDown) as error:
        async with wb.open(unset, store=tmp_path):
            pass
    assert "TOY_SITE_URL" in error.value.message
    assert error.value.hint == "set TOY_SITE_URL in the environment of webbench-tui"
    monkeypatch.setenv("WEBBENCH_BROWSERGYM_SECONDS", "1")
    with pytest.raises(EnvironmentDown) as error:
        async with wb.open(endless, store=tmp_path):
            pass
    assert "no answer within 1 s" in error.value.message
    assert "browsergym.seconds" in error.value.hint


@pytest.mark.thorough
async def test_packages_of_the_field(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = FIELD[0] if FIELD else pytest.skip("no WEBBENCH_BROWSERGYM_PYTHONS with browsergym-miniwob")
    monkeypatch.delenv("PYTHONPATH")
    monkeypatch.setenv("WEBBENCH_BROWSERGYM_PYTHONS", python)
    benchmark = create()
    names = {entry.name for entry in benchmark.catalogue()}
    if "miniwob.click-test" not in names:
        pytest.skip(f"browsergym-miniwob is not installed in {python}")
    monkeypatch.setitem(catalogue._open, ("browsergym", ""), benchmark)
    first, again, other = benchmark.tasks(names=["miniwob.login-user#7"] * 2 + ["miniwob.login-user#8"])
    asked = []
    for task in (first, again, other):
        async with wb.open(task, store=tmp_path / "asked") as episode:
            asked.append((await episode.observe()).url)
        asked[-1] = wb.Store(tmp_path / "asked").load(episode.name).header.task.intent
    assert asked[0] == asked[1] != asked[2]
    (task,) = benchmark.tasks(names=["miniwob.click-test#3"])
    async with wb.open(task, store=tmp_path / "played") as episode:
        seen = await episode.observe()
        step = await episode.act(f"click('{named('button', 'Click Me!', seen)}')")
    assert step.score is not None
    assert step.score.value == 1
    assert {check.target: check.actual for check in step.score.checks}["DONE_GLOBAL"] is True


@pytest.mark.thorough
async def test_pictures_of_a_task_go_to_the_agent_and_into_its_record(
    toys: BrowserGym, tmp_path: Path
) -> None:
    (task,) = toys.tasks(names=["toy.pictured"])
    async with wb.open(task, store=tmp_path) as episode:
        await episode.act("noop()")
        (picture,) = task_pictures(episode.view.task)
        assert (picture.width, picture.height, picture.format) == (1, 1, "jpeg")
    store = wb.Store(tmp_path)
    recorded = store.load(store.episodes()[0]).header.task
    assert recorded.intent == "Find this."
    assert task_pictures(recorded) == (picture,)


def test_a_goals_pictures_are_kept_small_and_what_is_none_is_told() -> None:
    made = io.BytesIO()
    Image.new("RGBA", (3000, 1500), "red").save(made, "png")
    address = f"data:image/png;base64,{base64.b64encode(made.getvalue()).decode()}"
    goal: list[dict[str, Any]] = [
        {"type": "text", "text": "Find"},
        {"type": "image_url", "image_url": {"url": address}},
        {"type": "text", "text": "this."},
        {"type": "image_url", "image_url": "http://site.test/a.png"},
        {"type": "image_url", "image_url": "data:image/png;base64,AA"},
    ]
    pictures, told = goal_pictures(goal)
    assert goal_text(goal) == "Find\nthis."
    assert [(one.width, one.height) for one in pictures] == [(1024, 512)]
    assert told.startswith("2 pictures of the task can't be shown")
    data = {"pictures": msgspec.to_builtins(pictures)}
    task = Task(benchmark="browsergym", name="toy.pictured", data=data, intent="Find\nthis.")
    view = AgentView(task=task, step=0, observation=wb.Observation())
    line = hello_line(view, 0, {})["task"]
    obs = Observer(line["intent"], line["pictures"])
    assert [one["role"] for one in obs.chat.messages([])] == ["assistant", "user", "user_image"]
    seen = obs.obs({"observation": {}, "problem": ""}, "")
    assert [one["type"] for one in seen["goal_object"]] == ["text", "image_url"]
    assert [picture.width for picture in pictures_of(view)] == [1024]
    shown = [(entry.label, entry.text) for entry in task_entries(task)]
    assert ("picture 1", "1024 x 512 jpeg") in shown


def test_the_chat_of_an_environment_is_given_to_its_agents_once() -> None:
    chat = Chat("Which number?")
    chat.say("It is 42")
    turns = [("assistant", "It is 42"), ("user", "Only the number, please.")]
    told = chat.messages([{"speaker": speaker, "text": text} for speaker, text in turns])
    assert [(one["role"], one["message"]) for one in told][2:] == turns


def test_evidence_of_another_shape_and_none_have_no_value() -> None:
    task = Task(benchmark="browsergym", name="toy.button")
    evaluator = RewardEvaluator()
    assert evaluator.score(task, {"asked": 0}).status is wb.Status.NOT_SCORED
    assert evaluator.score(task, {"asked": 1, "total": "much"}).status is wb.Status.ERROR
    hidden = Task(benchmark="browsergym", name="assistantbench.test.3")
    unknown = evaluator.score(hidden, {"asked": 1, "total": 0.0, "last": 0.0, "done": True})
    assert (unknown.status, unknown.value) == (wb.Status.NOT_SCORED, None)
    assert "not public" in unknown.reason
    high = evaluator.score(task, {"asked": 3, "total": 2.5, "last": -1.0, "done": True})
    assert {one.rules: one.value for one in (high, *high.beside)} == {"published": 1.0, "last": 0.0}
    assert (high.checks[0].actual, high.checks[0].normalised) == (2.5, 1.0)


@pytest.mark.thorough
async def test_nothing_is_left_of_a_process_that_is_killed(toys: BrowserGym, tmp_path: Path) -> None:
    (task,) = toys.tasks(names=["toy.button"])
    async with wb.open(task, store=tmp_path) as episode:
        seen = await episode.observe()
        begun = processes_of(tmp_path)
        assert any(b"--remote-debugging-port=0" in words for words in begun.values())
        (host,) = [pid for pid, words in begun.items() if HOST.encode() in words]
        os.kill(host, signal.SIGKILL)
        step = await episode.act(f"click('{named('button', 'Press', seen)}')")
        assert step.score is not None
        assert step.score.status is not wb.Status.SCORED
    assert not {pid: words for pid, words in processes_of(tmp_path).items() if pid in begun}


def processes_of(folder: Path) -> dict[int, bytes]:
    """Command lines, by id, of the processes that the host of this test has begun, itself too."""
    found = {}
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if f"TOY_LOG={folder}".encode() in (place / "environ").read_bytes():
                found[int(place.name)] = (place / "cmdline").read_bytes()
    return found
