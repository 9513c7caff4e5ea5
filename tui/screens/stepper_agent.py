"""The stepper's side of an agent: choose it, have it propose, accept, edit, reject, run, pause."""

from __future__ import annotations

from webbench.core.action import target_of
from webbench.core.dialects.contract import ParseError
from webbench.core.engine import messages
from webbench.core.engine.worded import Worded
from webbench.core.guards.aimed_at import aimed_at
from webbench.core.guards.approval import APPROVALS, MEANINGS, Approval
from webbench.core.observation import AccessibilityNode
from webbench.core.plain_text import plain_text
from webbench.tui.agent_choices import agent_choices
from webbench.tui.commands import shown_key
from webbench.tui.screens.agent_prompt import AgentPrompt
from webbench.tui.screens.prompt import ChoicePrompt, TextPrompt
from webbench.tui.screens.stepper_live import LiveEpisode
from webbench.tui.widgets.accessibility_tree import AccessibilityTree
from webbench.tui.widgets.action_bar import ActionBar
from webbench.tui.widgets.action_verdict import field_node, judge_action
from webbench.tui.widgets.key_footer import KeyFooter
from webbench.tui.widgets.proposal_bar import ProposalBar
from webbench.tui.widgets.screenshot import ScreenshotView
from webbench.tui.widgets.title_line import TitleLine


class AgentControls(LiveEpisode):
    """What an agent wants and does, and what a person makes of it."""

    @property
    def approval(self) -> Approval:
        """The policy in force: an episode begins with that of the settings."""
        return self.state.approval or self.workbench.settings.approval

    def show_agent(self, event: messages.Event) -> None:
        """Render what the engine says of the agent."""
        match event:
            case messages.Proposed():
                self._proposed = ""
                self.show_proposal(None if self.state.agent_running and not event.asked else event)
            case messages.AgentChanged():
                self.query_one(TitleLine).agent = (event.name, _doing(event))
                self.query_one(KeyFooter).refresh()
                if self.state.proposal is None:
                    self.show_proposal(None)
            case _:
                return

    def show_proposal(self, proposal: messages.Proposed | None) -> None:
        """Show what waits for a person, outlined in tree and picture; None when nothing does."""
        bar = self.query_one(ProposalBar)
        if proposal is None:
            had_focus = bar.has_focus
            bar.show(None)
            if had_focus:
                self.focus_pane()
            return
        targets = [self._target_of(one) for one in proposal.candidates or (Worded(text=proposal.text),)]
        policy = "" if self.approval == "never" else self.approval
        bar.show(proposal, self.state.agent, targets, policy)
        self._outline(bar.target)
        if not self.query_one(ActionBar).has_focus_within:
            bar.focus()

    def on_proposal_bar_candidate_focused(self, message: ProposalBar.CandidateFocused) -> None:
        self._outline(message.target)

    def _outline(self, target: AccessibilityNode | None) -> None:
        self.query_one(ScreenshotView).focused_id = target.id if target is not None else None
        if target is not None:
            self.query_one(AccessibilityTree).focus_id(target.id)

    def _target_of(self, candidate: Worded) -> AccessibilityNode | None:
        """The node on the page that a candidate is about, whichever way it names it."""
        nodes = self.state.observation.by_id() if self.state.observation else {}
        judged = judge_action(candidate.text, self.dialect, nodes)
        if judged.node is not None:
            return judged.node
        action = candidate.action or self.dialect.parse(candidate.text)
        if isinstance(action, ParseError) or self.state.observation is None:
            return None
        target = target_of(action)
        named = field_node(target, nodes.values()) if target is not None else None
        return named or next(iter(aimed_at(action, self.state.observation)), None)

    def action_choose_agent(self) -> None:
        def chosen(spec: str | None) -> None:
            if spec is not None:
                self._send_soon(messages.ChooseAgent(spec=spec))

        choices = agent_choices(self.task_data.benchmark)
        prompt = AgentPrompt("Which agent?", choices, nobody="none: only me", chosen=self.state.agent)
        self.app.push_screen(prompt, chosen)

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
        if self.state.agent_at_work:
            self._send_soon(messages.PauseAgent())
        elif self._agent_can():
            self.show_proposal(None)
            self._send_soon(messages.RunAgent())

    def action_single_step(self) -> None:
        if self._agent_can():
            self.show_proposal(None)
            self._send_soon(messages.RunAgent(steps=1))

    def action_choose_approval(self) -> None:
        """Before which of its actions the agent asks."""
        choices = [(name, f"{name}: {meaning}") for name, meaning in MEANINGS.items()]

        def chosen(approval: str | None) -> None:
            for name in APPROVALS:
                if name == approval:
                    self._send_soon(messages.SetApproval(approval=name))

        question = f"Before which actions of the agent are you asked? Now: {self.approval}"
        self.app.push_screen(ChoicePrompt(question, choices, at=self.approval), chosen)

    def on_proposal_bar_accepted(self, message: ProposalBar.Accepted) -> None:
        candidate = message.candidate
        if not candidate.text:
            asks = shown_key(self.app, "stepper.propose")
            self.notify(f"The agent gave no action to accept; {asks} asks it again.", markup=False)
        elif candidate.guard:
            self._ask_to_confirm(candidate)
        else:
            self._send_soon(messages.SendAction(text=candidate.text, actor="agent"))

    def _ask_to_confirm(self, candidate: Worded) -> None:
        """What the guard asks about needs more than the key that accepts everything else."""
        action = plain_text(candidate.text, limit=120)
        question = f"The guard asks you: {plain_text(candidate.guard, limit=200)}. Shall the agent do it?"
        choices = [
            ("back", "No, not now: back to the proposal"),
            ("confirm", f"Yes, carry it out: {action}"),
            ("reject", "No, and tell the agent why"),
        ]

        def chosen(value: str | None) -> None:
            if value == "confirm":
                sent = messages.SendAction(text=candidate.text, actor="agent", confirmed=True)
                self._send_soon(sent)
            elif value == "reject":
                self._ask_why_not(candidate.text)

        self.app.push_screen(ChoicePrompt(question, choices), chosen)

    def on_proposal_bar_edit_requested(self, message: ProposalBar.EditRequested) -> None:
        self._proposed = message.text
        self.query_one(ProposalBar).show(None)
        self.edit_action(message.text)

    def on_proposal_bar_rejected(self, message: ProposalBar.Rejected) -> None:
        self._ask_why_not(message.text)

    def _ask_why_not(self, text: str) -> None:
        def given(reason: str | None) -> None:
            if reason is None:
                return
            self.show_proposal(None)
            self._send_soon(messages.RejectProposal(reason=reason))

        question = f"Why not {plain_text(text, limit=200)}? (recorded, and told to the agent)"
        keys = "Enter rejects, with or without a reason; Escape goes back"
        self.app.push_screen(TextPrompt(question, placeholder=keys), given)


def _doing(event: messages.AgentChanged) -> str:
    """What an agent does, in a few words."""
    if event.waiting:
        return "waits for you"
    if event.approval == "never":
        return "running" if event.running else "at hand"
    return f"{'runs, ' if event.running else ''}asks: {event.approval}"
