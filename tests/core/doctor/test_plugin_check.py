"""What is plugged in is told with its origin, and one that is broken with its reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.foreign_package import installed_package
from webbench.core.doctor.plugin_check import Plugin, foreign_problems, groups, plugins
from webbench.core.errors import UsageError

SOURCE = """
import sys

class Half:
    name = "half"

    def verbs(self):
        return []

def create(*arguments):
    return Half()

def leave():
    sys.exit("not today")

number = 3
"""
ENTRY_POINTS = """
[webbench.agents]
fine = third_party_agent:create
number = third_party_agent:number
random = third_party_agent:create
[webbench.dialects]
half = third_party_agent:create
gone = nowhere_to_be_found:create
[webbench.formats]
leaving = third_party_agent:leave
"""


def by_name(listed: list[Plugin], origin: str = "foreign") -> dict[str, Plugin]:
    return {one.name: one for one in listed if one.origin == origin}


def test_all_that_is_built_in_works() -> None:
    listed = plugins()
    assert {one.group for one in listed} == set(groups())
    assert [(one.name, one.problem) for one in listed if one.origin == "built-in" and one.state != "ok"] == []
    assert {one.distribution for one in listed if one.origin == "built-in"} == {"webbench-tui"}


def test_foreign_ones_are_told_with_their_package_and_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with installed_package(tmp_path, monkeypatch, SOURCE, ENTRY_POINTS):
        agents, dialects = by_name(plugins("agents")), by_name(plugins("webbench.dialects"))
        formats, ours = by_name(plugins("formats")), by_name(plugins("agents"), "built-in")
    fine = agents["fine"]
    assert (fine.state, fine.distribution, fine.version) == ("ok", "third-party", "1.2")
    assert fine.target == "third_party_agent:create"
    assert agents["number"].problem == "int can't be called to make an agent"
    assert (agents["random"].state, agents["random"].problem) == ("unused", "a built-in has the same name")
    assert ours["random"].state == "ok"
    assert dialects["half"].problem == "what it makes lacks parse, format, complete, render"
    assert dialects["gone"].problem == "ModuleNotFoundError: No module named 'nowhere_to_be_found'"
    assert formats["leaving"].problem == "SystemExit: not today"


def test_doctor_hears_of_every_foreign_one_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with installed_package(tmp_path, monkeypatch, SOURCE, ENTRY_POINTS):
        told = foreign_problems(besides=("webbench.dialects",))
    assert told == [
        "agents number (third-party): int can't be called to make an agent",
        "agents random (third-party): a built-in has the same name",
        "formats leaving (third-party): SystemExit: not today",
    ]


def test_a_package_that_only_looks_like_ours_is_foreign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = "[webbench.agents]\nrandom = webbench.core.agents.do_nothing:create\n"
    with installed_package(tmp_path, monkeypatch, "", points):
        assert by_name(plugins("agents"))["random"].state == "unused"


def test_an_unknown_group_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean agents"):
        plugins("agnts")
