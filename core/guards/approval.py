"""Approval policies: before which of an agent's actions a person is asked.

always: before every action. never: before none. changes: before what submits, navigates or types, decided by
the kind of action and by what is known of its element:

- ends: `Stop`. submits: `Submit`, `Say`, `Upload`, an accepted dialog, Enter or the space bar (also after
  typing), a click on a button or a menu's item, a drag.
- navigates: going to an address, back, forward, reloading, a tab at an address, a search, a click on a link.
- types: anything that fills in a field: typing, choosing, ticking, moving a slider, other keys; a click on a
  box, a radio button, a switch or an option.
- a button of the mouse that is held, or let go of, counts as a click.
- a click at a point inside an element may come to something else that lies there.

A click on something unknown may do any of these, and is asked about; so is a text that is no action.
Scrolling, waiting, pointing, focusing, switching or closing tabs, reading, remembering, and a click on a
field or on plain text outside any control go ahead.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from webbench.core.action import action as a
from webbench.core.guards.targets import aimed_at
from webbench.core.observation import AccessibilityNode, Observation

Approval = Literal["always", "changes", "never"]
APPROVALS: tuple[Approval, ...] = get_args(Approval)
MEANINGS: dict[Approval, str] = {
    "always": "ask before every action",
    "changes": "ask before it submits, navigates or types",
    "never": "don't ask",
}

_SUBMIT = (a.Submit, a.Say, a.Upload, a.UploadAt, a.Drag, a.DragAt)
_NAVIGATE = (a.Goto, a.Back, a.Forward, a.Reload, a.Search)
_FILL_IN = (a.Type, a.Select, a.Check, a.SetRange, a.Press, a.KeyDown, a.KeyUp)
_BUTTONS = frozenset({"button", "menuitem", "menuitemcheckbox", "menuitemradio", "tab", "DisclosureTriangle"})
_BOXES = frozenset({"checkbox", "radio", "switch", "option", "MenuListOption", "slider", "spinbutton"})
_SUBMITTING = frozenset({"submit", "image", "button"})
_ACTIVATING = frozenset({"enter", "return", "numpadenter", "space", " ", "", "\n", "\r"})
_FIELDS = frozenset({"textbox", "searchbox", "textField", "combobox", "listbox", "ComboBoxSelect", "ListBox"})


def why_ask(approval: Approval, action: a.Action | None, page: Observation) -> str:
    """Why a person is asked before this action, in a word or two; "" where it may go ahead."""
    if approval == "never":
        return ""
    found = "is no action" if action is None else effect_of(action, page)
    return found or ("always asked" if approval == "always" else "")


def effect_of(action: a.Action, page: Observation) -> str:
    """ "ends", "submits", "navigates", "types", "may do anything", or "" for what changes nothing."""
    if isinstance(action, a.Stop):
        return "ends"
    if isinstance(action, a.NewTab):
        return "navigates" if action.url else ""
    if isinstance(action, _NAVIGATE):
        return "navigates"
    if isinstance(action, a.AnswerDialog):
        return "submits" if action.accept else ""
    if isinstance(action, _SUBMIT) or presses_enter(action):
        return "submits"
    if isinstance(action, _FILL_IN):
        return "types"
    if isinstance(action, a.Click | a.ClickAt | a.MouseDown | a.MouseUp):
        found = _of_click(aimed_at(action, page))
        return "may do anything" if not found and isinstance(action, a.Click) and action.at else found
    return ""


def presses_enter(action: a.Action) -> bool:
    """Whether it presses a key that sets off what has the focus, or sends its form."""
    if isinstance(action, a.Type):
        return action.enter or (not action.at_once and ("\n" in action.text or "\r" in action.text))
    if isinstance(action, a.Press):
        return action.keys.rpartition("+")[2].strip().lower() in _ACTIVATING
    return isinstance(action, a.KeyDown | a.KeyUp) and action.key.strip().lower() in _ACTIVATING


def _of_click(nodes: Sequence[AccessibilityNode]) -> str:
    """By the innermost thing that a click sets off."""
    if not nodes:
        return "may do anything"
    for node in nodes:
        if node.role in _BOXES:
            return "types"
        if node.role == "link" or "href" in node.attributes:
            return "navigates"
        if node.role in _BUTTONS or node.tag == "button" or node.attributes.get("type") in _SUBMITTING:
            return "submits"
        if node.role in _FIELDS:
            return ""
        if node.interactive:
            return "may do anything"
    return ""
