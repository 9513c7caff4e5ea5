"""Named subsets of a benchmark's tasks: drawn or chosen once, and meant by `@NAME` wherever tasks are named.

Each is a file of the data folder, `subsets/<benchmark>/<name>.json`, that says how it came about.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, get_args

import msgspec

from webbench.core.errors import BadData, UsageError
from webbench.core.settings.locations import data_folder
from webbench.core.statistics.drawing import stratified
from webbench.core.task import TaskEntry
from webbench.core.text.nearest import suggestion
from webbench.core.text.plural import counted

SIGN = "@"
SCHEMA_VERSION = 1
LARGEST = 16 << 20
"""Bytes of such a file."""
Facet = Literal["site", "kind", "template", "split"]
FACETS: tuple[Facet, ...] = get_args(Facet)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")


class Subset(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Tasks of one benchmark.

    Attributes:
        tasks: their names, in the order of the benchmark.
        wanted: the filter and the split that they were drawn from, "" for all.
        sample, seed, by: how many were drawn, None for all; by which seed, in shares of which fields.
    """

    name: str
    benchmark: str
    tasks: tuple[str, ...]
    wanted: str = ""
    split: str = ""
    sample: int | None = None
    seed: int = 0
    by: tuple[Facet, ...] = ()
    schema_version: int = msgspec.field(default_factory=lambda: SCHEMA_VERSION)


def matching(entries: Iterable[TaskEntry], wanted: str) -> list[TaskEntry]:
    """Those that hold each word of a filter; `site:map` looks for "map" in the field alone."""
    words = wanted.casefold().split()
    return [entry for entry in entries if all(_holds(entry, word) for word in words)]


def drawn_entries(
    entries: Sequence[TaskEntry], size: int | None, *, seed: int = 0, by: Sequence[Facet] = ()
) -> list[TaskEntry]:
    """So many tasks with the shares of the fields' values, in their order; all where `size` is None.

    Raises `UsageError` where there are fewer.
    """
    if size is None:
        return list(entries)
    if not 0 < size <= len(entries):
        raise UsageError(
            f"{size:,} tasks are wanted of {len(entries):,}", "give --sample a number from 1 to that"
        )
    chosen = stratified(
        entries,
        lambda one: tuple(str(getattr(one, facet)) for facet in by),
        lambda one: one.name,
        seed,
        size,
    )
    names = {one.name for one in chosen}
    return [one for one in entries if one.name in names]


def save_subset(subset: Subset, *, force: bool = False) -> Path:
    """Write a subset; its file.

    Raises `UsageError` for a name that is none, for no task, and where there is another of that name, unless
    `force` says to replace it.
    """
    path = _path(subset.benchmark, subset.name)
    if not subset.tasks:
        raise UsageError("There is no task to be saved", "choose others, or leave the filter out")
    if path.exists() and not force and read_subset(subset.benchmark, subset.name) != subset:
        raise UsageError(
            f"there is another subset {subset.name} of {subset.benchmark}", "add --force, or another name"
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(msgspec.json.format(msgspec.json.encode(subset)))
            file.flush()
            os.fsync(file.fileno())
        Path(file.name).replace(path)
    except OSError as error:
        raise BadData(f"{path} can't be written: {error.strerror or error}") from error
    return path


def rename_subset(benchmark: str, name: str, new: str, *, force: bool = False) -> Subset:
    """Call a subset something else. Raises as `read_subset`, and as `save_subset`."""
    renamed = msgspec.structs.replace(read_subset(benchmark, name), name=new)
    save_subset(renamed, force=force)
    if new != name:
        _path(benchmark, name).unlink(missing_ok=True)
    return renamed


def delete_subset(benchmark: str, name: str) -> Subset:
    """Forget a subset, and tell what it was; runs of its tasks stay. Raises as `read_subset`."""
    found = read_subset(benchmark, name)
    path = _path(benchmark, name)
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise BadData(f"{path} can't be deleted: {error.strerror or error}") from error
    return found


def read_subset(benchmark: str, name: str) -> Subset:
    """Raises `UsageError` where there is none of that name, `BadData` where its file can't be read."""
    path = _path(benchmark, name)
    try:
        if path.stat().st_size > LARGEST:
            raise BadData(f"{path} is larger than {LARGEST >> 20} MiB")
        found = msgspec.json.decode(path.read_bytes(), type=Subset)
    except FileNotFoundError:
        known = [one.name for one in subsets(benchmark)]
        hint = suggestion(name, known) if known else "`tasks --save-subset NAME` makes one"
        raise UsageError(f"{benchmark} has no subset {name}", hint) from None
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadData(f"{path} is no subset: {error}") from error
    if found.schema_version > SCHEMA_VERSION:
        raise BadData(f"{path} was written by a newer release", "update webbench-tui")
    return found


def subsets(benchmark: str, problems: list[str] | None = None) -> list[Subset]:
    """Those of a benchmark that can be read, by name; `problems` takes up what is wrong with others."""
    found: list[Subset] = []
    for path in sorted(_folder(benchmark).glob("*.json")):
        try:
            found.append(read_subset(benchmark, path.stem))
        except (BadData, UsageError) as error:
            if problems is not None:
                problems.append(error.message)
    return found


def with_subsets(benchmark: str, names: Sequence[str]) -> tuple[str, ...]:
    """Names of tasks, with those of the subset in place of each `@NAME`; each once.

    Raises as `read_subset`.
    """
    found: list[str] = []
    for name in names:
        found += read_subset(benchmark, name[len(SIGN) :]).tasks if name.startswith(SIGN) else [name]
    return tuple(dict.fromkeys(found))


def subset_words(subset: Subset) -> str:
    """How it came about: "12 of site:map, seed 3, by site"."""
    told = counted(len(subset.tasks), "task")
    parts = [
        f"split {subset.split}" if subset.split else "",
        subset.wanted,
        f"drawn with seed {subset.seed}" if subset.sample is not None else "",
        f"in shares of {' and '.join(subset.by)}" if subset.by else "",
    ]
    return ", ".join([told, *filter(None, parts)])


def _holds(entry: TaskEntry, word: str) -> bool:
    field, colon, value = word.partition(":")
    facet = "kind" if field == "type" else field
    if colon and facet in ("name", "intent", *FACETS):
        texts = entry.splits if facet == "split" else (str(getattr(entry, facet)),)
    else:
        value = word
        texts = (entry.name, entry.intent, entry.site, entry.kind, entry.template, *entry.splits)
    return any(value in text.casefold() for text in texts)


def _folder(benchmark: str) -> Path:
    return data_folder() / "subsets" / _checked(benchmark)


def _path(benchmark: str, name: str) -> Path:
    return _folder(benchmark) / f"{_checked(name)}.json"


def _checked(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{name[:60]!r} is no name of a subset", "letters, digits, and . _ - behind the first"
        )
    return name
