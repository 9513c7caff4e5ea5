"""Two people review key nodes blind, a third settles what they see differently."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.tui.cli.program import Here
from webbench.benchmarks.webcanvas.upkeep.key_node_reviews import FILE

TASK = "newest-jazz"


@pytest.fixture
def reviews(here: Here, tmp_path: Path) -> Any:
    def said(who: str, *words: str) -> Any:
        kept = ("--as", who, "--store", str(tmp_path / "store"), "--json")
        return here(tmp_path, "webcanvas", "review", *words, *kept)

    return said


def test_two_answer_blind_and_a_third_settles(reviews: Any, tmp_path: Path) -> None:
    def node(who: str, number: int) -> Any:
        return reviews(who, TASK).json["key_nodes"][number - 1]

    assert reviews("ann", TASK, "--node", "1", "--verdict", "needed").json["state"] == "open"
    listed = reviews("ann", TASK)
    assert (listed.code, listed.json["states"]) == (1, {"open": 4})
    assert [one["verdict"] for one in node("ann", 1)["reviews"]] == ["needed"]
    assert (node("ben", 1)["reviews"], node("ben", 1)["hidden"]) == ([], 1)
    unexplained = reviews("ben", TASK, "--node", "1", "--verdict", "not needed")
    assert (unexplained.code, "needs a reason" in unexplained.err) == (2, True)

    why = ("--note", "whoever filters by music alone finds it, too")
    assert reviews("ben", TASK, "--node", "1", "--verdict", "not needed", *why).json["state"] == "disputed"
    assert [one["reviewer"] for one in node("cia", 1)["reviews"]] == ["ann", "ben"]
    third = reviews("cia", TASK, "--node", "1", "--verdict", "needed")
    assert (third.code, "--settle" in third.err) == (2, True)
    own = reviews("ben", TASK, "--node", "1", "--verdict", "needed", "--settle")
    assert (own.code, "one of the reviewers" in own.err) == (2, True)
    early = reviews("cia", TASK, "--node", "2", "--verdict", "needed", "--settle")
    assert (early.code, "nothing to settle" in early.err) == (2, True)
    assert reviews("cia", TASK, "--node", "1", "--verdict", "needed", "--settle").json["state"] == "settled"
    assert (node("dora", 1)["verdict"], node("dora", 1)["settled"]["reviewer"]) == ("needed", "cia")

    for who in ("ann", "ben"):
        for number in ("2", "3", "4"):
            reviews(who, TASK, "--node", number, "--verdict", "needed")
    done = reviews("dora")
    assert (done.code, done.json["states"]) == (0, {"settled": 1, "agreed": 3})
    assert done.json["agreement"]["agreement"]["value"] == 0.75
    assert len((tmp_path / "store" / FILE).read_text().splitlines()) == 9

    again = reviews("ann", TASK, "--node", "1", "--verdict", "wrong evaluator", "--note", "q may be longer")
    assert again.json["state"] == "disputed"


def test_a_key_node_that_was_changed_is_reviewed_anew(reviews: Any, here: Here, tmp_path: Path) -> None:
    def written(reference: str) -> None:
        content = {"key": "", "reference_answer": reference, "url": "https://a.test/"}
        nodes = [{"match_function_name": "url_included_match", "content": content}]
        file.write_text(json.dumps([{"index": 1, "task": "Go", "evaluation": nodes}]))

    file = tmp_path / "tasks.json"
    written("a.test")
    asked = ("1", "--tasks", str(file))
    for who in ("ann", "ben"):
        assert reviews(who, *asked, "--node", "1", "--verdict", "needed").code == 0
    assert reviews("ann", *asked).code == 0
    written("a.test/more")
    (node,) = reviews("ann", *asked).json["key_nodes"]
    assert (node["state"], node["of_an_earlier_wording"]) == ("open", 2)
    kept = ("--store", str(tmp_path / "store"))
    text = here(tmp_path, "webcanvas", "review", *asked, *kept).out
    assert "2 of an earlier wording" in text


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((TASK, "--node", "9", "--verdict", "needed"), "it has 4 key nodes"),
        (("--node", "1", "--verdict", "needed"), "name its task"),
        ((TASK, "--node", "1"), "needs its verdict"),
        ((TASK, "--node", "1", "--verdict", "perhaps"), "perhaps"),
    ],
)
def test_what_cannot_be_a_review(reviews: Any, words: tuple[str, ...], told: str) -> None:
    wrong = reviews("ann", *words)
    assert (wrong.code, told in wrong.err) == (2, True), wrong.err
