"""Data sets that ship with a package together with the sites their tasks run on.

A bundle holds tasks in a benchmark's *published* format, so the benchmark loads them with the loader it has
for everybody's data; the bundle only adds what a download can't: live sites, signed-in accounts, and for
each task a reference list of actions that solves it. Bundles are found through the entry point group
`webbench.bundles`; the entry point is the bundle itself, or a callable without arguments that makes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Protocol, cast, runtime_checkable

import msgspec

from webbench.core.action.action import Action
from webbench.core.json_types import JsonObject
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import BUNDLES
from webbench.core.settings.site_settings import Account


class OpenSites(msgspec.Struct, frozen=True, kw_only=True):
    """The sites of one episode: served, in their seeded state, and nobody else's.

    Attributes:
        addresses: base URL without a final slash, by the name the benchmark's format has for the site
            (WebArena: "SHOPPING", "REDDIT" ...; others: the host name the task file writes).
        passthrough: URL prefixes under which the sites answer; nothing else has to be reached.
        storage_state: Playwright storage state in which the sites' default account is signed in.
        accounts: who signs in on each site, by the same names.
    """

    addresses: Mapping[str, str]
    passthrough: tuple[str, ...] = ()
    storage_state: JsonObject = {}
    accounts: Mapping[str, Account] = {}


class Bundle(Protocol):
    """One bundled data set.

    Attributes:
        name: what users call it; also the name of its split.
        benchmark: the benchmark whose format it is in.
        title: one line for lists.
        licence: of its tasks and sites, as an SPDX name or in a few words; "" = not stated.
        data: the file or folder in the published format.
    """

    name: str
    benchmark: str
    title: str
    licence: str
    data: Path

    def open(self, sites: Sequence[str] = ()) -> AbstractAsyncContextManager[OpenSites]:
        """Sites in their seeded state for one episode; they vanish with the context.

        Args:
            sites: the ones the task needs, by the names of `OpenSites.addresses`; all when empty.

        Raises `EnvironmentDown` when they can't be served.
        """
        ...

    def reference(self, task: str) -> Sequence[Action]:
        """Actions that solve the task of this name, elements given by role and name; empty where none is."""
        ...


@runtime_checkable
class StandaloneBundle(Bundle, Protocol):
    """A bundle whose sites can also be served for a person, for as long as they like."""

    def serve(self, port: int) -> AbstractAsyncContextManager[OpenSites]:
        """All sites under addresses that stay the same from call to call, nobody signed in.

        Raises `EnvironmentDown` when they can't be served there.
        """
        ...


def bundles_of(benchmark: str) -> list[Bundle]:
    """The data sets that ship for this benchmark, in alphabetical order; one that is broken is left out.

    `entry_points.broken(BUNDLES)` tells of those.
    """
    found: list[Bundle] = []
    for loader in entry_points.load(BUNDLES).values():
        try:
            named = loader()
            bundle = cast("Bundle", named() if callable(named) else named)
        except Exception:  # noqa: S112 - foreign code at import; `broken` reports it
            continue
        if bundle.benchmark == benchmark:
            found.append(bundle)
    return found
