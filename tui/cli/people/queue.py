"""`label queue`: who labels which episodes, how far they are, how long it took, and how they do on gold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, cast, get_args

import msgspec
import typer

from webbench.core.errors import UsageError
from webbench.core.labels.ledger import ledger_of
from webbench.core.people.labelling.queues import (
    SCHEMA_VERSION,
    QueueOrder,
    QueueProgress,
    Stratum,
    make_queue,
    queue_names,
    queue_progress,
    read_queue,
)
from webbench.core.runner.plan.declared_options import Option
from webbench.core.store.index.summaries import EpisodeSummary
from webbench.core.store.store import Store
from webbench.core.text.no_value import NO_VALUE
from webbench.tui.cli.options import AsJson, StorePath, asking
from webbench.tui.cli.output import print_json, print_table, print_text
from webbench.tui.cli.people.label import chosen_episodes, told_codebook
from webbench.tui.cli.place import open_store

HEADERS = ("annotator", "done", "of", "time", "per episode", "on gold")


class QueueRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `label queue` asks for."""

    name: Annotated[str, Option(argument=True, help="The queue; without one they are listed.")] = ""
    runs: Annotated[
        tuple[str, ...],
        Option(
            argument=True,
            help="Make it of these runs or episodes, or of what matches a filter such as status:failed; "
            "without them its progress is printed.",
        ),
    ] = ()
    annotators: Annotated[tuple[str, ...], Option(flag="--for", help="An annotator; repeatable.")] = ()
    taxonomy: Annotated[str, Option(flag="--taxonomy", help="Which codes.")] = "merged"
    size: Annotated[int | None, Option(help="Draw so many episodes; all if not given.")] = None
    strata: Annotated[
        tuple[str, ...],
        Option(flag="--by", help="Keep the shares of run, actor, site, benchmark or outcome; repeatable."),
    ] = ()
    disagreement: Annotated[bool, Option(help="Those that raters differ on most, first.")] = False
    seed: Annotated[int, Option(help="Another seed draws and deals otherwise.")] = 0
    readings: Annotated[int, Option(help="How many annotators read each episode.")] = 1
    gold: Annotated[int, Option(help="So many episodes besides that everybody reads.")] = 0
    gold_by: Annotated[str, Option(help="Whose labels of those are held to be right.")] = ""
    blind: Annotated[bool, Option(help="The screen hides scores, suggestions and verdicts of judges.")] = (
        False
    )
    store: StorePath = None


@asking(QueueRequest)
def label_queue_command(request: QueueRequest, as_json: AsJson = False) -> None:
    """Draw episodes and deal them to annotators, or tell how far they are.

    `label --queue NAME --as WHO` opens one's part of it. Exit 1 while something is left to be read.
    """
    store = open_store(request.store)
    if not request.name:
        names = queue_names(store)
        if as_json:
            print_json({"schema_version": SCHEMA_VERSION, "queues": names})
        else:
            print_text(
                "\n".join(names) or "There is no queue yet: `webbench-tui label queue NAME RUN --for WHO`"
            )
        return
    if request.runs:
        make_queue(store, _order(request, store), _pool(store, request.runs))
    raise typer.Exit(_print_progress(store, request.name, as_json=as_json))


def _order(request: QueueRequest, store: Store) -> QueueOrder:
    wrong = [one for one in request.strata if one not in get_args(Stratum)]
    if wrong:
        raise UsageError(f'Nothing is drawn by "{wrong[0][:40]}"', f"there is {', '.join(get_args(Stratum))}")
    return QueueOrder(
        name=request.name,
        taxonomy=told_codebook(store).taxonomy(request.taxonomy).name,
        annotators=request.annotators,
        size=request.size,
        strata=cast("tuple[Stratum, ...]", request.strata),
        by_disagreement=request.disagreement,
        seed=request.seed,
        readings=request.readings,
        gold=request.gold,
        gold_by=request.gold_by,
        blind=request.blind,
    )


def _pool(store: Store, names: Sequence[str]) -> list[EpisodeSummary]:
    wanted = set(chosen_episodes(store, names))
    known = [one for one in store.episodes() if one.state != "unreadable"]
    return [one for one in known if (one.run, one.episode) in wanted]


def _print_progress(store: Store, name: str, *, as_json: bool) -> int:
    queue = read_queue(store, name)
    found = queue_progress(queue, ledger_of(store).book(), told_codebook(store))
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "queue": queue, "progress": found})
    else:
        order = queue.order
        print_text(f"{order.name}, by {order.taxonomy}, seed {order.seed}, {order.readings} readings of each")
        print_table(HEADERS, [_row(one) for one in found], numbers=(1, 2))
    return 1 if any(one.done < one.assigned for one in found) else 0


def _row(one: QueueProgress) -> tuple[object, ...]:
    each = _time(one.seconds / one.done) if one.done else NO_VALUE
    gold = NO_VALUE
    if one.accuracy is not None:
        gold = f"{one.gold_right} of {one.gold_items} ({one.accuracy:.0%})"
    if one.gold_besides:
        gold += f", {one.gold_besides} besides"
    spent = _time(one.seconds + one.seconds_begun)
    return one.annotator, one.done, one.assigned, spent, each, gold


def _time(seconds: float) -> str:
    return f"{seconds / 60:.1f} min" if seconds else NO_VALUE
