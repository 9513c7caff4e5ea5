"""What is wrong with the tables and templates of a data folder, in words; nothing here stops a task."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

from webbench.benchmarks.turkingbench.batch import ANSWER_PREFIX, Batch, read_batch
from webbench.benchmarks.turkingbench.splits import BATCH, TEMPLATE, DataFolder
from webbench.core.benchmark.benchmark import Problem
from webbench.core.errors import BadData
from webbench.core.text.nearest import quoted_names
from webbench.core.text.plural import counted

METADATA = ("Title", "Description", "Keywords")
PLACEHOLDER = re.compile(r"\$\{([^}]*)\}")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|[a-zA-Z]{2,31});")
_NAMED = re.compile(r"""\bname\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))""", re.IGNORECASE)
_LINE = re.compile(r"\bline (\d+)")
_TRUTH_WORDS = {"true", "false", ""}
_MOSTLY = 0.5
_SHOWN = 3


def task_problems(folder: DataFolder) -> Iterator[Problem]:
    """Problems of every task in the folder, then tasks that are copies of one another."""
    tables: dict[str, list[str]] = {}
    templates: dict[str, list[str]] = {}
    for name in folder.names:
        directory = folder.directory(name)
        try:
            raw, template = (directory / BATCH).read_bytes(), (directory / TEMPLATE).read_bytes()
            batch = read_batch(directory / BATCH)
        except (OSError, BadData) as error:
            line = _LINE.search(str(error))
            where = f"{directory / BATCH}:{line[1]}" if line else str(directory)
            yield Problem(where, f"can't be loaded: {error}", "error")
            continue
        tables.setdefault(_digest(raw + template), []).append(name)
        templates.setdefault(_digest(template), []).append(name)
        for told in _of_task(batch, raw, template.decode("utf-8", errors="replace")):
            yield Problem(str(directory / BATCH), told, "note")
    yield from _copies(folder, tables, templates)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _of_task(batch: Batch, raw: bytes, template: str) -> Iterator[str]:
    yield from _of_the_file(batch, raw)
    yield from _of_inputs(batch, template)
    yield from _of_answers(batch, template)


def _of_the_file(batch: Batch, raw: bytes) -> Iterator[str]:
    if raw.startswith(b"\xef\xbb\xbf"):
        yield "starts with a byte-order mark, which is dropped"
    if b"\r\n" in raw:
        yield "lines end in CRLF"
    if re.search(rb"\r(?!\n)", raw):
        yield "cells hold bare carriage returns"
    unused = batch.unused
    if unused.blank_lines:
        yield f"{unused.blank_lines} blank lines are skipped"
    if unused.short_rows:
        yield f"{unused.short_rows} rows are shorter than the header and filled up with blanks"
    if unused.leading_columns:
        yield f"{unused.leading_columns} columns without a name in the header are dropped"
    if unused.renamed:
        yield f"columns of one name are renamed: {_some(unused.renamed)}"


def _of_inputs(batch: Batch, template: str) -> Iterator[str]:
    if any(rows[-1] - rows[0] >= len(rows) for rows in batch.instances):
        yield "rows of one instance are not adjacent"
    varying = [
        name for name in METADATA if name in batch.input_columns and len(set(batch.column(name).cells)) > 1
    ]
    if varying:
        yield f"metadata that differ from row to row count as input: {_some(varying)}"
    blank = [n for n in range(len(batch.instances)) if batch.blank_input(n)]
    if blank:
        yield f"{counted(len(blank), 'instance')} with a blank input cell; published rules can't score it"
    entities = sum(
        any(_ENTITY.search(row[position]) for row in (batch.header, *batch.rows))
        for position in range(len(batch.header))
    )
    if entities:
        yield f"cells of {entities} columns hold HTML entities"
    unknown = sorted(set(PLACEHOLDER.findall(template)) - set(batch.header))
    if unknown:
        yield f"the template asks for columns that don't exist: {_some(unknown)}"


def _of_answers(batch: Batch, template: str) -> Iterator[str]:
    named = {"".join(match) for match in _NAMED.findall(template)}
    names = batch.answer_names
    absent = [name for name in names if name not in named]
    options = [name for name in absent if any(name.startswith(f"{field}.") for field in named if field)]
    if options:
        yield f"{len(options)} answer columns are options of a field, one column each: {_some(options)}"
    if len(absent) > len(options):
        others = [name for name in absent if name not in options]
        yield f"{len(others)} answer columns have no field in the template's HTML: {_some(others)}"
    doubled = [name for name in names if name.startswith(ANSWER_PREFIX)]
    if doubled:
        yield f'field names that begin with "{ANSWER_PREFIX}" themselves: {_some(doubled)}'
    shifted = [name for name in names if _shifted(batch, name)]
    if shifted:
        yield f"rows are shifted: stray text among True and False in {_some(shifted)}"
    empty = [name for name in names if not any(_filled(batch, name))]
    if empty:
        yield f"no worker ever answered {len(empty)} of {len(names)} fields: {_some(empty)}"


def _filled(batch: Batch, name: str) -> Iterator[bool]:
    return (cell is not None and cell != "{}" for cell in batch.column(ANSWER_PREFIX + name).cells)


def _shifted(batch: Batch, name: str) -> bool:
    """Mostly truth words, and something else among them."""
    column = batch.column(ANSWER_PREFIX + name)
    if column.kind != "text":
        return False
    words = [str(cell or "").lower() for cell in column.cells]
    truths = sum(word in _TRUTH_WORDS and word != "" for word in words)
    strays = sum(word not in _TRUTH_WORDS for word in words)
    return strays > 0 and truths > _MOSTLY * len(words)


def _copies(
    folder: DataFolder, tables: dict[str, list[str]], templates: dict[str, list[str]]
) -> Iterator[Problem]:
    for names in tables.values():
        if len(names) > 1:
            splits = sorted({folder.split_of(name) for name in names})
            leak = f", a leak between {' and '.join(splits)}" if len(splits) > 1 else ""
            yield Problem(str(folder.root / "tasks"), f"identical tasks: {quoted_names(names)}{leak}")
    for names in templates.values():
        if len(names) > 1:
            yield Problem(
                str(folder.root / "tasks"), f"one template in several tasks: {quoted_names(names)}", "note"
            )


def _some(names: list[str] | tuple[str, ...]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return quoted_names(list(names[:_SHOWN])) + more
