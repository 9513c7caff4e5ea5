"""Encoders: what turns a state or an element into a vector, and learns which of them belong together.

A dual encoder reads state and element apart, and compares their vectors by cosine (paper, appendix B.4).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

import msgspec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

HASHED, MINILM = "hashed", "minilm"


def folder_of(name: str) -> Path | None:
    """The folder that an encoder's name means, None where it is the name of a model.

    A folder begins with "/", "." or "~": what lies in the working folder under the name of a model, which may
    be a stranger's, never takes its place.
    """
    return Path(name).expanduser() if name.startswith((os.sep, ".", "~")) else None


class Pair(NamedTuple):
    """A state, an element, and 1 where the element was used in that state, else 0."""

    query: str
    document: str
    label: float


class Recipe(msgspec.Struct, frozen=True, kw_only=True):
    """How an encoder is trained; the values are those of the paper's published configuration for MiniLM.

    Attributes:
        negatives: elements of each turn that were not used, drawn by the seed.
        learning_rate: None: the encoder's own.
        warm_up: steps until the learning rate is reached; a tenth of all steps where these are fewer than ten
            times as many.
        longest: tokens of a text; what is longer is cut.
    """

    epochs: int = 10
    batch: int = 64
    negatives: int = 9
    learning_rate: float | None = None
    warm_up: int = 500
    longest: int = 512
    seed: int = 123

    def rate(self, step: int, steps: int, highest: float) -> float:
        """The learning rate at a step of so many: it rises to the highest, then falls to 0 on a line."""
        rising = max(1, min(self.warm_up, steps // 10))
        if step < rising:
            return highest * (step + 1) / rising
        return highest * max(0.0, (steps - step) / max(1, steps - rising))


Told = Callable[[int, float], None]
"""Called after each epoch with its number from 1 and the mean loss of its batches."""


class Encoder(Protocol):
    """Texts as vectors, and how to learn better ones."""

    name: str
    learning_rate: float

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row of length 1 for each text, or of zeros for one without a word."""
        ...

    def learn(self, pairs: Sequence[Pair], recipe: Recipe, told: Told) -> None:
        """Bring the cosine of each pair nearer to its label, by the mean of squared errors."""
        ...

    def save(self, folder: Path) -> None:
        """Write what `opened_encoder` opens again. Weights are safetensors; nothing is pickled."""
        ...
