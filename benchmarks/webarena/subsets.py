"""The named subsets that come with WebArena-Verified: lists of task ids beside its task file."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import msgspec

from webbench.core.benchmark.benchmark import Problem
from webbench.core.errors import BadData
from webbench.core.json_types import Json
from webbench.core.text import bounded_json

LARGEST_FILE = 1024 * 1024
PREFIX = "webarena-verified-"


class Subsets(msgspec.Struct, frozen=True):
    """Names of tasks by the name of their split, "verified/hard"; and what is wrong with the files."""

    tasks: dict[str, frozenset[str]]
    problems: tuple[Problem, ...]


def read_subsets(folder: Path, edition: str, known: Collection[str]) -> Subsets:
    """Those in the files of a folder; ids that no known task has are told and left out.

    Args:
        edition: what stands before the ids in the names of its tasks.
    """
    tasks: dict[str, frozenset[str]] = {}
    problems: list[Problem] = []
    for file in sorted(folder.glob("*.json")):
        try:
            ids = _ids(file)
        except BadData as error:
            problems.append(Problem(str(file), str(error), "error"))
            continue
        names = [f"{edition}.{number}" for number in ids]
        unknown = [name for name in names if name not in known]
        if unknown:
            told = f"{len(unknown)} of its tasks are not there, the first is {unknown[0][:40]}"
            problems.append(Problem(str(file), told, "warning"))
        tasks[f"{edition}/{file.stem.removeprefix(PREFIX)}"] = frozenset(names).intersection(known)
    return Subsets(tasks, tuple(problems))


def _ids(file: Path) -> list[Json]:
    try:
        if file.stat().st_size > LARGEST_FILE:
            raise BadData(f"the subset is larger than {LARGEST_FILE // 1024**2} MiB")
        decoded = bounded_json.decode(file.read_bytes())
    except OSError as error:
        raise BadData(f"the subset can't be read: {error.strerror or error}") from error
    except ValueError as error:
        raise BadData(f"the subset is no JSON: {error}") from error
    ids = decoded.get("task_ids") if isinstance(decoded, dict) else None
    if not isinstance(ids, list):
        raise BadData('the subset has no list "task_ids"')
    return ids
