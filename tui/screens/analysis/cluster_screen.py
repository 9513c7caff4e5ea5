"""Failures that are alike: clusters with size, words and a typical episode; a key makes one a code."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen

from webbench.core.analysis.clusters.episode_words import EpisodeWords
from webbench.core.analysis.clusters.failed_episodes import failed_episodes, left_out, places_of
from webbench.core.analysis.clusters.failure_clusters import Cluster, Clustered, failure_clusters
from webbench.core.errors import WebbenchError
from webbench.core.store.store import Store
from webbench.core.text.no_value import or_dash
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted
from webbench.tui.commands import bindings
from webbench.tui.screens.analysis.episodes import EpisodesBehind
from webbench.tui.screens.dialogs.open_coding import WHO
from webbench.tui.screens.dialogs.prompt import TextPrompt
from webbench.tui.widgets.lines.key_footer import KeyFooter
from webbench.tui.widgets.lists.record_table import Columns, RecordColumn, RecordTable
from webbench.tui.workbench import annotator_of
from webbench.tui.workers import run_worker

PROPOSED = 3
"""Words of a cluster that are proposed as the title of its code."""


class ClusterTable(RecordTable[Cluster]):
    """The largest first; `codes` are those that were made of them, by number; `intents` are of episodes."""

    nothing_text = empty_text = "Reading the episodes that failed…"

    def __init__(self, **names: Any) -> None:
        self.codes: dict[int, str] = {}
        self.intents: dict[str, str] = {}
        columns: Columns[Cluster] = (
            RecordColumn("Cluster", lambda one: str(one.number), 7, 9, right=True),
            RecordColumn("Episodes", lambda one: f"{len(one.episodes):,}", 8, 9, right=True),
            RecordColumn("Alike", lambda one: or_dash(one.likeness, ".2f"), 5, 5, right=True),
            RecordColumn("Words", lambda one: " ".join(one.words), 0, 9, least=24),
            RecordColumn("Code", lambda one: self.codes.get(one.number, ""), 0, 6, least=10),
            RecordColumn("Typical", self._typical, 0, 4, least=20),
        )
        super().__init__(columns, lambda one: one.number, "cluster", **names)

    def _typical(self, one: Cluster) -> str:
        return self.intents.get(one.typical) or one.typical.partition("/")[2]

    def columns_for(self, columns: Columns[Cluster]) -> Columns[Cluster]:
        return columns if self.codes else tuple(one for one in columns if one.title != "Code")


class ClustersScreen(Screen[None]):
    """A table of clusters; Enter shows the episodes of one, the typical one first."""

    CSS = "ClusterTable { height: 1fr; }"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("clusters")]
    AUTO_FOCUS = "ClusterTable"

    def __init__(self, store: Store, runs: Sequence[str]) -> None:
        super().__init__()
        self.store = store
        self.runs = tuple(runs)
        self.clustered: Clustered | None = None
        self._episodes: Sequence[EpisodeWords] = ()
        self._annotator = ""

    def compose(self) -> ComposeResult:
        yield ClusterTable()
        yield KeyFooter()

    def on_mount(self) -> None:
        self.query_one(ClusterTable).say("Failures that are alike")
        run_worker(self, self._read, exclusive=True)

    async def _read(self) -> None:
        table = self.query_one(ClusterTable)
        problems: list[str] = []
        try:
            self._episodes, found = await asyncio.to_thread(self._found, problems)
        except WebbenchError as error:
            table.nothing_text = plain_text("; ".join([f"{error}", *problems]), limit=400)
            table.records = ()
            return
        self.clustered = found
        apart = f"silhouette {or_dash(found.silhouette, '.2f')} (1 well apart, 0 not at all)"
        table.say(f"Failures that are alike · {apart}")
        table.intents = await asyncio.to_thread(self._intents)
        table.records = found.clusters
        if found.wordless:
            problems.append(
                f"{counted(len(found.wordless), 'episode')} without words of their own in no cluster"
            )
        if problems:
            self.notify(plain_text("; ".join(problems), limit=400), severity="warning", markup=False)

    def _intents(self) -> dict[str, str]:
        return {
            f"{one.run}/{one.episode}": one.intent for run in self.runs for one in self.store.episodes(run)
        }

    def _found(self, problems: list[str]) -> tuple[Sequence[EpisodeWords], Clustered]:
        failures = failed_episodes(self.store, places_of(self.store, self.runs), problems)
        if failures.unscored:
            problems.append(left_out(failures.unscored))
        return failures.episodes, failure_clusters(failures.episodes)

    def on_record_table_activated(self, message: RecordTable.Activated) -> None:
        cluster = message.table.record
        if cluster is not None:
            self.app.push_screen(EpisodesBehind(self.store, cluster.episodes))

    def action_code(self) -> None:
        """Ask for the title of a code, and hold the cluster for it until a person confirms it."""
        cluster = self.query_one(ClusterTable).record
        if cluster is not None and self.clustered is not None:
            run_worker(self, partial(self._code, self.clustered, cluster), exclusive=True, group="coding")

    async def _code(self, clustered: Clustered, cluster: Cluster) -> None:
        from webbench.core.people.labelling.cluster_coding import code_of_cluster

        self._annotator = annotator_of(self) or self._annotator
        if not self._annotator:
            given = await self.app.push_screen_wait(TextPrompt(WHO, placeholder="for example: rater-1"))
            self._annotator = (given or "").strip()
        if not self._annotator:
            return
        question = f"A code for the {counted(len(cluster.episodes), 'episode')} of cluster {cluster.number}:"
        value = " ".join(cluster.words[:PROPOSED])
        title = await self.app.push_screen_wait(TextPrompt(question, value=value, placeholder="a few words"))
        if title is None or not title.strip():
            return
        make = partial(
            code_of_cluster, self.store, clustered, cluster, self._episodes, title, self._annotator
        )
        try:
            book, code, verdicts = await asyncio.to_thread(make)
        except WebbenchError as error:
            self._annotator = ""
            self.notify(plain_text(f"{error}", limit=400), severity="error", markup=False)
            return
        table = self.query_one(ClusterTable)
        table.codes[cluster.number] = code.name
        table.columns_changed()
        table.refresh()
        waiting = f"{counted(verdicts, 'verdict')} {code.name}"
        told = f"{waiting} to be confirmed on the labelling screen by {book.name}."
        self.notify(plain_text(told, limit=300), markup=False)

    def action_back(self) -> None:
        self.dismiss(None)
