"""Resets of sites that outlive an episode: asked for before it, due once it has changed them."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import signal
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from webbench.core.engine.wire import messages
from webbench.core.engine.wire.messages import Emit
from webbench.core.environment import NetworkRequest
from webbench.core.errors import EnvironmentDown, WebbenchError
from webbench.core.settings.proxies import proxies_checked
from webbench.core.settings.site_settings import SiteSettings, setting_of
from webbench.core.store.changed_sites import ChangedSites, SiteState
from webbench.core.text.plain_text import plain_clip
from webbench.core.time_limit import time_limit

RESET_SECONDS = 1800.0
RISING_SECONDS = 300.0
"""How long a site may take after its reset until it answers."""

READING = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing."""


class SiteWatch:
    """Notes the sites an episode changes: those to which it sends anything but a reading request."""

    def __init__(self, memory: ChangedSites, sites: Mapping[str, str], emit: Emit) -> None:
        self._memory = memory
        self._sites = dict(sites)
        self._emit = emit
        self._noted: set[str] = set()
        self.episode = ""

    def request(self, request: NetworkRequest) -> None:
        """Called for every request; the first change of a site is on disk when this returns."""
        if request.method in READING:
            return
        name = site_at(request.url, self._sites)
        if not name or name in self._noted:
            return
        self._noted.add(name)
        try:
            self._memory.note_change(name, self._sites[name], self.episode)
        except WebbenchError as error:
            self._emit(messages.Trouble(message=error.message, hint=error.hint))


def site_at(url: str, sites: Mapping[str, str]) -> str:
    """The name of the site that an address belongs to, "" for none.

    Of several at one origin it is the one whose path fits best.
    """
    origin = _origin(url)
    there = [name for name, address in sites.items() if _origin(address) == origin]
    return max(there, key=lambda name: len(sites[name]) * url.startswith(sites[name]), default="")


def warnings_of(changed: Sequence[SiteState]) -> list[str]:
    """One sentence for each site that an episode starts on in another state than its first one."""
    return [
        f"{state.name} was changed {'once' if state.episodes == 1 else f'by {state.episodes} episodes'} "
        f"since {f'its reset of {state.reset[:16]}' if state.reset else 'it was first seen, and never reset'}"
        f" (last by {state.last_episode})"
        for state in changed
    ]


async def reset_sites(benchmark: str, sites: Mapping[str, str], memory: ChangedSites, emit: Emit) -> None:
    """Run the configured command of every site that was changed, or of which no reset is known.

    Raises `EnvironmentDown` where a command is missing or fails, or the site doesn't come up again.
    """
    settings, known = SiteSettings(benchmark), memory.known()
    for name, address in sites.items():
        state = known.get(address)
        if state is not None and state.reset and not state.changed:
            continue
        command = settings.reset_command(name)
        if not command:
            setting = setting_of("reset", benchmark, name)
            raise EnvironmentDown(f"{name} can't be reset: no command is set", f'set {setting} = "..."')
        emit(messages.Progress(text=f"resetting {name}", stage="page"))
        await _run(name, command)
        await _risen(name, address)
        memory.note_reset(name, address)


async def _run(name: str, command: str) -> None:
    try:
        words = shlex.split(command)
        process = await asyncio.create_subprocess_exec(
            *words,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise EnvironmentDown(f"{name} can't be reset: its command does not start: {error}") from error
    try:
        async with time_limit(RESET_SECONDS):
            output, _ = await process.communicate()
    except TimeoutError as error:
        raise EnvironmentDown(f"{name} was not reset within {RESET_SECONDS:.0f} s") from error
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    if process.returncode:
        lines = output.decode("utf-8", "replace").strip().splitlines() or ["it said nothing"]
        told = plain_clip(lines[-1], 200)
        raise EnvironmentDown(f"{name} can't be reset: its command ended with {process.returncode}: {told}")


async def _risen(name: str, address: str) -> None:
    """Wait until the site answers without an error of its own."""
    import httpx

    deadline = asyncio.get_running_loop().time() + RISING_SECONDS
    with proxies_checked():
        opened = httpx.AsyncClient(timeout=10.0)
    async with opened as client:
        while True:
            with contextlib.suppress(httpx.HTTPError):
                if (await client.get(address)).status_code < 500:
                    return
            if asyncio.get_running_loop().time() > deadline:
                raise EnvironmentDown(f"{name} at {address} does not answer after its reset")
            await asyncio.sleep(1.0)


def _origin(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}"
