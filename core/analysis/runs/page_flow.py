"""The ways that actors took through pages: transitions between page states, counted per actor.

A page state is the pattern of a page's address (`moments.url_pattern`): host, path and names of query
parameters, with ids and tokens as "*". Staying on a page is no transition. A way ends in what became of the
episode: solved, not solved, or why it has no score.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

import msgspec

from webbench.core.analysis.compare.compared_step import url_pattern
from webbench.core.statistics.figures import Column, Figure, Flow, Link, Row, Section, Table
from webbench.core.text.plural import counted
from webbench.core.trajectory import Trajectory

START, OTHER = "start", "other pages"
PLACES = 5
"""Pages of a way that the flow shows; what comes after is summed up."""
STATES = 6
"""Page states at one place of the flow; the rarer ones are "other pages"."""
MOST_TRANSITIONS = 40

ABOUT = (
    "Page states are address patterns (ids as *). The flow shows the first pages of every way, the table all "
    "transitions; staying on a page is none. Every way ends in what became of the episode."
)


class Way(msgspec.Struct, frozen=True):
    """The page states of an episode in order, no two neighbours alike, then its outcome."""

    episode: str
    states: tuple[str, ...]
    outcome: str


def way(episode: str, trajectory: Trajectory, outcome: str) -> Way | None:
    """The way of an episode; None where no address was recorded."""
    states: list[str] = []
    for step in trajectory.steps:
        state = url_pattern(step.url)
        if state and (not states or states[-1] != state):
            states.append(state)
    return Way(episode, tuple(states), outcome) if states else None


def flow_section(ways: Mapping[str, Sequence[Way]]) -> Section | None:
    """The flow and the table of transitions; None where no way is known.

    Args:
        ways: by letter.
    """
    if not any(ways.values()):
        return None
    figures: tuple[Figure, ...] = (_flow(ways), _transitions(ways))
    return Section(name="flow", title="Ways through pages", about=ABOUT, figures=figures)


def _flow(ways: Mapping[str, Sequence[Way]]) -> Flow:
    shown = _frequent(ways)
    counts: dict[tuple[int, str, str], Counter[str]] = {}
    episodes: dict[tuple[int, str, str], list[str]] = {}
    for letter, found in ways.items():
        for one in found:
            for link in _links(one, shown):
                counts.setdefault(link, Counter())[letter] += 1
                episodes.setdefault(link, []).append(one.episode)
    leaving: Counter[tuple[int, str]] = Counter()
    for (place, source, _), count in counts.items():
        leaving[place, source] += count.total()
    ordered = sorted(counts, key=lambda key: (key[0], -leaving[key[:2]], key[1], -counts[key].total(), key))
    links = tuple(
        Link(place=key[0], source=key[1], target=key[2], counts=counts[key], episodes=tuple(episodes[key]))
        for key in ordered
    )
    total = sum(map(len, ways.values()))
    return Flow(
        title=f"Ways of {counted(total, 'episode')} through their first {PLACES} pages",
        actors=tuple(ways),
        links=links,
    )


def _frequent(ways: Mapping[str, Sequence[Way]]) -> list[set[str]]:
    """For each place the states that are shown by name."""
    every = [one for found in ways.values() for one in found]
    return [
        {
            state
            for state, _ in Counter(
                one.states[place] for one in every if len(one.states) > place
            ).most_common(STATES)
        }
        for place in range(PLACES)
    ]


def _links(one: Way, shown: Sequence[set[str]]) -> list[tuple[int, str, str]]:
    named = [state if state in shown[place] else OTHER for place, state in enumerate(one.states[:PLACES])]
    goes_on = len(one.states) > PLACES
    stations = [START, *named, "goes on" if goes_on else one.outcome]
    return [(place, stations[place], stations[place + 1]) for place in range(len(stations) - 1)]


def _transitions(ways: Mapping[str, Sequence[Way]]) -> Table:
    counts: dict[tuple[str, str], Counter[str]] = {}
    episodes: dict[tuple[str, str], dict[str, None]] = {}
    for letter, found in ways.items():
        for one in found:
            stations = (*one.states, one.outcome)
            for link in pairwise(stations):
                counts.setdefault(link, Counter())[letter] += 1
                episodes.setdefault(link, {})[one.episode] = None
    ordered = sorted(counts.items(), key=lambda item: (-item[1].total(), item[0]))
    left = len(ordered) - MOST_TRANSITIONS
    return Table(
        title=f"Transitions: {len(ordered)} different ones",
        columns=(Column("from", "text"), Column("to", "text"), *(Column(letter) for letter in ways)),
        rows=tuple(
            Row((*link, *(count[letter] for letter in ways)), tuple(episodes[link]))
            for link, count in ordered[:MOST_TRANSITIONS]
        ),
        note=f"{counted(left, 'rarer transition')} left out" if left > 0 else "",
    )
