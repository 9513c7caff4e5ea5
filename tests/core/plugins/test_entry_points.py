"""Plug-ins are found by name, and a broken one harms nobody else."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.core.foreign_package import installed_package
from webbench.core.agents.agent_spec import create_agent
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.benchmark.installed import find_benchmark, published_tables
from webbench.core.dialects.dialect import find_dialect
from webbench.core.errors import UsageError
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import AGENTS, DIALECTS
from webbench.core.task import Task
from webbench.core.text.nearest import edit_distance, nearest_names

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
    found = published_tables("webarena", tmp_path / "nothing")
    assert "human_assessment" in found
    with pytest.raises(UsageError, match="webarena"):
        published_tables("webarna")


def request(*options: str) -> AgentRequest:
    return AgentRequest(task=Task(benchmark="demo", name="t"), options=options)


def test_the_built_in_plugins_come_through_the_same_door() -> None:
    assert {"do-nothing", "random", "replay", "command", "oracle"} <= set(entry_points.load(AGENTS))
    assert {"webarena", "browsergym", "turkingbench"} <= set(entry_points.load(DIALECTS))


def test_an_unknown_name_is_a_usage_error_that_names_the_nearest() -> None:
    with pytest.raises(UsageError, match=r'no dialect named "webarean".*did you mean webarena'):
        find_dialect("webarean")
    with pytest.raises(UsageError, match=r'no agent named "xyzzyplugh".*known: '):
        create_agent("xyzzyplugh", request())
    with pytest.raises(UsageError, match=r'no benchmark named "␛\[2J"'):
        find_benchmark("\x1b[2J")


def test_the_words_after_an_agents_name_are_its_options(plugins: None) -> None:
    (made,) = create_agent("third-party --speed 'very fast'", request("last"))  # type: ignore[misc]  # its maker gives a list
    assert made.options == ("--speed", "very fast", "last")


@pytest.mark.parametrize("spec", ["", "   ", "random 'unbalanced", "random \\"])
def test_a_spec_that_cant_be_read_is_a_usage_error(spec: str) -> None:
    with pytest.raises(UsageError):
        create_agent(spec, request())


def test_a_broken_plugin_is_reported_with_its_distribution_and_harms_no_other(plugins: None) -> None:
    with pytest.raises(entry_points.PluginBroken, match=r"missing.*third-party 1\.2.*ModuleNotFoundError"):
        create_agent("missing", request())
    assert set(entry_points.broken(AGENTS)) == {"missing"}
    assert set(entry_points.broken(DIALECTS)) == {"gone"}
    assert find_dialect("webarena").name == "webarena"


def test_a_plugin_that_raises_is_broken_and_its_message_is_harmless(plugins: None) -> None:
    with pytest.raises(entry_points.PluginBroken) as caught:
        create_agent("refusing", request())
    assert "\x1b" not in str(caught.value)
    assert "no ␛[31mcolour" in str(caught.value)


def test_a_foreign_distribution_cant_take_a_built_in_name(plugins: None) -> None:
    assert not isinstance(create_agent("random", request()), tuple)


def test_listing_names_imports_no_plugin() -> None:
    program = (
        "import sys; from webbench.core.plugins import entry_points as e; e.load('webbench.benchmarks');"
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
