"""Groups of keys that work from where the focus is: the one list behind help screen and palette."""

from __future__ import annotations

from typing import NamedTuple

from textual.app import App
from textual.dom import DOMNode
from textual.screen import Screen

from webbench.tui.commands import BY_ID, key_sign
from webbench.tui.commands.forms import COMMANDS_OF, Path
from webbench.tui.commands.screen_offers import offers

MOVES = ("move(", "page(", "half_page(", "first", "last", "scroll", "cursor", "page_", "app.focus_")
"""How actions begin that only move the cursor or the view."""
LAST = 101
"""Rank of keys that stand for one of many, such as the codes from 2 on."""
Rows = list[tuple[str, str]]
EVERYWHERE = 2
"""After 0, the screen, and 1, its parts."""


class Reach(NamedTuple):
    """An action that a key reaches now.

    Attributes:
        run: (action, namespace) as `App.run_action` takes them.
        rank: in the footer, 0 where it matters little now, less for what is no action of ours.
    """

    keys: str
    title: str
    help: str
    run: tuple[str, DOMNode]
    rank: int

    @property
    def moves(self) -> bool:
        """Whether it only moves the cursor, or is Textual's own."""
        return self.run[0].startswith(MOVES) or self.rank < 0

    @property
    def order(self) -> tuple[bool, int, int]:
        """What the screen is for, by importance; its parts; what works everywhere; cursor keys last."""
        return self.moves, self._place, self.rank or (LAST if self.keys.isdigit() else LAST - 1)

    @property
    def importance(self) -> tuple[bool, int, int]:
        """As in the footer: of the screen and the part in focus together, then what works everywhere."""
        return self._place == EVERYWHERE, self.rank, self._place

    @property
    def _place(self) -> int:
        node = self.run[1]
        return EVERYWHERE if isinstance(node, App) else 0 if isinstance(node, Screen) else 1


def reachable_actions(screen: Screen[object]) -> list[Reach]:
    """Every action that a key reaches now, in their order; re-bound keys are the new ones."""
    keys: dict[tuple[DOMNode, str], list[str]] = {}
    shown: dict[tuple[DOMNode, str], tuple[str, str, int]] = {}
    offered = offers(screen)
    ranks, titles = offered.footer_ranks, offered.footer_titles
    for key, active in screen.active_bindings.items():
        binding = active.binding
        if binding.system or not binding.description or not active.enabled:
            continue
        place = (active.node, binding.action)
        keys.setdefault(place, []).append(binding.key_display or key_sign(screen.app, key))
        known = BY_ID.get(binding.id or "")
        told = active.tooltip or binding.tooltip or binding.description
        rank = -1 if known is None else ranks.get(known.id, known.rank) if offered.matters(known.id) else 0
        shown[place] = titles.get(binding.id or "", binding.description), told, rank
    found = [
        Reach(" ".join(dict.fromkeys(keys[place])), title, told, (place[1], place[0]), rank)
        for place, (title, told, rank) in shown.items()
    ]
    return sorted(found, key=lambda one: one.order)


def commands_here(screen: Screen[object]) -> tuple[Path, ...]:
    """The commands that go with what the screen is for, by their words; a benchmark's own ones first."""
    from webbench.tui.cli.listed_commands import GROUPS

    active = screen.active_bindings.values()
    scopes = {str(one.binding.id).partition(".")[0] for one in active if one.node is screen}
    benchmark = offers(screen).at_hand.get("benchmark", "")
    own = GROUPS[benchmark].commands if benchmark in GROUPS else ()
    for_all = next((COMMANDS_OF[scope] for scope in COMMANDS_OF if scope in scopes), ())
    return (*((benchmark, name) for name in own), *for_all)


def help_groups(screen: Screen[object]) -> list[tuple[str, Rows]]:
    """(heading, [(keys, what they do)]): the screen, its focused parts, everywhere; moving comes last."""
    groups: dict[str, Rows] = {}
    for one in reachable_actions(screen):
        text = one.title if one.help == one.title else f"{one.title} · {one.help}"
        heading = "Moving" if one.moves else _heading(one.run[1])
        groups.setdefault(heading, []).append((one.keys, text))
    return list(groups.items())


def command_rows(screen: Screen[object]) -> Rows:
    """The commands that go with the screen, and what each does."""
    from webbench.tui.cli.listed_commands import summary

    return [(" ".join(path), summary(path)) for path in commands_here(screen)]


def _heading(node: DOMNode) -> str:
    if isinstance(node, App):
        return "Everywhere"
    name = type(node).__name__.removesuffix("Screen")
    return "".join(f" {char.lower()}" if char.isupper() and at else char for at, char in enumerate(name))
