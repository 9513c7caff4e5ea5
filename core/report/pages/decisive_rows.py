"""Which step decided a failure, as a report asks it: each question with its evidence, and how sure it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from webbench.core.analysis.decisive.model_level import UNMEASURED_JUDGE, NamedStep, named_steps
from webbench.core.analysis.decisive.ranking import RankedStep, how_sure, leading
from webbench.core.analysis.decisive.reference_level import rank_steps
from webbench.core.errors import BadData
from webbench.core.store.store import Store
from webbench.core.text.plain_text import plain_clip
from webbench.core.trajectory import Trajectory, step_words

NOT_ASKED = "Models: not measured, and none was asked."

LONGEST_STEP = 160


class QuestionRow(msgspec.Struct, frozen=True, kw_only=True):
    """One question.

    Attributes:
        anchor: where the page shows the step, None where it doesn't.
        evidence: words that stand in the record; where none speak for it, what the step did.
    """

    rank: str
    step: int
    anchor: int | None
    by: str
    question: str
    evidence: str


class DecisiveQuestions(msgspec.Struct, frozen=True, kw_only=True):
    """All questions about one failed attempt; `actor` took it."""

    actor: str
    rows: Sequence[QuestionRow]
    how_sure: Sequence[str]


def decisive_questions(
    store: Store,
    trajectory: Trajectory,
    others: Sequence[Trajectory] = (),
    anchor: Callable[[int], int | None] = lambda _step: None,
    actor: str = "",
) -> DecisiveQuestions | None:
    """The first steps of the ranking, then what judges named; None where nothing failed.

    Args:
        others: attempts at the same task, of which one that succeeded is the reference.
        anchor: the number under which the page shows a step.
    """
    ranking = rank_steps(store, trajectory, others)
    if ranking is None:
        return None
    header = trajectory.header
    try:
        named = named_steps(store).get((header.run, header.episode), ())
        models = UNMEASURED_JUDGE if named else NOT_ASKED
    except BadData as error:
        named, models = (), f"What judges said can't be read: {error}"
    agents = {one.step: one.agent for one in ranking.steps}
    done = {step.index: plain_clip(step_words(step), LONGEST_STEP) for step in trajectory.steps}
    rows = [_ranked(at, one, anchor(one.step), done[one.step]) for at, one in leading(ranking)]
    rows += [
        _named(one, one.step, anchor(one.step), agents.get(one.step, ""))
        for one in named
        if one.step is not None
    ]
    return DecisiveQuestions(actor=actor or header.actor, rows=rows, how_sure=(how_sure(ranking), models))


def _ranked(at: int, one: RankedStep, anchor: int | None, done: str) -> QuestionRow:
    quotes = dict.fromkeys(signal.quote for signal in one.signals if signal.quote)
    return QuestionRow(
        rank=str(at),
        step=one.step,
        anchor=anchor,
        by=one.agent,
        question=one.question,
        evidence=" · ".join(f"“{quote}”" for quote in quotes) or done,
    )


def _named(one: NamedStep, step: int, anchor: int | None, agent: str) -> QuestionRow:
    return QuestionRow(
        rank="judge",
        step=step,
        anchor=anchor,
        by=agent,
        question=one.asks,
        evidence=one.quotes,
    )
