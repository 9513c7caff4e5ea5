"""Wrong calls: exit code 2 with the nearest names, 3 without a browser or store, 4 without data."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest
from typer.core import TyperGroup, TyperOption
from typer.main import get_command

from tests.tui.cli.program import Here
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.episode.limits import Budget, with_limits
from webbench.core.episode.options import EpisodeOptions
from webbench.core.errors import UsageError
from webbench.core.settings.settings import Settings
from webbench.core.store.store import Store
from webbench.tui.cli.place import find_episode
from webbench.tui.cli.program import app

WRONG = [
    (["frobnicate"], "No such command"),
    (["rums"], "runs"),
    (["runs", "--jsn"], "--json"),
    (["run"], "benchmark"),
    (["run", "dmo"], "did you mean demo"),
    (["run", "demo", "--agent", "oracel"], "did you mean oracle"),
    (["run", "demo", "--agent", "random sleep=1"], "no option"),
    (["run", "demo", "--agent", "command /nonexistent"], "/nonexistent"),
    (["run", "demo", "--agent", "replay nosuch"], "nosuch"),
    (["run", "demo", "--dialect", "webarna"], "did you mean webarena"),
    (["run", "demo", "--rules", "papers"], "published"),
    (["run", "demo", "--split", "shops"], "shop"),
    (["run", "demo", "--task", "camp-mug"], "camp-mugs"),
    (["run", "demo", "--workers", "0"], "--workers"),
    (["run", "--resume", "any", "--limit-steps", "0"], "the run's plan says it"),
    (["run", "demo", "--instances", "0"], "--instances"),
    (["step", "demo", "receipt#99"], "receipt"),
    (["step", "demo"], "Which task?"),
    (["step", "--resume", "nosuch"], "nosuch"),
    (["tasks", "demo", "--split", "shops"], "shop"),
    (["show", "../../etc"], "no episode"),
    (["score", "nosuch"], "nosuch"),
    (["observe", ""], "empty"),
    (["observe", "http://[bad"], "no address"),
    (["observe", "gopher://x"], "can't be opened"),
    (["observe", "nosuch.html"], "no file"),
    (["observe", "javascript:alert(1)"], "javascript:alert(1) can't be opened"),
    (["observe", "JavaScript://%0aalert(1)"], "can't be opened"),
    (["observe", "view-source:http://127.0.0.1/"], "can't be opened"),
    (["observe", "chrome://crash"], "can't be opened"),
    (["observe", "chrome:crash"], "can't be opened"),
    (["observe", "blob:http://127.0.0.1/1"], "can't be opened"),
    (["observe", "mailto:me@example.org"], "can't be opened"),
    (["observe", "about:version"], "about:blank is the only page of its kind"),
    (["observe", "data:" + "x" * 5000, "--marks"], "--screenshot"),
    (["observe", "about:blank", "--format", "xml"], "webarena"),
    (["observe", "about:blank", "--screenshot", "a.gif"], ".png"),
    (["observe", "about:blank", "--screenshot", "nosuch/a.png"], "can't be written"),
    (["observe", "about:blank", "--marks"], "--screenshot"),
    ([], "needs a terminal"),
]


@pytest.mark.parametrize(
    ("arguments", "told"), WRONG, ids=[" ".join(arguments) or "nothing" for arguments, _ in WRONG]
)
def test_wrong_call(arguments: list[str], told: str, tmp_path: Path, here: Here) -> None:
    done = here(tmp_path, *arguments)
    assert done.code == 2, done.err
    assert told in done.err
    assert done.out == ""
    assert not (tmp_path / "data").exists(), "a wrong call leaves no run behind"


@pytest.mark.parametrize("command", ["run demo", "demo", "step demo camp-mugs", "observe about:blank"])
def test_missing_chromium(command: str, tmp_path: Path, here: Here) -> None:
    done = here(tmp_path, *command.split(), WEBBENCH_CHROMIUM="/nonexistent")
    assert done.code == 3
    assert "WEBBENCH_CHROMIUM" in done.err
    assert "Traceback" not in done.err
    assert here(tmp_path, "runs", "--json").json["runs"] == []


def test_missing_data(tmp_path: Path, here: Here) -> None:
    for command in ("run", "tasks"):
        done = here(tmp_path, command, "turkingbench", "--data", str(tmp_path / "nothing"))
        assert done.code == 4
        assert "needs data" in done.err
        assert "--data" in done.err


def test_store_that_can_not_be_written(tmp_path: Path, here: Here) -> None:
    done = here(tmp_path, "run", "demo", "--task", "camp-mugs", "--store", "/proc/nothing")
    assert done.code == 3
    assert "/proc/nothing" in done.err
    assert "Traceback" not in done.err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_read_only_store(tmp_path: Path, here: Here) -> None:
    store = tmp_path / "store"
    store.mkdir(mode=0o555)
    done = here(tmp_path, "run", "demo", "--task", "camp-mugs", "--store", str(store))
    assert done.code == 3
    assert "read-only" in done.err


def test_store_that_is_a_file(tmp_path: Path, here: Here) -> None:
    (tmp_path / "file").write_text("x")
    done = here(tmp_path, "runs", "--store", "file")
    assert done.code == 2
    assert "no folder" in done.err


def test_unknown_episode_of_an_empty_store_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no episode"):
        find_episode(Store(tmp_path), "0000_camp-mugs_abcd")


@pytest.mark.parametrize("name", ["step_limit", "seconds_limit", "token_limit", "cost_limit"])
def test_the_help_of_a_limit_says_what_0_means(name: str) -> None:
    """The setting is in force where the flag is 0, and stands in the flag's help."""
    settings = msgspec.convert({name: 7}, Settings)
    options = with_limits(EpisodeOptions(), find_benchmark("demo"), settings, Budget())
    assert getattr(options, name) == 7
    flag = "limit_" + name.removesuffix("_limit").replace("step", "steps").replace("token", "tokens")
    group = get_command(app)
    assert isinstance(group, TyperGroup)
    (option,) = [one for one in group.commands["run"].params if one.name == flag]
    assert isinstance(option, TyperOption)
    assert f"0: by the setting {name}" in (option.help or "")
