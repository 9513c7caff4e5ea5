"""A codebook as a listing: each code with its definition, examples, memos, counts and agreement."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from webbench.core.analysis.agreement.annotator_agreement import CodeAgreement, agreement
from webbench.core.analysis.agreement.rated_items import Unit
from webbench.core.exchange.own.table_exporter import neutralised
from webbench.core.labels.label import Label, Memo
from webbench.core.labels.ledger import Book
from webbench.core.labels.settled import counting as counted_labels
from webbench.core.labels.taxonomy import Change, Code, Taxonomy
from webbench.core.labels.visibility import sight
from webbench.core.text.latex import latex, latex_row
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted

SCHEMA_VERSION = 1
Form = Literal["text", "markdown", "latex", "csv"]
UNDEFINED = "not defined yet"
UNITS: dict[Unit, str] = {"episode": "episodes", "step": "steps", "any step": "episodes by their steps"}
COLUMNS = (
    *("codebook", "version", "group", "question", "code", "title", "definition", "use_when", "not_when"),
    *("examples", "labels", "episodes", "annotators", "agreement"),
)


class ListedCode(msgspec.Struct, frozen=True, kw_only=True):
    """A code with what was made of it.

    Attributes:
        labels: how often it was given, by how many `annotators`, in how many `episodes`; where somebody
            decided between raters, what was decided.
        to_recode: of a code that was split, its labels, which wait to be read again.
        agreement: of episodes and of steps, where several annotators are done.
    """

    question: str
    code: Code
    labels: int
    episodes: int
    annotators: int
    to_recode: int
    agreement: tuple[CodeAgreement, ...]
    memos: tuple[Memo, ...]


class CodebookListing(msgspec.Struct, frozen=True, kw_only=True):
    """A codebook, its codes by group; `hidden` labels are not counted: somebody is not done with them."""

    name: str
    version: int
    title: str
    source: str
    change: Change | None
    codes: tuple[ListedCode, ...]
    hidden: int = 0

    @property
    def groups(self) -> tuple[str, ...]:
        """In the order of their first code, codes without a group last."""
        named = dict.fromkeys(one.code.group for one in self.codes)
        return tuple(sorted(named, key=lambda group: group == ""))


def codebook_listing(
    taxonomy: Taxonomy,
    book: Book,
    last_steps: Mapping[tuple[str, str], int],
    *,
    annotator: str = "",
    everything: bool = False,
    seed: int = 0,
) -> CodebookListing:
    """All codes of a taxonomy with counts and agreement.

    Args:
        last_steps: index of the last step of each (run, episode); labels of others are not counted.
        annotator: whose own labels count though she is not done. everything: hidden labels count, too.
    """
    labels = [
        label
        for label in book.labels
        if label.taxonomy == taxonomy.name and (label.run, label.episode) in last_steps
    ]
    seen = sight(book, annotator, labels)
    known = labels if everything else seen.labels
    counting = [label for label in counted_labels(known) if label.code]
    agreed = agreement(book, taxonomy, last_steps, seed=seed).codes
    listed = [
        _listed(
            question.name,
            code,
            [one for one in counting if (one.question, one.code) == (question.name, code.name)],
            tuple(one for one in agreed if (one.question, one.code) == (question.name, code.name)),
            tuple(
                memo
                for memo in book.memos
                if (memo.taxonomy, memo.code) == (taxonomy.name, f"{question.name}.{code.name}")
            ),
        )
        for question, code in taxonomy.codes()
    ]
    return CodebookListing(
        name=taxonomy.name,
        version=taxonomy.version,
        title=taxonomy.title,
        source=taxonomy.source,
        change=taxonomy.change,
        codes=tuple(listed),
        hidden=len(labels) - len(known),
    )


def _listed(
    question: str,
    code: Code,
    labels: Sequence[Label],
    agreed: tuple[CodeAgreement, ...],
    memos: tuple[Memo, ...],
) -> ListedCode:
    return ListedCode(
        question=question,
        code=code,
        labels=len(labels),
        episodes=len({(one.run, one.episode) for one in labels}),
        annotators=len({one.annotator for one in labels}),
        to_recode=len(labels) if code.split_into else 0,
        agreement=agreed,
        memos=memos,
    )


def listing_text(listing: CodebookListing, form: Form) -> str:
    """The listing as a text to read, a Markdown page, a LaTeX table (booktabs), or CSV."""
    match form:
        case "text":
            return "\n".join(_text(listing))
        case "markdown":
            return "\n".join(_markdown(listing)) + "\n"
        case "latex":
            return "\n".join(_latex(listing)) + "\n"
        case "csv":
            return _csv(listing)


def agreement_words(one: ListedCode) -> str:
    """ "alpha 0.52 of 40 steps"; "" where nobody read the same."""
    return ", ".join(
        f"{_figure(found)} of {found.items} {UNITS[found.unit]}" for found in one.agreement if found.items
    )


def alpha_words(one: ListedCode) -> str:
    """ "0.52/0.61", a figure for each unit; "" where none is known."""
    found = (found.alpha.value for found in one.agreement)
    return "/".join(f"{value:.2f}" for value in found if value is not None)


def _figure(found: CodeAgreement) -> str:
    if found.alpha.value is not None:
        return f"alpha {found.alpha.value:.2f}"
    return "no agreement known" if found.percent.value is None else f"{found.percent.value:.0%} agree"


def count_words(one: ListedCode) -> str:
    """ "given 3 times in 2 episodes by 1 annotator"."""
    told = f"given {counted(one.labels, 'time')} in {counted(one.episodes, 'episode')}"
    told += f" by {counted(one.annotators, 'annotator')}" if one.annotators else ""
    return f"{told}; {one.to_recode} to be read again" if one.to_recode else told


def sentences(one: ListedCode) -> Iterator[tuple[str, str]]:
    """What is said of a code, each with its heading."""
    code = one.code
    yield "definition", code.definition or UNDEFINED
    for heading, text in (("when", code.use_when), ("when not", code.not_when)):
        if text:
            yield heading, text
    if code.means:
        yield "implies", ", ".join(code.means)
    if code.split_into:
        yield "split into", ", ".join(code.split_into)
    for example in code.examples:
        quote = f": “{example.quote}”" if example.quote else ""
        yield "example", f"{example.place}{quote}"
    for memo in one.memos:
        yield f"memo of {memo.annotator}", memo.text


def _grouped(listing: CodebookListing) -> Iterator[tuple[str, list[ListedCode]]]:
    for group in listing.groups:
        yield group, [one for one in listing.codes if one.code.group == group]


def _head(listing: CodebookListing) -> str:
    change = listing.change
    told = f"{listing.title} · {listing.name}, version {listing.version}"
    return told + (f" · {change.what} by {change.by} {change.at[:10]}" if change else "")


def _text(listing: CodebookListing) -> Iterator[str]:
    yield _head(listing)
    for group, codes in _grouped(listing):
        yield ""
        yield group or ("other codes" if len(listing.groups) > 1 else "codes")
        for one in codes:
            yield f"  {one.code.name}: {one.code.title}"
            agreed = agreement_words(one)
            yield f"      {count_words(one)}" + (f"; {agreed}" if agreed else "")
            for heading, text in sentences(one):
                yield f"      {heading}: {plain_text(text, limit=2000)}"
    if listing.hidden:
        yield ""
        yield f"{counted(listing.hidden, 'label')} not counted: somebody is not done with the episode"


def _markdown(listing: CodebookListing) -> Iterator[str]:
    yield f"# {_escaped(listing.title)}"
    yield ""
    yield f"{_escaped(_head(listing))}. {_escaped(listing.source)}"
    for group, codes in _grouped(listing):
        if group or len(listing.groups) > 1:
            yield from ("", f"## {_escaped(group or 'Other codes')}")
        for one in codes:
            yield from ("", f"### {_escaped(one.code.title)} (`{one.code.name}`)", "")
            agreed = agreement_words(one)
            yield f"{count_words(one)}" + (f"; {agreed}" if agreed else "") + "."
            yield ""
            for heading, text in sentences(one):
                yield f"- **{_escaped(heading)}**: {_escaped(plain_text(text, limit=2000))}"


def _escaped(text: str) -> str:
    """Foreign words that are no Markdown and no HTML."""
    plain = plain_text(text, limit=2000).replace("&", "&amp;").replace("<", "&lt;")
    return "".join(f"\\{sign}" if sign in "\\`*_[]#|>" else sign for sign in plain)


def _latex(listing: CodebookListing) -> Iterator[str]:
    yield f"% {plain_text(_head(listing), limit=300)}"
    yield r"\begin{tabular}{lp{0.5\linewidth}rrr}"
    yield r"\toprule"
    yield r"Code & Definition & Labels & Episodes & $\alpha$ \\"
    for group, codes in _grouped(listing):
        yield r"\midrule"
        if group:
            yield rf"\multicolumn{{5}}{{l}}{{\emph{{{latex(group)}}}}} \\"
        for one in codes:
            alpha = alpha_words(one) or "--"
            words = (latex(one.code.title), latex(one.code.definition or UNDEFINED))
            yield latex_row((*words, f"{one.labels}", f"{one.episodes}", alpha))
    yield r"\bottomrule"
    yield r"\end{tabular}"


def _csv(listing: CodebookListing) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for one in listing.codes:
        code = one.code
        examples = "; ".join(example.place for example in code.examples)
        said = (code.group, one.question, code.name, code.title, code.definition, code.use_when)
        texts = map(neutralised, (*said, code.not_when, examples))
        counts = (one.labels, one.episodes, one.annotators, agreement_words(one))
        writer.writerow((listing.name, listing.version, *texts, *counts))
    return text.getvalue()
