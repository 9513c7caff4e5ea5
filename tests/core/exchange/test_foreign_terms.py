"""Scores that a source gives: what is no figure is no score."""

from webbench.core.exchange.foreign_terms import recorded_score, score_of_checks
from webbench.core.score.score import Status


def test_nan_is_no_score() -> None:
    for score in (
        recorded_score(float("nan"), "somebody", "so"),
        score_of_checks(float("nan"), "somebody", ()),
    ):
        assert (score.status, score.value) == (Status.NOT_SCORED, None)
        assert "nan" in score.reason
