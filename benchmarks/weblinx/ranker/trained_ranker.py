"""Training a ranker on labelled turns, and the folder that keeps it: its weights and how they came about."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Sequence
from pathlib import Path
from random import Random

import msgspec

from webbench.benchmarks.weblinx.ranker.encoders import Encoder, Pair, Recipe, Told
from webbench.benchmarks.weblinx.ranker.labelled_elements import LabelledTurn
from webbench.core.errors import BadData, UsageError

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
        turns, pairs: what it learned from.
        losses: mean squared error of the cosines, epoch by epoch.
    """

    format: int = FORMAT
    encoder: str
    split: str
    recipe: Recipe
    demonstrations: tuple[str, ...]
    held_back: tuple[str, ...] = ()
    turns: int = 0
    pairs: int = 0
    losses: tuple[float, ...] = ()


def held_back(names: Sequence[str], share: float, seed: int) -> tuple[str, ...]:
    """About so great a share of the demonstrations, by hash of name and seed: a name that joins moves none.

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
) -> Training:
    """Train the encoder in place on the turns whose demonstration is not kept back.

    Raises `UsageError` where no turn is left.
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
        losses.append(loss)
        told(epoch, loss)

    encoder.learn(pairs, recipe, noted)
    return Training(
        encoder=encoder.name,
        split=split,
        recipe=recipe,
        demonstrations=tuple(dict.fromkeys(turn.demonstration for turn in learned)),
        held_back=tuple(kept_back),
        turns=len(learned),
        pairs=len(pairs),
        losses=tuple(losses),
    )


def save(encoder: Encoder, training: Training, folder: Path, *, force: bool = False) -> None:
    """Write the checkpoint. Raises `UsageError` where something else is there, or one and not `force`."""
    require_free(folder, force=force)
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    encoder.save(folder)
    (folder / HOW).write_bytes(msgspec.json.format(msgspec.json.encode(training), indent=1))


def require_free(folder: Path, *, force: bool = False) -> None:
    """Raises `UsageError` where the folder holds something that is no checkpoint, or one and not `force`."""
    if not folder.exists():
        return
    if not folder.is_dir() or (any(folder.iterdir()) and not (folder / HOW).is_file()):
        raise UsageError(f"{folder} holds something that is no ranker", "name another folder")
    if any(folder.iterdir()) and not force:
        raise UsageError(f"{folder} holds a ranker", "name another folder, or give --force")


def training_of(folder: Path) -> Training | None:
    """How the ranker in a folder was trained; None for a folder that does not say. Raises `BadData`."""
    file = folder / HOW
    try:
        if not file.is_file() or file.stat().st_size > LARGEST:
            return None
        return msgspec.json.decode(file.read_bytes(), type=Training)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadData(f"{file} can't be read: {error}") from error
