"""A comparison in words and figures: who parts where, checks met, time spent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from webbench.core.analysis.compare.comparison import Comparison
from webbench.core.analysis.compare.milestones import reached_words
from webbench.core.analysis.compare.phases import Phase
from webbench.core.analysis.compare.sentences import details, score_words, summary, sureness_words
from webbench.core.analysis.decisive.ranking import Ranking, how_sure, leading
from webbench.core.text.plural import counted
from webbench.tui.widgets.lists.step_list import duration
from webbench.tui.widgets.lists.steps_panel import seconds_text
from webbench.tui.widgets.lists.text_rows import Entry


def overview_entries(found: Comparison, rankings: Mapping[str, Ranking]) -> Iterator[Entry]:
    """All that the rows come to, top down from the most telling.

    Args:
        rankings: by name of an attempt that failed, which step may have decided it.
    """
    yield Entry("in short", summary(found), "strong")
    for name, ranking in rankings.items():
        for rank, one in leading(ranking):
            yield Entry(f"ranked {rank}", f"{name}: {one.question}")
        yield Entry("", how_sure(ranking), "muted")
    yield Entry("how sure", sureness_words(found))
    for line in details(found):
        yield Entry("found", line)
    yield from _scores(found)
    yield from _checks(found)
    yield from _phases(found)
    for attempt in found.attempts:
        yield Entry("recorded as", f"{attempt.name}: {attempt.run}/{attempt.episode}", "muted")
        for problem in attempt.problems:
            yield Entry("trouble", f"{attempt.name}: {problem}", "bad")


def _scores(found: Comparison) -> Iterator[Entry]:
    for attempt in found.attempts:
        time = seconds_text(attempt.spent) or "no time recorded"
        told = f"{score_words(attempt)} · {counted(attempt.step_count, 'step')} · {time}"
        yield Entry(attempt.name, told)


def _checks(found: Comparison) -> Iterator[Entry]:
    for one in found.milestones:
        told = "\n".join(
            f"{attempt.name}: {reached_words(reached)}"
            for attempt, reached in zip(found.attempts, one.reached, strict=True)
        )
        yield Entry("check met", f"{one.target} ({one.name})\n{told}")


def _phases(found: Comparison) -> Iterator[Entry]:
    for phase in found.phases:
        rows = f"row {phase.first + 1}" + ("" if phase.first == phase.last else f" to {phase.last + 1}")
        yield Entry(f"{rows} {phase.kind}", _phase_words(found, phase))


def _phase_words(found: Comparison, phase: Phase) -> str:
    return "\n".join(
        f"{attempt.name}: {counted(steps, 'step')}" + (f" in {duration(seconds)}" if seconds else "")
        for attempt, steps, seconds in zip(found.attempts, phase.steps, phase.seconds, strict=True)
    )
