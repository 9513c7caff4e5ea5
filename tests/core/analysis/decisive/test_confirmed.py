"""What labels make of questions: confirmed, rejected, unanswered; unlabelled episodes are out."""

from __future__ import annotations

from webbench.core.analysis.decisive.confirmed import Looked, tallies
from webbench.core.analysis.decisive.model_level import NamedStep
from webbench.core.analysis.decisive.ranking import RankedStep, Ranking
from webbench.core.analysis.findings.suggestion import suggested
from webbench.core.labels.codebook import load_codebook
from webbench.core.labels.label import Label

RANKING = Ranking(
    steps=tuple(RankedStep(step=step, agent="a", share=0.25) for step in (4, 2, 3, 1)), is_measured=True
)


def label(step: int | None, code: str, question: str = "cause", taxonomy: str = "merged") -> Label:
    return Label(step=step, taxonomy=taxonomy, version=1, question=question, code=code, annotator="ann")


def looked(*labels: Label) -> Looked:
    return Looked(
        suggestions=[suggested("loop", 3, "again", first=2)],
        ranking=RANKING,
        labels=labels,
        named=[NamedStep(run="r", episode="e", way="each", judge="m at h", step=3)],
    )


def test_confirmed_rejected_and_unanswered_are_counted_apart_and_unlabelled_left_out() -> None:
    found = {
        one.name: (one.confirmed, one.rejected, one.unanswered)
        for one in tallies(
            [
                looked(label(2, "repetition")),
                looked(label(3, "grounding")),
                looked(label(None, "wrong", "outcome")),
                looked(),
                looked(label(4, "decisive", "mistake", "who-and-when")),
            ],
            load_codebook(),
        )
    }
    assert found == {
        "went in a loop": (1, 1, 2),
        "decisive step ranked first": (1, 2, 1),
        "decisive step among the first 3": (3, 0, 1),
        "decisive step among the first 5": (3, 0, 1),
        "decisive step by m at h, step by step": (1, 2, 1),
    }
