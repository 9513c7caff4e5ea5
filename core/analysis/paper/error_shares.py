"""Error distribution: how many of each actor's labelled episodes have a code, by what was settled.

Episodes in which a question is open (`core/labels/settled.py`) are left out of that question, and counted.
"""

from __future__ import annotations

from collections.abc import Sequence

from webbench.core.analysis.paper.paper_figure import (
    Interval,
    Intervals,
    Panel,
    PaperFigure,
    actor_names,
    no_figure,
)
from webbench.core.analysis.recorded.run_records import RecordedRun
from webbench.core.labels.codebook import Codebook
from webbench.core.labels.ledger import Book
from webbench.core.labels.settled import Episode, settled
from webbench.core.labels.taxonomy import Taxonomy
from webbench.core.labels.visibility import Sight, done_with, sight
from webbench.core.score.score import digest
from webbench.core.statistics.estimates import LEVEL, wilson
from webbench.core.statistics.figures import Column, Row, Table
from webbench.core.store.records.names import slug
from webbench.core.text.plural import counted

MOST_CODES = 20
"""Codes that are drawn; the rarer ones are in the table alone."""
TITLE = "Error distribution"
STILL_LABELLING = "episodes somebody is still labelling"
COLUMNS = (
    *(Column("question", "text"), Column("code", "text"), Column("title", "text"), Column("agent", "text")),
    *(Column("share"), Column("episodes"), Column("labelled"), Column("not settled")),
)


def error_figures(runs: Sequence[RecordedRun], book: Book, codebook: Codebook) -> list[PaperFigure]:
    """One for each taxonomy in use; without labels one that says so."""
    own = {(one.run, one.episode) for run in runs for one in run.episodes}
    labels = [label for label in book.labels if (label.run, label.episode) in own]
    seen = sight(book, labels=labels)
    names = dict.fromkeys(label.taxonomy for label in seen.labels)
    if not names:
        why = "no episode of these runs has labels that may be shown"
        return [no_figure("errors", TITLE, why, {STILL_LABELLING: len({place[:2] for place in seen.hidden})})]
    return [
        _figure(
            runs,
            book,
            Sight(
                labels=tuple(one for one in seen.labels if one.taxonomy == name),
                hidden={place: count for place, count in seen.hidden.items() if place[2] == name},
            ),
            codebook.taxonomies.get(name),
            name,
        )
        for name in names
    ]


def _figure(
    runs: Sequence[RecordedRun], book: Book, seen: Sight, taxonomy: Taxonomy | None, name: str
) -> PaperFigure:
    names = actor_names(runs)
    labels = seen.labels
    own = [(one.run, one.episode) for run in runs for one in run.episodes]
    done = done_with(book, name)
    hidden = {place[:2] for place in seen.hidden}
    labelled = {(label.run, label.episode) for label in labels} | {one for one in own if one in done} - hidden
    titles = (
        {(question.name, code.name): code.title for question, code in taxonomy.codes()} if taxonomy else {}
    )
    texts = {question.name: question.text for question in taxonomy.questions} if taxonomy else {}
    rows: list[Row] = []
    lines: dict[str, list[tuple[int, list[Interval]]]] = {}
    opened: set[Episode] = set()
    for question in dict.fromkeys([*texts, *(label.question for label in labels)]):
        found = settled([one for one in labels if one.question == question], done)
        opened |= found.still_open
        given = {code for codes in found.codes.values() for code in codes}
        known = [code for of, code in titles if of == question]
        for code in [*known, *sorted(given - set(known))]:
            drawn: list[Interval] = []
            times = 0
            for run in runs:
                episodes = [(one.run, one.episode) for one in run.episodes]
                open_here = sum(one in found.still_open for one in episodes)
                asked = [one for one in episodes if one in labelled and one not in found.still_open]
                having = [one for one in asked if code in found.codes.get(one, ())]
                share = wilson(len(having), len(asked))
                actor, title = names[run.run], titles.get((question, code), code)
                cells = (question, code, title, actor, share, len(having), len(asked), open_here)
                rows.append(Row(cells, tuple("/".join(one) for one in having)))
                times += len(having)
                if share.value is not None:
                    drawn.append(Interval(label=title, actor=actor, estimate=share))
            if times:
                lines.setdefault(question, []).append((times, drawn))
    most = sorted((times for of in lines.values() for times, _ in of), reverse=True)
    least = most[MOST_CODES - 1] if len(most) > MOST_CODES else 0
    panels = []
    for question, of in lines.items():
        kept = tuple(row for times, drawn in of if times > least or not least for row in drawn)
        if kept:
            axis = "share of labelled episodes"
            panels.append(Panel(title=texts.get(question, question), axis=axis, scale="share", rows=kept))
    drawn_codes = sum(1 for times in most if times > least or not least)
    rarer = f" {counted(len(most) - drawn_codes, 'rarer code')} stand in the table alone." if least else ""
    annotators = len({label.annotator for label in labels if not label.settles})
    return PaperFigure(
        name=f"errors-{_in_file_name(name)}",
        title=f"{TITLE}: {taxonomy.title if taxonomy else name}",
        caption=f"Share of labelled episodes with each code, with {100 * LEVEL:.0f} % intervals (Wilson's "
        "score interval, episodes taken as independent); n counts labelled episodes whose label is settled: "
        f"all of {counted(annotators, 'annotator')} who are done agree, or somebody decided.{rarer}",
        plot=Intervals(panels=tuple(panels), actors=tuple(names.values())) if panels else None,
        table=Table(title=TITLE, columns=COLUMNS, rows=tuple(rows)),
        left_out={
            "episodes without labels": len(set(own) - labelled - hidden),
            STILL_LABELLING: len(hidden),
            "labelled episodes with a label that is not settled": len(opened),
        },
        empty="" if panels else "no code is settled",
    )


def _in_file_name(taxonomy: str) -> str:
    """The name itself where a taxonomy can have it; labels of elsewhere may name a path or a command."""
    plain = slug(taxonomy)
    return plain if plain == taxonomy else f"{plain}-{digest(taxonomy)[:6]}"
