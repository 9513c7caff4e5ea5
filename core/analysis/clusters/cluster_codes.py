"""Clusters as codes: each of their episodes gets a verdict that a person confirms or rejects."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from webbench.core.analysis.clusters.episode_words import EpisodeWords
from webbench.core.analysis.clusters.failure_clusters import Cluster, Clustered
from webbench.core.analysis.rubrics.citations import Citation
from webbench.core.analysis.rubrics.kept_verdicts import JudgedEpisode, rater_name
from webbench.core.errors import UsageError
from webbench.core.labels.taxonomy import Code, Question, Taxonomy
from webbench.core.score.score import digest
from webbench.core.text.plain_text import plain_clip

QUESTION = "failure"
METHOD = "tfidf"
CITED = 3
"""Words of the cluster that are cited of an episode."""


def cluster_taxonomy(clustered: Clustered, name: str) -> Taxonomy:
    """A taxonomy with a code for each cluster, named by its two most telling words.

    Raises `UsageError` for a name that can't be one.
    """
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,39}", name):
        raise UsageError(f'"{plain_clip(name, 60)}" is no name for a taxonomy', "use a-z, 0-9 and hyphens")
    codes = tuple(
        Code(
            name=code_name(cluster),
            title=" ".join(cluster.words[:3]) or f"cluster {cluster.number}",
            definition=f"Like {cluster.typical}: {', '.join(cluster.words) or 'no word of its own'}"[:400],
        )
        for cluster in clustered.clusters
    )
    question = Question(name=QUESTION, text="Which kind of failure?", places=("episode",), codes=codes)
    return Taxonomy(
        name=name, version=1, title=f"Clusters {name}", source="clusters of failures", questions=(question,)
    )


def code_name(cluster: Cluster) -> str:
    """ "3-login-password": the number keeps names apart."""
    words = [word for word in cluster.words if re.fullmatch(r"[a-z]+", word)][:2]
    return "-".join([str(cluster.number), *words])[:40].rstrip("-")


def cluster_verdicts(
    clustered: Clustered,
    taxonomy: Taxonomy,
    question: Question,
    codes: Mapping[int, str],
    episodes: Iterable[EpisodeWords],
) -> list[JudgedEpisode]:
    """A verdict for each episode of the clusters that have a code, citing steps that have the words.

    Args:
        codes: by number of the cluster.
    """
    told = {one.name: one for one in episodes}
    version = digest([[*cluster.episodes, *cluster.words] for cluster in clustered.clusters])
    found: list[JudgedEpisode] = []
    for cluster in clustered.clusters:
        for name in cluster.episodes if cluster.number in codes else ():
            one = told[name]
            words = [word for word in cluster.words if word in one.steps][:CITED]
            found.append(
                JudgedEpisode(
                    run=one.run,
                    episode=one.episode,
                    taxonomy=taxonomy.name,
                    version=taxonomy.version,
                    question=question.name,
                    code=codes[cluster.number],
                    citations=tuple(Citation(step=one.steps[word], quote=word) for word in words),
                    reason=f"in one cluster with {cluster.typical}: {', '.join(cluster.words)}",
                    rater=rater_name("clusters", digest(clustered.by), METHOD, version),
                    judge=f"clusters by {clustered.by}",
                    prompt=METHOD,
                    prompt_version=version[:8],
                    asked=version,
                )
            )
    return found
