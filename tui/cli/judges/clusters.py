"""`label clusters`: failures that are alike, each cluster with its typical episode and its words."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated

import msgspec
import typer

from webbench.core.analysis.clusters.cluster_codes import cluster_taxonomy, cluster_verdicts, code_name
from webbench.core.analysis.clusters.episode_words import EpisodeWords
from webbench.core.analysis.clusters.failed_episodes import failed_episodes, left_out
from webbench.core.analysis.clusters.failure_clusters import (
    SCHEMA_VERSION,
    Clustered,
    failure_clusters,
    with_words,
)
from webbench.core.analysis.rubrics.kept_verdicts import JudgedEpisode, keep
from webbench.core.errors import UsageError
from webbench.core.labels.taxonomy import Question, Taxonomy
from webbench.core.labels.written_taxonomy import write_taxonomy
from webbench.core.models.model_client import ChatClient
from webbench.core.models.tokens import token_count
from webbench.core.runner.plan.declared_options import Option
from webbench.core.scoring.judges.judge_choice import judge_key
from webbench.core.settings.load_settings import load_settings
from webbench.core.settings.locations import taxonomies_folder
from webbench.core.store.store import Store
from webbench.core.text.no_value import or_dash
from webbench.core.text.plural import counted
from webbench.tui.cli.judges.ask import model_judge
from webbench.tui.cli.options import AsJson, LabelledRuns, StorePath, asking
from webbench.tui.cli.output import print_json, print_table, print_text, say
from webbench.tui.cli.people.label import places_to_label, told_codebook
from webbench.tui.cli.place import open_store

HEADERS = ("cluster", "episodes", "alike", "typical", "words")


class ClustersRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `label clusters` asks for."""

    runs: LabelledRuns = ()
    everything: Annotated[
        bool, Option(flag="--all", help="Also episodes that were solved, or have no score.")
    ] = False
    count: Annotated[int, Option(help="How many clusters; as many as are best apart if not given.")] = 0
    name: Annotated[
        str, Option(help="Make a taxonomy of this name with a code for each cluster, to be confirmed.")
    ] = ""
    cluster: Annotated[int, Option(help="With --code: the number of a cluster.")] = 0
    code: Annotated[
        str, Option(help="Hold the --cluster for taxonomy.question.code, to be confirmed by a person.")
    ] = ""
    embeddings: Annotated[
        str, Option(help="A model that tells what is alike in place of words: 'NAME url=ADDRESS'.")
    ] = ""
    store: StorePath = None


@asking(ClustersRequest)
def label_clusters_command(request: ClustersRequest, as_json: AsJson = False) -> None:
    """Failures that are alike in the words of their steps, pages and unmet checks.

    Each cluster with its typical episode and the words that tell it from others. Words of the task don't
    count; episodes without words of their own are named and in no cluster. --name, or --cluster with --code,
    makes verdicts of them that are confirmed on the labelling screen. Exit 4 where an episode could not be
    read.
    """
    raise typer.Exit(print_clusters(request, as_json=as_json))


def print_clusters(request: ClustersRequest, *, as_json: bool) -> int:
    """Print them, and keep verdicts where a code is wanted: 0, or 4 where an episode can't be read.

    Raises `UsageError` for too few episodes, an unknown cluster, code or name.
    """
    store = open_store(request.store)
    problems: list[str] = []
    places = places_to_label(store, request.runs)
    failures = failed_episodes(store, places, problems, everything=request.everything)
    if failures.unscored:
        say(f"{left_out(failures.unscored)}; --all takes them in")
    found = _clustered(request, failures.episodes)
    kept = _coded(store, request, found, failures.episodes)
    if as_json:
        told = {**msgspec.to_builtins(found), "unscored": failures.unscored, "verdicts": len(kept)}
        print_json({"schema_version": SCHEMA_VERSION, **told})
    else:
        _print(found)
    if kept:
        name = kept[0].taxonomy
        say(f"{counted(len(kept), 'verdict')} to be confirmed: `webbench-tui label RUN --taxonomy {name}`")
    for problem in problems:
        say(problem)
    return 4 if problems else 0


def _clustered(request: ClustersRequest, episodes: Sequence[EpisodeWords]) -> Clustered:
    """By words, or by the embeddings of a model. Raises `EnvironmentDown` where it gives none."""
    if not request.embeddings:
        return failure_clusters(episodes, request.count)
    settings = load_settings()
    judge = model_judge(request.embeddings, settings)
    texts = [one.text for one in with_words(episodes)]
    say(f"{judge.name} is given {counted(len(texts), 'text')}, about {sum(map(token_count, texts)):,} tokens")

    async def vectors() -> list[list[float]]:
        client = ChatClient(judge.endpoint, judge_key(settings.judge))
        try:
            return await client.embed(texts)
        finally:
            await client.close()

    return failure_clusters(episodes, request.count, asyncio.run(vectors()), by=judge.name)


def _coded(
    store: Store, request: ClustersRequest, found: Clustered, episodes: Sequence[EpisodeWords]
) -> list[JudgedEpisode]:
    """The verdicts that were kept, none where no code is wanted."""
    if not (request.name or request.code or request.cluster):
        return []
    if bool(request.name) == bool(request.code) or bool(request.code) != bool(request.cluster):
        raise UsageError("It isn't clear what is to become a code", "give --name, or --cluster with --code")
    codebook = told_codebook(store)
    taxonomy: Taxonomy
    question: Question
    if request.name:
        if request.name in codebook.taxonomies:
            raise UsageError(f'There is a taxonomy "{request.name}" already', "give another --name")
        taxonomy = cluster_taxonomy(found, request.name)
        (question,) = taxonomy.questions
        codes = {cluster.number: code_name(cluster) for cluster in found.clusters}
        say(f"The taxonomy is {write_taxonomy(taxonomy, taxonomies_folder())}")
    else:
        name, _, code = request.code.partition(".")
        taxonomy = codebook.taxonomy(name)
        question, given = taxonomy.find(code)
        codes = {request.cluster: given.name}
        if not 1 <= request.cluster <= len(found.clusters):
            raise UsageError(f"There is no cluster {request.cluster}", f"they are 1 to {len(found.clusters)}")
    verdicts = cluster_verdicts(found, taxonomy, question, codes, episodes)
    keep(store, verdicts)
    return verdicts


def _print(found: Clustered) -> None:
    rows = [
        (one.number, len(one.episodes), or_dash(one.likeness), one.typical, " ".join(one.words))
        for one in found.clusters
    ]
    print_table(HEADERS, rows, numbers=(0, 1, 2), flexible=(3, 4))
    print_text(f"by {found.by}; silhouette {or_dash(found.silhouette)} (1 well apart, 0 not at all)")
    if found.wordless:
        print_text(f"in no cluster, without words of their own: {', '.join(found.wordless)}")
