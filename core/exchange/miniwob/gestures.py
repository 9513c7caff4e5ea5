"""MiniWoB's events put together again to what a person did: a click, a text, a key, a drag, a scroll.

An event is recorded in the capturing phase (`timing` 1) and once more in the bubbling phase (3); the first
of the two sees the page before the event, and is the one that counts. A press of the mouse button, its
release and the click are one click. Keys that type into one element are one text, in which Backspace takes
back.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import msgspec

from webbench.core.exchange.account.tally import Lost
from webbench.core.json_types import Json, JsonObject, number_of

CAPTURING = 1
STILL = 4.0
"""Pixels that the pointer may move between press and release of a click."""
_MODIFIERS = {16: "Shift", 17: "Control", 18: "Alt", 91: "Meta", 93: "Meta", 224: "Meta"}
_KEYS = {8: "Backspace", 9: "Tab", 13: "Enter", 27: "Escape", 33: "PageUp", 34: "PageDown", 35: "End"} | {
    36: "Home",
    37: "ArrowLeft",
    38: "ArrowUp",
    39: "ArrowRight",
    40: "ArrowDown",
    46: "Delete",
}
_BACKSPACE, _ENTER = 8, 13
FIRST_PRINTED = 32
"""Code point of the first character that is no control."""


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """One event with the page as it was found; `kind` is "" for the state at the start."""

    kind: str = ""
    time: float = 0.0
    x: float = 0.0
    y: float = 0.0
    key: int = 0
    character: int = 0
    dom: JsonObject
    ref: int | None = None
    """The node that the event was sent to."""


class Clicked(msgspec.Struct, frozen=True):
    x: float
    y: float


class Dragged(msgspec.Struct, frozen=True):
    x: float
    y: float
    to_x: float
    to_y: float


class Scrolled(msgspec.Struct, frozen=True):
    pass


class Pressed(msgspec.Struct, frozen=True):
    keys: str


class Typed(msgspec.Struct, frozen=True):
    text: str
    enter: bool = False


class Gesture(msgspec.Struct, frozen=True):
    """What was done, between which events (their indices), to which node."""

    what: Clicked | Dragged | Scrolled | Pressed | Typed
    start: int
    end: int
    ref: int | None
    note: str = ""


def events_of(states: Sequence[Json], lost: Lost) -> list[Event]:
    """The states that hold a page, without the second half of each event."""
    events: list[Event] = []
    for number, state in enumerate(states):
        dom = state.get("dom") if isinstance(state, dict) else None
        if not isinstance(dom, dict):
            lost.append(f"state {number} holds no page")
            continue
        action = state["action"] if isinstance(state.get("action"), dict) else {}
        last = number + 1 == len(states)
        if action and action.get("timing", CAPTURING) != CAPTURING and not last:
            continue
        kind = str(action.get("type", "")) if action.get("timing", CAPTURING) == CAPTURING else ""
        events.append(
            Event(
                kind=kind,
                time=number_of(state.get("time")),
                x=number_of(action.get("x")),
                y=number_of(action.get("y")),
                key=int(number_of(action.get("keyCode"))),
                character=int(number_of(action.get("charCode"))),
                dom=dom,
                ref=_target(dom),
            )
        )
    return events


def _target(dom: JsonObject) -> int | None:
    """The innermost node that is marked as the event's target."""
    found: int | None = None
    waiting: list[Json] = [dom]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, dict):
            continue
        if node.get("recordingTarget") and isinstance(node.get("ref"), int):
            found = node["ref"]
        children = node.get("children")
        waiting += children if isinstance(children, list) else []
    return found


def gestures(events: Sequence[Event]) -> list[Gesture]:
    """What the person did, in order. Events that only follow from others (a label's click is passed on to
    its box, say) are no gestures of their own."""
    reading = _Reading(events)
    found: list[Gesture] = []
    index = 0
    while index < len(events):
        gesture = reading.gesture(index)
        if gesture is None:
            index += 1
            continue
        before = found[-1] if found else None
        if before and isinstance(gesture.what, Scrolled) and _same_scroll(before, gesture):
            found[-1] = msgspec.structs.replace(before, end=gesture.end)
        else:
            found.append(gesture)
        index = gesture.end + 1
    return found


def _same_scroll(before: Gesture, scroll: Gesture) -> bool:
    return isinstance(before.what, Scrolled) and before.ref == scroll.ref


class _Reading:
    """Reads gestures off a list of events; knows which modifier keys are held down."""

    def __init__(self, events: Sequence[Event]) -> None:
        self.events = events
        self.held: set[str] = set()

    def gesture(self, start: int) -> Gesture | None:
        """The gesture that begins with an event, None where none does."""
        match self.events[start].kind:
            case "mousedown":
                return self._pointer(start)
            case "scroll":
                return self._scroll(start)
            case "keydown":
                return self._keyed(start)
            case "keyup":
                self.held.discard(_MODIFIERS.get(self.events[start].key, ""))
        return None

    def _pointer(self, start: int) -> Gesture:
        """From a press of the button to its click; with a scroll inside it was the scroll bar."""
        down = up = self.events[start]
        end, scrolled, clicked = start, False, False
        for index in range(start + 1, len(self.events)):
            event = self.events[index]
            if event.kind == "mouseup" and up is down:
                up, end = event, index
            elif event.kind == "click" and up is not down:
                clicked, end = True, index
                break
            elif event.kind == "scroll" and event.ref == down.ref:
                scrolled, end = True, index
            elif event.kind:
                break
        if scrolled:
            return Gesture(Scrolled(), start, end, down.ref, "with the scroll bar")
        if max(abs(up.x - down.x), abs(up.y - down.y)) > STILL and not clicked:
            return Gesture(Dragged(down.x, down.y, up.x, up.y), start, end, down.ref)
        double = end + 1 < len(self.events) and self.events[end + 1].kind == "dblclick"
        note = "the second of a double click" if double else ""
        return Gesture(Clicked(down.x, down.y), start, end + double, down.ref, note)

    def _scroll(self, start: int) -> Gesture | None:
        """A scroll that moved something: loading a page tells of scrolls that nobody did."""
        target = self.events[start].ref
        if target is None or start == 0:
            return None
        before, after = (_content_top(self.events[index].dom, target) for index in (start - 1, start))
        return None if before == after else Gesture(Scrolled(), start, start, target)

    def _keyed(self, start: int) -> Gesture | None:
        """A text from its first key on, or a single key that types nothing."""
        first = self.events[start]
        if first.key in _MODIFIERS:
            self.held.add(_MODIFIERS[first.key])
            return None
        chord = [name for name in ("Control", "Alt", "Meta") if name in self.held]
        if chord or first.key in _KEYS:
            return Gesture(Pressed("+".join([*chord, _name(first.key)])), start, start, first.ref)
        return self._typed(start)

    def _typed(self, start: int) -> Gesture | None:
        """The text that is typed into one element; None where the keys type nothing."""
        text, end, target = "", start, self.events[start].ref
        for index in range(start, len(self.events)):
            event = self.events[index]
            if event.kind == "keyup":
                self.held.discard(_MODIFIERS.get(event.key, ""))
            elif event.kind == "keypress" and event.ref == target:
                if event.character >= FIRST_PRINTED:
                    text, end = text + chr(min(event.character, sys.maxunicode)), index
            elif event.kind == "keydown" and event.ref == target and text and event.key == _ENTER:
                return Gesture(Typed(text, enter=True), start, index, target)
            elif event.kind == "keydown" and event.ref == target and text and event.key == _BACKSPACE:
                text, end = text[:-1], index
            elif event.kind != "keydown" or not _types(event, target):
                break
        return Gesture(Typed(text), start, end, target) if text else None


def _types(event: Event, target: int | None) -> bool:
    """Whether a pressed key may type a character into the element."""
    return event.ref == target and event.key not in _KEYS and _MODIFIERS.get(event.key, "Shift") == "Shift"


def _content_top(dom: JsonObject, ref: int) -> float | None:
    """Where the first child of a node lies."""
    waiting: list[Json] = [dom]
    while waiting:
        node = waiting.pop()
        children = node.get("children") if isinstance(node, dict) else None
        listed = children if isinstance(children, list) else []
        if isinstance(node, dict) and node.get("ref") == ref:
            tops = [child.get("top") for child in listed if isinstance(child, dict)]
            return number_of(tops[0]) if tops else None
        waiting += listed
    return None


def _name(key: int) -> str:
    return _KEYS.get(key) or (chr(key).lower() if ord("0") <= key <= ord("Z") else f"Key{key}")
