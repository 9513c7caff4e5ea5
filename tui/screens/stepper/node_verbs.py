"""What can be done with a node: the natural thing for its role, and what each other verb stands for."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.core.action.action import (
    Action,
    Check,
    Click,
    ElementRef,
    Hover,
    Press,
    ScrollTo,
    Select,
    SetRange,
    Submit,
    Type,
    Upload,
)
from webbench.core.observation import AccessibilityNode

TYPED = frozenset({"textbox", "searchbox", "combobox", "textField", "TextField", "TextFieldWithComboBox"})
CHECKED = frozenset({"checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"})
RANGED = frozenset({"slider", "spinbutton", "scrollbar"})
CHOSEN = frozenset({"listbox", "option"})
NEED_NO_VALUE = frozenset({"click", "check"})
"""Natural verbs whose draft has nothing to fill in."""


def natural_verb(node: AccessibilityNode) -> str:
    """The verb that Enter stands for on a node of this role and tag; text in a search box is sent, too."""
    if node.tag == "select" or node.role in CHOSEN:
        return "select"
    if node.attributes.get("type") == "file":
        return "upload"
    if node.role in CHECKED:
        return "check"
    if node.role in RANGED:
        return "set range"
    if node.role == "searchbox" or node.attributes.get("type") == "search":
        return "search"
    if node.role in TYPED:
        return "type"
    return "click"


def reference(node: AccessibilityNode) -> ElementRef:
    """The node as an action names it."""
    return ElementRef(
        id=node.id, field=node.attributes.get("name", ""), role=node.role, name=node.name, box=node.box
    )


def choice_reference(node: AccessibilityNode, page: Sequence[AccessibilityNode]) -> ElementRef:
    """A box or button as an action names it: by name and value, too, where no other on the page has both."""
    name, value = node.attributes.get("name"), node.attributes.get("value")
    alike = [
        one for one in page if (one.attributes.get("name"), one.attributes.get("value")) == (name, value)
    ]
    if name and value and len(alike) == 1:
        return msgspec.structs.replace(reference(node), option=value)
    return reference(node)


def draft(node: AccessibilityNode, verb: str, page: Sequence[AccessibilityNode] = ()) -> Action:
    """The action a verb stands for, with empty text where the person has to fill it in.

    A check box is turned to its other state; a range starts from its present value.
    """
    target = reference(node)
    match verb:
        case "double click":
            return Click(target=target, count=2)
        case "right click":
            return Click(target=target, button="right")
        case "search":
            return Type(target=target, text=node.value or "", enter=True)
        case "type":
            return Type(target=target, text=node.value or "")
        case "select":
            return Select(target=target, options=(node.name if node.role == "option" else node.value or "",))
        case "check":
            turn_on = node.role == "radio" or node.states.get("checked") not in (True, "true")
            return Check(target=choice_reference(node, page), checked=turn_on)
        case "set range":
            return SetRange(target=target, value=number(node.value))
        case "hover":
            return Hover(target=target)
        case "press":
            return Press(target=target, keys="Enter")
        case "scroll to":
            return ScrollTo(target=target)
        case "upload":
            return Upload(target=target, files=("",))
        case "submit":
            return Submit(target=target)
        case _:
            return Click(target=target)


def number(text: str | None) -> float:
    """The number a field shows, 0 where it shows none."""
    try:
        return float(text or 0)
    except ValueError:
        return 0.0
