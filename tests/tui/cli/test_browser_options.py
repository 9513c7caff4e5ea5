"""Flags that choose driver, endpoint and input are settings for one call."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import pytest
import typer
from typer.core import TyperGroup
from typer.main import get_command
from typer.testing import CliRunner

from webbench.core.browser.starting.browser_options import LaunchOptions
from webbench.core.browser.starting.configured import configured_launch
from webbench.core.settings.load_settings import load_settings
from webbench.tui.cli.browser_options import OPTIONS, choosing_browser

VARIABLES = ["WEBBENCH_" + setting.upper().replace(".", "_") for setting, _ in OPTIONS.values()]
seen: list[tuple[str, LaunchOptions]] = []


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> typer.Typer:
    """A command of two options, called from a folder without settings."""
    for variable in VARIABLES:
        monkeypatch.setenv(variable, "")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    seen.clear()
    app = typer.Typer(rich_markup_mode=None)

    @app.command()
    @choosing_browser
    def look(
        url: Annotated[str, typer.Argument()], as_json: Annotated[bool, typer.Option("--json")] = False
    ) -> None:
        """Look."""
        seen.append((url, configured_launch(load_settings())))

    return app


def test_flags_win_over_settings(program: typer.Typer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBBENCH_BROWSER_ENDPOINT", "http://set")
    arguments = ["x", "--browser", "selenium", "--browser-endpoint", "http://grid:4444", "--input", "desktop"]
    assert CliRunner().invoke(program, arguments).exit_code == 0
    url, options = seen[0]
    assert (url, options.endpoint, options.driving) == ("x", "http://grid:4444", "selenium+desktop")
    assert [os.environ[variable] for variable in VARIABLES] == ["", "http://set", "", "", "", ""]


def test_without_flags_settings_hold(program: typer.Typer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBBENCH_BROWSER_DRIVER", "selenium")
    assert CliRunner().invoke(program, ["x", "--json"]).exit_code == 0
    assert seen[0][1].driving == "selenium"
    assert os.environ["WEBBENCH_BROWSER_DRIVER"] == "selenium"


def test_unknown_drivers_are_a_wrong_call(program: typer.Typer) -> None:
    done = CliRunner().invoke(program, ["x", "--browser", "lynx"])
    assert (done.exit_code, seen) == (2, [])
    assert "'lynx' is not one of 'playwright', 'selenium'" in done.output


def test_every_command_that_opens_a_browser_has_them() -> None:
    from webbench.tui.cli.program import app

    group = get_command(app)
    assert isinstance(group, TyperGroup)
    commands = group.commands
    for name in ("demo", "step", "run", "observe", "fork", "doctor"):
        assert set(OPTIONS) <= {one.name for one in commands[name].params}, name
