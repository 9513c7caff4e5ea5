"""`push` and `pull`: runs to and from a store that machines share."""

from __future__ import annotations

from pathlib import Path

import msgspec

from webbench.core.plural import counted
from webbench.core.runner.sharing import Copied, pull, push
from webbench.core.store.shared import SharedStore
from webbench.tui.headless.output import print_json, print_text, say
from webbench.tui.headless.place import open_store

SCHEMA_VERSION = 1


def push_runs(address: str, runs: tuple[str, ...], *, store: Path | None, as_json: bool) -> int:
    """Copy there; 1 where an episode could not be copied. Raises as `push` does."""
    return _told(push(open_store(store), SharedStore(address), runs), as_json=as_json)


def pull_runs(address: str, runs: tuple[str, ...], *, store: Path | None, as_json: bool) -> int:
    """Copy here; 1 where an episode could not be copied. Raises as `pull` does."""
    return _told(pull(open_store(store), SharedStore(address), runs), as_json=as_json)


def _told(copied: Copied, *, as_json: bool) -> int:
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION} | msgspec.to_builtins(copied))
    else:
        print_text(f"{counted(copied.episodes, 'episode')} copied, of {counted(copied.runs, 'run')}")
    for reason in copied.left_out:
        say(f"left out: {reason}")
    return 1 if copied.left_out else 0
