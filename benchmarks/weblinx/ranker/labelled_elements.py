"""Turns of demonstrations with all elements of their page, and which of these the navigator used.

From files of ranked candidates where these tell it (`label`), else from the recorded pages. A turn without
such an element teaches nothing, and is counted with its reason.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import msgspec

from webbench.benchmarks.weblinx.benchmark import WebLINXBenchmark
from webbench.benchmarks.weblinx.candidates.encoder_text import CandidateText, StateText
from webbench.benchmarks.weblinx.candidates.published_rankings import CandidateLine
from webbench.benchmarks.weblinx.demonstrations.course import Course, CourseTurn
from webbench.benchmarks.weblinx.demonstrations.turn_observation import page_view
from webbench.benchmarks.weblinx.turns.action import ID
from webbench.core.errors import BadData

NO_ELEMENT = "no element was used"
NOT_AMONG = "the element that was used is not among the candidates"
NOT_PREDICTED = "nobody predicts it"

_QUERY = re.compile(r"(.*?) ---- Instructor Utterances: (.*?) ---- Previous Turns:(.*)", re.DOTALL)
_SAID = re.compile(r'utterance="(.*?)", timestamp')


class LabelledTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A turn that a ranking can be right or wrong about.

    Attributes:
        query, words: its state, as encoders and as BM25 read it.
        used: index of the element that was used.
        published: scores that came with the data, in the order of `elements`; () without.
    """

    demonstration: str
    turn: int
    splits: Sequence[str]
    query: str
    words: str
    elements: Sequence[CandidateText]
    used: int
    published: Sequence[float] = ()


class Labelled(msgspec.Struct, frozen=True):
    """Turns, how many others there were, by reason, and why demonstrations can't be read, by name."""

    turns: Sequence[LabelledTurn]
    left_out: dict[str, int]
    unread: dict[str, str] = {}


def labelled_turns(
    benchmark: WebLINXBenchmark,
    split: str = "",
    names: Sequence[str] = (),
    told: Callable[[str], None] = lambda _: None,
) -> Labelled:
    """All turns of the demonstrations. Raises `UsageError` for an unknown split or name.

    Args:
        told: called with the name of each demonstration before it is read.
    """
    left_out: Counter[str] = Counter()
    turns: list[LabelledTurn] = []
    unread: dict[str, str] = {}
    for task in benchmark.tasks(split, names):
        told(task.name)
        try:
            course = benchmark.course(task.name)
        except BadData as error:
            unread[task.name] = error.message[:100]
            continue
        turns += _turns(
            course, benchmark.splits_of(task.name), benchmark.ranked_elements(task.name), left_out
        )
    return Labelled(turns, dict(left_out), unread)


def _turns(
    course: Course,
    splits: Sequence[str],
    ranked: dict[int, list[CandidateLine]],
    left_out: Counter[str],
) -> Iterator[LabelledTurn]:
    known = {turn.index for turn in course.turns}
    for index, lines in sorted(ranked.items()):
        used = [place for place, line in enumerate(lines) if line.label]
        if used and index not in known:
            yield _of_lines(course.name, index, splits, lines, used[0])
    for turn in course.turns:
        lines = ranked.get(turn.index, [])
        used = [place for place, line in enumerate(lines) if line.label]
        if used:
            yield _of_lines(course.name, turn.index, splits, lines, used[0])
        elif turn.left_out and not lines:
            left_out[NOT_PREDICTED] += 1
        else:
            found = _of_page(course, turn, splits)
            if isinstance(found, str):
                left_out[found] += 1
            else:
                yield found


def _of_lines(
    name: str, turn: int, splits: Sequence[str], lines: Sequence[CandidateLine], used: int
) -> LabelledTurn:
    query = lines[0].query
    scores = [line.score for line in lines]
    return LabelledTurn(
        demonstration=name,
        turn=turn,
        splits=splits,
        query=query,
        words=said_in(query),
        elements=[line.text for line in lines],
        used=used,
        published=[score for score in scores if score is not None] if None not in scores else (),
    )


def _of_page(course: Course, turn: CourseTurn, splits: Sequence[str]) -> LabelledTurn | str:
    """The turn, or why it is none."""
    attributes = (turn.wanted.element if turn.wanted is not None else None) or {}
    known = attributes.get("attributes")
    uid = known.get(ID) if isinstance(known, dict) else None
    if not isinstance(uid, str):
        return NO_ELEMENT
    page = course.turns[max(0, turn.shown_at)].turn.page
    view = page_view(turn, page, lambda _: 0)
    place = next((at for at, text in enumerate(view.texts) if text.uid == uid), None)
    if place is None:
        return NOT_AMONG
    state = StateText(view.observation.viewport, course.history(turn.index))
    return LabelledTurn(
        demonstration=course.name,
        turn=turn.index,
        splits=splits,
        query=state.query,
        words=state.words,
        elements=view.texts,
        used=place,
    )


def said_in(query: str) -> str:
    """The utterances of a state that is only known as text."""
    parts = _QUERY.fullmatch(query)
    return "" if parts is None else " ".join((parts[2], *_SAID.findall(parts[3])))
