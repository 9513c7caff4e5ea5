"""The risk of an action: what it would set off, as its page tells, and the rule that it falls under."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from webbench.core.action import action as a
from webbench.core.guards.approval import presses_enter
from webbench.core.guards.rules import Rule, broken, plain_address, plain_words
from webbench.core.guards.targets import aimed_at
from webbench.core.observation import Observation

SETTING_OFF = (
    *(a.Click, a.ClickAt, a.Check, a.Select, a.Drag, a.DragAt, a.Submit),
    *(a.MouseDown, a.MouseUp, a.Upload, a.UploadAt),
)
"""Actions that set off what they are aimed at; pointing, scrolling and typing don't.

An upload clicks what is no file field.
"""


class Control(msgspec.Struct, frozen=True):
    """A thing on a page that is pressed: its role, and all that it is called."""

    role: str
    texts: tuple[str, ...] = ()


class Purpose(msgspec.Struct, frozen=True):
    """What stands where an action is aimed at, looked up in the page just before.

    Attributes:
        controls: the element, what holds it, and the button that sends its form.
        addresses: where a link leads, and where a form is sent.
    """

    controls: tuple[Control, ...] = ()
    addresses: tuple[str, ...] = ()


class Risk(msgspec.Struct, frozen=True):
    """`rule` is its name, `found` what falls under it, in words."""

    rule: str
    found: str

    @property
    def words(self) -> str:
        return f"{self.rule} ({self.found})"


class Rules(msgspec.Struct, frozen=True):
    """Of words that a control has, and of addresses that it leads to."""

    words: tuple[Rule, ...] = ()
    addresses: tuple[Rule, ...] = ()

    def of_address(self, url: str) -> Risk | None:
        rule = broken(self.addresses, plain_address(url))
        return Risk(rule, url[:_SHOWN]) if rule else None


_SHOWN = 120


def sets_off(action: a.Action) -> bool:
    """Whether it may set off what it is aimed at."""
    return isinstance(action, SETTING_OFF) or presses_enter(action)


def risk_of(action: a.Action, purpose: Purpose, page: Observation, rules: Rules) -> Risk | None:
    """The rule that an action falls under: by what it is aimed at, the dialog it accepts, or an address."""
    for role, text in _set_off(action, purpose, page):
        if rule := broken(rules.words, plain_words(text)):
            return Risk(rule, f'{role} "{text[:_SHOWN]}"'.strip())
    addresses = (*_addresses(action), *purpose.addresses)
    return next((risk for url in addresses if (risk := rules.of_address(url))), None)


def _addresses(action: a.Action) -> Iterator[str]:
    if isinstance(action, a.Goto | a.NewTab) and action.url:
        yield action.url


def _set_off(action: a.Action, purpose: Purpose, page: Observation) -> Iterator[tuple[str, str]]:
    """Roles and texts of what it would set off."""
    if isinstance(action, a.AnswerDialog):
        if action.accept and page.dialog is not None:
            yield f"{page.dialog.kind} dialog", page.dialog.message
        return
    for control in purpose.controls:
        yield from ((control.role, text) for text in control.texts)
    if sets_off(action):
        yield from _seen(action, page)


def _seen(action: a.Action, page: Observation) -> Iterator[tuple[str, str]]:
    """What the observation says of its target, for what a page could not be asked about."""
    for node in aimed_at(action, page):
        if node.interactive or node.role == "StaticText":
            yield node.role, node.name
    target = a.target_of(action)
    if target is not None and target.name:
        yield target.role, target.name


def controls_of(purposes: Sequence[Purpose]) -> Purpose:
    """Several places taken together."""
    return Purpose(
        tuple(control for one in purposes for control in one.controls),
        tuple(url for one in purposes for url in one.addresses),
    )
