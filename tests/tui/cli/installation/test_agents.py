"""`agents` and `config` tell who can play, from where, and what the options come down to."""

from __future__ import annotations

from pathlib import Path

from tests.tui.cli.program import Here


def test_agents_and_presets(tmp_path: Path, here: Here) -> None:
    done = here(tmp_path, "agents", COLUMNS="140")
    assert done.code == 0
    lines = {line.split()[0]: line for line in done.out.splitlines() if line.strip()}
    assert lines["random"].split()[1] == "built-in"
    assert lines["weblinx-zero-shot"].split()[1:3] == ["weblinx", "built-in"]
    narrow = here(tmp_path, "agents", COLUMNS="80").out
    assert "one observation per line in, one action per line out" in narrow, "nothing is cut off"
    one = here(tmp_path, "agents", "turkingbench-text-full", "--json", WEBBENCH_MODEL_NAME="gpt-x")
    options = {option["name"]: (option["value"], option["origin"]) for option in one.json["options"]}
    assert options["html"] == ("full", "preset turkingbench-text-full")
    assert options["demonstrations"] == ("7", "preset turkingbench-text")
    assert options["model"][0] == "gpt-x"
    both = here(tmp_path, "agents", "assistantbench-spa-else-closed-book").out.split()
    assert both[both.index("agent:") + 1 :][:2] == ["ensemble", "first=assistantbench-spa"]
    assert "first=AGENT" in here(tmp_path, "agents", "ensemble").out, "how its options are written"
    assert here(tmp_path, "agents", "weblinx-zero").err.endswith("weblinx-zero-shot\n")


def test_prompts_are_listed_with_their_files_and_copied_to_be_changed(tmp_path: Path, here: Here) -> None:
    own = tmp_path / "config" / "webbench" / "prompts" / "webcanvas" / "agents"
    before = here(tmp_path, "agents", "webcanvas-all", "--json").json["prompts"]
    assert [(one["name"], one["built_in"], one["own"]) for one in before] == [
        ("webcanvas/act", True, str(own / "act.jinja")),
        ("webcanvas/reward", True, str(own / "reward.jinja")),
    ]
    own.mkdir(parents=True)
    (own / "act.jinja").write_text("=== user\nmine")
    done = here(tmp_path, "agents", "webcanvas-all", "--copy-prompts", "--json")
    assert [(one["file"], one["copied"]) for one in done.json["prompts"]] == [
        (str(own / "act.jinja"), False),
        (str(own / "reward.jinja"), True),
    ]
    assert (own / "act.jinja").read_text() == "=== user\nmine"
    assert (own / "reward.jinja").read_bytes() == Path(before[1]["file"]).read_bytes()
    assert "yours:" in here(tmp_path, "agents", "webcanvas-all").out
    assert here(tmp_path, "agents", "random", "--copy-prompts").code == 2


def test_wrong_presets_are_told(tmp_path: Path, here: Here) -> None:
    folder = tmp_path / "config" / "webbench" / "agents"
    folder.mkdir(parents=True)
    (folder / "torn.toml").write_text("agent")
    (folder / "lost.toml").write_text('agent = "nobody"')
    (folder / "typo.toml").write_text('agent = "webarena-direct"\n[options]\ntemprature = 1')
    done = here(tmp_path, "agents")
    assert done.code == 1
    assert "torn.toml is no TOML" in done.err
    config = here(tmp_path, "config", "--json")
    assert config.code == 1
    lost = next(one for one in config.json["presets"] if one["name"] == "lost")
    assert lost["origin"] == str(folder / "lost.toml")
    assert 'no agent named "nobody"' in lost["problem"]
    typo = next(one for one in config.json["presets"] if one["name"] == "typo")
    assert "did you mean temperature" in typo["problem"]
    (folder / "blind.toml").write_text('agent = "webarena-direct"\n[options]\nprompts = "/not/there"')
    blind = here(tmp_path, "agents", "blind")
    assert (blind.code, "no folder of prompts" in blind.out, "preset blind" in blind.out) == (1, True, True)
