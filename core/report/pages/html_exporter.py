"""The exporter of HTML: an episode as one self-contained page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from webbench.core.exchange.account.given import Places
from webbench.core.exchange.export_format import Source
from webbench.core.trajectory import Trajectory

SHORTEST = 0.05
"""Seconds of a span that is shown."""


class HtmlPage:
    """The report of an episode, as an exporter."""

    name = "html"
    title = "one self-contained HTML page of an episode, to scrub through"
    ending = ".html"
    several = False
    lacks = "the HTML of pages, boxes and states of nodes, and evidence"
    places = Places(
        no_place={
            "html": "pages are shown as tree and picture",
            "reasoning.calls": "it stands in the reply of the call",
            "labels.rulings": "they are the state of their dispute",
            "labels.memos": "memos are not shown",
            "labels.done": "only how many labels are hidden is shown",
            "exchanges": "evidence is not shown",
            "files": "files kept with an episode are not shown",
        },
        adds={
            "actions": "a step without an action is put in words, too",
            "trees": "a page on which several steps were done stands with each",
            "pictures": "a page on which several steps were done stands with each",
        },
    )

    def write(self, source: Source, path: Path) -> None:
        from webbench.core.report.pages.episode_page import episode_page

        for trajectory in source.trajectories():
            page, unread = episode_page(source.store, trajectory, pictures=source.pictures)
            for problem in unread:
                source.told.lose(problem)
            _tell_of_limits(source, trajectory)
            path.write_text(page, "utf-8", newline="\n")

    def count_written(self, path: Path) -> Mapping[str, int]:
        """By the markup of the pages."""
        from webbench.core.report.pages.counted_page import counted_pages

        return counted_pages(path)


def _tell_of_limits(source: Source, trajectory: Trajectory) -> None:
    """What the page cuts off, so that a browser can show it."""
    from webbench.core.report.pages.labels_and_disputes import what_people_said
    from webbench.core.report.pages.step_rows import MOST_MESSAGES

    for step in trajectory.steps:
        seconds = step.seconds
        spans = (seconds.idle, seconds.agent, seconds.environment, seconds.scoring)
        source.leave("times", "spans below 0.05 s", sum(0 < span < SHORTEST for span in spans))
        more = len(step.messages) - MOST_MESSAGES
        source.lose("messages", f"messages of a step beyond {MOST_MESSAGES}", max(0, more))
    hidden = what_people_said(source.store, trajectory.header).hidden
    source.lose("labels", "labels of annotators who are not through with an episode", hidden)


def create() -> HtmlPage:
    """The entry point."""
    return HtmlPage()
