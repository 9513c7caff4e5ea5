r"""WebVoyager results: a folder a task with `interact_messages.json` (an OpenAI chat) and screenshots.

The first user message names the task and the start page. Assistant turns are
`Thought: ...\n\nAction: Click [5]` | `Type [3]; text` | `Scroll [WINDOW]; down` | `Wait` | `GoBack` |
`Google` | `ANSWER; text`. `screenshot<n>.png` counts from 1: number n is what the n-th turn saw.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from webbench.core.action.action import Action, Back, Click, ElementRef, Goto, Noop, Scroll, Stop, Type
from webbench.core.errors import BadData
from webbench.core.exchange.account.tally import Lost
from webbench.core.exchange.episode_building import (
    RECORD_ENDS,
    STOPPED,
    foreign_header,
    lose_action,
    numbered,
    picture_in,
    text_of,
)
from webbench.core.exchange.foreign_terms import recorded_score
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedStep
from webbench.core.exchange.place import Place
from webbench.core.json_types import Json
from webbench.core.task import Task
from webbench.core.trajectory import Step

BENCHMARK = "webvoyager"
MESSAGES = "interact_messages.json"
SEARCH_ENGINE = "https://www.google.com/"
_TASK = re.compile(r"given a task: (.*?)\s*Please interact with (\S+) and get the answer", re.DOTALL)
_ACTION = re.compile(r"Action:\s*(.+?)\s*$", re.DOTALL)
_LABELLED = re.compile(r"^(Click|Type|Scroll) \[?(\w+)\]?(?:;\s*(.*))?$", re.DOTALL)
_PLAIN: dict[str, Action] = {
    "Wait": Noop(seconds=5.0),
    "GoBack": Back(),
    "Google": Goto(url=SEARCH_ENGINE),
}
_LISTS = {"webvoyager_data.jsonl": "WebVoyager's tasks", "reference_answer.json": "WebVoyager's answers"}


class WebVoyager:
    name = "webvoyager"
    title = "WebVoyager results"
    looks_like = "a folder task<Site>--<n> with interact_messages.json and screenshot<n>.png"

    def claim(self, place: Place) -> Claim | None:
        if MESSAGES in place.names:
            return Claim()
        told = _LISTS.get(place.name.lower())
        return Claim("companion", told) if told else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        messages = (place / MESSAGES).json()
        if not isinstance(messages, list):
            raise BadData(f"{place / MESSAGES} holds no list of messages")
        lost = place.tally.losses()
        told = [_text(one) for one in messages if isinstance(one, dict) and one.get("role") == "user"]
        found = _TASK.search(told[0]) if told else None
        turns = [_text(one) for one in messages if isinstance(one, dict) and one.get("role") == "assistant"]
        answered = bool(turns) and _action_text(turns[-1]).startswith("ANSWER")
        start = found[2] if found else ""
        name = place.name.removeprefix("task")
        header = foreign_header(
            Task(
                benchmark=BENCHMARK,
                name=name,
                intent=found[1] if found else "",
                site=site_of(name, start),
            ),
            "WebVoyager",
            score=recorded_score(None, "", "the source gives no score"),
            end_reason=STOPPED if answered else RECORD_ENDS,
        )
        yield ImportedEpisode(header, numbered(_steps(place, turns, start, lost)), lost)


def site_of(task: str, start: str) -> str:
    """The site that WebVoyager names in its task ids ("Google Map--4"), elsewhere the start page."""
    site, _, number = task.rpartition("--")
    return site if site and number.isdecimal() else start


def create() -> WebVoyager:
    """The entry point."""
    return WebVoyager()


def _text(message: dict[str, Json]) -> str:
    """The words of a message, whose content may be a list of parts."""
    content = message.get("content")
    if isinstance(content, list):
        parts = [part for part in content if isinstance(part, dict) and part.get("type") == "text"]
        return "\n".join(text_of(part.get("text")) for part in parts)
    return text_of(content)


def _action_text(turn: str) -> str:
    found = _ACTION.search(turn)
    return found[1] if found else ""


def _steps(place: Place, turns: list[str], start: str, lost: Lost) -> Iterator[ImportedStep]:
    yield ImportedStep(
        Step(index=0, at="", actor="operator", url=start), picture=picture_in(place, "screenshot1.png", lost)
    )
    for number, turn in enumerate(turns, start=1):
        words = _action_text(turn)
        action = action_of_words(words)
        if action is None:
            lose_action(lost, words, number)
        thought = turn.partition("Action:")[0].removeprefix("Thought:").strip()
        step = Step(index=0, at="", actor="agent", text=words, action=action, reasoning=thought, reply=turn)
        yield ImportedStep(step, picture=picture_in(place, f"screenshot{number + 1}.png", lost))


def action_of_words(words: str) -> Action | None:
    """The action of WebVoyager's grammar, None for anything else."""
    if words.startswith("ANSWER"):
        return Stop(answer=words.removeprefix("ANSWER").lstrip("; ").strip())
    if words in _PLAIN:
        return _PLAIN[words]
    found = _LABELLED.match(words)
    if found is None:
        return None
    verb, label, rest = found[1], found[2], found[3] or ""
    target = ElementRef(id=int(label)) if label.isascii() and label.isdecimal() else None
    if verb == "Scroll":
        way = -1.0 if rest.strip().lower() == "up" else 1.0
        return Scroll(dy=way, unit="viewports", target=target)
    if target is None:
        return None
    return Click(target=target) if verb == "Click" else Type(target=target, text=rest, enter=True)
