"""`edit`: a cleaned copy of a recorded episode, proved by a replay and validated by a second person."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated

import msgspec
import typer

from webbench.core.api.available import ready_benchmark
from webbench.core.browser.starting.folder import private_room
from webbench.core.errors import UsageError
from webbench.core.labels.ledger import ledger_of
from webbench.core.people.cleaning.cleaned_copy import (
    HOLDS,
    Cleaning,
    Proof,
    cleaning_of,
    edited_trajectory,
    write_copy,
)
from webbench.core.people.cleaning.replay_proof import prove
from webbench.core.people.cleaning.second_validation import INVALID, validate, validations
from webbench.core.people.cleaning.trajectory_edits import Edits
from webbench.core.runner.plan.declared_options import Option
from webbench.core.store.store import Store
from webbench.core.text.plain_text import plain_clip
from webbench.core.trajectory import Trajectory
from webbench.tui.cli.options import Annotator, AsJson, EpisodeName, Note, StorePath, asking
from webbench.tui.cli.output import print_json, print_text
from webbench.tui.cli.place import chosen_annotator, data_folder, find_episode, open_engine, open_store

SCHEMA_VERSION = 1


class EditRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `edit` asks for."""

    episode: EpisodeName
    annotator: Annotator = ""
    drop: Annotated[tuple[str, ...], Option(help="Leave this step out; may be repeated.")] = ()
    move: Annotated[
        tuple[str, ...], Option(help="STEP:BEFORE, the step goes before that one; may be repeated.")
    ] = ()
    text: Annotated[
        tuple[str, ...], Option(help="STEP=TEXT, what is typed or said in it; may be repeated.")
    ] = ()
    reasoning: Annotated[tuple[str, ...], Option(help="STEP=TEXT, why it was taken; may be repeated.")] = ()
    answer: Annotated[str | None, Option(help="The answer that the episode ends with; '' for none.")] = None
    bad_picture: Annotated[
        tuple[str, ...], Option(help="The screenshot of this step is bad; may be repeated.")
    ] = ()
    note: Note = ""
    replay: Annotated[bool, Option(help="Play the copy, to see whether it reaches the score.")] = True
    valid: Annotated[bool, Option(help="Of a copy: say, as a second person, that it is valid.")] = False
    invalid: Annotated[bool, Option(help="Of a copy: say that it isn't, and with --note why.")] = False
    store: StorePath = None


@asking(EditRequest)
def edit_command(request: EditRequest, as_json: AsJson = False) -> None:
    """Make a cleaned copy of a recorded episode, or validate one as a second person.

    The original stays as it is; the copy names it, with the edits, who made them and why. It is played on
    the task's pages: only where it reaches the original's score does it have that score. Steps are called by
    their number in the original. A copy without edits tells what is known of it.

    Exit 0 where the copy is proved, and not called invalid; 1 where it isn't; 2 for an edit that can't be.
    """
    raise typer.Exit(edit_episode(request, as_json=as_json))


def edit_episode(request: EditRequest, *, as_json: bool) -> int:
    """Edit, validate or tell. Raises `UsageError` for what can't be, `BadData` for what can't be read."""
    store = open_store(request.store)
    trajectory = store.load(find_episode(store, request.episode))
    edits = _edits(request)
    if request.valid or request.invalid:
        return _validate(request, store, trajectory, edits, as_json=as_json)
    if edits == Edits():
        return _tell(store, trajectory, as_json=as_json)
    copy = edited_trajectory(trajectory, edits)
    by = chosen_annotator(request.annotator)
    if not edits.change_actions:
        proof = Proof(state="same actions")
    else:
        proof = asyncio.run(_proof(copy)) if request.replay else Proof(state="not replayed")
    made = write_copy(store, copy, edits, proof, by=by, why=request.note)
    return _tell(store, store.load(store.root / made.run / made.episode), as_json=as_json)


async def _proof(copy: Trajectory) -> Proof:
    name = copy.header.task.benchmark
    with private_room() as folder:
        async with open_engine(Store(folder)) as engine:
            return await prove(engine, lambda: ready_benchmark(name, data_folder(name, None)), copy)


def _validate(
    request: EditRequest, store: Store, trajectory: Trajectory, edits: Edits, *, as_json: bool
) -> int:
    if request.valid == request.invalid or edits != Edits():
        raise UsageError("A copy is validated or edited, one at a time", "say either --valid or --invalid")
    cleaning = cleaning_of(trajectory)
    by = chosen_annotator(request.annotator)
    validate(ledger_of(store), trajectory.header, cleaning, by=by, valid=request.valid, note=request.note)
    return _tell(store, trajectory, as_json=as_json)


def _tell(store: Store, trajectory: Trajectory, *, as_json: bool) -> int:
    """Print what is known of a copy: 0 where it is proved and nobody calls it invalid, else 1."""
    header, cleaning = trajectory.header, cleaning_of(trajectory)
    said = validations(ledger_of(store).book(), header, cleaning)
    if as_json:
        place = {"run": header.run, "episode": header.episode, "steps": len(trajectory.steps)}
        told = {**place, "cleaning": msgspec.to_builtins(cleaning, str_keys=True), "validated": said}
        print_json({"schema_version": SCHEMA_VERSION, "copy": told})
    else:
        for line in _lines(trajectory, cleaning, said):
            print_text(line)
    return int(cleaning.proof.state not in HOLDS or INVALID in said.values())


def _lines(trajectory: Trajectory, cleaning: Cleaning, said: dict[str, str]) -> Sequence[str]:
    header, proof = trajectory.header, cleaning.proof
    reached = "" if proof.reached is None else f", reached {proof.reached:g}"
    scored = "none" if cleaning.score is None else f"{cleaning.score:g}"
    people = ", ".join(f"{who}: {code}" for who, code in said.items())
    return (
        f"{header.run}/{header.episode}: {len(trajectory.steps) - 1} steps",
        f"copy of {cleaning.run}/{cleaning.episode}, edited by {cleaning.by}",
        f"replay: {proof.state}{reached} (original: {scored})" + (f"; {proof.why}" if proof.why else ""),
        f"second validator: {people or 'nobody yet; somebody else says --valid or --invalid'}",
    )


def _edits(request: EditRequest) -> Edits:
    return Edits(
        drop=tuple(map(_number, request.drop)),
        moves=tuple((_step(one, ":"), _number(one.partition(":")[2])) for one in request.move),
        texts=_texts(request.text),
        reasoning=_texts(request.reasoning),
        answer=request.answer,
        bad_pictures=tuple(map(_number, request.bad_picture)),
    )


def _texts(given: Sequence[str]) -> dict[int, str]:
    """The text of each step. Raises `UsageError` where a step has two."""
    found: dict[int, str] = {}
    for one in given:
        step = _step(one, "=")
        if step in found:
            raise UsageError(f"Step {step} is given two texts", "give one")
        found[step] = one.partition("=")[2]
    return found


def _step(text: str, sign: str) -> int:
    """The step before the sign."""
    number, found, _ = text.partition(sign)
    if not found:
        raise UsageError(
            f'"{plain_clip(text, 40)}" names no step', f"write STEP{sign}..., such as 3{sign}..."
        )
    return _number(number)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 9):
        raise UsageError(f'"{plain_clip(text, 40)}" is no number of a step', "`show` lists the steps")
    return int(text)
