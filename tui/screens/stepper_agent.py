"""The stepper's side of an agent: choose it, have it propose, accept, edit, reject, run, pause."""

from __future__ import annotations

from textual.screen import Screen

from webbench.core import registry
from webbench.core.engine import messages
from webbench.core.plain_text import plain_text
from webbench.tui.engine_link import EngineLink
from webbench.tui.episode_state import EpisodeState
from webbench.tui.screens.prompt import ChoicePrompt, TextPrompt
from webbench.tui.widgets.action_bar import ActionBar
from webbench.tui.widgets.proposal_bar import ProposalBar
from webbench.tui.widgets.title_line import TitleLine

NEEDS_OPTIONS = {
    "command": "Which program? It gets one observation per JSON line and answers one action per line.",
    "replay": "Which recorded episode?",
}


class AgentControls(Screen[None]):
    """Mixed into the stepper; expects `state` and `link`."""

    state: EpisodeState
    _proposed: str

    @property
    def link(self) -> EngineLink:
        raise NotImplementedError

    def show_agent(self, event: messages.Event) -> None:
        """Render what the engine says of the agent."""
        match event:
            case messages.Proposed():
                bar = self.query_one(ProposalBar)
                bar.show(None if self.state.agent_running else event, self.state.agent)
                if not self.state.agent_running and not self.query_one(ActionBar).has_focus_within:
                    bar.focus()
            case messages.AgentChanged():
                self.query_one(TitleLine).agent = (event.name, event.running)
            case _:
                return

    def action_choose_agent(self) -> None:
        names = sorted(registry.load("webbench.agents"))
        choices = [(name, name) for name in names] + [("", "none: only me")]
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

    def _send_soon(self, intent: messages.Intent) -> None:
        self.run_worker(self.link.send(intent))

    def _agent_can(self) -> bool:
        """Whether an agent could act now; says why not."""
        if self.state.ended:
            self.notify(f"The episode has ended: {plain_text(self.state.ended)}. Ctrl+R starts again.")
        elif not self.state.agent:
            self.notify("No agent is chosen: A chooses one.")
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
            self.query_one(ProposalBar).show(None, "")
            self._send_soon(messages.RunAgent())

    def on_proposal_bar_accepted(self, message: ProposalBar.Accepted) -> None:
        self._send_soon(messages.SendAction(text=message.text, actor="agent"))

    def on_proposal_bar_edit_requested(self, message: ProposalBar.EditRequested) -> None:
        self._proposed = message.text
        self.query_one(ProposalBar).show(None, "")
        self.query_one(ActionBar).edit(message.text)

    def on_proposal_bar_rejected(self, message: ProposalBar.Rejected) -> None:
        def given(reason: str | None) -> None:
            if reason is None:
                return
            self.query_one(ProposalBar).show(None, "")
            self._send_soon(messages.RejectProposal(reason=reason))

        question = f"Why not {plain_text(message.text)}? (the reason is recorded)"
        self.app.push_screen(TextPrompt(question), given)
