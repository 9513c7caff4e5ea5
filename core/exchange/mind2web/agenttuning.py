"""AgentTuning's Mind2Web rows: a JSON list of {id, conversations}, each a multiple-choice step as a chat.

The user's turn holds the page (cut-down HTML between triple quotes), `Task:`, `Previous actions:` and the
choices `B. <button id=0> ... </button>`, where A is none of them. The answer is `Thought:`, `Answer: B.`,
`Action: CLICK` and, for typed or selected ones, `Value:`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from webbench.core.action.action import ElementRef
from webbench.core.exchange.account.source_shape import Frame, Shape
from webbench.core.exchange.account.tally import Lost, Tally
from webbench.core.exchange.episode_building import foreign_header, numbered, text_of
from webbench.core.exchange.foreign_terms import recorded_score
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedStep
from webbench.core.exchange.mind2web.mind2web import BENCHMARK, action_for, steps_before
from webbench.core.exchange.place import Place
from webbench.core.exchange.reading.html_tree import nodes_of_markup, role_of
from webbench.core.exchange.reading.json_list import objects
from webbench.core.json_types import Json, JsonObject
from webbench.core.observation import Observation
from webbench.core.task import Task
from webbench.core.trajectory import Step

ACTOR = "AgentTuning"
_PAGE = re.compile(r"^'''\n(.*?)\n'''\n", re.DOTALL)
_TASK = re.compile(
    r"^Task: (.*?)\nPrevious actions:\n(.*?)\nWhat should be the next action\?", re.DOTALL | re.MULTILINE
)
_EARLIER = re.compile(r"^\[[^\n]* -> [A-Z]", re.MULTILINE)
_CHOICE = re.compile(r"^([A-Z])\. (.*)$", re.MULTILINE)
_ANSWER = re.compile(r"Answer: ?([A-Z])\b")
_ACTION = re.compile(r"^Action: ?(.+)$", re.MULTILINE)
_VALUE = re.compile(r"^Value: ?(.*)$", re.MULTILINE)
_THOUGHT = re.compile(r"^Thought: ?(.*?)(?=\nAnswer:|\Z)", re.DOTALL)
_ELEMENT = re.compile(r"<(\w{1,40})(?: id=(\d{1,9}))?")
_MARK = re.compile(r"<[^>]*>?")


SHAPE = Shape({"": "episodes", "conversations.role": Frame(), "conversations.content": Frame()})


class AgentTuning:
    name = "agenttuning-mind2web"
    title = "AgentTuning's Mind2Web steps"
    looks_like = "a JSON list of id mind2web_<n> and conversations: HTML, previous actions, choices"

    def claim(self, place: Place) -> Claim | None:
        found = place.has_text('"conversations"', "Based on the HTML webpage above", "Previous actions:")
        return Claim() if found and place.head.lstrip().startswith(b"[") else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        for row in objects(place):
            yield _episode(row, place)


def create() -> AgentTuning:
    """The entry point."""
    return AgentTuning()


def _episode(row: JsonObject, place: Place) -> ImportedEpisode:
    asked, answer = _turn(row, "user"), _turn(row, "assistant")
    found = _TASK.search(asked)
    before = found[2].splitlines() if found and found[2].strip() != "None" else []
    place.tally.read(row, SHAPE)
    _count(asked, answer, place.tally)
    lost = place.tally.losses()
    if found is None:
        lost.append("the task: the question has another shape; it is kept as the prompt")
    task = Task(benchmark=BENCHMARK, name=text_of(row.get("id")), intent=found[1] if found else "")
    header = foreign_header(task, ACTOR, score=recorded_score(None, "", "the source gives no score"))
    return ImportedEpisode(header, numbered(_steps(asked, answer, before, lost)), lost)


def _count(asked: str, answer: str, tally: Tally) -> None:
    """By the marks in the question and the answer; the page stands in the question as markup."""
    tally.count("prompts", bool(asked))
    tally.count("replies", bool(answer))
    tally.count("reasoning", "Thought:" in answer)
    tally.count("html", asked.startswith("'''\n"))
    tally.count("trees", asked.startswith("'''\n"))
    for kind in ("steps", "actions"):
        tally.count(kind, len(_EARLIER.findall(asked.partition("Previous actions:\n")[2])) + bool(answer))


def _turn(row: JsonObject, role: str) -> str:
    turns = row.get("conversations")
    listed: list[Json] = turns if isinstance(turns, list) else []
    said = (one for one in listed if isinstance(one, dict) and one.get("role") == role)
    return text_of(next(said, {}).get("content"))


def _steps(asked: str, answer: str, before: list[str], lost: Lost) -> Iterator[ImportedStep]:
    shown = _PAGE.match(asked)
    markup = shown[1] if shown else ""
    seen = Observation(nodes=nodes_of_markup(markup, "id")) if markup else None
    *earlier, last = steps_before(before, lost)
    yield from earlier
    yield msgspec.structs.replace(last, observation=seen, html=markup)
    yield ImportedStep(_models_step(asked, answer, seen, lost))


def _models_step(asked: str, answer: str, seen: Observation | None, lost: Lost) -> Step:
    letter, op, value, thought = (_first(one, answer) for one in (_ANSWER, _ACTION, _VALUE, _THOUGHT))
    chosen = dict(_CHOICE.findall(asked)).get(letter, "")
    target = _element(chosen, seen) if letter != "A" else None
    action = action_for(op, target, value) if target else None
    text = f"{op} {chosen}".strip() + (f": {value}" if value else "")
    if action is None:
        why = (
            "it chose none of the elements" if letter == "A" else f"{op[:40]!r} is no operation that we know"
        )
        lost.lose("actions", f"the model's action: {why}; kept as text")
    return Step(
        index=0, at="", actor="agent", text=text, action=action, reasoning=thought, prompt=asked, reply=answer
    )


def _first(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found[1].strip() if found else ""


def _element(choice: str, seen: Observation | None) -> ElementRef | None:
    """The element of a choice, named by its text: `<button id=0> Desktop </button>`."""
    found = _ELEMENT.match(choice)
    if found is None:
        return None
    number = int(found[2]) if found[2] else None
    node = seen.node(number) if seen is not None and number is not None else None
    name = " ".join(_MARK.sub(" ", choice).split())
    role = node.role if node is not None and node.role != "generic" else role_of(found[1])
    return ElementRef(id=number, role=role, name=name)
