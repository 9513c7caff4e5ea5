"""Messages between a run and the processes of a Ray cluster that play its episodes, as MessagePack."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from webbench.core.browser.starting.browser_options import LaunchOptions
from webbench.core.errors import EnvironmentDown
from webbench.core.guards.guard import GuardOptions
from webbench.core.observation import Viewport
from webbench.core.runner.player import Played

Message = TypeVar("Message")


class WorkerSetup(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker process needs to know.

    Attributes:
        version: of this program; both sides must have the same.
        data: folder of the benchmark's data, "" for what is set on the worker's machine.
        store: folder that all machines share; it isn't used where there is a `share`.
        share: address of a shared store (see `core.store.shared`), "" for none.
    """

    version: str
    run: str
    benchmark: str
    data: str
    store: str
    share: str = ""
    launch: LaunchOptions = LaunchOptions()
    viewport: Viewport = Viewport()
    guard: GuardOptions = GuardOptions()


class Greeting(msgspec.Struct, frozen=True, kw_only=True):
    """Who a worker is; `problem` says why it can't play."""

    host: str
    pid: int
    problem: str = ""


class Opened(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """The record of the attempt was opened."""

    episode: str


class Told(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Something went wrong while all goes on."""

    text: str


class Done(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """What came of the attempt; the last message."""

    played: Played


Progress = Opened | Told | Done


def pack(message: msgspec.Struct) -> bytes:
    return msgspec.msgpack.encode(message)


def unpack(data: bytes, kind: type[Message]) -> Message:
    """Raises `EnvironmentDown` for what the other side's release says differently."""
    try:
        return msgspec.msgpack.decode(data, type=kind)
    except msgspec.MsgspecError as error:
        raise EnvironmentDown(
            f"a worker of the cluster speaks otherwise: {error}", "install the same release on all machines"
        ) from error
