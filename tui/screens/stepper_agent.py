"""The stepper's side of an agent: choose it, have it propose, accept, edit, reject, run, pause."""

from __future__ import annotations

from webbench.core.action import target_of
from webbench.core.dialects.contract import ParseError
from webbench.core.engine import messages
from webbench.core.observation import AccessibilityNode
from webbench.core.plain_text import plain_text
from webbench.tui.agent_choices import agent_choices
from webbench.tui.commands import shown_key
from webbench.tui.screens.prompt import ChoicePrompt, TextPrompt
from webbench.tui.screens.stepper_live import LiveEpisode
from webbench.tui.widgets.accessibility_tree import AccessibilityTree
from webbench.tui.widgets.action_bar import ActionBar
from webbench.tui.widgets.action_verdict import field_node, judge_action
from webbench.tui.widgets.key_footer import KeyFooter
from webbench.tui.widgets.proposal_bar import ProposalBar
from webbench.tui.widgets.screenshot import ScreenshotView
from webbench.tui.widgets.title_line import TitleLine

NEEDS_OPTIONS = {
    "command": "Which program? It gets one observation per JSON line and answers one action per line.",
    "replay": "Which recorded episode?",
}


class AgentControls(LiveEpisode):
    """What an agent wants and does, and what a person makes of it."""

    def show_agent(self, event: messages.Event) -> None:
        """Render what the engine says of the agent."""
        match event:
            case messages.Proposed():
                self._proposed = ""
                self.show_proposal(None if self.state.agent_running else event)
            case messages.AgentChanged():
                self.query_one(TitleLine).agent = (event.name, event.running)
                self.query_one(KeyFooter).refresh()
            case _:
                return

    def show_proposal(self, proposal: messages.Proposed | None) -> None:
        """Show what waits for a person, outlined in tree and picture; None when nothing does."""
        bar = self.query_one(ProposalBar)
        if proposal is None:
            had_focus = bar.has_focus
            bar.show(None, "")
            if had_focus:
                self.focus_pane()
            return
        target = self._target_of(proposal)
        bar.show(proposal, self.state.agent, target)
        if target is not None:
            self.query_one(AccessibilityTree).focus_id(target.id)
            self.query_one(ScreenshotView).focused_id = target.id
        if not self.query_one(ActionBar).has_focus_within:
            bar.focus()

    def _target_of(self, proposal: messages.Proposed) -> AccessibilityNode | None:
        """The node on the page that the proposal is about, whichever way it names it."""
        nodes = self.state.observation.by_id() if self.state.observation else {}
        judged = judge_action(proposal.text, self.dialect, nodes)
        if judged.node is not None:
            return judged.node
        action = proposal.proposal.action or self.dialect.parse(proposal.text)
        target = None if isinstance(action, ParseError) else target_of(action)
        return field_node(target, nodes.values()) if target is not None else None

    def action_choose_agent(self) -> None:
        choices = [*agent_choices(self.task_data.benchmark), ("", "none: only me")]
        self.app.push_screen(ChoicePrompt("Which agent?", choices), self._agent_chosen)

    def _agent_chosen(self, name: str | None) -> None:
        if name is None:
            return
        if name not in NEEDS_OPTIONS:
            self._send_soon(messages.ChooseAgent(spec=name))
            return

        def given(options: str | None) -> None:
            if options:
                self._send_soon(messages.ChooseAgent(spec=f"{name} {options}"))

        self.app.push_screen(TextPrompt(NEEDS_OPTIONS[name]), given)

    def _agent_can(self) -> bool:
        """Whether an agent could act now; says why not."""
        if self.state.ended:
            again = shown_key(self.app, "stepper.restart")
            self.notify(
                f"The episode has ended: {plain_text(self.state.ended)}. {again} starts again.", markup=False
            )
        elif not self.state.agent:
            chooses = shown_key(self.app, "stepper.agent")
            self.notify(f"No agent is chosen: {chooses} chooses one.", markup=False)
        else:
            return True
        return False

    def action_propose(self) -> None:
        if self._agent_can():
            self._send_soon(messages.AskAgent())

    def action_run_or_pause(self) -> None:
        if self.state.agent_running:
            self._send_soon(messages.PauseAgent())
        elif self._agent_can():
            self.show_proposal(None)
            self._send_soon(messages.RunAgent())

    def on_proposal_bar_accepted(self, message: ProposalBar.Accepted) -> None:
        if not message.text:
            asks = shown_key(self.app, "stepper.propose")
            self.notify(f"The agent gave no action to accept; {asks} asks it again.", markup=False)
            return
        self._send_soon(messages.SendAction(text=message.text, actor="agent"))

    def on_proposal_bar_edit_requested(self, message: ProposalBar.EditRequested) -> None:
        self._proposed = message.text
        self.query_one(ProposalBar).show(None, "")
        self.edit_action(message.text)

    def on_proposal_bar_rejected(self, message: ProposalBar.Rejected) -> None:
        def given(reason: str | None) -> None:
            if reason is None:
                return
            self.show_proposal(None)
            self._send_soon(messages.RejectProposal(reason=reason))

        question = f"Why not {plain_text(message.text, limit=200)}? (the reason is recorded)"
        self.app.push_screen(TextPrompt(question), given)
