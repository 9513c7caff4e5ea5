"""`label code`, `label codebook` and `label memo`: from reading to a codebook."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import msgspec
import typer

from webbench.core.errors import UsageError
from webbench.core.labels.codebook import load_codebook
from webbench.core.labels.label import Memo
from webbench.core.labels.ledger import ledger_of
from webbench.core.labels.recoding import OPEN
from webbench.core.labels.saturation import saturation, saturation_bars
from webbench.core.labels.taxonomy import Taxonomy
from webbench.core.labels.written_taxonomy import taxonomy_toml
from webbench.core.people.labelling.codebook_listing import (
    SCHEMA_VERSION,
    codebook_listing,
    listing_text,
)
from webbench.core.people.labelling.coder import Coder
from webbench.core.people.labelling.labelled_episode import Subject, last_steps, subject
from webbench.core.runner.plan.declared_options import Option
from webbench.core.settings.load_settings import load_settings
from webbench.core.store.store import Store
from webbench.tui.cli.options import Annotator, AsJson, Everything, OutFile, Quote, StorePath, asking
from webbench.tui.cli.output import print_json, print_table, print_text, say, width
from webbench.tui.cli.people.label import chosen_episodes, told_codebook
from webbench.tui.cli.place import chosen_annotator, find_episode, open_store

Printed = Literal["text", "markdown", "latex", "csv", "toml"]
CodebookName = Annotated[str, Option(flag="--codebook", help="Which codebook.")]


class CodeRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `label code` asks for."""

    what: Annotated[str, Option(argument=True, help="add, define, rename, merge, split, group or undo.")]
    codes: Annotated[
        tuple[str, ...],
        Option(
            argument=True,
            help="add TITLE; define CODE; rename CODE NEW; merge CODE... --into CODE; "
            "split CODE TITLE TITLE...; group CODE... --group NAME.",
        ),
    ] = ()
    codebook: CodebookName = OPEN
    annotator: Annotator = ""
    name: Annotated[str, Option(help="add: short name; made of the title if not given.")] = ""
    question: Annotated[str, Option(help="add: the question it answers; the first if not given.")] = ""
    into: Annotated[str, Option(help="merge: the code that they become.")] = ""
    group: Annotated[str, Option(help="add, group: the parent; group without it takes them out of one.")] = ""
    definition: Annotated[
        str, Option(help="add, define: one sentence that tells it from the others; - empties it.")
    ] = ""
    use_when: Annotated[str, Option(help="add, define: when to give it.")] = ""
    not_when: Annotated[str, Option(help="add, define: when another code fits better.")] = ""
    title: Annotated[str, Option(help="define: another title.")] = ""
    means: Annotated[
        tuple[str, ...],
        Option(
            help="add, define: a code of the merged taxonomy that it implies, such as cause.navigation; "
            "repeatable, - for none."
        ),
    ] = ()
    episode: Annotated[
        str, Option(help="add, define: an example; what is added is also given to it as a label.")
    ] = ""
    step: Annotated[int | None, Option(help="The step of --episode that shows it.")] = None
    quote: Quote = ""
    why: Annotated[str, Option(help="Why the codebook is changed.")] = ""
    store: StorePath = None


@asking(CodeRequest)
def label_code_command(request: CodeRequest, as_json: AsJson = False) -> None:
    """Change a codebook: add, define, rename, merge, split or group codes, or undo a change.

    Labels follow: those of a merged or renamed code count for what it became, those of a split one wait to be
    read again. Nothing recorded is lost, and every version stays.
    """
    raise typer.Exit(change_codebook(request, as_json=as_json))


def label_codebook_command(
    name: Annotated[str, typer.Argument(help="Which codebook, or any taxonomy.")] = OPEN,
    begin: Annotated[str, typer.Option("--from", help="Begin it with the codes of this taxonomy.")] = "",
    version: Annotated[int | None, typer.Option("--version", help="As it was in this version.")] = None,
    history: Annotated[bool, typer.Option("--history", help="Who changed what, when and why.")] = False,
    curve: Annotated[
        bool, typer.Option("--saturation", help="How many new codes each further episode brought.")
    ] = False,
    form: Annotated[
        Printed,
        typer.Option("--form", help="text, markdown, latex (booktabs), csv, or toml: a taxonomy's file."),
    ] = "text",
    out: OutFile = None,
    annotator: Annotator = "",
    everything: Everything = False,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Print a codebook: definitions, examples, memos, counts, and the agreement on each code.

    Exit 4 where something of it can't be read.
    """
    opened = open_store(store)
    if begin:
        taxonomy = told_codebook(opened).taxonomy(begin)
        Coder(opened, load_codebook(), chosen_annotator(annotator), name).begin(taxonomy)
    if history:
        raise typer.Exit(_print_history(opened, name, as_json=as_json))
    if curve:
        _print_saturation(opened, name, annotator or load_settings().annotator, as_json=as_json)
        return
    text = listed_codebook(
        opened,
        name,
        version=version,
        form="json" if as_json else form,
        annotator=annotator,
        everything=everything,
    )
    if out is None:
        print_text(text.removesuffix("\n"))
    else:
        _write(out, text)
    raise typer.Exit(4 if ledger_of(opened).book().problems else 0)


class MemoRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `label memo` asks for."""

    text: Annotated[str, Option(argument=True, help="The memo; without it memos are listed.")] = ""
    annotator: Annotator = ""
    episode: Annotated[str, Option(help="On this episode, or on a --step of it.")] = ""
    step: Annotated[int | None, Option(help="On this step.")] = None
    code: Annotated[str, Option(help="On this code.")] = ""
    codebook: CodebookName = OPEN
    withdraw: Annotated[bool, Option(help="Take the memo there back; it stays on disk.")] = False
    everything: Everything = False
    store: StorePath = None


@asking(MemoRequest)
def label_memo_command(request: MemoRequest, as_json: AsJson = False) -> None:
    """Write a memo on a code, a step or an episode; without a text memos are listed.

    Listed are one's own on episodes and steps, and everybody's on codes.
    """
    raise typer.Exit(write_memo(request, as_json=as_json))


def change_codebook(request: CodeRequest, *, as_json: bool) -> int:
    """Make the change: 0. Raises `UsageError` for what can't be changed so."""
    store = open_store(request.store)
    coder = Coder(store, load_codebook(), chosen_annotator(request.annotator), request.codebook, request.why)
    taxonomy = _changed(coder, request, _place(store, request.episode, request.step))
    change = taxonomy.change
    assert change is not None
    if as_json:
        print_json(
            {
                "schema_version": SCHEMA_VERSION,
                "codebook": taxonomy.name,
                "version": taxonomy.version,
                "change": change,
            }
        )
    else:
        print_text(f"{taxonomy.name}, version {taxonomy.version}: {change.words}")
    return 0


def _changed(coder: Coder, request: CodeRequest, place: tuple[Subject, int | None] | None) -> Taxonomy:
    said = {
        "definition": request.definition,
        "use_when": request.use_when,
        "not_when": request.not_when,
    }
    codes = request.codes
    match request.what, codes:
        case "add", (title,):
            said |= {"group": request.group}
            asked = {"name": request.name, "asked": request.question, "quote": request.quote}
            return coder.add(title, place=place, means=request.means, **asked, **said)[0]
        case "define", (code,):
            return coder.define(code, place, request.quote, request.means, title=request.title, **said)
        case "rename", (code, name):
            return coder.rename(code, name, request.title)
        case "merge", (_, *_) if request.into:
            return coder.merge(codes, request.into)
        case "split", (code, *titles):
            return coder.split(code, titles)
        case "group", (_, *_):
            return coder.group(codes, request.group)
        case "undo", ():
            return coder.undo()
    raise UsageError(
        f'"label code {request.what}" with {len(codes)} names means nothing',
        "add TITLE · define CODE · rename CODE NEW · merge CODE... --into CODE · split CODE TITLE TITLE... · "
        "group CODE... --group NAME · undo",
    )


def listed_codebook(
    store: Store,
    name: str,
    *,
    version: int | None,
    form: Printed | Literal["json"],
    annotator: str,
    everything: bool,
) -> str:
    """A codebook or taxonomy with counts and agreement, in one of the forms. Raises `UsageError`."""
    book = ledger_of(store).book()
    taxonomy = _version(store, name, version)
    if form == "toml":
        return taxonomy_toml(taxonomy)
    listing = codebook_listing(
        taxonomy,
        book,
        last_steps(store),
        annotator=annotator or load_settings().annotator,
        everything=everything,
    )
    if form != "json":
        return listing_text(listing, form)
    import json

    told = {"schema_version": SCHEMA_VERSION, "codebook": listing, "taxonomy": taxonomy}
    return json.dumps(msgspec.to_builtins(told), indent=2) + "\n"


def _version(store: Store, name: str, version: int | None) -> Taxonomy:
    versions = ledger_of(store).codebooks.of(name)
    if version is not None and versions is not None:
        return versions.version(version)
    if name == OPEN and versions is None:
        raise UsageError(
            f"There is no codebook {OPEN} yet", '`webbench-tui label code add "TITLE"` begins it'
        )
    return told_codebook(store).taxonomy(name)


def _print_history(store: Store, name: str, *, as_json: bool) -> int:
    versions = ledger_of(store).codebooks.of(name)
    if versions is None:
        raise UsageError(f"There is no codebook {name} in {store.root}", "taxonomies have no history here")
    found = [(one.version, one.change) for one in versions.versions if one.change is not None]
    if as_json:
        told = [{"version": number, **msgspec.to_builtins(change)} for number, change in found]
        print_json({"schema_version": SCHEMA_VERSION, "codebook": name, "history": told})
    else:
        rows = [(number, one.at, one.by, one.words, one.why) for number, one in found]
        print_table(("version", "when", "by", "what", "why"), rows, numbers=(0,), flexible=(3, 4), whole=True)
    for problem in versions.problems:
        say(problem)
    return 4 if versions.problems else 0


def _print_saturation(store: Store, name: str, annotator: str, *, as_json: bool) -> None:
    from webbench.tui.cli.figure_lines import section_lines

    points = saturation(ledger_of(store).book(), _version(store, name, None), annotator)
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "codebook": name, "saturation": points})
        return
    for line in section_lines([saturation_bars(points)], width()):
        print_text(line.text)


def write_memo(request: MemoRequest, *, as_json: bool) -> int:
    """Write a memo down, or list them: 0, or 4 where something could not be read."""
    store = open_store(request.store)
    if request.text or request.withdraw:
        coder = Coder(store, load_codebook(), chosen_annotator(request.annotator), request.codebook)
        place = _place(store, request.episode, request.step)
        memos = [coder.memo("" if request.withdraw else request.text, place, request.code)]
    else:
        memos = _shown_memos(store, request)
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "memos": memos})
    else:
        rows = [(_memo_place(one), one.annotator, one.at, one.text or "taken back") for one in memos]
        print_table(("on", "by", "when", "memo"), rows, flexible=(0, 3), whole=True)
    problems = ledger_of(store).book().problems
    for problem in problems:
        say(problem)
    return 4 if problems else 0


def _shown_memos(store: Store, request: MemoRequest) -> list[Memo]:
    """Those on codes, which are about the codebook, and one's own of places; all of them if asked for."""
    who = request.annotator or load_settings().annotator
    places = set(chosen_episodes(store, [request.episode])) if request.episode else None
    return [
        memo
        for memo in ledger_of(store).book().memos
        if (request.everything or memo.code or memo.annotator == who)
        and (places is None or (memo.run, memo.episode) in places)
        and (request.step is None or memo.step == request.step)
        and (not request.code or memo.code.rpartition(".")[2] == request.code.rpartition(".")[2])
    ]


def _memo_place(memo: Memo) -> str:
    if memo.code:
        return f"{memo.taxonomy} {memo.code}"
    return f"{memo.run}/{memo.episode}" + ("" if memo.step is None else f" step {memo.step}")


def _place(store: Store, episode: str, step: int | None) -> tuple[Subject, int | None] | None:
    if not episode:
        if step is not None:
            raise UsageError(f"Step {step} of which episode?", "name it with --episode")
        return None
    return subject(store, find_episode(store, episode)), step


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        raise UsageError(
            f"{path} can't be written: {error.strerror or error}", "name another file"
        ) from error
    say(f"written to {path}")
