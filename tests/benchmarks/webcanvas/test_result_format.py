"""Results of the WebCanvas framework as recorded episodes."""

import json
from pathlib import Path
from typing import Any

from webbench.benchmarks.webcanvas.result_format import WebCanvasResult
from webbench.core.action.action import Click, ElementRef, Goto, Stop
from webbench.core.exchange.import_format import ImportedEpisode, ImportedStep
from webbench.core.exchange.place import Place
from webbench.core.score.score import Status


def step(number: int, verb: str, value: str, reached: int, url: str) -> dict[str, Any]:
    asked = {
        "id": number or "",
        "action_type": verb,
        "value": value,
        "description": {"thought": f"t{number}"},
    }
    return {
        "step_index": number,
        "dict_result": {**asked, "planning_token_count": [100, number]},
        "selector": "#go" if verb == "click" else None,
        "execute_action": {"url": value if verb == "goto" else "", "element_name": "link"},
        "element_value": "Lamps",
        "score": f"{reached} / 2",
        "match_func_result": [{"url_included_match": "shop"}, {"url_included_match": "lamps"}][:reached],
        "step_url": url,
        "error_message": "",
    }


RESULT = {
    "task_name": "Find lamps",
    "id": 4,
    "reference_task_length": 2,
    "status": "finished",
    "step_list": [
        step(0, "goto", "http://shop/", 0, "http://shop/"),
        step(1, "click", "link 'Lamps'", 1, "http://shop/lamps"),
        step(2, "get_final_answer", "3", 2, "http://shop/lamps"),
    ],
    "evaluate_steps": [
        {"match_function": "url_included_match", "key": "", "reference_answer": answer, "score": 1}
        for answer in ("shop", "lamps")
    ],
}


def read(folder: Path, **changes: Any) -> tuple[ImportedEpisode, list[ImportedStep]]:
    (folder / "result.json").write_text(json.dumps({**RESULT, **changes}))
    place = Place(folder / "result.json", folder)
    assert WebCanvasResult().claim(place)
    (episode,) = WebCanvasResult().episodes(place)
    return episode, list(episode.steps)


def test_steps_come_with_the_key_nodes_that_they_reached(tmp_path: Path) -> None:
    episode, steps = read(tmp_path)

    lamps = ElementRef(id=1, role="link", name="Lamps", selector="#go")
    assert [one.step.action for one in steps] == [
        None,
        Goto(url="http://shop/"),
        Click(target=lamps),
        Stop(answer="3"),
    ]
    assert [one.step.score and one.step.score.value for one in steps] == [None, 0.5, 1.0, 1.0]
    assert [one.step.reasoning for one in steps] == ["", "t0", "t1", "t2"]
    assert steps[2].step.usage == {"input_tokens": 100, "output_tokens": 1}
    score = episode.header.score
    assert score is not None
    assert (score.value, sum(one.counted for one in score.checks), episode.lost) == (1.0, 2, [])
    assert (episode.header.task.intent, episode.header.end_reason) == ("Find lamps", "the actor stopped")


def test_a_step_whose_count_of_key_nodes_is_not_that_of_its_list_is_told(tmp_path: Path) -> None:
    steps = [RESULT["step_list"][0], {**RESULT["step_list"][1], "match_func_result": []}]

    episode, _ = read(tmp_path, step_list=[*steps, RESULT["step_list"][2]])

    told = "it contradicts itself: step 2 counts 1 / 2 key nodes and lists 0; the list is used"
    assert episode.lost == [told]


def test_key_nodes_that_contradict_themselves_are_told(tmp_path: Path) -> None:
    nodes = [{**RESULT["evaluate_steps"][0], "score": 0}, RESULT["evaluate_steps"][1]]

    episode, _ = read(tmp_path, evaluate_steps=nodes)

    assert "contradicts itself" in episode.lost[0]
    assert episode.header.score is not None
    assert episode.header.score.value == 0.5


def test_a_result_without_usable_key_nodes_has_no_score_and_keeps_its_steps(tmp_path: Path) -> None:
    episode, steps = read(tmp_path, evaluate_steps=[])

    assert episode.header.score is not None
    assert (episode.header.score.status, episode.header.score.value) == (Status.ERROR, None)
    assert len(steps) == 4
    assert episode.lost[0].startswith("the score: ")
