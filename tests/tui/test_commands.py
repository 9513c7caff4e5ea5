"""The registry of user actions: complete, without clashes, re-bindable."""

from __future__ import annotations

import importlib
import pkgutil
from collections import Counter
from pathlib import Path

import pytest
from textual.binding import Binding
from textual.dom import DOMNode
from textual.pilot import Pilot

import webbench.tui
from tests.tui.recorded_page import TASK, episode
from tests.tui.silent_engine import SilentLink, first_screen
from webbench.core.settings.settings import Settings
from webbench.tui.app import WorkbenchApp
from webbench.tui.commands import BY_ID, SCOPES, UserAction
from webbench.tui.opening import Opening
from webbench.tui.screens.dialogs.key_groups import help_groups
from webbench.tui.widgets.lines.key_footer import LASTING, MOST, KeyFooter, hint_width
from webbench.tui.widgets.tree.accessibility_tree import AccessibilityTree


def our_classes() -> list[type[DOMNode]]:
    for module in pkgutil.walk_packages(webbench.tui.__path__, "webbench.tui."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    found: list[type[DOMNode]] = []
    waiting: list[type[DOMNode]] = [DOMNode]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if kind.__module__.startswith("webbench."):
            found.append(kind)
    return sorted(set(found), key=lambda kind: kind.__name__)


def test_every_binding_of_ours_comes_from_the_registry() -> None:
    classes = our_classes()
    assert len(classes) > 20
    for kind in classes:
        for binding in vars(kind).get("BINDINGS", ()):
            assert isinstance(binding, Binding), kind
            assert binding.id in BY_ID, (kind, binding)


def test_ids_are_unique_and_name_their_scope() -> None:
    ids = Counter(action.id for scope in SCOPES.values() for action in scope)
    assert [name for name, count in ids.items() if count > 1] == []
    for scope, actions in SCOPES.items():
        assert {action.id.split(".")[0] for action in actions} == {scope}


@pytest.mark.parametrize("scope", SCOPES)
def test_no_two_actions_of_a_scope_share_a_key(scope: str) -> None:
    keys = Counter(key for action in SCOPES[scope] for key in action.keys.split(","))
    assert [key for key, count in keys.items() if count > 1] == []


def test_every_action_exists_where_it_is_bound() -> None:
    for kind in our_classes():
        for binding in vars(kind).get("BINDINGS", ()):
            name = binding.action.split("(")[0]
            if "." not in name:
                assert hasattr(kind, f"action_{name}"), (kind, binding.action)


def opened(keys: dict[str, str]) -> WorkbenchApp:
    opening = Opening(store=Path("/nowhere"), task=TASK)
    return WorkbenchApp(opening, Settings(keys=keys), link=SilentLink())


async def shown(pilot: Pilot[None]) -> None:
    """Have the application show the recorded episode."""
    assert isinstance(pilot.app, WorkbenchApp)
    assert isinstance(pilot.app.link, SilentLink)
    for event in episode():
        pilot.app.link.happen(event)
    await pilot.pause()


async def test_a_re_bound_key_works_and_help_and_footer_show_it() -> None:
    app = opened({"tree.interactive": "I,ctrl+g", "stepper.act": "B", "stepper.task": "ctrl+o"})
    async with app.run_test(size=(160, 48)) as pilot:
        await first_screen(pilot)
        await shown(pilot)
        tree = app.screen.query_one(AccessibilityTree)
        await pilot.press("i")
        assert not tree.filter.interactive
        await pilot.press("ctrl+g")
        assert tree.filter.interactive
        keys = {text: shown for _, rows in help_groups(app.screen) for shown, text in rows}
        assert next(shown for text, shown in keys.items() if text.startswith("Interactive")) == "I ctrl+g"
        assert ("B", "Write") in [hint[:2] for hint in app.screen.query_one(KeyFooter).hints(160)]


async def test_a_key_of_an_unknown_action_is_reported() -> None:
    app = opened({"tree.fly": "F"})
    async with app.run_test() as pilot:
        await first_screen(pilot)
        assert any("tree.fly" in note.message for note in app._notifications)


@pytest.mark.parametrize("width", [80, 160])
async def test_the_footer_shows_few_keys_and_always_help(width: int) -> None:
    app = opened({})
    async with app.run_test(size=(width, 24)) as pilot:
        await first_screen(pilot)
        await shown(pilot)
        for key in ("escape", "b", "escape", "tab", "tab"):
            hints = app.screen.query_one(KeyFooter).hints(width)
            assert 3 <= len(hints) <= MOST
            assert sum(hint_width(hint) for hint in hints) <= width
            assert hints[-1][1] == BY_ID["app.help"].title
            if key != "escape":
                await pilot.press(key)
            if key == "b":
                assert ("⏎", "Send") in [hint[:2] for hint in app.screen.query_one(KeyFooter).hints(width)]


def test_the_way_back_is_in_the_footer_of_every_screen() -> None:
    back = [action for action in BY_ID.values() if action.keys == "q,escape"]
    assert len(back) > 8
    assert [action.id for action in back if action.rank < LASTING] == []


async def test_at_80_columns_the_footer_tells_how_the_task_is_ended() -> None:
    app = opened({})
    async with app.run_test(size=(80, 24)) as pilot:
        await first_screen(pilot)
        await shown(pilot)
        ends = BY_ID["stepper.submit"].keys.split(",")[0]
        assert ends in [hint[0] for hint in app.screen.query_one(KeyFooter).hints(80)]


def test_an_action_says_what_it_does() -> None:
    assert all(isinstance(action, UserAction) and action.title for action in BY_ID.values())
