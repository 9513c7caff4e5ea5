"""Plug-ins are found by name, and a broken one harms nobody else."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.core.foreign_package import installed_package
from webbench.core import registry
from webbench.core.agents.contract import AgentRequest
from webbench.core.errors import UsageError
from webbench.core.nearest import edit_distance, nearest_names
from webbench.core.task import Task

PLUGIN = """
def create(*arguments):
    return arguments

def refuse(*arguments):
    raise ValueError("no \\x1b[31mcolour")
"""
ENTRY_POINTS = """
[webbench.agents]
third-party = third_party_agent:create
missing = nowhere_to_be_found:create
refusing = third_party_agent:refuse
random = third_party_agent:create
[webbench.dialects]
gone = third_party_agent:no_such_name
"""


@pytest.fixture
def plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A distribution installed beside ours, with good and broken plug-ins."""
    with installed_package(tmp_path, monkeypatch, PLUGIN, ENTRY_POINTS):
        yield


def test_tables_are_named_without_reading_any(tmp_path: Path) -> None:
    found = registry.tables("webarena", tmp_path / "nothing")
    assert "human_assessment" in found
    with pytest.raises(UsageError, match="webarena"):
        registry.tables("webarna")


def request(*options: str) -> AgentRequest:
    return AgentRequest(task=Task(benchmark="demo", name="t"), options=options)


def test_the_built_in_plugins_come_through_the_same_door() -> None:
    assert {"do-nothing", "random", "replay", "command", "oracle"} <= set(registry.load(registry.AGENTS))
    assert {"webarena", "browsergym", "turkingbench"} <= set(registry.load(registry.DIALECTS))


def test_an_unknown_name_is_a_usage_error_that_names_the_nearest() -> None:
    with pytest.raises(UsageError, match=r'no dialect named "webarean".*did you mean webarena'):
        registry.dialect("webarean")
    with pytest.raises(UsageError, match=r'no agent named "xyzzyplugh".*known: '):
        registry.agent("xyzzyplugh", request())
    with pytest.raises(UsageError, match=r'no benchmark named "␛\[2J"'):
        registry.benchmark("\x1b[2J")


def test_the_words_after_an_agents_name_are_its_options(plugins: None) -> None:
    (made,) = registry.agent("third-party --speed 'very fast'", request("last"))  # type: ignore[misc]
    assert made.options == ("--speed", "very fast", "last")


@pytest.mark.parametrize("spec", ["", "   ", "random 'unbalanced", "random \\"])
def test_a_spec_that_cant_be_read_is_a_usage_error(spec: str) -> None:
    with pytest.raises(UsageError):
        registry.agent(spec, request())


def test_a_broken_plugin_is_reported_with_its_distribution_and_harms_no_other(plugins: None) -> None:
    with pytest.raises(registry.PluginBroken, match=r"missing.*third-party 1\.2.*ModuleNotFoundError"):
        registry.agent("missing", request())
    assert set(registry.broken(registry.AGENTS)) == {"missing"}
    assert set(registry.broken(registry.DIALECTS)) == {"gone"}
    assert registry.dialect("webarena").name == "webarena"


def test_a_plugin_that_raises_is_broken_and_its_message_is_harmless(plugins: None) -> None:
    with pytest.raises(registry.PluginBroken) as caught:
        registry.agent("refusing", request())
    assert "\x1b" not in str(caught.value)
    assert "no ␛[31mcolour" in str(caught.value)


def test_a_foreign_distribution_cant_take_a_built_in_name(plugins: None) -> None:
    assert not isinstance(registry.agent("random", request()), tuple)


def test_listing_names_imports_no_plugin() -> None:
    program = (
        "import sys; from webbench.core import registry; registry.load(registry.BENCHMARKS);"
        "print([m for m in sys.modules if m.startswith('webbench.benchmarks')])"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"


def test_distance_counts_swaps_as_one() -> None:
    assert edit_distance("clikc", "click") == 1
    assert edit_distance("", "abc") == 3
    assert edit_distance("kitten", "sitting") == 3


def test_near_names_come_best_first_and_far_ones_not_at_all() -> None:
    known = ["click", "close_tab", "check", "scroll"]
    assert nearest_names("clik", known)[0] == "click"
    assert nearest_names("CHECKS", known)[0] == "check"
    assert nearest_names("zzzzzz", known) == []
    assert nearest_names("x" * 1_000_000, known) == []
