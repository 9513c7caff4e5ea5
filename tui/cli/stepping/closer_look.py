"""A closer look at the page of `step` by lines: the HTML of a node or of all of it, the step in a browser."""

from __future__ import annotations

import msgspec

from webbench.core.episode.episode import Episode
from webbench.core.errors import BadData, UsageError
from webbench.core.renderings.outer_html import HtmlLines, PageHtml
from webbench.core.report.pages.opened_step import KINDS, StepFileKind, write_step_file
from webbench.core.store.store import Store
from webbench.core.trajectory import Trajectory
from webbench.tui.cli.place import open_concealing
from webbench.tui.terminal import open_in_browser


class ShownHtml(msgspec.Struct, frozen=True, kw_only=True):
    """HTML as it was recorded.

    Attributes:
        step: with which step.
        search: what was looked for in it, "" for nothing.
        matches: numbers of the lines that have it, from 1.
    """

    step: int
    html: HtmlLines
    search: str = ""
    matches: tuple[int, ...] = ()


class OpenedStep(msgspec.Struct, frozen=True, kw_only=True):
    """A step as a file.

    Attributes:
        opened: a browser was at hand that shows it.
        unread: what of the record could not be read for it.
    """

    kind: StepFileKind
    file: str
    address: str
    opened: bool
    unread: tuple[str, ...] = ()


def shown_html(episode: Episode, store: Store, asked: str) -> ShownHtml:
    """What is asked for as "12", "12 TEXT", "page" or "page TEXT"; nothing means the page.

    Raises `UsageError` for what is no node of the page, or where no HTML is recorded yet.
    """
    wanted, _, search = asked.partition(" ")
    number = wanted.strip("[]")
    is_node = number.isascii() and number.isdecimal() and len(number) < 12
    if wanted not in ("", "page") and not (is_node and episode.observation.node(int(number))):
        raise UsageError(
            f"There is no node {wanted} on the page", "write :html page, or the number of a node"
        )
    step = next((one for one in reversed(episode.steps) if one.html), None)
    if step is None:
        raise UsageError("No HTML is recorded yet", "a setting may have left it out")
    page = PageHtml(store.html(Trajectory(header=episode.header), step))
    html = page.node(episode.observation, int(number)) if is_node else page.page()
    search = search.strip()
    sought = search.casefold()
    found = (at for at, line in enumerate(html.lines, 1) if sought and sought in line.casefold())
    return ShownHtml(step=step.index, html=html, search=search, matches=tuple(found))


def opened_step(episode: Episode, store: Store, asked: str) -> OpenedStep:
    """The last step as the file that is asked for, "" for the report; opened where a browser is at hand.

    Raises `UsageError` for what is no kind of file, or where the step has nothing of it.
    """
    kind: StepFileKind | None = next((one for one in KINDS if one == (asked or "report")), None)
    if kind is None:
        raise UsageError(f'A step can\'t be opened as "{asked}"', f"one of {', '.join(KINDS)}")
    concealing = open_concealing(store.root)
    trajectory = concealing.load(store.root / episode.header.run / episode.header.episode)
    try:
        written = write_step_file(concealing, trajectory, len(trajectory.steps) - 1, kind)
    except BadData as error:
        raise UsageError(error.message, error.hint) from error
    return OpenedStep(
        kind=kind,
        file=str(written.file),
        address=written.address,
        opened=open_in_browser(written.address),
        unread=written.unread,
    )
