"""The program in a real terminal: first paint, key to paint, opening a big tree, memory over 200 steps."""

from __future__ import annotations

import statistics
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.terminal.pty_program import PtyProgram
from tests.terminal.synthetic_page import BUSY_PAGE, synthetic_page

ROUNDS = 7
KEYS = 60
STEPS = 200
PROGRAM = [sys.executable, "-m", "webbench.tui"]
EMPTY = [sys.executable, str(Path(__file__).parents[1] / "terminal" / "empty_app.py")]
TASK = "open-product"


@contextmanager
def pages() -> Iterator[tuple[str, str]]:
    """Addresses of the synthetic and the busy page."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "synthetic.html").write_text(synthetic_page())
        Path(folder, "busy.html").write_text(BUSY_PAGE)
        handler = partial(_QuietHandler, directory=folder)
        with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            address = f"http://127.0.0.1:{server.server_address[1]}"
            yield f"{address}/synthetic.html", f"{address}/busy.html"
            server.shutdown()


class _QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None:
        pass


def first_paint(store: str) -> None:
    """Start to first painted text, ours against an empty app, interleaved."""
    empty, ours = [], []
    for _ in range(ROUNDS):
        with PtyProgram(EMPTY) as program:
            empty.append(program.wait_for(b"painted"))
        with PtyProgram([*PROGRAM, "--store", store]) as program:
            ours.append(program.wait_for(b"Benchmarks"))
    ratio = statistics.median(one / other for one, other in zip(ours, empty, strict=True))
    print(
        f"first paint: empty app {1000 * statistics.median(empty):.0f} ms, library "
        f"{1000 * statistics.median(ours):.0f} ms, ratio {ratio:.2f} (asked: at most 1.3)"
    )


def _report(name: str, seconds: list[float]) -> None:
    ordered = sorted(1000 * second for second in seconds)
    tail = ordered[int(0.95 * (len(ordered) - 1))]
    print(
        f"{name}: median {statistics.median(ordered):.1f} ms, 95th percentile {tail:.1f} ms, "
        f"worst {ordered[-1]:.1f} ms over {len(ordered)} keys"
    )


def _keys(program: PtyProgram, count: int) -> list[float]:
    seconds = []
    for number in range(count):
        program.settle(0.03, 1.0)
        seconds.append(program.key_to_paint("j" if number % 3 else "k"))
    return seconds


def act(program: PtyProgram, text: str) -> None:
    """Send an action through the action bar."""
    program.send("b")
    program.settle(0.2)
    program.send(text)
    program.settle(0.2)
    program.send("\r")


def stepping(store: str) -> None:
    """Key to paint on the big page, idle and while the browser is busy; memory over many steps."""
    with (
        pages() as (synthetic, busy),
        PtyProgram([*PROGRAM, "step", "demo", TASK, "--store", store]) as program,
    ):
        program.wait_for(b"step 0", 60)
        program.settle(1.0)
        _report("key to paint, small page", _keys(program, KEYS))
        act(program, f"goto [{synthetic}]")
        program.wait_for(b"Link number 3", 120)
        program.settle(2.0, 60)
        _report("key to paint, 15,000 interactive elements", _keys(program, KEYS))
        act(program, f"goto [{busy}]")
        program.wait_for(b"spin", 60)
        program.settle(1.0)
        program.send("f")
        program.settle(0.3)
        program.send("a")
        program.settle(0.3)
        program.send("\r\r")
        _report("key to paint, renderer busy", _keys(program, KEYS // 2))
        program.settle(1.0, 20)
        memory(program)


def memory(program: PtyProgram) -> None:
    """Resident memory of the screen's process after 20 and after so many steps."""
    figures = []
    for step in range(STEPS):
        act(program, f"scroll [{'down' if step % 2 else 'up'}]")
        program.settle(0.25, 5)
        if step in (19, STEPS - 1):
            figures.append(program.memory())
    growth = figures[-1] / figures[0]
    print(
        f"memory: {figures[0] / 1024:.0f} MiB after 20 steps, {figures[-1] / 1024:.0f} MiB after {STEPS}, "
        f"ratio {growth:.2f}"
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as store:
        first_paint(store)
        stepping(store)


if __name__ == "__main__":
    main()
