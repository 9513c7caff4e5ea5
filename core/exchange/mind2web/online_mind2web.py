"""Online-Mind2Web results: one folder a task with a `result.json`.

Keys: task_id, task, final_result_response; and either result_status, action_history (sentences such as
"Click at (440, 371)") and thoughts of the same length, or judge {score 0 or 100, reasoning} without steps.
Screenshots lie in `trajectory/<n>_full_screenshot.png`, numbered with gaps.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from webbench.core.action.action import (
    Action,
    Back,
    ClickAt,
    DragAt,
    Goto,
    HoverAt,
    Press,
    Reload,
    Scroll,
    Stop,
    Type,
)
from webbench.core.exchange.account.tally import Lost
from webbench.core.exchange.episode_building import (
    STOPPED,
    foreign_header,
    numbered,
    object_in,
    picture_in,
    text_of,
)
from webbench.core.exchange.foreign_terms import recorded_score
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedStep, Picture
from webbench.core.exchange.place import Place
from webbench.core.json_types import Json, JsonObject
from webbench.core.score.score import Score
from webbench.core.task import Task
from webbench.core.trajectory import Step

BENCHMARK = "online-mind2web"
RESULT = "result.json"
PICTURES = "trajectory"
_NUMBERS = re.compile(r"-?\d+(?:\.\d+)?")


class OnlineMind2Web:
    name = "online-mind2web"
    title = "Online-Mind2Web results"
    looks_like = "a folder with result.json: task_id, task, final_result_response, action_history or judge"

    def claim(self, place: Place) -> Claim | None:
        if RESULT in place.names and (place / RESULT).has_text('"task_id"', '"final_result_response"'):
            return Claim()
        if place.has_text('"confirmed_task"', '"reference_length"', '"level"'):
            return Claim("companion", "the list of Online-Mind2Web's tasks")
        return None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        result = object_in(place / RESULT)
        lost = place.tally.losses()
        sentences = result.get("action_history")
        if not isinstance(sentences, list):
            lost.append("the steps: the source holds none")
        status = text_of(result.get("result_status"))
        header = foreign_header(
            Task(
                benchmark=BENCHMARK, name=text_of(result.get("task_id")), intent=text_of(result.get("task"))
            ),
            place.parent.name,
            score=_score(result),
            end_reason=STOPPED if status in ("", "success") else status,
        )
        yield ImportedEpisode(header, numbered(_steps(place, result, lost)), lost)


def create() -> OnlineMind2Web:
    """The entry point."""
    return OnlineMind2Web()


def _score(result: JsonObject) -> Score:
    judge = result.get("judge")
    given = judge.get("score") if isinstance(judge, dict) else None
    if isinstance(judge, dict) and isinstance(given, int | float) and not isinstance(given, bool):
        why = text_of(judge.get("reasoning"))[:500] or "the judge gave no reason"
        return recorded_score(given / 100, "the source's judge", why, actual=given)
    return recorded_score(None, "", "the source gives no score; its status is the agent's own claim")


def _steps(place: Place, result: JsonObject, lost: Lost) -> Iterator[ImportedStep]:
    pictures = place / PICTURES
    sentences = result.get("action_history")
    thoughts = result.get("thoughts")
    listed: list[Json] = sentences if isinstance(sentences, list) else []
    reasons: list[Json] = thoughts if isinstance(thoughts, list) else []
    yield ImportedStep(Step(index=0, at="", actor="operator"), picture=_picture(pictures, 0, lost))
    for number, sentence in enumerate(listed, start=1):
        text = text_of(sentence)
        reasoning = text_of(reasons[number - 1]) if number <= len(reasons) else ""
        step = Step(
            index=0, at="", actor="agent", text=text, action=action_of_sentence(text), reasoning=reasoning
        )
        yield ImportedStep(step, picture=_picture(pictures, number, lost))
    answer = text_of(result.get("final_result_response"))
    yield ImportedStep(Step(index=0, at="", actor="agent", text="answer", action=Stop(answer=answer)))


def _picture(pictures: Place, number: int, lost: Lost) -> Picture | None:
    return picture_in(pictures, f"{number}_full_screenshot.png", lost, full_page=True)


def action_of_sentence(text: str) -> Action | None:
    """The action that a sentence such as "Scroll (delta_x=0, delta_y=400)" tells; None for others."""
    numbers = [float(number) for number in _NUMBERS.findall(text)]
    for beginning, count, build in _SENTENCES:
        if text.startswith(beginning) and len(numbers) >= count:
            return build(text, numbers)
    return None


def _typed(text: str, _: list[float]) -> Action:
    return Type(text=text.removeprefix("Type ").strip('"'), clear=False)


def _navigated(text: str, _: list[float]) -> Action:
    where = text.removeprefix("Navigate").removeprefix(" to").strip()
    return Back() if where == "back" else Reload() if where == "reload" else Goto(url=where)


def _pressed(text: str, _: list[float]) -> Action:
    return Press(keys=text.removeprefix("Press ").strip())


_SENTENCES: tuple[tuple[str, int, Callable[[str, list[float]], Action]], ...] = (
    ("Click at", 2, lambda _, at: ClickAt(x=at[0], y=at[1])),
    ("Hover at", 2, lambda _, at: HoverAt(x=at[0], y=at[1])),
    ("Drag from", 4, lambda _, at: DragAt(x=at[0], y=at[1], to_x=at[2], to_y=at[3])),
    ("Scroll", 2, lambda _, by: Scroll(dx=by[0], dy=by[1])),
    ("Type ", 0, _typed),
    ("Press ", 0, _pressed),
    ("Navigate", 0, _navigated),
)
