"""Presets: files, what they build on, who wins, and what is told of wrong ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from webbench.core.agents.agent_spec import create_agent
from webbench.core.agents.known_agents import choices, listed_agents, listed_options
from webbench.core.agents.presets import load_presets
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.errors import BadData, UsageError
from webbench.core.task import Task

REQUEST = AgentRequest(task=Task(benchmark="demo", name="x"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    made = tmp_path / "webbench" / "agents"
    made.mkdir(parents=True)
    return made


def write(folder: Path, name: str, text: str) -> None:
    (folder / f"{name}.toml").write_text(text)


def test_options_are_laid_over_each_other(folder: Path) -> None:
    write(folder, "mine", 'agent = "webarena-direct"\n[options]\nmodel = "m"\ntemperature = 0\nhint = false')
    presets = load_presets()
    assert presets.base_of("mine") == "model"
    values = {option.name: (option.value, option.preset) for option in presets.options_of("mine")}
    assert values["temperature"] == ("0", "mine")
    assert values["hint"] == ("no", "mine")
    assert values["prompt"] == ("webarena/direct", "webarena-direct")
    assert values["top_p"] == ("0.9", "webarena-reasoning")
    assert create_agent("mine temperature=0.3 url=http://localhost:9/v1", REQUEST).name == "mine (m)"


def test_a_preset_of_an_agent_without_named_options(folder: Path) -> None:
    write(folder, "short", 'agent = "random"\n[options]\nsteps = 3')
    write(folder, "again", 'agent = "replay"\nwords = ["nowhere"]')
    assert create_agent("short", REQUEST).name == "random"
    with pytest.raises(UsageError, match="no record at nowhere"):
        create_agent("again", REQUEST)


def test_the_users_own_wins_and_that_is_told(folder: Path) -> None:
    write(folder, "webarena-direct", 'agent = "random"\ntitle = "Mine"')
    found = next(one for one in listed_agents() if one.name == "webarena-direct")
    assert (found.base, found.title, found.origin) == ("random", "Mine", str(folder / "webarena-direct.toml"))
    assert found.hides == "webbench.benchmarks.webarena.agents.presets/webarena-direct.toml"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("agent = ", "is no TOML"),
        ("title = 'x'", "is no preset: .*agent"),
        ("agent = 'random'\ntitel = 'x'", "is no preset: .*titel"),
        ("agent = 'random'\n[options]\nsteps = {}", "is no preset"),
        (f"agent = 'random'\ntitle = '{'x' * 70_000}'", "is larger than"),
    ],
)
def test_files_that_are_no_presets(folder: Path, text: str, told: str) -> None:
    write(folder, "torn", text)
    problems = load_presets().problems
    assert len(problems) == 1
    with pytest.raises(BadData, match=told):
        raise BadData(problems[0])


def test_names_of_agents_are_taken(folder: Path) -> None:
    write(folder, "random", 'agent = "replay"')
    assert "has the name of an agent" in load_presets().problems[0]


def test_circles_and_nobody(folder: Path) -> None:
    write(folder, "a", 'agent = "b"')
    write(folder, "b", 'agent = "a"')
    write(folder, "c", 'agent = "webarena-reasonin"')
    with pytest.raises(BadData, match="builds on itself"):
        load_presets().words_of("a")
    with pytest.raises(UsageError, match="did you mean webarena-reasoning"):
        load_presets().words_of("c")
    assert {one.name for one in listed_agents() if one.problem} == {"a", "b", "c"}


def test_every_built_in_preset_can_be_used(folder: Path) -> None:
    presets = load_presets()
    assert not presets.problems
    for name, preset in presets.presets.items():
        create_agent(f"{name} model=m url=http://localhost:9/v1", REQUEST)
        assert preset.title
        assert preset.source


def test_options_tell_where_they_are_from(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBBENCH_MODEL_NAME", "gpt-x")
    options = {option.name: option for option in listed_options("webarena-direct")}
    assert (options["model"].value, options["model"].origin) == (
        "gpt-x",
        "setting model.name (environment WEBBENCH_MODEL_NAME)",
    )
    assert options["prompt"].origin == "preset webarena-direct"
    assert options["temperature"].origin == "preset webarena-reasoning"
    assert (options["picture"].value, options["picture"].origin) == ("no", "default")
    assert all(option.description for option in options.values())
    assert listed_options("random") == []


def test_choices_are_those_for_a_benchmark(folder: Path) -> None:
    names = [one.name for one in choices("weblinx")]
    assert {"oracle", "model", "weblinx-zero-shot"} <= set(names)
    assert "webarena-direct" not in names
