"""`label suggest`: what a program makes of an episode, for a person to confirm or not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from webbench.core.analysis.decisive.confirmed import Looked, tallies
from webbench.core.analysis.decisive.model_level import UNMEASURED_JUDGE, NamedStep, named_steps
from webbench.core.analysis.decisive.ranking import Ranking, how_sure, leading
from webbench.core.analysis.decisive.reference_level import rank_steps
from webbench.core.analysis.findings.suggest import SCHEMA_VERSION, suggest_for
from webbench.core.analysis.findings.suggestion import TITLES, Suggestion
from webbench.core.errors import BadData
from webbench.core.labels.codebook import load_codebook
from webbench.core.labels.label import Label
from webbench.core.labels.ledger import ledger_of
from webbench.core.statistics.estimates import Estimate
from webbench.core.store.store import Store
from webbench.core.text.no_value import NO_VALUE
from webbench.core.text.plain_text import plain_clip
from webbench.core.text.plural import counted
from webbench.core.trajectory import Trajectory
from webbench.tui.cli.options import AsJson, StorePath
from webbench.tui.cli.output import print_json, print_line, print_table, print_text, say
from webbench.tui.cli.people.label import chosen_episodes
from webbench.tui.cli.place import open_store

EVALUATED = ("question", "confirmed", "rejected", "unanswered", "precision")
RANKED = ("rank", "share", "by", "question")
HEADERS = ("step", "from", "suggestion", "evidence", "text", "would be")


def label_suggest_command(
    episodes: Annotated[list[str], typer.Argument(help="Episodes or runs.")],
    blind: Annotated[
        bool, typer.Option("--blind", help="Leave out what rests on the score or the reference answer.")
    ] = False,
    evaluate: Annotated[
        bool, typer.Option("--evaluate", help="Count what people's labels confirmed and rejected.")
    ] = False,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """What may have gone wrong, and which step decided it: questions of a program, no labels.

    Exit 4 where an episode could not be read.
    """
    raise typer.Exit(
        print_suggestions(episodes, blind=blind, evaluate=evaluate, store=store, as_json=as_json)
    )


class Examined(msgspec.Struct, frozen=True, kw_only=True):
    """What a program makes of an episode.

    Attributes:
        ranking: None for one that was solved.
        named: what judges were asked and said, see `judge decisive`.
    """

    run: str
    episode: str
    suggestions: tuple[Suggestion, ...]
    ranking: Ranking | None
    named: tuple[NamedStep, ...] = ()


def print_suggestions(
    names: Sequence[str], *, blind: bool, evaluate: bool = False, store: Path | None, as_json: bool
) -> int:
    """Print what was found in each episode, or how it fared: 0, or 4 where one could not be read."""
    opened = open_store(store)
    problems: list[str] = []
    found = list(_examined(opened, names, blind, problems))
    if evaluate:
        _evaluate(opened, found, as_json)
    elif as_json:
        print_json({"schema_version": SCHEMA_VERSION, "episodes": found})
    else:
        for one in found:
            _print(one)
    for problem in problems:
        say(problem)
    return 4 if problems else 0


def _examined(store: Store, names: Sequence[str], blind: bool, problems: list[str]) -> Iterator[Examined]:
    """Each episode, beside those of the same task: one of them that succeeded tells where others parted."""
    loaded: list[Trajectory] = []
    for run, episode in chosen_episodes(store, names):
        try:
            loaded.append(store.load(store.root / run / episode))
        except BadData as error:
            problems.append(str(error))
    named = {} if blind else named_steps(store)
    for one in loaded:
        problems += one.problems
        yield Examined(
            run=one.header.run,
            episode=one.header.episode,
            suggestions=suggest_for(store, one, blind=blind),
            ranking=rank_steps(
                store,
                one,
                [other for other in loaded if other.header.task.id == one.header.task.id],
                blind=blind,
            ),
            named=named.get((one.header.run, one.header.episode), ()),
        )


def _evaluate(store: Store, found: Sequence[Examined], as_json: bool) -> None:
    """How questions fared in the episodes that people labelled."""
    ledger = ledger_of(store)
    book, codebook = ledger.book(), load_codebook(written=ledger.codebooks)
    labels: dict[tuple[str, str], list[Label]] = {}
    for label in book.labels:
        labels.setdefault((label.run, label.episode), []).append(label)
    looked = [
        Looked(
            suggestions=one.suggestions,
            ranking=one.ranking,
            labels=labels.get((one.run, one.episode), []),
            named=one.named,
        )
        for one in found
    ]
    counts = tallies(looked, codebook)
    silent = [label for one in looked for label in one.labels if label.code and not codebook.meanings(label)]
    unlabelled = sum(not one.labels for one in looked)
    if as_json:
        told = {"unlabelled": unlabelled, "labels_without_meaning": len(silent), "questions": counts}
        print_json({"schema_version": SCHEMA_VERSION, **told})
        return
    if counts:
        rows = [
            (one.name, one.confirmed, one.rejected, one.unanswered, _share(one.precision)) for one in counts
        ]
        print_table(EVALUATED, rows, numbers=(1, 2, 3), whole=True)
    say(f"{counted(unlabelled, 'episode')} that nobody labelled left out")
    if silent:
        codes = plain_clip(", ".join(sorted({f"{one.taxonomy} {one.code}" for one in silent})), 200)
        say(
            f"{counted(len(silent), 'label')} left out whose codes imply no cause: {codes} "
            "(`webbench-tui label code define CODE --means cause.navigation`)"
        )


def _share(estimate: Estimate) -> str:
    """ "40 % (12–77)", with Wilson's interval; a dash where nothing was answered."""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return NO_VALUE
    return f"{100 * estimate.value:.0f} % ({100 * estimate.low:.0f}–{100 * estimate.high:.0f})"


def _print(one: Examined) -> None:
    print_text(
        f"{one.run}/{one.episode}" + ("" if one.suggestions or one.ranking else ": nothing to suggest")
    )
    if one.suggestions:
        rows = [
            (
                found.step,
                found.first if found.first != found.step else None,
                TITLES[found.kind],
                found.text,
                found.quote,
                " ".join(found.means),
            )
            for found in one.suggestions
        ]
        print_table(HEADERS, rows, numbers=(0, 1), flexible=(3, 4), optional=(5, 4))
    if one.ranking is not None:
        shown = [(at, f"{step.share:.2f}", step.agent, step.question) for at, step in leading(one.ranking)]
        print_table(RANKED, shown, numbers=(0, 1), flexible=(3,), whole=True)
        print_text(how_sure(one.ranking))
    for named in one.named:
        print_text(f"{named.asks} ({named.quotes})")
    if one.named:
        print_text(UNMEASURED_JUDGE)
    print_line()
