"""The oracle's way through each task."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from webbench.benchmarks.demo.agents.moves import (
    accept_dialog,
    add_to_cart,
    answer,
    button,
    choose,
    click,
    fill,
    link,
    radio,
    search,
    slide,
    tab,
    tick,
)
from webbench.core.action.action import Action
from webbench.core.json_types import JsonObject
from webbench.core.task import Task


def plan(task: Task) -> Sequence[Action]:
    """Every move up to the last one that counts. Raises `KeyError` for a task without a plan."""
    if task.site == "annotation":
        return annotate(task)
    if task.site == "bazaar":
        return [answer(gold(task, "hours"))]
    return SHOP[task.name](task)


def gold(task: Task, name: str) -> str:
    """The first wanted value of the check with this name."""
    return str(next(rule["expected"][0] for rule in task.gold["checks"] if rule["name"] == name))


def _open_product(_: Task) -> Sequence[Action]:
    return [search("kettle"), link("Skerry Enamel Kettle")]


def _price_of_lantern(task: Task) -> Sequence[Action]:
    return [link("Outdoor"), link("Fyr Storm Lantern"), answer(f"${gold(task, 'answer')}0")]


def _cheapest_bag(task: Task) -> Sequence[Action]:
    return [
        link("Bags"),
        choose("Sort by", "Price: low to high"),
        link("Sunday Net Bag"),
        answer(gold(task, "answer")),
    ]


def _camp_mugs(_: Task) -> Sequence[Action]:
    return [search("camp mug"), link("Ember Camp Mug"), *add_to_cart("cream", 3)]


def _order_total(task: Task) -> Sequence[Action]:
    return [link("Orders"), link("HP-2127"), answer(gold(task, "answer"))]


def _start_over(_: Task) -> Sequence[Action]:
    return [
        button("Empty cart"),
        accept_dialog(),
        search("candle"),
        link("Spruce Candle"),
        *add_to_cart("pine"),
    ]


def _home_wishes(_: Task) -> Sequence[Action]:
    moves: list[Action] = []
    for name in ("Islet Table Lamp", "Moor Floor Lamp", "Tidal Vase, large"):
        moves += [
            link("All products"),
            radio("Home"),
            fill("From", "80", "spinbutton"),
            button("Apply filters"),
            link(name),
            button("♡ Save to wish list"),
        ]
    return moves


def _write_review(task: Task) -> Sequence[Action]:
    text = next(rule["example"] for rule in task.gold["checks"] if rule["name"] == "text")
    return [
        search("flask"),
        link("Harbour Flask 0.75 l"),
        radio("4 stars"),
        fill("Review title", gold(task, "title")),
        fill("Your review", text),
        button("Publish review"),
    ]


def _moved_house(task: Task) -> Sequence[Action]:
    return [
        link("Account"),
        fill("Phone number", gold(task, "phone")),
        fill("Street and number", gold(task, "street")),
        fill("Postcode", gold(task, "postcode")),
        fill("City", gold(task, "city")),
        tick("Send me the harbour letter once a month", on=False),
        button("Save details"),
    ]


def _new_password(_: Task) -> Sequence[Action]:
    return [
        link("Account"),
        fill("Current password", "anchor-tide-7"),
        fill("New password", "lantern-quay-42"),
        fill("Repeat new password", "lantern-quay-42"),
        button("Change password"),
    ]


def _right_size(_: Task) -> Sequence[Action]:
    return [link("Size guide"), tab(0), *add_to_cart("harbour", size="L")]


def _buy_again(task: Task) -> Sequence[Action]:
    return [
        link("HP-2389"),
        link("Harbour Flask 0.75 l"),
        *add_to_cart("pine"),
        search("camp mug"),
        link("Ember Camp Mug"),
        *add_to_cart("rust", 4),
        fill("Promotion code", "TIDE10"),
        button("Use code"),
        link("Go to checkout"),
        *_address(task),
        radio("Pick up at the harbour store"),
        radio("Invoice"),
        tick("I accept the terms of sale"),
        button("Place order"),
    ]


def _birthday_present(task: Task) -> Sequence[Action]:
    return [
        search("wool blanket"),
        fill("To", "100", "spinbutton"),
        button("Apply filters"),
        link("Bothy Wool Blanket"),
        *add_to_cart("heather"),
        link("Go to checkout"),
        *_address(task),
        radio("Express delivery"),
        tick("Gift wrap for $3.50"),
        fill("Note for the courier", gold(task, "note")),
        fill("Card number", "4242 4242 4242 4242"),
        fill("Expires", "08/29"),
        fill("Security code", "118"),
        tick("I accept the terms of sale"),
        button("Place order"),
    ]


def _address(task: Task) -> Sequence[Action]:
    return [
        fill("Full name", gold(task, "recipient")),
        fill("E-mail address", gold(task, "e-mail")),
        fill("Street and number", gold(task, "street")),
        fill("Postcode", gold(task, "postcode")),
        fill("City", gold(task, "city")),
        choose("Country", gold(task, "country")),
    ]


def annotate(task: Task) -> Sequence[Action]:
    """Look the product up where the task is about one, then fill each field with a wanted value."""
    from webbench.benchmarks.sample_sites.annotation.jobs import jobs

    moves: list[Action] = []
    if task.name == "product-sheet":
        product = "Fyr Storm Lantern" if task.instance == 0 else "Islet Table Lamp"
        moves += [tab(1), search(product), link(product), tab(0)]
    moves.append(click("DisclosureTriangle", "Instructions"))
    rules = {rule["name"]: rule for rule in task.gold["checks"]}
    for field in jobs()[task.name]["fields"]:
        moves += _field_moves(field, rules[field["name"]])
    return [*moves, button("Submit answers")]


def _field_moves(field: JsonObject, rule: JsonObject) -> Sequence[Action]:
    wanted = rule["expected"]
    match field["kind"]:
        case "radio":
            return [radio(wanted[0])]
        case "checkbox":
            return [tick(option) for option in wanted]
        case "select":
            return [choose(field["label"], wanted[0])]
        case "range":
            return [slide(field["label"], wanted[0])]
        case _:
            return [fill(field["label"], rule.get("example", _written(wanted[0])))]


def _written(value: str | float) -> str:
    """A wanted value as a person writes it: whole numbers bare, others with two decimals."""
    if isinstance(value, str):
        return value
    return f"{value:.2f}" if isinstance(value, float) else str(value)


SHOP: dict[str, Callable[[Task], Sequence[Action]]] = {
    "open-product": _open_product,
    "price-of-lantern": _price_of_lantern,
    "cheapest-bag": _cheapest_bag,
    "camp-mugs": _camp_mugs,
    "order-total": _order_total,
    "start-over": _start_over,
    "home-wishes": _home_wishes,
    "write-review": _write_review,
    "moved-house": _moved_house,
    "new-password": _new_password,
    "right-size": _right_size,
    "buy-again": _buy_again,
    "birthday-present": _birthday_present,
}
