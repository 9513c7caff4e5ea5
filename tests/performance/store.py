"""Cost of recording a step, and of listing a store with 10,000 episodes.

Run as `python -m tests.performance.store`. Times are medians in milliseconds; ratios compare ways
that were measured turn by turn in the same run.
"""

from __future__ import annotations

import asyncio
import io
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import zstandard

from webbench.core.observation import AccessibilityNode, Box, Observation, Screenshot
from webbench.core.score import Score, Status
from webbench.core.store import codec
from webbench.core.store.pictures import lossless_webp
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step

EPISODES = 10_000
STEPS = 40


def clock(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1000


def observation(step: int, nodes: int) -> Observation:
    return Observation(
        url="http://127.0.0.1/shop",
        nodes=tuple(
            AccessibilityNode(
                id=n,
                role="link",
                name=f"Product number {n}" + (f", {step} in the cart" if n % 97 == 0 else ""),
                depth=n % 9,
                box=Box(n % 7 * 180, n // 7 * 40, 170, 32),
                interactive=True,
                tag="a",
                attributes={"href": f"/product/{n}"},
            )
            for n in range(nodes)
        ),
    )


def screenshot(step: int) -> Screenshot:
    """A PNG of 1280x720 with lines of text, different at every step."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (1280, 720), "white")
    draw = ImageDraw.Draw(image)
    for line in range(44):
        draw.text(
            (20, 16 * line), f"{line} {step} " + "The quick brown fox jumps over the lazy dog. " * 3, "black"
        )
    encoded = io.BytesIO()
    image.save(encoded, "PNG", compress_level=1)
    return Screenshot(encoded.getvalue(), "png", 1280, 720)


def header(order: int = 0) -> EpisodeHeader:
    task = Task(benchmark="shop", name=f"cart-{order % 50}", instance=order, intent="Put tea into the cart")
    return EpisodeHeader(run="", episode="", task=task, actor="oracle", dialect="json", order=order)


def recording(root: Path, nodes: int) -> None:
    """A whole step against the bare appending of its line, turn by turn."""
    store = Store(root / f"store-{nodes}")
    recorder = store.recorder(store.start_run("shop", "oracle", 1), header())
    bare = os.open(root / f"bare-{nodes}", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    pages = [observation(step, nodes) for step in range(STEPS)]
    pictures = [screenshot(step) for step in range(STEPS)]
    times: dict[str, list[float]] = {}
    for index in range(STEPS):
        step = Step(index=3 * index, at="2026-01-01T00:00:00.000+00:00", text="click [7]", note="n" * 2_000)
        line = codec.encode(step) + b"\n"
        html = f"<p>{index}</p>" + "<p class='product'>One of many products</p>" * 6_000

        def append_bare(line: bytes = line) -> None:
            os.write(bare, line)
            os.fsync(bare)

        for name, call in {
            "bare line + fsync": append_bare,
            "step": lambda step=step: recorder.write(step),
            "step + observation": lambda step=step, page=pages[index]: recorder.write(step, observation=page),
            "step + observation + HTML + PNG": lambda step=step, page=pages[index], html=html, index=index: (
                recorder.write(
                    step,
                    observation=msgspec.structs.replace(page, title="again"),
                    screenshot=pictures[index],
                    html=html,
                )
            ),
        }.items():
            times.setdefault(name, []).append(clock(call))
    os.close(bare)
    print(f"\nOne step on a page of {nodes} nodes, {STEPS} times (ms)")
    base = statistics.median(times["bare line + fsync"])
    for name, values in times.items():
        median = statistics.median(values)
        print(f"  {name:34} {median:8.2f}   max {max(values):8.2f}   {median / base:7.1f} x")
    store.close()
    archive = clock(lambda: lossless_webp(pictures[0].data))
    print(f"  {'archive one PNG, in the background':34} {archive:8.2f}")
    sizes = [path.stat().st_size for path in store.blobs.folder.rglob("*.zst")]
    plain = sum(len(zstandard.compress(codec.encode(page), 3)) for page in pages) * 2
    texts = len(zstandard.compress(html.encode(), 3)) * STEPS
    print(f"  observations and HTML on disk {sum(sizes):,} bytes; without deltas {plain + texts:,}")
    recorder.finish(None, "done")


def loop_stall(root: Path) -> None:
    """How long the event loop is held up while a step with everything is appended."""
    store = Store(root / "stall")
    recorder = store.recorder(store.start_run("shop", "oracle", 1), header())
    worst: list[float] = []

    async def ticking() -> None:
        while True:
            started = time.perf_counter()
            await asyncio.sleep(0.001)
            worst.append((time.perf_counter() - started) * 1000 - 1)

    async def run() -> None:
        page, picture = observation(0, 1_000), screenshot(0)
        ticker = asyncio.create_task(ticking())
        for index in range(20):
            step = Step(index=index, at="")
            shown = msgspec.structs.replace(page, title=str(index))
            await recorder.append(step, observation=shown, screenshot=picture, html="<p>" * 50_000)
        ticker.cancel()

    asyncio.run(run())
    store.close()
    print(
        "\nEvent loop held up while appending (ms): "
        f"median {statistics.median(worst):.2f}, max {max(worst):.2f}"
    )


def listing(root: Path) -> None:
    """Lists of a store with many episodes: index absent, there, and one run changed."""
    store = Store(root / "many")
    score = Score(status=Status.SCORED, value=0.5)
    for _ in range(10):
        run = store.start_run("shop", "oracle", EPISODES // 10)
        for order in range(EPISODES // 10):
            folder = store.root / run / f"{order:04d}_cart_{order:04d}"
            folder.mkdir()
            ended = msgspec.structs.replace(
                header(order), run=run, episode=folder.name, ended="2026", steps=1, score=score
            )
            (folder / "episode.json").write_bytes(codec.encode(ended))
            (folder / "steps.jsonl").write_bytes(b"{}\n")
        os.utime(store.root / run, (1_700_000_000, 1_700_000_000))
    built = clock(lambda: Store(store.root).runs())
    warm, changed, found, listed = [], [], [], []
    name = store.episodes(run)[-1].episode
    for _ in range(9):
        warm.append(clock(lambda: Store(store.root).runs()))
        found.append(clock(lambda: store.find(f"{run}/{name}")))
        listed.append(clock(lambda: store.episodes(run)))
        os.utime(store.root / run)
        changed.append(clock(store.runs))
        os.utime(store.root / run, (1_700_000_000, 1_700_000_000))
        store.runs()
    base = statistics.median(warm)
    print(f"\n{EPISODES:,} episodes in 10 runs (ms)")
    for label, value in (
        ("runs, index built anew", built),
        ("runs, index there", base),
        ("runs, one run of 1,000 changed", statistics.median(changed)),
        ("find an episode", statistics.median(found)),
        ("list the 1,000 episodes of a run", statistics.median(listed)),
    ):
        print(f"  {label:34} {value:8.2f}   {value / base:7.1f} x")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for nodes in (100, 1_000, 15_000):
            recording(Path(folder), nodes)
        loop_stall(Path(folder))
        listing(Path(folder))


if __name__ == "__main__":
    main()
