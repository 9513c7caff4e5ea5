"""Warnings appear where a score really rests on a weakness, and nowhere else."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.benchmarks.webcanvas.scoring.test_evaluate import (
    EVALUATOR,
    FOUND,
    FRONT,
    MEANT,
    SEARCH,
    SHOP,
    evidence,
    task,
    with_replies,
)
from webbench.benchmarks.webcanvas.scoring.loopholes import CONDITIONS
from webbench.core.score.loopholes import load_loopholes


def found(nodes: list[dict[str, Any]], *urls: str, **more: Any) -> set[str]:
    score = EVALUATOR.score(task(*nodes), evidence(*({"url": url} for url in urls), **more))
    return {loophole.id for loophole in score.loopholes}


@pytest.mark.parametrize(
    ("nodes", "urls", "expected"),
    [
        ([SHOP, SEARCH], (FRONT, FOUND), set()),
        ([SEARCH, SHOP], (FRONT, FOUND), {"any-order"}),
        ([SHOP, SEARCH], (FRONT, FOUND, FRONT), {"sticky-key-node"}),
        ([SEARCH], (FRONT,), {"zero-score-efficiency"}),
        ([SHOP], ("https://bookshop.example/",), {"url-substring"}),
        ([SHOP | {"reference_answer": "/find"}], (FOUND,), set()),
        ([SHOP | {"reference_answer": "/fin"}], (FOUND,), {"url-substring"}),
    ],
)
def test_a_warning_holds_for_this_very_score(
    nodes: list[dict[str, Any]], urls: tuple[str, ...], expected: set[str]
) -> None:
    assert found(nodes, *urls) == expected


def test_a_judge_that_decided_is_named_and_one_that_was_not_asked_is_not() -> None:
    tested, given = task(MEANT), evidence({"url": FOUND})
    assert EVALUATOR.score(tested, given).loopholes == ()
    judged = EVALUATOR.score(tested, with_replies(given, tested, "VERDICT: 1"))
    assert [loophole.id for loophole in judged.loopholes] == ["judge-used"]
    assert found([MEANT], FRONT) == {"zero-score-efficiency"}


def test_the_paper_leaves_efficiency_undefined_so_the_warning_is_not_shown_there() -> None:
    score = EVALUATOR.score(task(SEARCH), evidence({"url": FRONT}), "paper")
    assert score.loopholes == ()
    assert msgspec.to_builtins(score.beside[0].loopholes)[0]["id"] == "zero-score-efficiency"


def test_every_entry_has_its_condition() -> None:
    assert {entry.id for entry in load_loopholes("webbench.benchmarks.webcanvas")} == set(CONDITIONS)
