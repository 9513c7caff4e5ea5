"""What Mind2Web's step data has in common wherever it is handed around.

An action of its people is told as `[role]  name -> CLICK` or `... -> TYPE: value`; an element's attributes
are a JSON object as text, often cut off, with `bounding_box_rect` "x,y,width,height" in pixels of the page.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence

import msgspec

from webbench.core.action.action import (
    Action,
    Click,
    ElementRef,
    Goto,
    Hover,
    Press,
    Scroll,
    Select,
    Stop,
    Type,
)
from webbench.core.exchange.account.tally import Lost
from webbench.core.exchange.episode_building import lose_action
from webbench.core.exchange.import_format import ImportedStep
from webbench.core.exchange.reading.html_tree import role_of
from webbench.core.json_types import Json
from webbench.core.observation import Box
from webbench.core.trajectory import Step

BENCHMARK = "mind2web"
_TOLD = re.compile(r"^\[([^\]]{0,60})\] {0,2}(.*) -> ([A-Z][A-Z ]*)(?:: (.*))?$", re.DOTALL)
_ATTRIBUTE = re.compile(r'"(\w{1,60})": "((?:[^"\\]|\\.)*)"')


class Told(msgspec.Struct, frozen=True):
    """An action in the words of the data set."""

    target: ElementRef
    op: str
    value: str


def told(text: str) -> Told | None:
    """`[button]  Search -> CLICK` and the like, None for other texts."""
    found = _TOLD.match(text)
    if found is None:
        return None
    role, name, op, value = found.groups()
    target = ElementRef(role=role_of(role), name=html.unescape(name.strip()))
    return Told(target, op.strip(), value or "")


def action_for(op: str, target: ElementRef, value: str) -> Action | None:
    """The action of an operation's name, None for an unknown one."""
    match op.strip().upper():
        case "CLICK":
            return Click(target=target)
        case "TYPE":
            return Type(target=target, text=value)
        case "SELECT":
            return Select(target=target, options=(value,))
        case "HOVER":
            return Hover(target=target)
        case "ENTER" | "PRESS ENTER":
            return Press(keys="Enter", target=target)
        case "SCROLL UP" | "SCROLL DOWN":
            return Scroll(dy=-1.0 if op.strip().upper().endswith("UP") else 1.0, unit="viewports")
        case "GOTO":
            return Goto(url=value)
        case "TERMINATE":
            return Stop(answer=value)
        case _:
            return None


def attributes_of(text: str) -> dict[str, str]:
    """The attributes of an element as far as their text goes."""
    return {name: value.replace('\\"', '"') for name, value in _ATTRIBUTE.findall(text)}


def box_of(text: str) -> Box | None:
    """`x,y,width,height`, None for anything else."""
    try:
        x, y, width, height = (float(part) for part in text.split(","))
    except ValueError:
        return None
    return Box(x, y, width, height) if width >= 0 and height >= 0 else None


def persons_step(text: str, lost: Lost) -> Step:
    """A step of a person, told in the data set's words."""
    found = told(text)
    action = action_for(found.op, found.target, found.value) if found else None
    if action is None:
        lose_action(lost, text)
    return Step(index=0, at="", actor="human", text=text, action=action)


def steps_before(texts: Json, lost: Lost) -> Iterator[ImportedStep]:
    """The start, and what a person had done before the step that the record is about."""
    yield ImportedStep(Step(index=0, at="", actor="operator"))
    listed: Sequence[Json] = texts if isinstance(texts, list) else ()
    for text in listed:
        yield ImportedStep(persons_step(str(text), lost))
