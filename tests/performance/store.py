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
from webbench.core.score.score import Score, Status
from webbench.core.store.index.filters import parse_filter
from webbench.core.store.records import codec
from webbench.core.store.records.pictures import lossless_webp
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step

EPISODES = 10_000
LENGTH = 30
MOST_OPENING, MOST_FILTERING = 300, 50
"""Milliseconds for listing all episodes of a store just opened, and for filtering them."""
OPENED = "open the store and list all its episodes"
FILTERS = ("actor:agent-3", "status:scored cart-7", "benchmark:shop", "nowhere to be found")
STEPS = 40


def clock(call: Callable[[], object], now: Callable[[], float] = time.perf_counter) -> float:
    started = now()
    call()
    return (now() - started) * 1000


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
    html = ""
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


def listing(root: Path) -> list[str]:
    """Lists of a store with many episodes: index absent, there, and one run changed. Returns what missed."""
    store = Store(root / "many")
    run = fill(store)
    built = clock(lambda: Store(store.root).runs())
    name = store.episodes(run)[-1].episode
    times: dict[str, list[float]] = {}

    def measure(label: str, call: Callable[[], object]) -> None:
        times.setdefault(label, []).append(clock(call, time.process_time))

    for _ in range(9):
        measure("runs, index there", lambda: Store(store.root).runs())
        measure(OPENED, lambda: Store(store.root).episodes())
        for text in FILTERS:
            measure(f"filter: {text}", lambda text=text: store.select(parse_filter(text)))
        measure("find an episode", lambda: store.find(f"{run}/{name}"))
        measure("list the 1,000 episodes of a run", lambda: store.episodes(run))
        os.utime(store.root / run)
        measure("runs, one run of 1,000 changed", store.runs)
        os.utime(store.root / run, (1_700_000_000, 1_700_000_000))
        store.runs()
    medians = {label: statistics.median(values) for label, values in times.items()}
    base = medians["runs, index there"]
    print(f"\n{EPISODES:,} episodes of {LENGTH} steps in 10 runs (ms of processor time)")
    for label, value in {"runs, index built anew": built, **medians}.items():
        print(f"  {label:48} {value:8.2f}   {value / base:7.1f} x")
    return [
        f"{label}: {value:.0f} ms, not below {most} ms"
        for label, value in medians.items()
        for most in (MOST_OPENING if label == OPENED else MOST_FILTERING if "filter" in label else None,)
        if most is not None and value >= most
    ]


def fill(store: Store) -> str:
    """Headers of many episodes in ten runs that were settled long ago; the name of the last run."""
    run, score = "", Score(status=Status.SCORED, value=0.5)
    for number in range(10):
        run = store.start_run("shop", "oracle", EPISODES // 10)
        for order in range(EPISODES // 10):
            folder = store.root / run / f"{order:04d}_cart_{order:04d}"
            folder.mkdir()
            ended = msgspec.structs.replace(
                header(order),
                run=run,
                episode=folder.name,
                actor=f"agent-{number}",
                ended="2026",
                steps=LENGTH + 1,
                score=score if order % 10 else None,
            )
            (folder / "episode.json").write_bytes(codec.encode(ended))
            (folder / "steps.jsonl").write_bytes(b"{}\n" * (LENGTH + 1))
        os.utime(store.root / run, (1_700_000_000, 1_700_000_000))
    return run


def main() -> list[str]:
    """The figures that were missed, in words."""
    with tempfile.TemporaryDirectory() as folder:
        for nodes in (100, 1_000, 15_000):
            recording(Path(folder), nodes)
        loop_stall(Path(folder))
        return listing(Path(folder))


if __name__ == "__main__":
    main()
