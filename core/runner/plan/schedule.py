"""Which planned episode may begin next, so that no episode changes what another one stands on.

An episode that may change a site has it to itself; those that only read share it. On each site episodes keep
the order of the plan, so that one which waits for a site isn't overtaken for ever. A task begins when those
that it depends on are through, whatever came of them. An episode to be played alone waits until nothing runs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import reduce

import msgspec

from webbench.core.benchmark.benchmark import SiteUse
from webbench.core.errors import BadData
from webbench.core.runner.plan.plan import PlannedEpisode


class _Claim(msgspec.Struct, frozen=True):
    """Addresses that an episode has to itself, and those that it shares."""

    own: frozenset[str] = frozenset()
    shared: frozenset[str] = frozenset()

    def bars(self, later: _Claim) -> bool:
        """Whether `later` has to wait for it."""
        return bool(self.own & (later.own | later.shared) or self.shared & later.own)

    def beside(self, other: _Claim) -> _Claim:
        """Both."""
        return _Claim(self.own | other.own, self.shared | other.shared)


class Schedule:
    """The rules over one plan.

    Args:
        uses: what each task does to sites, by id.
        exclusive: every episode has its sites to itself, for they are reset before it.

    Raises `BadData` for tasks that wait for each other.
    """

    def __init__(
        self, episodes: Sequence[PlannedEpisode], uses: Mapping[str, SiteUse], *, exclusive: bool = False
    ) -> None:
        places = {(one.task, one.repeat): one.order for one in episodes}
        self._claims = {one.order: _claim(uses.get(one.task, SiteUse()), exclusive) for one in episodes}
        self._after = {
            one.order: frozenset(
                places[task, one.repeat]
                for task in uses.get(one.task, SiteUse()).after
                if (task, one.repeat) in places
            )
            for one in episodes
        }
        self._tasks = {one.order: one.task for one in episodes}
        self._require_no_circle()

    def sites(self, order: int) -> tuple[frozenset[str], frozenset[str]]:
        """Addresses that an episode has to itself, and those that it shares with readers."""
        claim = self._claims[order]
        return claim.own, claim.shared

    def next(
        self, waiting: Iterable[int], running: Collection[int], alone: Collection[int] = ()
    ) -> int | None:
        """The first that may begin beside those that run.

        Args:
            waiting: orders, as they are wanted.
            alone: those that are to be played with nothing beside them.

        None where nothing may begin before something ends.
        """
        waiting = list(waiting)
        if any(order in alone for order in running):
            return None
        open_ends = {*waiting, *running}
        held = reduce(_Claim.beside, (self._claims[order] for order in running), _Claim())
        for order in waiting:
            if self._after[order] & open_ends:
                continue
            if order in alone:
                if not running:
                    return order
                continue
            claim = self._claims[order]
            if not held.bars(claim):
                return order
            held = held.beside(claim)
        return None

    def _require_no_circle(self) -> None:
        """Take away what waits for nothing that is left; what then remains waits for itself."""
        left = {order: set(after) for order, after in self._after.items() if after}
        while free := [order for order, after in left.items() if not after & left.keys()]:
            for order in free:
                del left[order]
        if left:
            names = ", ".join(sorted({self._tasks[order] for order in left})[:5])
            raise BadData(
                f"these tasks wait for each other: {names}", "mend what they depend on, or --no-site-safety"
            )


def _claim(use: SiteUse, exclusive: bool) -> _Claim:
    addresses = frozenset(use.sites.values())
    return _Claim(own=addresses) if use.changes or exclusive else _Claim(shared=addresses)
