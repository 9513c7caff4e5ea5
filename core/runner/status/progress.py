"""How far a run is: its log folded into one state per planned episode."""

from __future__ import annotations

from collections.abc import Iterable

from webbench.core.models.spending import Spent, added
from webbench.core.runner.plan.plan import RunPlan
from webbench.core.runner.run_log import Began, Ended, Entry, RunnerNote
from webbench.core.score.score import Status

UNSCORED = (Status.NOT_SCORED, Status.ERROR)
"""What `--retry not-scored` plays again; what waits for a judge isn't."""


class EpisodeState:
    """One planned episode.

    Attributes:
        records: attempts whose record was opened; tries: all of them, those included that never came so far.
        began: the attempt that is going on, as far as the log tells; None where none is.
        ended: the last attempt that came to its end, None where none did.
        waits: it is still to be played.
        retried: it was, or will be, played once more for want of a score.
        losses: attempts that lost their page or browser, and that another one stands in for.
    """

    def __init__(self) -> None:
        self.records = 0
        self.tries = 0
        self.began: Began | None = None
        self.ended: Ended | None = None
        self.waits = True
        self.retried = False
        self.losses = 0

    @property
    def is_unscored(self) -> bool:
        """It was played, and has no score."""
        return not self.waits and self.ended is not None and self.ended.status in UNSCORED

    @property
    def is_to_be_alone(self) -> bool:
        """It is to be played again with nothing beside it."""
        return self.waits and self.ended is not None and self.ended.alone

    def begin(self, entry: Began) -> None:
        self.began, self.waits = entry, False
        self.tries += 1
        self.records = max(self.records, entry.attempt + 1)

    def end(self, entry: Ended) -> None:
        self.tries += self.began is None
        self.began, self.ended, self.waits = None, entry, entry.again
        self.retried = self.retried or entry.retry
        self.losses += entry.again and entry.alone

    def wait_again(self) -> None:
        """It is to be played once more; what came of it before stays known."""
        self.began, self.waits = None, True


class RunProgress:
    """The states of all planned episodes, and what all attempts at them took.

    Attributes:
        note: the last that a runner said of itself.
        spent: by every attempt, those that were played again included.
        session: what ended since the last runner began.
        sessions_before: when each earlier runner began, and when the last was heard of it.
    """

    def __init__(self, plan: RunPlan, entries: Iterable[Entry] = ()) -> None:
        self.plan = plan
        self.states = {one.order: EpisodeState() for one in plan.episodes}
        self.note: RunnerNote | None = None
        self.began_at = ""
        self.spent = Spent()
        self.session: list[Ended] = []
        self.sessions_before: list[tuple[str, str]] = []
        self._heard = ""
        for entry in entries:
            self.add(entry)

    def add(self, entry: Entry) -> None:
        """Take in one more line of the log; one of an episode that isn't planned is left out."""
        if isinstance(entry, RunnerNote):
            self._note(entry)
            return
        state = self.states.get(entry.order)
        if state is None:
            return
        if isinstance(entry, Began):
            state.begin(entry)
            self._heard = entry.at
            return
        state.end(entry)
        self._heard = entry.at
        self.session.append(entry)
        self.spent = added((self.spent, entry.spent))

    def _note(self, note: RunnerNote) -> None:
        """Whatever a runner left open when it died is still to be played, and what is to be tried again."""
        self.note = note
        if note.what == "began":
            if self.began_at:
                self.sessions_before.append((self.began_at, self._heard))
            self.began_at, self.session = note.at, []
        self._heard = note.at
        for state in self.states.values():
            if state.began is not None or (note.retry and state.is_unscored):
                state.wait_again()

    @property
    def waiting(self) -> list[int]:
        """Orders of the episodes that are still to be played."""
        return [order for order, state in self.states.items() if state.waits]

    @property
    def ended(self) -> list[Ended]:
        """What came of every episode that is done with, in order: its last attempt."""
        return [
            state.ended
            for state in self.states.values()
            if state.ended and not state.waits and state.began is None
        ]

    @property
    def replaced(self) -> int:
        """Attempts that don't count, because a later one does or will."""
        return sum(state.tries - (not state.waits) for state in self.states.values())
