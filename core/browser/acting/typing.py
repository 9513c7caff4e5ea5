"""Typing into a field: focus, caret, key events, and a look at what it holds then.

A page may keep keys from its field, as spinners do that want their arrows clicked: then the text is put in
at one stroke, which is Playwright's way to fill. A page may also make something else of a text: blanks
between digits, capitals, another form of a date, a completion. That is no failure; the step tells of it.

A code editor draws its text over a small field that only takes the keys. Such a field, covered or a speck,
gets the focus without a click, and is emptied by keys; what the editor shows then is held against the text.
"""

from __future__ import annotations

import re

import msgspec

from webbench.core.action.action import Type
from webbench.core.action.text_taking import PICKED_TYPES, instead_of_typing, takes_text
from webbench.core.browser.acting.clicking import click_element
from webbench.core.browser.acting.input_device import LONGEST_UNHEARD, InputDevice
from webbench.core.browser.acting.key_listeners import is_listened_to
from webbench.core.browser.elements.elements import Element, Elements, Facts, Prepared
from webbench.core.browser.seeing.isolated_world import Navigated
from webbench.core.errors import ActionFailed

FORMATS = {
    "date": "2024-01-31",
    "time": "13:45",
    "datetime-local": "2024-01-31T13:45",
    "month": "2024-01",
    "week": "2024-W05",
    "color": "#ff8800",
    "range": "5",
}
SHOWN = 100
"""Characters of what a field holds that are told."""

UNSEEN = "\u200b\u200c\u200d\ufeff"
"""Signs without a width, which editors put on empty lines."""

BETWEEN = (5, 100)
"""Milliseconds for a page to take in one key of several: so long at rest, at most so long."""

SLIDERS = frozenset({"slider", "spinbutton"})
"""Roles of elements that arrow keys change, where the page draws them."""


class Typed(msgspec.Struct, frozen=True):
    """What a field holds after typing, what it held at most, and which one got keys `instead`, "" = none."""

    value: str
    held: str
    instead: str


_INDENTED = re.compile(r"\n[ \t]")
"""Of lines that are typed one by one, an editor would indent the next by itself once more."""

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)")


async def write(
    elements: Elements, device: InputDevice, element: Element, prepared: Prepared, action: Type
) -> str:
    """Type into an element; what it holds then where that isn't the text, else "".

    Raises `ActionFailed` if it takes no text, or holds none of it afterwards.
    """
    facts = _writable(element, prepared)
    if facts.type in PICKED_TYPES and facts.tag == "input":
        await _pick(elements, device, element, facts, action.text)
        return ""
    if facts.speck:
        prepared = msgspec.structs.replace(prepared, point=None)
    await _focus(elements, device, element, prepared)
    text = one_line_ends(action.text)
    drawn = (
        await elements.call(element, "drawnOver", True) if prepared.point is None or facts.context else None
    )
    if drawn is not None:
        return await _write_by_keys(elements, device, element, action, text, str(drawn))
    if facts.tag == "input":  # where Enter would send the form; a paste makes blanks of line ends, too
        text = text.replace("\n", " ")
    caret = await elements.call(element, "placeCaret", action.clear)
    if not caret["done"]:
        await device.press("End")
    if text:
        if action.at_once or (facts.editable and _INDENTED.search(text)):
            await device.insert(text)
        else:
            await device.type(text, unheard=await _is_unheard(element, facts, text))
    elif action.clear and caret["value"]:
        await device.press("Delete")
    before = str(caret["value"])
    wanted = text if action.clear else before + text
    try:
        after = msgspec.convert(await elements.call(element, "typedInto"), Typed)
        value = after.value
        if not _holds(value, wanted, before, facts):
            _require_untaken(element, after)
            await _put_in(elements, device, element, text, everything=action.clear)
            value = str(await elements.call(element, "valueOf"))
    except Navigated:  # what was typed has sent the page elsewhere, as the last digit of a code does
        return ""
    if _holds(value, wanted, before, facts):
        return (
            "" if facts.type == "password" or _squeezed(value) == _squeezed(wanted) else _field_holds(value)
        )
    if text.strip() and not value:
        raise ActionFailed(
            f"{element.label} took nothing of the text", _what_it_takes(facts) or "the page refused it"
        )
    shown = "something else" if facts.type == "password" else repr(value[:SHOWN])
    raise ActionFailed(
        f"{element.label} holds {shown} after typing", _what_it_takes(facts) or "the page refused the text"
    )


async def _write_by_keys(
    elements: Elements, device: InputDevice, element: Element, action: Type, text: str, before: str
) -> str:
    """Into a field that the page draws over; `before`: what it shows there now. Returns what is left of that.

    Several lines go in as a paste, or where the page takes none at one stroke: an editor would indent them by
    itself once more.
    Raises `ActionFailed` where neither the field nor what is drawn over it has the text then.
    """
    try:
        if action.clear:
            await device.press("Control+a")
            await device.press("Delete")
        else:
            await device.press("Control+End")
        if "\n" in text:
            if not await elements.call(element, "paste", text):
                await device.insert(text)
        elif text:
            await (device.insert(text) if action.at_once else device.type(text))
        await elements.evaluate("drawn", frame=element.frame)
        shown = str(await elements.call(element, "drawnOver", False) or "")
        value = str(await elements.call(element, "valueOf"))
    except Navigated:  # what was typed has sent the page elsewhere
        return ""
    wanted = _without_blanks(_last_line(text))[-SHOWN:]
    if wanted not in _without_blanks(value) and wanted not in _without_blanks(shown):
        raise ActionFailed(
            f"{element.label} was typed into, and the page shows {_last_line(shown)[:SHOWN]!r} over it",
            "look at what it shows",
        )
    old = _without_blanks(_last_line(before))
    stays = any(map(str.isalpha, old)) and old in _without_blanks(shown) and old not in _without_blanks(text)
    return f"the page still shows {_last_line(before)[:SHOWN]!r}" if action.clear and stays else ""


def _last_line(text: str) -> str:
    """The last one with anything on it: where the caret stands after typing, which editors show."""
    return next((line for line in reversed(text.splitlines()) if line.strip()), "")


def _without_blanks(text: str) -> str:
    return "".join(sign for sign in text if not sign.isspace() and sign not in UNSEEN)


def _require_untaken(element: Element, after: Typed) -> None:
    """Raises `ActionFailed` where the text may be elsewhere by now: put in again, it would be there twice."""
    if after.instead:
        raise ActionFailed(
            f"{element.label} gave the keyboard to {after.instead} while the text was typed",
            "look there for the text",
        )
    if after.held and not after.value:
        raise ActionFailed(
            f"{element.label} is empty again after typing",
            "the page took the text, or refused it: look at what it did",
        )


async def _put_in(
    elements: Elements, device: InputDevice, element: Element, text: str, *, everything: bool
) -> None:
    """At one stroke, past whatever the page does with keys."""
    if not text:
        await elements.call(element, "setValue", "")
        return
    await elements.call(element, "placeCaret", everything)
    await device.insert(text)


def _field_holds(value: str) -> str:
    return f"the field holds {value[:SHOWN]!r}"


def _holds(value: str, wanted: str, before: str, facts: Facts) -> bool:
    """Whether a field holds a text, or what its page may have made of it."""
    have, want = _squeezed(value), _squeezed(wanted)
    number, other = _number(have), _number(want)
    differ = number is not None and other is not None and number != other
    if not want and not any(map(str.isalnum, have)):  # a mask without anything filled in
        return True
    if have == want or (want and not differ and _signs(have) == _signs(want)):
        return True
    if not have or not want or have == _squeezed(before):
        return False
    return facts.editable or not differ or have.startswith(want) or want.startswith(have)


def _squeezed(text: str) -> str:
    """Without the blanks that rich text puts down otherwise."""
    return " ".join(text.split())


def _signs(text: str) -> str:
    """Letters and digits alone, in one case."""
    return "".join(filter(str.isalnum, text)).casefold() or text


def _number(text: str) -> float | None:
    """A number as people write it, with marks between thousands."""
    plain = re.sub(r"(?<=\d)[,\s'](?=\d{3})", "", text)
    return float(plain) if _NUMBER.fullmatch(plain) else None


def _writable(element: Element, prepared: Prepared) -> Facts:
    facts = prepared.facts
    assert facts is not None
    if facts.disabled:
        raise ActionFailed(f"{element.label} is disabled")
    if facts.read_only:
        raise ActionFailed(f"{element.label} is read-only")
    if not facts.rendered:
        raise hidden(element, facts)
    if not takes_text(facts.tag, facts.type, editable=facts.editable):
        kind = f"{facts.tag} of type {facts.type}" if facts.type else facts.tag
        raise ActionFailed(f"{element.label} takes no text ({kind})", _instead(facts, prepared))
    return facts


def hidden(element: Element, facts: Facts) -> ActionFailed:
    """What to say of an element that isn't shown."""
    if facts.painted:
        return ActionFailed(
            f"{element.label} is painted by its canvas", "act on the canvas, at a point of it"
        )
    hint = "choose it from its list" if facts.tag == "option" else "make the page show it first"
    return ActionFailed(f"{element.label} is hidden", hint)


def _instead(facts: Facts, prepared: Prepared) -> str:
    """What can be done with an element that takes no text."""
    role = prepared.fingerprint.role.lower() if prepared.fingerprint else ""
    ticked = facts.checked is not None
    return instead_of_typing(facts.tag, facts.type, role, ticked=ticked)


def number_in(element: Element, text: str) -> float:
    """What a slider is to be set to. Raises `ActionFailed`."""
    number = _number(text.strip())
    if number is None:
        raise ActionFailed(f"{element.label} takes a number, not {text[:SHOWN]!r}", "write one, like 5")
    return number


async def _focus(elements: Elements, device: InputDevice, element: Element, prepared: Prepared) -> None:
    assert prepared.facts is not None
    if prepared.facts.focused:
        return
    if prepared.point is None:
        if prepared.cover and prepared.closable:
            raise ActionFailed(f"{element.label} is covered by {prepared.cover}", "close what covers it")
        if not await elements.call(element, "focus") and prepared.cover:
            raise ActionFailed(
                f"{element.label} is covered by {prepared.cover}, and can't have the focus",
                "act on what covers it",
            )
        return
    await click_element(elements, device, element, prepared.point)


async def slid(elements: Elements, device: InputDevice, element: Element, text: str) -> str:
    """Set an `input` of type range; its value then.

    The last step is a key's: some pages take a value over only when a key or the mouse is let go of.
    """
    if key := await elements.call(element, "stepBeside", text):
        await elements.wait_quiet(*BETWEEN)
        if await elements.call(element, "isActive"):
            await device.press(key)
            await elements.wait_quiet(*BETWEEN)
    return str(await elements.call(element, "setValue", text))


async def _pick(elements: Elements, device: InputDevice, element: Element, facts: Facts, text: str) -> None:
    if facts.type == "range":
        value = await slid(elements, device, element, text)
    else:
        value = str(await elements.call(element, "setValue", text))
    same = value.lower() == text.lower() or (facts.type == "range" and _number(value) == _number(text))
    if text and not same:
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
