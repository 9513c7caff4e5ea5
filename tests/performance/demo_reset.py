"""What it costs to give an episode fresh demo sites, beside building their seed anew."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from webbench.benchmarks.demo.server import running_server
from webbench.benchmarks.demo.sites.world import connect

ROUNDS = 40
LIMIT = 100.0
"""Milliseconds that giving an episode fresh sites may take."""


def milliseconds(work: Callable[[], None]) -> float:
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


def main() -> list[str]:
    """Print the figures; returns those that were missed."""
    server = running_server()

    def reset() -> None:
        server.close(server.open({}))

    def build() -> None:
        for site in server.sites.values():
            with connect() as database:
                site.build(database)
            database.close()

    reset()
    times = [(milliseconds(reset), milliseconds(build)) for _ in range(ROUNDS)]
    resets, builds = (statistics.median(column) for column in zip(*times, strict=True))
    print(
        f"demo reset: {resets:.2f} ms (limit {LIMIT:.0f}), "
        f"seed built anew: {builds:.2f} ms, {builds / resets:.0f} x"
    )
    return [] if resets < LIMIT else [f"demo reset takes {resets:.0f} ms, wanted is under {LIMIT:.0f}"]


if __name__ == "__main__":
    main()
