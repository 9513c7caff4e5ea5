"""Pools: named sets of runs of one agent at one benchmark, counted as one actor; `pools.json` of a store.

Wherever runs are analysed, `@NAME` means one. What its runs recorded of the same task are repeats of it.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from pathlib import Path

import msgspec

from webbench.core.errors import BadData, UsageError
from webbench.core.store.records import codec
from webbench.core.store.records.durable_files import held, write_file, writing
from webbench.core.text.nearest import suggestion

FILE = "pools.json"
SIGN = "@"
SCHEMA_VERSION = 1
LARGEST = 16 << 20
"""Bytes of that file."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")


class _Pools(msgspec.Struct, frozen=True, kw_only=True):
    pools: dict[str, tuple[str, ...]] = {}
    schema_version: int = msgspec.field(default_factory=lambda: SCHEMA_VERSION)


def pools(root: Path) -> dict[str, tuple[str, ...]]:
    """The runs of each pool by its name. Raises `BadData` where the file can't be read."""
    path = root / FILE
    try:
        if path.stat().st_size > LARGEST:
            raise BadData(f"{path} is larger than {LARGEST >> 20} MiB", "move it away")
        return codec.decode_record(path.read_bytes(), _Pools, SCHEMA_VERSION, str(path)).pools
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise BadData(f"{path} can't be read: {error.strerror or error}") from error


def require_pool(root: Path, name: str) -> tuple[str, ...]:
    """The runs that were put into a pool. Raises `UsageError` for an unknown one, `BadData` as `pools`."""
    known = pools(root)
    if name not in known:
        hint = suggestion(name, list(known)) if known else "`webbench-tui runs pool` makes one"
        raise UsageError(f"there is no pool {SIGN}{name} in {root}", hint)
    return known[name]


def members(root: Path, run: str) -> tuple[str, ...]:
    """The runs that a text means: those of the pool `@NAME`, else the one run of that name.

    Raises `UsageError` for an unknown pool, and where a run of it was deleted; `BadData` as `pools`.
    """
    if not run.startswith(SIGN):
        return (run,)
    found = require_pool(root, run[len(SIGN) :])
    if gone := next((one for one in found if not (root / one).is_dir()), ""):
        hint = f"`webbench-tui runs restore {gone}`, or `runs pool {run[len(SIGN) :]} --remove`"
        raise UsageError(f"{gone} of the pool {run} is not in the store any more", hint)
    return found


def pools_of(root: Path) -> dict[str, list[str]]:
    """Which pools each run is in, as `@NAME`; none where the file can't be read."""
    found: dict[str, list[str]] = {}
    with contextlib.suppress(BadData):
        for name, runs in pools(root).items():
            for run in runs:
                found.setdefault(run, []).append(f"{SIGN}{name}")
    return found


def save_pool(root: Path, name: str, runs: Sequence[str]) -> None:
    """Make a pool of the runs, or take the pool away where there are none.

    Raises `UsageError` for a name that is none, and where there is another pool of that name; as `pools`.
    """
    if not _NAME.fullmatch(name):
        told = f"{name[:60]!r} is no name of a pool"
        raise UsageError(told, "letters, digits, and . _ - behind the first")
    with writing(root, "the pool"), held(root):
        known = dict(pools(root))
        if runs and known.get(name, tuple(runs)) != tuple(runs):
            raise UsageError(f"there is another pool {name}", "choose another name, or --remove it")
        if runs:
            known[name] = tuple(runs)
        else:
            known.pop(name, None)
        write_file(root, root / FILE, [codec.encode(_Pools(pools=known))])
