"""The cleaned copy: an episode of its own that names what it is a copy of, who edited it, how and why.

It lies in a run of its own. Its actors are those of the original and "edited", so that no table counts it as
an attempt of anybody. Its score is the original's only where a replay proved it; else it is not scored, and
says why, and keeps no evidence that it could be scored by.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from webbench.core.errors import BadData, UsageError
from webbench.core.exchange.training.seen_prompt import own_begin
from webbench.core.json_types import JsonObject
from webbench.core.labels.label import pseudonym
from webbench.core.people.cleaning.trajectory_edits import Edits, copied_order, edited_steps
from webbench.core.score.score import Score, not_scored
from webbench.core.store.store import Store
from webbench.core.text.plural import counted
from webbench.core.trajectory import EpisodeHeader, Origin, Trajectory, as_acted, now

EDITED = "edited"
"""Setting of a copy, and the actor that its edits are told by."""

Proven = Literal["same score", "other score", "stopped", "not possible", "not replayed", "same actions"]
"""What came of the replay; "not possible" where nothing could be played, "stopped" where a step failed, "same
actions" where the edits change nothing that is done, so that nothing is to be proved."""
HOLDS = ("same score", "same actions")


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """What the replay of a copy showed: the score that it reached, None for none, and why."""

    state: Proven
    reached: float | None = None
    why: str = ""


class Cleaning(msgspec.Struct, frozen=True, kw_only=True):
    """Where a copy is from, as its record keeps it.

    Attributes:
        run, episode: the original.
        score: of the original.
        by, at, why: who edited it, when (UTC, ISO 8601), and why.
        first_change: from this step on prompts tell what the original did before; None for from none.
        repeated: how many of its first steps a fork only repeated; None for what is no fork.
    """

    run: str
    episode: str
    score: float | None
    by: str
    at: str
    why: str
    edits: Edits
    proof: Proof
    first_change: int | None = None
    repeated: int | None = None


def edited_trajectory(trajectory: Trajectory, edits: Edits) -> Trajectory:
    """The trajectory with the edits, nothing written yet. Raises as `edited_steps` does."""
    if EDITED in trajectory.header.settings:
        raise UsageError("This is a cleaned copy already", "edit the original anew, with all edits at once")
    if not trajectory.header.ended:
        raise UsageError("The episode has not ended", "go on with it, or end it, before it is edited")
    return msgspec.structs.replace(trajectory, steps=edited_steps(trajectory, edits))


def write_copy(store: Store, copy: Trajectory, edits: Edits, proof: Proof, *, by: str, why: str) -> Origin:
    """Write an edited trajectory as an episode of its own; where it is. Raises `StoreUnwritable`."""
    header = copy.header
    repeated = _repeated(store, header, edits) if header.origin is not None else None
    value = header.score.value if header.score is not None else None
    told = Cleaning(
        run=header.run,
        episode=header.episode,
        score=value,
        by=pseudonym(by),
        at=now(),
        why=why,
        edits=edits,
        proof=proof,
        first_change=edits.first_change,
        repeated=repeated,
    )
    settings: JsonObject = {**header.settings, EDITED: msgspec.to_builtins(told, str_keys=True)}
    run = store.start_run(
        header.task.benchmark, header.actor, 1, (header.task.id,), {EDITED: f"{header.run}/{header.episode}"}
    )
    actors = header.actors or (header.actor,)
    stale = _prompts_behind(copy, edits.first_change)
    warnings = list(header.warnings)
    if stale:
        tell = "tells" if stale == 1 else "tell"
        warnings.append(f"{counted(stale, 'prompt')} of it still {tell} what the original did before")
    warnings.append(f"a copy of {header.run}/{header.episode}, edited by {told.by}")
    fresh = msgspec.structs.replace(
        as_acted(header, (*actors, EDITED)),
        episode="",
        order=0,
        repeat=0,
        attempt=0,
        ended="",
        settings=settings,
        warnings=tuple(warnings),
        origin=None,
        step_scores={},
        gold_withheld=False,
        agent_reach="",
    )
    recorder = store.recorder(run, fresh)
    try:
        for step in copy.steps:
            unproved = proof.state not in HOLDS
            recorder.write(msgspec.structs.replace(step, score=None, evidence={}) if unproved else step)
        recorder.finish(_score(header.score, proof), header.end_reason, ended=header.ended)
    finally:
        recorder.close()
    return Origin(run=run, episode=recorder.header.episode, step=len(copy.steps) - 1)


def _repeated(store: Store, header: EpisodeHeader, edits: Edits) -> int:
    """How many steps of a fork's copy are those of the episode that was forked; the note may be dropped."""
    original = store.load(store.root / header.run / header.episode)
    own = {step.index for step in original.steps[own_begin(original) :]}
    order = copied_order([step.index for step in original.steps], edits)
    return max((at + 1 for at, index in enumerate(order) if index not in own), default=0)


def _prompts_behind(copy: Trajectory, first: int | None) -> int:
    """How many steps have a prompt that was sent when something else had been done before."""
    behind = [step for step in copy.steps if first is not None and step.index >= first]
    return sum(bool(step.calls or step.prompt) for step in behind)


def cleaning_of(trajectory: Trajectory) -> Cleaning:
    """What a copy says of itself. Raises `UsageError` for what is none, `BadData` where it can't be read."""
    told = trajectory.header.settings.get(EDITED)
    if told is None:
        raise UsageError(f"{trajectory.header.episode} is no cleaned copy", "`webbench-tui edit` makes one")
    try:
        return msgspec.convert(told, Cleaning, strict=False)
    except msgspec.ValidationError as error:
        raise BadData(
            f"{trajectory.header.episode}: what it says of its edits can't be read: {error}"
        ) from error


def _score(original: Score | None, proof: Proof) -> Score:
    if proof.state in HOLDS and original is not None:
        return original
    reached = "" if proof.reached is None else f" ({proof.reached:g})"
    return not_scored(
        f"a cleaned copy; replay: {proof.state}{reached}" + (f": {proof.why}" if proof.why else "")
    )
