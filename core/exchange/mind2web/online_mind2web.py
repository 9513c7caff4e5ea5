"""Online-Mind2Web results: one folder a task with a `result.json`.

Keys: task_id, task, final_result_response; and either result_status, action_history (sentences such as
"Click at (440, 371)") and thoughts of the same length, or judge {score 0 or 100, reasoning} without steps.
Screenshots lie in `trajectory/<n>_full_screenshot.png`, numbered with gaps. Results of schema v2 are read by
`leaderboard_steps.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from webbench.core.action.action import (
    Action,
    Back,
    ClickAt,
    DragAt,
    ElementRef,
    Goto,
    HoverAt,
    Press,
    Reload,
    Scroll,
    Select,
    SetRange,
    Stop,
    Type,
)
from webbench.core.exchange.account.source_shape import Both, Frame, Shape
from webbench.core.exchange.account.tally import Lost
from webbench.core.exchange.episode_building import (
    RECORD_ENDS,
    STOPPED,
    foreign_header,
    lose_action,
    numbered,
    object_in,
    picture_in,
    text_of,
)
from webbench.core.exchange.foreign_terms import recorded_score
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedStep, Picture
from webbench.core.exchange.mind2web import leaderboard_steps
from webbench.core.exchange.place import Place
from webbench.core.json_types import Json, JsonObject
from webbench.core.score.score import Score
from webbench.core.task import Task
from webbench.core.trajectory import UNSEEN_STEPS, EpisodeHeader, Step

BENCHMARK = "online-mind2web"
RESULT = "result.json"
PICTURES = "trajectory"
_PICKER = re.compile(r"^Select picker (\S{1,40}) -> (CANCEL|Select option\(s\) \[([\d, ]{1,200})\])$")
_SLIDER = re.compile(r"^Slider \((\w{1,20})\) set to (-?\d{1,12}(?:\.\d{1,6})?)")
_NUMBERS = re.compile(r"-?\d+(?:\.\d+)?")


SHAPE = Shape(
    {
        "": "episodes",
        "action_history": Frame(),
        "final_result_response": Both(("steps", "actions")),
        "thoughts": "reasoning",
        "judge.score": "scores",
    }
)
ANSWERED = "each episode ends with an answer, be it an empty one"
NO_STEPS = "the steps: the source holds none"


class OnlineMind2Web:
    name = "online-mind2web"
    title = "Online-Mind2Web results"
    looks_like = "a folder with result.json: task_id, task, final_result_response, action_history or judge"

    def claim(self, place: Place) -> Claim | None:
        if RESULT in place.names and (place / RESULT).has_text('"task_id"', '"final_result_response"'):
            return Claim()
        if RESULT in place.names and (place / RESULT).has_text(f'"{leaderboard_steps.VERSION}"'):
            return Claim()
        if place.has_text('"confirmed_task"', '"reference_length"', '"level"'):
            return Claim("companion", "the list of Online-Mind2Web's tasks")
        return None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        result = object_in(place / RESULT)
        lost = place.tally.losses()
        if leaderboard_steps.is_v2(result):
            place.tally.read(result, leaderboard_steps.SHAPE)
            steps = numbered(leaderboard_steps.steps_of_v2(place, result, lost))
            yield ImportedEpisode(_header_of_v2(place, result), steps, lost)
            return
        place.tally.read(result, SHAPE)
        _count_files(place)
        if not isinstance(result.get("action_history"), list):
            lost.append(NO_STEPS)
        status = text_of(result.get("result_status"))
        header = foreign_header(
            Task(
                benchmark=BENCHMARK, name=text_of(result.get("task_id")), intent=text_of(result.get("task"))
            ),
            place.parent.name,
            score=_score(result),
            end_reason=STOPPED if status in ("", "success") else status,
            settings=_settings(result),
        )
        yield ImportedEpisode(header, numbered(_steps(place, result, lost)), lost)


def create() -> OnlineMind2Web:
    """The entry point."""
    return OnlineMind2Web()


def _header_of_v2(place: Place, result: JsonObject) -> EpisodeHeader:
    """Its verdict is the leaderboard's, which no folder holds."""
    length = result.get("reference_length")
    named = ("schema_version", "task", "task_id", "agent_final_answer", "reference_length", "action_history")
    return foreign_header(
        Task(
            benchmark=BENCHMARK,
            name=text_of(result.get("task_id")),
            intent=text_of(result.get("task")),
            gold={"reference_length": length} if length is not None else {},
        ),
        place.parent.name,
        score=recorded_score(None, "", "a result for the leaderboard has no verdict"),
        end_reason=STOPPED if isinstance(result.get("agent_final_answer"), str) else RECORD_ENDS,
        settings={name: one for name, one in result.items() if name not in named},
    )


def _score(result: JsonObject) -> Score:
    judge = result.get("judge")
    given = judge.get("score") if isinstance(judge, dict) else None
    if isinstance(judge, dict) and isinstance(given, int | float) and not isinstance(given, bool):
        why = text_of(judge.get("reasoning"))[:500] or "the judge gave no reason"
        return recorded_score(given / 100, "the source's judge", why, actual=given)
    return recorded_score(None, "", "the source gives no score; its status is the agent's own claim")


def _settings(result: JsonObject) -> JsonObject:
    """What the source says of the run; the judge's reasons are often longer than a check's."""
    told = {name: result[name] for name in ("result_status", "judge") if result.get(name)}
    return told if isinstance(result.get("action_history"), list) else told | {UNSEEN_STEPS: NO_STEPS}


def _count_files(place: Place) -> None:
    """Screenshots are counted by their names, which have gaps: not every step took one."""
    pictures = place / PICTURES
    place.tally.count("pictures", sum(name.endswith("_full_screenshot.png") for name in pictures.names))


def _steps(place: Place, result: JsonObject, lost: Lost) -> Iterator[ImportedStep]:
    pictures = place / PICTURES
    sentences = result.get("action_history")
    thoughts = result.get("thoughts")
    listed: list[Json] = sentences if isinstance(sentences, list) else []
    reasons: list[Json] = thoughts if isinstance(thoughts, list) else []
    yield ImportedStep(Step(index=0, at="", actor="operator"), picture=_picture(pictures, 0, lost))
    if len(reasons) > len(listed):
        more = sum(bool(one) for one in reasons[len(listed) :])
        lost.lose("reasoning", "thoughts without an action", more)
    for number, sentence in enumerate(listed, start=1):
        text = text_of(sentence)
        place.tally.count("steps")
        place.tally.count("actions")
        place.tally.value("action_history", text)
        action = action_of_sentence(text)
        if action is None:
            lose_action(lost, text, number)
        reasoning = text_of(reasons[number - 1]) if number <= len(reasons) else ""
        step = Step(index=0, at="", actor="agent", text=text, action=action, reasoning=reasoning)
        yield ImportedStep(step, picture=_picture(pictures, number, lost))
    answer = text_of(result.get("final_result_response"))
    if not answer:
        place.tally.made("steps", ANSWERED)
        place.tally.made("actions", ANSWERED)
    place.tally.value("final_result_response", answer)
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


def _picked(text: str, _: list[float]) -> Action | None:
    """`Select picker sp_1 -> Select option(s) [3]`, or `-> CANCEL`; options by their number from 0."""
    found = _PICKER.match(text)
    if found is None:
        return None
    target = ElementRef(role="combobox", name=found[1])
    if found[2] == "CANCEL":
        return Press(keys="Escape", target=target)
    return Select(target=target, options=tuple(f"option {number}" for number in re.findall(r"\d+", found[3])))


def _slid(text: str, _: list[float]) -> Action | None:
    """`Slider (horizontal) set to 22 [range 18-85]`."""
    found = _SLIDER.match(text)
    return SetRange(target=ElementRef(role="slider", name=found[1]), value=float(found[2])) if found else None


def _pressed(text: str, _: list[float]) -> Action:
    return Press(keys=text.removeprefix("Press ").strip())


_SENTENCES: tuple[tuple[str, int, Callable[[str, list[float]], Action | None]], ...] = (
    ("Click at", 2, lambda _, at: ClickAt(x=at[0], y=at[1])),
    ("Hover at", 2, lambda _, at: HoverAt(x=at[0], y=at[1])),
    ("Drag from", 4, lambda _, at: DragAt(x=at[0], y=at[1], to_x=at[2], to_y=at[3])),
    ("Scroll", 2, lambda _, by: Scroll(dx=by[0], dy=by[1])),
    ("Type ", 0, _typed),
    ("Press ", 0, _pressed),
    ("Navigate", 0, _navigated),
    ("Select picker", 0, _picked),
    ("Slider", 1, _slid),
)
