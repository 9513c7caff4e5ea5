"""Steps of Online-Mind2Web's result schema v2 (May 2026), as its leaderboard takes them.

`result.json`: schema_version "online-mind2web-v2", task, task_id, agent_final_answer (text or null),
reference_length, action_history [{step from 0, screenshot, url, action, action_status, thought}]. Step 0 is
the start; an action reads "target -> VERB -> value | STATUS"; the last is "TASK_COMPLETE -> ANSWER: ...".
Addresses and the answer become actions; clicks and typing tell no element that we could name, and stay text.
Pictures lie in `trajectory/` under the names that the steps give. No such folder was at hand: this was made
from the published description and from what our own export writes.

Source: OSU-NLP-Group/Online-Mind2Web, data/schema_v2.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from webbench.core.action.action import Action, Goto, Stop
from webbench.core.exchange.account.source_shape import Frame, Shape
from webbench.core.exchange.account.tally import Lost
from webbench.core.exchange.episode_building import list_in, lose_action, picture_in, text_of
from webbench.core.exchange.import_format import ImportedStep, Picture
from webbench.core.exchange.place import Place
from webbench.core.json_types import JsonObject
from webbench.core.trajectory import Step

VERSION = "online-mind2web-v2"
COMPLETE = "TASK_COMPLETE -> ANSWER: "
PICTURES = "trajectory"
NO_PICTURE = "a screenshot that a step names is not in its folder"
SHAPE = Shape({"": "episodes", "schema_version": Frame(), "action_history": Frame()})
_ENTRY = Shape({"thought": "reasoning", "screenshot": Frame()})
_NAVIGATED = re.compile(r"(?:(?! -> ).)* -> NAVIGATE -> (https?://\S{1,2000})(?: \| [A-Z_ ]+)?")
"""Only where the verb is the first one: a text that is typed may say the same."""


def is_v2(result: JsonObject) -> bool:
    """Whether a result is of schema v2."""
    return result.get("schema_version") == VERSION


def steps_of_v2(place: Place, result: JsonObject, lost: Lost) -> Iterator[ImportedStep]:
    """From the start on; the last step is the answer. `place` is the task's folder. Raises `BadData`."""
    listed = list_in(result, "action_history", place)
    entries = [one for one in listed if isinstance(one, dict)]
    if len(entries) < len(listed):
        left = len(listed) - len(entries)
        lost.has("steps", left)
        lost.lose("steps", f"steps that are no objects: {left}", left, why="steps that are no objects")
    if not entries or not _starts(entries[0]):
        yield ImportedStep(Step(index=0, at="", actor="operator"))
    pictures = place / PICTURES
    for at, entry in enumerate(entries):
        place.tally.read({name: one for name, one in entry.items() if name != "step"}, _ENTRY)
        if entry.get("step") != at:
            lost.append(f"step {at} has the number {text_of(entry.get('step'))[:20]!r}; the order is used")
        start = at == 0 and _starts(entry)
        yield ImportedStep(_step(entry, at, start, result, lost), picture=_picture(pictures, entry, lost))


def _starts(entry: JsonObject) -> bool:
    words = text_of(entry.get("action"))
    return entry.get("step") == 0 and not words.startswith(COMPLETE)


def _step(entry: JsonObject, at: int, start: bool, result: JsonObject, lost: Lost) -> Step:
    words, status = text_of(entry.get("action")), text_of(entry.get("action_status"))
    action = None if start else _action(words, result)
    if not start:
        lost.has("steps")
        lost.has("actions")
        if action is None:
            lose_action(lost, words, at)
    failed = status not in ("", "SUCCESS")
    return Step(
        index=0,
        at="",
        actor="operator" if start else "agent",
        text=words,
        action=action,
        reasoning=text_of(entry.get("thought")),
        url=text_of(entry.get("url")),
        ok=not failed,
        error=status if failed else "",
        source={"format": VERSION, "entry": {name: one for name, one in entry.items() if name != "thought"}},
    )


def _action(words: str, result: JsonObject) -> Action | None:
    if words.startswith(COMPLETE):
        answer = result.get("agent_final_answer")
        return Stop(answer=answer if isinstance(answer, str) else "")
    found = _NAVIGATED.fullmatch(words)
    return Goto(url=found[1]) if found is not None else None


def _picture(pictures: Place, entry: JsonObject, lost: Lost) -> Picture | None:
    name = text_of(entry.get("screenshot"))
    if not name:
        return None
    lost.has("pictures")
    if "/" in name or name not in pictures.names:
        lost.lose("pictures", NO_PICTURE)
        return None
    return picture_in(pictures, name, lost)
