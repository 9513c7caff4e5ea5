"""A run's status in words, the same on the board and on a plain terminal."""

from __future__ import annotations

from webbench.core.models.spending import spent_text
from webbench.core.runner.player import INTERRUPTED
from webbench.core.runner.status.run_status import RunStatus
from webbench.core.store.index.summaries import RunSummary
from webbench.core.text.durations import duration_words

AT_WORK = ("running", "stale")
"""States of a run whose runner hasn't left it."""

NOT_IN_MEAN = "with somebody else, not in the mean"

LEFT = {
    "died": "its runner is gone and left work behind",
    "not begun": "no runner has begun it",
    "finished": "its runner is done with it",
    "interrupted": "its runner was told to stop",
    "limited": "its runner left off at a limit",
    "halted": "its runner could not go on",
}
"""What became of whoever worked at a run, by its state."""


def standing_words(run: RunSummary, status: RunStatus | None = None) -> str:
    """What keeps a run from being whole, for its line in a list; "" where nothing does.

    `status` is that of a planned run that is not finished: the line then says the same as the run's board.
    """
    if run.problem:
        return run.problem
    if status is not None:
        return f"{status.state}, {status.done:,} of {status.planned:,}"
    missing, unscored = max(0, run.planned - run.episodes), max(0, run.episodes - run.scored)
    told = [(missing, "not begun"), (unscored, "without score"), (run.mixed, NOT_IN_MEAN)]
    return ", ".join(f"{count:,} {words}" for count, words in told if count)


def count_words(status: RunStatus) -> str:
    """ "12 of 40 done · 2 running, 1 of them stale · 26 waiting · 9 scored · 2 not scored · 1 error"."""
    stale = sum(one.stale for one in status.running)
    running = f"{len(status.running)} running" + (f", {stale} of them stale" if stale else "")
    parts = [
        (1, f"{status.done:,} of {status.planned:,} done"),
        (len(status.running), running),
        (status.waiting, f"{status.waiting:,} waiting"),
        (status.scored, f"{status.scored:,} scored"),
        (status.pending, f"{status.pending:,} pending"),
        (status.not_scored, f"{status.not_scored:,} not scored"),
        (status.errors, f"{status.errors:,} in error"),
        (status.replaced, f"{status.replaced:,} played again"),
        (status.mixed, f"{status.mixed:,} {NOT_IN_MEAN}"),
    ]
    return " · ".join(words for count, words in parts if count)


def pace_words(status: RunStatus) -> str:
    """ "mean 0.412 · 3.1 a minute · about 9 min 05 s left · 1,602 tokens in · 105 out · $0.0096"."""
    mean = "no score yet" if status.mean_score is None else f"mean {status.mean_score:.3f}"
    pace = f"{status.per_minute:.1f} a minute" if status.per_minute else ""
    left = left_words(status)
    took = "" if status.state in AT_WORK or not status.seconds else f"took {duration_words(status.seconds)}"
    return " · ".join(filter(None, (mean, pace, left, took, spent_text(status.spent))))


def left_words(status: RunStatus) -> str:
    """How long it is likely to take still; "" where nobody works at it or nothing is known yet."""
    if status.state not in AT_WORK or not status.eta_seconds:
        return ""
    return f"about {duration_words(status.eta_seconds)} left"


def resuming_words(status: RunStatus, store: str = "") -> str:
    """What to do about a run that nobody works at and that isn't at its end; "" for every other one.

    `store` is the option that names the run's store, "" where it is the usual one.
    """
    if status.state in AT_WORK or not (status.waiting or status.state == "died"):
        return ""
    more = " --limit-run-cost MORE" if status.state == "limited" else ""
    place = f" {store}" if store else ""
    return f"`webbench-tui run --resume {status.run}{more}{place}` goes on"


def runner_words(status: RunStatus) -> str:
    """Who works at it, or why nobody does."""
    runner = status.runner
    if runner is None:
        words = LEFT.get(status.state, "nobody works at it")
        return f"{words}: {status.reason}" if status.reason not in ("", INTERRUPTED) else words
    age = f"sign of life {status.beat_age:.0f} s ago" if status.beat_age is not None else "no sign of life"
    doing = ", ends what is going on" if runner.ending else ""
    words = f"process {runner.pid} on {runner.host}{doing}, {age}"
    return f"{words}: it is held up, or gone" if status.state == "stale" else words
