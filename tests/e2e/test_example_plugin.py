"""The example of a plug-in package is found, runs, and reads its format; installed for real, too."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.core.foreign_package import announced_package
from tests.tui.cli.program import call_here, environment
from webbench.core.action.action import Click, ElementRef, Stop
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.browser.launch import Browser
from webbench.core.dialects.dialect import find_dialect
from webbench.core.doctor.plugin_check import plugins
from webbench.core.engine.engine import Engine, EpisodeRequest, make_agent
from webbench.core.engine.session import agent_turns
from webbench.core.store.store import Store

PACKAGE = Path(__file__).parents[2] / "examples" / "plugin"
PROJECT = tomllib.loads((PACKAGE / "pyproject.toml").read_text("utf-8"))["project"]
NAMES = {name for points in PROJECT["entry-points"].values() for name in points}
LOG = '{"cards": 1, "task": "fox", "agent": "someone"}\n{"press": "Fox"}\n{"answer": "red"}\n'


@pytest.fixture
def plugged_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The package as an installer announces it, its modules where they are."""
    groups = (
        "\n".join([f"[{group}]", *(f"{name} = {target}" for name, target in points.items())])
        for group, points in PROJECT["entry-points"].items()
    )
    monkeypatch.syspath_prepend(str(PACKAGE))
    installed = tmp_path / "installed"
    installed.mkdir()
    with announced_package(installed, monkeypatch, "\n".join(groups), PROJECT["name"], PROJECT["version"]):
        yield


def test_each_of_its_plugins_works(plugged_in: None) -> None:
    listed = [one for group in PROJECT["entry-points"] for one in plugins(group)]
    found = {one.name: one for one in listed if one.origin == "foreign"}
    assert set(found) == NAMES
    assert {(one.state, one.distribution, one.version) for one in found.values()} == {
        ("ok", PROJECT["name"], PROJECT["version"])
    }
    plain = find_dialect("plain")
    assert plain.parse("press(3)") == Click(target=ElementRef(id=3))
    assert plain.format(Stop(answer="it's red")) == "done('it\\'s red')"


@pytest.mark.browser
async def test_its_agent_solves_its_tasks(plugged_in: None, chromium: Browser, tmp_path: Path) -> None:
    cards = find_benchmark("cards")
    async with Engine(Store(tmp_path / "store"), drain=False, browser=chromium) as engine:
        run = engine.store.start_run(benchmark="cards", agent="look-it-up", planned=1)
        for task in cards.tasks():
            agent = make_agent("look-it-up", cards, task)
            async with engine.episode(EpisodeRequest(benchmark=cards, task=task, run=run)) as episode:
                await episode.start()
                await agent_turns.run(episode, agent)
            assert (episode.score.value, [step.text for step in episode.steps][2:]) == (
                1.0,
                [f"done('{task.gold['answer']}')"],
            )


def test_its_format_is_read(
    plugged_in: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "one.cards.jsonl").write_text(LOG.replace('{"answer', '{"jump": 1}\n{"answer'))
    store = str(tmp_path / "store")
    done = call_here(tmp_path, monkeypatch, capsys, "import", "one.cards.jsonl", "--store", store, "--json")
    assert "line 3 is no action of this format; left out" in done.out
    (episode,) = Store(tmp_path / "store").episodes()
    assert (episode.benchmark, episode.actor, episode.steps) == ("cards", "someone", 2)


@pytest.mark.thorough
def test_installed_by_pip_into_an_environment_it_is_used(tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=False)
    python = tmp_path / "venv" / "bin" / "python"
    (site,) = (tmp_path / "venv").glob("lib/python3.*/site-packages")
    (site / "ours.pth").write_text("\n".join(path for path in sys.path if path))
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps"]
    source = tmp_path / "source"
    subprocess.run(["cp", "-r", str(PACKAGE), str(source)], check=True)
    subprocess.run([*pip, "--no-build-isolation", str(source)], check=True, capture_output=True)

    def program(*words: str) -> str:
        command = [str(python), "-m", "webbench.tui", *words]
        here = {**environment(tmp_path), "PATH": os.environ["PATH"]}
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=here, timeout=120)
        assert done.returncode == 0, done.stderr
        return done.stdout

    listed = json.loads(program("plugins", "--foreign", "--json"))["plugins"]
    assert {one["name"] for one in listed} == NAMES
    ran = json.loads(program("run", "cards", "--agent", "look-it-up", "--json"))
    assert (ran["scored"], ran["mean_score"]) == (2, 1.0)
    (tmp_path / "one.cards.jsonl").write_text(LOG)
    program("import", "one.cards.jsonl")
