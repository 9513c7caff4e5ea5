"""Failures that are alike: TF-IDF of their words, average linkage over cosine distances, one medoid each.

Nothing in it is random, and episodes are taken in order of their names: the same episodes give the same
clusters.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from webbench.core.analysis.clusters.episode_words import EpisodeWords
from webbench.core.errors import UsageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SCHEMA_VERSION = 1
MOST_EPISODES = 2_000
MOST_CLUSTERS = 12
"""That are tried where nobody says how many."""
MOST_TERMS = 5_000
LEAST_SHARE = 0.1
"""Of the episodes must have a word. Rarer ones tell what an episode was about, not how it failed."""
SHOWN_WORDS = 8
LEAST_EPISODES = 3

Vectors = Sequence[Sequence[float]]


class Cluster(msgspec.Struct, frozen=True, kw_only=True):
    """Episodes that are alike.

    Attributes:
        number: from 1, the largest first.
        episodes: as "run/episode", the typical one first, then by name.
        words: that tell it from the other clusters, the most telling first.
        likeness: mean cosine similarity of two of its episodes; None for one alone.
    """

    number: int
    episodes: tuple[str, ...]
    words: tuple[str, ...]
    likeness: float | None = None

    @property
    def typical(self) -> str:
        """The medoid: nearest to all others of the cluster."""
        return self.episodes[0]


class Clustered(msgspec.Struct, frozen=True, kw_only=True):
    """All clusters.

    Attributes:
        wordless: episodes that have no word of their own, and so are in none.
        silhouette: mean silhouette (Rousseeuw 1987), -1 to 1: how well they are apart; None where undefined.
        by: what distances are of: "words", or a model's embeddings.
    """

    clusters: tuple[Cluster, ...]
    wordless: tuple[str, ...] = ()
    silhouette: float | None = None
    by: str = "words"


def with_words(episodes: Sequence[EpisodeWords]) -> list[EpisodeWords]:
    """Those that have words, in order of their names."""
    return sorted((one for one in episodes if one.counts), key=lambda one: one.name)


def failure_clusters(
    episodes: Sequence[EpisodeWords], count: int = 0, embeddings: Vectors = (), by: str = "words"
) -> Clustered:
    """Clusters of the episodes.

    Args:
        count: how many; 0 for the number with the best silhouette.
        embeddings: one for each of `with_words(episodes)`, in place of TF-IDF; `by` names their model.

    Raises `UsageError` for too few or too many episodes, or clusters.
    """
    import numpy as np

    told = with_words(episodes)
    wordless = tuple(sorted(one.name for one in episodes if not one.counts))
    if not LEAST_EPISODES <= len(told) <= MOST_EPISODES:
        raise UsageError(
            f"clusters need {LEAST_EPISODES} to {MOST_EPISODES:,} failed episodes with words, and here are "
            f"{len(told):,}",
            "take more runs" if len(told) < LEAST_EPISODES else "take fewer runs",
        )
    if count and not 2 <= count < len(told):
        raise UsageError(f"{len(told)} episodes can't be {count} clusters", f"take 2 to {len(told) - 1}")
    terms, weights = _tf_idf(told)
    vectors = np.array(embeddings, dtype=np.float64) if len(embeddings) else weights
    distances = _distances(vectors)
    labels, silhouette = _cut(distances, count)
    groups = [np.flatnonzero(labels == label) for label in np.unique(labels)]
    groups.sort(key=lambda rows: (-len(rows), told[rows[0]].name))
    clusters = tuple(
        _cluster(number, rows, told, terms, weights, distances) for number, rows in enumerate(groups, 1)
    )
    return Clustered(clusters=clusters, wordless=wordless, silhouette=silhouette, by=by)


def _tf_idf(told: Sequence[EpisodeWords]) -> tuple[list[str], NDArray[np.float64]]:
    """Terms, and for each episode their weights: (1 + log tf) * log(n / df), of length 1.

    Words of too few episodes make nothing alike and words of all tell nothing apart, so both are left out.
    """
    import numpy as np

    frequencies = Counter(word for one in told for word in one.counts)
    least = max(2, math.ceil(LEAST_SHARE * len(told)))
    useful = [word for word, many in frequencies.items() if least <= many < len(told)]
    useful = useful or list(frequencies)
    terms = sorted(useful, key=lambda word: (-frequencies[word], word))[:MOST_TERMS]
    columns = {word: at for at, word in enumerate(terms)}
    weights = np.zeros((len(told), len(terms)))
    for row, one in enumerate(told):
        for word, many in one.counts.items():
            if word in columns:
                rarity = math.log(len(told) / frequencies[word]) or 1.0
                weights[row, columns[word]] = (1 + math.log(many)) * rarity
    return terms, _unit(weights)


def _unit(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    import numpy as np

    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: NDArray[np.float64] = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return unit


def _distances(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Cosine distances, 0 to 2, rounded so that the order of sums decides nothing."""
    import numpy as np

    unit = _unit(vectors)
    found = np.asarray(np.round(np.clip(1 - unit @ unit.T, 0, 2), 12), dtype=np.float64)
    np.fill_diagonal(found, 0)
    return np.maximum(found, found.T)


def _cut(distances: NDArray[np.float64], count: int) -> tuple[NDArray[np.int64], float | None]:
    """A label for each row, and the silhouette of the cut."""
    import numpy as np
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform

    tree = linkage(squareform(distances, checks=False), method="average")
    tried = [count] if count else range(2, min(MOST_CLUSTERS, len(distances) - 1) + 1)
    cuts = [np.asarray(fcluster(tree, many, criterion="maxclust"), dtype=np.int64) for many in tried]
    scored = [(_silhouette(distances, labels), labels) for labels in cuts]
    best = max(scored, key=lambda one: -2.0 if one[0] is None else one[0])
    return best[1], best[0]


def _silhouette(distances: NDArray[np.float64], labels: NDArray[np.int64]) -> float | None:
    """Mean over all rows; a row alone in its cluster counts 0. None for one cluster."""
    import numpy as np

    names = np.unique(labels)
    if len(names) < 2:
        return None
    means = np.stack([distances[:, labels == name].mean(axis=1) for name in names], axis=1)
    values = []
    for row, label in enumerate(labels):
        own = int((labels == label).sum())
        if own == 1:
            values.append(0.0)
            continue
        at = int(np.flatnonzero(names == label)[0])
        within = means[row, at] * own / (own - 1)
        beside = float(np.delete(means[row], at).min())
        values.append((beside - within) / max(beside, within, 1e-12))
    return float(np.mean(values))


def _cluster(
    number: int,
    rows: NDArray[np.int64],
    told: Sequence[EpisodeWords],
    terms: Sequence[str],
    weights: NDArray[np.float64],
    distances: NDArray[np.float64],
) -> Cluster:
    import numpy as np

    own = distances[np.ix_(rows, rows)]
    typical = int(rows[int(own.sum(axis=1).argmin())])
    others = np.delete(weights, rows, axis=0)
    beside = others.mean(axis=0) if len(others) else np.zeros(weights.shape[1])
    telling = np.round(weights[rows].mean(axis=0) - beside, 9)
    order = sorted(range(len(terms)), key=lambda at: (-telling[at], terms[at]))
    words = tuple(terms[at] for at in order[:SHOWN_WORDS] if telling[at] > 0)
    pairs = len(rows) * (len(rows) - 1)
    return Cluster(
        number=number,
        episodes=(told[typical].name, *(told[row].name for row in rows if row != typical)),
        words=words,
        likeness=float(1 - own.sum() / pairs) if pairs else None,
    )
