"""What each action is, and an example of each from the training demonstrations (paper, appendix C.7).

The prompt "description and example" of table 21. Words are ours; examples are drawn from demonstrations of
the split `train`, where none is at hand from any other than the one that is played, and are cut short.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from webbench.benchmarks.weblinx.agents.optimal_text import Budgets, history, trained_text
from webbench.benchmarks.weblinx.benchmark import WebLINXBenchmark
from webbench.benchmarks.weblinx.candidates.candidates import SHOWN
from webbench.benchmarks.weblinx.candidates.encoder_text import CandidateText, StateText
from webbench.benchmarks.weblinx.demonstrations.course import Course, CourseTurn
from webbench.benchmarks.weblinx.demonstrations.turn_observation import page_markup
from webbench.benchmarks.weblinx.pages.accessibility_tree import parsed
from webbench.benchmarks.weblinx.turns.intents import (
    CHANGE,
    CLICK,
    LOAD,
    SAY,
    SCROLL,
    SUBMIT,
    TEXT_INPUT,
)
from webbench.core.errors import BadData
from webbench.core.observation import Viewport

TRAIN = "train"
MOST_READ = 40
"""Demonstrations that are looked through for examples."""
SHORT = Budgets(page=40, utterances=40, turns=60, candidates=80)
EXAMPLE_TOKENS = 300

ACTIONS: Mapping[str, tuple[str, str]] = {
    CHANGE: ("change(value=[str], uid=[str])", "choose another value of an element, as in a drop-down list"),
    CLICK: ("click(uid=[str])", "click an element with the mouse"),
    LOAD: ("load(url=[str])", "go to an address"),
    SAY: (
        'say(speaker="navigator", utterance=[str])',
        "answer the instructor in the chat window",
    ),
    SCROLL: ("scroll(x=[int], y=[int])", "turn the wheel: y goes down and up, x to the sides"),
    SUBMIT: ("submit(uid=[str])", "send off a form"),
    TEXT_INPUT: ("text_input(text=[str], uid=[str])", "type a text into an element that takes one"),
}


def examples(benchmark: WebLINXBenchmark, played: str) -> str:
    """One example for each action that was found, parted by lines of dashes; "" where none was.

    Args:
        played: the demonstration that is predicted, from which no example is taken.
    """
    found: dict[str, str] = {}
    for name in _names(benchmark, played):
        try:
            course, candidates = benchmark.opened(name)
        except BadData:
            continue
        for index in course.predicted:
            turn = course.turns[index]
            intent = (turn.wanted.intent or "") if turn.wanted is not None else ""
            if intent not in ACTIONS or intent in found:
                continue
            texts = benchmark.candidate_texts(course, index)
            state = StateText(turn.shown.viewport or Viewport(), course.history(index))
            ranked = [text for text, _ in candidates(name, index, state, texts)[:SHOWN]]
            found[intent] = _example(course, turn, [*ranked[:1], *ranked[1:][-1:]])
        if len(found) == len(ACTIONS):
            break
    return "\n-----\n".join(found[intent] for intent in ACTIONS if intent in found)


def _names(benchmark: WebLINXBenchmark, played: str) -> Iterator[str]:
    listed = [entry.name for entry in benchmark.catalogue() if entry.name != played]
    training = [name for name in listed if TRAIN in benchmark.splits_of(name)]
    yield from (training or listed)[:MOST_READ]


def _example(course: Course, turn: CourseTurn, ranked: Sequence[CandidateText]) -> str:
    markup = page_markup(course, turn.index)
    root = parsed(markup) if markup else None
    text = trained_text(course.turns[: turn.index], ranked, root, SHORT)
    (call,) = history([turn], EXAMPLE_TOKENS)
    parts = [
        f"HTML:\n{text.page}" if text.page else "",
        f"Utterances:\n{text.utterances} ;",
        f"Top candidates:\n{text.candidates.rstrip()}" if text.candidates else "",
        f"Past Actions:\n{' '.join(told for _, told in text.turns)}" if text.turns else "",
        f"Target:\n{call[1]}",
    ]
    return "\n".join(part for part in parts if part)
