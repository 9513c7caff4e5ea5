"""The process that an environment lives in: commands in, answers out, a JSON line each.

    {"do": "list", "skip": [...]}                                 see `registered.list_packages`
    {"do": "make", "id": ..., "module": ..., "seed": ..., "chromium": {...}}
    {"do": "validate", "active": TARGET, "say": [[ROLE, TEXT], ...]}
    {"do": "close"}

What the environment prints goes to stderr. A command that fails is answered with "problem". An answer
has the "number" of its command. While no command
is there, Playwright's events are dealt with, so that routes and bindings of the task work.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import queue
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from webbench.benchmarks.browsergym.foreign.browser_launch import ChatLines, wrap_launch
from webbench.benchmarks.browsergym.foreign.registered import import_environments, list_packages, trouble

LONGEST_INFO = 100_000
"""Characters of what `validate` tells besides."""

Line = dict[str, Any]


class Commands:
    """The lines of stdin, read in a thread; None is their end."""

    def __init__(self) -> None:
        self._lines: queue.SimpleQueue[Line | None] = queue.SimpleQueue()
        self._wake: Callable[[], None] = lambda: None
        threading.Thread(target=self._read, daemon=True).start()

    def next(self, owner: Any) -> Line | None:
        """Wait for the next; `owner` is an object of Playwright whose events are dealt with, or None."""
        if owner is not None and self._lines.empty():
            owner._sync(self._arrival(owner._loop))
        return self._lines.get()

    async def _arrival(self, loop: asyncio.AbstractEventLoop) -> None:
        come = asyncio.Event()

        def wake() -> None:
            loop.call_soon_threadsafe(come.set)

        self._wake = wake
        if self._lines.empty():
            await come.wait()
        self._wake = lambda: None

    def _read(self) -> None:
        for text in sys.stdin:
            self._lines.put(json.loads(text))
            self._woken()
        self._lines.put(None)
        self._woken()

    def _woken(self) -> None:
        with suppress(RuntimeError):  # its loop is closed
            self._wake()


class Hosted:
    """One environment, reset once and then only validated: the actor acts on its browser by itself."""

    def __init__(self, line: Line) -> None:
        wrap_launch(line["chromium"])
        import_environments(line["module"])
        self.env = _environment(line["id"])
        self.env._get_obs = lambda *_, **__: {}
        self.env.reset(seed=line["seed"])
        self._busy = False
        self.env.context.on("dialog", self._dialog)
        self._targets: dict[Any, str] = {}
        self.made = {
            "goal": self.env.goal_object,
            "messages": self.messages(),
            "url": self.env.page.url,
            "active": self._target(self.env.page),
            "viewport": self.env.page.viewport_size,
        }

    def messages(self) -> list[Line]:
        return [{"role": one["role"], "text": one["message"]} for one in self.env.chat.messages]

    def validate(self, line: Line) -> Line:
        """As `BrowserEnv.step` does after an action, without the observation."""
        env = self.env
        env.context.cookies()  # what happened meanwhile is heard of first
        for role, text in line["say"]:
            env.chat.add_message(role=role, msg=text)
            if role == "infeasible":
                env.infeasible_message_received = True
        active = next((one for one in env.context.pages if self._target(one) == line["active"]), None)
        if active is not None:
            env._activate_page_from_js(active)
        env._active_page_check()
        with self._watched() as disturbed:
            reward, done, message, info = env._task_validate()
            env.context.cookies()
        if message:
            env.chat.add_message(role="user", msg=message)
        infeasible = bool(env.terminate_on_infeasible and env.infeasible_message_received)
        return {
            "reward": _number(reward),
            "done": bool(done),
            "infeasible": infeasible,
            "message": str(message or ""),
            "info": _bounded(info),
            "messages": self.messages(),
            "disturbed": disturbed,
        }

    def close(self) -> None:
        self.env.close()

    def _target(self, page: Any) -> str:
        """DevTools' id of the tab."""
        if page not in self._targets:
            session = self.env.context.new_cdp_session(page)
            self._targets[page] = session.send("Target.getTargetInfo")["targetInfo"]["targetId"]
            session.detach()
        return self._targets[page]

    def _dialog(self, dialog: Any) -> None:
        """The actor's are the actor's; one that the validation brings up would hold it up."""
        if self._busy:
            dialog.dismiss()

    @contextmanager
    def _watched(self) -> Iterator[list[str]]:
        """What is done meanwhile to the actor's tabs: documents that are opened, tabs that come."""
        seen: list[str] = []
        pages = list(self.env.context.pages)

        def navigated(frame: Any) -> None:
            if frame.parent_frame is None:
                seen.append(f"opened {frame.url}")

        def came(page: Any) -> None:
            seen.append(f"opened a tab, {page.url}")

        for page in pages:
            page.on("framenavigated", navigated)
        self.env.context.on("page", came)
        self._busy = True
        try:
            yield seen
        finally:
            self._busy = False
            self.env.context.remove_listener("page", came)
            for page in pages:
                page.remove_listener("framenavigated", navigated)


def _environment(id: str) -> Any:
    import gymnasium
    from browsergym.core import env as core  # pyright: ignore[reportMissingImports]  # not here

    core.Chat = ChatLines
    return gymnasium.make(id, disable_env_checker=True).unwrapped


def _number(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"validate() gave the reward {number}")
    return number


def _bounded(value: Any) -> Any:
    """As JSON, what is none as text; "" in place of what is too long."""
    text = json.dumps(value, default=str, skipkeys=True)
    return json.loads(text) if len(text) <= LONGEST_INFO else f"left out: {len(text):,} characters"


def serve(commands: Commands, tell: Callable[[Line], None]) -> None:
    """Answer until "close", or the end of the input."""
    hosted: Hosted | None = None
    number = 0

    def answer(told: Line) -> None:
        tell({**told, "number": number})

    try:
        while (line := commands.next(hosted and hosted.env.context)) is not None and line["do"] != "close":
            number = line.get("number", 0)
            try:
                if line["do"] == "list":
                    list_packages(answer, line["skip"])
                elif line["do"] == "make":
                    hosted = Hosted(line)
                    answer(hosted.made)
                elif hosted is not None:
                    answer(hosted.validate(line))
            except BaseException as error:
                traceback.print_exc()
                answer({"problem": trouble(error)})
                if hosted is None:
                    return
    finally:
        if hosted is not None:
            hosted.close()


def main() -> None:
    """Entry point of the process."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdout = sys.stderr

    def tell(line: Line) -> None:
        out.write(json.dumps(line) + "\n")
        out.flush()

    serve(Commands(), tell)
