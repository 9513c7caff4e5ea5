"""Runs vector files and reports per function."""

from __future__ import annotations

import importlib.util
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from tests.parity.compare import PENDING, NotHere, decode, describe, difference, is_error, needs_judge
from tests.shared import shared_folder
from webbench.core.errors import WebbenchError
from webbench.core.text.plain_text import plain_text


class Adapter(Protocol):
    """One benchmark's evaluator behind the recorded function names.

    A module `tests/parity/<benchmark>.py` offers it as `open_adapter()`.
    """

    def run(self, function: str, arguments: dict[str, Any]) -> Any:
        """Our value. Raises `LookupError` for a function it doesn't know, `NotHere` for missing data."""
        ...

    def close(self) -> None: ...


class Result(NamedTuple):
    id: str
    function: str
    outcome: str
    """passed, failed or skipped."""
    detail: str = ""


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows that are tests: lines whose function doesn't start with "@".

    An input "@name" stands for what the row of the function "@name" expects, in this file or in the shared
    one of its benchmark. Raises `ValueError` naming the line that is no row.
    """
    named: dict[str, Any] = {}
    for number, row in _lines(path):
        if row["function"].startswith("@"):
            continue
        if not {"input", "expected"} <= row.keys():
            raise ValueError(f"line {number} has no input and expected value")
        wanted = {name: value for name, value in row["input"].items() if _is_name(value)}
        if wanted and not named:
            named = _named(_shared_file(row["id"])) | _named(path)
        yield row | {
            "input": row["input"] | {name: named.get(value, value) for name, value in wanted.items()}
        }


def _lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            row = json.loads(line)
            if not isinstance(row, dict) or not {"id", "function"} <= row.keys():
                raise ValueError(f"line {number} names no id and function")
            yield number, row


def _named(path: Path | None) -> dict[str, Any]:
    if path is None:
        return {}
    return {row["function"]: row["expected"] for _, row in _lines(path) if row["function"].startswith("@")}


def _shared_file(identity: str) -> Path | None:
    folder = shared_folder()
    path = folder / "parity" / f"{identity.partition('-')[0]}.jsonl" if folder else None
    return path if path and path.is_file() else None


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and value[:1] == "@" and value[1:].isidentifier()


def run_file(path: Path) -> list[Result]:
    adapters: dict[str, Adapter | None] = {}
    try:
        return [run_row(row, adapters) for row in rows(path)]
    finally:
        for adapter in adapters.values():
            if adapter is not None:
                adapter.close()


def run_row(row: dict[str, Any], adapters: dict[str, Adapter | None]) -> Result:
    """Replay one row with its benchmark's adapter, which is opened at its first row."""
    name, function = row["id"].partition("-")[0], row["function"]
    if name not in adapters:
        adapters[name] = _open(name)
    adapter = adapters[name]
    if adapter is None:
        return Result(row["id"], function, "failed", f'no adapter for benchmark "{name}"')
    return replay(row, adapter)


def replay(row: dict[str, Any], adapter: Adapter) -> Result:
    identity, function, expected = row["id"], row["function"], decode(row["expected"])
    try:
        ours = adapter.run(function, decode(row["input"]))
    except NotHere as missing:
        return Result(identity, function, "skipped", str(missing))
    except WebbenchError as error:
        if is_error(expected):
            return Result(identity, function, "passed", str(error))
        return Result(identity, function, "failed", f"ours fails ({error}), recorded {expected!r}")
    except LookupError as error:
        return Result(identity, function, "failed", f"unknown function or name: {error}")
    except Exception as error:
        return Result(identity, function, "failed", f"{describe(error)}, recorded {expected!r}")
    if needs_judge(expected) or ours == PENDING:
        agree = needs_judge(expected) and ours == PENDING
        told = "pending" if agree else f"ours {ours!r}, recorded {expected!r}"
        return Result(identity, function, "passed" if agree else "failed", told)
    if is_error(expected):
        recorded = expected.get("message") or expected["error"]
        return Result(identity, function, "failed", f"ours {ours!r}, recorded an error: {recorded}")
    told = difference(ours, expected)
    return Result(identity, function, "failed" if told else "passed", told)


def _open(name: str) -> Adapter | None:
    module = f"tests.parity.{name}"
    if not name.isidentifier() or importlib.util.find_spec(module) is None:
        return None
    adapter: Adapter = importlib.import_module(module).open_adapter()
    return adapter


def report(results: list[Result], *, shown: int = 50) -> str:
    """Counts per function, failing rows with both values, and the totals as the last line."""
    counts: dict[str, Counter[str]] = {}
    for result in results:
        counts.setdefault(result.function, Counter())[result.outcome] += 1
    width = max((len(name) for name in counts), default=8)
    lines = [f"{'function':{width}}  passed  failed  skipped"]
    lines += [
        f"{name:{width}}  {count['passed']:6}  {count['failed']:6}  {count['skipped']:7}"
        for name, count in counts.items()
    ]
    reasons = Counter(result.detail for result in results if result.outcome == "skipped")
    lines += [f"skipped {count}: {reason}" for reason, count in reasons.most_common()]
    wrong = [result for result in results if result.outcome == "failed"]
    lines += [
        f"FAILED {plain_text(result.id)}: {plain_text(result.detail, limit=1000)}" for result in wrong[:shown]
    ]
    if len(wrong) > shown:
        lines.append("also failed: " + " ".join(result.id for result in wrong[shown:]))
    passed = sum(result.outcome == "passed" for result in results)
    return "\n".join([*lines, f"{passed} passed, {len(wrong)} failed"])
