"""Steps that undid a check, or after which it can't pass any more, as far as scores on the way tell.

That a check can't pass is told where nothing came after: an answer was handed in, the page was gone. Of a
value that a check read and that stood wrong to the end it is told that it stood, which the record shows; it
doesn't show whether somebody could have put it right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from webbench.core.action.action import Stop
from webbench.core.analysis.compare.milestones import histories, is_met, milestones
from webbench.core.analysis.decisive.signal import Signal, signal
from webbench.core.json_types import Json
from webbench.core.score.score import Check, Status
from webbench.core.text.plain_text import plain_clip
from webbench.core.trajectory import Step, Trajectory

ANSWER, ADDRESS = "answer", "url"
"""Targets of checks: an answer is wrong once it is handed in, and any address can be left again."""
GONE = ("crashed", "closed")
SHOWN = 3


def spoilt_checks(trajectory: Trajectory) -> Iterator[Signal]:
    """All of them; a check that was met before and lost for good is undone and nothing else."""
    yield from checks_undone(trajectory)
    yield from left_wrong(trajectory)
    yield from page_gone(trajectory.steps)
    yield from handed_in(trajectory)


def checks_undone(trajectory: Trajectory) -> Iterator[Signal]:
    """Steps after which a check was no longer met that had been met, and never was again."""
    for one in milestones([trajectory]):
        (reached,) = one.reached
        if reached.lost is not None and not reached.met and reached.status is Status.SCORED:
            yield signal("check-undone", reached.lost, plain_clip(f"{one.target} ({one.name})", 120))


def left_wrong(trajectory: Trajectory) -> Iterator[Signal]:
    """The last step that changed what a check reads, where it is wrong from then to the end.

    What a check read at the start is nobody's doing; an answer is handed in, an address can be left again. A
    check that counts only once it is broken, as what must stay as it was does, is broken where it begins.
    What was not scored before, as pages that are read at the end, may have been so all along. A check that
    compares more with every step, as a key node of a way does, reads no state; it can be met until the end.
    """
    start = next((step.index for step in trajectory.steps if step.score is not None), None)
    for (target, name, _), history in histories(trajectory).items():
        if target in (ANSWER, ADDRESS) or any(is_met(check) for _, check in history):
            continue
        if not all(check.status is Status.SCORED for _, check in history):
            continue
        read = [_read(check) for _, check in history]
        if len(set(map(len, read))) > 1:
            continue
        changed = max((at for at in range(1, len(read)) if read[at] != read[at - 1]), default=0)
        step = history[changed][0]
        found = ", ".join(
            dict.fromkeys(_value_text(one) for one in read[changed] if one not in (None, "", []))
        )
        if step not in (None, start) and (found or changed):
            reads = f"reads “{plain_clip(found, 100)}”" if found else "has nothing to read any more"
            yield signal("left-wrong", step, f"{plain_clip(f'{target} ({name})', 120)} {reads}")


def page_gone(steps: Sequence[Step]) -> Iterator[Signal]:
    """The step after which there was no page up to the end."""
    first = len(steps)
    while first and steps[first - 1].condition in GONE:
        first -= 1
    if 0 < first < len(steps):
        yield signal("page-gone", steps[first].index)


def handed_in(trajectory: Trajectory) -> Iterator[Signal]:
    """The step that ended the episode with an answer which checks refuse."""
    last = next((step for step in reversed(trajectory.steps) if step.acted), None)
    score = trajectory.header.score
    if last is None or not isinstance(last.action, Stop) or score is None:
        return
    refused = [
        one
        for one in score.checks
        if one.counted and one.target == ANSWER and one.status is Status.SCORED and not is_met(one)
    ]
    if refused:
        told = ", ".join(plain_clip(f"{one.target} ({one.name})", 60) for one in refused[:SHOWN])
        yield signal("handed-in", last.index, told, plain_clip(last.action.answer, 120))


def _value_text(value: Json) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _read(check: Check) -> list[Json]:
    """What it and the checks that it is combined from found, in their order."""
    return [check.actual, *(value for part in check.checks for value in _read(part))]
