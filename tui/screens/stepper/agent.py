"""The agent on the stepper: choose it, have it propose, accept, edit, reject, run, pause."""

from __future__ import annotations

from collections.abc import Callable

from webbench.core.action.action import target_of
from webbench.core.dialects.dialect import ParseError
from webbench.core.engine.wire import messages
from webbench.core.episode.candidates import WordedCandidate
from webbench.core.guards.approval import APPROVALS, MEANINGS, Approval
from webbench.core.guards.targets import aimed_at
from webbench.core.observation import AccessibilityNode
from webbench.core.text.plain_text import plain_text
from webbench.tui.commands import shown_key
from webbench.tui.screens.dialogs.pick_prompt import PickPrompt
from webbench.tui.screens.dialogs.prompt import ChoicePrompt, TextPrompt
from webbench.tui.screens.dialogs.selectable_agents import WITH_OPTIONS, agent_choices
from webbench.tui.screens.page_panes import PagePanes
from webbench.tui.screens.stepper.action_bar import ActionBar
from webbench.tui.screens.stepper.episode_state import EpisodeState
from webbench.tui.screens.stepper.live import LiveEpisode
from webbench.tui.screens.stepper.proposal_bar import ProposalBar
from webbench.tui.widgets.fields.action_verdict import field_node, judge_action
from webbench.tui.widgets.lines.key_footer import KeyFooter
from webbench.tui.widgets.lines.title_line import TitleLine
from webbench.tui.widgets.picture.screenshot import ScreenshotView
from webbench.tui.widgets.tree.accessibility_tree import AccessibilityTree


class AgentControls:
    """What an agent wants and does, and what a person makes of it.

    Args:
        edit: puts a text into the action bar.
    """

    def __init__(self, screen: PagePanes, episode: LiveEpisode, *, edit: Callable[[str], None]) -> None:
        self._screen = screen
        self._episode = episode
        self._edit = edit
        self._edited = ""
        """The proposal that a person is changing in the action bar."""
        self._let_go = False
        """It was let run, and has not said yet that it does."""

    @property
    def _state(self) -> EpisodeState:
        return self._episode.state

    @property
    def approval(self) -> Approval:
        """The policy in force: an episode begins with that of the settings."""
        return self._state.approval or self._screen.workbench.settings.approval

    def show(self, event: messages.Event) -> None:
        """Render what the engine says of the agent."""
        match event:
            case messages.Proposed():
                self._edited = ""
                self.show_proposal(None if self._state.agent_running and not event.asked else event)
            case messages.AgentChanged():
                self._let_go = False
                self._screen.query_one(TitleLine).agent = (event.name, _doing(event))
                self._screen.query_one(KeyFooter).refresh()
                if self._state.proposal is None:
                    self.show_proposal(None)
            case _:
                return

    def show_proposal(self, proposal: messages.Proposed | None) -> None:
        """Show what waits for a person, outlined in tree and picture; None when nothing does."""
        bar = self._screen.query_one(ProposalBar)
        self._screen.set_class(proposal is not None, "-proposing")
        if proposal is None:
            had_focus = bar.has_focus
            bar.show(None)
            if had_focus:
                self._screen.focus_pane()
            return
        targets = [
            self._target_of(one) for one in proposal.candidates or (WordedCandidate(text=proposal.text),)
        ]
        policy = "" if self.approval == "never" else self.approval
        bar.show(proposal, self._state.agent, targets, policy)
        self.outline(bar.target)
        if not self._screen.query_one(ActionBar).has_focus_within:
            bar.focus()

    def back_to_proposal(self) -> None:
        """From the action bar: what was being changed is shown again as it was proposed."""
        was_edited, self._edited = bool(self._edited), ""
        if was_edited:
            self.show_proposal(self._state.proposal)
        if self._state.proposal is not None:
            self._screen.query_one(ProposalBar).focus()
        else:
            self._screen.focus_pane()

    def take_edited(self) -> str:
        """The proposal that was being changed, "" for none; it is not any more."""
        edited, self._edited = self._edited, ""
        return edited

    @property
    def is_edited(self) -> bool:
        """Whether a person is changing a proposal."""
        return bool(self._edited)

    def outline(self, target: AccessibilityNode | None) -> None:
        self._screen.query_one(ScreenshotView).focused_id = target.id if target is not None else None
        if target is not None:
            self._screen.query_one(AccessibilityTree).focus_id(target.id)

    def _target_of(self, candidate: WordedCandidate) -> AccessibilityNode | None:
        """The node on the page that a candidate is about, whichever way it names it."""
        nodes = self._state.observation.nodes if self._state.observation else ()
        judged = judge_action(candidate.text, self._episode.dialect, nodes)
        if judged.node is not None:
            return judged.node
        action = candidate.action or self._episode.dialect.parse(candidate.text)
        if isinstance(action, ParseError) or self._state.observation is None:
            return None
        target = target_of(action)
        named = field_node(target, nodes) if target is not None else None
        return named or next(iter(aimed_at(action, self._state.observation)), None)

    def choose(self) -> None:
        def chosen(spec: str | None) -> None:
            if spec is not None:
                self._episode.send_soon(messages.ChooseAgent(spec=spec))

        choices = agent_choices(self._episode.task.benchmark)
        prompt = PickPrompt(
            "Which agent?", choices, nobody="none: only me", chosen=self._state.agent, hint=WITH_OPTIONS
        )
        self._screen.app.push_screen(prompt, chosen)

    def can_act(self) -> bool:
        """Whether an agent could act now; says why not."""
        if self._state.ended:
            self._episode.tell_ended()
        elif not self._state.agent:
            chooses = shown_key(self._screen.app, "stepper.agent")
            self._screen.notify(f"No agent is chosen: {chooses} chooses one.", markup=False)
        else:
            return True
        return False

    def propose(self) -> None:
        if self.can_act():
            self._episode.send_soon(messages.AskAgent())

    def run_or_pause(self) -> None:
        if self._state.agent_at_work or self._let_go:
            self._let_go = False
            self._episode.send_soon(messages.PauseAgent())
        elif self.can_act():
            self._let_go = True
            self.show_proposal(None)
            self._episode.send_soon(messages.RunAgent())

    def halt(self) -> None:
        """Stop it where it acts by itself, as the person is about to change what it acts on."""
        if self._state.agent_running:
            self._episode.send_soon(messages.PauseAgent())

    def single_step(self) -> None:
        if self.can_act():
            self.show_proposal(None)
            self._episode.send_soon(messages.RunAgent(steps=1))

    def choose_approval(self) -> None:
        """Before which of its actions the agent asks."""
        choices = [(name, f"{name}: {meaning}") for name, meaning in MEANINGS.items()]

        def chosen(approval: str | None) -> None:
            for name in APPROVALS:
                if name == approval:
                    self._episode.send_soon(messages.SetApproval(approval=name))

        question = f"Before which actions of the agent are you asked? Now: {self.approval}"
        self._screen.app.push_screen(ChoicePrompt(question, choices, at=self.approval), chosen)

    def accept(self, candidate: WordedCandidate) -> None:
        if not candidate.text:
            asks = shown_key(self._screen.app, "stepper.propose")
            self._screen.notify(f"The agent gave no action to accept; {asks} asks it again.", markup=False)
        elif candidate.guard:
            self._ask_to_confirm(candidate)
        else:
            self._episode.send_soon(messages.SendAction(text=candidate.text, actor="agent"))

    def _ask_to_confirm(self, candidate: WordedCandidate) -> None:
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
                self._episode.send_soon(sent)
            elif value == "reject":
                self.reject(candidate.text)

        self._screen.app.push_screen(ChoicePrompt(question, choices), chosen)

    def edit(self, text: str) -> None:
        """Change a proposal in the action bar."""
        self._edited = text
        self._screen.remove_class("-proposing")
        self._screen.query_one(ProposalBar).show(None)
        self._edit(text)

    def reject(self, text: str) -> None:
        def given(reason: str | None) -> None:
            if reason is None:
                return
            self.show_proposal(None)
            self._episode.send_soon(messages.RejectProposal(reason=reason))

        question = f"Why not {plain_text(text, limit=200)}? (recorded, and told to the agent)"
        keys = "Enter rejects, with or without a reason; Escape goes back"
        self._screen.app.push_screen(TextPrompt(question, placeholder=keys), given)


def _doing(event: messages.AgentChanged) -> str:
    """What an agent does, in a few words."""
    if event.waiting:
        return "waits for you"
    if event.approval == "never":
        return "running" if event.running else "at hand"
    return f"{'runs, ' if event.running else ''}asks: {event.approval}"
