"""The HTML of the node under the tree's cursor, as it was recorded with the step that is shown."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textual.screen import Screen
from textual.widgets import ContentSwitcher

from webbench.core.errors import WebbenchError
from webbench.core.observation import Observation
from webbench.core.renderings.outer_html import HtmlLines, PageHtml
from webbench.core.store.store import Store
from webbench.core.trajectory import EpisodeHeader, Step, Trajectory
from webbench.tui.widgets.lists.html_pane import HtmlPane
from webbench.tui.widgets.tree.accessibility_tree import AccessibilityTree
from webbench.tui.workers import run_worker

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class RecordedHtml:
    """Where the HTML of a page lies, and how its observation is read."""

    store: Path
    header: EpisodeHeader
    step: Step
    observation: Callable[[], Observation | None]


class NodeHtml:
    """Fills the HTML pane while it is in front.

    Args:
        source: the step whose page is shown, None where there is none.
    """

    def __init__(self, screen: Screen[Any], source: Callable[[], RecordedHtml | None]) -> None:
        self._screen = screen
        self._source = source
        self._blob = ""
        self._page: PageHtml | None = None

    def show_soon(self) -> None:
        if self._screen.query_one(ContentSwitcher).current == "html":
            run_worker(self._screen, self._show, group="html", exclusive=True)

    async def _show(self) -> None:
        pane, source = self._screen.query_one(HtmlPane), self._source()
        node = self._screen.query_one(AccessibilityTree).node
        wanted = node.id if node is not None and not pane.whole_page else None
        if source is None or not source.step.html:
            pane.show(HtmlLines(), "")
            return
        try:
            shown = await asyncio.to_thread(self._read, source, wanted)
        except WebbenchError as error:
            shown = HtmlLines(lines=(str(error),), how="the record is damaged")
        pane.show(shown, f"step {source.step.index}")

    def _read(self, source: RecordedHtml, node: int | None) -> HtmlLines:
        if self._page is None or self._blob != source.step.html:
            html = Store(source.store).html(Trajectory(header=source.header), source.step)
            self._page, self._blob = PageHtml(html), source.step.html
        observation = source.observation() if node is not None else None
        if observation is None or node is None:
            return self._page.page()
        return self._page.node(observation, node)
