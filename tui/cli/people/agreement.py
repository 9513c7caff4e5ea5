"""`label agreement` and `label taxonomies`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from webbench.core.analysis.runs.annotator_agreement import (
    SCHEMA_VERSION,
    Agreement,
    CodeAgreement,
    agreement,
)
from webbench.core.labels.codebook import Codebook
from webbench.core.labels.ledger import Book, ledger_of
from webbench.core.labels.taxonomy import Taxonomy
from webbench.core.people.labelling.labelled_episode import last_steps
from webbench.core.statistics.estimates import Estimate
from webbench.core.text.plural import counted
from webbench.tui.cli.options import AsJson, LabelledRuns, ResamplingSeed, StorePath, TaxonomyName
from webbench.tui.cli.output import print_json, print_line, print_table, print_text, say, wrapped
from webbench.tui.cli.people.label import chosen_episodes, told_codebook
from webbench.tui.cli.place import open_store

HEADERS = ("question", "code", "of", "items", "given", "percent", "95 %", "kappa", "95 %", "alpha", "95 %")

NOTES = (
    "Intervals: bootstrap over episodes, of kappa of episodes the large-sample one; none where all agree or "
    "labels are too few. Kappa is of two annotators: where there are more, choose two with --between. A step "
    "without a label counts as judged free of the code."
)


def label_agreement_command(
    runs: LabelledRuns = (),
    taxonomy: TaxonomyName = "",
    between: Annotated[
        list[str] | None, typer.Option("--between", help="Compare only these annotators; repeatable.")
    ] = None,
    seed: ResamplingSeed = 0,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Percent, Cohen's kappa and Krippendorff's alpha per code, each with a 95 % interval.

    Only episodes that two annotators or more are done with count. Exit 1 where there are none.
    """
    code = print_agreement(
        runs, taxonomy=taxonomy, between=between or [], seed=seed, store=store, as_json=as_json
    )
    raise typer.Exit(code)


def label_taxonomies_command(
    name: Annotated[str, typer.Argument(help="One taxonomy, with its codes; all if not given.")] = "",
    as_json: AsJson = False,
) -> None:
    """The taxonomies there are, or one with definitions. Exit 4 where a file can't be used."""
    raise typer.Exit(print_taxonomies(name, as_json=as_json))


def print_agreement(
    names: Sequence[str],
    *,
    taxonomy: str,
    between: Sequence[str],
    seed: int,
    store: Path | None,
    as_json: bool,
) -> int:
    """Print agreement in one taxonomy, or in every one that was used: 1 where nothing can be compared."""
    opened = open_store(store)
    codebook = told_codebook()
    book = ledger_of(opened).book()
    last = last_steps(opened)
    if names:
        wanted = set(chosen_episodes(opened, names))
        last = {place: steps for place, steps in last.items() if place in wanted}
    used = [codebook.taxonomy(taxonomy)] if taxonomy else _used(book, codebook)
    found = [agreement(book, one, last, annotators=between, seed=seed) for one in used]
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "agreement": found})
    else:
        for one in found:
            _print(one)
        if not found:
            print_text("Nobody has labelled anything there yet")
    for problem in book.problems:
        say(problem)
    return 4 if book.problems else 0 if any(one.episodes for one in found) else 1


def print_taxonomies(name: str, *, as_json: bool) -> int:
    """List them, or print one with its definitions: 4 where a file can't be used."""
    codebook = told_codebook()
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


def _print(found: Agreement) -> None:
    waiting = f"; {counted(found.waiting, 'episode')} waiting for a second annotator" if found.waiting else ""
    who = ", ".join(found.annotators) or "nobody"
    print_text(f"{found.taxonomy}: {counted(found.episodes, 'episode')} finished by {who}{waiting}")
    if found.codes:
        print_table(HEADERS, [_row(one) for one in found.codes], numbers=(3, 5, 7, 9), optional=(6, 8, 10))
        print_text(
            "\nintervals: bootstrap over items; of kappa the large-sample one; a row without a code is"
        )
        print_text("the question as a whole. A step without a label counts as judged free of the code.")
    print_line()


def _row(one: CodeAgreement) -> tuple[object, ...]:
    given = " ".join(f"{who} {count}" for who, count in one.given.items())
    figures = [cell for found in (one.percent, one.kappa, one.alpha) for cell in _estimate(found)]
    return one.question, one.code or "(which)", one.place, one.items, given, *figures


def _estimate(found: Estimate) -> tuple[str, str]:
    value = "–" if found.value is None else f"{found.value:.3f}"
    known = found.low is not None and found.high is not None
    return value, f"{found.low:.2f} to {found.high:.2f}" if known else "–"


def _print_taxonomy(taxonomy: Taxonomy) -> None:
    print_text(f"{taxonomy.title} (version {taxonomy.version})\n{taxonomy.source}")
    if taxonomy.about:
        print_line(wrapped(taxonomy.about))
    for question in taxonomy.questions:
        print_text(f"\n{question.name}: {question.text} ({' or '.join(question.places)})")
        for number, code in enumerate(question.codes, 1):
            print_line(wrapped(code.definition, f"  {number} {code.name}: "))
            if code.means:
                print_text(f"      means {', '.join(code.means)}")
