"""What the agent wants to do next, waiting for a person to accept, edit or reject it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from webbench.core.engine.messages import Proposed
from webbench.core.observation import AccessibilityNode
from webbench.core.plain_text import plain_text
from webbench.tui.commands import bindings, shown_key
from webbench.tui.widgets.action_verdict import node_words
from webbench.tui.widgets.glyphs import glyphs_of


class ProposalBar(Static, can_focus=True):
    """Hidden while there is no proposal; takes Enter, `e` and `x` while it has the focus."""

    DEFAULT_CSS = """
    ProposalBar {
        height: auto; max-height: 6; padding: 0 1; border: round $accent; background: $surface;
        border-title-color: $accent; border-subtitle-color: $foreground-muted; display: none;
        &:focus { border: heavy $accent; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("proposal")]

    @dataclass
    class Accepted(Message):
        text: str

    @dataclass
    class EditRequested(Message):
        text: str

    @dataclass
    class Rejected(Message):
        text: str

    def __init__(self, **names: Any) -> None:
        super().__init__(markup=False, **names)
        self._text = ""

    def show(self, proposal: Proposed | None, agent: str, target: AccessibilityNode | None = None) -> None:
        """Show a proposal with the node it is about, or hide when it is None."""
        self.display = proposal is not None
        if proposal is None:
            return
        self._text = proposal.text
        glyphs = glyphs_of(self)
        lines = [Content.styled(plain_text(proposal.text or "(no action)", limit=400), "bold")]
        if target is not None:
            lines.append(Content.styled(f"{glyphs.arrow} {node_words(target)}", "$text-success"))
        if proposal.error:
            lines.append(Content.styled(f"{glyphs.failed} {plain_text(proposal.error)}", "$text-error"))
        if proposal.proposal.reasoning:
            lines.append(Content.styled(plain_text(proposal.proposal.reasoning, limit=400), "$text-muted"))
        self.update(Content("\n").join(lines))
        self.border_title = Content(f"{plain_text(agent, limit=40) or 'agent'} proposes")
        keys = (f"{shown_key(self.app, f'proposal.{name}')} {name}s" for name in ("accept", "edit", "reject"))
        self.border_subtitle = Content(" · ".join(keys))

    def action_accept(self) -> None:
        self.post_message(self.Accepted(self._text))

    def action_edit(self) -> None:
        self.post_message(self.EditRequested(self._text))

    def action_reject(self) -> None:
        self.post_message(self.Rejected(self._text))
