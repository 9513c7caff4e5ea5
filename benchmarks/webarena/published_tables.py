"""What others published about WebArena results, as pandas tables: human grading and per-task outcomes,
and both counted again from their own rows, with how far apart they are and why.

Sources: `human_assessment/WebArena-AgentOccam.csv` (amazon-science/AgentOccam) and `leaderboard_results/`
(sm467d/webarena-benchmark), in one data folder.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from webbench.benchmarks.webarena.tasks import DATA_VARIABLE
from webbench.core.errors import BadData
from webbench.core.json_types import Json
from webbench.core.settings.locations import benchmark_data
from webbench.core.statistics.inter_rater import cohen_kappa, krippendorff_alpha, percent
from webbench.core.text import bounded_json

if TYPE_CHECKING:
    from pandas import DataFrame

GRADING = Path("human_assessment", "WebArena-AgentOccam.csv")
RESULTS = Path("leaderboard_results")
GRADERS = ("alice", "bob", "colin")
LARGEST_FILE = 64 * 1024 * 1024

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

_GRADING_COLUMNS = (
    "task_id",
    "alice",
    "alice_note",
    "bob",
    "bob_note",
    "colin",
    "colin_note",
    "average",
)
_UNKNOWN = "-"


def tables(data: Path | None = None) -> dict[str, Callable[[], DataFrame]]:
    """Loaders by name; nothing is read before one is called, and each raises `BadData`.

    Args:
        data: the folder; None = the one that `WEBBENCH_DATA_WEBARENA` names.
    """
    return {
        "human_assessment": partial(human_assessment, data),
        "leaderboard_results": partial(leaderboard_results, data),
        "leaderboard_models": partial(leaderboard_models, data),
        "leaderboard_domains": partial(leaderboard_domains, data),
        "leaderboard_check": lambda: leaderboard_check(leaderboard_results(data), leaderboard_models(data)),
        "grader_agreement": lambda: grader_agreement(human_assessment(data), GRADERS),
    }


def human_assessment(data: Path | None = None) -> DataFrame:
    """One row per task: task_id, then per grader a score (0, 0.5 or 1) and a note ("" without), `average`.

    The file's last row, "Win Rate", holds means and is left out.
    """
    import pandas as pd

    path = _folder(data) / GRADING
    try:
        frame = pd.read_csv(path, encoding="utf-8-sig", dtype=str, keep_default_na=False)
    except (OSError, ValueError) as error:
        raise BadData(f"{path} can't be read as CSV: {error}") from error
    if len(frame.columns) != len(_GRADING_COLUMNS):
        raise BadData(f"{path} has {len(frame.columns)} columns in place of {len(_GRADING_COLUMNS)}")
    frame.columns = list(_GRADING_COLUMNS)
    frame = frame[frame["task_id"].str.fullmatch(r"\d+")].reset_index(drop=True)
    frame["task_id"] = frame["task_id"].astype(int)
    for column in (*GRADERS, "average"):
        frame[column] = pd.to_numeric(frame[column], errors="coerce")
    return frame


def leaderboard_results(data: Path | None = None) -> DataFrame:
    """One row per task and agent: task_id, agent, success (0 or 1). A missing pair means no record."""
    frame = _frame(_folder(data) / RESULTS / "results.json", {"t": "task_id", "m": "agent", "s": "success"})
    return frame.astype({"task_id": int, "success": int})


def leaderboard_models(data: Path | None = None) -> DataFrame:
    """One row per agent: id, name, date (first of the month), open, size_b, success_rate (percent).

    "-" in the file is a missing value.
    """
    import pandas as pd

    frame = _frame(_folder(data) / RESULTS / "models.json", {})
    frame["date"] = pd.to_datetime(frame["date"].replace(_UNKNOWN, None), format="%m/%Y", errors="coerce")
    frame["size_b"] = pd.to_numeric(frame["size_b"].replace(_UNKNOWN, None), errors="coerce")
    return frame


def leaderboard_domains(data: Path | None = None) -> DataFrame:
    """One row per agent and site: agent, site, success, total, rate (percent), as the leaderboard counts.

    A task on two sites counts under the one that it names first.
    """
    import pandas as pd

    path = _folder(data) / RESULTS / "leaderboard.json"
    try:
        rows = [
            {"agent": entry["id"], "site": site, **figures}
            for entry in _decoded(path)
            for site, figures in entry["domain_breakdown"].items()
        ]
    except (TypeError, KeyError, AttributeError) as error:
        raise BadData(f"{path} has another shape than a leaderboard: {error!r}") from error
    return pd.DataFrame(rows)


def _frame(path: Path, names: dict[str, str]) -> DataFrame:
    import pandas as pd

    entries = _decoded(path)
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise BadData(f"{path} is no list of objects")
    frame = pd.DataFrame(entries).rename(columns=names)
    missing = [name for name in names.values() if name not in frame.columns]
    if missing:
        raise BadData(f"{path} lacks {', '.join(missing)}")
    return frame


def _decoded(path: Path) -> Json:
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise BadData(f"{path} is larger than {LARGEST_FILE // 1024**2} MiB")
        return bounded_json.decode(path.read_bytes())
    except OSError as error:
        raise BadData(f"{path} can't be read: {error.strerror or error}") from error
    except ValueError as error:
        raise BadData(f"{path} is no JSON: {error}") from error


def _folder(data: Path | None) -> Path:
    named = benchmark_data("webarena", data)
    if named is None:
        raise BadData("no folder of WebArena data is set", f"name it with --data or {DATA_VARIABLE}")
    return named


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
    frame = frame.assign(why=frame["difference"].map(_why_apart))
    columns = ["agent", "rows", "successes", "rate", "published_rate", "difference", "why"]
    return frame[columns].sort_values("published_rate", ascending=False, ignore_index=True)


def _why_apart(difference: float) -> str:
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
