"""The page of a turn as an observation, read from its recorded files."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from webbench.benchmarks.weblinx.course import CourseTurn
from webbench.benchmarks.weblinx.demonstrations import read_boxes
from webbench.benchmarks.weblinx.files import read_text
from webbench.benchmarks.weblinx.page_tree import Number, PageTree, page_tree
from webbench.core.errors import BadData
from webbench.core.observation import Observation, Tab, Viewport

NO_PAGE = "No page was recorded up to this turn"


class PageView(msgspec.Struct, frozen=True):
    """What an actor sees of a turn's page, and the ids in its markup by short id."""

    observation: Observation
    uids: Mapping[int, str] = {}


def page_view(turn: CourseTurn, number: Number) -> PageView:
    """Never raises: a page that can't be read is one that says why."""
    state = turn.shown
    viewport = state.viewport or Viewport()
    url = state.url
    if turn.shown_at < 0:
        return PageView(Observation(viewport=viewport, condition="closed", problem=NO_PAGE))
    try:
        html = read_text(state.page) if state.page else ""
        boxes = read_boxes(state.boxes) or {}
    except BadData as error:
        return PageView(Observation(url=url, viewport=viewport, condition="unreadable", problem=str(error)))
    tree = page_tree(html, boxes, viewport, number) if html else PageTree()
    title = _title(turn, tree.title)
    return PageView(
        Observation(
            url=url,
            title=title,
            tabs=(Tab(0, title, url, active=True),),
            nodes=tree.nodes,
            viewport=viewport,
            frames=(url,),
            source="none",
        ),
        tree.uids,
    )


def _title(turn: CourseTurn, title: str) -> str:
    """Says so where the page is one of an earlier turn."""
    older = "" if turn.shown_at == turn.index else f" (page of turn {turn.shown_at})"
    return f"{title or 'untitled'}{older}"
