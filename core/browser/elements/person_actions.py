"""What a person does in a browser's own window, as actions with the fingerprints of their elements."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from webbench.core.action.action import (
    Action,
    Check,
    Click,
    ElementRef,
    Press,
    Select,
    SetRange,
    Type,
    target_of,
)
from webbench.core.browser.driver import CdpSession
from webbench.core.browser.elements.elements import Fingerprint
from webbench.core.browser.seeing.isolated_world import WORLD
from webbench.core.json_types import JsonObject

BINDING = "webbenchDone"
SCRIPTS = ("elements.js", "watching.js")
MOST_WAITING = 1_000
"""Actions that are kept until somebody asks for them."""


class _Done(msgspec.Struct, frozen=True):
    kind: Literal["click", "type", "enter", "select", "check", "range"]
    ref: Fingerprint
    value: str | float | bool | list[str] | None = None


class Watch:
    """Listens in the documents of every session it was given; `take` hands over what was done since."""

    def __init__(self) -> None:
        self._watched: set[CdpSession] = set()
        self._done: list[Action] = []

    async def follow(self, sessions: Sequence[CdpSession]) -> None:
        """Listen there too: now, and in documents that load later.

        Raises `ActionFailed`, `EnvironmentDown`.
        """
        for session in sessions:
            if session in self._watched:
                continue
            self._watched.add(session)
            session.on("Runtime.bindingCalled", self._take_event)
            await session.send("Runtime.addBinding", {"name": BINDING, "executionContextName": WORLD})
            await session.send(
                "Page.addScriptToEvaluateOnNewDocument",
                {"source": _script(), "worldName": WORLD, "runImmediately": True},
            )

    def take(self) -> list[Action]:
        """In order; the next call tells only of what comes after."""
        done, self._done = self._done, []
        return done

    def _take_event(self, event: JsonObject) -> None:
        if event.get("name") != BINDING or len(self._done) >= MOST_WAITING:
            return
        try:
            done = msgspec.json.decode(str(event.get("payload", "")), type=_Done)
        except (msgspec.DecodeError, RecursionError):
            return
        action = _action(done)
        if action is not None:
            _add(self._done, action)


def _add(done: list[Action], action: Action) -> None:
    """The two clicks of a double click are one action, and Enter belongs to the text before it."""
    last = done[-1] if done else None
    same = last is not None and _selector(last) == _selector(action)
    if same and isinstance(last, Click) and isinstance(action, Click) and action.count == 2:
        done[-1] = action
    elif same and isinstance(last, Type) and isinstance(action, Press):
        done[-1] = msgspec.structs.replace(last, enter=True)
    else:
        done.append(action)


def _selector(action: Action) -> str:
    target = target_of(action)
    return target.selector if target is not None else ""


def _action(done: _Done) -> Action | None:
    """None for a value of another kind than its event has."""
    target = ElementRef(**msgspec.structs.asdict(done.ref))
    value = done.value
    match done.kind:
        case "click":
            return Click(target=target, count=2 if value == 2 else 1)
        case "type" if isinstance(value, str):
            return Type(target=target, text=value)
        case "enter":
            return Press(keys="Enter", target=target)
        case "select" if isinstance(value, list):
            return Select(target=target, options=tuple(value))
        case "check" if isinstance(value, bool):
            return Check(target=target, checked=value)
        case "range" if isinstance(value, int | float):
            return SetRange(target=target, value=float(value))
    return None


@cache
def _script() -> str:
    """Our functions and listeners, once per document."""
    folder = Path(__file__).parent
    source = "".join(folder.joinpath(name).read_text(encoding="utf-8") for name in SCRIPTS)
    once = f"if (globalThis.{BINDING}Watches) return;\nglobalThis.{BINDING}Watches = true;"
    return f"(() => {{ {once}\n{source}\n}})()"
