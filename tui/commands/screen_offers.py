"""What a screen may offer to those who show it: to the footer, the help and the commands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from textual.screen import Screen

from webbench.core.dialects.dialect import Dialect


class ScreenOffers:
    """Nothing, unless a screen says so."""

    @property
    def at_hand(self) -> Mapping[str, str]:
        """What is under its cursor, or chosen, by what that is: "run", "episode", "benchmark".

        Of several the words stand behind each other.
        """
        return {}

    @property
    def dialect(self) -> Dialect | None:
        """How actions are written on it."""
        return None

    @property
    def footer_ranks(self) -> Mapping[str, int]:
        """By action: its importance in the footer, where it isn't the action's own."""
        return {}

    @property
    def footer_titles(self) -> Mapping[str, str]:
        """By action: what the footer and the help call it, where that isn't the action's own title."""
        return {}

    def matters(self, id: str) -> bool:
        """Whether the action means something now, so that the footer shows it."""
        return True


def offers(screen: Screen[Any]) -> ScreenOffers:
    return screen if isinstance(screen, ScreenOffers) else ScreenOffers()
