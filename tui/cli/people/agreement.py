"""`label agreement` and `label taxonomies`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from webbench.core.analysis.agreement.agreement_section import agreement_section
from webbench.core.analysis.agreement.annotator_agreement import (
    SCHEMA_VERSION,
    TOLERANCE,
    Agreement,
    agreement,
)
from webbench.core.labels.codebook import Codebook
from webbench.core.labels.ledger import Book, ledger_of
from webbench.core.labels.taxonomy import Taxonomy
from webbench.core.people.labelling.labelled_episode import last_steps
from webbench.core.statistics.figures import Section
from webbench.core.text.plain_text import plain_clip
from webbench.core.text.plural import counted
from webbench.tui.cli.figure_lines import print_section
from webbench.tui.cli.options import AsJson, LabelledRuns, ResamplingSeed, StorePath, TaxonomyName
from webbench.tui.cli.output import print_json, print_line, print_table, print_text, say, wrapped
from webbench.tui.cli.people.label import chosen_episodes, say_left_out, told_codebook
from webbench.tui.cli.place import open_store


def label_agreement_command(
    runs: LabelledRuns = (),
    taxonomy: TaxonomyName = "",
    between: Annotated[
        list[str] | None, typer.Option("--between", help="Compare only these annotators; repeatable.")
    ] = None,
    tolerance: Annotated[
        int, typer.Option("--tolerance", min=0, max=99, help="Steps that two labels may lie apart.")
    ] = TOLERANCE,
    tables: Annotated[
        Path | None, typer.Option("--tables", help="Write every table to this folder, as CSV and LaTeX.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the folder of --tables.")] = False,
    seed: ResamplingSeed = 0,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Percent, Cohen's kappa and Krippendorff's alpha per code; pairs of raters, near misses.

    Each figure has a 95 % interval. Only episodes that two annotators or more are done with count, and of
    those only places that somebody labelled. Exit 1 where there are none.
    """
    code = print_agreement(
        runs,
        taxonomy=taxonomy,
        between=between or [],
        tolerance=tolerance,
        tables=tables,
        force=force,
        seed=seed,
        store=store,
        as_json=as_json,
    )
    raise typer.Exit(code)


def label_taxonomies_command(
    name: Annotated[str, typer.Argument(help="One taxonomy, with its codes; all if not given.")] = "",
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """The taxonomies there are, or one with definitions. Exit 4 where a file can't be used."""
    raise typer.Exit(print_taxonomies(name, store=store, as_json=as_json))


def print_agreement(
    names: Sequence[str],
    *,
    taxonomy: str,
    between: Sequence[str],
    tolerance: int,
    tables: Path | None,
    force: bool,
    seed: int,
    store: Path | None,
    as_json: bool,
) -> int:
    """Print agreement in one taxonomy, or in every one that was used: 1 where nothing can be compared."""
    opened = open_store(store)
    codebook = told_codebook(opened)
    book = ledger_of(opened).book()
    last = last_steps(opened)
    if names:
        wanted = set(chosen_episodes(opened, names))
        last = {place: steps for place, steps in last.items() if place in wanted}
    used = [codebook.taxonomy(taxonomy)] if taxonomy else _used(book, codebook)
    found = [agreement(book, one, last, annotators=between, tolerance=tolerance, seed=seed) for one in used]
    section = agreement_section(found)
    if tables is not None and section is not None:
        from webbench.core.report.paper.number_tables import write_tables

        written = write_tables(tables, section.figures, force=force)
        say(f"{counted(len(written), 'file')} written to {tables}")
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "agreement": found})
    else:
        _print(found, section)
    say_left_out(book)
    for problem in (*book.problems, *([] if taxonomy else _unknown(book, codebook, last))):
        say(problem)
    return 4 if book.problems else 0 if any(one.episodes for one in found) else 1


def print_taxonomies(name: str, *, store: Path | None, as_json: bool) -> int:
    """List them, or print one with its definitions: 4 where a file can't be used."""
    codebook = told_codebook(open_store(store))
    found = [codebook.taxonomy(name)] if name else list(codebook.taxonomies.values())
    if as_json:
        told = [{"origin": codebook.origins[one.name], "taxonomy": one} for one in found]
        print_json({"schema_version": SCHEMA_VERSION, "taxonomies": told, "problems": codebook.problems})
    elif name:
        _print_taxonomy(found[0])
    else:
        rows = [(one.name, one.version, one.title, sum(1 for _ in one.codes()), one.source) for one in found]
        print_table(("name", "version", "title", "codes", "source"), rows, numbers=(1, 3), flexible=(2, 4))
    return 4 if codebook.problems else 0


def _used(book: Book, codebook: Codebook) -> list[Taxonomy]:
    names = dict.fromkeys(label.taxonomy for label in book.labels)
    return [codebook.taxonomies[name] for name in names if name in codebook.taxonomies]


def _unknown(book: Book, codebook: Codebook, last: Mapping[tuple[str, str], int]) -> list[str]:
    """Labels that agreement can't be counted of, because what they are by isn't there."""
    counts = Counter(
        one.taxonomy
        for one in book.labels
        if one.taxonomy not in codebook.taxonomies and (one.run, one.episode) in last
    )
    return [
        f'{counted(count, "label")} left out: there is no taxonomy "{plain_clip(name, 60)}"'
        for name, count in counts.items()
    ]


def _print(found: Sequence[Agreement], section: Section | None) -> None:
    if section is not None:
        print_section(section)
    for one in found:
        if not one.codes:
            waiting = f"; {counted(one.waiting, 'episode')} waiting for a second annotator"
            print_text(f"{one.taxonomy}: nothing to compare{waiting if one.waiting else ''}")
    if not found:
        print_text("There are no labels to compare")


def _print_taxonomy(taxonomy: Taxonomy) -> None:
    print_text(f"{taxonomy.title} (version {taxonomy.version})\n{taxonomy.source}")
    if taxonomy.about:
        print_line(wrapped(taxonomy.about))
    for question in taxonomy.questions:
        ordered = "; ordered, from lowest to highest" if question.ordered else ""
        print_text(f"\n{question.name}: {question.text} ({' or '.join(question.places)}{ordered})")
        for number, code in enumerate(question.codes, 1):
            print_line(wrapped(code.definition, f"  {number} {code.name}: "))
            if code.off_scale:
                print_text("      has no rank")
            if code.means:
                print_text(f"      means {', '.join(code.means)}")
