"""People, agents and the oracle side by side: what each reached in each environment of a store."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from webbench.benchmarks.miniwob.environments import known
from webbench.benchmarks.miniwob.oracle import MiniWobOracle
from webbench.core.statistics.mean import mean
from webbench.core.store.index.summaries import EpisodeSummary
from webbench.core.text.plural import counted
from webbench.core.trajectory import HUMAN

PEOPLE, ORACLE = "people", MiniWobOracle.name
PUBLISHED = "published"

Source = tuple[str, str]
"""Who, and by which rules the scores are."""


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """What one source reached in one environment.

    Attributes:
        episodes: how many there are.
        scored: how many of them have a score; the others count in no mean.
        reward: mean score of those, from 0 to 1, None where there is none.
        steps: mean number of recorded actions of those.
    """

    episodes: int
    scored: int
    reward: float | None
    steps: float | None


class SourceTable(msgspec.Struct, frozen=True, kw_only=True):
    """All sources side by side.

    Attributes:
        sources: "people", then agents by name, then "oracle"; people and oracle also where there is nothing.
            Scores by other rules than the published ones have a source of their own: "gpt (browsergym)".
        environments: by name, in the package's order, those of which any source has an episode.
        missing: what the table lacks, or leaves out, in words.
    """

    sources: tuple[str, ...]
    environments: Mapping[str, Mapping[str, Cell]]
    missing: tuple[str, ...]


def source_table(episodes: Iterable[EpisodeSummary]) -> SourceTable:
    """The table of a store's episodes; those of other benchmarks are passed over.

    Seeds are taken together, as recordings of people don't tell theirs. Rules are not: a mean over rewards by
    several would be by none of them.
    """
    mine = [one for one in episodes if one.benchmark == "miniwob"]
    ended = [one for one in mine if one.state == "ended"]
    alone = [one for one in ended if not one.mixed]
    found: dict[str, dict[Source, list[EpisodeSummary]]] = defaultdict(lambda: defaultdict(list))
    for one in alone:
        found[one.name][_source(one)].append(one)
    there = sorted({source for row in found.values() for source in row}, key=_rules_of)
    people, oracle = (
        tuple(one for one in there if one[0] == who) or ((who, PUBLISHED),) for who in (PEOPLE, ORACLE)
    )
    agents = sorted((one for one in there if one[0] not in (PEOPLE, ORACLE)), key=lambda one: one[0])
    sources = (*people, *agents, *oracle)
    order = {name: place for place, name in enumerate(known())}
    names = sorted(found, key=lambda name: (order.get(name, len(order)), name))
    return SourceTable(
        sources=tuple(map(_heading, sources)),
        environments={
            name: {
                _heading(source): _cell(found[name][source]) for source in sources if source in found[name]
            }
            for name in names
        },
        missing=(
            *_missing(sources, found, len(order)),
            *_left_out(len(mine) - len(ended), "without an end"),
            *_left_out(len(ended) - len(alone), "in which several acted"),
        ),
    )


def _source(one: EpisodeSummary) -> Source:
    return (PEOPLE if one.actor == HUMAN else one.actor), one.rules or PUBLISHED


def _rules_of(source: Source) -> tuple[bool, str]:
    """The published ones come first."""
    return source[1] != PUBLISHED, source[1]


def _heading(source: Source) -> str:
    who, rules = source
    return who if rules == PUBLISHED else f"{who} ({rules})"


def _cell(episodes: Sequence[EpisodeSummary]) -> Cell:
    scored = [one for one in episodes if one.value is not None]
    return Cell(
        episodes=len(episodes),
        scored=len(scored),
        reward=mean(one.value for one in scored),
        steps=mean(one.steps for one in scored),
    )


def _missing(
    sources: Sequence[Source],
    found: Mapping[str, Mapping[Source, Sequence[EpisodeSummary]]],
    environments: int,
) -> list[str]:
    told = []
    for source in sources:
        rows = [row[source] for row in found.values() if source in row]
        scored = sum(one.value is not None for row in rows for one in row)
        whole = sum(len(row) for row in rows)
        told.append(
            f"{_heading(source)}: {len(rows)} of {environments} environments, {counted(whole, 'episode')}"
            + (f", {whole - scored} without a score" if whole > scored else "")
        )
    if {who for who, _ in sources} == {PEOPLE, ORACLE}:
        told.append("no agent but the oracle: run one, or import a run of one")
    return told


def _left_out(count: int, why: str) -> list[str]:
    return [f"left out: {counted(count, 'episode')} {why}"] if count else []
