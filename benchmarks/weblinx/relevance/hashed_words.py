"""The encoder `hashed`: the words of a text, hashed into rows of one matrix, added up.

It is no model of the paper. It trains in seconds on a processor and needs no weights of others, so that
training, checkpoints and figures can be tried anywhere, and a transformer has something to beat.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from webbench.benchmarks.weblinx.relevance.bm25 import words
from webbench.benchmarks.weblinx.relevance.encoders import HASHED, Pair, Recipe, Told
from webbench.core.errors import BadData

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

ROWS, WIDTH = 1 << 14, 64
WEIGHTS = "hashed.safetensors"
LARGEST = 64 << 20
"""Bytes of a file of weights."""

_PART = re.compile(r"\[\[(\w+)\]\] ?(.*)")
_APART = ("tag", "xpath", "children")
"""Parts of an element whose words say where it stands, not what it says."""
_LEFT_OUT = ("bbox",)


def features(text: str) -> Iterator[str]:
    """Words of a state or an element; those of tag, path and children carry the name of their part."""
    for line in text.splitlines():
        part = _PART.fullmatch(line)
        if part is None or part[1] not in (*_APART, *_LEFT_OUT):
            yield from words(line if part is None else part[2])
        elif part[1] in _APART:
            yield from (f"{part[1]}:{word}" for word in words(part[2]))


class HashedWords:
    """A matrix with a row for each hashed word; a text is the weighted sum of its words' rows."""

    name = HASHED
    learning_rate = 0.01

    def __init__(self, matrix: NDArray[np.float32] | None = None) -> None:
        import numpy as np

        drawn = np.random.default_rng(0).normal(0.0, WIDTH**-0.5, (ROWS, WIDTH))
        self.matrix = drawn.astype(np.float32) if matrix is None else matrix

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row for each text."""
        import numpy as np

        found: NDArray[np.float32] = counted_words(texts) @ self.matrix
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        return (found / np.where(lengths == 0, 1, lengths)).astype(np.float32)

    def learn(self, pairs: Sequence[Pair], recipe: Recipe, told: Told) -> None:
        """Adam on the mean squared error of cosines. The same seed gives the same matrix."""
        import numpy as np

        queries, documents = (
            counted_words([getattr(pair, side) for pair in pairs]) for side in ("query", "document")
        )
        labels = np.array([pair.label for pair in pairs], dtype=np.float32)
        first, second = np.zeros_like(self.matrix), np.zeros_like(self.matrix)
        order, step = list(range(len(pairs))), 0
        steps = recipe.epochs * -(-len(pairs) // recipe.batch)
        for epoch in range(recipe.epochs):
            Random(recipe.seed + epoch).shuffle(order)
            losses = []
            for start in range(0, len(order), recipe.batch):
                at = order[start : start + recipe.batch]
                loss, slope = _loss(self.matrix, queries[at], documents[at], labels[at])
                rate = recipe.rate(step, steps, recipe.learning_rate or self.learning_rate)
                step += 1
                first = 0.9 * first + 0.1 * slope
                second = 0.999 * second + 0.001 * slope * slope
                mean, spread = first / (1 - 0.9**step), second / (1 - 0.999**step)
                self.matrix = (self.matrix - rate * mean / (np.sqrt(spread) + 1e-8)).astype(np.float32)
                losses.append(loss)
            told(epoch + 1, sum(losses) / len(losses))

    def save(self, folder: Path) -> None:
        """`hashed.safetensors`, one tensor of ROWS x WIDTH."""
        from safetensors.numpy import save_file

        save_file({"matrix": self.matrix}, folder / WEIGHTS)


def opened(folder: Path) -> HashedWords:
    """Raises `BadData` for a file that is damaged, of another shape, not of finite numbers, or too large."""
    import numpy as np
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    file = folder / WEIGHTS
    try:
        if file.stat().st_size > LARGEST:
            raise BadData(f"{file}: more than the {LARGEST:,} bytes that are read")
        matrix = load_file(file).get("matrix")
    except (OSError, SafetensorError, ValueError, KeyError) as error:
        raise BadData(f"{file} can't be read: {error}") from error
    if matrix is None or matrix.shape != (ROWS, WIDTH) or matrix.dtype.name != "float32":
        raise BadData(f"{file}: no matrix of {ROWS:,} x {WIDTH} numbers is in it")
    if not np.isfinite(matrix).all():
        raise BadData(f"{file}: a number of its matrix is not finite", "train the ranker again")
    return HashedWords(matrix)


def counted_words(texts: Sequence[str]) -> csr_array:
    """Texts x ROWS: 1 + ln of how often each hashed word occurs."""
    import numpy as np
    from scipy.sparse import csr_array

    ends, places, weights = [0], [], []
    for text in texts:
        for word, times in Counter(features(text)).items():
            places.append(zlib.crc32(word.encode("utf-8", "replace")) % ROWS)
            weights.append(1 + np.log(times))
        ends.append(len(places))
    return csr_array((np.array(weights, dtype=np.float32), places, ends), shape=(len(texts), ROWS))


def _loss(
    matrix: NDArray[np.float32], queries: csr_array, documents: csr_array, labels: NDArray[np.float32]
) -> tuple[float, NDArray[np.float32]]:
    """The mean of squared errors of the cosines, and its slope by the matrix."""
    import numpy as np

    left, right = queries @ matrix, documents @ matrix
    lengths = [np.maximum(np.linalg.norm(one, axis=1, keepdims=True), 1e-6) for one in (left, right)]
    left, right = left / lengths[0], right / lengths[1]
    cosines = np.sum(left * right, axis=1)
    error = (cosines - labels)[:, None]
    factor = 2 * error / len(labels)
    by_left = factor * (right - cosines[:, None] * left) / lengths[0]
    by_right = factor * (left - cosines[:, None] * right) / lengths[1]
    slope: NDArray[np.float32] = queries.T @ by_left + documents.T @ by_right
    return float(np.mean(error**2)), slope
