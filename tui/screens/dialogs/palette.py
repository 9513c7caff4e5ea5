"""The command palette: every user action that can be reached from the screen, found by name."""

from __future__ import annotations

from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider

from webbench.tui.screens.dialogs.key_groups import reachable_actions


class UserActionProvider(Provider):
    """Offers the bindings of the focused widget, its screen and the application."""

    async def discover(self) -> Hits:
        for key, title, help_text, run in reachable_actions(self.screen):
            yield DiscoveryHit(f"{title} ({key})", partial(self.app.run_action, *run), help=help_text)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for key, title, help_text, run in reachable_actions(self.screen):
            label = f"{title} ({key})"
            score = matcher.match(label)
            if score > 0:
                yield Hit(score, matcher.highlight(label), partial(self.app.run_action, *run), help=help_text)
