"""The command palette: what can be done from the screen, and every command of the program, found by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from textual.command import DiscoveryHit, Hit, Hits, Provider

from webbench.tui.commands import BY_ID
from webbench.tui.commands.forms import Path
from webbench.tui.commands.screen_offers import offers
from webbench.tui.destinations import CommandForm, go_to
from webbench.tui.screens.dialogs.key_groups import Reach, commands_here, reachable_actions
from webbench.tui.workbench import workbench

IMPORTANT = 9
"""Rank below which an action of the screen comes before its commands."""
Offer = tuple[str, Callable[[], Any], str]
"""Label, what it does, and a sentence."""


class UserActionProvider(Provider):
    """What the screen is for comes first: its actions, its commands; then the rest; cursor keys last."""

    async def discover(self) -> Hits:
        for label, run, told in self._offers():
            yield DiscoveryHit(label, run, help=told)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for label, run, told in self._offers():
            score = matcher.match(label)
            if score > 0:
                yield Hit(score, matcher.highlight(label), run, help=told)

    def _offers(self) -> Iterator[Offer]:
        actions = reachable_actions(self.screen)
        first = [one for one in actions if not one.moves and 0 < one.rank < IMPORTANT]
        first.sort(key=lambda one: one.importance)
        here, others = self._commands()
        moves = [one for one in actions if one.moves]
        yield from map(self._action, first)
        yield from here
        yield from (self._action(one) for one in actions if one not in first and one not in moves)
        yield from others
        yield from map(self._action, moves)

    def _action(self, one: Reach) -> Offer:
        return f"{one.title} ({one.keys})", partial(self.app.run_action, *one.run), one.help

    def _commands(self) -> tuple[list[Offer], list[Offer]]:
        """Those that go with the screen, and the others; none where they may not be run."""
        from webbench.tui.cli.listed_commands import every_path

        if not self.app.check_action(BY_ID["app.commands"].action, ()):
            return [], []
        here = commands_here(self.screen)
        rest = (path for path in every_path() if path not in here)
        return [self._command(path) for path in here], [self._command(path) for path in rest]

    def _command(self, path: Path) -> Offer:
        from webbench.tui.cli.listed_commands import summary

        store = workbench(self.screen).opening.store
        asked = CommandForm(path, store, offers(self.screen).at_hand)
        return f"{' '.join(path)} …", partial(go_to, self.screen, asked), summary(path)
