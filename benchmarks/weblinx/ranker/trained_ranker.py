"""Training a ranker on labelled turns, and the folder that keeps it: its weights and how they came about."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random

import msgspec

from webbench.benchmarks.weblinx.ranker.labelled_elements import LabelledTurn
from webbench.benchmarks.weblinx.relevance.encoders import Encoder, Pair, Recipe, Told, folder_of
from webbench.core.errors import BadData, EnvironmentDown, UsageError
from webbench.core.exchange.atomic_output import appearing, require_no_others

HOW = "training.json"
FORMAT = 1
LARGEST = 16 << 20
"""Bytes."""


class Training(msgspec.Struct, frozen=True, kw_only=True):
    """How a ranker was trained, as its folder keeps it.

    Attributes:
        encoder: what training began with.
        split: of the demonstrations; "" for all.
        demonstrations, held_back: names of those it learned from, and of those it never saw.
        earlier: names of those that what training began with had learned from.
        turns, pairs: what it learned from.
        losses: mean squared error of the cosines, epoch by epoch.
    """

    format: int = FORMAT
    encoder: str
    split: str
    recipe: Recipe
    demonstrations: tuple[str, ...]
    held_back: tuple[str, ...] = ()
    earlier: tuple[str, ...] = ()
    turns: int = 0
    pairs: int = 0
    losses: tuple[float, ...] = ()


def held_back(names: Sequence[str], share: float, seed: int) -> tuple[str, ...]:
    """About so great a share of the demonstrations: the first ones by hash of name and seed, so that one that
    joins can take the place of another.

    With a share above 0, at least one is held back where there are two or more.
    """
    placed = sorted(dict.fromkeys(names), key=lambda name: hashlib.sha256(f"{seed}:{name}".encode()).digest())
    if share <= 0 or len(placed) < 2:
        return ()
    many = min(max(1, round(share * len(placed))), len(placed) - 1)
    return tuple(sorted(placed[:many]))


def pairs_of(turns: Sequence[LabelledTurn], recipe: Recipe) -> list[Pair]:
    """The element that was used in each turn with 1, and up to `negatives` others with 0."""
    found = []
    for turn in turns:
        drawn = Random(f"{recipe.seed}:{turn.demonstration}:{turn.turn}")
        others = [place for place in range(len(turn.elements)) if place != turn.used]
        chosen = drawn.sample(others, min(recipe.negatives, len(others)))
        found += [
            Pair(turn.query, turn.elements[place].document, float(place == turn.used))
            for place in (turn.used, *chosen)
        ]
    return found


def train(
    encoder: Encoder,
    turns: Sequence[LabelledTurn],
    recipe: Recipe,
    told: Told,
    *,
    split: str = "",
    kept_back: Sequence[str] = (),
    earlier: Sequence[str] = (),
) -> Training:
    """Train the encoder in place on the turns whose demonstration is not kept back.

    Args:
        earlier: demonstrations that it has learned from before (see `learned_from`).

    Raises `UsageError` where no turn is left, `BadData` where the training diverges: a loss, or a vector of
    the encoder afterwards, is no finite number.
    """
    learned = [turn for turn in turns if turn.demonstration not in set(kept_back)]
    if not learned:
        raise UsageError(
            "there is no turn to learn from",
            "name a folder of demonstrations whose elements have ids by --data",
        )
    pairs = pairs_of(learned, recipe)
    losses: list[float] = []

    def noted(epoch: int, loss: float) -> None:
        _require_finite([loss], f"in epoch {epoch}")
        losses.append(loss)
        told(epoch, loss)

    encoder.learn(pairs, recipe, noted)
    for text in pairs[0][:2]:
        _require_finite(encoder.vectors([text])[0].tolist(), "in its last step")
    return Training(
        encoder=encoder.name,
        split=split,
        recipe=recipe,
        demonstrations=tuple(dict.fromkeys(turn.demonstration for turn in learned)),
        held_back=tuple(kept_back),
        earlier=tuple(earlier),
        turns=len(learned),
        pairs=len(pairs),
        losses=tuple(losses),
    )


def _require_finite(values: Sequence[float], when: str) -> None:
    if not all(map(math.isfinite, values)):
        raise BadData(f"the training diverged {when}", "give a smaller --learning-rate")


def save(encoder: Encoder, training: Training, folder: Path, *, force: bool = False) -> None:
    """Write the checkpoint; until it is whole, what was there before stays. Raises as `try_to_save`."""
    _require_free(folder, force)
    with appearing(folder, force=force) as made:
        _write(encoder, training, made)


def try_to_save(encoder: Encoder, folder: Path, *, force: bool = False) -> None:
    """Write the encoder beside the folder as if it were trained, and throw it away: to be asked before hours
    of training.

    Raises:
        UsageError: the folder holds something that is no checkpoint, or one and not `force`, or beside one
            files that the new one doesn't have.
        EnvironmentDown: it can't be written.
    """
    _require_free(folder, force)
    nothing = Training(encoder=encoder.name, split="", recipe=Recipe(), demonstrations=())
    with suppress(_Tried), appearing(folder, force=force) as made:
        _write(encoder, nothing, made)
        require_no_others(folder, made)
        raise _Tried


class _Tried(Exception):
    """Ends a try, so that nothing stays of it."""


def _write(encoder: Encoder, training: Training, folder: Path) -> None:
    from safetensors import SafetensorError

    folder.mkdir()
    try:
        encoder.save(folder)
    except SafetensorError as error:  # also what a full disk comes to
        raise EnvironmentDown(f"{folder} can't be written: {error}") from error
    (folder / HOW).write_bytes(msgspec.json.format(msgspec.json.encode(training), indent=1))


def _require_free(folder: Path, force: bool) -> None:
    try:
        is_folder = folder.is_dir()
        if not is_folder and not folder.exists():
            return
        empty = is_folder and not any(folder.iterdir())
    except OSError as error:
        raise EnvironmentDown(f"{folder} can't be read: {error.strerror or error}") from error
    if not is_folder or not (empty or (folder / HOW).is_file()):
        raise UsageError(f"{folder} holds something that is no ranker", "name another folder")
    if not empty and not force:
        raise UsageError(f"{folder} holds a ranker", "name another folder, or give --force")


def learned_from(name: str) -> tuple[str, ...]:
    """The demonstrations that an encoder has learned from, in all the trainings that led to it.

    None are known of a model by name, and of a folder that does not say. Raises `BadData` as `training_of`.
    """
    folder = folder_of(name)
    training = None if folder is None else training_of(folder)
    return () if training is None else tuple(dict.fromkeys((*training.earlier, *training.demonstrations)))


def training_of(folder: Path) -> Training | None:
    """How the ranker in a folder was trained; None for a folder that does not say. Raises `BadData`."""
    file = folder / HOW
    try:
        if not file.is_file() or file.stat().st_size > LARGEST:
            return None
        return msgspec.json.decode(file.read_bytes(), type=Training)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadData(f"{file} can't be read: {error}") from error
