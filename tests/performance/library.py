"""What the library costs: loading task files, showing thousands of tasks, filtering them as one types.

Ratios against decoding the same file and against an empty application of the same run; run with
`python -m tests.performance.library`. The tasks are generated in WebArena's shape.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.widgets import Static

from tests.tui.silent_engine import SilentLink, first_screen
from webbench.benchmarks.webarena.benchmark import WebArena
from webbench.core.benchmark.benchmark import BenchmarkStatus
from webbench.core.engine.wire import catalogue_messages
from webbench.core.settings.settings import Settings
from webbench.core.task import TaskEntry
from webbench.tui.app import WorkbenchApp
from webbench.tui.opening import Opening
from webbench.tui.screens.library.task_table import TaskTable

PUBLISHED = 812
LOADING_LIMIT = 150.0
"""Milliseconds to load as many tasks as WebArena has."""

MANY = 5_000
OPENING_LIMIT = 300.0
KEY_LIMIT = 50.0
"""Milliseconds to show so many tasks, and from a typed letter to the filtered table."""

ROUNDS = 7
TYPED = "mug 42"
SITES = ("shopping", "shopping_admin", "gitlab", "reddit", "map")


def main() -> list[str]:
    """Print the figures; returns those that were missed."""
    return [*loading(), *asyncio.run(showing())]


def task(number: int) -> dict[str, Any]:
    """A task in WebArena's shape, of about the usual length."""
    site = SITES[number % len(SITES)]
    page = {"url": "last", "locator": "document.querySelector('h1').outerText"}
    return {
        "sites": [site],
        "task_id": number,
        "require_login": True,
        "storage_state": f"./.auth/{site}_state.json",
        "start_url": f"__{site.upper()}__",
        "geolocation": None,
        "intent_template": "Find the {{kind}} with the number {{number}} and say what it costs",
        "instantiation_dict": {"kind": "mug", "number": str(number)},
        "intent": f"Find the mug with the number {number} and say what it costs",
        "require_reset": False,
        "eval": {
            "eval_types": ["string_match", "program_html"],
            "reference_answers": {"must_include": [f"{number}.99"], "fuzzy_match": ["about that much"] * 4},
            "reference_url": "",
            "program_html": [page | {"required_contents": {"must_include": [f"Mug {number}"]}}] * 2,
            "string_note": "",
            "reference_answer_raw_annotation": f"{number}.99, as the page of the product says at the top",
        },
        "intent_template_id": number // 5,
    }


def loading() -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "test.raw.json"
        file.write_text(json.dumps([task(number) for number in range(PUBLISHED)], indent=2))
        text = file.read_bytes()
        rounds = [
            (timed(lambda: json.loads(text)), timed(lambda: WebArena(file).catalogue()))
            for _ in range(ROUNDS)
        ]
    decoding, whole = (statistics.median(column) for column in zip(*rounds, strict=True))
    print(
        f"{PUBLISHED} WebArena tasks, {len(text) / 1024:,.0f} KiB: {whole:.0f} ms to the list "
        f"(limit {LOADING_LIMIT:.0f}), {whole / decoding:.1f} x decoding alone"
    )
    return missed("loading WebArena's tasks", whole, LOADING_LIMIT)


class EmptyApp(App[None]):
    def compose(self) -> ComposeResult:
        yield Static("empty")


async def showing() -> list[str]:
    encoder, decoder = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(catalogue_messages.TasksListed)
    entries = tuple(entry(number) for number in range(MANY))
    status = BenchmarkStatus("ready", f"{MANY:,} tasks")
    listed = catalogue_messages.TasksListed(benchmark="demo", title="Many", status=status, entries=entries)
    sent = statistics.median(timed(lambda: decoder.decode(encoder.encode(listed))) for _ in range(ROUNDS))
    empty, opening, keys = [], [], []
    for _ in range(ROUNDS):
        empty.append(await first_paint())
        opened, typed = await open_and_type(listed)
        opening.append(opened)
        keys += typed
    shown, key = sent + statistics.median(opening), statistics.median(keys)
    print(
        f"{MANY:,} tasks: shown in {shown:.0f} ms (limit {OPENING_LIMIT:.0f}; {sent:.0f} of them between the "
        f"processes), {shown / statistics.median(empty):.2f} x an empty application's first paint\n"
        f"{MANY:,} tasks: a letter of the filter takes {key:.0f} ms, worst {max(keys):.0f} "
        f"(limit {KEY_LIMIT:.0f})"
    )
    return [*missed(f"showing {MANY:,} tasks", shown, OPENING_LIMIT), *missed("a letter", key, KEY_LIMIT)]


def entry(number: int) -> TaskEntry:
    raw = task(number)
    return TaskEntry(
        benchmark="demo",
        name=str(number),
        intent=raw["intent"],
        split="test",
        site=raw["sites"][0],
        kind="string_match program_html",
        template=str(raw["intent_template_id"]),
        problem="SHOPPING has no address" if number % 3 else "",
    )


async def first_paint() -> float:
    start = time.perf_counter()
    async with EmptyApp().run_test(size=(160, 48)) as pilot:
        await pilot.pause()
        return (time.perf_counter() - start) * 1000


async def open_and_type(listed: catalogue_messages.TasksListed) -> tuple[float, list[float]]:
    """Milliseconds from the list's arrival to the paint, and for each letter of a filter."""
    link = SilentLink()
    app = WorkbenchApp(Opening(store=Path("/nowhere"), benchmark="demo"), Settings(), link=link)
    async with app.run_test(size=(160, 48)) as pilot:
        await first_screen(pilot)
        table = app.screen.query_one(TaskTable)
        start = time.perf_counter()
        link.happen(listed)
        while table.row_count < MANY:
            await asyncio.sleep(0)
        painted(pilot)
        opened = (time.perf_counter() - start) * 1000
        table.action_filter()
        await pilot.pause()
        keys = []
        for length in range(1, len(TYPED) + 1):
            start = time.perf_counter()
            table.set_filter(TYPED[:length])
            painted(pilot)
            keys.append((time.perf_counter() - start) * 1000)
        return opened, keys


def painted(pilot: Pilot[None]) -> None:
    pilot.app.screen._compositor.render_strips()


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def missed(what: str, milliseconds: float, limit: float) -> list[str]:
    return [] if milliseconds < limit else [f"{what} takes {milliseconds:.0f} ms, wanted is {limit:.0f}"]


if __name__ == "__main__":
    main()
