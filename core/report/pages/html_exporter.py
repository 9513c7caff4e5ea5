"""The exporter of HTML: an episode as one self-contained page."""

from __future__ import annotations

from pathlib import Path

from webbench.core.exchange.export_format import Source


class HtmlPage:
    name = "html"
    title = "one self-contained HTML page of an episode, to scrub through"
    ending = ".html"
    several = False
    lacks = "the HTML of pages, boxes and states of nodes, and evidence"

    def write(self, source: Source, path: Path) -> None:
        from webbench.core.report.pages.episode_page import episode_page

        for trajectory in source.trajectories():
            page, unread = episode_page(source.store, trajectory, pictures=source.pictures)
            for problem in unread:
                source.told.lose(problem)
            path.write_text(page, "utf-8", newline="\n")


def create() -> HtmlPage:
    """The entry point."""
    return HtmlPage()
