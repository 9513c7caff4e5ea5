"""Alternatives: other ways past key nodes, and which of them are counted.

Of several that stand for the same key nodes the one that got furthest counts, or the key nodes themselves:
never both, so that a way that was begun and left adds nothing to another.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.benchmarks.webcanvas.scoring.key_nodes import Alternative
from webbench.benchmarks.webcanvas.scoring.outcomes import OtherWay, Outcome


def with_alternatives(
    own: Sequence[Outcome],
    alternatives: Sequence[Alternative],
    stands: Sequence[Sequence[Outcome]],
    rules: str,
) -> list[Outcome]:
    """The key nodes, each with the alternatives that can stand for it, and with what the best ones give it.

    Args:
        own: how each key node stands by its own function.
        stands: of each alternative, how its nodes stand.
    """
    ways = [
        {
            node: OtherWay(
                number=number,
                instead_of=one.instead_of,
                place=place,
                nodes=tuple(nodes),
                note=one.note,
            )
            for place, node in enumerate(one.instead_of)
        }
        for number, (one, nodes) in enumerate(zip(alternatives, stands, strict=True), start=1)
    ]
    counts = {node: one.counted(rules) for node, one in enumerate(own, start=1)}
    chosen = {node: way for one in _best(ways, counts, rules)[1] for node, way in one.items()}
    return [
        _given(one, tuple(way[node] for way in ways if node in way), chosen.get(node), rules)
        for node, one in enumerate(own, start=1)
    ]


Way = dict[int, OtherWay]
"""One alternative by the number of the key node that it stands for."""


def _best(ways: Sequence[Way], counts: dict[int, float], rules: str) -> tuple[float, tuple[Way, ...]]:
    """What alternatives that share no key node add at most, and which these are; the fewest and earliest."""
    if not ways:
        return 0.0, ()
    first, rest = ways[0], ways[1:]
    without = _best(rest, counts, rules)
    gain = sum(way.credit(rules) - counts[node] for node, way in first.items())
    if gain <= 0:
        return without
    more, others = _best([way for way in rest if not first.keys() & way.keys()], counts, rules)
    with_first = gain + more, (first, *others)
    return with_first if with_first[0] >= without[0] else without


def _given(own: Outcome, ways: tuple[OtherWay, ...], chosen: OtherWay | None, rules: str) -> Outcome:
    if chosen is None:
        return msgspec.structs.replace(own, ways=ways)
    return msgspec.structs.replace(
        own,
        ways=ways,
        value=chosen.credit(rules),
        step=chosen.step,
        own=own.value,
        met_by=chosen.number,
    )
