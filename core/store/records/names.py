"""Readable, unique, harmless names for runs and episodes."""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Iterator
from datetime import UTC, datetime

from webbench.core.errors import UsageError

ATTEMPTS = 50
"""How many random endings are tried before a name counts as taken."""

_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}\Z")
BIN = "bin"
"""Folder of the store that holds what was deleted."""
_RESERVED = frozenset({BIN, "blobs", "labels", "studies", "tmp"})


def slug(text: str, limit: int = 40) -> str:
    """Lower-case ASCII letters, digits and hyphens; "unnamed" where nothing is left."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain)[:limit].strip("-") or "unnamed"


def ending() -> str:
    """Four random characters that can't be misread."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(4))


def run_names(benchmark: str, agent: str) -> Iterator[str]:
    """Candidates such as "2026-11-21_22-14-05_turkingbench_oracle_ab12" (UTC)."""
    started = datetime.now(UTC).strftime("%Y-%m-%d_%H-%M-%S")
    for _ in range(ATTEMPTS):
        yield f"{started}_{slug(benchmark, 30)}_{slug(agent, 30)}_{ending()}"


def episode_names(order: int, task_id: str) -> Iterator[str]:
    """Candidates such as "0007_goal-feasibility-3_ab12"."""
    for _ in range(ATTEMPTS):
        yield f"{max(order, 0):04d}_{slug(task_id, 60)}_{ending()}"


def is_name(name: str) -> bool:
    """Whether a folder of the store may be called so: one path component without surprises."""
    return bool(_NAME.match(name)) and name not in _RESERVED and ".." not in name


def checked(name: str, what: str) -> str:
    """The name, or `UsageError` for one that could lead out of the store."""
    if not is_name(name):
        raise UsageError(
            f"{what} {name[:80]!r} is no name of this store",
            "names are letters, digits, '.', '_' and '-'; `webbench-tui runs` lists them",
        )
    return name


def file_name(name: str, limit: int = 120) -> str:
    """A harmless name for a kept file: its last component, without control or path characters."""
    last = re.split(r"[/\\]", name)[-1]
    safe = "".join("_" if unicodedata.category(c)[0] == "C" or c in ':*?"<>|' else c for c in last)
    safe = safe.strip(" .") or "file"
    stem, dot, suffix = safe.rpartition(".")
    if not dot or len(suffix) > 12:
        stem, dot, suffix = safe, "", ""
    while len(f"{stem}{dot}{suffix}".encode()) > limit:
        stem = stem[:-1]
    return f"{stem or 'file'}{dot}{suffix}"
