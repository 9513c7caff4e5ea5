"""What the widgets cost: opening and moving in trees of growing size, and a new picture.

Ratios against an empty application of the same run; run with `python -m tests.performance.widgets`.
"""

from __future__ import annotations

import asyncio
import io
import statistics
import time
from collections.abc import Awaitable, Callable

from PIL import Image
from textual.app import App, ComposeResult
from textual.widgets import Static

from tests.tui.widgets import pages
from webbench.tui.pictures.detect import Graphics, PictureMode
from webbench.tui.pictures.drawing import draw
from webbench.tui.pictures.source import decode
from webbench.tui.pictures.viewfinder import Viewfinder
from webbench.tui.widgets.tree.accessibility_tree import AccessibilityTree

SIZES = (1_000, 15_000, 24_000)
PROMISED_SIZE = 15_000
OPENING_LIMIT = 150.0
KEY_LIMIT = 50.0
"""Milliseconds for a tree of the promised size: until it is there, and from a key to the paint."""

ROUNDS = 5
KEYS = 30


class TreeApp(App[None]):
    def compose(self) -> ComposeResult:
        yield AccessibilityTree()


class EmptyApp(App[None]):
    def compose(self) -> ComposeResult:
        yield Static("empty")


async def first_paint(make: type[App[None]]) -> float:
    """Milliseconds from nothing to a painted screen."""
    start = time.perf_counter()
    async with make().run_test(size=(160, 48)) as pilot:
        await pilot.pause()
        return (time.perf_counter() - start) * 1000


async def open_and_move(count: int) -> tuple[float, float, float]:
    """Milliseconds to show an observation of `count` nodes, per cursor key, and for the next observation."""
    observation, following = pages.large(count), pages.large(count)
    async with TreeApp().run_test(size=(160, 48)) as pilot:
        tree = pilot.app.query_one(AccessibilityTree)
        tree.focus()
        await pilot.pause()
        opening = await timed(lambda: show(tree, observation))
        keys = []
        for _ in range(KEYS):
            start = time.perf_counter()
            tree.action_move(1)
            pilot.app.screen._compositor.render_strips()
            keys.append((time.perf_counter() - start) * 1000)
        again = await timed(lambda: show(tree, following))
        return opening, statistics.median(keys), again


async def show(tree: AccessibilityTree, observation: object) -> None:
    tree.observation = observation  # type: ignore[assignment]
    tree.app.screen._compositor.render_strips()


async def timed(work: Callable[[], Awaitable[None]]) -> float:
    start = time.perf_counter()
    await work()
    return (time.perf_counter() - start) * 1000


def picture_cost(mode: PictureMode, data: bytes, columns: int, rows: int) -> tuple[float, float]:
    """Milliseconds to decode a picture, and to draw it."""
    graphics = Graphics(mode, "measured")
    start = time.perf_counter()
    image = decode(data)
    decoded = time.perf_counter()
    draw(image, Viewfinder(image.width, image.height, columns, rows), graphics)
    return (decoded - start) * 1000, (time.perf_counter() - decoded) * 1000


def screenshot() -> bytes:
    """A 1280x720 JPEG with edges and gradients."""
    image = Image.linear_gradient("L").resize((1280, 720)).convert("RGB")
    image.paste(Image.effect_noise((400, 300), 60).convert("RGB"), (100, 100))
    file = io.BytesIO()
    image.save(file, "JPEG", quality=80)
    return file.getvalue()


async def measure_trees() -> list[str]:
    """Print the figures; returns those that were missed."""
    missed: list[str] = []
    rounds: dict[int, list[tuple[float, float, float]]] = {count: [] for count in SIZES}
    empty: list[float] = []
    with_tree: list[float] = []
    for _ in range(ROUNDS):
        empty.append(await first_paint(EmptyApp))
        with_tree.append(await first_paint(TreeApp))
        for count in SIZES:
            rounds[count].append(await open_and_move(count))
    start = statistics.median(empty)
    ratio = statistics.median(with_tree) / start
    print(f"first paint   empty app {start:6.0f} ms   with a tree {ratio:.2f} x")
    print(f"{'nodes':>8} {'open ms':>9} {'key ms':>8} {'next ms':>9} {'open / empty app':>17}")
    for count, figures in rounds.items():
        opening, key, following = (statistics.median(column) for column in zip(*figures, strict=True))
        print(f"{count:>8,} {opening:>9.1f} {key:>8.2f} {following:>9.1f} {opening / start:>17.2f}")
        if count == PROMISED_SIZE and opening >= OPENING_LIMIT:
            missed.append(
                f"a tree of {count:,} opens in {opening:.0f} ms, wanted is under {OPENING_LIMIT:.0f}"
            )
        if count == PROMISED_SIZE and key >= KEY_LIMIT:
            missed.append(f"a key in a tree of {count:,} takes {key:.0f} ms, wanted is under {KEY_LIMIT:.0f}")
    return missed


def measure_pictures() -> None:
    data = screenshot()
    modes: tuple[tuple[PictureMode, int, int], ...] = (
        ("half-block", 100, 30),
        ("half-block", 200, 57),
        ("kitty", 100, 30),
        ("sixel", 100, 30),
    )
    print(f"{'picture':>12} {'cells':>8} {'decode ms':>10} {'draw ms':>8}")
    for mode, columns, rows in modes:
        costs = [picture_cost(mode, data, columns, rows) for _ in range(ROUNDS)]
        decode_ms, draw_ms = (statistics.median(column) for column in zip(*costs, strict=True))
        print(f"{mode:>12} {columns:>4}x{rows:<3} {decode_ms:>10.1f} {draw_ms:>8.1f}")


def main() -> list[str]:
    missed = asyncio.run(measure_trees())
    measure_pictures()
    return missed


if __name__ == "__main__":
    main()
