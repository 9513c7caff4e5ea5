"""The evaluator: what a score shows, how its two rule sets differ, and that it never raises."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import pytest

from webbench.benchmarks.turkingbench.batch import parse_batch
from webbench.benchmarks.turkingbench.scoring.aggregate import published_table, table, task_averages
from webbench.benchmarks.turkingbench.scoring.evaluate import TurkingEvaluator, instance_result
from webbench.benchmarks.turkingbench.scoring.gold import gold_of
from webbench.benchmarks.turkingbench.scoring.instance import FieldReading, score_fields
from webbench.core.errors import BadData
from webbench.core.score.score import Check, Score, Status
from webbench.core.task import Task

TABLE = """x,Answer.q,Answer.t,Answer.c,Answer.r,Answer.e,Answer.gone
1,yes,a red dog,a|b,10,,1
1,yes,a cat,a|b|c,20,,1
1,no,,b,30,{},1
"""


def task(csv: str = TABLE, instance: int = 0) -> Task:
    batch = parse_batch(csv)
    return Task(
        benchmark="turkingbench",
        name="demo",
        instance=instance,
        data={"answers": list(batch.answer_names)},
        gold=gold_of(batch, instance),
    )


def field(name: str, kind: str, *values: str, displayed: bool = True) -> dict[str, Any]:
    return {"name": name, "type": kind, "displayed": displayed, "values": list(values)}


def score(*fields: dict[str, Any], rules: str = "published", of: Task | None = None) -> Score:
    return TurkingEvaluator().score(of or task(), {"fields": list(fields)}, rules)


def check(found: Score, target: str) -> Check:
    return next(c for c in found.checks if c.target == target)


class TestChecks:
    def test_a_choice_shows_all_labels_with_their_votes(self) -> None:
        found = check(score(field("q", "radio", "Yes!")), "q")
        assert (found.name, found.actual, found.normalised, found.value) == (
            "majority label",
            "Yes!",
            "yes",
            1,
        )
        assert found.expected == [{"label": "yes", "votes": 2}, {"label": "no", "votes": 1}]
        assert found.why == '"Yes!" is the majority label "yes" (2 of 3 votes)'

    def test_a_text_names_the_closest_label_and_keeps_blanks_in_sight(self) -> None:
        found = check(score(field("t", "text", "red dogs")), "t")
        assert found.value == pytest.approx(0.8)
        assert found.why == '"a red dog" is the closest of 2 labels'
        assert {"label": None, "votes": 1} in found.expected

    def test_skipped_fields_are_shown_with_the_reason_and_not_counted(self) -> None:
        found = score(
            field("q", "radio", "yes"),
            field("e", "text", "junk"),
            field("t", "text", "x", displayed=False),
            field("gone", "submit"),
        )
        assert found.value == 1
        assert found.combination == "mean of 1 field, 3 skipped"
        assert check(found, "e").why == "skipped: every worker left it empty"
        assert check(found, "t").why == "skipped: not displayed on the page"
        assert not any(check(found, name).counted for name in ("e", "t", "gone"))

    def test_answer_columns_without_a_field_share_one_line(self) -> None:
        found = score(field("q", "radio", "yes"))
        assert found.checks[-1].target == "5 answer columns"
        assert "t, c, r, e, gone" in found.checks[-1].why
        assert not found.checks[-1].counted

    def test_values_are_read_as_numbers_before_options_are_joined(self) -> None:
        numbers = task('x,Answer.c\n1,"1|2"\n')
        found = score(field("c", "checkbox", "2.0", "1.0"), of=numbers)
        assert found.value == 1
        assert found.checks[0].actual == ["2.0", "1.0"]


class TestRuleSets:
    def test_checkbox_clause(self) -> None:
        published = score(field("c", "checkbox", "a", "c"))
        assert published.value == 0
        assert "intersection over union" in check(published, "c").clause
        assert published.beside[0].rules == "paper"
        assert published.beside[0].value == pytest.approx(2 / 3)
        paper = score(field("c", "checkbox", "a", "c"), rules="paper")
        assert paper.value == published.beside[0].value
        assert paper.beside[0].value == 0

    def test_no_clause_where_the_rule_sets_agree(self) -> None:
        assert check(score(field("c", "checkbox", "b")), "c").clause == ""

    def test_range_counts_one_and_shows_its_own_value(self) -> None:
        found = score(field("r", "range", "60"))
        assert found.value == 1
        assert found.metrics["range"] == pytest.approx(1 - 40 / 60)
        assert "by itself it is 0.333" in check(found, "r").why
        assert found.beside[0].value == pytest.approx(1 - 40 / 30)

    def test_a_blank_range_label_is_undefined_not_nan(self) -> None:
        found = score(field("r", "range", "10"), of=task("x,Answer.r\n1,10\n1,\n"))
        assert found.value == 1
        assert found.metrics == {"range": None}
        assert found.beside[0].value == 1

    @pytest.mark.parametrize("answer", ["inf", "nan", "x", ""])
    def test_a_range_without_a_finite_number_is_never_nan(self, answer: str) -> None:
        found = score(field("r", "range", answer))
        assert (found.value, found.beside[0].value) == (1, 0)

    def test_blank_options_are_text_for_radio_and_missing_for_select(self) -> None:
        blanks = task("x,Answer.q\n1,yes\n1,\n1,\n")
        assert score(field("q", "radio"), of=blanks).value == 1
        assert score(field("q", "select", ""), of=blanks).value == 0
        assert score(field("q", "select", "nan"), of=blanks).value == 1


class TestTrouble:
    def test_unknown_type_is_an_error_that_names_the_field(self) -> None:
        found = score(field("q", "number", "5"), field("t", "text", "a cat"))
        assert found.status is Status.ERROR
        assert found.value is None
        assert 'field "q": a field of type "number"' in found.reason
        assert check(found, "q").status is Status.ERROR
        assert check(found, "t").value == 1

    def test_blank_input_fails_as_published_and_is_scored_by_the_paper(self) -> None:
        blank = task("x,Answer.q\n,yes\n")
        found = score(field("q", "radio", "yes"), of=blank)
        assert found.status is Status.ERROR
        assert '"x" is blank' in found.reason
        assert found.beside[0].value == 1

    def test_two_checked_radio_buttons_of_one_name(self) -> None:
        found = score(field("q", "radio", "yes", "no"))
        assert found.status is Status.ERROR
        assert "two radio buttons" in found.reason

    @pytest.mark.parametrize(
        "evidence",
        [{}, {"fields": None}, {"fields": [{"name": 3}]}, {"fields": ["q"]}, {"fields": {"q": "yes"}}],
    )
    def test_evidence_of_another_shape(self, evidence: dict[str, Any]) -> None:
        found = TurkingEvaluator().score(task(), evidence)
        assert found.status is Status.ERROR
        assert found.reason.startswith("demo#0: the evidence")

    def test_unknown_rules_and_foreign_gold(self) -> None:
        assert score(rules="mine").reason == 'no rule set "mine"; there are published and paper'
        foreign = Task(benchmark="turkingbench", name="demo", gold={"answer": 1})
        assert "no labels" in score(of=foreign).reason

    def test_nothing_counts(self) -> None:
        found = score(field("q", "radio", "yes", displayed=False))
        assert (found.status, found.value) == (Status.SCORED, 0)
        assert (found.combination, found.metrics) == ("0 because no field counts, 1 skipped", {})
        assert found.beside[0].status is Status.NOT_SCORED


@pytest.mark.parametrize("kind", ["text", "textarea", "hidden"])
@pytest.mark.parametrize("label", [None, math.nan, "", "{}", "'{}'", "nan"])
def test_what_every_worker_left_empty_has_no_row_by_type(kind: str, label: Any) -> None:
    result = score_fields([FieldReading(name="t", type=kind, values=("junk",))], {"t": [label, label]})
    assert (result.score, result.counted, result.per_type) == (0, [], {})


class TestAverages:
    def result(self, *values: str) -> Any:
        names = [f"f{n}" for n in range(len(values))]
        fields = [FieldReading(name=n, type="radio", values=(v,)) for n, v in zip(names, values, strict=True)]
        return score_fields(fields, {name: ["1"] for name in names})

    def test_the_two_averages_differ_with_unequal_instances(self) -> None:
        found = task_averages([self.result("1"), self.result("1", "0", "0")])
        assert found.mean_of_instances == pytest.approx(2 / 3)
        assert found.pooled == pytest.approx(1 / 2)

    def test_evidence_of_another_page_is_no_score_under_either_rule_set(self) -> None:
        evidence = {"page": {"url": "about:blank", "is_task": False}, "fields": []}
        found = TurkingEvaluator().score(task(), evidence)
        assert [one.status for one in (found, *found.beside)] == [Status.NOT_SCORED] * 2
        assert found.value is None
        assert found.reason == "demo#0: the active tab is not on the task's page but on about:blank"
        with pytest.raises(BadData, match="not on the task's page"):
            instance_result(task(), evidence)

    def test_recorded_evidence_gives_the_result_that_was_scored(self) -> None:
        evidence = {"fields": [field("q", "radio", "yes"), field("r", "range", "60")]}
        found = instance_result(task(), evidence)
        assert found.score == TurkingEvaluator().score(task(), evidence).value == 1
        assert found.per_type == {"radio": [1.0], "range": [pytest.approx(1 / 3)]}

    def test_types_that_a_task_lacks_are_null_in_its_row(self) -> None:
        radio = task_averages([self.result("1")])
        text = task_averages(
            [score_fields([FieldReading(name="t", type="text", values=("a",))], {"t": ["a"]})]
        )
        assert table({"one": radio, "two": text}) == {
            "one": {"all": 1, "radio": 1, "text": None},
            "two": {"all": 1, "radio": None, "text": 1},
        }

    def test_the_published_table_comes_from_recorded_evidence(self) -> None:
        wanted = task("x,Answer.q,Answer.r\n1,yes,10\n2,no,20\n")
        other = task("x,Answer.q,Answer.r\n1,yes,10\n2,no,20\n", instance=1)
        lost = msgspec.structs.replace(wanted, name="lost")
        hidden = msgspec.structs.replace(wanted, name="hidden")
        away = {"page": {"url": "about:blank", "is_task": False}, "fields": []}
        found = published_table(
            [
                (wanted, {"fields": [field("q", "radio", "yes"), field("r", "range", "5")]}),
                (other, {"fields": [field("q", "radio", "yes"), field("r", "range", "20")]}),
                (lost, {"fields": [field("q", "radio", "yes")]}),
                (lost, away),
                (hidden, {"fields": [field("q", "radio", "yes", displayed=False)]}),
            ]
        )
        assert found.rows == {"demo": {"all": (1 + 0.5 + 0 + 1) / 4, "radio": 0.5, "range": 0.75}}
        assert found.averages["demo"].mean_of_instances == 0.75
        assert "not on the task's page" in found.left_out["lost"]
        assert "no field" in found.left_out["hidden"]

    def test_no_average_of_nothing_or_of_errors(self) -> None:
        with pytest.raises(BadData, match="no field"):
            task_averages([], "empty")
        broken = score_fields([FieldReading(name="n", type="number", values=("1",))], {"n": ["1"]})
        with pytest.raises(BadData, match='one: field "n"'):
            task_averages([broken], "one")
