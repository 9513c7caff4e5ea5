"""`label`, `label list` and `label settle`: labels from the command line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from webbench.core.errors import UsageError
from webbench.core.labels.codebook import Codebook, load_codebook
from webbench.core.labels.label import Label
from webbench.core.labels.ledger import Book, ledger_of
from webbench.core.labels.recoding import OPEN
from webbench.core.labels.taxonomy import Code, Taxonomy
from webbench.core.labels.visibility import Sight, sight
from webbench.core.people.labelling.labelled_episode import (
    Subject,
    fitting_taxonomy,
    subject,
)
from webbench.core.people.labelling.rater import Disagreement, Rater, Remark
from webbench.core.runner.plan.declared_options import Option
from webbench.core.settings.load_settings import load_settings
from webbench.core.store.index.filters import parse_filter
from webbench.core.store.store import Store
from webbench.core.text.no_value import NO_VALUE
from webbench.core.text.plural import counted
from webbench.tui.cli.options import (
    Annotator,
    AsJson,
    Everything,
    EvidentStep,
    LabelledRuns,
    Note,
    StorePath,
    TaxonomyName,
    asking,
)
from webbench.tui.cli.output import print_json, print_table, print_text, say
from webbench.tui.cli.place import chosen_annotator, find_episode, find_episodes, open_store
from webbench.tui.terminal import at_terminal

if TYPE_CHECKING:
    from webbench.core.people.labelling.worksheet import LabellingOrder

SCHEMA_VERSION = 1
NO_LABEL = "-"
"""In place of a code: there shall be none."""

HEADERS = ("episode", "step", "taxonomy", "question", "code", "by", "sure", "evidence", "note")


class LabelRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `label` asks for."""

    episodes: Annotated[
        tuple[str, ...],
        Option(
            argument=True,
            help="Episodes or runs (the newest run if not given); with --code or --done one.",
        ),
    ] = ()
    annotator: Annotator = ""
    taxonomy: TaxonomyName = ""
    code: Annotated[str, Option(help="Code, or question.code; `label taxonomies` lists them.")] = ""
    step: Annotated[int | None, Option(help="Label this step, not the episode.")] = None
    note: Note = ""
    evidence: EvidentStep = None
    confidence: Annotated[int | None, Option(help="1, a guess, to 5, certain.")] = None
    done: Annotated[bool, Option(help="Be done with the episode: others' labels show.")] = False
    reopen: Annotated[bool, Option(help="Label the episode again.")] = False
    withdraw: Annotated[bool, Option(help="Take the label of --code back.")] = False
    blind: Annotated[bool, Option(help="On the screen: hide scores, suggestions and verdicts of judges.")] = (
        False
    )
    queue: Annotated[str, Option(help="On the screen: one's part of this queue.")] = ""
    recode: Annotated[
        bool, Option(help="On the screen: what one labelled by a code that was split since.")
    ] = False
    store: StorePath = None


class SettleRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `label settle` asks for."""

    episode: Annotated[
        str,
        Option(
            argument=True,
            help="An episode that annotators differ on; without --code also a run, or a filter such as "
            "status:failed.",
        ),
    ]
    annotator: Annotator = ""
    taxonomy: TaxonomyName = ""
    code: Annotated[
        str, Option(help="What it shall be, - for no label; without it the cases are listed.")
    ] = ""
    step: Annotated[int | None, Option(help="Of this step, not the episode.")] = None
    note: Note = ""
    store: StorePath = None


@asking(LabelRequest)
def label_give_command(request: LabelRequest, as_json: AsJson = False) -> None:
    """Label an episode or a step; without --code, --done or --reopen on the screen.

    A later label of the same place and question supersedes the earlier one; both stay on disk. Labels of
    others are hidden until both are done with the episode.
    """
    if not (request.code or request.done or request.reopen):
        open_labelling(request)
        return
    raise typer.Exit(label_episode(request, as_json=as_json))


def label_list_command(
    runs: LabelledRuns = (),
    annotator: Annotator = "",
    taxonomy: TaxonomyName = "",
    everything: Everything = False,
    recode: Annotated[
        bool, typer.Option("--recode", help="Only those by codes that were split since.")
    ] = False,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Labels that may be shown: one's own, and others' where both are done. Exit 4 for damaged lines."""
    code = list_labels(
        runs,
        annotator=annotator,
        taxonomy=taxonomy,
        everything=everything,
        recode=recode,
        store=store,
        as_json=as_json,
    )
    raise typer.Exit(code)


@asking(SettleRequest)
def label_settle_command(request: SettleRequest, as_json: AsJson = False) -> None:
    """Decide between labels: kept as an adjudicated label, the originals stay."""
    raise typer.Exit(settle_labels(request, as_json=as_json))


def label_episode(request: LabelRequest, *, as_json: bool) -> int:
    """Give, or take back, a label; be done, or not.

    Raises:
        UsageError: no such episode, code or step; nobody named.
    """
    if len(request.episodes) != 1:
        raise UsageError("Name one episode to label", "several are labelled on the screen: leave --code out")
    place, rater = _rater(request, request.episodes[0])
    label = _give(request, rater, place) if request.code else None
    if request.reopen:
        rater.reopen(place.run, place.episode)
    elif request.done:
        rater.finish(place.run, place.episode)
    done = rater.is_done(place.run, place.episode)
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "label": label, "done": done})
        return 0
    if label is not None:
        where = "the episode" if label.step is None else f"step {label.step}"
        what = "taken back from" if label.withdrawn else "given to"
        print_text(f"{label.taxonomy} {label.question}.{label.code} {what} {where} by {label.annotator}")
    print_text("done" if done else f"not done yet: `webbench-tui label {place.episode} --done` when you are")
    return 0


def _give(request: LabelRequest, rater: Rater, place: Subject) -> Label:
    question, code = rater.taxonomy.find(request.code, request.step)
    if request.withdraw:
        for label in rater.own(place.run, place.episode):
            if (label.step, label.question, label.code) == (request.step, question.name, code.name):
                rater.take_back(label)
                return msgspec.structs.replace(label, withdrawn=True)
        raise UsageError(f"You gave no {question.name}.{code.name} there", "`webbench-tui label list` tells")
    remark = Remark(note=request.note, evidence=request.evidence, confidence=request.confidence)
    return rater.give(place.run, place.episode, request.step, question, code, remark, last=place.last)


def settle_labels(request: SettleRequest, *, as_json: bool) -> int:
    """Decide on a case, or list the cases of an episode or of many: 1 while some are open, else 0."""
    if not request.code:
        return _list_cases(request, as_json=as_json)
    place, rater = _rater(request, request.episode)
    case, code = _decided_case(request, rater, rater.disagreements(place.run, place.episode))
    rater.settle(place.run, place.episode, case, code, request.note)
    return _print_cases([(place, rater.disagreements(place.run, place.episode))], as_json=as_json)


def _list_cases(request: SettleRequest, *, as_json: bool) -> int:
    store = open_store(request.store)
    found = []
    for run, episode in chosen_episodes(store, [request.episode]):
        place, rater = _rater(request, f"{run}/{episode}")
        found.append((place, rater.disagreements(run, episode)))
    return _print_cases(found, as_json=as_json)


def _print_cases(found: Sequence[tuple[Subject, Sequence[Disagreement]]], *, as_json: bool) -> int:
    cases = [(place, case) for place, differing in found for case in differing]
    if as_json:
        told: list[object] = [case for _, case in cases]
        if len(found) > 1:
            told = [
                {"run": place.run, "episode": place.episode, **msgspec.to_builtins(case)}
                for place, case in cases
            ]
        print_json({"schema_version": SCHEMA_VERSION, "disagreements": told})
    elif not cases:
        print_text("Nobody differs, or not everybody is done")
    else:
        several = len(found) > 1
        rows = [
            (place.episode, _step(case.step), case.question, _answers(case), _decided(case))[not several :]
            for place, case in cases
        ]
        headers = ("episode", "step", "question", "labels", "adjudicated")[not several :]
        print_table(headers, rows, flexible=(0, 3) if several else (2,), whole=True)
    return 1 if any(case.settled is None for _, case in cases) else 0


def _decided_case(
    request: SettleRequest, rater: Rater, found: Sequence[Disagreement]
) -> tuple[Disagreement, Code | None]:
    """The case that is decided, and for what: the code, or None for "question.-"."""
    asked, _, name = request.code.rpartition(".")
    if name == NO_LABEL:
        here = [case for case in found if case.step == request.step and asked in ("", case.question)]
        code, told = None, asked or "anything"
    else:
        question, code = rater.taxonomy.find(request.code, request.step)
        here = [case for case in found if (case.step, case.question) == (request.step, question.name)]
        told = question.name
    if len(here) != 1:
        many = f"They differ on {' and '.join(case.question for case in here)} there"
        raise UsageError(
            many if here else f"Nobody differs there on {told}",
            "write question.-" if here else "without --code the cases of the episode are listed",
        )
    return here[0], code


def list_labels(
    names: Sequence[str],
    *,
    annotator: str,
    taxonomy: str,
    everything: bool,
    recode: bool,
    store: Path | None,
    as_json: bool,
) -> int:
    """Print the labels that may be shown: 0, or 4 where a line of them could not be read."""
    opened = open_store(store)
    book = ledger_of(opened).book()
    seen = seen_labels(opened, book, names, annotator, taxonomy, everything)
    if recode:
        codebook = told_codebook(opened)
        seen = msgspec.structs.replace(seen, labels=tuple(filter(codebook.is_split, seen.labels)))
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "labels": seen.labels, "hidden": hidden_count(seen)})
    else:
        rows = [_row(label) for label in seen.labels]
        if rows:
            print_table(HEADERS, rows, numbers=(1, 6, 7), flexible=(0, 8), optional=(3, 7), whole=True)
        elif recode:
            say("No label waits to be read again")
        elif not seen.hidden:
            say("There are no labels yet: `webbench-tui label EPISODE --as NAME` gives some")
        say_hidden(seen)
    say_left_out(book)
    for problem in book.problems:
        say(problem)
    return 4 if book.problems else 0


def seen_labels(
    store: Store, book: Book, names: Sequence[str], annotator: str, taxonomy: str, everything: bool
) -> Sight:
    """The labels of these runs and episodes that this annotator, or everybody, may see."""
    places = set(chosen_episodes(store, names)) if names else None
    labels = [
        label
        for label in book.labels
        if (places is None or (label.run, label.episode) in places) and taxonomy in ("", label.taxonomy)
    ]
    if everything:
        return Sight(labels=tuple(labels), hidden={})
    return sight(book, annotator or load_settings().annotator, labels)


def open_labelling(request: LabelRequest) -> None:
    """Episodes of these names, or of the newest run, to be labelled one after the other.

    Raises `UsageError` for unknown episodes, taxonomies or names of annotators, and without a terminal.
    """
    from webbench.core.labels.label import pseudonym
    from webbench.core.people.labelling.worksheet import LabellingOrder
    from webbench.tui.cli.opening_screens import run_screens
    from webbench.tui.opening import Opening

    if request.annotator:
        pseudonym(request.annotator)
    opened = open_store(request.store)
    if request.taxonomy:
        load_codebook(written=ledger_of(opened).codebooks).taxonomy(request.taxonomy)
    order = _queued(opened, request) if request.queue else None
    if request.recode:
        order = _recoded(opened, request)
    places = order.places if order is not None else places_to_label(opened, request.episodes)
    if not at_terminal():
        raise UsageError("The labelling screen needs a terminal", "without one, label with --code, or --done")
    order = order or LabellingOrder(
        places=places, annotator=request.annotator, taxonomy=request.taxonomy, blind=request.blind
    )
    run_screens(Opening(store=opened.root, labelling=order), load_settings())


def _queued(store: Store, request: LabelRequest) -> LabellingOrder:
    """One's part of a queue, beginning with what one isn't done with."""
    from webbench.core.people.labelling.queues import labelling_order, read_queue

    if request.episodes:
        raise UsageError("A queue says which episodes", "leave out either")
    queue = read_queue(store, request.queue)
    return labelling_order(queue, chosen_annotator(request.annotator), ledger_of(store).book())


def _recoded(store: Store, request: LabelRequest) -> LabellingOrder:
    """The episodes in which one gave a code that was split since. Raises `UsageError` where there is none."""
    from webbench.core.people.labelling.worksheet import LabellingOrder

    ledger = ledger_of(store)
    codebook = load_codebook(written=ledger.codebooks)
    who, taxonomy = chosen_annotator(request.annotator), request.taxonomy or OPEN
    own = [
        one
        for one in ledger.book().labels
        if (one.annotator, one.taxonomy, one.settles) == (who, taxonomy, ()) and codebook.is_split(one)
    ]
    among = set(chosen_episodes(store, request.episodes)) if request.episodes else None
    places = dict.fromkeys((one.run, one.episode) for one in own)
    waiting = tuple(place for place in places if among is None or place in among)
    if not waiting:
        raise UsageError(f"No label of {who} in {taxonomy} waits to be read again", "nothing is to be done")
    return LabellingOrder(places=waiting, annotator=who, taxonomy=taxonomy, blind=request.blind)


def chosen_episodes(store: Store, names: Sequence[str]) -> list[tuple[str, str]]:
    """(run, episode) of these names, of episodes, runs, pools, or filters of `runs` ("status:failed").

    No name has a colon, and every filter that could be meant here has one. Raises `UsageError`.
    """
    found: dict[tuple[str, str], None] = {}
    for name in names:
        if ":" in name:
            matching = store.select(parse_filter(name))
            if not matching:
                raise UsageError(
                    f'No episode matches "{name[:80]}"', "`webbench-tui runs FILTER` shows what does"
                )
            found.update({(one.run, one.episode): None for one in matching})
        else:
            found.update({(one.parent.name, one.name): None for one in find_episodes(store, [name])})
    return list(found)


def places_to_label(store: Store, names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """(run, episode) of what the names mean and can be read; without names the newest run's.

    Raises `UsageError` where there is nothing.
    """
    runs = [] if names else [run.run for run in store.runs() if run.episodes][:1]
    readable = {(one.run, one.episode) for one in store.episodes() if one.state != "unreadable"}
    chosen = chosen_episodes(store, names or runs)
    places = tuple(place for place in chosen if place in readable)
    if left := len(chosen) - len(places):
        say(f"{counted(left, 'episode')} left out: the record can't be read; `webbench-tui show` says why")
    if not places:
        raise UsageError(
            f"There is nothing to label in {store.root}", "`webbench-tui import` brings episodes in"
        )
    return places


def told_codebook(store: Store) -> Codebook:
    """All taxonomies, those written in the store among them; what is wrong with one is said on stderr."""
    codebook = load_codebook(written=ledger_of(store).codebooks)
    for problem in codebook.problems:
        say(problem)
    return codebook


def hidden_count(seen: Sight) -> int:
    return sum(seen.hidden.values())


def say_left_out(book: Book) -> None:
    """How much was said of runs that were deleted."""
    if book.of_deleted:
        noun = "entry" if book.of_deleted == 1 else "entries"
        say(f"{book.of_deleted:,} {noun} of deleted runs left out; `webbench-tui runs restore` has them back")


def say_hidden(seen: Sight) -> None:
    """How many labels are not shown, and why."""
    if seen.hidden:
        count = counted(hidden_count(seen), "label")
        say(f"{count} hidden until all who labelled the episode are done (--all shows them)")


def _rater(request: LabelRequest | SettleRequest, episode: str) -> tuple[Subject, Rater]:
    store = open_store(request.store)
    place = subject(store, find_episode(store, episode))
    taxonomy: Taxonomy = fitting_taxonomy(told_codebook(store), request.taxonomy, place.benchmark)
    return place, Rater(ledger_of(store), taxonomy, chosen_annotator(request.annotator))


def _row(label: Label) -> tuple[object, ...]:
    by = f"{label.annotator} (decides)" if label.settles else label.annotator
    place = f"{label.run}/{label.episode}"
    return (
        place,
        _step(label.step),
        label.taxonomy,
        label.question,
        label.answer,
        by,
        label.confidence,
        label.evidence,
        label.note,
    )


def _step(step: int | None) -> object:
    return NO_VALUE if step is None else step


def _answers(case: Disagreement) -> str:
    return ", ".join(f"{who}: {label.code if label else 'none'}" for who, label in case.labels.items())


def _decided(case: Disagreement) -> str:
    return f"{case.settled.answer} ({case.settled.annotator})" if case.settled else "open"
