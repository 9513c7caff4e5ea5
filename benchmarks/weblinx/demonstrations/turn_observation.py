"""The page of a turn as an observation, read from its recorded files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from webbench.benchmarks.weblinx.candidates.encoder_text import CandidateText, candidate_texts
from webbench.benchmarks.weblinx.demonstrations.course import Course, CourseTurn
from webbench.benchmarks.weblinx.pages.accessibility_tree import Number, PageTree, page_tree
from webbench.benchmarks.weblinx.pages.element_files import read_boxes
from webbench.benchmarks.weblinx.pages.elements import Page
from webbench.benchmarks.weblinx.turns.files import read_text
from webbench.core.errors import BadData
from webbench.core.observation import Observation, Tab, Viewport

NO_PAGE = "No page was recorded up to this turn"


class PageView(msgspec.Struct, frozen=True):
    """What an actor sees of a turn's page, and what it was made from.

    Attributes:
        uids: the ids in its markup by short id.
        texts: its elements as rankings read them.
    """

    observation: Observation
    uids: Mapping[int, str] = {}
    texts: Sequence[CandidateText] = ()


def page_view(turn: CourseTurn, page: Callable[[], Page], number: Number) -> PageView:
    """Never raises: a page that can't be read is one that says why.

    Args:
        page: gives what is known of the elements where no file holds the page.
    """
    state = turn.shown
    viewport = state.viewport or Viewport()
    url = state.url
    if turn.shown_at < 0:
        return PageView(Observation(viewport=viewport, condition="closed", problem=NO_PAGE))
    try:
        html = read_text(state.page) if state.page else state.markup
        boxes = page().boxes if not state.page else read_boxes(state.boxes) if state.boxes else None
    except BadData as error:
        return PageView(Observation(url=url, viewport=viewport, condition="unreadable", problem=str(error)))
    boxes = boxes or {}
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
        () if tree.root is None else candidate_texts(tree.root, boxes, viewport),
    )


def page_texts(course: Course, index: int) -> Sequence[CandidateText]:
    """The elements of the page that a turn shows, as rankings read them; none where it has no page."""
    turn = course.turns[index]
    page = course.turns[max(0, turn.shown_at)].turn.page
    return page_view(turn, page, lambda _: 0).texts


def page_markup(course: Course, index: int) -> str:
    """The HTML of the page that a turn shows, "" where there is none or it can't be read."""
    turn = course.turns[index]
    if turn.shown_at < 0:
        return ""
    try:
        return read_text(turn.shown.page) if turn.shown.page else turn.shown.markup
    except BadData:
        return ""


def _title(turn: CourseTurn, title: str) -> str:
    """Says so where the page is one of an earlier turn."""
    older = "" if turn.shown_at == turn.index else f" (page of turn {turn.shown_at})"
    return f"{title or 'untitled'}{older}"
