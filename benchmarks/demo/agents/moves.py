"""What a person would do next: one ordinary action on an element known by role and name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from webbench.core.action import (
    Action,
    AnswerDialog,
    Check,
    Click,
    ElementRef,
    FocusTab,
    Select,
    SetRange,
    Stop,
    Type,
)
from webbench.core.observation import AccessibilityNode, Observation


class Move(msgspec.Struct, frozen=True):
    """An action still without its element; `role` is "" where it needs none."""

    role: str
    name: str
    build: Callable[[ElementRef], Action]

    def find(self, observation: Observation) -> AccessibilityNode | None:
        """The first node with this role and name; one whose name only begins so is second best."""
        same_role = [node for node in observation.nodes if node.role == self.role]
        exact = (node for node in same_role if node.name.strip() == self.name)
        similar = (node for node in same_role if node.name.strip().startswith(self.name))
        return next(exact, None) or next(similar, None)


def click(role: str, name: str) -> Move:
    return Move(role, name, lambda target: Click(target=target))


def link(name: str) -> Move:
    return click("link", name)


def button(name: str) -> Move:
    return click("button", name)


def tick(name: str, role: str = "checkbox", *, on: bool = True) -> Move:
    return Move(role, name, lambda target: Check(target=target, checked=on))


def radio(name: str) -> Move:
    return tick(name, "radio")


def fill(name: str, text: str, role: str = "textbox", *, enter: bool = False) -> Move:
    return Move(role, name, lambda target: Type(target=target, text=text, enter=enter))


def search(text: str) -> Move:
    return fill("Search the shop", text, "searchbox", enter=True)


def choose(name: str, option: str) -> Move:
    return Move("combobox", name, lambda target: Select(target=target, options=(option,)))


def slide(name: str, value: float) -> Move:
    return Move("slider", name, lambda target: SetRange(target=target, value=value))


def accept_dialog() -> Move:
    return Move("", "", lambda _: AnswerDialog(accept=True))


def tab(index: int) -> Move:
    return Move("", "", lambda _: FocusTab(index=index))


def answer(text: str) -> Move:
    return Move("", "", lambda _: Stop(answer=text))


def add_to_cart(colour: str, quantity: int = 1, size: str = "") -> Sequence[Move]:
    """On a product page: choose the options, put it into the cart and look at the cart."""
    moves = [radio(colour.capitalize())]
    if size:
        moves.append(choose("Size", size))
    if quantity != 1:
        moves.append(fill("Quantity", str(quantity), "spinbutton"))
    return [*moves, button("Add to cart"), link("View cart")]
