"""Runs by the options of their agents, as the paper of TurkingBench compares them."""

from __future__ import annotations

import pytest

from webbench.core.agent import options_in
from webbench.core.agents.agent_spec import MOST_VARIANTS, variants
from webbench.core.analysis.option_grid import options_section
from webbench.core.analysis.recorded.run_records import RecordedRun
from webbench.core.analysis.runs.agent_work import Work
from webbench.core.analysis.runs.success_rates import Rates, RunRates, TaskScore
from webbench.core.errors import UsageError
from webbench.core.models.spending import Spent
from webbench.core.statistics.estimates import Estimate
from webbench.core.statistics.figures import Bars, Table


def test_braces_are_a_grid_and_an_empty_value_leaves_the_word_out() -> None:
    assert variants("model m={a,b} {,vision} 'note={x}'") == (
        "model m=a 'note={x}'",
        "model m=a vision 'note={x}'",
        "model m=b 'note={x}'",
        "model m=b vision 'note={x}'",
    )
    assert options_in("model m=a vision") == {"agent": "model", "m": "a", "vision": "yes"}


TOO_MANY = ",".join(map(str, range(MOST_VARIANTS + 1)))


@pytest.mark.parametrize("spec", ["m s={1,1}", f"m s={{{TOO_MANY}}}"])
def test_a_grid_with_one_agent_twice_or_too_many_is_refused(spec: str) -> None:
    with pytest.raises(UsageError):
        variants(spec)


def rates_of(mean: float | None, tasks: int = 2) -> RunRates:
    nothing = Estimate(value=None)
    scores = tuple(TaskScore(task=f"t{at}", template="", score=0.0, episodes=1) for at in range(tasks))
    return RunRates(
        run="r",
        benchmark="b",
        agent="m",
        states={},
        tasks=scores,
        success=nothing,
        success_clustered=nothing,
        mean=Estimate(value=mean, n=tasks),
        standard_error=None,
    )


def test_values_are_compared_where_all_else_is_alike_and_the_rest_is_told() -> None:
    grid = {
        "A": ("m shots=7 html=full", 0.8, 4000),
        "B": ("m shots=0 html=full", 0.2, 2000),
        "C": ("m shots=7 html=part", 0.6, 1000),
        "D": ("m shots=0 html=part", 0.4, 500),
        "E": ("m shots=3 html=part", 0.9, 700),
    }
    runs = {
        letter: RecordedRun(run=letter, benchmark="b", agent="m", spec=spec, episodes=())
        for letter, (spec, _, _) in grid.items()
        if letter != "E"
    }
    found = Rates(
        runs=tuple(rates_of(mean) for letter, (_, mean, _) in grid.items() if letter in runs), pairs=()
    )
    work = {
        letter: [Work(episode="e", calls=(1.0, 1.0), spent=Spent(input_tokens=tokens))]
        for letter, (_, _, tokens) in grid.items()
    }
    section = options_section(runs, found, work)
    assert section is not None
    table, by_shots, shots_bars, by_html, _ = section.figures
    assert isinstance(table, Table)
    assert isinstance(by_shots, Table)
    assert isinstance(by_html, Table)
    assert table.rows[0].cells[1:4] == ("7", "full", 2)
    assert [row.cells[-1] for row in table.rows] == [2000, 1000, 500, 250]
    assert [row.cells for row in by_shots.rows] == [
        ("0", 2, pytest.approx(0.3), 625),
        ("7", 2, pytest.approx(0.7), 1250),
    ]
    assert isinstance(shots_bars, Bars)
    assert [(bar.group, bar.actor) for bar in shots_bars.bars] == [
        ("0", "B"),
        ("0", "D"),
        ("7", "A"),
        ("7", "C"),
    ]

    again = {**runs, "F": runs["A"]}
    section = options_section(again, Rates(runs=(*found.runs, rates_of(1.0)), pairs=()), work)
    assert section is not None
    repeated = section.figures[1]
    assert isinstance(repeated, Table)
    assert [row.cells[:3] for row in repeated.rows] == [
        ("0", 2, pytest.approx(0.3)),
        ("7", 3, pytest.approx(0.75)),
    ]
    assert repeated.note == ""

    runs["E"] = RecordedRun(run="E", benchmark="b", agent="m", spec=grid["E"][0], episodes=())
    section = options_section(runs, Rates(runs=(*found.runs, rates_of(0.9)), pairs=()), work)
    assert section is not None
    lacking = section.figures[1]
    assert isinstance(lacking, Table)
    assert [row.cells[:2] for row in lacking.rows] == [("0", 1), ("3", 1), ("7", 1)]
    assert lacking.note == "2 runs left out: without a scored counterpart for every value."


def test_runs_of_agents_that_differ_by_name_alone_have_no_such_section() -> None:
    runs = {
        letter: RecordedRun(run=letter, benchmark="b", agent=agent, spec=agent, episodes=())
        for letter, agent in (("A", "oracle"), ("B", "random"))
    }
    assert options_section(runs, Rates(runs=(rates_of(1.0), rates_of(0.0)), pairs=()), {}) is None
