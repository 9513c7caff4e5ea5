"""The diagnosis of a comparison in words and figures: why attempts part, what decided it, checks, time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from webbench.core.analysis.compare.comparison import Comparison
from webbench.core.analysis.compare.divergence import Phase
from webbench.core.analysis.compare.milestones import reached_words
from webbench.core.analysis.compare.sentences import details, score_words, summary, sureness_words
from webbench.core.text.durations import short_duration
from webbench.core.text.plural import counted
from webbench.tui.screens.compare.compared_pages import Questions
from webbench.tui.widgets.lists.decisive_steps import decisive_entries
from webbench.tui.widgets.lists.steps_panel import seconds_text
from webbench.tui.widgets.lists.text_rows import Entry


def diagnosis_entries(
    found: Comparison, questions: Sequence[Questions], *, told: bool = False
) -> Iterator[Entry]:
    """All that the rows come to, top down from the most telling.

    Args:
        questions: which step decided it, of each attempt.
        told: why they part, and how sure that is, stands whole above them.
    """
    if not told:
        yield Entry("why", summary(found), "strong")
        yield Entry("how sure", sureness_words(found), "muted")
    yield from _scores(found)
    for attempt, asked in zip(found.attempts, questions, strict=True):
        yield from decisive_entries(asked.ranking, asked.named, attempt.name)
    for line in details(found):
        yield Entry("found", line)
    yield from _definitions(found)
    yield from _checks(found)
    yield from _phases(found)
    for problem in dict.fromkeys(asked.problem for asked in questions if asked.problem):
        yield Entry("trouble", problem, "bad")
    for attempt in found.attempts:
        yield Entry("recorded as", f"{attempt.name}: {attempt.run}/{attempt.episode}", "muted")
        for problem in attempt.problems:
            yield Entry("trouble", f"{attempt.name}: {problem}", "bad")


def _definitions(found: Comparison) -> Iterator[Entry]:
    """What the codes mean that people gave, whole and each once."""
    codes = (code for attempt in found.attempts for code in attempt.codes if code is not None)
    for title, definition in dict.fromkeys((code.title, code.definition) for code in codes):
        if definition:
            yield Entry("means", f"{title}: {definition}", "muted")


def _scores(found: Comparison) -> Iterator[Entry]:
    for attempt in found.attempts:
        time = seconds_text(attempt.spent) or "no time recorded"
        told = f"{attempt.name}: {score_words(attempt)} · {counted(attempt.step_count, 'step')} · {time}"
        yield Entry("outcome", told)


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
        f"{attempt.name}: {counted(steps, 'step')}" + (f" in {short_duration(seconds)}" if seconds else "")
        for attempt, steps, seconds in zip(found.attempts, phase.steps, phase.seconds, strict=True)
    )
