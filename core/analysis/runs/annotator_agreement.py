"""How far annotators agree, code by code, on what they have all finished."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import msgspec

from webbench.core.analysis.recorded.run_records import RecordedRun
from webbench.core.labels.label import Label
from webbench.core.labels.ledger import Book
from webbench.core.labels.taxonomy import Kind, Question, Taxonomy
from webbench.core.statistics.estimates import Estimate
from webbench.core.statistics.figures import Column, Row, Table
from webbench.core.statistics.inter_rater import cohen_kappa, krippendorff_alpha, percent

SCHEMA_VERSION = 1

COLUMNS = (
    Column("question", "text"),
    Column("label", "text"),
    Column("of", "text", optional=True),
    Column("items"),
    Column("percent"),
    Column("kappa", optional=True),
    Column("alpha"),
)
NOTE = (
    "Items that two or more annotators have finished; intervals by bootstrap over episodes. Kappa is "
    "Cohen's and needs two annotators (of episodes with its large-sample interval), alpha is Krippendorff's, "
    "nominal; where all agree, or labels are too few, there is no interval. Rows without a label "
    "are of the whole question."
)

Item = tuple[str, str, int | None]
"""Run, episode, step."""


class CodeAgreement(msgspec.Struct, frozen=True, kw_only=True):
    """One code, given or not given; or, with `code` empty, which of the question's codes.

    Attributes:
        place: whether episodes or steps are the items. Steps that an annotator left unlabelled count as
            judged free of the code.
        items: how many were judged by two annotators or more.
        given: how often each annotator gave it.
    """

    question: str
    code: str
    place: Kind
    items: int
    given: dict[str, int]
    percent: Estimate
    kappa: Estimate
    alpha: Estimate


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """Agreement in one taxonomy.

    Attributes:
        annotators: who is compared.
        episodes: finished by two of them or more.
        waiting: episodes that only some of those who began have finished.
    """

    taxonomy: str
    annotators: tuple[str, ...]
    episodes: int
    waiting: int
    codes: tuple[CodeAgreement, ...]


def agreement(
    book: Book,
    taxonomy: Taxonomy,
    last_steps: Mapping[tuple[str, str], int],
    *,
    annotators: Sequence[str] = (),
    seed: int = 0,
) -> Agreement:
    """Percent, Cohen's kappa (of two) and Krippendorff's alpha of each code and each question.

    Steps of one episode are not independent: their intervals are clustered by episode.

    Args:
        last_steps: index of the last step of each (run, episode); others are left out.
        annotators: compare these only; empty for everybody.
    """
    done = [
        (run, episode, who)
        for run, episode, name, who in book.done
        if name == taxonomy.name and (run, episode) in last_steps and (not annotators or who in annotators)
    ]
    through: dict[tuple[str, str], set[str]] = {}
    for run, episode, who in done:
        through.setdefault((run, episode), set()).add(who)
    shared = {where: who for where, who in sorted(through.items()) if len(who) > 1}
    names = sorted({who for all_of_them in shared.values() for who in all_of_them})
    labels = [one for one in book.labels if one.taxonomy == taxonomy.name and not one.settles]
    begun = {(one.run, one.episode) for one in labels if (one.run, one.episode) in last_steps}
    codes: list[CodeAgreement] = []
    for question in taxonomy.questions:
        for place in question.places:
            judged = _judged(labels, question, place, shared, last_steps)
            codes += _question(question, place, judged, names, seed)
    return Agreement(
        taxonomy=taxonomy.name,
        annotators=tuple(names),
        episodes=len(shared),
        waiting=len((begun | set(through)) - set(shared)),
        codes=tuple(codes),
    )


def agreement_table(
    runs: Mapping[str, RecordedRun], book: Book, taxonomy: Taxonomy, *, seed: int = 0
) -> Table | None:
    """Percent, kappa and alpha of every question and label; None where nobody labelled an episode twice."""
    last = {(one.run, one.episode): one.steps for run in runs.values() for one in run.episodes}
    found = agreement(book, taxonomy, last, seed=seed)
    if not found.episodes:
        return None
    return Table(
        title=f"Agreement of {len(found.annotators)} annotators on {taxonomy.title}",
        columns=COLUMNS,
        rows=tuple(
            _agreement_row(code) for code in found.codes if code.code == "" or any(code.given.values())
        ),
        note=NOTE,
    )


def _agreement_row(code: CodeAgreement) -> Row:
    return Row((code.question, code.code, code.place, code.items, code.percent, code.kappa, code.alpha))


Judged = dict[str, dict[Item, str]]
"""Annotator -> item -> code, "" where she gave none."""


def _judged(
    labels: Sequence[Label],
    question: Question,
    place: Kind,
    shared: Mapping[tuple[str, str], set[str]],
    last_steps: Mapping[tuple[str, str], int],
) -> Judged:
    found: Judged = {}
    for (run, episode), who in shared.items():
        steps: Sequence[int | None] = [None] if place == "episode" else range(last_steps[run, episode] + 1)
        for name in who:
            found.setdefault(name, {}).update({(run, episode, step): "" for step in steps})
    for label in labels:
        item = (label.run, label.episode, label.step)
        if label.question == question.name and item in found.get(label.annotator, {}):
            found[label.annotator][item] = label.code
    return found


def _question(
    question: Question, place: Kind, judged: Judged, names: Sequence[str], seed: int
) -> list[CodeAgreement]:
    """The question as a whole, then each of its codes that was given at all."""
    given = {code for answers in judged.values() for code in answers.values() if code}
    if not given:
        return []
    shown = ["", *(code.name for code in question.codes if code.name in given)]
    return [_row(question.name, code, place, judged, names, seed) for code in shown]


def _row(
    question: str, code: str, place: Kind, judged: Judged, names: Sequence[str], seed: int
) -> CodeAgreement:
    answers: dict[str, dict[str, Hashable]] = {
        name: {str(item): (one == code if code else one) for item, one in judged.get(name, {}).items()}
        for name in names
    }
    items = {item for by in judged.values() for item in by}
    clusters = {str(item): item[:2] for item in items} if place == "step" else None
    return CodeAgreement(
        question=question,
        code=code,
        place=place,
        items=len(items),
        given={name: sum(map(bool, by.values())) for name, by in answers.items()},
        percent=percent(answers, seed=seed, clusters=clusters),
        kappa=cohen_kappa(answers, seed=seed, clusters=clusters),
        alpha=krippendorff_alpha(answers, seed=seed, clusters=clusters),
    )
