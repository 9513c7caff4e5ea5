"""What tests of the tasks' facts share: the sites' databases as they are seeded."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from webbench.benchmarks.sample_sites.forge.site import ForgeSite
from webbench.benchmarks.sample_sites.forum.site import ForumSite
from webbench.benchmarks.sample_sites.shop.site import ShopSite
from webbench.benchmarks.sample_sites.world import Site, fresh_database


def seeded(site: Site) -> Iterator[sqlite3.Connection]:
    with closing(fresh_database(site, {})) as database:
        yield database


@pytest.fixture(scope="module")
def shop() -> Iterator[sqlite3.Connection]:
    yield from seeded(ShopSite())


@pytest.fixture(scope="module")
def forge() -> Iterator[sqlite3.Connection]:
    yield from seeded(ForgeSite())


@pytest.fixture(scope="module")
def forum() -> Iterator[sqlite3.Connection]:
    yield from seeded(ForumSite())
