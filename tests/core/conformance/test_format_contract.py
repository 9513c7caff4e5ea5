"""Faults planted into a trajectory format are found, each by its own rule; our own formats have none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.effort import THOROUGH
from webbench.core.action.action import Stop
from webbench.core.conformance import format_contract
from webbench.core.conformance.rule import Broken, Finding, Ledger
from webbench.core.errors import BadData
from webbench.core.exchange.episode_building import foreign_header
from webbench.core.exchange.import_format import (
    Claim,
    ImportedEpisode,
    ImportedStep,
    find_format,
    known_formats,
)
from webbench.core.exchange.place import Place
from webbench.core.task import Task
from webbench.core.trajectory import Step

HERE = "webbench.core.conformance.format_contract"


class Notes:
    """A format that is right in everything: *.notes.json, a list of answers."""

    name = "notes"
    title = "Notes"
    looks_like = "a file *.notes.json: a list of answers"

    def claim(self, place: Place) -> Claim | None:
        return Claim() if place.name.endswith(".notes.json") else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        try:
            answers = json.loads(place.path.read_bytes())
        except ValueError as error:
            raise BadData(f"{place} is no JSON") from error
        if not isinstance(answers, list):
            raise BadData(f"{place} is no list")
        header = foreign_header(Task(benchmark="notes", name="all"), "somebody", dialect="webarena")
        yield ImportedEpisode(header, self.steps(answers), [])

    def steps(self, answers: list[Any]) -> Iterator[ImportedStep]:
        yield ImportedStep(Step(index=0, at="", actor="operator"))
        for number, answer in enumerate(answers, 1):
            yield ImportedStep(Step(index=number, at="", actor="agent", action=Stop(answer=str(answer))))

    def write_sample(self, folder: Path) -> Path:
        path = folder / "two.notes.json"
        path.write_text('["red", "brown"]')
        return path


def test_all_that_is_wrong_with_the_fields_of_a_format_is_told_at_once() -> None:
    class Blank(Notes):
        title = " "
        looks_like = ""

    with pytest.raises(Broken, match=r"name is 'notes', .*; title is blank; looks_like is blank"):
        format_contract.fields(Blank(), "other")


class Greedy(Notes):
    def claim(self, place: Place) -> Claim | None:
        return None if place.is_folder else Claim()


class Grabbing(Notes):
    def claim(self, place: Place) -> Claim | None:
        return Claim(sure=2.0) if place.name.endswith((".notes.json", "traces.json")) else None


class Shy(Notes):
    def claim(self, place: Place) -> Claim | None:
        return None


class Hollow(Notes):
    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        yield from ()


class Fragile(Notes):
    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        json.loads(place.path.read_bytes())
        yield from super().episodes(place)


class Nameless(Notes):
    looks_like = " "


def found(monkeypatch: pytest.MonkeyPatch, format: Notes) -> dict[str, str]:
    told: list[Finding] = []
    monkeypatch.setattr(f"{HERE}.find_format", lambda name: format)
    monkeypatch.setattr(f"{HERE}.known_formats", lambda: [format, *known_formats()])
    format_contract.check("notes", Ledger("formats", "notes", told.append), 0)
    return {one.rule.removeprefix("format-"): one.found for one in told if one.state == "broken"}


@pytest.mark.parametrize(
    ("format", "rules"),
    [
        (Notes, set()),
        pytest.param(Greedy, {"claims", "leaves-others"}, marks=pytest.mark.thorough),
        (Grabbing, {"leaves-others"}),
        pytest.param(Shy, {"own", "imports"}, marks=pytest.mark.thorough),
        pytest.param(Hollow, {"imports"}, marks=pytest.mark.thorough),
        (Fragile, {"hostile"}),
        pytest.param(Nameless, {"fields"}, marks=pytest.mark.thorough),
    ],
)
def test_a_planted_fault_is_found(
    monkeypatch: pytest.MonkeyPatch, format: type[Notes], rules: set[str]
) -> None:
    told = set(found(monkeypatch, format()))
    assert told >= rules
    assert bool(told) == bool(rules)


def test_counts_that_are_not_those_of_the_records_are_told() -> None:
    with pytest.raises(Broken, match="no episode"):
        format_contract.imports(Hollow())


OURS = sorted(format_contract.our_samples())


@pytest.mark.parametrize("name", OURS if THOROUGH else ["adp", "webarena-render"])
def test_our_own_formats_keep_it(name: str) -> None:
    told: list[Finding] = []
    format_contract.check(name, Ledger("formats", name, told.append), 0)
    assert [one.found for one in told if one.state == "broken"] == []
    assert {one.rule for one in told if one.state == "kept"} >= {
        "format-own",
        "format-imports",
        "format-hostile",
    }
    assert find_format(name).name == name
