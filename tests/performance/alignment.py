"""Aligning: the time for made-up attempts, and how well it finds where labelled pairs part.

Made up are two of 200 steps, and five of 200 progressively, each page a tree of 300 nodes. Of the labelled
pairs only the part for tuning is shown, so that nobody tunes on what is held back; `--held` shows that part
and the sum as well, `--each` what is said of each pair for tuning. `--ablation` shows what every constant and
rule buys there: the figures with each constant a fifth less and more, and with each rule off. `--paraphrased`
holds procedures beside rewrites of themselves, of which it is known where they part.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from tests.performance.labelled_pairs.ablation import variants
from tests.performance.labelled_pairs.aligned import Looked, aligned, looked_at
from tests.performance.labelled_pairs.attempt import (
    FOLDERS,
    TRAJECTORIES,
    Attempt,
    Pair,
    attempts_in,
    chosen_pairs,
)
from tests.performance.labelled_pairs.forced import FOLDER, forced_pairs
from tests.performance.labelled_pairs.label import Label, Reading, settled_labels
from tests.performance.labelled_pairs.measure import HEADINGS, line, measured, precision_recall
from tests.performance.labelled_pairs.paraphrased import paraphrased
from tests.shared import shared_folder
from webbench.core.analysis.compare.alignment import align
from webbench.core.analysis.compare.compared_step import BUCKETS, Moment
from webbench.core.analysis.compare.divergence import diverge
from webbench.core.store.store import Store

STEPS = 200
PAGES = 40
ROUNDS = 9
PAIR_LIMIT = 0.050
"""Seconds for two attempts."""


def main() -> list[str]:
    """The figures that were missed."""
    rng = random.Random(5)
    attempts = [_attempt(rng) for _ in range(5)]
    pair = _median_of(attempts[:2])
    five = _median_of(attempts)
    print(f"{'200 x 200 steps':24} {pair * 1000:7.1f} ms  (limit {PAIR_LIMIT * 1000:.0f})")
    print(f"{'5 attempts of 200':24} {five * 1000:7.1f} ms")
    missed = [] if pair <= PAIR_LIMIT else [f"200 x 200 steps took {pair * 1000:.0f} ms"]
    return missed + _against_labels()


def _against_labels() -> list[str]:
    """Print how what is aligned fits the labels; returns which pairs could not be read."""
    shared = shared_folder()
    folders = [TRAJECTORIES / folder for folder in FOLDERS.values()] + [FOLDER]
    lacking = [str(folder) for folder in folders if shared is None or not (shared / folder).is_dir()]
    if shared is None or lacking:
        print(f"labelled pairs are skipped: {'no shared data' if shared is None else ', '.join(lacking)}")
        return []
    held = "--held" in sys.argv
    labels = settled_labels()
    pairs = [pair for pair in chosen_pairs() if held or pair.split == "dev"]
    with tempfile.TemporaryDirectory() as place:
        looked, unread = _looked(Store(Path(place)), shared, pairs)
    found = {pair: aligned(one) for pair, one in looked.items()}
    with tempfile.TemporaryDirectory() as place:
        forced = forced_pairs(Store(Path(place)), shared)
    read = [pair for pair in pairs if pair.pair in found]
    for split in ("dev", "held", "all") if held else ("dev",):
        chosen = [pair for pair in read if split in (pair.split, "all")]
        print(f"\n{split}: {len(chosen)} labelled pairs\n{HEADINGS}")
        _table(chosen, labels, found)
    print(f"\nforced onto the same pages\n{HEADINGS}\n{line('mind2web', forced)}")
    if "--each" in sys.argv:
        for pair in read:
            if pair.split == "dev":
                _told(pair, labels[pair.pair], found[pair.pair])
    if "--ablation" in sys.argv:
        _ablation([pair for pair in read if pair.split == "dev"], labels, looked)
    if "--paraphrased" in sys.argv:
        _paraphrased(shared)
    return unread


def _paraphrased(shared: Path) -> None:
    """Where a rewrite parts from its procedure, and how many of its steps meet themselves."""
    print("\n| | parts as it must | meetings: precision, recall |\n|---|---|---|")
    total = Counter[str]()
    for name, counts in paraphrased(shared):
        _rewritten(name, counts)
        total += counts
    _rewritten("together", total)


def _rewritten(name: str, counts: Counter[str]) -> None:
    precision, recall, _ = precision_recall(counts)
    met = "" if precision is None else f"{precision:.3f}, {recall:.3f}"
    print(f"| {name} | {counts['right']}/{counts['pairs']} | {met} |", flush=True)


def _ablation(pairs: Sequence[Pair], labels: dict[int, Label], looked: dict[int, Looked]) -> None:
    print("\n| | exact | acceptable | meetings: precision, recall |\n|---|---|---|---|")
    for name, setting in variants():
        with setting:
            counts = Counter[str]()
            for one in pairs:
                label = labels[one.pair]
                counts += measured(aligned(looked[one.pair]), label, label.open)
        precision, recall, _ = (f"{value or 0:.3f}" for value in precision_recall(counts))
        print(f"| {name} | {counts['exact']} | {counts['acceptable']} | {precision}, {recall} |", flush=True)


def _looked(store: Store, shared: Path, pairs: Sequence[Pair]) -> tuple[dict[int, Looked], list[str]]:
    """The attempts of each pair; and which pairs' records are no longer those that were labelled."""
    attempts = dict(attempts_in(store, shared))
    found: dict[int, Looked] = {}
    unread: list[str] = []
    for pair in pairs:
        other = [side for side in (pair.a, pair.b) if side not in attempts]
        if other:
            unread.append(f"pair {pair.pair} was not measured: {'; '.join(map(_changed, other))}")
        else:
            found[pair.pair] = looked_at(store, attempts[pair.a], attempts[pair.b])
    return found, unread


def _changed(side: Attempt) -> str:
    return f"{side.path}, {side.number} is missing or read in another way now"


def _table(pairs: Sequence[Pair], labels: dict[int, Label], found: dict[int, Reading]) -> None:
    """A line a source and without it, the sum, and beside it how far one reader's answers fit the other's."""
    sums: dict[str, Counter[str]] = {}
    ours, readers = Counter[str](), Counter[str]()
    for pair in pairs:
        label = labels[pair.pair]
        counts = measured(found[pair.pair], label, label.open)
        sums[pair.source] = sums.get(pair.source, Counter()) + counts
        ours += counts
        readers += measured(label.readers["a"], label.readers["b"])
    for source, counts in sorted(sums.items()):
        print(line(source, counts))
    for source, counts in sorted(sums.items()):
        print(line(f"all but {source}", ours - counts))
    print(line("together", ours))
    print(line("(reader on reader)", readers))


def _told(pair: Pair, label: Label, found: Reading) -> None:
    verdicts = {True: "acceptable", False: "wrong"} | ({True: "exact"} if found.first == label.first else {})
    wrong = sorted(set(found.meetings) - {*label.meetings, *label.open})
    missing = sorted(set(label.meetings) - {*found.meetings, *label.open})
    print(f"\n{pair.pair}, {pair.source}: {verdicts[found.first in label.accepted]}. {label.why}")
    print(f"   first divergence {found.first}, labelled {' or '.join(map(str, label.accepted))}")
    print(f"   meetings that are none {wrong}, not found {missing}")
    for name in ("detours", "loops"):
        ours, theirs = getattr(found, name), getattr(label, name)
        print(f"   {name} A {list(ours.a)}, B {list(ours.b)}; labelled {list(theirs.a)}, {list(theirs.b)}")


def _median_of(attempts: list[list[Moment]]) -> float:
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        diverge(align(attempts), attempts)
        times.append(time.perf_counter() - started)
    return median(times)


def _attempt(rng: random.Random) -> list[Moment]:
    """A walk over the same pages as all others, with pages and elements of its own in between."""
    return [_moment(rng, at, rng.randrange(PAGES)) for at in range(STEPS)]


def _moment(rng: random.Random, at: int, page: int) -> Moment:
    tree = random.Random(page).sample(range(BUCKETS), 300)
    verb = rng.choice(("click", "click", "type", "scroll"))
    return Moment(
        step=at + 1,
        url=f"shop.test/section{page % 5}/p{page}",
        title=f"page {page}",
        shingles=frozenset(tree),
        state=page + 1,
        verb=verb,
        element=None if verb == "scroll" else ("link", f"item {rng.randrange(30)} of page {page}"),
        value=f"words {rng.randrange(9)}" if verb == "type" else "",
    )
