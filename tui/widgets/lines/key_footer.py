"""The few keys that matter now, in one line; a click presses them."""

from __future__ import annotations

from typing import Any, ClassVar

from rich.cells import cell_len
from textual import events
from textual.dom import DOMNode
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from webbench.tui.commands import BY_ID, key_sign
from webbench.tui.commands.screen_offers import offers
from webbench.tui.widgets.lines.component_style import component_style
from webbench.tui.widgets.lines.line import Line

MOST = 8
LASTING = 9
"""Rank from which an action keeps its place however narrow the footer is: the way back, and help."""
Hint = tuple[str, str, tuple[str, DOMNode]]
"""Key, title, and (action, namespace) as `App.run_action` takes them."""


class KeyFooter(Widget):
    """Follows the focus.

    A screen may leave actions out with a method `matters(id) -> bool`, and give some another title or rank
    with `footer_titles` and `footer_ranks`.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"key-footer--key", "key-footer--title"}

    DEFAULT_CSS = """
    KeyFooter {
        dock: bottom;
        height: 1;
        background: $footer-background;
        & > .key-footer--key { color: $footer-key-foreground; text-style: bold; }
        & > .key-footer--title { color: $foreground-muted; }
    }
    """

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._ends: list[tuple[int, tuple[str, DOMNode]]] = []

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._bindings_changed)

    def _bindings_changed(self, _screen: Screen[object]) -> None:
        self.refresh()

    def hints(self, width: int) -> list[Hint]:
        """What is shown at a width: by rank as many as fit; the way back and help are always among them."""
        ranked = sorted(self._candidates(), key=lambda entry: entry[0])
        lasting = [hint for rank, hint in ranked if rank >= LASTING]
        others = [hint for rank, hint in ranked if rank < LASTING][: max(0, MOST - len(lasting))]
        while others and sum(hint_width(hint) for hint in (*others, *lasting)) > width:
            others.pop()
        return [*others, *lasting]

    def _candidates(self) -> list[tuple[int, Hint]]:
        offered = offers(self.screen)
        found: dict[str, tuple[int, Hint]] = {}
        for key, active in self.screen.active_bindings.items():
            binding = active.binding
            action = BY_ID.get(binding.id or "")
            if action is None or not action.rank or not active.enabled or action.id in found:
                continue
            if offered.matters(action.id):
                shown = binding.key_display or key_sign(self.app, key, short=True)
                title = offered.footer_titles.get(action.id, action.title)
                rank = offered.footer_ranks.get(action.id, action.rank)
                found[action.id] = rank, (shown, title, (binding.action, active.node))
        return list(found.values())

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        line = Line(width)
        key_style, title_style = (component_style(self, f"key-footer--{name}") for name in ("key", "title"))
        self._ends = []
        for key, title, run in self.hints(width):
            line.add(f" {key} ", key_style).add(f"{title} ", title_style)
            self._ends.append((width - line.room, run))
        return line.strip(self.rich_style)

    async def on_click(self, event: events.Click) -> None:
        for end, run in self._ends:
            if event.x < end:
                await self.app.run_action(*run)
                return


def hint_width(hint: Hint) -> int:
    return cell_len(hint[0]) + cell_len(hint[1]) + 3
