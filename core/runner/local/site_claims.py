"""Sites that several runs of one store work on: who changes one has it alone, whichever run that belongs to.

A file `<store>/site-<digest>.lock` stands for each address, locked while an episode is on the site: by one
that may change it alone, by those that only read it together. The system takes the locks of a dead process.
"""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import os
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

from webbench.core.runner.lease import lock_now
from webbench.core.store.records.durable_files import writing

AGAIN_SECONDS = 0.5


class GivenUp(Exception):
    """Nobody waits for the site any more."""


class SiteClaims:
    """Claims of one store.

    Args:
        root: the store's folder.
        tell: gets a sentence where another run has to be waited for.
        over: whether nobody waits any more.
    """

    def __init__(self, root: Path, tell: Callable[[str], None], over: Callable[[], bool]) -> None:
        self._root = root
        self._tell = tell
        self._over = over

    @asynccontextmanager
    async def held(self, own: Collection[str], shared: Collection[str]) -> AsyncIterator[None]:
        """Hold addresses alone (`own`) and together with other readers; waits until nobody is in the way.

        Always in one order, so that two that wait never wait for each other. Raises `StoreUnwritable`, and
        `GivenUp` where waiting ends before that.
        """
        wanted = dict.fromkeys(shared, fcntl.LOCK_SH) | dict.fromkeys(own, fcntl.LOCK_EX)
        with ExitStack() as stack:
            for address, kind in sorted(wanted.items()):
                descriptor = self._opened(address)
                stack.callback(os.close, descriptor)
                await self._taken(descriptor, kind, address)
            yield

    def _opened(self, address: str) -> int:
        name = hashlib.sha256(address.encode()).hexdigest()[:16]
        with writing(self._root, "the claim of a site"):
            return os.open(self._root / f"site-{name}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    async def _taken(self, descriptor: int, kind: int, address: str) -> None:
        told = False
        while lock_now(descriptor, kind) is False:
            if self._over():
                raise GivenUp
            if not told:
                self._tell(f"waiting for {address}, on which another run works")
            told = True
            await asyncio.sleep(AGAIN_SECONDS)
