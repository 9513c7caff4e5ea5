"""A cluster of failures becomes a code: each of its episodes gets a verdict that a person confirms."""

from __future__ import annotations

from collections.abc import Sequence

from webbench.core.analysis.clusters.cluster_codes import cluster_verdicts
from webbench.core.analysis.clusters.episode_words import EpisodeWords
from webbench.core.analysis.clusters.failure_clusters import Cluster, Clustered
from webbench.core.analysis.rubrics.kept_verdicts import keep
from webbench.core.labels.codebook import load_codebook
from webbench.core.labels.taxonomy import Code, Taxonomy
from webbench.core.people.labelling.coder import Coder
from webbench.core.store.store import Store


def code_of_cluster(
    store: Store,
    clustered: Clustered,
    cluster: Cluster,
    episodes: Sequence[EpisodeWords],
    title: str,
    annotator: str,
) -> tuple[Taxonomy, Code, int]:
    """The open codebook with the code of this title, the code, and how many verdicts wait for a person.

    Args:
        episodes: that were clustered.

    Raises `UsageError` for a title or a name that is none, `StoreUnwritable`.
    """
    taxonomy, code, _ = Coder(store, load_codebook(), annotator).add(title)
    question, _ = taxonomy.find(code.name)
    verdicts = cluster_verdicts(clustered, taxonomy, question, {cluster.number: code.name}, episodes)
    keep(store, verdicts)
    return taxonomy, code, len(verdicts)
