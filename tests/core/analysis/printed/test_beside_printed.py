"""Printed tables of papers, filled from runs: what is held against what, and how far apart it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.analysis.recorded_runs import Recording
from webbench.core.analysis.printed.beside_printed import (
    as_figure,
    as_table,
    beside_printed,
    beside_printed_json,
    row_name,
)
from webbench.core.analysis.printed.filled_table import (
    Evidence,
    Filled,
    FilledRow,
    rows_of_runs,
    success_rate,
)
from webbench.core.analysis.printed.printed_table import Filler, Paper, read_paper, table_name
from webbench.core.analysis.recorded.run_records import read_runs
from webbench.core.errors import BadData, UsageError
from webbench.core.report.paper.number_tables import csv_text, latex_table
from webbench.core.statistics.estimates import Estimate, unpaired_difference, wilson
from webbench.core.store.store import Store

TYPED = """{"paper": "Somebody (2024). A paper", "tables": [
  {"name": "table 2", "title": "Success rates", "where": "section 5", "labels": ["prompt", "model"],
   "measures": [{"title": "SR", "decimals": 1}, {"title": "time", "unit": "seconds", "decimals": 0}],
   "rows": [[["CoT", "GPT-4"], [20.0, null]], [["plain", "GPT-4"], [10.0, 5]],
            [["–", "Human"], [78.2, 110], [170, 0]]],
   "n": [100, 0], "headline": ["CoT", "GPT-4"], "human": ["–", "Human"]}]}"""


def rates(evidence: Evidence) -> Filled:
    rows = rows_of_runs(
        evidence, lambda run: ("–", run.agent), lambda episodes: [success_rate(episodes), None]
    )
    return Filled(rows=rows, missing="" if rows else "name a run")


def paper(folder: Path, typed: str = TYPED) -> Paper:
    file = folder / "paper.json"
    file.write_text(typed, "utf-8")
    return read_paper("b", file, {"table 2": Filler("runs", rates)}, {"figure 1": "a drawing"})


def evidence(store: Store, *recordings: Recording) -> Evidence:
    return Evidence(runs=read_runs(store, [one.run for one in recordings]), store=store)


def test_runs_stand_below_the_row_that_they_are_held_against(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    agent, person = Recording(store, "agent x"), Recording(store, "human")
    for task, value in (("a1", 1.0), ("a2", 0.0), ("b1", 0.5), ("c1", 1.0)):
        agent.add(task, value)
        person.add(task, 1.0)
    agent.add("d1", None)
    found = beside_printed(paper(tmp_path), "2", evidence(store, agent, person))
    told = [(line.kind, line.source, line.labels[1]) for line in found.lines]
    assert told == [
        ("printed", "paper", "GPT-4"),
        ("ours", "A", "agent x"),
        ("difference", "A − paper", "GPT-4"),
        ("printed", "paper", "GPT-4"),
        ("printed", "paper", "Human"),
        ("ours", "B", "human"),
        ("difference", "B − paper", "Human"),
    ]
    ours, apart = found.lines[1], found.lines[2]
    assert ours.values[0] is not None
    assert ours.values[0].value == 50.0
    assert len(ours.episodes) == 4
    assert apart.values[0] is not None
    assert apart.values[0].value == 30.0
    assert apart.values[1] is None
    rows = as_table(found).rows
    assert rows[0].cells[3:] == ("20.0", None)
    assert str(rows[2].cells[3]).startswith("+30.0 [−")


def test_words_choose_the_row_and_what_several_rows_have_is_refused(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    agent = Recording(store, "agent x")
    agent.add("a1", 1.0)
    found = beside_printed(paper(tmp_path), "2", evidence(store, agent), against="gpt-4 plain")
    assert [line.source for line in found.lines] == ["paper", "paper", "A", "A − paper", "paper"]
    with pytest.raises(UsageError, match="several rows"):
        beside_printed(paper(tmp_path), "2", evidence(store, agent), against="gpt-4")
    with pytest.raises(UsageError, match="no row"):
        beside_printed(paper(tmp_path), "2", evidence(store, agent), against="claude")


def test_a_difference_of_rates_has_newcombes_interval() -> None:
    """Newcombe (1998), table II, method 10: 56 of 70 against 48 of 80 is .2 from .0524 to .3339."""
    found = unpaired_difference(wilson(56, 70), wilson(48, 80))
    assert found.low is not None
    assert found.high is not None
    assert (found.value, found.low, found.high) == pytest.approx((0.2, 0.0524, 0.3339), abs=5e-5)
    assert unpaired_difference(Estimate(value=None), wilson(1, 2)).value is None
    assert unpaired_difference(Estimate(value=3.0), wilson(1, 2)).low is None


def test_without_anything_of_ours_it_says_what_it_takes(tmp_path: Path) -> None:
    found = beside_printed(paper(tmp_path), "table 2", Evidence())
    assert found.missing == "name a run"
    assert "Nothing of ours: name a run" in as_table(found).note
    assert [line.kind for line in found.lines] == ["printed"] * 3
    assert beside_printed_json(found)["missing"] == "name a run"
    with pytest.raises(UsageError, match="a drawing"):
        paper(tmp_path).table("f1")


def test_every_form_has_the_same_numbers(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    agent = Recording(store, "agent, x")
    agent.add("a1", 1.0)
    found = beside_printed(paper(tmp_path), "2", evidence(store, agent))
    figure = as_figure(found)
    assert csv_text(figure.table).splitlines()[2].startswith('–,"agent, x",A,ours,100.0,')
    assert "100.0 [20.7, 100.0]" in latex_table(figure)
    lines = beside_printed_json(found)["lines"]
    assert lines[1]["values"][0]["value"] == 100.0
    assert figure.plot is not None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[20.0, null]", "[20.0]"),
        ('"plain", "GPT-4"', '"CoT", "GPT-4"'),
        ('["CoT", "GPT-4"], "human"', '["CoT", "GPT-5"], "human"'),
        ('"table 2"', '"table 3"'),
        ('"seconds"', '"fortnights"'),
    ],
)
def test_typed_numbers_of_another_form_are_refused(tmp_path: Path, old: str, new: str) -> None:
    assert old in TYPED
    with pytest.raises(BadData, match="printed numbers of b"):
        paper(tmp_path, TYPED.replace(old, new))


def test_a_fill_that_does_not_fit_its_table_is_refused(tmp_path: Path) -> None:
    def other(_evidence: Evidence) -> Filled:
        return Filled(rows=(FilledRow(source="A", labels=("one",), values=(None,)),))

    (tmp_path / "paper.json").write_text(TYPED, "utf-8")
    made = read_paper("b", tmp_path / "paper.json", {"table 2": Filler("runs", other)})
    with pytest.raises(BadData, match="doesn't fit"):
        beside_printed(made, "2", Evidence())


def test_names_of_tables() -> None:
    told = [table_name(one) for one in ("2", "Table 2", "fig. 6", "f6", "b1", "section 3.2")]
    assert told == ["table 2", "table 2", "figure 6", "figure 6", "table b1", "section 3.2"]


def test_a_row_has_a_name_of_its_switches_and_words(tmp_path: Path) -> None:
    table = paper(tmp_path).table("2")
    names = [row_name(table, one) for one in (("yes", "GPT-4"), ("no", "GPT-4"), ("–", "Human"))]
    assert names == ["prompt, GPT-4", "no prompt, GPT-4", "Human"]
