"""Playing beside a shared store: what was recorded goes there, or comes from there, when it has ended."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from webbench.core.errors import WebbenchError
from webbench.core.runner.player import INTERRUPTED, Hearing, Played, Player, PlayRequest
from webbench.core.runner.sharing import pull_episode, push_episode, push_run
from webbench.core.store.shared import SharedStore
from webbench.core.store.store import Store

Copy = Callable[[Store, SharedStore, str, str], bool]


class SharingPlayer:
    """A player whose episodes are copied when they have ended; what fails is tried again with the next one.

    Args:
        player: who plays them.
        store: where they are recorded, or are to be.
        copy: `push_episode` where they are recorded here, `pull_episode` where they are elsewhere.
        tells_run: this is the run's own process: its plan and its log are put there too.
    """

    def __init__(
        self, player: Player, store: Store, shared: SharedStore, copy: Copy, *, tells_run: bool
    ) -> None:
        self._player = player
        self._store, self._shared, self._copy = store, shared, copy
        self._tells_run = tells_run
        self._run = ""
        self._owed: list[tuple[str, str]] = []
        self._copying = asyncio.Lock()

    async def begin(self, run: str) -> None:
        """Put the run there before its first episode. Raises `EnvironmentDown` where that can't be."""
        self._run = run
        await asyncio.to_thread(push_run, self._store, self._shared, run)

    async def ready(self) -> None:
        await self._player.ready()

    async def play(self, request: PlayRequest, hearing: Hearing) -> Played:
        played = await self._player.play(request, hearing)
        if played.episode:
            self._owed.append((request.run, played.episode))
        await self._settle(hearing.trouble)
        return played

    async def interrupt(self, reason: str = INTERRUPTED) -> None:
        await self._player.interrupt(reason)

    async def close(self, tell: Callable[[str], None]) -> None:
        """Copy what is still owed, and the run's log to its last line."""
        await self._settle(tell)

    async def _settle(self, tell: Callable[[str], None]) -> None:
        async with self._copying:
            owed, self._owed = self._owed, []
            for run, episode in owed:
                try:
                    await asyncio.to_thread(self._copy, self._store, self._shared, run, episode)
                except WebbenchError as error:
                    self._owed.append((run, episode))
                    tell(f"{episode} was not copied yet: {error}")
            if self._tells_run and self._run:
                try:
                    await asyncio.to_thread(push_run, self._store, self._shared, self._run)
                except WebbenchError as error:
                    tell(str(error))


def recorded_here(
    player: Player, store: Store, shared: SharedStore, *, tells_run: bool = True
) -> SharingPlayer:
    """Episodes are recorded in this store, and put there."""
    return SharingPlayer(player, store, shared, push_episode, tells_run=tells_run)


def recorded_elsewhere(player: Player, store: Store, shared: SharedStore) -> SharingPlayer:
    """Other machines record them and put them there; they are fetched into this store."""
    return SharingPlayer(player, store, shared, pull_episode, tells_run=True)
