"""From the second call's reply to an action: a letter, a deed, a value."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from webbench.benchmarks.assistantbench.agents.model_answer import read_answer
from webbench.benchmarks.assistantbench.agents.replies import labelled
from webbench.core.action.action import (
    Action,
    AnswerDialog,
    Back,
    Click,
    ElementRef,
    FocusTab,
    Goto,
    Hover,
    Press,
    Scroll,
    Search,
    Select,
    Stop,
    Type,
)
from webbench.core.agents.model.choices import Choice, chosen
from webbench.core.observation import Observation

ELEMENT, ACTION, VALUE = "ELEMENT", "ACTION", "VALUE"
_LABELS = frozenset({ELEMENT, ACTION, VALUE})

DEEDS: Mapping[str, str] = {
    "CLICK": "click the element",
    "TYPE": "write VALUE into the element, in place of what stands in it",
    "TYPE AND ENTER": "write VALUE into the element and press Enter",
    "SELECT": "choose the option VALUE of the list that the element is",
    "HOVER": "move the pointer over the element",
    "PRESS ENTER": "press Enter where the focus is",
    "ACCEPT": "accept the dialog that is open; VALUE is written into a prompt",
    "DISMISS": "dismiss the dialog that is open",
    "SCROLL DOWN": "scroll the page down by a screen",
    "SCROLL UP": "scroll the page up by a screen",
    "GO BACK": "go back to the page before",
    "GOTO": "open the address VALUE",
    "SEARCH": "look VALUE up with the search engine",
    "SWITCH TAB": "go to the tab with the number VALUE",
    "TERMINATE": "end with the answer VALUE, or with none where VALUE is empty",
}
"""What may be done, and what each does; the deeds of the open web are those after "DISMISS".

"SWITCH TAB" isn't among the paper's actions: without it, what was open before a link opened a tab is lost.
"""

SEEACT_DEEDS = (
    *("CLICK", "TYPE", "TYPE AND ENTER", "SELECT", "HOVER", "PRESS ENTER", "ACCEPT", "DISMISS"),
    "TERMINATE",
)

_TAB = re.compile(r"(?:tab\s*)?(\d{1,4})\b", re.IGNORECASE)


def deeds_for(observation: Observation, *, open_web: bool) -> tuple[str, ...]:
    """What may be done at this page; another tab can be gone to where there is one."""
    if not open_web:
        return SEEACT_DEEDS
    return tuple(deed for deed in DEEDS if deed != "SWITCH TAB" or len(observation.tabs) > 1)


_ON_ELEMENT: Mapping[str, Callable[[ElementRef, str], Action]] = {
    "CLICK": lambda target, _value: Click(target=target),
    "TYPE": lambda target, value: Type(target=target, text=value),
    "TYPE AND ENTER": lambda target, value: Type(target=target, text=value, enter=True),
    "SELECT": lambda target, value: Select(target=target, options=(value,)),
    "HOVER": lambda target, _value: Hover(target=target),
}
_ON_PAGE: Mapping[str, Callable[[str], Action]] = {
    "PRESS ENTER": lambda _value: Press(keys="Enter"),
    "ACCEPT": lambda value: AnswerDialog(accept=True, text=value),
    "DISMISS": lambda _value: AnswerDialog(accept=False),
    "SCROLL DOWN": lambda _value: Scroll(dy=1, unit="viewports"),
    "SCROLL UP": lambda _value: Scroll(dy=-1, unit="viewports"),
    "GO BACK": lambda _value: Back(),
    "GOTO": lambda value: Goto(url=value),
    "SEARCH": lambda value: Search(query=value),
    "SWITCH TAB": lambda value: FocusTab(index=_tab(value)),
    "TERMINATE": lambda value: Stop(answer=read_answer(value)),
}
_WITH_VALUE = frozenset({"TYPE", "TYPE AND ENTER", "SELECT", "GOTO", "SEARCH"})


class Ungrounded(Exception):
    """The reply names no action that can be taken; the message tells what is missing."""


def grounded(reply: str, choices: Sequence[Choice], deeds: Sequence[str] = tuple(DEEDS)) -> Action:
    """The action of the lines "ELEMENT: B", "ACTION: CLICK", "VALUE: …". Raises `Ungrounded`."""
    said = labelled(reply, _LABELS)
    deed = " ".join(said.get(ACTION, "").upper().strip(" .*`\"'").split())
    if deed not in deeds:
        raise Ungrounded(f"the reply's line ACTION names none of {', '.join(deeds)}")
    value = _value(said.get(VALUE, ""))
    if deed in _WITH_VALUE and not value:
        raise Ungrounded(f"{deed} needs a line VALUE")
    if deed in _ON_PAGE:
        return _ON_PAGE[deed](value)
    element = chosen(choices, said.get(ELEMENT, ""))
    if element is None:
        raise Ungrounded("the reply's line ELEMENT names no letter of the choices")
    return _ON_ELEMENT[deed](ElementRef(id=element.node), value)


def _tab(value: str) -> int:
    found = _TAB.match(value)
    if found is None:
        raise Ungrounded("SWITCH TAB needs the number of a tab in the line VALUE")
    return int(found[1])


def _value(said: str) -> str:
    value = said.strip()
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" and value.count(value[0]) == 2:
        value = value[1:-1]
    return "" if value.lower() in ("none", "n/a", "-") else value
