"""WebArena's id-based action texts as the published agent loop reads them.

This is the reading that recorded trajectories went through, with its gaps: it loses answers of two lines
and can't type most scripts. The dialect that actors use is `benchmarks/webarena/dialect.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import msgspec

from webbench.benchmarks.webarena.scoring.reference_match import as_text
from webbench.core.errors import BadData

_TYPABLE = frozenset((*range(32, 128), *range(129, 1000), ord("\n")))
"""Code points that the published keyboard table has."""

_KEYS = (
    *("Backquote", "Minus", "Equal", "Backslash", "Backspace", "Meta", "Tab", "Delete", "Escape"),
    *("ArrowDown", "End", "Enter", "Home", "Insert", "PageDown", "PageUp", "ArrowRight", "ArrowUp"),
    *(f"F{number}" for number in range(1, 13)),
)
_KEY_NAMES = {name.lower(): name for name in _KEYS}
"""Key names that are known in any case; all others (ctrl, esc, arrowleft) stay as they are written."""

_FENCED = re.compile(r"```(.*?)```", re.DOTALL)


class IdAction(msgspec.Struct, frozen=True, kw_only=True):
    """One action; fields that its kind doesn't use are empty.

    Attributes:
        action_type: CLICK, HOVER, TYPE, KEY_PRESS, SCROLL, GOTO_URL, NEW_TAB, GO_BACK, GO_FORWARD,
            PAGE_FOCUS, PAGE_CLOSE, STOP.
        press_enter: of typing: Enter follows.
        page_number: tab from 0.
    """

    action_type: str
    element_id: str = ""
    text: str = ""
    press_enter: bool = False
    direction: str = ""
    key_comb: str = ""
    url: str = ""
    page_number: int = 0
    answer: str = ""
    pw_code: str = ""


def parse_id_action(action: str) -> IdAction:
    """The action of a text such as "click [12]" or "type [5] [text] [1]".

    The verb is what stands before the first bracket, or the first word; of the rest the first place that
    fits counts, so text after it is ignored. Brackets are greedy: the last closing one ends an argument.

    Raises `BadData` for a blank text, an unknown verb, missing arguments, and characters that the
    published keyboard lacks.
    """
    text = as_text(action, "the action").strip()
    if not text:
        raise BadData("the action is blank")
    verb = text.split("[")[0].strip() if "[" in text else text.split()[0]
    read = _READERS.get(verb)
    if read is None:
        raise BadData(f'the action "{text}" begins with no known verb', f"there are {', '.join(_READERS)}")
    return read(text)


def actions_equivalent(first: IdAction, second: IdAction) -> bool:
    """Whether the agent loop takes them for a repetition; typing is compared by its element alone."""
    if first.action_type != second.action_type:
        return False
    field = _DISTINGUISHING.get(first.action_type)
    return field is None or getattr(first, field) == getattr(second, field)


def extract_action(response: str, local_addresses: Mapping[str, str]) -> str:
    """The text between the first two code fences, trimmed, with public site names made local.

    Args:
        local_addresses: by public address ("http://reddit.com"); its https form counts too.

    Raises `BadData` for a reply without a fenced part, and for an address to be put in that is no text.
    """
    found = _FENCED.search(as_text(response, "the reply"))
    if found is None:
        shown = response if len(response) <= 80 else response[:79] + "…"
        raise BadData(f'the reply "{shown}" has no action between code fences (```)')
    text = found[1].strip()
    for public, local in local_addresses.items():
        for name in (public, public.replace("http", "https")):
            if name in text:
                text = text.replace(name, as_text(local, f"the local address of {public!r}"))
    return text


def _match(pattern: str, text: str) -> re.Match[str]:
    found = re.search(pattern, text)
    if found is None:
        raise BadData(f'the action "{text}" lacks its arguments, or they have another form')
    return found


def _click(text: str) -> IdAction:
    return IdAction(action_type="CLICK", element_id=_match(r"click ?\[(\d+)\]", text)[1])


def _hover(text: str) -> IdAction:
    return IdAction(action_type="HOVER", element_id=_match(r"hover ?\[(\d+)\]", text)[1])


def _type(text: str) -> IdAction:
    flagged = text if text.endswith(("[0]", "[1]")) else f"{text} [1]"
    element, typed, enter = _match(r"type ?\[(\d+)\] ?\[(.+)\] ?\[(\d+)\]", flagged).groups()
    unknown = next((character for character in typed if ord(character) not in _TYPABLE), None)
    if unknown is not None:
        raise BadData(f'the action "{text}" types {unknown!r}, which the published keyboard table lacks')
    return IdAction(action_type="TYPE", element_id=element, text=typed, press_enter=enter == "1")


def _press(text: str) -> IdAction:
    keys = _match(r"press ?\[(.+)\]", text)[1].split("+")
    return IdAction(action_type="KEY_PRESS", key_comb="+".join(_KEY_NAMES.get(k.lower(), k) for k in keys))


def _scroll(text: str) -> IdAction:
    return IdAction(action_type="SCROLL", direction=_match(r"scroll ?\[?(up|down)\]?", text)[1])


def _goto(text: str) -> IdAction:
    return IdAction(action_type="GOTO_URL", url=_match(r"goto ?\[(.+)\]", text)[1])


def _tab_focus(text: str) -> IdAction:
    try:
        number = int(_match(r"tab_focus ?\[(\d+)\]", text)[1])
    except ValueError as error:
        raise BadData(f'the action "{text[:80]}" names no tab: {error}') from error
    return IdAction(action_type="PAGE_FOCUS", page_number=number)


def _stop(text: str) -> IdAction:
    """Without an answer that can be read it is empty, for not every task asks for one."""
    found = re.search(r"stop ?\[(.+)\]", text)
    return IdAction(action_type="STOP", answer=found[1] if found else "")


def _bare(action_type: str) -> Callable[[str], IdAction]:
    return lambda _: IdAction(action_type=action_type)


_READERS: dict[str, Callable[[str], IdAction]] = {
    "click": _click,
    "hover": _hover,
    "type": _type,
    "press": _press,
    "scroll": _scroll,
    "goto": _goto,
    "new_tab": _bare("NEW_TAB"),
    "go_back": _bare("GO_BACK"),
    "go_forward": _bare("GO_FORWARD"),
    "tab_focus": _tab_focus,
    "close_tab": _bare("PAGE_CLOSE"),
    "stop": _stop,
}
_DISTINGUISHING = {
    "CLICK": "element_id",
    "HOVER": "element_id",
    "TYPE": "element_id",
    "KEY_PRESS": "key_comb",
    "SCROLL": "direction",
    "GOTO_URL": "url",
    "PAGE_FOCUS": "page_number",
    "STOP": "answer",
}
