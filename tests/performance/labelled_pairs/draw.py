"""Choose the pairs by a seed and write `pairs.json`: `python -m tests.performance.labelled_pairs.draw`.

Only free attempts: people or models that act on pages forced on them (single-step predictions) can't part,
and an attempt without steps can't be aligned. The choice looks at the source's own words, lengths and names
alone, never at what an alignment says of a pair.
"""

from __future__ import annotations

import itertools
import json
import random
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Literal

import msgspec

from tests.performance.labelled_pairs.attempt import PAIRS, Attempt, Pair, attempts_in
from tests.shared import shared_folder
from webbench.core.store.store import Store
from webbench.core.trajectory import Trajectory

SEED = 16
HELD = 24
"""Pairs held back while tuning."""
LONGEST = 60
"""Steps of an attempt that a reader can be asked to read."""
CELL = 5
"""Wonderbread's pairs of one length and likeness."""
LENGTHS = ((3, 6), (7, 11), (12, LONGEST))
"""Steps of the longer side of people's pairs: short, middle, long. No side has fewer than the first."""
UNSEEN = "tic-tac-toe"
"""A task whose record doesn't show what a click led to."""

One = tuple[Attempt, Trajectory]
Two = tuple[One, One]


def main() -> None:
    shared = shared_folder()
    if shared is None:
        raise SystemExit("no shared data: nothing to choose from")
    with tempfile.TemporaryDirectory() as place:
        attempts = list(attempts_in(Store(Path(place)), shared))
    pairs = draw(attempts, _templates(shared))
    PAIRS.write_bytes(msgspec.json.format(msgspec.json.encode(pairs), indent=1) + b"\n")
    for source, count in Counter(pair.source for pair in pairs).items():
        held = sum(pair.split == "held" for pair in pairs if pair.source == source)
        print(f"{source:20} {count:>3} pairs, {held} held back")


def draw(attempts: Sequence[One], templates: Mapping[str, int]) -> list[Pair]:
    """The pairs, sources and sides in a drawn order, so that neither tells a reader anything."""
    rng = random.Random(SEED)
    free = [one for one in attempts if sum(step.acted for step in one[1].steps) and one[0].steps <= LONGEST]
    chosen = {
        "wonderbread": _procedures(rng, _of(free, "wonderbread"), templates),
        "open-operator": _several_agents(rng, _of(free, "open-operator")),
        "agentlab": _two_agents(rng, _of(free, "agentlab"), 7),
        "webarena": _person_and_model(rng, free),
        "go-browse": _few_of_each(rng, _of(free, "adp"), 3),
        "who-and-when": _two_agents(rng, _of(free, "who-and-when"), 3),
        "miniwob": _same_instruction(rng, _of(free, "miniwob"), 2),
    }
    quotas = _quotas({source: len(found) for source, found in chosen.items()}, HELD)
    split: list[tuple[str, Two, Literal["dev", "held"]]] = [
        (source, two, kept)
        for source, found in chosen.items()
        for two, kept in _held_back(rng, found, quotas[source])
    ]
    rng.shuffle(split)
    return [_pair(rng, number, *one) for number, one in enumerate(split, 1)]


def _of(attempts: Iterable[One], *formats: str) -> list[One]:
    return [one for one in attempts if one[0].format in formats]


def _pairs(attempts: Iterable[One], key: Callable[[One], Hashable]) -> dict[Hashable, list[Two]]:
    """All pairs of attempts at the same task, by task."""
    groups: defaultdict[Hashable, list[One]] = defaultdict(list)
    for one in attempts:
        groups[key(one)].append(one)
    return {name: list(itertools.combinations(group, 2)) for name, group in groups.items() if len(group) > 1}


def _task(one: One) -> str:
    return one[1].header.task.id


def _intent(one: One) -> tuple[str, str]:
    """For sources whose attempts at one task have names of their own."""
    task = one[1].header.task
    return (task.name if one[0].format == "miniwob" else "", task.intent)


def _procedures(rng: random.Random, attempts: list[One], templates: Mapping[str, int]) -> list[Two]:
    """As many of each length, half of them alike in words; one of each template of tasks.

    Task 0 is left to the pairs of people and models.
    """
    by_task = _pairs(attempts, _task)
    pairs = [
        two
        for name, found in by_task.items()
        for two in found
        if name != "0" and min(one[0].steps for one in two) >= LENGTHS[0][0]
    ]
    chosen: list[Two] = []
    taken: set[int] = {templates["0"]}
    for shortest, longest in LENGTHS:
        band = [two for two in pairs if shortest <= max(one[0].steps for one in two) <= longest]
        rng.shuffle(band)
        band.sort(key=_likeness)
        for cell in (band[: len(band) // 4], band[-len(band) // 4 :]):
            rng.shuffle(cell)
            found = 0
            for two in cell:
                template = templates[_task(two[0])]
                if found < CELL and template not in taken:
                    taken.add(template)
                    chosen.append(two)
                    found += 1
    return chosen


def _likeness(two: Two) -> float:
    """Share of words that both have, of all words of both."""
    a, b = ({word for step in one[1].steps for word in step.text.lower().split()} for one in two)
    return len(a & b) / len(a | b)


def _several_agents(rng: random.Random, attempts: list[One]) -> list[Two]:
    """Three of each task: first one agent twice, then different ones, no attempt oftener than needed."""
    chosen: list[Two] = []
    for found in _pairs(attempts, _task).values():
        rng.shuffle(found)
        same = [two for two in found if two[0][0].actor == two[1][0].actor]
        across = [two for two in found if two[0][0].actor != two[1][0].actor]
        chosen += _spread([*same[:1], *across], 3)
    return chosen


def _two_agents(rng: random.Random, attempts: list[One], count: int) -> list[Two]:
    """One pair of each task that two agents tried; so many of them."""
    found = [pairs[0] for pairs in _pairs(attempts, _task).values()]
    return rng.sample(found, count)


def _person_and_model(rng: random.Random, attempts: list[One]) -> list[Two]:
    """WebArena's task 0, which alone both people and models tried: three people, three models.

    The recording of WebArena's own runner is one of them.
    """
    people = [one for one in _of(attempts, "wonderbread") if _task(one) == "0"]
    models = [one for one in _of(attempts, "webarena-render", "webarena-traces") if _task(one) == "0"]
    found = list(itertools.product(people, models))
    rng.shuffle(found)
    found.sort(key=lambda two: two[1][0].format != "webarena-render")
    return _spread(found, 3)


def _few_of_each(rng: random.Random, attempts: list[One], count: int) -> list[Two]:
    chosen: list[Two] = []
    for found in _pairs(attempts, _intent).values():
        rng.shuffle(found)
        chosen += _spread(found, count)
    return chosen


def _same_instruction(rng: random.Random, attempts: list[One], count: int) -> list[Two]:
    """Pairs of people, or of one person twice, with the same instruction; of different tasks."""
    by_task: dict[str, list[Two]] = {}
    for pairs in _pairs(attempts, _intent).values():
        for two in pairs:
            if _task(two[0]) != UNSEEN and min(one[0].steps for one in two) >= LENGTHS[0][0]:
                by_task.setdefault(_task(two[0]), []).append(two)
    return [rng.choice(by_task[name]) for name in rng.sample(sorted(by_task), count)]


def _spread(pairs: Sequence[Two], count: int) -> list[Two]:
    """The first pairs, but always one whose attempts were taken the fewest times."""
    used: Counter[Attempt] = Counter()
    waiting = list(pairs)
    chosen: list[Two] = []
    while waiting and len(chosen) < count:
        two = min(waiting, key=lambda two: used[two[0][0]] + used[two[1][0]])
        waiting.remove(two)
        used.update(one[0] for one in two)
        chosen.append(two)
    return chosen


def _quotas(counts: Mapping[str, int], wanted: int) -> dict[str, int]:
    """So many of all, shared out by the sources' sizes; what rounding leaves goes to the largest rests."""
    shares = {name: Fraction(count * wanted, sum(counts.values())) for name, count in counts.items()}
    quotas = {name: int(share) for name, share in shares.items()}
    rests = sorted(shares, key=lambda name: shares[name] - quotas[name], reverse=True)
    for name in rests[: wanted - sum(quotas.values())]:
        quotas[name] += 1
    return quotas


def _held_back(
    rng: random.Random, pairs: Sequence[Two], quota: int
) -> list[tuple[Two, Literal["dev", "held"]]]:
    """Whole tasks are held back as far as the quota allows: at most one lies in both parts."""
    tasks: defaultdict[Hashable, list[Two]] = defaultdict(list)
    for two in pairs:
        tasks[_intent(two[0])].append(two)
    order = list(tasks.values())
    rng.shuffle(order)
    return [(two, "held" if at < quota else "dev") for at, two in enumerate(itertools.chain(*order))]


def _pair(rng: random.Random, number: int, source: str, two: Two, split: Literal["dev", "held"]) -> Pair:
    a, b = two if rng.random() < 0.5 else two[::-1]
    task = a[1].header.task
    return Pair(pair=number, source=source, task=f"{task.benchmark}/{task.id}", split=split, a=a[0], b=b[0])


def _templates(shared: Path) -> dict[str, int]:
    """The template of each of WebArena's tasks."""
    tasks = json.loads((shared / "data" / "webarena" / "test.raw.json").read_text("utf-8"))
    return {str(task["task_id"]): int(task["intent_template_id"]) for task in tasks}


if __name__ == "__main__":
    main()
