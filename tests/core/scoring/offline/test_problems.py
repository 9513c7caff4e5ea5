"""How problems of a file of predictions are told."""

from __future__ import annotations

from webbench.core.benchmark.benchmark import Problem
from webbench.core.score.score import Score, Status, failed
from webbench.core.scoring.offline.problems import failed_score, in_line_order


def test_lines_stand_in_their_order_before_what_concerns_the_whole_file() -> None:
    places = ["p.jsonl", "p.jsonl:10", "tasks.json: task 3", "p.jsonl:9", "p.jsonl:2", "p.jsonl:9", "other:1"]
    problems = [Problem(place, str(at)) for at, place in enumerate(places)]
    ordered = in_line_order(problems, "p.jsonl")
    assert [(problem.where, problem.message) for problem in ordered] == [
        ("p.jsonl:2", "4"),
        ("p.jsonl:9", "3"),
        ("p.jsonl:9", "5"),
        ("p.jsonl:10", "1"),
        ("p.jsonl", "0"),
        ("tasks.json: task 3", "2"),
        ("other:1", "6"),
    ]


def test_an_error_is_called_one() -> None:
    assert failed_score("p:1", failed("x#1: broken")).message == "the score is an error: x#1: broken"
    assert "no reason given" in failed_score("p:1", Score(status=Status.ERROR)).message
