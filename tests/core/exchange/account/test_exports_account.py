"""The account of an export: what a written file gives back, kind by kind, and why there is less."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.core.exchange.account.full_episode import record_full
from tests.known_exporters import known_exporters
from webbench.core.exchange.account.balance import Row
from webbench.core.exchange.account.given import UNCOUNTED, Places
from webbench.core.exchange.account.kinds import KINDS
from webbench.core.exchange.export_format import Exported, Exporter, Source, find_exporter
from webbench.core.exchange.exporting import export
from webbench.core.exchange.own.jsonl import JsonLinesExporter
from webbench.core.exchange.training.row_account import MADE
from webbench.core.store.store import Store

CHOSEN = {"preferences", "sft", "steps"}
"""Formats of rows, which are chosen by a rule."""
SUBMISSION = "-submission"
"""In the names of what is for one benchmark; `tests/benchmarks/test_submissions.py` has their records."""
EXPORTERS = [
    one.name for one in known_exporters() if one.name not in CHOSEN and not one.name.endswith(SUBMISSION)
]
UNSEEN = {"values"}
"""Everything else is compared by a round trip."""


class Forgetful(JsonLinesExporter):
    """Our own lines without some of what was to be written."""

    name = "forgetful"

    def __init__(self, drops: str, places: Places | None = None) -> None:
        self.drops, self.places = drops, places or Places()

    def write(self, source: Source, path: Path) -> None:
        super().write(source, path)
        lines = path.read_text().splitlines()
        path.write_text("\n".join(line for line in lines if self.drops not in line))


class Uncounted:
    """What no format reads and nothing counts."""

    name = title = lacks = "uncounted"
    ending = ".txt"
    several = True

    def write(self, source: Source, path: Path) -> None:
        path.write_text(str(len(list(source.trajectories()))))


class Counted(Uncounted):
    def count_written(self, path: Path) -> Mapping[str, int]:
        return {"episodes": int(path.read_text())}


def exported(store: Store, exporter: Exporter, path: Path, names: list[str], **options: bool) -> Exported:
    return export(store, [store.find(name) for name in names], exporter, path, **options)


def row(told: Exported, kind: str) -> Row:
    return next(one for one in told.account if one.kind == kind)


@pytest.fixture
def full(store: Store) -> list[str]:
    return [record_full(store), record_full(store, "coffee")]


@pytest.mark.parametrize("name", EXPORTERS)
def test_every_kind_is_counted_and_explained(
    store: Store, full: list[str], tmp_path: Path, name: str
) -> None:
    exporter = find_exporter(name)
    told = exported(store, exporter, tmp_path / f"out{exporter.ending}", full)

    assert not told.uncounted
    assert {one.kind for one in told.account} == set(KINDS) - UNSEEN
    assert [line for line in told.lost if "unexplained" in line] == []
    for one in told.account:
        signed = sum(-reason.count if reason.sort == "made" else reason.count for reason in one.reasons)
        assert one.source - signed == one.recorded, one.kind


def test_rows_that_were_chosen_are_counted_from_the_file(store: Store, tmp_path: Path) -> None:
    told = exported(store, find_exporter("sft"), tmp_path / "out", [record_full(store, annotated=False)])

    assert [line for line in told.lost if "unexplained" in line] == []
    assert row(told, "steps").recorded == told.rows > 0


def test_each_step_that_is_no_row_is_counted_under_its_own_reason(store: Store, tmp_path: Path) -> None:
    names = [
        record_full(store, annotated=False),
        record_full(store, "milk"),
    ]  # of the second a person objects
    told = exported(store, find_exporter("sft"), tmp_path / "out", names)

    steps = row(told, "steps")
    assert (steps.source, steps.recorded) == (6, 3)
    assert [(one.sort, one.why, one.count) for one in steps.reasons] == [
        ("left", "the episode is not solved", 3)
    ]
    made = [one for kind in told.account for one in kind.reasons if one.sort == "made"]
    assert [(one.count, one.why) for one in made] == [(3, MADE["prompts.steps"])]
    assert [line for line in told.lost if "unexplained" in line] == []


def test_what_is_dropped_is_told(store: Store, full: list[str], tmp_path: Path) -> None:
    told = exported(store, Forgetful('"index":2'), tmp_path / "out.jsonl", full)

    assert (row(told, "steps").source, row(told, "steps").recorded) == (6, 4)
    assert "unexplained: steps: 2 of the records are not in the file" in told.lost
    assert "unexplained: pictures: 2 of the records are not in the file" in told.lost


def test_a_format_that_has_some_of_a_kind_can_not_say_that_it_has_no_place_for_it(
    store: Store, full: list[str], tmp_path: Path
) -> None:
    exporter = Forgetful('"index":2', Places(no_place={"pictures": "no field", "steps": "no field"}))
    told = exported(store, exporter, tmp_path / "out.jsonl", full)

    assert "unexplained: steps: 2 of the records are not in the file" in told.lost
    assert "unexplained: pictures: 2 of the records are not in the file" in told.lost


def test_what_is_made_in_one_part_makes_up_for_nothing_in_another(
    store: Store, full: list[str], tmp_path: Path
) -> None:
    exporter = Forgetful('"kind":"dispute"', Places(adds={"labels.codes": "twice"}))
    told = exported(store, exporter, tmp_path / "out.jsonl", full)

    assert "unexplained: labels: 2 of the records are not in the file" in told.lost


def test_what_nothing_counts_is_told(store: Store, full: list[str], tmp_path: Path) -> None:
    told = exported(store, Uncounted(), tmp_path / "out.txt", full)

    assert told.uncounted
    assert told.lost == [UNCOUNTED]


def test_an_exporter_may_count_its_files_itself(store: Store, full: list[str], tmp_path: Path) -> None:
    told = exported(store, Counted(), tmp_path / "out.txt", full)

    assert (row(told, "episodes").recorded, row(told, "steps").recorded) == (2, 0)
    assert "unexplained: episodes: 2 of the records are not in the file" not in told.lost
    assert "unexplained: steps: 6 of the records are not in the file" in told.lost


def test_pictures_that_nobody_asked_for_have_their_reason(
    store: Store, full: list[str], tmp_path: Path
) -> None:
    told = exported(store, JsonLinesExporter(), tmp_path / "out.jsonl", full, pictures=False)

    (reason,) = row(told, "pictures").reasons
    assert (reason.count, reason.why) == (8, "no pictures were asked for")
