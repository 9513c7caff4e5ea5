"""The picture with what was done in a turn and what models predicted."""

from __future__ import annotations

import io

from PIL import Image

from webbench.benchmarks.weblinx.pages.box_picture import (
    COLOURS,
    REFERENCE,
    box_picture,
    boxes_of_turn,
    reference_boxes,
)
from webbench.core.json_types import JsonObject
from webbench.core.observation import Box, Screenshot
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step, Trajectory


def element(left: int, top: int) -> JsonObject:
    return {"bbox": {"left": left, "top": top, "right": left + 40, "bottom": top + 20}}


def test_reference_and_predictions_are_drawn_in_their_colours_at_the_picture_s_scale() -> None:
    gold = {"references": [{"intent": "click", "args": {}, "element": element(20, 30)}]}
    evidence: dict[str, JsonObject] = {
        "one": {"turns": [{"turn": 3, "gold": gold, "output": "click()", "element": element(120, 30)}]},
        "two": {
            "turns": [{"turn": 3, "gold": gold, "action": {"intent": "click", "element": element(20, 70)}}]
        },
        "three": {"turns": [{"turn": 3, "gold": gold, "output": "say()", "element": None}, {"turn": 4}]},
    }
    boxes = boxes_of_turn(evidence, 3)
    assert boxes == {
        REFERENCE: (30, 20, 60, 50),
        "one": (30, 120, 160, 50),
        "two": (70, 20, 60, 90),
    }
    assert boxes_of_turn(evidence, 4) == {}

    far = {"turns": [{"turn": 3, "output": "click()", "element": element(10**400, 0)}]}
    assert boxes_of_turn({"far": far}, 3) == {}

    stream = io.BytesIO()
    Image.new("RGB", (400, 240), "white").save(stream, "PNG")
    drawn = box_picture(Screenshot(stream.getvalue(), "png", 400, 240, 2.0), list(boxes.items()))
    with Image.open(io.BytesIO(drawn)) as picture:
        whole = picture.convert("RGB")
    assert whole.width == 400
    assert whole.height > 240
    wanted = [tuple(bytes.fromhex(colour[1:])) for colour in COLOURS[:3]]
    assert whole.getpixel((41, 80)) == wanted[0]
    assert whole.getpixel((240 - 8 + 1, 80)) == wanted[1]
    assert whole.getpixel((40 - 16 + 1, 160)) == wanted[2]


def test_a_step_that_predicted_a_turn_has_its_reference() -> None:
    gold = {"references": [{"intent": "click", "args": {}, "element": element(20, 30)}]}
    evidence: JsonObject = {"turns": [{"turn": 3, "gold": gold, "output": "click()", "element": None}]}
    task = Task(benchmark="weblinx", name="one", intent="")
    header = EpisodeHeader(run="r", episode="e", task=task, actor="agent", dialect="weblinx")
    steps = (
        Step(index=0, at=""),
        Step(index=1, at="", output='turn 2 was: say(speaker="navigator", utterance="Yes")'),
        Step(index=2, at="", output='turn 3 was: click(uid="one")'),
        Step(index=3, at="", evidence=evidence),
    )
    assert reference_boxes(Trajectory(header=header, steps=steps)) == {2: Box(20, 30, 40, 20)}
