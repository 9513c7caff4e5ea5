"""Rules as readers: what the evaluator and the suggestions of a program say on a judge's question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from webbench.core.analysis.findings.suggest import suggest_for
from webbench.core.analysis.findings.suggestion import MEANINGS
from webbench.core.analysis.rubrics.kept_verdicts import Verdicts
from webbench.core.analysis.rubrics.measured_judges import (
    Measured,
    Place,
    Reader,
    asked_of_judges,
    meanings_of,
    measured,
)
from webbench.core.errors import BadData
from webbench.core.labels.codebook import Codebook
from webbench.core.labels.ledger import Book
from webbench.core.labels.taxonomy import Question, Taxonomy
from webbench.core.labels.visibility import sight
from webbench.core.score.score import Score
from webbench.core.scoring.judges.human import HUMAN
from webbench.core.store.store import Store

SOLVED = "outcome.solved"
SUGGESTED = frozenset(meaning for meanings in MEANINGS.values() for meaning in meanings)


def measured_questions(
    store: Store, verdicts: Verdicts, book: Book, codebook: Codebook, places: Iterable[Place]
) -> list[Measured]:
    """All readers of every question that judges answered about these episodes."""
    headers = {place: store.header(*place) for place in places}
    tasks = {place: (header.task.benchmark, header.task.id) for place, header in headers.items()}
    own = [one for one in verdicts.verdicts if one.place in tasks]
    seen = sight(book)
    hidden = Counter(seen.hidden)
    scores = {
        place: header.score
        for place, header in headers.items()
        if header.score is not None and header.score.value is not None
    }
    solved = {place: score.value == 1 for place, score in scores.items() if not _judged_later(score)}
    return [
        measured(
            taxonomy,
            question,
            own,
            seen.labels,
            tasks,
            rules_on(
                store, taxonomy, question, {one.place for one in own}, solved, len(scores) - len(solved)
            ),
            hidden=sum(hidden[*place, taxonomy.name] for place in tasks),
        )
        for taxonomy, question in asked_of_judges(codebook, own)
    ]


def _judged_later(score: Score) -> bool:
    """A model's verdict is the judge's own, and none of the evaluator's; a person's answer is no judge's."""
    return score.later is not None and score.later.judge not in ("", HUMAN)


def rules_on(
    store: Store,
    taxonomy: Taxonomy,
    question: Question,
    places: Collection[Place],
    solved: Mapping[Place, bool],
    judged: int,
) -> list[Reader]:
    """The evaluator on whether it was solved, and suggestions, for codes that mean what these find.

    A rule says of a code that it is given or not, so each code has a reader of its own.

    Args:
        solved: whether it was, by the evaluator.
        judged: episodes that aren't in it, for a model decided later.
    """
    found: list[Reader] = []
    suggested: dict[Place, frozenset[str]] | None = None
    for code in question.codes:
        meanings = set(meanings_of(taxonomy, question, code))
        if SOLVED in meanings:
            told = {place: code.name if right else "" for place, right in solved.items()}
            found.append(
                Reader(kind="rule", name="evaluator", codes=told, knows=(code.name,), without=judged)
            )
        if meanings & SUGGESTED:
            suggested = suggested if suggested is not None else _suggested(store, places)
            codes = {place: code.name if meanings & means else "" for place, means in suggested.items()}
            unread = len(set(places) - codes.keys())
            found.append(
                Reader(kind="rule", name="suggestions", codes=codes, knows=(code.name,), without=unread)
            )
    return found


def _suggested(store: Store, places: Iterable[Place]) -> dict[Place, frozenset[str]]:
    """What the suggestions of each episode mean; those that can't be read are counted as without."""
    found: dict[Place, frozenset[str]] = {}
    for run, episode in sorted(places):
        try:
            trajectory = store.load(store.root / run / episode)
        except BadData:
            continue
        suggestions = suggest_for(store, trajectory)
        found[run, episode] = frozenset(meaning for one in suggestions for meaning in one.means)
    return found
