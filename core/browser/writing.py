"""Typing into a field: focus, caret, key events, and a look at what arrived."""

from __future__ import annotations

from webbench.core.action import Type
from webbench.core.browser.elements import Element, Elements, Facts, Prepared
from webbench.core.browser.input_device import LONGEST_UNHEARD, InputDevice
from webbench.core.browser.listening import is_listened_to
from webbench.core.errors import ActionFailed

TEXT_TYPES = frozenset({"text", "search", "email", "url", "tel", "password", "number", ""})
PICKED_TYPES = frozenset({"date", "time", "datetime-local", "month", "week", "color", "range"})
"""Fields with a picker of their own: their value is set at once, in HTML's notation."""
FORMATS = {
    "date": "2024-01-31",
    "time": "13:45",
    "datetime-local": "2024-01-31T13:45",
    "month": "2024-01",
    "week": "2024-W05",
    "color": "#ff8800",
    "range": "5",
}


async def write(
    elements: Elements, device: InputDevice, element: Element, prepared: Prepared, action: Type
) -> None:
    """Type into an element. Raises `ActionFailed` if it takes no text, or took nothing of it."""
    facts = _writable(element, prepared)
    if facts.type in PICKED_TYPES and facts.tag == "input":
        await _pick(elements, element, facts, action.text)
        return
    await _focus(elements, device, element, prepared)
    text = one_line_ends(action.text)
    if facts.tag == "input":  # where Enter would send the form; a paste makes blanks of line ends, too
        text = text.replace("\n", " ")
    caret = await elements.call(element, "placeCaret", action.clear)
    if not caret["done"]:
        await device.press("End")
    if text:
        await device.type(text, unheard=await _is_unheard(element, facts, text))
    elif action.clear and caret["value"]:
        await device.press("Delete")
    value = await elements.call(element, "valueOf")
    if text.strip() and not value and facts.type != "file":
        raise ActionFailed(
            f"{element.label} took nothing of the text", _what_it_takes(facts) or "the page refused it"
        )


def _writable(element: Element, prepared: Prepared) -> Facts:
    facts = prepared.facts
    assert facts is not None
    if facts.disabled:
        raise ActionFailed(f"{element.label} is disabled")
    if facts.read_only:
        raise ActionFailed(f"{element.label} is read-only")
    if not facts.rendered:
        raise ActionFailed(f"{element.label} is hidden", "make the page show it first")
    types = TEXT_TYPES | PICKED_TYPES
    writable = facts.editable or facts.tag == "textarea" or (facts.tag == "input" and facts.type in types)
    if not writable:
        kind = f"{facts.tag} of type {facts.type}" if facts.type else facts.tag
        raise ActionFailed(f"{element.label} takes no text ({kind})", "use the verb that fits it")
    return facts


async def _focus(elements: Elements, device: InputDevice, element: Element, prepared: Prepared) -> None:
    assert prepared.facts is not None
    if prepared.facts.focused:
        return
    if prepared.point is None:
        if prepared.cover:
            raise ActionFailed(f"{element.label} is covered by {prepared.cover}", "close what covers it")
        await elements.call(element, "focus")
        return
    await device.click(*prepared.point, "left", 1)


async def _pick(elements: Elements, element: Element, facts: Facts, text: str) -> None:
    value = await elements.call(element, "setValue", text)
    if text and str(value).lower() != text.lower():
        raise ActionFailed(f"{element.label} does not take {text!r}", _what_it_takes(facts))


def _what_it_takes(facts: Facts) -> str:
    if facts.type in FORMATS:
        return f"a {facts.type} field takes text like {FORMATS[facts.type]}"
    return "a number field takes digits only" if facts.type == "number" else ""


def one_line_ends(text: str) -> str:
    """The text with line ends of one kind: each is one Enter."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


async def _is_unheard(element: Element, facts: Facts, text: str) -> bool:
    """Whether nobody can tell if the text is typed; asked only where that saves something.

    In rich text the browser's own editing can: it puts blanks and lines down differently.
    """
    plain = facts.tag in ("input", "textarea")
    return plain and len(text) > LONGEST_UNHEARD and not await is_listened_to(element)
