"""What a person would do next, elements known by role and name."""

from __future__ import annotations

from collections.abc import Sequence

from webbench.core.action.action import (
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


def click(role: str, name: str) -> Action:
    return Click(target=ElementRef(role=role, name=name))


def link(name: str) -> Action:
    return click("link", name)


def button(name: str) -> Action:
    return click("button", name)


def tick(name: str, role: str = "checkbox", *, on: bool = True) -> Action:
    return Check(target=ElementRef(role=role, name=name), checked=on)


def radio(name: str) -> Action:
    return tick(name, "radio")


def fill(name: str, text: str, role: str = "textbox", *, enter: bool = False) -> Action:
    return Type(target=ElementRef(role=role, name=name), text=text, enter=enter)


def search(text: str) -> Action:
    return fill("Search the shop", text, "searchbox", enter=True)


def choose(name: str, option: str) -> Action:
    return Select(target=ElementRef(role="combobox", name=name), options=(option,))


def slide(name: str, value: float) -> Action:
    return SetRange(target=ElementRef(role="slider", name=name), value=value)


def accept_dialog() -> Action:
    return AnswerDialog(accept=True)


def tab(index: int) -> Action:
    return FocusTab(index=index)


def answer(text: str) -> Action:
    return Stop(answer=text)


def add_to_cart(colour: str, quantity: int = 1, size: str = "") -> Sequence[Action]:
    """On a product page: choose the options, put it into the cart and look at the cart."""
    moves = [radio(colour.capitalize())]
    if size:
        moves.append(choose("Size", size))
    if quantity != 1:
        moves.append(fill("Quantity", str(quantity), "spinbutton"))
    return [*moves, button("Add to cart"), link("View cart")]
