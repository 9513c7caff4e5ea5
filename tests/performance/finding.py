"""Finding a text in 20,000 episodes: time and size of the index, time of a question.

Run as `python -m tests.performance finding`. Episodes are made up: 8 steps each, with reasoning of their own;
pages are 60,000 of 5 sites, met more or less often, and two thirds of each are its site's. Seconds of
processor time; the store stays in a temporary folder, or in the one of `--store=FOLDER`, where it is taken
as it is.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from itertools import accumulate
from pathlib import Path

from webbench.core.action.action import Click, ElementRef
from webbench.core.analysis.find.find import find
from webbench.core.analysis.find.text_index import FILE
from webbench.core.observation import AccessibilityNode, Observation
from webbench.core.score.score import Score, Status
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step

EPISODES = 20_000
RUNS = 20
STEPS = 8
PAGES = 60_000
SITES = 5
VOCABULARY = 30_000
MOST_SECONDS = 0.3
"""Of one question, and what is asked: rare and frequent words, phrases, beginnings, with a filter."""
QUESTIONS = (
    ("w17123", ""),
    ("w900", ""),
    ('"w12 w40"', ""),
    ("w29*", ""),
    ("w300 OR w301 NOT w5", ""),
    ("click", ""),
    ("w1", ""),
    ("w900", "actor:agent-3 status:failed"),
    ("w1", "status:solved"),
)


class Words:
    """Words as texts have them: a few very often, most seldom."""

    def __init__(self) -> None:
        self._random = random.Random(7)
        self._words = [f"w{rank}" for rank in range(VOCABULARY)]
        self._weights = list(accumulate(1 / (rank + 10) for rank in range(VOCABULARY)))
        self._sites = [[self.some(6) for _ in range(90)] for _ in range(SITES)]

    def some(self, count: int) -> str:
        return " ".join(self._random.choices(self._words, cum_weights=self._weights, k=count))

    def page(self, number: int) -> Observation:
        """The same for the same number: about 130 lines, 4,500 characters."""
        own = random.Random(number)
        lines = [" ".join(own.choices(self._words, cum_weights=self._weights, k=6)) for _ in range(45)]
        nodes = [
            AccessibilityNode(id=at, role="StaticText", name=line, depth=1)
            for at, line in enumerate([*self._sites[number % SITES], *lines], 1)
        ]
        return Observation(url=f"http://site-{number % SITES}/{number}", nodes=tuple(nodes))

    def met(self) -> int:
        """The number of a page: some are met again and again."""
        return int(PAGES * self._random.random() ** 2)


def fill(store: Store) -> None:
    """Many episodes, as an import writes them."""
    words = Words()
    for number in range(RUNS):
        run = store.start_run("shop", f"agent-{number}", EPISODES // RUNS)
        for order in range(EPISODES // RUNS):
            task = Task(benchmark="shop", name=f"cart-{order}", intent=words.some(12))
            header = EpisodeHeader(
                run="", episode="", task=task, actor=f"agent-{number}", dialect="json", order=order
            )
            recorder = store.recorder(run, header, durable=False)
            for index in range(STEPS + 1):
                action = Click(target=ElementRef(role="link", name=words.some(3))) if index else None
                text = f"click('{index}')" if index else ""
                step = Step(
                    index=index, at="", actor="agent", text=text, action=action, reasoning=words.some(50)
                )
                recorder.write(step, observation=words.page(words.met()))
            recorder.finish(Score(status=Status.SCORED, value=order % 2), "done")
    store.close()


def asked(store: Store, text: str, wanted: str) -> tuple[float, str]:
    """Seconds that a question takes, and what it found in words."""
    started = time.process_time()
    found = find(store, text, wanted)
    return time.process_time() - started, f"{found.texts:,} texts of {found.matching:,} episodes"


def main() -> list[str]:
    """The figures that were missed, in words."""
    given = [one.removeprefix("--store=") for one in sys.argv[1:] if one.startswith("--store=")]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(given[0] if given else folder) / "store"
        if not root.exists():
            fill(Store(root))
        for path in root.glob(f"{FILE}*"):
            path.unlink()
        store = Store(root)
        store.runs()
        built, found = asked(store, "w17123", "")
        size = sum(path.stat().st_size for path in root.glob(f"{FILE}*"))
        blobs = sum(path.stat().st_size for path in (root / "blobs").rglob("*") if path.is_file())
        print(f"\n{EPISODES:,} episodes of {STEPS} steps: index made in {built:.1f} s ({found})")
        print(f"  {size / 1e6:,.0f} MB; pages and pictures of the store {blobs / 1e6:,.0f} MB")
        missed = []
        for text, wanted in QUESTIONS:
            timed = [asked(Store(root), text, wanted) for _ in range(7)]
            median = statistics.median(seconds for seconds, _ in timed)
            print(f"  {f'{text}  {wanted}':40} {median:6.3f} s   {timed[0][1]}")
            if median >= MOST_SECONDS:
                missed.append(f"{text} {wanted}: {median:.2f} s, not below {MOST_SECONDS} s")
        return missed


if __name__ == "__main__":
    main()
