"""Scrubbing in a real terminal: from the arrow key to the next step's title and to its picture.

The episode has pages of 2,000 nodes and screenshots of 1280x720, an eighth of them noise as in a photograph,
with a colour of their own each, by which the terminal's output tells when a picture is painted. Keys come at
the pace of a person who reads (a frame is decoded ahead meanwhile), and then as fast as frames are shown.
"""

from __future__ import annotations

import io
import statistics
import sys
import tempfile
import time
from pathlib import Path

from tests.terminal.pty_program import PtyProgram
from webbench.core.action.action import Click, ElementRef
from webbench.core.observation import AccessibilityNode, Box, Observation, Screenshot
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step

STEPS, NODES = 40, 2_000
LIMIT = 0.050
READING = 0.6
PROGRAM = [sys.executable, "-m", "webbench.tui", "view"]
RIGHT = "\x1b[C"


def main() -> list[str]:
    """The figures that were missed, in words."""
    with tempfile.TemporaryDirectory() as folder:
        name = record(Path(folder))
        with PtyProgram([*PROGRAM, name, "--store", folder]) as program:
            program.wait_to_show("step 1 of")
            program.wait_for(colour_code(0))
            missed = report("at a reader's pace", scrub(program, range(2, 16), READING))
            report("as fast as frames are shown", scrub(program, range(16, 34), 0.0))
        return missed


def scrub(program: PtyProgram, steps: range, pause: float) -> list[tuple[float, float]]:
    """Seconds to the title and to the picture, for each step."""
    taken = []
    for index in steps:
        if pause:
            program.settle(0.1, pause)
            time.sleep(pause)
        program.send(RIGHT)
        started = time.perf_counter()
        program.wait_for(f"step {index} ".encode())
        title = time.perf_counter() - started
        program.wait_for(colour_code(index - 1))
        taken.append((title, time.perf_counter() - started))
    return taken


def report(pace: str, taken: list[tuple[float, float]]) -> list[str]:
    titles, pictures = ([1000 * one[at] for one in taken] for at in (0, 1))
    median = statistics.median(pictures)
    print(
        f"next frame {pace}: title after {statistics.median(titles):.0f} ms, picture after {median:.0f} ms "
        f"(slowest {max(pictures):.0f} ms; asked: under {1000 * LIMIT:.0f} ms)"
    )
    return [f"next frame after {median:.0f} ms, asked {1000 * LIMIT:.0f}"] if median > 1000 * LIMIT else []


def record(root: Path) -> str:
    """An episode in a new store; its name."""
    store = Store(root)
    run = store.start_run("shop", "robot", 1)
    task = Task(benchmark="shop", name="scrub", intent="Scrub through many pages")
    recorder = store.recorder(
        run, EpisodeHeader(run="", episode="", task=task, actor="robot", dialect="json")
    )
    for index in range(STEPS):
        action = Click(target=ElementRef(id=10, role="link", name="Link 10")) if index else None
        recorder.write(
            Step(
                index=index,
                at="2026-01-01T00:00:00.000+00:00",
                actor="agent",
                action=action,
                text="click [10]",
            ),
            observation=page(index),
            screenshot=Screenshot(picture(index), "png", 1280, 720),
        )
    recorder.finish(None, "it ended")
    store.close()
    return recorder.header.episode


def page(index: int) -> Observation:
    links = tuple(
        AccessibilityNode(
            id=number,
            role="link",
            name=f"Link {number}" + (f" of {index}" if number % 7 == 0 else ""),
            depth=1,
            interactive=True,
            box=Box(10, 20.0 * number, 200, 18),
        )
        for number in range(2, NODES)
    )
    root = AccessibilityNode(id=1, role="RootWebArea", name="Page", depth=0)
    return Observation(
        url=f"http://shop.test/{index}", title=f"Page {index}", nodes=(root, *links), source="script"
    )


def colour(index: int) -> tuple[int, int, int]:
    """A colour that no other step's picture has, of the levels that half blocks keep."""
    return 40 + 4 * index, 200 - 4 * index, 100


def colour_code(index: int) -> bytes:
    return "48;2;{};{};{}".format(*colour(index)).encode()


def picture(index: int) -> bytes:
    """Lines of "text", a photograph, and a field of the step's colour."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (1280, 720), "#ffffff")
    draw = ImageDraw.Draw(image)
    for top in range(80, 700, 24):
        draw.rectangle((40, top, 300 + (top * 37 + index * 11) % 300, top + 10), fill="#404040")
    image.paste(Image.effect_noise((340, 340), 64).convert("RGB"), (640, 40))
    image.paste(colour(index), (640, 400, 1200, 700))
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


if __name__ == "__main__":
    print(main())
