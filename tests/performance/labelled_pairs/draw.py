"""Choose the next set of pairs by a seed: `python -m tests.performance.labelled_pairs.draw FILE`.

None of them stands in `pairs.json` yet, and Wonderbread's are of tasks that no set has, of new templates as
far as there are any. They are `held`: written to a file of their own, for `sheets` to write out, and added to
`pairs.json` together with their labels. The seed is the number of the first pair, so a set can be drawn again
from the pairs before it: 108 to 160 are so drawn, and 61 to 107 with nine instead of twelve of each length.
(The first 60 were drawn by other shares: more of AgentLab's, which are used up.)

Only free attempts: people or models that act on pages forced on them (single-step predictions) can't part,
and an attempt without steps can't be aligned. The choice looks at the source's own words, lengths and names
alone, never at what an alignment says of a pair.
"""

from __future__ import annotations

import itertools
import json
import random
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from tests.performance.labelled_pairs.attempt import Attempt, Pair, attempts_in, chosen_pairs
from tests.shared import shared_folder
from webbench.core.store.store import Store
from webbench.core.trajectory import Trajectory

LONGEST = 60
"""Steps of an attempt that a reader can be asked to read."""
CELL = 6
"""Wonderbread's pairs of one length and likeness."""
LENGTHS = ((3, 6), (7, 11), (12, LONGEST))
"""Steps of the longer side of people's pairs: short, middle, long. No side has fewer than the first."""
UNSEEN = "tic-tac-toe"
"""A task whose record doesn't show what a click led to."""

One = tuple[Attempt, Trajectory]
Two = tuple[One, One]


def main(path: Path) -> None:
    shared = shared_folder()
    if shared is None:
        raise SystemExit("no shared data: nothing to choose from")
    with tempfile.TemporaryDirectory() as place:
        attempts = list(attempts_in(Store(Path(place)), shared))
    pairs = draw(attempts, _templates(shared), chosen_pairs())
    path.write_bytes(msgspec.json.format(msgspec.json.encode(pairs), indent=1) + b"\n")
    for source, count in Counter(pair.source for pair in pairs).items():
        print(f"{source:20} {count:>3} pairs")


def draw(attempts: Sequence[One], templates: Mapping[str, int], before: Sequence[Pair]) -> list[Pair]:
    """The pairs, sources and sides in a drawn order, so that neither tells a reader anything."""
    first = len(before) + 1
    rng = random.Random(first)
    taken = {frozenset((pair.a, pair.b)) for pair in before}
    free = [one for one in attempts if sum(step.acted for step in one[1].steps) and one[0].steps <= LONGEST]

    def fresh(pairs: Iterable[Two]) -> list[Two]:
        return [two for two in pairs if frozenset(one[0] for one in two) not in taken]

    tasks = {pair.task.partition("/")[2] for pair in before if pair.source == "wonderbread"}
    chosen = {
        "wonderbread": _procedures(rng, _of(free, "wonderbread"), templates, tasks),
        "open-operator": _several_agents(rng, _of(free, "open-operator"), fresh),
        "webarena": _person_and_model(rng, free, fresh),
        "who-and-when": _sample(rng, fresh(_two_agents(_of(free, "who-and-when"))), 3),
        "agentlab": fresh(_each(_of(free, "agentlab"), _task))[:3],
        "miniwob": _sample(rng, fresh(_same_instruction(_of(free, "miniwob"))), 2),
        "go-browse": fresh(_each(_of(free, "adp"), _intent))[:2],
    }
    drawn = [(source, two) for source, found in chosen.items() for two in found]
    rng.shuffle(drawn)
    return [_pair(rng, number, *one) for number, one in enumerate(drawn, first)]


def _of(attempts: Iterable[One], *formats: str) -> list[One]:
    return [one for one in attempts if one[0].format in formats]


def _pairs(attempts: Iterable[One], key: Callable[[One], Hashable]) -> dict[Hashable, list[Two]]:
    """All pairs of attempts at the same task, by task."""
    groups: defaultdict[Hashable, list[One]] = defaultdict(list)
    for one in attempts:
        groups[key(one)].append(one)
    return {name: list(itertools.combinations(group, 2)) for name, group in groups.items() if len(group) > 1}


def _each(attempts: Iterable[One], key: Callable[[One], Hashable]) -> Iterable[Two]:
    return itertools.chain.from_iterable(_pairs(attempts, key).values())


def _task(one: One) -> str:
    return one[1].header.task.id


def _intent(one: One) -> tuple[str, str]:
    """For sources whose attempts at one task have names of their own."""
    task = one[1].header.task
    return (task.name if one[0].format == "miniwob" else "", task.intent)


def _procedures(
    rng: random.Random, attempts: list[One], templates: Mapping[str, int], known: Collection[str]
) -> list[Two]:
    """As many of each length, half of them alike in words; one of each template of tasks, new ones first.

    Task 0 is left to the pairs of people and models.
    """
    pairs = [
        two
        for two in _each(attempts, _task)
        if _task(two[0]) not in {"0", *known} and min(one[0].steps for one in two) >= LENGTHS[0][0]
    ]
    old = {templates[task] for task in known}
    chosen: list[Two] = []
    taken: set[int] = set()
    for shortest, longest in LENGTHS:
        band = [two for two in pairs if shortest <= max(one[0].steps for one in two) <= longest]
        rng.shuffle(band)
        band.sort(key=_likeness)
        for cell in (band[: len(band) // 2], band[len(band) // 2 :]):
            rng.shuffle(cell)
            found = 0
            for two in sorted(cell, key=lambda two: templates[_task(two[0])] in old):
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


def _several_agents(
    rng: random.Random, attempts: list[One], fresh: Callable[[Iterable[Two]], list[Two]]
) -> list[Two]:
    """Three of each task: first one agent twice, then different ones, no attempt oftener than needed."""
    chosen: list[Two] = []
    for pairs in _pairs(attempts, _task).values():
        found = fresh(pairs)
        rng.shuffle(found)
        same = [two for two in found if two[0][0].actor == two[1][0].actor]
        across = [two for two in found if two[0][0].actor != two[1][0].actor]
        chosen += _spread([*same[:1], *across], 3)
    return chosen


def _two_agents(attempts: list[One]) -> list[Two]:
    """One pair of each task that two agents tried."""
    return [pairs[0] for pairs in _pairs(attempts, _task).values()]


def _person_and_model(
    rng: random.Random, attempts: list[One], fresh: Callable[[Iterable[Two]], list[Two]]
) -> list[Two]:
    """WebArena's task 0, which alone both people and models tried."""
    people = [one for one in _of(attempts, "wonderbread") if _task(one) == "0"]
    models = [one for one in _of(attempts, "webarena-render", "webarena-traces") if _task(one) == "0"]
    found = fresh(itertools.product(people, models))
    rng.shuffle(found)
    return _spread(found, 3)


def _same_instruction(attempts: list[One]) -> list[Two]:
    """Pairs of people, or of one person twice, with the same instruction."""
    return [
        two
        for two in _each(attempts, _intent)
        if _task(two[0]) != UNSEEN and min(one[0].steps for one in two) >= LENGTHS[0][0]
    ]


def _sample(rng: random.Random, pairs: list[Two], count: int) -> list[Two]:
    return rng.sample(pairs, min(count, len(pairs)))


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


def _pair(rng: random.Random, number: int, source: str, two: Two) -> Pair:
    a, b = two if rng.random() < 0.5 else two[::-1]
    task = a[1].header.task
    return Pair(pair=number, source=source, task=f"{task.benchmark}/{task.id}", split="held", a=a[0], b=b[0])


def _templates(shared: Path) -> dict[str, int]:
    """The template of each of WebArena's tasks."""
    tasks = json.loads((shared / "data" / "webarena" / "test.raw.json").read_text("utf-8"))
    return {str(task["task_id"]): int(task["intent_template_id"]) for task in tasks}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
