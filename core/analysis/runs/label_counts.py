"""Counts of labels per actor, and how far the evaluator's verdicts agree with what people say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from webbench.core.analysis.agreement.evaluator_verdicts import Reliability, reliability
from webbench.core.analysis.recorded.run_records import RecordedRun
from webbench.core.labels.codebook import Codebook
from webbench.core.labels.label import Label
from webbench.core.labels.ledger import Book
from webbench.core.labels.settled import counting, most_say, settled
from webbench.core.labels.visibility import done_with, sight
from webbench.core.statistics.figures import Cell, Column, Figure, Row, Section, Table
from webbench.core.text.plural import counted

SOLVED = "outcome.solved"
OUTCOME, UNCLEAR = "outcome.", "outcome.unclear"
BESIDES = "outcome.harm"
"""An outcome that doesn't tell whether the task was solved."""

ABOUT = (
    "Episodes by what people labelled, each counted once for a code whoever gave it. Settled labels alone "
    "count: all who are done with the episode gave the same, or somebody decided. Labels of an episode that "
    "somebody is still labelling are left out."
)
TRUST = (
    "Precision: of what the evaluator holds solved, the share that people hold solved; recall: of what "
    "people hold solved, the share that the evaluator finds. Where people disagree evenly an episode is left "
    "out, and so are labels that came from one source with the score. Intervals are Wilson's, episodes "
    "taken as independent."
)

Place = tuple[str, str]


def labels_section(runs: Mapping[str, RecordedRun], book: Book, codebook: Codebook) -> Section | None:
    """Labels of each taxonomy in use, the evaluator's verdicts beside people's.

    None without labels.

    Args:
        runs: by letter.
    """
    own = {run.run for run in runs.values()}
    labels = [label for label in book.labels if label.run in own]
    seen = sight(book, labels=labels)
    taxonomies = dict.fromkeys(label.taxonomy for label in seen.labels)
    figures: list[Figure] = [
        _codes(name, runs, [label for label in seen.labels if label.taxonomy == name], book, codebook)
        for name in taxonomies
    ]
    trust = _trust(runs, people_solved(_independent(counting(seen.labels), runs), codebook))
    if trust is not None:
        figures.append(trust)
    if not figures:
        return None
    hidden = sum(seen.hidden.values())
    about = ABOUT + (f" These are {counted(hidden, 'label')}." if hidden else "")
    return Section(name="labels", title="What people say", about=about, figures=tuple(figures))


def _independent(labels: Iterable[Label], runs: Mapping[str, RecordedRun]) -> list[Label]:
    """Without those that were imported together with the score, which may be the same judgement."""
    sources = {
        (one.run, one.episode): one.header.settings.get("imported", {}).get("format", "")
        for run in runs.values()
        for one in run.episodes
    }
    return [
        label
        for label in labels
        if not label.source or label.source != sources.get((label.run, label.episode))
    ]


def people_solved(labels: Iterable[Label], codebook: Codebook) -> dict[Place, bool]:
    """Whether most annotators hold an episode solved; a label that settles others decides alone."""
    votes: dict[Place, dict[str, bool]] = {}
    settled: dict[Place, bool] = {}
    for label in labels:
        verdicts = [
            one
            for one in codebook.meanings(label)
            if one.startswith(OUTCOME) and one not in (UNCLEAR, BESIDES)
        ]
        if label.step is not None or not verdicts:
            continue
        place = (label.run, label.episode)
        if label.settles:
            settled[place] = SOLVED in verdicts
        else:
            votes.setdefault(place, {})[label.annotator] = SOLVED in verdicts
    return most_say({place: given.values() for place, given in votes.items()}) | settled


def _codes(
    name: str, runs: Mapping[str, RecordedRun], labels: Sequence[Label], book: Book, codebook: Codebook
) -> Table:
    done = done_with(book, name)
    asked = dict.fromkeys(one.question for one in labels)
    by = {question: settled([one for one in labels if one.question == question], done) for question in asked}
    counted_labels = [
        one for one in counting(labels) if (one.run, one.episode) not in by[one.question].still_open
    ]
    given, raw = _episodes(counted_labels), _episodes(one for one in labels if not one.settles)
    decided = _episodes(one for one in counted_labels if one.settles)
    taxonomy = codebook.taxonomies.get(name)
    known = list(taxonomy.codes()) if taxonomy else []
    titles = {(question.name, code.name): code.title for question, code in known}
    order = list(titles)
    keys = sorted({*given, *raw}, key=lambda key: (order.index(key) if key in order else len(order), key))
    rows = tuple(
        Row(
            (
                key[0],
                titles.get(key, key[1] or "no label"),
                *(sum(place[0] == run.run for place in given.get(key, ())) for run in runs.values()),
                len(raw.get(key, ())),
                len(decided.get(key, ())),
                sum(place in by[key[0]].still_open for place in raw.get(key, ())),
            ),
            tuple("/".join(place) for place in given.get(key, ())),
        )
        for key in keys
    )
    labelled = Counter(run for run, _ in {(label.run, label.episode) for label in labels})
    annotators = len({label.annotator for label in labels if not label.settles})
    told = ", ".join(f"{letter} {labelled[run.run]}" for letter, run in runs.items())
    return Table(
        title=f"Labels of {taxonomy.title if taxonomy else name}",
        columns=(
            Column("question", "text"),
            Column("label", "text"),
            *(Column(letter) for letter in runs),
            Column("raw n"),
            Column("settled n"),
            Column("open n"),
        ),
        rows=rows,
        note=(
            f"episodes with a label: {told}; by {counted(annotators, 'annotator')}. raw n: episodes in which "
            "somebody gave the label; settled n: those that count because it was decided so; open n: those "
            "that don't count because annotators differ on the question and nobody has decided"
        ),
    )


def _episodes(labels: Iterable[Label]) -> dict[tuple[str, str], dict[Place, None]]:
    """The episodes of each (question, code), each once and in order."""
    found: dict[tuple[str, str], dict[Place, None]] = {}
    for label in labels:
        found.setdefault((label.question, label.code), {})[label.run, label.episode] = None
    return found


def _trust(runs: Mapping[str, RecordedRun], people: Mapping[Place, bool]) -> Table | None:
    rows = []
    for letter, run in runs.items():
        both = [(one, people[one.run, one.episode]) for one in run.scored if (one.run, one.episode) in people]
        if both:
            found = reliability((one.value == 1, solved) for one, solved in both)
            differing = tuple(one.name for one, solved in both if (one.value == 1) != solved)
            rows.append(Row((letter, len(both), *_trust_cells(found)), differing))
    if not rows:
        return None
    return Table(
        title="The evaluator's verdicts beside people's",
        columns=(
            Column("", "text"),
            Column("episodes"),
            Column("precision"),
            Column("recall"),
            Column("of its failures right", optional=True),
            Column("same verdict", optional=True),
            Column("only evaluator"),
            Column("only people"),
        ),
        rows=tuple(rows),
        note=TRUST,
    )


def _trust_cells(found: Reliability) -> tuple[Cell, ...]:
    rates = (found.precision, found.recall, found.negative_precision, found.accuracy)
    return (*rates, found.only_evaluator, found.only_people)
