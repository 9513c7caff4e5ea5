"""What it costs to give an episode fresh sites, all of them, beside building their seeds anew."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from webbench.benchmarks.sample_sites.server import DemoServer, running_server
from webbench.benchmarks.sample_sites.world import World, connect

ROUNDS = 20
LIMIT = 300.0
"""Milliseconds that giving an episode all sites in their seeded state may take."""


def milliseconds(work: Callable[[], None]) -> float:
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


def sizes(world: World) -> dict[str, tuple[int, int]]:
    """Rows and bytes of each site's database."""
    found = {}
    for name, database in world.databases.items():
        tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        rows = sum(database.execute(f"SELECT COUNT(*) FROM [{table}]").fetchone()[0] for table in tables)
        found[name] = rows, len(database.serialize())
    return found


def main() -> list[str]:
    """Print the figures; returns those that were missed."""
    server = running_server()
    first = milliseconds(lambda: server.close(server.open({})))
    owners = [name for name, site in server.sites.items() if not site.shares]
    world = server.open({})
    found = sizes(world)
    server.close(world)
    for name in owners:
        rows, size = found[name]
        times = [milliseconds(lambda name=name: server.close(server.open({}, [name]))) for _ in range(ROUNDS)]
        print(f"{name:12} {statistics.median(times):7.2f} ms, {rows:6,} rows, {size / 1e6:5.2f} MB")
    reset = statistics.median(milliseconds(lambda: server.close(server.open({}))) for _ in range(ROUNDS))
    built = milliseconds(lambda: build(server))
    print(
        f"all sites: {reset:.2f} ms (limit {LIMIT:.0f}), the first time in a process {first:.0f} ms; "
        f"seeds built anew: {built:.0f} ms, {built / reset:.0f} x"
    )
    return [] if reset < LIMIT else [f"a reset of all sites takes {reset:.0f} ms, limit {LIMIT:.0f}"]


def build(server: DemoServer) -> None:
    """Every site's seed, from nothing."""
    for site in server.sites.values():
        with connect() as database:
            site.build(database)
        database.close()


if __name__ == "__main__":
    main()
