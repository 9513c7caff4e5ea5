"""Ways through pages as a figure: the flow of `page_flow`, with the actors' names."""

from __future__ import annotations

from collections.abc import Sequence

from webbench.core.analysis.paper.paper_figure import Flowing, PaperFigure, actor_names, no_figure
from webbench.core.analysis.paper.read_steps import Steps
from webbench.core.analysis.recorded.run_records import RecordedRun
from webbench.core.analysis.runs.page_flow import PLACES, Way, flow_section
from webbench.core.statistics.figures import Column, Flow, Row, Table, letter

TITLE = "Ways through pages"


def pages_figure(runs: Sequence[RecordedRun], steps: Steps) -> PaperFigure:
    """A Sankey diagram of the pages that each run's episodes went through."""
    ways: dict[str, list[Way]] = {}
    missing = 0
    for at, run in enumerate(runs):
        known = [steps.taken[one.name][1] for one in run.episodes if one.name in steps.taken]
        ways[letter(at)] = [one for one in known if one is not None]
        missing += len(run.episodes) - len(ways[letter(at)])
    left_out = {"episodes without recorded addresses": missing}
    section = flow_section(ways)
    flow = next((one for one in section.figures if isinstance(one, Flow)), None) if section else None
    if flow is None:
        return no_figure("pages", TITLE, "no episode has recorded addresses", left_out)
    names = {letter(at): actor_names(runs)[run.run] for at, run in enumerate(runs)}
    rows = tuple(
        Row((link.place, link.source, link.target, names[actor], count), link.episodes)
        for link in flow.links
        for actor, count in link.counts.items()
    )
    columns = (Column("place"), Column("from", "text"), Column("to", "text"), Column("agent", "text"))
    told = "; ".join(f"{names[actor]}: n {len(found)}" for actor, found in ways.items())
    return PaperFigure(
        name="pages",
        title=TITLE,
        caption=f"Ways of episodes through their first {PLACES} pages, by patterns of addresses (ids as *), "
        f"and what became of them; the breadth of a ribbon is the number of episodes. {told}.",
        plot=Flowing(flow=flow, names=names),
        table=Table(title=TITLE, columns=(*columns, Column("episodes")), rows=rows),
        left_out=left_out,
    )
