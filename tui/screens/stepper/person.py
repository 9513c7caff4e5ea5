"""The person on the stepper: actions drafted and sent, verdicts given, things read and opened elsewhere."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from webbench.core.action.action import Action, Stop, Submit
from webbench.core.dialects.wording import wording
from webbench.core.engine.wire import messages
from webbench.core.judge import Question
from webbench.core.observation import AccessibilityNode, PageMessage
from webbench.core.score.explanation import value_words
from webbench.core.scoring.judges.human import HumanVerdict
from webbench.core.text.plain_text import plain_text
from webbench.tui.commands import shown_key
from webbench.tui.destinations import WEBCANVAS, Recorder, go_to, record_form
from webbench.tui.screens.dialogs.prompt import ChoicePrompt
from webbench.tui.screens.dialogs.reading import ReadingScreen, read_in_editor
from webbench.tui.screens.dialogs.step_outside import open_outside
from webbench.tui.screens.page_panes import PagePanes
from webbench.tui.screens.stepper.action_bar import ActionBar
from webbench.tui.screens.stepper.agent import AgentControls
from webbench.tui.screens.stepper.judge_prompt import JudgePrompt
from webbench.tui.screens.stepper.live import LiveEpisode
from webbench.tui.screens.stepper.node_verbs import draft
from webbench.tui.widgets.fields.draft_slot import draft_words
from webbench.tui.widgets.lists.text_rows import Entry
from webbench.tui.workers import run_worker

if TYPE_CHECKING:
    from webbench.benchmarks.webcanvas.upkeep.choices import Choice
    from webbench.core.trajectory import Actor

SHAPES = (
    ("webarena", "WebArena: checks of how it ends"),
    (WEBCANVAS, "WebCanvas: steps that are key nodes"),
)


class PersonActions:
    """What a person does with the page, the picture and the record."""

    def __init__(self, screen: PagePanes, episode: LiveEpisode, agent: AgentControls) -> None:
        self._screen = screen
        self._episode = episode
        self._agent = agent
        self._key_nodes: dict[str, dict[int, Choice]] = {}
        """Steps that the recorder has marked, by episode."""

    # -- drafting and sending ------------------------------------------------------------------

    def edit(self, text: str) -> None:
        """Put a draft into the action bar and go there; Escape comes back to where one was."""
        self._screen.note_pane()
        self._screen.query_one(ActionBar).edit(text)

    def draft(self, action: Action) -> None:
        """Put the draft of an action into the bar, its value ready to be written over."""
        self._screen.note_pane()
        self._screen.query_one(ActionBar).draft(action)

    def draft_verb(self, node: AccessibilityNode, verb: str) -> None:
        """Put the action into the bar, to be looked at, completed and sent with Enter."""
        self.draft(self._drafted(node, verb))

    def verb_words(self, node: AccessibilityNode, verb: str) -> str:
        """The action in the words in which it would be sent."""
        return draft_words(self._episode.dialect, self._drafted(node, verb))

    def _drafted(self, node: AccessibilityNode, verb: str) -> Action:
        observation = self._episode.state.observation
        return draft(node, verb, observation.nodes if observation else ())

    async def send(self, text: str) -> None:
        """Send an action, as the person's own or as a proposal that they changed."""
        state = self._episode.state
        if state.ended:
            self._episode.tell_ended()
            return
        if state.agent_going and not self._agent.is_edited:
            self._screen.notify(
                f"You took over: {plain_text(state.agent, limit=40)} is paused. "
                f"{shown_key(self._screen.app, 'stepper.run')} hands back.",
                markup=False,
            )
        proposed = self._agent.take_edited()
        actor: Actor = "operator" if proposed or state.agent_running else "human"
        await self._episode.send(messages.SendAction(text=text, actor=actor, proposed=proposed))

    def choose_ending(self) -> None:
        """How the task ends: each way has one digit on all tasks, and the cursor is on the usual one."""
        if self._episode.state.ended:
            self._episode.tell_ended()
            return
        choices = [("stop", "Stop, without an answer"), ("answer", "Stop, with an answer…")]
        usual = "answer" if self._episode.wants_answer else "stop"
        if self._episode.ends_by_submitting:
            choices.append(("submit", "Submit the page's form"))
            usual = "submit"

        def chosen(value: str | None) -> None:
            match value:
                case "answer":
                    self.draft(Stop())
                case "stop" | "submit":
                    action = Submit() if value == "submit" else Stop()
                    run_worker(self._screen, partial(self.send, wording(self._episode.dialect, action)))

        score = self._episode.state.score
        note = f"the score now: {value_words(score.value, score.status)}" if score is not None else ""
        prompt = ChoicePrompt("How do you end this task?", choices, at=usual, note=note)
        self._screen.app.push_screen(prompt, chosen)

    def ask_verdict(self, question: Question) -> None:
        """What no rule can decide is asked here; the score waits for the answer."""

        def decided(given: HumanVerdict | None) -> None:
            verdict = given or HumanVerdict("")
            intent = messages.GiveVerdict(key=question.key, verdict=verdict.verdict, reason=verdict.reason)
            self._episode.send_soon(intent)

        self._screen.app.push_screen(JudgePrompt(question), decided)

    # -- reading -------------------------------------------------------------------------------

    def read_message(self, said: PageMessage) -> None:
        """A whole message of the page."""
        part = {"error": "bad", "warning": "strong"}.get(said.level, "text")
        entries = [Entry("kind", f"{said.kind}, {said.level}"), Entry("text", said.text, part)]
        if said.url:
            entries.append(Entry("url", said.url))
        entries.append(Entry("after", f"{said.seconds:.1f} s"))
        self._screen.app.push_screen(ReadingScreen("Message", entries))

    def read_observation(self) -> None:
        """The observation in the present language, in $VISUAL or $EDITOR."""
        observation = self._episode.state.observation
        if observation is None:
            self._screen.notify("There is no observation to read yet.", markup=False)
            return
        read_in_editor(self._screen, "observation.txt", self._episode.dialect.render(observation))

    def open_outside(self) -> None:
        """The page in the person's own browser."""
        observation = self._episode.state.observation
        url = observation.url if observation else ""
        if url.startswith(("http://", "https://")):
            open_outside(self._screen, url)
        else:
            self._screen.notify("This page has no web address to open.", markup=False)

    def record_task(self) -> None:
        """Make a task of what was done so far; the episode goes on afterwards."""
        header = self._episode.state.header
        if header is None:
            self._screen.notify("The episode has not begun yet.", markup=False)
            return
        store = self._episode.opening.store

        def chosen(shape: str | None) -> None:
            if shape == WEBCANVAS:
                go_to(self._screen, Recorder(store, header, self._key_nodes.setdefault(header.episode, {})))
            elif shape:
                go_to(self._screen, record_form(store, header, shape))

        self._screen.app.push_screen(ChoicePrompt("A task in whose form?", SHAPES), chosen)
