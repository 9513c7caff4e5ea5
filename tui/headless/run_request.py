"""What is asked of `run`: plain data, light to import."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from webbench.core.episode_limits import Budget
from webbench.core.runner.batch import Work
from webbench.core.runner.plan import Order


class Where(msgspec.Struct, frozen=True, kw_only=True):
    """Where episodes are played.

    Attributes:
        engine: this process, or a Ray cluster.
        address: of the cluster.
        share: address of a shared store that every episode is copied to, "" for none.
        data: folder of the benchmark's data where it isn't the configured one.
    """

    engine: Literal["local", "ray"] = "local"
    address: str = "auto"
    share: str = ""
    data: Path | None = None


class RunRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments of `run`.

    Attributes:
        budget: of each episode.
        run_cost: US dollars of the whole run after which no further episode is begun; 0 = none.
        hang_seconds: without progress for so long an episode is ended as not scored.
        retry: what has no score is played once more, also after a resumption.
    """

    benchmark: str
    agent: str
    split: str = ""
    tasks: tuple[str, ...] = ()
    instances: int | None = None
    workers: int = 1
    repeats: int = 1
    order: Order = "given"
    seed: int = 0
    budget: Budget = Budget()
    run_cost: float = 0.0
    hang_seconds: float = 600.0
    retry: bool = False
    pictures: bool = True
    relevant_html: bool | None = None
    reset: bool | None = None
    site_safety: bool = True
    dialect: str = ""
    rules: str = ""
    where: Where = Where()
    data: Path | None = None
    store: Path | None = None

    @property
    def work(self) -> Work:
        """How it is worked now."""
        return Work(workers=self.workers, cost_limit=self.run_cost)


class ResumeRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments of `run --resume`: everything else stands in the run's plan.

    Attributes:
        benchmark: must be the plan's where it is given.
        retry: what has no score is played once more, whether or not it was retried before.
        workers, run_cost: None for as many, and as much, as planned.
    """

    run: str
    benchmark: str = ""
    workers: int | None = None
    retry: bool = False
    run_cost: float | None = None
    where: Where = Where()
    data: Path | None = None
    store: Path | None = None
