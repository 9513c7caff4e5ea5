"""Published figures counted again from their own rows, with how far apart they are and why."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from webbench.core.analysis.agreement import cohen_kappa, krippendorff_alpha, percent

if TYPE_CHECKING:
    from pandas import DataFrame

GRADES = (0.0, 0.5, 1.0)
CLOSE = 0.05
"""Percentage points that rounding to one decimal explains."""
ONE_TASK = 0.2
"""Percentage points that one task more or less, or another denominator, explains: 1 of 812 is 0.12."""

AGREES = "agrees"
A_TASK = "one task, or the denominator: the rows were counted at another time"
REPORTED = (
    "not counted from these rows: the leaderboard's own count is the rows', its rate is what was reported"
)


def leaderboard_check(results: DataFrame, models: DataFrame) -> DataFrame:
    """Per agent: rows, successes, their rate beside the published one (percent), the difference and why.

    Args:
        results: task_id, agent, success; models: id, success_rate.
    """
    counted = results.groupby("agent")["success"].agg(["size", "sum"])
    frame = models[["id", "success_rate"]].rename(columns={"id": "agent", "success_rate": "published_rate"})
    frame = frame.assign(
        rows=frame["agent"].map(counted["size"]), successes=frame["agent"].map(counted["sum"])
    )
    frame = frame.assign(rate=(100 * frame["successes"] / frame["rows"]).round(2))
    frame = frame.assign(difference=(frame["rate"] - frame["published_rate"]).round(2))
    frame = frame.assign(why=frame["difference"].map(_why))
    columns = ["agent", "rows", "successes", "rate", "published_rate", "difference", "why"]
    return frame[columns].sort_values("published_rate", ascending=False, ignore_index=True)


def _why(difference: float) -> str:
    if abs(difference) <= CLOSE:
        return AGREES
    return A_TASK if abs(difference) <= ONE_TASK else REPORTED


def grader_agreement(grading: DataFrame, graders: tuple[str, ...]) -> DataFrame:
    """Per pair of graders, and for all: percent agreement, Cohen's kappa, Krippendorff's alpha both ways.

    Args:
        grading: task_id and a column per grader with 0, 0.5 or 1.
    """
    import pandas as pd

    labels = {name: dict(zip(grading["task_id"], grading[name], strict=True)) for name in graders}
    rows = []
    for named in (*combinations(graders, 2), graders):
        some = {name: labels[name] for name in named}
        rows.append(
            {
                "graders": ", ".join(named),
                "tasks": len(grading),
                "percent": percent(some).value,
                "kappa": cohen_kappa(some).value,
                "alpha_nominal": krippendorff_alpha(some).value,
                "alpha_ordinal": krippendorff_alpha(some, order=GRADES).value,
            }
        )
    return pd.DataFrame(rows)
