"""A stranger's agent is found and made, or it is told why it can't be."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.core.agents.browsergym.theirs import AGENT
from webbench.core.agents.browsergym.installed_agent import Unusable, load
from webbench.core.json_types import JsonObject


@pytest.fixture
def theirs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A file with agents; what loading it does to the interpreter is undone."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    path = tmp_path / "their_agents.py"
    path.write_text(AGENT)
    yield str(path)
    sys.modules.pop("their_agents", None)


@pytest.mark.parametrize(
    ("name", "options", "told"),
    [
        ("Coder", {}, "answers Python code in place of high-level actions"),
        ("Nobody", {}, "has no Nobody; it has"),
        ("number", {}, "has no get_action"),
        ("ready", {"x": 1}, "is made already and takes no options"),
        ("Echo", {"speed": 1}, "unexpected keyword argument 'speed'; its options: texts, seed"),
        ("Raw", {}, "wants the browser's own page"),
    ],
)
def test_what_cant_be_used_says_why(theirs: str, name: str, options: JsonObject, told: str) -> None:
    with pytest.raises(Unusable) as caught:
        load(f"{theirs}:{name}", options, task="t", seed=0)
    assert told in str(caught.value)


def test_a_name_is_a_file_or_a_module(theirs: str, tmp_path: Path) -> None:
    made = load(f"{theirs}:Echo", {"texts": ["noop()"]}, task="t", seed=0)
    assert made.agent.get_action({"mine": 1, "last_action": "", "last_action_error": ""})
    sys.path.insert(0, str(tmp_path))
    assert load("their_agents:ready", {}, task="t", seed=0).agent
    with pytest.raises(Unusable, match="there is no file"):
        load(f"{theirs}x.py:Echo", {}, task="t", seed=0)
    with pytest.raises(Unusable, match="write MODULE:CLASS"):
        load("their_agents", {}, task="t", seed=0)


def test_both_are_closed_with_the_process(theirs: str) -> None:
    made = load(f"{theirs}:Arguments", {"text": "noop()"}, task="t", seed=0)
    made.close()
    assert sys.modules["their_agents"].closed == ["Echo", "Arguments"]
