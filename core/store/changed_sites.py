"""What the store remembers of sites that outlive an episode: which were changed, and when they were reset.

`<store>/sites.json`, by address, because the address is what two runs share. It is a memory, not a record:
losing it loses warnings.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from webbench.core.errors import BadData
from webbench.core.store.records import codec
from webbench.core.store.records.durable_files import write_file, writing
from webbench.core.store.records.temporary import private_folder
from webbench.core.trajectory import now

FILE = "sites.json"
LOCK = "sites.lock"
SCHEMA_VERSION = 1


class SiteState(msgspec.Struct, frozen=True, kw_only=True):
    """One site.

    Attributes:
        name: as the benchmark calls it, "SHOPPING".
        changed: when it was last changed since its last reset, "" where it wasn't.
        episodes: how many changed it since then.
        last_episode: the last of them.
        reset: when it was last reset, "" where that isn't known.
    """

    name: str
    changed: str = ""
    episodes: int = 0
    last_episode: str = ""
    reset: str = ""


class _Memory(msgspec.Struct, frozen=True, kw_only=True):
    sites: dict[str, SiteState] = {}
    schema_version: int = msgspec.field(default_factory=lambda: SCHEMA_VERSION)


class ChangedSites:
    """The memory of one store; several processes may use it at the same time."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def known(self) -> dict[str, SiteState]:
        """By address. Raises `BadData` for a file that can't be read."""
        return self._read().sites

    def changed(self, sites: Mapping[str, str]) -> list[SiteState]:
        """Those of the sites (address by name) that were changed since their last reset."""
        known = self.known()
        states = (known.get(address) for address in dict.fromkeys(sites.values()))
        return [state for state in states if state is not None and state.changed]

    def note_change(self, name: str, address: str, episode: str) -> None:
        """An episode changes the site. Raises `StoreUnwritable`, `BadData`."""
        with self._updating() as sites:
            state = sites.get(address, SiteState(name=name))
            again = state.last_episode == episode
            sites[address] = msgspec.structs.replace(
                state, name=name, changed=now(), episodes=state.episodes + (not again), last_episode=episode
            )

    def note_reset(self, name: str, address: str) -> None:
        """The site is in its first state again. Raises `StoreUnwritable`, `BadData`."""
        with self._updating() as sites:
            sites[address] = SiteState(name=name, reset=now())

    @contextlib.contextmanager
    def _updating(self) -> Iterator[dict[str, SiteState]]:
        """The sites, to be changed in place while no other process does."""
        with writing(self._root, "the change of a site"):
            private_folder(self._root)
            lock = os.open(self._root / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                with contextlib.suppress(OSError):  # some network file systems have no locks
                    fcntl.flock(lock, fcntl.LOCK_EX)
                sites = dict(self._read().sites)
                yield sites
                write_file(self._root, self._root / FILE, [codec.encode(_Memory(sites=sites))])
            finally:
                os.close(lock)

    def _read(self) -> _Memory:
        path = self._root / FILE
        try:
            return codec.decode(path.read_bytes(), _Memory)
        except FileNotFoundError:
            return _Memory()
        except (OSError, msgspec.DecodeError) as error:
            raise BadData(f"{path} can't be read: {error}", "delete it: only warnings are lost") from error
