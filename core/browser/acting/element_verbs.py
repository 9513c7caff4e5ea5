"""The verbs that are about an element, as real input events on one tab."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from webbench.core.action.action import (
    Action,
    CaptureScreen,
    Check,
    Click,
    ClickAt,
    Drag,
    DragAt,
    ElementRef,
    Focus,
    GetHtml,
    Hover,
    HoverAt,
    Inside,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseUp,
    Press,
    Scroll,
    ScrollTo,
    Select,
    SetRange,
    Submit,
    Type,
    Upload,
    UploadAt,
)
from webbench.core.browser.acting.clicking import click_element
from webbench.core.browser.acting.giving_files import GivingFiles, is_file_field
from webbench.core.browser.acting.input_device import InputDevice
from webbench.core.browser.acting.scrolling import scroll
from webbench.core.browser.acting.typing import (
    BETWEEN,
    SLIDERS,
    hidden,
    number_in,
    one_line_ends,
    slid,
    write,
)
from webbench.core.browser.elements.elements import Element, Elements, Facts, Prepared
from webbench.core.errors import ActionFailed

CHECK_ROUNDS = 10
CHECK_PAUSE = 0.03
SLIDER_PRESSES = 400
LONGEST_HTML = 2_000_000
"""Characters of a page's HTML that an answer holds; it is kept with the step and sent to agents."""


class Outcome(msgspec.Struct):
    """What an action has come to so far; filled in on the way, so that a dialog can interrupt it."""

    action: Action
    matched_by: str = ""
    output: str = ""


class Acting:
    """Carries out element verbs on one tab.

    Args:
        files: how files are given to it.
        size: width and height of the viewport (CSS px).
    """

    def __init__(
        self, elements: Elements, device: InputDevice, files: GivingFiles, size: tuple[int, int]
    ) -> None:
        self.elements = elements
        self.device = device
        self._files = files
        self._size = size
        self._verbs: dict[type[Any], Callable[[Any, Outcome], Awaitable[None]]] = {
            Click: self._click,
            ClickAt: self._click_at,
            Type: self._type,
            Select: self._select,
            Check: self._check,
            SetRange: self._set_range,
            Hover: self._hover,
            HoverAt: self._hover_at,
            Focus: self._focus,
            MouseDown: self._mouse_down,
            MouseUp: self._mouse_up,
            KeyDown: self._key_down,
            KeyUp: self._key_up,
            Press: self._press,
            Scroll: self._scroll,
            ScrollTo: self._show,
            Drag: self._drag,
            DragAt: self._drag_at,
            Upload: self._upload,
            UploadAt: self._upload_at,
            GetHtml: self._get_html,
            CaptureScreen: self._show,
            Submit: self._submit,
        }

    def knows(self, action: Action) -> bool:
        return type(action) in self._verbs

    async def perform(self, action: Action, outcome: Outcome) -> None:
        """Do it. Raises `ActionFailed` with what is in the way."""
        await self._verbs[type(action)](action, outcome)

    async def _meet(
        self,
        ref: ElementRef,
        outcome: Outcome,
        *,
        pointer: bool = True,
        slot: str = "target",
        at: Inside | None = None,
    ) -> tuple[Element, Prepared]:
        """Find and prepare an element, and record its fingerprint in the action."""
        if at is not None and not all(0 <= share <= 100 for share in at):
            raise ActionFailed("that point is not in the element", "both are percents, from 0 to 100")
        element = await self.elements.find(ref)
        prepared = await self.elements.prepare(element, pointer, at)
        if prepared.gone or prepared.fingerprint is None:
            raise ActionFailed(f"{element.label} is no longer on the page", "observe again")
        seen = msgspec.structs.asdict(prepared.fingerprint)
        if prepared.fingerprint.name and element.ref.id is None and not ref.field:
            element = msgspec.structs.replace(
                element, label=f'{prepared.fingerprint.role} "{prepared.fingerprint.name}"'
            )
        full = msgspec.structs.replace(ref, **seen)
        outcome.action = msgspec.structs.replace(outcome.action, **{slot: full})
        outcome.matched_by = element.matched_by
        if prepared.over:
            outcome.output = f"{prepared.over} lies over it there"
        return element, prepared

    async def _point(
        self, ref: ElementRef, outcome: Outcome, slot: str = "target", at: Inside | None = None
    ) -> tuple[float, float]:
        element, prepared = await self._meet(ref, outcome, slot=slot, at=at)
        return _reachable(element, prepared)

    async def _move(self, x: float, y: float) -> None:
        self.elements.mouse = (x, y)
        await self.device.move(x, y)

    async def _click(self, action: Click, outcome: Outcome) -> None:
        element, prepared = await self._meet(action.target, outcome, at=action.at)
        facts = _usable(element, prepared.facts)
        if action.at is None and prepared.point is None and not prepared.cover and facts.editable:
            await self._focus_unsized(element, facts, outcome)
            return
        x, y = _reachable(element, prepared)
        held: list[str] = []
        try:
            for key in action.modifiers:
                await self.device.hold(key, True)
                held.append(key)
            await self._move(x, y)
            await click_element(
                self.elements, self.device, element, (x, y), action.button, action.count, action.at
            )
        finally:
            for key in reversed(held):
                await self.device.hold(key, False)

    async def _focus_unsized(self, element: Element, facts: Facts, outcome: Outcome) -> None:
        """As a click on the field would: those of code editors that take the keys may have no width."""
        _require_rendered(element, facts)
        if not await self.elements.call(element, "focus"):
            raise ActionFailed(f"{element.label} has no size to be clicked at", "click what shows its text")
        outcome.output = "it has no size to be clicked at; it has the focus now"

    async def _click_at(self, action: ClickAt, _: Outcome) -> None:
        self._inside(action.x, action.y)
        self.elements.mouse = (action.x, action.y)
        await self.device.click(action.x, action.y, action.button, action.count)

    async def _type(self, action: Type, outcome: Outcome) -> None:
        if action.target is None:
            text = one_line_ends(action.text)
            await (self.device.insert(text) if action.at_once else self.device.type(text))
        else:
            element, prepared = await self._meet(action.target, outcome)
            if _is_drawn_slider(prepared):
                _require_rendered(element, _usable(element, prepared.facts))
                await self._set_slider(element, prepared, number_in(element, action.text))
                return
            outcome.output = await write(self.elements, self.device, element, prepared, action)
        if action.enter:
            await self.device.press("Enter")

    async def _select(self, action: Select, outcome: Outcome) -> None:
        element, prepared = await self._meet(action.target, outcome, pointer=False)
        facts = _usable(element, prepared.facts)
        _require_rendered(element, facts)
        if facts.tag == "option":
            raise ActionFailed(f"{element.label} is an option", "select on the list that holds it")
        if facts.tag != "select":
            await self._select_custom(element, action)
            return
        if len(action.options) > 1 and not facts.multiple:
            raise ActionFailed(f"{element.label} takes one option, not {len(action.options)}")
        answer = await self.elements.call(element, "chooseOptions", list(action.options))
        if "missing" in answer:
            more = f" and {answer['more']} more" if answer["more"] > 0 else ""
            offered = ", ".join(map(repr, answer["offered"])) + more
            raise ActionFailed(f"{element.label} has no option {answer['missing']!r}", f"it offers {offered}")
        if "unavailable" in answer:
            raise ActionFailed(f"option {answer['unavailable']!r} of {element.label} is disabled")
        if "held" in answer:
            held = ", ".join(map(repr, answer["held"])) or "nothing"
            raise ActionFailed(
                f"{element.label} holds {held} after the choice", "the page undid it, or took it for more"
            )

    async def _select_custom(self, element: Element, action: Select) -> None:
        """A list drawn by the page: open it with a click, then click the options by name."""
        fingerprint = (await self.elements.prepare(element, True)).fingerprint
        role = fingerprint.role if fingerprint else ""
        if role.lower() not in {"combobox", "listbox", "comboboxmenubutton", "comboboxselect", "button"}:
            raise ActionFailed(f"{element.label} is no list of options", "click it, or name the list")
        for option in action.options:
            if not await self.elements.evaluate("optionNamed", option, frame=element.frame):
                point = _reachable(element, await self.elements.prepare(element, True))
                await click_element(self.elements, self.device, element, point)
                await self.elements.wait_quiet(20, 500)
            if not await self.elements.evaluate("optionNamed", option, frame=element.frame):
                raise ActionFailed(f"{element.label} shows no option {option!r}")
            found = await self.elements.taken(element.frame)
            point = _reachable(found, await self.elements.prepare(found, True))
            await click_element(self.elements, self.device, found, point)

    async def _check(self, action: Check, outcome: Outcome) -> None:
        """One box, or several of a name at once; the record names them all, as a replay needs it."""
        for target in await self._boxes(action.target):
            one = msgspec.structs.replace(action, target=target)
            part = Outcome(action=one)
            try:
                await self._check_one(one, part)
            finally:
                if part.matched_by and isinstance(part.action, Check):
                    seen = msgspec.structs.replace(part.action.target, option=action.target.option)
                    outcome.action = msgspec.structs.replace(action, target=seen)
                    outcome.matched_by = part.matched_by

    async def _boxes(self, ref: ElementRef) -> list[ElementRef]:
        """The boxes meant by "a|b", as crowd-work answers write several, where none has that very value."""
        options = [option for option in ref.option.split("|") if option]
        if ref.id is not None or not ref.field or len(options) < 2:
            return [ref]
        try:
            await self.elements.find(ElementRef(field=ref.field, option=ref.option))
        except ActionFailed:
            boxes = [ElementRef(field=ref.field, option=option) for option in options]
            for box in boxes:
                await self.elements.find(box)
            return boxes
        return [ref]

    async def _check_one(self, action: Check, outcome: Outcome) -> None:
        element, prepared = await self._meet(action.target, outcome)
        facts = _usable(element, prepared.facts)
        if facts.checked is None:
            raise ActionFailed(
                f"{element.label} can't be checked", "it is no checkbox, radio button or switch"
            )
        if facts.checked == action.checked:
            return
        if facts.type == "radio" and not action.checked:
            raise ActionFailed(f"{element.label} can't be unchecked", "choose another button of its group")
        if prepared.point is not None:
            await click_element(self.elements, self.device, element, prepared.point)
        else:
            _require_rendered(element, facts)
            await self.elements.call(element, "focus")
            await self.device.press("Space")
        for _ in range(CHECK_ROUNDS):
            if await self.elements.call(element, "checkedOf") == action.checked:
                return
            await asyncio.sleep(CHECK_PAUSE)
        state = "checked" if action.checked else "unchecked"
        raise ActionFailed(f"{element.label} was clicked and is not {state}", "the page refused or undid it")

    async def _set_range(self, action: SetRange, outcome: Outcome) -> None:
        element, prepared = await self._meet(action.target, outcome, pointer=False)
        facts = _usable(element, prepared.facts)
        _require_rendered(element, facts)
        if facts.tag == "input":
            value = await self._number_put(element, facts, f"{action.value:.15g}")
            _require_same(element, value, action.value)
        else:
            await self._set_slider(element, prepared, action.value)

    async def _number_put(self, element: Element, facts: Facts, number: str) -> str:
        if facts.type == "range":
            return await slid(self.elements, self.device, element, number)
        return str(await self.elements.call(element, "setValue", number))

    async def _set_slider(self, element: Element, prepared: Prepared, wanted: float) -> None:
        turns = prepared.fingerprint is not None and prepared.fingerprint.role.lower() == "spinbutton"
        keys = ("ArrowUp", "ArrowDown") if turns else ("ArrowRight", "ArrowLeft")
        _require_same(element, await self._slide(element, wanted, *keys), wanted)

    async def _slide(self, element: Element, wanted: float, up: str, down: str) -> str:
        """A slider drawn by the page answers arrow keys; its value is what it says in `aria-valuenow`."""
        await self.elements.call(element, "focus")
        before: float | None = None
        for presses in range(SLIDER_PRESSES):
            text = await self.elements.call(element, "sliderValue")
            if text is None:
                raise ActionFailed(f"{element.label} is no slider")
            try:
                value = float(text)
            except ValueError:
                raise ActionFailed(
                    f"{element.label} says no number as its value, but {text[:40]!r}"
                ) from None
            stays = value == before and presses == 1
            if stays and await self.elements.call(element, "sliderHolds", wanted):
                raise ActionFailed(
                    f"{element.label} can't be {wanted:.15g}: its keys leave it at {value:.15g}",
                    "click or drag at a point of it",
                )
            if value in (wanted, before) or (before is not None and _passed(before, value, wanted)):
                return str(value)
            before = value
            await self.device.press(up if value < wanted else down)
            await self.elements.wait_quiet(*BETWEEN)
        return str(before)

    async def _hover(self, action: Hover, outcome: Outcome) -> None:
        await self._move(*await self._point(action.target, outcome, at=action.at))

    async def _hover_at(self, action: HoverAt, _: Outcome) -> None:
        self._inside(action.x, action.y)
        await self._move(action.x, action.y)

    async def _focus(self, action: Focus, outcome: Outcome) -> None:
        element, prepared = await self._meet(action.target, outcome, pointer=False)
        facts = _usable(element, prepared.facts)
        _require_rendered(element, facts)
        if not await self.elements.call(element, "focus"):
            raise ActionFailed(f"{element.label} can't have the focus", "click it, or name a field or button")

    async def _mouse_down(self, action: MouseDown, _: Outcome) -> None:
        self._inside(action.x, action.y)
        await self._move(action.x, action.y)
        await self.device.button(action.button, True)

    async def _mouse_up(self, action: MouseUp, _: Outcome) -> None:
        self._inside(action.x, action.y)
        await self._move(action.x, action.y)
        await self.device.button(action.button, False)

    async def _key_down(self, action: KeyDown, _: Outcome) -> None:
        await self.device.hold(action.key, True)

    async def _key_up(self, action: KeyUp, _: Outcome) -> None:
        await self.device.hold(action.key, False)

    async def _press(self, action: Press, outcome: Outcome) -> None:
        if action.target is not None:
            element, prepared = await self._meet(action.target, outcome, pointer=False)
            _usable(element, prepared.facts)
            await self.elements.call(element, "focus")
        await self.device.press(action.keys)

    async def _scroll(self, action: Scroll, outcome: Outcome) -> None:
        element = None
        if action.target is not None:
            element, _ = await self._meet(action.target, outcome, pointer=False)
        await scroll(self.elements, self.device, element, action)

    async def _show(self, action: ScrollTo | CaptureScreen, outcome: Outcome) -> None:
        """Scroll the element into view; what is pictured of it, is when the page is at rest."""
        assert action.target is not None
        element, prepared = await self._meet(action.target, outcome, pointer=False)
        _require_rendered(element, prepared.facts)
        await self.elements.call(element, "scrollTo")

    async def _drag(self, action: Drag, outcome: Outcome) -> None:
        await self._point(action.target, outcome, at=action.target_at)
        start = await self._point(action.source, outcome, "source", action.source_at)
        end = await self._point(action.target, outcome, at=action.target_at)
        again = await self._point(action.source, outcome, "source", action.source_at)
        if again != start:
            raise ActionFailed("source and target of the drag don't fit into one viewport", "drag by points")
        self.elements.mouse = end
        await self.device.drag(*start, *end)

    async def _drag_at(self, action: DragAt, _: Outcome) -> None:
        self._inside(action.x, action.y)
        self._inside(action.to_x, action.to_y)
        self.elements.mouse = (action.to_x, action.to_y)
        await self.device.drag(action.x, action.y, action.to_x, action.to_y)

    async def _upload(self, action: Upload, outcome: Outcome) -> None:
        element, prepared = await self._meet(action.target, outcome, pointer=False)
        facts = _able(element, prepared.facts)
        point = None
        if not is_file_field(facts):
            _usable(element, facts)
            point = _reachable(element, await self.elements.prepare(element, True))
        outcome.output = await self._files.to_element(element, facts, point, action.files)

    async def _upload_at(self, action: UploadAt, _: Outcome) -> None:
        self._inside(action.x, action.y)
        await self._files.to_dialog_at(action.x, action.y, action.files)

    async def _get_html(self, action: GetHtml, outcome: Outcome) -> None:
        if action.target is None:
            outcome.output = await self.elements.evaluate("wholeHtml", LONGEST_HTML)
            return
        element, _ = await self._meet(action.target, outcome, pointer=False)
        outcome.output = await self.elements.call(element, "relevantHtml")

    async def _submit(self, action: Submit, outcome: Outcome) -> None:
        if action.target is None:
            answer = await self.elements.evaluate("submitControl", None)
            frame = None
        else:
            element, _ = await self._meet(action.target, outcome, pointer=False)
            answer = await self.elements.call(element, "submitControl")
            frame = element.frame
        if not answer["form"]:
            raise ActionFailed("there is no form to submit")
        if answer["invalid"]:
            raise ActionFailed(f"the form is not complete: {'; '.join(answer['invalid'])}")
        if answer["control"]:
            control = await self.elements.taken(frame=frame)
            prepared = await self.elements.prepare(control, True)
            if prepared.point is not None:
                await self._move(*prepared.point)
                await click_element(self.elements, self.device, control, prepared.point)
                return
        await self.elements.evaluate("submitForm", frame=frame)

    def _inside(self, x: float, y: float) -> None:
        width, height = self._size
        if not (0 <= x < width and 0 <= y < height):
            raise ActionFailed(
                f"({x:g}, {y:g}) lies outside the viewport of {width} x {height}", "scroll first"
            )


def _usable(element: Element, facts: Facts | None) -> Facts:
    facts = _able(element, facts)
    if facts.inert:
        hint = (
            "close the dialog that is open over it"
            if facts.behind
            else "do what makes the page let it be used"
        )
        raise ActionFailed(f"{element.label} is inert", hint)
    return facts


def _able(element: Element, facts: Facts | None) -> Facts:
    assert facts is not None
    if facts.disabled:
        raise ActionFailed(f"{element.label} is disabled")
    return facts


def _require_rendered(element: Element, facts: Facts | None) -> None:
    assert facts is not None
    if not facts.rendered:
        raise hidden(element, facts)


def _reachable(element: Element, prepared: Prepared) -> tuple[float, float]:
    if prepared.point is not None:
        return prepared.point
    _require_rendered(element, prepared.facts)
    if prepared.cover:
        hint = (
            "close or move what covers it"
            if prepared.closable
            else "act on what covers it, which gets the clicks, or at a point of this one"
        )
        raise ActionFailed(f"{element.label} is covered by {prepared.cover}", hint)
    raise ActionFailed(f"{element.label} has no size or can't be scrolled into view")


def _is_drawn_slider(prepared: Prepared) -> bool:
    facts, seen = prepared.facts, prepared.fingerprint
    if facts is None or seen is None or facts.editable or facts.tag in ("input", "textarea"):
        return False
    return seen.role.lower() in SLIDERS


def _require_same(element: Element, value: str, wanted: float) -> None:
    if not _same_number(value, wanted):
        raise ActionFailed(
            f"{element.label} can't be {wanted:.15g}", f"its nearest possible value is {value}"
        )


def _same_number(value: str, wanted: float) -> bool:
    try:
        return abs(float(value) - wanted) < 1e-9 * max(1.0, abs(wanted))
    except ValueError:
        return False


def _passed(before: float, value: float, wanted: float) -> bool:
    return (before < wanted < value) or (value < wanted < before)
