"""Agreement of annotators: the maximum over the other annotations of a turn."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.benchmarks.weblinx.turns import action, evidence
from webbench.benchmarks.weblinx.scoring.agreement import (
    ORIGINAL,
    Agreement,
    agreement_table,
    agreements,
    nearest_scores,
)
from webbench.benchmarks.weblinx.turns.action import TurnAction
from webbench.core.errors import BadData
from webbench.core.json_types import JsonObject
from webbench.core.statistics.mean import mean

BUY, MENU = action("click", "button"), action("click", "menu")
TYPED, OTHERWISE = action("textinput", "field", text="lamp"), action("textinput", "menu", text="lamp")


def mean_agreement(found: Sequence[Agreement[int]]) -> float | None:
    return mean(one.value for one in found)


def test_each_is_scored_against_the_nearest_other() -> None:
    found = agreements({7: {"ann": BUY, "bob": MENU, "cid": BUY}})
    assert [(one.annotator, one.closest) for one in found] == [("ann", "cid"), ("bob", "ann"), ("cid", "ann")]
    shared = (40 * 20) / (100 * 40)
    assert [one.value for one in found] == pytest.approx([1.0, shared, 1.0])
    assert mean_agreement(found) == pytest.approx((2 + shared) / 3)
    assert mean_agreement([one for one in found if one.annotator == "bob"]) == pytest.approx(shared)


def test_metrics_of_two_references_are_not_mixed() -> None:
    """The element of one and the text of the other would be more than anyone's agreement."""
    apart = action("textinput", "field", text="zzz")
    found = agreements({"t": {"ann": TYPED, "bob": apart, "cid": OTHERWISE}})
    assert found[0].value == 0.0
    assert (found[0].metrics.iou, found[0].metrics.chrf) in ((1.0, 0.0), (0.0, 1.0))


def test_what_only_one_annotated_says_nothing_and_another_intent_is_0() -> None:
    assert agreements({1: {"ann": BUY}, 2: {}}) == []
    assert mean_agreement([]) is None
    found = agreements({1: {"ann": BUY, "bob": action("say", speaker="navigator", utterance="no")}})
    assert [one.value for one in found] == [0.0, 0.0]


def test_a_turn_without_a_metric_has_no_value() -> None:
    tabs = {"ann": action("tabcreate"), "bob": action("tabcreate"), "cid": BUY}
    found = agreements({1: tabs}, "paper")
    assert [(one.annotator, one.closest, one.value) for one in found] == [
        ("ann", "bob", None),
        ("bob", "ann", None),
        ("cid", "ann", 0.0),
    ]
    assert mean_agreement(found) == 0.0
    assert mean_agreement(found[:2]) is None


def test_what_does_not_compare_names_the_turn_and_both() -> None:
    boxless = TurnAction("click", {}, {"attributes": {}, "bbox": {"left": 1}})
    with pytest.raises(BadData, match="turn 3: ann and bob"):
        agreements({3: {"ann": boxless, "bob": boxless}})


def test_the_table_of_two_annotators_of_a_demonstration() -> None:
    def of(*outputs: str) -> JsonObject:
        turns = [{"turn": at, "gold": {}, **evidence(output)} for at, output in enumerate(outputs, 1)]
        return {"demonstration": "shop", "of": 2, "turns": turns}

    buy, menu = 'click(uid="button")', 'click(uid="menu")'
    said = 'say(speaker="navigator", utterance="done")'
    table = agreement_table({"ann": [of(buy, said)], "bob": [of(menu, said)]}, "published")
    assert table is not None
    assert [column.title for column in table.columns][:4] == ["intent", "n", "intent match", "IoU"]
    rows = {row.cells[0]: row.cells[1:] for row in table.rows}
    shared = (40 * 20) / (100 * 40)
    assert rows["click"] == (2, 1.0, pytest.approx(shared), None, None, pytest.approx(shared))
    assert rows["say"] == (2, 1.0, None, 1.0, None, 1.0)
    assert rows["all"][-1] == pytest.approx((shared + 1) / 2)
    assert rows["by ann"][0] == 2
    assert agreement_table({"ann": [of(buy)]}, "published") is None


def test_table_20_holds_people_and_models_against_the_nearest_way() -> None:
    def of(*outputs: str) -> JsonObject:
        gold = {"references": [{"intent": "say", "args": {"utterance": "done"}, "element": None}]}
        turns = [{"turn": at, "gold": gold, **evidence(output)} for at, output in enumerate(outputs, 1)]
        return {"demonstration": "shop", "of": 2, "turns": turns}

    buy, menu = 'click(uid="button")', 'click(uid="menu")'
    said = 'say(speaker="navigator", utterance="done")'
    people = {"ann": [of(buy)], "bob": [of(menu)]}
    found = nearest_scores(people, {"model": [of(buy, said)], "talker": [of(said)]}, "published")
    assert {name: len(rows) for name, rows in found.items()} == {
        "ann": 1,
        "bob": 1,
        ORIGINAL: 1,
        "model": 1,
        "talker": 1,
    }, "the model's second turn was annotated by nobody"
    assert (found["model"][0].intent_match, found["model"][0].iou) == (1.0, 1.0), "as ann did"
    assert (found["talker"][0].intent_match, found["talker"][0].chrf) == (1.0, 1.0), "as the demonstration"
    assert found["ann"][0].iou == pytest.approx((40 * 20) / (100 * 40)), "bob did nearest to it"
    assert found[ORIGINAL][0].intent_match == 0.0, "nobody else said anything"
