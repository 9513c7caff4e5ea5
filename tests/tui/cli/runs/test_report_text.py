"""The report of a run as text."""

from __future__ import annotations

import pytest

from webbench.core.runner.status.results import BatchReport, EpisodeResult
from webbench.core.trajectory import ACTOR_STOPPED
from webbench.tui.cli.runs.report_text import print_report


def result(task: str, end_reason: str) -> EpisodeResult:
    return EpisodeResult(
        task=task, instance=None, status="scored", score=0.0, steps=4, seconds=1.0, end_reason=end_reason
    )


def test_a_limit_that_ended_an_episode_stands_beside_its_score(capsys: pytest.CaptureFixture[str]) -> None:
    limit = "token limit of 350 reached: 428 were used"
    print_report(
        BatchReport(
            run="r",
            benchmark="demo",
            agent="m",
            rules="published",
            planned=2,
            scored=2,
            not_scored={},
            mean_score=0.0,
            seconds=1.0,
            episodes=(result("dear", limit), result("quick", ACTOR_STOPPED)),
        )
    )
    told = capsys.readouterr().out
    assert limit in told
    assert ACTOR_STOPPED not in told
