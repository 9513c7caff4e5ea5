"""`plugins` tells what is plugged in, whatever a foreign package does when it is imported."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.foreign_package import installed_package
from tests.tui.cli.program import Here

NOISY = (
    "print('hello from elsewhere')\n\ndef create(*arguments):\n    raise ValueError('no \\x1b[31mcolour')\n"
)
POINTS = "[webbench.agents]\nnoisy = third_party_agent:create\n" + (
    "[webbench.dialects]\nnoisy = third_party_agent:create\n"
)


def test_built_in_ones_are_listed_by_group(tmp_path: Path, here: Here) -> None:
    done = here(tmp_path, "plugins", "agents", COLUMNS="160")
    assert done.code == 0
    rows = [line.split()[:5] for line in done.out.splitlines()]
    assert ["agents", "command", "ok", "built-in", "webbench-tui"] in rows
    none = here(tmp_path, "plugins", "agents", "--foreign")
    assert (none.out, none.err) == (
        "",
        "No other package brings plug-ins; examples/plugin is one that does.\n",
    )


def test_a_broken_one_is_told_and_nothing_it_prints_gets_between(
    tmp_path: Path, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    with installed_package(tmp_path, monkeypatch, NOISY, POINTS):
        done = here(tmp_path / "home", "plugins", "--foreign", "--json")
        text = here(tmp_path / "home", "plugins", "dialects")
    assert done.code == 1
    agent, dialect = done.json["plugins"]
    assert (agent["group"], agent["state"], agent["origin"]) == ("agents", "ok", "foreign")
    assert (agent["distribution"], agent["version"]) == ("third-party", "1.2")
    assert dialect["state"] == "broken"
    assert "ValueError: no ␛[31mcolour" in dialect["problem"]
    assert "hello from elsewhere" in done.err
    assert (text.code, "\x1b" in text.out) == (1, False)
