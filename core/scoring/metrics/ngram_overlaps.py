"""The n-gram overlaps of many pairs of texts at once: what `chrf.overlap` gives, several times as fast.

All n-grams of one order become one array of integers, and one sort brings equal ones together. Each holds,
from its highest bits: the number of the pair, up to six one-byte characters, and the side.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from webbench.core.scoring.metrics.chrf import ORDERS, Overlap, overlap

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

Pair = tuple[str, str]

_ONE_BYTE = "cp1252"
"""Western letters, typographic quotes and dashes: a byte for every character."""
_CHARACTER_BITS = 8
_PAIR_SHIFT = ORDERS * _CHARACTER_BITS + 1
_BLANKS = bytes(byte for byte in range(256) if bytes([byte]).decode(_ONE_BYTE, "replace").isspace())
_LARGEST_BATCH = 128
"""Pairs at a time: few enough for arrays that stay in the processor's cache, at most 2 ** 14."""
_FEWEST = 64
"""Below this many pairs the array work costs more than it saves."""


def overlaps(pairs: Iterable[Pair]) -> dict[Pair, Overlap]:
    """Of every (prediction, reference): mean n-gram precision and recall, equal to the last bit to `overlap`.

    Pairs whose characters fit into one byte are done together, the others one by one.
    """
    found: dict[Pair, Overlap] = {}
    together: dict[Pair, tuple[bytes, bytes]] = {}
    for pair in dict.fromkeys(pairs):
        bare = _one_byte(pair)
        if bare is None:
            found[pair] = overlap(*pair)
        else:
            together[pair] = bare
    if len(together) < _FEWEST:
        return found | {pair: overlap(*pair) for pair in together}
    names, texts = list(together), list(together.values())
    for start in range(0, len(names), _LARGEST_BATCH):
        part = slice(start, start + _LARGEST_BATCH)
        found.update(zip(names[part], _overlaps(texts[part]), strict=True))
    return found


def _one_byte(pair: Pair) -> tuple[bytes, bytes] | None:
    """Both texts without white space, a byte per character; None for characters that don't fit, and for
    equal and empty texts, which need no counting.
    """
    try:
        predicted = pair[0].encode(_ONE_BYTE).translate(None, _BLANKS)
        wanted = pair[1].encode(_ONE_BYTE).translate(None, _BLANKS)
    except UnicodeEncodeError:
        return None
    return (predicted, wanted) if predicted and wanted and predicted != wanted else None


def _overlaps(pairs: Sequence[tuple[bytes, bytes]]) -> list[Overlap]:
    """Of texts that are not empty."""
    import numpy as np

    sides = [[pair[side] for pair in pairs] for side in (0, 1)]
    lengths = [np.fromiter(map(len, texts), np.int64, len(texts)) for texts in sides]
    orders = np.minimum(np.minimum(*lengths), ORDERS)
    precision, recall = np.zeros(len(pairs)), np.zeros(len(pairs))
    for order, shared in enumerate(_shared(sides, lengths)):
        enough = orders > order
        precision[enough] += shared[enough] / (lengths[0][enough] - order)
        recall[enough] += shared[enough] / (lengths[1][enough] - order)
    return list(map(Overlap, (precision / orders).tolist(), (recall / orders).tolist()))


def _shared(sides: Sequence[Sequence[bytes]], lengths: Sequence[Integers]) -> list[Integers]:
    """How many n-grams the two texts of each pair share, by order."""
    import numpy as np

    pairs = len(sides[0])
    texts = b"".join(b"".join(side) for side in sides)
    characters = np.frombuffer(texts, np.uint8).astype(np.int64) << 1
    every_length = np.concatenate(lengths)
    left = np.repeat(np.cumsum(every_length), every_length) - np.arange(len(characters))
    marks = np.concatenate([(np.arange(pairs) << _PAIR_SHIFT) + side for side in (0, 1)])
    owners = np.repeat(marks, every_length)
    grams = np.zeros(len(characters), np.int64)
    counts: list[Integers] = []
    for order in range(1, ORDERS + 1):
        grams = (grams[: len(characters) - order + 1] << _CHARACTER_BITS) + characters[order - 1 :]
        whole = left[: len(grams)] >= order
        counts.append(_common((grams + owners[: len(grams)])[whole], pairs))
    return counts


def _common(keys: Integers, pairs: int) -> Integers:
    """Sizes of the intersections of two multisets, by pair; the lowest bit of a key is its side."""
    import numpy as np

    if not len(keys):
        return np.zeros(pairs, np.int64)
    keys.sort()
    grams = keys >> 1
    starts = np.append(0, np.flatnonzero(grams[1:] != grams[:-1]) + 1)
    often = np.diff(starts, append=len(keys))
    wanted = np.add.reduceat(keys & 1, starts)
    owners = grams[starts] >> (_PAIR_SHIFT - 1)
    return np.bincount(owners, np.minimum(often - wanted, wanted), pairs).astype(np.int64)
