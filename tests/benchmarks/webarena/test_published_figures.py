"""Figures that others published, counted again from their own rows; where they disagree, by how much."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.shared import need_shared
from webbench.benchmarks.webarena.published_tables import A_TASK, AGREES, GRADERS, GRADING, REPORTED, tables
from webbench.benchmarks.webarena.tasks import load_tasks
from webbench.core.analysis.agreement.evaluator_verdicts import reliability
from webbench.core.statistics.estimates import paired_difference, wilson


@pytest.fixture(scope="module")
def data() -> Path:
    return need_shared("data", "webarena")


def test_the_leaderboards_rates_and_what_its_rows_come_to(data: Path) -> None:
    """Of ten rates three are what the rows give; seven are the agents' own reports, up to 62.8 points off."""
    found = tables(data)["leaderboard_check"]().set_index("agent")

    assert dict(found["why"].value_counts()) == {REPORTED: 7, AGREES: 2, A_TASK: 1}
    assert found.loc["deepsky", ["rows", "successes", "rate"]].tolist() == [812, 543, 66.87]
    assert found.loc["jace", ["rows", "successes", "rate"]].tolist() == [812, 464, 57.14]
    assert found.loc["gui_hybrid", "difference"] == pytest.approx(0.16)
    told = found.loc[found["why"] == REPORTED, "difference"].to_dict()
    assert told == pytest.approx(
        {
            "narada": -62.84,
            "ibm_cuga": -61.7,
            "openai_operator": -58.1,
            "scribeagent": -53.0,
            "learn_by_interact": -48.0,
            "agentoccam": -37.45,
            "step": -9.37,
        }
    )


def test_the_leaderboards_totals_per_site(data: Path) -> None:
    """Every total and success of every agent and site comes out, a task counted under its first site."""
    first = {int(task.name): task.site.replace(",", " ").split()[0] for task in load_tasks(data).tasks}
    rows = tables(data)["leaderboard_results"]()
    counted = rows.groupby(["agent", rows["task_id"].map(first)])["success"].agg(["sum", "size"])
    published = tables(data)["leaderboard_domains"]().set_index(["agent", "site"])

    assert len(counted) == len(published) == 60
    for place, (success, total) in zip(counted.index, counted.to_numpy(), strict=True):
        assert (success, total) == tuple(published.loc[place, ["success", "total"]]), place


def test_three_graders_averages_and_agreement(data: Path) -> None:
    """The file's own averages come out; what it doesn't tell is that two graders agree on 2 tasks of 3."""
    grading = tables(data)["human_assessment"]()
    with (data / GRADING).open(encoding="utf-8-sig", newline="") as file:
        last = list(csv.reader(file))[-1]

    assert [f"{grading[name].mean():.9f}" for name in (*GRADERS, "average")] == [
        last[at] for at in (1, 3, 5, 7)
    ]
    agreement = tables(data)["grader_agreement"]().set_index("graders")
    assert agreement["percent"].tolist() == pytest.approx([0.6810, 0.6502, 0.6933, 0.6749], abs=1e-4)
    assert agreement["kappa"].tolist()[:3] == pytest.approx([0.4592, 0.3780, 0.4342], abs=1e-4)
    assert agreement["alpha_nominal"].iloc[-1] == pytest.approx(0.4187, abs=1e-4)
    assert agreement["alpha_ordinal"].iloc[-1] == pytest.approx(0.5445, abs=1e-4)


def test_an_agents_rows_against_its_graders(data: Path) -> None:
    """AgentOccam's rows say "solved" 67 times, its graders (two of three) 476 times."""
    rows = tables(data)["leaderboard_results"]()
    solved = rows[rows["agent"] == "agentoccam"].set_index("task_id")["success"] == 1
    grading = tables(data)["human_assessment"]().set_index("task_id")
    people = (grading[list(GRADERS)] == 1).sum(axis=1) >= 2

    found = reliability((bool(solved[task]), bool(people[task])) for task in range(812))

    assert (found.both, found.only_evaluator, found.only_people) == (62, 5, 414)
    assert found.precision.value == pytest.approx(62 / 67)
    assert found.recall.value == pytest.approx(62 / 476)


def test_two_agents_on_the_same_tasks_clustered_by_template(data: Path) -> None:
    """The two agents whose rows are whole: 9.7 points, less sure by clusters than by tasks alone."""
    template = {int(task.name): task.template for task in load_tasks(data).tasks}
    rows = tables(data)["leaderboard_results"]()
    by_agent = {name: group.set_index("task_id")["success"] for name, group in rows.groupby("agent")}
    first, second = ([float(by_agent[name][task]) for task in range(812)] for name in ("deepsky", "jace"))

    alone = paired_difference(first, second)
    together = paired_difference(first, second, [template[task] for task in range(812)])

    assert alone.estimate.value == together.estimate.value == pytest.approx((543 - 464) / 812)
    assert alone.only_first - alone.only_second == 79
    assert alone.p is not None
    assert alone.p < 1e-6
    assert together.p is not None
    assert alone.p < together.p < 0.01
    assert (together.estimate.low or 0) < (alone.estimate.low or 0)
    assert wilson(543, 812).low == pytest.approx(0.6356, abs=1e-4)
