"""What the agent wants to do next, waiting for a person to accept, pick, edit or reject it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from webbench.core.engine.wire.messages import Proposed
from webbench.core.episode.candidates import WordedCandidate
from webbench.core.observation import AccessibilityNode
from webbench.core.text.plain_text import plain_clip, plain_text
from webbench.tui.commands import bindings, shown_key
from webbench.tui.widgets.fields.action_verdict import node_words
from webbench.tui.widgets.lines.glyphs import glyphs_of

AT_ONCE = 4
"""Candidates that are shown at a time; on a small screen the page needs the rest of the room."""


MOST_LINES = 7
_RAGGED = 8
"""Cells that the end of a wrapped line leaves empty, about."""


class ProposalBar(Static, can_focus=True):
    """Hidden while there is no proposal; takes Enter, `e`, `x` and the arrows while it has the focus."""

    DEFAULT_CSS = """
    ProposalBar {
        height: auto; max-height: 9; padding: 0 1; border: round $accent; background: $surface;
        border-title-color: $accent; border-subtitle-color: $foreground-muted; display: none;
        &:focus { border: heavy $accent; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("proposal")]

    @dataclass
    class Accepted(Message):
        candidate: WordedCandidate

    @dataclass
    class EditRequested(Message):
        text: str

    @dataclass
    class Rejected(Message):
        text: str

    @dataclass
    class CandidateFocused(Message):
        """Another candidate is looked at; `target` is what it is about, None where that isn't known."""

        target: AccessibilityNode | None

    def __init__(self, **names: Any) -> None:
        super().__init__(markup=False, **names)
        self._candidates: Sequence[WordedCandidate] = ()
        self._targets: Sequence[AccessibilityNode | None] = ()
        self._at = 0
        self._reasoning = ""

    @property
    def candidate(self) -> WordedCandidate:
        """The one that is looked at; an empty one where the agent gave none."""
        return self._candidates[self._at] if self._candidates else WordedCandidate(text="")

    @property
    def target(self) -> AccessibilityNode | None:
        """What it is about."""
        return self._targets[self._at] if self._targets else None

    @property
    def several(self) -> bool:
        """There is more than one candidate to choose from."""
        return len(self._candidates) > 1

    def show(
        self,
        proposal: Proposed | None,
        agent: str = "",
        targets: Sequence[AccessibilityNode | None] = (),
        policy: str = "",
    ) -> None:
        """Show a proposal with the nodes that its candidates are about, or hide when it is None.

        Args:
            policy: name of the policy by which the person is asked.
        """
        self.display = proposal is not None
        if proposal is None:
            return
        whole = WordedCandidate(text=proposal.text, error=proposal.error)
        self._candidates = proposal.candidates or (whole,)
        self._targets, self._at = targets, 0
        self._reasoning = proposal.proposal.reasoning
        who = plain_text(agent, limit=40) or "agent"
        title = f"{who} waits for you: {_question(proposal.asked)}" if proposal.asked else f"{who} proposes"
        if not self._candidates[0].text:
            title = f"{who} gave no action"
        self.border_title = Content(f"{title} · policy: {policy}" if policy else title)
        self._render_candidates()

    def _render_candidates(self) -> None:
        several = self.several
        first = min(max(0, self._at - AT_ONCE + 1), max(0, len(self._candidates) - AT_ONCE))
        shown = range(first, min(first + AT_ONCE, len(self._candidates)))
        lines = [self._line(number) for number in shown] if several else [self._action()]
        self.update(Content("\n").join([*lines, *self._about()]))
        keys = self._keys()
        if several:
            place = f"{self._at + 1} of {len(self._candidates)}"
            keys.append(f"{shown_key(self.app, 'proposal.next')} {place}")
        self.border_subtitle = Content(" · ".join(keys))

    def _keys(self) -> list[str]:
        """What can be done, each with its key."""
        if not self.candidate.text:
            asks, runs = (shown_key(self.app, f"stepper.{name}") for name in ("propose", "run"))
            return [f"{asks} asks it again", f"{runs} lets it go on"]
        return [f"{shown_key(self.app, f'proposal.{name}')} {name}s" for name in ("accept", "edit", "reject")]

    def _action(self) -> Content:
        return Content.styled(plain_text(self.candidate.text or "(no action)", limit=400), "bold")

    def _line(self, number: int) -> Content:
        """One candidate of several."""
        one, here = self._candidates[number], number == self._at
        glyphs = glyphs_of(self)
        score = f"  ({one.score:g})" if one.score is not None else ""
        sign = glyphs.folded if here else " "
        text = f"{sign} {number + 1} {plain_text(one.text or '(no action)', limit=200)}{score}"
        target = self._targets[number] if number < len(self._targets) else None
        about = f"  {glyphs.arrow} {node_words(target)}" if target is not None else ""
        line = Content.styled(text, "bold" if here else "$text-muted")
        return line + Content.styled(about, "$text-success" if here else "$text-muted")

    def _about(self) -> list[Content]:
        """What the candidate in focus is about, what speaks against it, and why the agent wants it."""
        one, glyphs = self.candidate, glyphs_of(self)
        lines = []
        if self.target is not None and not self.several:
            lines.append(Content.styled(f"{glyphs.arrow} {node_words(self.target)}", "$text-success"))
        if one.guard:
            told = f"{glyphs.warning} guard: {plain_text(one.guard, limit=160)}, to be confirmed by you"
            lines.append(Content.styled(told, "bold $text-warning"))
        if one.error:
            lines.append(Content.styled(f"{glyphs.failed} {plain_text(one.error)}", "$text-error"))
        reasoning = one.reasoning or (self._reasoning if self._at == 0 else "")
        if reasoning:
            lines.append(Content.styled(self._fitting(reasoning, len(lines)), "$text-muted"))
        return lines

    def _fitting(self, reasoning: str, lines_before: int) -> str:
        """As much as there is room for below the candidates and other lines, with a sign where it is cut."""
        candidates = min(len(self._candidates), AT_ONCE)
        width = max(20, (self.size.width or self.app.size.width - 4) - _RAGGED)
        return plain_clip(reasoning, width * max(1, MOST_LINES - candidates - lines_before))

    def action_move(self, rows: int) -> None:
        self._at = min(max(self._at + rows, 0), len(self._candidates) - 1)
        self._render_candidates()
        self.post_message(self.CandidateFocused(self.target))

    def action_accept(self) -> None:
        self.post_message(self.Accepted(self.candidate))

    def action_edit(self) -> None:
        self.post_message(self.EditRequested(self.candidate.text))

    def action_reject(self) -> None:
        self.post_message(self.Rejected(self.candidate.text))


def _question(asked: str) -> str:
    """Why the person is asked, as half a sentence."""
    return "the guard asks" if asked.startswith("guard: ") else f"it {asked}" if " " not in asked else asked
