"""Mind2Web's steps in the three forms in which they are handed around."""

import json
from pathlib import Path
from typing import Any

import pytest

from webbench.core.action.action import Action, Click, ElementRef, Hover, Press, Select, Type
from webbench.core.exchange.import_format import Format, ImportedEpisode, ImportedStep
from webbench.core.exchange.importing import bring_in
from webbench.core.exchange.mind2web.agenttuning import AgentTuning
from webbench.core.exchange.mind2web.mind2web import action_for, attributes_of, box_of, told
from webbench.core.exchange.mind2web.predictions import MISSING_STEP, Mind2WebPredictions
from webbench.core.exchange.mind2web.seeact import SeeAct
from webbench.core.exchange.place import Place
from webbench.core.observation import Box
from webbench.core.score.score import Status

SEARCH = ElementRef(role="button", name="Search & go")


def read(format: Format, path: Path, root: Path) -> list[tuple[ImportedEpisode, list[ImportedStep]]]:
    place = Place(path, root)
    claim = format.claim(place)
    assert claim is not None
    assert claim.kind == "episodes"
    return [(episode, list(episode.steps)) for episode in format.episodes(place)]


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("[button]  Search &amp; go -> CLICK", Click(target=SEARCH)),
        ("[a]  To -> B -> HOVER", Hover(target=ElementRef(role="link", name="To -> B"))),
        ("[textbox]   -> TYPE: a: b", Type(target=ElementRef(role="textbox"), text="a: b")),
        (
            "[combobox]  Size -> SELECT: L",
            Select(target=ElementRef(role="combobox", name="Size"), options=("L",)),
        ),
        ("[div]  x -> ENTER", Press(keys="Enter", target=ElementRef(role="div", name="x"))),
        ("[div]  x -> DANCE", None),
    ],
)
def test_a_persons_action_in_the_data_sets_words(text: str, action: Action | None) -> None:
    found = told(text)

    assert found is not None
    assert action_for(found.op, found.target, found.value) == action


def test_attributes_are_read_as_far_as_they_go() -> None:
    found = attributes_of('{"class": "a \\"b\\"", "bounding_box_rect": "1,2.5,3,4", "id": "cut of')

    assert found == {"class": 'a "b"', "bounding_box_rect": "1,2.5,3,4"}
    assert box_of(found["bounding_box_rect"]) == Box(1, 2.5, 3, 4)
    assert (box_of("-"), box_of("1,2,-3,4")) == (None, None)


def prediction(step: int, right: bool, **more: Any) -> dict[str, Any]:
    row = {
        "task_id": "t1",
        "step": step,
        "website": "shop",
        "domain": "Shopping",
        "task": "Buy",
        "gt_element_tag": "button",
        "gt_element_attrs": '{"bounding_box_rect": "1,2,3,4", "cut',
        "gt_op": "CLICK",
        "gt_value": "",
        "pred_element_idx": 7,
        "pred_element_tag": "a",
        "pred_op": "CLICK",
        "pred_value": "",
        "element_correct": right,
        "op_correct": True,
        "value_correct": True,
        "step_correct": right,
        "action_repr": "[button]  Search &amp; go -> CLICK",
        "raw_response": "Element: 7\nOperation: CLICK",
    }
    return {**row, **more}


def predictions(folder: Path, model: str, *rows: dict[str, Any]) -> Path:
    file = folder / f"{model}.json"
    file.write_text(json.dumps({"model": model, "predictions": list(rows)}))
    return file


def test_two_models_and_the_person_are_three_episodes(tmp_path: Path) -> None:
    rows = prediction(1, True), prediction(3, False)
    first = predictions(tmp_path, "a", *rows)
    second = predictions(tmp_path, "b", *rows)

    person, model = read(Mind2WebPredictions(), first, tmp_path)
    _, other = read(Mind2WebPredictions(), second, tmp_path)

    assert [one.header.actor for one, _ in (person, model, other)] == ["human", "a", "b"]
    assert {one.header.task.id for one, _ in (person, model, other)} == {"t1"}
    assert person[0].lost == [MISSING_STEP]
    target = ElementRef(role="button", name="Search & go", box=Box(1, 2, 3, 4))
    assert person[1][1].step.action == Click(target=target)
    right, wrong = (one.step.action for one in model[1][1:])
    assert isinstance(right, Click)
    assert (right.target.id, right.target.name) == (7, "Search & go")
    assert wrong == Click(target=ElementRef(id=7, role="link"))


def test_scores_are_the_files_own(tmp_path: Path) -> None:
    rows = prediction(1, True), prediction(2, False), prediction(3, False)
    person, model = read(Mind2WebPredictions(), predictions(tmp_path, "a", *rows), tmp_path)

    assert person[0].header.score is not None
    assert person[0].header.score.status is Status.NOT_SCORED
    score = model[0].header.score
    assert score is not None
    assert score.value == pytest.approx(1 / 3)
    assert score.metrics == {
        "element_accuracy": pytest.approx(1 / 3),
        "operation_accuracy": 1.0,
        "value_accuracy": 1.0,
        "task_success": 0.0,
    }
    steps = [one.step.score for one in model[1]]
    assert [one and one.value for one in steps] == [None, 1.0, 0.0, 0.0]


def test_a_persons_steps_that_differ_are_taken_from_either_file(tmp_path: Path) -> None:
    predictions(tmp_path, "a", prediction(1, True))
    second = predictions(tmp_path, "b", prediction(1, True), prediction(2, True))

    assert [one.header.actor for one, _ in read(Mind2WebPredictions(), second, tmp_path)] == ["human", "b"]


QUERY = {
    "confirmed_task": "Buy",
    "website": "shop",
    "annotation_id": "t1",
    "previous_actions": ["[textbox]  Name -> TYPE: lamp"],
    "action_uid": "u1",
    "operation": {"op": "CLICK", "original_op": "CLICK", "value": ""},
    "pos_candidates": [
        {"backend_node_id": "12", "tag": "button", "attributes": '{"bounding_box_rect": "1,2,3,4"}'}
    ],
    "neg_candidates": [],
    "cleaned_html": '<html backend_node_id="1"><button backend_node_id="12"><b>Search</b></button></html>',
    "choices": [["1", "<html>"], ["12", "<button id=1> Search </button>"]],
}
TALK = ["It wants a search.", "so\n\nELEMENT: {}\n\nACTION: CLICK\n\nVALUE: None"]


def step_folder(root: Path, *letters: str) -> Path:
    folder = root / "t1_u1"
    folder.mkdir()
    (folder / "queries.jsonl").write_text((json.dumps(QUERY) + "\n") * 2)
    rows = [
        {"multichoice_id": number, "gpt_output": [TALK[0], TALK[1].format(letter)]}
        for number, letter in enumerate(letters)
    ]
    (folder / "prediction-4api.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return folder / "queries.jsonl"


def test_a_step_of_seeact_is_the_persons_and_the_models(tmp_path: Path) -> None:
    person, model = read(SeeAct(), step_folder(tmp_path, "C", "B"), tmp_path)

    done = Click(target=ElementRef(id=12, role="button", name="Search", box=Box(1, 2, 3, 4)))
    assert [one.header.actor for one, _ in (person, model)] == ["human", "SeeAct"]
    assert [one.step.action for one in model[1]][1:] == [one.step.action for one in person[1]][1:]
    assert model[1][-1].step.action == done
    assert model[1][-1].step.reasoning == "It wants a search."
    assert [one.step.actor for one in model[1]] == ["operator", "human", "agent"]
    assert person[1][1].observation is not None
    assert person[1][1].observation.node(12) is not None
    assert person[0].header.task.id == "t1#2"


def test_a_model_that_takes_no_element_did_nothing(tmp_path: Path) -> None:
    _, (episode, steps) = read(SeeAct(), step_folder(tmp_path, "C", "C"), tmp_path)

    assert (steps[-1].step.action, steps[-1].step.ok) == (None, False)
    assert "takes no element" in episode.lost[-1]


@pytest.mark.parametrize(
    ("of_query", "said", "kind", "lost"),
    [
        ({"cleaned_html": " "}, "CLICK", "trees", ["no element of the page can be read"] * 2),
        ({"operation": {}}, "CLICK", "actions", ["the query names no operation"]),
        (
            {"operation": {"op": "DRAG"}},
            "CLICK",
            "actions",
            ["'[button]  Search -> DRAG' is no action that we know; kept as text"],
        ),
        (
            {},
            "DRAG",
            "actions",
            ["'DRAG <button id=1> Search </button>' is no action that we know; kept as text"],
        ),
    ],
)
def test_whatever_a_step_of_seeact_lacks_is_told_with_its_reason(
    tmp_path: Path, of_query: dict[str, object], said: str, kind: str, lost: list[str]
) -> None:
    """Once for each of the two episodes that lack it, and nothing is left unexplained."""
    folder = step_folder(tmp_path, "B").parent
    (folder / "queries.jsonl").write_text(json.dumps(QUERY | of_query))
    talk = [TALK[0], TALK[1].format("B").replace("CLICK", said)]
    (folder / "prediction-4api.jsonl").write_text(json.dumps({"multichoice_id": 0, "gpt_output": talk}))

    (told,) = (one for one in bring_in(folder, [SeeAct()], None) if one.episodes)

    accounted = [(row.kind, reason.sort, reason.count) for row in told.account for reason in row.reasons]
    assert "unexplained" not in [sort for _, sort, _ in accounted]
    assert (kind, "left", len(lost)) in accounted
    assert [line for line in told.lost if line in lost] == list(dict.fromkeys(lost))


def test_a_page_that_only_a_later_query_of_seeact_has_is_the_steps_page(tmp_path: Path) -> None:
    folder = step_folder(tmp_path).parent
    (folder / "prediction-4api.jsonl").unlink()
    queries = [QUERY | {"cleaned_html": ""}, QUERY, QUERY]
    (folder / "queries.jsonl").write_text("\n".join(map(json.dumps, queries)))

    (told,) = bring_in(folder, [SeeAct()], None)
    [(_, steps)] = read(SeeAct(), folder / "queries.jsonl", tmp_path)

    rows = {row.kind: row for row in told.account}
    for kind in ("trees", "html"):
        assert (rows[kind].source, rows[kind].recorded) == (2, 1)
        assert [(one.sort, one.count) for one in rows[kind].reasons] == [("again", 1)]
    assert steps[1].observation is not None
    assert steps[1].observation.node(12) is not None


def test_predictions_without_their_queries_are_refused(tmp_path: Path) -> None:
    queries = step_folder(tmp_path, "B")
    queries.unlink()

    claim = SeeAct().claim(Place(queries.parent / "prediction-4api.jsonl", tmp_path))

    assert claim is not None
    assert (claim.kind, "queries.jsonl" in claim.why) == ("refused", True)


def test_a_row_of_agenttuning_is_a_step(tmp_path: Path) -> None:
    asked = (
        "'''\n<html> <button id=4> Go on </button> </html>\n'''\n\nBased on the HTML webpage above, try\n"
        "Task: Buy\nPrevious actions:\n[link]  Lamps -> CLICK\nWhat should be the next action? Choose\n\n"
        "A. None of the above\nB. <button id=4> Go on </button>"
    )
    answers = ["Thought: on\nAnswer: B.\nAction: CLICK", "Thought: no\nAnswer: A."]
    rows = [
        {
            "id": "m1",
            "conversations": [{"role": "user", "content": asked}, {"role": "assistant", "content": one}],
        }
        for one in answers
    ]
    (tmp_path / "rows.json").write_text(json.dumps(rows))

    (chosen, steps), (none, others) = read(AgentTuning(), tmp_path / "rows.json", tmp_path)

    assert (chosen.header.task.intent, chosen.lost) == ("Buy", [])
    lamps = Click(target=ElementRef(role="link", name="Lamps"))
    on = Click(target=ElementRef(id=4, role="button", name="Go on"))
    assert [one.step.action for one in steps] == [None, lamps, on]
    assert steps[1].observation is not None
    assert steps[2].step.reasoning == "on"
    assert others[2].step.action is None
    assert "chose none of the elements" in none.lost[0]
