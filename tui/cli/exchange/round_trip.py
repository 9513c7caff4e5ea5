"""`round-trip`: episodes exported and imported again, and what differs then."""

from __future__ import annotations

from typing import Annotated

import msgspec
import typer

from webbench.core.exchange.export_format import find_exporter
from webbench.core.exchange.round_trip import KindCompared, RoundTrip, reader_of, round_trip
from webbench.core.runner.plan.declared_options import Option
from webbench.core.text.plural import counted
from webbench.tui.cli.exchange.export import RunsAndEpisodes
from webbench.tui.cli.options import AsJson, StorePath, asking
from webbench.tui.cli.output import print_json, print_line, print_table, print_text, say
from webbench.tui.cli.place import find_episodes, open_concealing

SCHEMA_VERSION = 1
DIFFERENT, NOTHING_BACK = 1, 4
ROUND_TRIP = ("episode", "kind", "before", "after", "equal", "differs")


class RoundTripRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `round-trip` asks for."""

    names: RunsAndEpisodes
    to: Annotated[str, Option(help="A format that is both written and read: jsonl, atif, inspect, adp ...")]
    store: StorePath = None


@asking(RoundTripRequest)
def round_trip_command(request: RoundTripRequest, as_json: AsJson = False) -> None:
    """Export episodes, import them again, and tell what is equal and what differs, kind by kind.

    Each episode goes by itself into a store that is thrown away; the record that came back is compared with
    the one that was there: steps, actions, pages as tree, HTML and picture, prompts, replies, reasoning,
    tokens, cost, times, scores, labels, disputes and rulings, notes, and every other field.

    Exit 0 when all is equal, 1 when something differs (the table says what), 2 for a format that isn't
    read back, 4 when nothing came back.
    """
    raise typer.Exit(try_round_trips(request, as_json=as_json))


def try_round_trips(request: RoundTripRequest, *, as_json: bool) -> int:
    """Compare them: 0 equal, 1 something differs, 4 an episode did not come back.

    Raises `UsageError` for no such format, run or episode, and for a format that isn't read back.
    """
    exporter = find_exporter(request.to)
    reader_of(exporter)
    opened = open_concealing(request.store)
    found = [round_trip(opened, folder, exporter) for folder in find_episodes(opened, request.names)]
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "format": exporter.name, "episodes": found})
    else:
        _print_round_trips(found, exporter.name)
    if any(one.problem for one in found):
        return NOTHING_BACK
    return 0 if all(one.is_equal for one in found) else DIFFERENT


def _print_round_trips(found: list[RoundTrip], format: str) -> None:
    rows = [
        (one.episode, kind.kind, kind.before, kind.after, kind.equal, _differs(kind))
        for one in found
        for kind in one.kinds
    ]
    if rows:
        print_table(ROUND_TRIP, rows, numbers=(2, 3, 4), flexible=(0, 5))
    for one in found:
        for kind in one.kinds:
            for sign, lines in (("-", kind.gone), ("+", kind.new)):
                for line in lines:
                    print_text(f"{one.episode} {sign} {line}")
        if one.problem:
            say(f"{one.episode}: {one.problem}")
    equal = sum(one.is_equal for one in found)
    print_line(f"\n{counted(equal, 'episode')} of {len(found)} equal after {format} and back")


def _differs(kind: KindCompared) -> str:
    if kind.is_equal:
        return "equal"
    return kind.why or "differs"
