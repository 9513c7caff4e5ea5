"""Steps that may have decided a failure: what rules and judges name is asked, with its evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from webbench.core.analysis.decisive.model_level import UNMEASURED_JUDGE, NamedStep
from webbench.core.analysis.decisive.ranking import RankedStep, Ranking, how_sure, leading
from webbench.core.text.plain_text import plain_text
from webbench.tui.widgets.lists.text_rows import Entry


def decisive_entries(
    ranking: Ranking | None, judged: Sequence[NamedStep] = (), actor: str = ""
) -> Iterator[Entry]:
    """All questions about one failed attempt, and how sure they are.

    Args:
        actor: who is told before each question where attempts of several are on the screen.
    """
    yield from question_entries(leading(ranking) if ranking is not None else (), judged, actor)
    if ranking is not None:
        yield Entry("", how_sure(ranking), "muted", quotable=False)
    if judged:
        yield Entry("", UNMEASURED_JUDGE, "muted", quotable=False)


def question_entries(
    ranked: Iterable[tuple[int, RankedStep]], judged: Iterable[NamedStep], actor: str = ""
) -> Iterator[Entry]:
    """The questions alone: those of the rules with their rank, then those of judges with their citations."""
    who = f"{actor}: " if actor else ""
    for rank, one in ranked:
        yield Entry(f"ranked {rank}", f"{who}{one.question}", quotable=False)
    for named in judged:
        cited = f" ({named.quotes})" if named.quotes else ""
        yield Entry("judge", plain_text(f"{who}{named.asks}{cited}", limit=2000), quotable=False)
