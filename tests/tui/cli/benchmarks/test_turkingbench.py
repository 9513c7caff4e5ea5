"""Single responses, judged by people: which step gave them, and where the evaluator was wrong."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.tui.cli.program import Here
from webbench.benchmarks.turkingbench.benchmark import create
from webbench.benchmarks.turkingbench.review import Response, giving_steps, places_asked
from webbench.core.action.action import Check, ElementRef, ScrollTo, Submit, Type
from webbench.core.json_types import Json, JsonObject
from webbench.core.labels.codebook import load_codebook
from webbench.core.labels.ledger import ledger_of
from webbench.core.people.labelling.worksheet import LabellingOrder, Worksheet
from webbench.core.store.store import Store
from webbench.core.trajectory import EpisodeHeader, Step
from webbench.tui.screens.labelling.label_words import place_entries


def fields(**values: list[str]) -> JsonObject:
    listed: list[Json] = [
        {"name": name, "type": "text", "displayed": True, "values": list[Json](of)}
        for name, of in values.items()
    ]
    return {"fields": listed, "page": {"is_task": True}}


def typed(index: int, field: str, *, ok: bool = True, evidence: JsonObject | None = None) -> Step:
    action = Type(target=ElementRef(field=field), text="x")
    return Step(
        index=index, at="", ok=ok, actor="agent", action=action, text="modify", evidence=evidence or {}
    )


def record(store: Store, earlier: JsonObject | None = None) -> tuple[str, str]:
    """An episode of a bundled form: shop and total typed, the currency left as it was.

    `earlier` is what was read after the second step.
    """
    task = next(task for task in create(None).tasks(names=["Receipt totals"], instances=1))
    run = store.start_run("turkingbench", "model x", 1)
    header = EpisodeHeader(run="", episode="", task=task, actor="model x", dialect="turkingbench")
    recorder = store.recorder(run, header, durable=False)
    benchmark = create(None)
    final = fields(shop=["Orle Bakery"], total=["99"], currency=["EUR"])
    recorder.write(Step(index=0, at=""))
    scroll = ScrollTo(target=ElementRef(field="total"))
    typing = typed(1, "shop"), typed(2, "total", evidence=earlier)
    for step in (*typing, Step(index=3, at="", action=scroll, text="scroll")):
        recorder.write(step)
    recorder.write(Step(index=4, at="", actor="agent", action=Submit(), text="submit()", evidence=final))
    recorder.finish(benchmark.evaluator.score(task, final), "submitted")
    return run, recorder.folder.name


def test_a_value_is_given_by_the_step_that_named_the_field_or_was_seen_to_change_it() -> None:
    scroll = Step(index=3, at="", action=ScrollTo(target=ElementRef(field="a")))
    assert giving_steps([typed(1, "a"), typed(2, "a", ok=False), scroll]) == {"a": 1}
    ticked = Step(
        index=2, at="", action=Check(target=ElementRef(field="b")), evidence=fields(a=["y"], b=[""])
    )
    later = Step(index=3, at="", action=Submit(), evidence=fields(a=["y"], b=["z"]))
    before = typed(1, "a", evidence=fields(a=["y"], b=[""]))
    assert giving_steps([before, ticked, later]) == {"a": 1, "b": 3}


@pytest.mark.parametrize("damaged", ["text", None, ["text"], [{"values": []}], {"name": "a"}])
def test_damaged_fields_of_an_earlier_step_are_told_and_keep_no_other_episode_away(
    damaged: Json, tmp_path: Path, here: Here
) -> None:
    store = Store(tmp_path / "store")
    run, _ = record(store, {"fields": damaged})
    whole, _ = record(store)
    done = here(tmp_path, "turkingbench", "review", run, whole, "--json", "--store", str(store.root))
    assert done.code == 4
    (problem,) = done.json["problems"]
    assert "the evidence of step 2 has another shape" in problem
    assert {one["run"] for one in done.json["responses"]} == {whole}
    screen = here(tmp_path, "turkingbench", "review", run, "--screen", "--store", str(store.root))
    assert "the evidence of step 2 has another shape" in screen.err


def a_response(value: float, answer: str, evaluator: str) -> Response:
    """To a text field: what it is worth, and what a person said of answer and evaluator."""
    return Response(
        run="r",
        episode="e",
        task="t",
        step=1,
        field="f",
        type="text",
        given="x",
        wanted=(),
        value=value,
        answer=answer,
        evaluator=evaluator,
    )


@pytest.mark.parametrize(
    ("value", "answer", "evaluator", "asked", "asked_blind"),
    [
        (1.0, "", "", True, True),
        (1.0, "wrong", "", False, False),
        (0.4, "wrong", "", True, False),
        (0.4, "wrong", "right", False, False),
        (0.0, "", "right", True, True),
    ],
)
def test_nobody_is_asked_for_what_follows_or_is_not_shown(
    value: float, answer: str, evaluator: str, asked: bool, asked_blind: bool
) -> None:
    one = a_response(value, answer, evaluator)
    assert bool(places_asked([one], blind=False)) is asked
    assert bool(places_asked([one], blind=True)) is asked_blind


@pytest.mark.parametrize(
    ("answer", "evaluator", "value", "verdict"),
    [
        ("right", "", 1.0, "right"),
        ("right", "", 0.0, "false-negative"),
        ("wrong", "", 1.0, "false-positive"),
        ("wrong-form", "", 0.0, "right"),
        ("unclear", "", 0.0, ""),
        ("right", "", 0.4, ""),
        ("right", "false-negative", 0.4, "false-negative"),
    ],
)
def test_what_a_person_says_of_the_evaluator_comes_before_what_follows(
    answer: str, evaluator: str, value: float, verdict: str
) -> None:
    one = a_response(value, answer, evaluator)
    assert one.verdict == verdict


def test_responses_are_listed_judged_and_counted_by_type(tmp_path: Path, here: Here) -> None:
    run, episode = record(Store(tmp_path / "store"))
    at = ("--store", str(tmp_path / "store"))
    done = here(tmp_path, "turkingbench", "review", run, "--json", *at)
    assert done.code == 1
    assert [(one["field"], one["step"]) for one in done.json["responses"]] == [("shop", 1), ("total", 2)]
    assert done.json["left_out"] == {"fields that no step is known to have changed": 1}
    for step, code in (("1", "answer.wrong"), ("2", "answer.wrong")):
        label = ("label", episode, "--step", step, "--taxonomy", "turkingbench-responses", "--code", code)
        assert here(tmp_path, *label, "--as", "rater-1", *at).code == 0
    told = here(tmp_path, "turkingbench", "review", run, "--as", "rater-1", "--csv", *at)
    assert told.code == 0
    header, *rows = (line.split(",") for line in told.out.splitlines())
    table = {row[0]: dict(zip(header, row, strict=True)) for row in rows}
    assert table["text"]["false_positives"] == "1"
    assert table["all"]["answer_judged"] == "2"
    waiting = here(tmp_path, "paper", "turkingbench", run, "--table", "section 4.5", "--json", *at)
    assert "turkingbench review" in waiting.json["tables"][0]["missing"]
    for end in (("--step", "1", "--code", "answer.right"), ("--done",)):
        call = ("label", episode, "--taxonomy", "turkingbench-responses", "--as", "rater-1", *end)
        assert here(tmp_path, *call, *at).code == 0
    filled = here(tmp_path, "paper", "turkingbench", run, "--table", "section 4.5", "--json", *at)
    (ours,) = (line for line in filled.json["tables"][0]["lines"] if line["kind"] == "ours")
    assert ours["values"][0]["value"] == 50.0
    assert here(tmp_path, "turkingbench", "review", "--csv", "--json", run, *at).code == 2
    assert here(tmp_path, "turkingbench", "review", *at).code == 2


def test_the_labelling_screen_asks_about_each_response(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    run, episode = record(store)
    one = Response(
        run=run,
        episode=episode,
        task="t",
        step=2,
        field="total",
        type="text",
        given="99",
        wanted=("12.3",),
        value=0.0,
    )
    asked = places_asked(
        [one, msgspec.structs.replace(one, step=1, answer="right", evaluator="right")], blind=False
    )
    assert asked == {(run, episode): {2: one.words()}}
    assert "12.3" not in one.words(blind=True)
    order = LabellingOrder(
        places=tuple(asked), annotator="rater-1", taxonomy="turkingbench-responses", asked=asked
    )
    sheets = Worksheet(store, load_codebook(written=ledger_of(store).codebooks), order)
    sheet = sheets.sheet()
    assert 2 in sheet.marked_steps()
    assert [one.text for one in place_entries(sheets, sheet, 2) if one.label == "asked"] == [
        'field "total" (text) holds "99"; workers: "12.3"; worth 0.000'
    ]
