"""Shelving runs on their screen: names, tags, notes, the archive, the bin; each can be undone there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import msgspec
from textual.screen import Screen

from webbench.core.errors import BadData
from webbench.core.runner.discarding import discard_runs
from webbench.core.store.bin import Bin, BinnedRun
from webbench.core.store.called_runs import pool_runs
from webbench.core.store.index.summaries import RunSummary
from webbench.core.store.pools import SIGN, pools, save_pool
from webbench.core.store.run_notes import RunNotes, change_notes
from webbench.core.store.store import Store
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted, megabytes
from webbench.tui.commands import shown_key
from webbench.tui.screens.dialogs.prompt import ChoicePrompt, ask_until_taken
from webbench.tui.workers import read_or_tell

Undo = Callable[[], None]
Change = tuple[str, Callable[[], None], Undo]
"""What will have been done, the work of it, and how it is taken back."""
OF_A_POOL = (
    ("analyse", "analyse it"),
    ("compare", "compare its attempts at a task"),
    ("mark", "mark its runs"),
    ("dissolve", "dissolve it; its runs stay"),
)
MOST_LISTED = 50
"""Runs of the bin that are offered, the latest first; commands take back any."""


class RunKeeping:
    """Of one Runs screen. Its methods are run as workers; each reads the list anew when it has changed it.

    Args:
        reload: reads the list of runs anew.
    """

    def __init__(self, screen: Screen[None], store: Store, reload: Callable[[], None]) -> None:
        self._screen = screen
        self._store = store
        self._reload = reload
        self._undo: list[tuple[str, Undo]] = []
        """What was done on this screen, with how it is taken back."""

    async def rename(self, run: RunSummary | None) -> None:
        """Ask for what to call a run."""
        if run is None:
            return
        await self._ask(
            f"What is {run.run} to be called? Empty: as its folder.",
            run.name,
            lambda name: self._changed_alike(
                [run], f"called {name!r}" if name else "without a name", name=name
            ),
        )

    async def note(self, run: RunSummary | None) -> None:
        """Ask for a note on a run."""
        if run is None:
            return
        await self._ask(
            f"What is to be known of {run.name or run.run}?",
            run.note,
            lambda note: self._changed_alike([run], "noted" if note else "without a note", note=note),
        )

    async def tag(self, runs: Sequence[RunSummary]) -> None:
        """Ask for all tags of the runs; those that they share stand there already."""
        if not runs:
            return
        shared = set(runs[0].tags).intersection(*(run.tags for run in runs))
        whose = runs[0].name or runs[0].run if len(runs) == 1 else counted(len(runs), "run")
        before = " ".join(tag for tag in runs[0].tags if tag in shared)

        def tagged(given: str) -> Change:
            wanted = given.split()
            gone = shared - set(wanted)
            by_run: dict[str, dict[str, object]] = {
                run.run: {"tags": tuple(tag for tag in (*run.tags, *wanted) if tag not in gone)}
                for run in runs
            }
            return self._changed("tagged", by_run)

        await self._ask(f"Tags of {whose}, with blanks between them", before, tagged)

    async def archive(self, runs: Sequence[RunSummary]) -> None:
        """Leave the runs out of the list; those that are archived are listed again."""
        if runs:
            back = all(run.archived for run in runs)
            await self._do(
                *self._changed_alike(runs, "listed again" if back else "archived", archived=not back)
            )

    async def pool(self, runs: Sequence[RunSummary]) -> None:
        """Ask for the name of a pool of the runs, and make it."""
        names = [run.run for run in runs]

        def pooled(given: str) -> Change | None:
            name = given.removeprefix(SIGN)
            work, undo = partial(pool_runs, self._store, name, names), partial(self._dissolve, name)
            return (f"{len(names)} runs are {SIGN}{name}", work, undo) if given else None

        question = f"Under which name do these {len(names)} runs count as one actor?"
        await self._ask(question, "", pooled)

    async def look_at_pools(self) -> tuple[str, str] | None:
        """Ask for a pool, and what is to be done with it: what isn't done here, and the pool as `@NAME`."""
        read = await read_or_tell(self._screen, lambda: (pools(self._store.root), self._agents()))
        if read is None:
            return None
        known, agents = read
        if not known:
            self._tell("There is no pool: mark two or more runs of one agent to count them as one actor.")
            return None
        named = [
            (name, f"{SIGN}{name}: {counted(len(runs), 'run')} of {agents.get(runs[0], runs[0])}")
            for name, runs in known.items()
        ]
        pool = await self._screen.app.push_screen_wait(ChoicePrompt("Which pool?", named))
        if pool is None:
            return None
        question = f"What is to be done with {SIGN}{pool}? It counts as one actor."
        wanted = await self._screen.app.push_screen_wait(ChoicePrompt(question, OF_A_POOL))
        if wanted == "dissolve":
            work, undo = (
                partial(self._dissolve, pool),
                partial(save_pool, self._store.root, pool, known[pool]),
            )
            await self._do(f"{SIGN}{pool} is no pool any more", work, undo)
            return None
        return (wanted, f"{SIGN}{pool}") if wanted else None

    def _agents(self) -> dict[str, str]:
        return {one.run: f"{one.agent} at {one.benchmark}" for one in self._store.runs()}

    def _dissolve(self, pool: str) -> None:
        save_pool(self._store.root, pool, ())

    async def discard(self, runs: Sequence[RunSummary]) -> None:
        """Put the runs into the bin."""
        names = [run.run for run in runs]

        def undo() -> None:
            for name in names:
                Bin(self._store).restore(name)

        if names:
            done = f"{counted(len(names), 'run')} put into the bin"
            await self._do(done, partial(discard_runs, self._store, names), undo)

    async def look_into_bin(self) -> None:
        """Offer what is in the bin to be taken back."""
        read = await read_or_tell(self._screen, self._in_the_bin)
        if read is None:
            return
        binned, space = read
        if not binned:
            self._tell("The bin is empty.")
            return
        choices = [
            (one.run, f"{one.name or one.agent or one.run} · {counted(one.episodes, 'episode')} · {one.run}")
            for one in binned[:MOST_LISTED]
        ]
        question = f"Take which run back out of the bin? It holds {counted(len(binned), 'run')}."
        note = f"{space} are free once it is emptied, by: webbench-tui runs bin --empty"
        chosen = await self._screen.app.push_screen_wait(ChoicePrompt(question, choices, note=note))
        if chosen is not None:
            work = partial(Bin(self._store).restore, chosen)
            await self._do(f"{chosen} is back", work, partial(discard_runs, self._store, [chosen]))

    def _in_the_bin(self) -> tuple[list[BinnedRun], str]:
        """With the space they take; a damaged record leaves that open, and bars no way back."""
        found = Bin(self._store)
        try:
            return found.runs(), megabytes(found.space())
        except BadData:
            return found.runs(), "?"

    async def undo(self) -> None:
        """Take back the last of these, one after the other."""
        if not self._undo:
            self._tell("Nothing was changed here that could be taken back.")
            return
        done, work = self._undo[-1]
        if await read_or_tell(self._screen, partial(_done, work)):
            self._undo.pop()
            self._tell(f"Taken back: {done}")
            self._reload()

    async def _ask(self, question: str, value: str, change: Callable[[str], Change | None]) -> None:
        """Ask for a line and make the change that it means, if any; what is refused is asked for again."""
        made: list[Change] = []

        def take(given: str) -> None:
            meant = change(given)
            if meant is not None:
                meant[1]()
                made.append(meant)

        await ask_until_taken(self._screen, question, take, value=value)
        for done, _, undo in made:
            self._did(done, undo)

    def _changed_alike(self, runs: Sequence[RunSummary], done: str, **said: object) -> Change:
        return self._changed(done, {run.run: said for run in runs})

    def _changed(self, done: str, by_run: dict[str, dict[str, object]]) -> Change:
        """Say these fields of each run; undone, those are as they were."""
        before: dict[str, dict[str, object]] = {}

        def change(run: str, said: dict[str, object], notes: RunNotes) -> RunNotes:
            before.setdefault(run, {field: getattr(notes, field) for field in said})
            return msgspec.structs.replace(notes, **said)

        def all_of(wanted: dict[str, dict[str, object]]) -> None:
            for run, said in list(wanted.items()):
                change_notes(self._store.root, run, partial(change, run, said), self._store.redaction)

        whose = counted(len(by_run), "run")
        return f"{whose} {done}", partial(all_of, by_run), partial(all_of, before)

    async def _do(self, done: str, work: Callable[[], None], undo: Undo) -> None:
        if await read_or_tell(self._screen, partial(_done, work)):
            self._did(done, undo)

    def _did(self, done: str, undo: Undo) -> None:
        self._undo.append((done, undo))
        self._tell(f"{done}. {shown_key(self._screen.app, 'runs.undo')} takes it back.")
        self._reload()

    def _tell(self, text: str) -> None:
        self._screen.notify(plain_text(text, limit=300), markup=False)


def _done(work: Callable[[], None]) -> bool:
    """Do it; True, for where None means that it could not be done."""
    work()
    return True
