"""How much a record has of each kind: counted from what was written of each step and of the header."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from webbench.core.exchange.account.kinds import Kind, kind_of_figure
from webbench.core.exchange.account.tally import Tally
from webbench.core.exchange.import_format import ImportedStep
from webbench.core.json_types import Json
from webbench.core.score.score import Score, Status
from webbench.core.store.records import codec
from webbench.core.trajectory import EpisodeHeader, Step, known_end

EXCHANGES = "har_events"
MOST_ON_THE_WAY = 200
"""Exchanges, the first ones, that the evidence of a step on the way has."""


def count_step(counts: Counter[Kind], step: Step, *, tree: bool, html: bool, picture: bool) -> None:
    """Add what a written step has.

    Args:
        tree: its observation has nodes.
    """
    seconds = step.seconds
    spans = (seconds.idle > 0) + (seconds.agent > 0) + (seconds.environment > 0) + (seconds.scoring > 0)
    single: tuple[tuple[Kind, bool], ...] = (
        ("steps", step.index > 0),
        ("actions", step.action is not None),
        ("trees", tree),
        ("html", html),
        ("pictures", picture),
        ("prompts", bool(step.prompt)),
        ("replies", bool(step.reply)),
        ("reasoning", bool(step.reasoning)),
        ("times", bool(step.at)),
        ("scores", is_scored(step.score)),
        ("notes", bool(step.note)),
    )
    for kind, is_there in single:
        if is_there:
            counts[kind] += 1
    counts["times"] += spans
    counts["messages"] += len(step.messages)
    for call in step.calls:
        counts["prompts"] += bool(call.messages)
        counts["replies"] += bool(call.reply or call.tools)
        counts["reasoning"] += bool(call.thinking)
    for name in step.usage:
        if (kind := kind_of_figure(name)) != "values":
            counts[kind] += 1


def count_header(counts: Counter[Kind], header: EpisodeHeader) -> None:
    """Add an episode, with what its header has."""
    counts["episodes"] += 1
    counts["times"] += bool(header.started) + bool(known_end(header))
    counts["scores"] += is_scored(header.score)


def count_imported(tally: Tally, *ones: ImportedStep | EpisodeHeader) -> None:
    """Have the tally take up what steps and headers have that a format made.

    For formats whose every value has to stand in the record: what is missing is told by that.
    """
    counts: Counter[Kind] = Counter()
    for one in ones:
        if isinstance(one, EpisodeHeader):
            count_header(counts, one)
            tally.more_exchanges(0)
        else:
            tree = one.observation is not None and bool(one.observation.nodes)
            count_step(counts, one.step, tree=tree, html=bool(one.html), picture=one.picture is not None)
            counts["exchanges"] += tally.more_exchanges(count_exchanges(one.step))
    for kind, count in counts.items():
        tally.count(kind, count)


def count_exchanges(step: Step) -> int:
    """Exchanges with the network up to a step: later evidence repeats earlier."""
    listed = step.evidence.get(EXCHANGES)
    return len(listed) if isinstance(listed, list) else 0


def first_told(steps: Iterable[Step]) -> Iterator[tuple[Step, list[Json]]]:
    """The exchanges that a step's evidence has and no earlier one had, in their order, of each step.

    Evidence lists all exchanges so far in the order in which they began, so that one that was answered late
    comes to stand between earlier ones; of a list that is full it pushes the last one out. A list that lacks
    any other of the list before is of a browser that was started anew: all of it is new.
    """
    before: list[Json] = []
    gone: Counter[bytes] = Counter()
    """Told of this browser, and pushed out of the list before."""
    for step in steps:
        listed = step.evidence.get(EXCHANGES)
        if not isinstance(listed, list):
            continue
        if listed[: len(before)] == before:
            new, gone = _new_in(listed[len(before) :], gone)
        elif _goes_on(before, listed):
            new, gone = _new_in(listed, gone + Counter(map(codec.encode, before)))
        else:
            new, gone = list(listed), Counter()
        before = listed
        yield step, new


def _new_in(listed: list[Json], known: Counter[bytes]) -> tuple[list[Json], Counter[bytes]]:
    """What is listed and not known, and what is known and not listed."""
    left, new = Counter(known), []
    for one in listed:
        text = codec.encode(one)
        if left[text] > 0:
            left[text] -= 1
        else:
            new.append(one)
    return new, +left


def _goes_on(before: list[Json], listed: list[Json]) -> bool:
    """Whether a list is of the same browser: it lacks nothing, or is full and has at least the first half.

    It lacks the end then. Few at once are answered late; a new browser may begin with the same page.
    """
    lacking = Counter(map(codec.encode, before)) - Counter(map(codec.encode, listed))
    count = lacking.total()
    if not count:
        return True
    is_full = len(before) == len(listed) == MOST_ON_THE_WAY
    return is_full and count <= len(before) // 2 and Counter(map(codec.encode, before[-count:])) == lacking


def is_scored(score: Score | None) -> bool:
    """Whether there is a value; pending, not scored and error are none."""
    return score is not None and score.status is Status.SCORED
