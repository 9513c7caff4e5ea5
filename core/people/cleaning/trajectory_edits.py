"""Edits of a trajectory: drop a step, move one, correct a text, mark a picture bad.

These are what WebLINX' annotators did in their review mode (Lù et al., 2024, appendix A.5): unnecessary
actions out, the order mended, typing errors mended, screenshots that don't show enough marked as invalid.
Steps are called by their index in the original, whatever was edited before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from webbench.core.action.action import Action, Say, Stop, Type
from webbench.core.dialects.dialect import find_dialect
from webbench.core.dialects.wording import wording
from webbench.core.errors import UsageError
from webbench.core.model_call import SentMessage, SentPicture
from webbench.core.trajectory import Step, Trajectory


class Edits(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is to be changed.

    Attributes:
        drop: steps that are left out.
        moves: (step, before which other one it goes), in order.
        texts: what is typed or said in a step.
        reasoning: why a step was taken.
        answer: what the episode ends with, None for as it is.
        bad_pictures: steps whose screenshot doesn't show what it should.
    """

    drop: tuple[int, ...] = ()
    moves: tuple[tuple[int, int], ...] = ()
    texts: dict[int, str] = {}
    reasoning: dict[int, str] = {}
    answer: str | None = None
    bad_pictures: tuple[int, ...] = ()

    @property
    def change_actions(self) -> bool:
        """They change what is done, so that only a replay tells whether the score still holds."""
        return bool(self.drop or self.moves or self.texts or self.answer is not None)

    @property
    def first_change(self) -> int | None:
        """The first step of the copy whose prompt may tell of what was done otherwise in the original."""
        moved = (one for move in self.moves for one in move)
        return min((*self.drop, *moved, *self.texts, *self.reasoning), default=None)


def edited_steps(trajectory: Trajectory, edits: Edits) -> tuple[Step, ...]:
    """The steps of the copy, numbered anew.

    What was seen after a dropped step is what was seen before the next one, so that it becomes what the step
    before shows; pictures in prompts are those of the copy's steps, or of none. Of a step whose text is
    corrected the prompts and replies are left out: they led to something else. The original has them.

    Raises `UsageError` for a step that isn't there or can't be edited so, and where nothing is left.
    """
    steps = {step.index: step for step in trajectory.steps}
    if edits == Edits():
        raise UsageError(
            "Nothing is to be edited", "say --drop, --move, --text, --reasoning, --answer or --bad-picture"
        )
    named = (*edits.drop, *(one for move in edits.moves for one in move), *edits.texts, *edits.reasoning)
    for index in (*named, *edits.bad_pictures):
        if index not in steps:
            raise UsageError(
                f"The episode has no step {index}", f"its steps are 0 to {max(steps, default=0)}"
            )
    if 0 in named:
        raise UsageError("Step 0 is the start, in which nothing is done", "only its picture can be marked")
    for index in sorted({*edits.texts, *edits.reasoning, *(step for step, _ in edits.moves)} & {*edits.drop}):
        raise UsageError(f"Step {index} is dropped and edited as well", "leave one of the two out")
    for index in edits.bad_pictures:
        if not steps[index].screenshot:
            raise UsageError(f"Step {index} has no picture to be marked", "`show` lists what the steps have")
        steps[index] = msgspec.structs.replace(steps[index], screenshot="")
    for index, text in edits.texts.items():
        steps[index] = _with_action(steps[index], _with_text(steps[index], text), trajectory)
    if edits.answer is not None:
        last = next((one for one in reversed(steps.values()) if isinstance(one.action, Stop)), None)
        if last is None:
            raise UsageError("The episode ends without an answer", "there is none to be corrected")
        steps[last.index] = _with_action(last, Stop(answer=edits.answer), trajectory)
    for index, why in edits.reasoning.items():
        steps[index] = _without_model(msgspec.structs.replace(steps[index], reasoning=why))
    order = _order(list(steps), edits.moves)
    return _numbered(order, steps, frozenset(edits.drop))


def copied_order(indices: Sequence[int], edits: Edits) -> list[int]:
    """Which steps of the original a copy has, in its order."""
    return [index for index in _order(list(indices), edits.moves) if index not in edits.drop]


def _order(order: list[int], moves: Sequence[tuple[int, int]]) -> list[int]:
    for step, before in moves:
        if step == before:
            raise UsageError(f"Step {step} can't be moved before itself", "name another step")
        order.remove(step)
        order.insert(order.index(before), step)
    return order


def _numbered(order: Sequence[int], steps: Mapping[int, Step], dropped: frozenset[int]) -> tuple[Step, ...]:
    kept: list[Step] = []
    shown: list[int] = []
    """Of each kept step: the step of the original whose page it shows."""
    for index in order:
        step = steps[index]
        if index not in dropped:
            kept.append(msgspec.structs.replace(step, index=len(kept)))
            shown.append(index)
        elif step.observation or step.screenshot:
            kept[-1] = _showing(kept[-1], step)
            shown[-1] = index
    if not any(step.acted for step in kept):
        raise UsageError("No action would be left", "drop fewer steps")
    places = {index: at for at, index in enumerate(shown)}
    return tuple(_with_pictures_at(step, places) for step in kept)


def _with_pictures_at(step: Step, places: Mapping[int, int]) -> Step:
    """The step whose prompts name pictures by the copy's steps; by none where the copy has them no more."""

    def renumbered(picture: SentPicture) -> SentPicture:
        at = None if picture.step is None else places.get(picture.step)
        return msgspec.structs.replace(picture, step=at)

    def resent(message: SentMessage) -> SentMessage:
        return msgspec.structs.replace(message, pictures=tuple(map(renumbered, message.pictures)))

    calls = (msgspec.structs.replace(call, messages=tuple(map(resent, call.messages))) for call in step.calls)
    return msgspec.structs.replace(step, calls=tuple(calls))


def _showing(step: Step, dropped: Step) -> Step:
    """The step with what was seen after the one behind it."""
    return msgspec.structs.replace(
        step,
        url=dropped.url,
        title=dropped.title,
        observation=dropped.observation,
        screenshot=dropped.screenshot,
        screenshot_scale=dropped.screenshot_scale,
        screenshot_full_page=dropped.screenshot_full_page,
        screenshot_origin=dropped.screenshot_origin,
        html=dropped.html,
        evidence=dropped.evidence,
        score=dropped.score,
    )


def _with_text(step: Step, text: str) -> Action:
    if isinstance(step.action, Type | Say):
        return msgspec.structs.replace(step.action, text=text)
    raise UsageError(f"Nothing is typed or said in step {step.index}", "an answer is corrected by --answer")


def _with_action(step: Step, action: Action, trajectory: Trajectory) -> Step:
    try:
        text = wording(find_dialect(step.dialect or trajectory.header.dialect), action)
    except UsageError:  # a language of other tools
        text = ""
    return _without_model(msgspec.structs.replace(step, action=action, text=text))


def _without_model(step: Step) -> Step:
    return msgspec.structs.replace(step, calls=(), prompt="", reply="", usage={}, agent_state={})
