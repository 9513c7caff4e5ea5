"""The browser launch of a foreign environment: it starts its Chromium as it does, with what we need besides.

BrowserGym's own arguments leave no room for switches, so Playwright's `launch` is wrapped. The chat, which
would be a second browser, is kept as a list.
"""

from __future__ import annotations

import time
from typing import Any

FEATURES = "--disable-features="
PORT = "--remote-debugging-port=0"


class ChatLines:
    """Stands in for BrowserGym's `Chat`: its messages, without the window that shows them."""

    def __init__(self, *_: object, **__: object) -> None:
        self.messages: list[dict[str, Any]] = []
        self.recording_start_time = None

    def add_message(self, role: str, msg: str) -> None:
        """As BrowserGym's: an "info" is shown, and so kept nowhere here."""
        if role not in ("user", "user_image", "assistant", "info", "infeasible"):
            raise ValueError(f"Invalid role: {role}")
        if role != "info":
            self.messages.append({"role": role, "timestamp": time.time(), "message": msg})

    def wait_for_user_message(self) -> None:
        """Nobody writes into it but the actor and the task."""

    def close(self) -> None:
        """Nothing to give back."""


def wrap_launch(chromium: dict[str, Any]) -> None:
    """Have every Chromium of this process started as `chromium` says.

    Args:
        chromium: `executable_path`, `headless`, `chromium_sandbox`, `args`, `left_out` of Playwright's own
            switches, and `off`, names of features.
    """
    from playwright import sync_api

    launch = sync_api.BrowserType.launch

    def launched(self: Any, **given: Any) -> Any:
        args = [*(given.get("args") or ()), *chromium["args"]]
        off = [name for one in args if one.startswith(FEATURES) for name in one[len(FEATURES) :].split(",")]
        args = [one for one in args if not one.startswith(FEATURES)]
        left_out = given.get("ignore_default_args")
        if not isinstance(left_out, bool):
            given["ignore_default_args"] = [*(left_out or ()), *chromium["left_out"]]
        given.update({name: chromium[name] for name in ("executable_path", "headless", "chromium_sandbox")})
        # The pause before each of its own calls is for whoever watches; its validation would take seconds.
        given["slow_mo"] = None
        given["args"] = [*args, FEATURES + ",".join(dict.fromkeys([*off, *chromium["off"]])), PORT]
        return launch(self, **given)

    sync_api.BrowserType.launch = launched  # type: ignore[method-assign]  # there is no other way in
