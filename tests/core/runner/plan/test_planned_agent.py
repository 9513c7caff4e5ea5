"""A run goes on with the agent that it began with, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.runner.rooms import Rooms
from webbench.core.engine.engine import Engine
from webbench.core.errors import BadData
from webbench.core.runner.batch import Runner
from webbench.core.runner.local.local_player import LocalPlayer
from webbench.core.runner.plan.agent_fingerprint import agent_parts
from webbench.core.runner.plan.new_run import BatchRequest, new_run
from webbench.core.store.store import Store

PRESET = 'agent = "webarena-direct"\ntitle = "{}"\n[options]\ntemperature = {}\n'
BOTH = "ensemble 'first=mine seed=1' second=oracle"


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folder of the settings, with a preset "mine" of the user's own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    folder = tmp_path / "webbench"
    (folder / "agents").mkdir(parents=True)
    (folder / "agents" / "mine.toml").write_text(PRESET.format("Mine", 0.5))
    return folder


def test_presets_and_prompts_are_parts_of_an_agent_wherever_they_stand(config: Path) -> None:
    assert list(agent_parts("mine")) == ["the preset mine", "the prompt webarena/direct"]
    assert agent_parts(BOTH) == agent_parts("mine")
    assert agent_parts("oracle") == agent_parts("command cat -") == {}


def test_a_run_does_not_go_on_with_another_agent(config: Path, store: Store) -> None:
    rooms = Rooms("quick")
    run = new_run(store, BatchRequest(benchmark=rooms, tasks=rooms.tasks(), agent=BOTH))

    def resumed() -> Runner:
        return Runner(store, run, rooms, rooms.tasks(), LocalPlayer(Engine(store), rooms))

    preset, prompt = config / "agents" / "mine.toml", config / "prompts/webarena/agents/direct.jinja"
    preset.write_text(PRESET.format("Another title", 0.5))
    assert resumed()
    preset.write_text(PRESET.format("Mine", 0.9))
    with pytest.raises(BadData, match=r"is not what it was .*: the preset mine changed"):
        resumed()
    preset.write_text(PRESET.format("Mine", 0.5))
    prompt.parent.mkdir(parents=True)
    prompt.write_text("=== user\nAnother prompt")
    with pytest.raises(BadData, match=r"planned: the prompt webarena/direct changed"):
        resumed()
    prompt.unlink()
    assert resumed()
    preset.unlink()
    with pytest.raises(BadData, match="the preset mine, the prompt webarena/direct changed"):
        resumed()
