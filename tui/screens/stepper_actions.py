"""The stepper's side of a person: actions drafted, sent, looked up, opened elsewhere."""

from __future__ import annotations

from webbench.core import registry
from webbench.core.action import Action, Click, ClickAt, FocusTab, Remember, Stop, Submit
from webbench.core.dialects.wording import wording
from webbench.core.engine import messages
from webbench.core.judge.contract import Question
from webbench.core.judge.human import HumanVerdict
from webbench.core.observation import AccessibilityNode
from webbench.core.plain_text import plain_text
from webbench.tui.commands import shown_key
from webbench.tui.editor import read_in_editor
from webbench.tui.screens.judge_prompt import JudgePrompt
from webbench.tui.screens.prompt import ChoicePrompt
from webbench.tui.screens.reading import ReadingScreen
from webbench.tui.screens.stepper_live import LiveEpisode
from webbench.tui.widgets.accessibility_tree import AccessibilityTree
from webbench.tui.widgets.action_bar import ActionBar
from webbench.tui.widgets.messages_log import MessagesLog
from webbench.tui.widgets.node_verbs import draft, natural_verb, reference
from webbench.tui.widgets.notes import Memory, Notes
from webbench.tui.widgets.screenshot import ScreenshotView
from webbench.tui.widgets.step_list import StepList
from webbench.tui.widgets.tabs_bar import TabsBar
from webbench.tui.widgets.task_preview import task_entries
from webbench.tui.widgets.text_rows import Entry


class PersonActions(LiveEpisode):
    """What a person does with the page, the picture and the record."""

    # -- drafting and sending ------------------------------------------------------------------

    def on_accessibility_tree_node_activated(self, message: AccessibilityTree.NodeActivated) -> None:
        self._draft(message.node, natural_verb(message.node))

    def on_accessibility_tree_verb_chosen(self, message: AccessibilityTree.VerbChosen) -> None:
        self._draft(message.node, message.verb)

    def on_step_list_step_activated(self, message: StepList.StepActivated) -> None:
        if message.step.text:
            self.edit_action(message.step.text)

    def _draft(self, node: AccessibilityNode, verb: str) -> None:
        """Put the action into the bar, to be looked at, completed and sent with Enter."""
        observation = self.state.observation
        self.draft_action(draft(node, verb, observation.nodes if observation else ()))

    def action_focus_action(self) -> None:
        self.note_pane()
        self.query_one(ActionBar).input.focus()

    async def on_screenshot_view_point_activated(self, message: ScreenshotView.PointActivated) -> None:
        target = message.node
        action: Action = (
            Click(target=reference(target)) if target is not None else ClickAt(x=message.x, y=message.y)
        )
        await self._send(wording(self.dialect, action))

    async def on_tabs_bar_tab_chosen(self, message: TabsBar.TabChosen) -> None:
        await self._send(wording(self.dialect, FocusTab(index=message.index)))

    async def on_action_bar_action_submitted(self, message: ActionBar.ActionSubmitted) -> None:
        await self._send(message.text)
        self.focus_pane()

    async def _send(self, text: str) -> None:
        if self.state.ended:
            again = shown_key(self.app, "stepper.restart")
            self.notify(
                f"The episode has ended: {plain_text(self.state.ended)}. {again} starts again.", markup=False
            )
            return
        if self.state.agent_going and not self._proposed:
            self.notify(
                f"You took over: {plain_text(self.state.agent, limit=40)} is paused. "
                f"{shown_key(self.app, 'stepper.run')} hands back.",
                markup=False,
            )
        by_person = "operator" if self._proposed or self.state.agent_running else "human"
        intent = messages.SendAction(text=text, actor=by_person, proposed=self._proposed)  # type: ignore[arg-type]
        self._proposed = ""
        await self.link.send(intent)

    def action_submit(self) -> None:
        choices = [("stop", "Stop, with an answer or without"), ("submit", "Submit the page's form")]
        if self.ends_by_submitting:
            choices.reverse()

        def chosen(value: str | None) -> None:
            if value is not None:
                action: Action = Submit() if value == "submit" else Stop()
                self.draft_action(action)

        self.app.push_screen(ChoicePrompt("How do you end this task?", choices), chosen)

    # -- dialect and notes ---------------------------------------------------------------------

    def on_action_bar_dialect_switch_requested(self) -> None:
        self.action_next_dialect()

    def action_next_dialect(self) -> None:
        """Another action language, for what is typed here and for agents alike."""
        names = sorted(registry.load("webbench.dialects"))
        position = names.index(self.dialect.name) if self.dialect.name in names else -1
        self.dialect = registry.dialect(names[(position + 1) % len(names)])
        self.query_one(ActionBar).dialect = self.dialect
        self._send_soon(messages.ChangeDialect(name=self.dialect.name))

    async def on_notes_note_written(self, message: Notes.NoteWritten) -> None:
        await self.link.send(messages.AddNote(text=message.text))

    async def on_memory_remembered(self, message: Memory.Remembered) -> None:
        await self._send(wording(self.dialect, Remember(text=message.text)))

    async def action_observe(self) -> None:
        await self.link.send(messages.Refresh())

    async def action_score_fully(self) -> None:
        await self.link.send(messages.ScoreFully())

    def ask_verdict(self, question: Question) -> None:
        """What no rule can decide is asked here; the score waits for the answer."""

        def decided(given: HumanVerdict | None) -> None:
            verdict = given or HumanVerdict("")
            intent = messages.GiveVerdict(key=question.key, verdict=verdict.verdict, reason=verdict.reason)
            self._send_soon(intent)

        self.app.push_screen(JudgePrompt(question), decided)

    # -- reading -------------------------------------------------------------------------------

    def on_messages_log_message_activated(self, message: MessagesLog.MessageActivated) -> None:
        said = message.message
        part = {"error": "bad", "warning": "strong"}.get(said.level, "text")
        entries = [Entry("kind", f"{said.kind}, {said.level}"), Entry("text", said.text, part)]
        if said.url:
            entries.append(Entry("url", said.url))
        entries.append(Entry("after", f"{said.seconds:.1f} s"))
        self.app.push_screen(ReadingScreen("Message", entries))

    def action_task(self) -> None:
        self.app.push_screen(ReadingScreen(self.task_data.id, task_entries(self.task_data)))

    def action_editor(self) -> None:
        """The observation in the present language, in $VISUAL or $EDITOR."""
        if self.state.observation is None:
            self.notify("There is no observation to read yet.", markup=False)
            return
        read_in_editor(self, "observation.txt", self.dialect.render(self.state.observation))

    def action_outside(self) -> None:
        url = self.state.observation.url if self.state.observation else ""
        if url.startswith(("http://", "https://")):
            self.app.open_url(url)
            self.notify(f"Opened {plain_text(url, limit=120)} in your browser.", markup=False)
        else:
            self.notify("This page has no web address to open.", markup=False)

    def action_record_task(self) -> None:
        """Make a task of what was done so far; the episode goes on afterwards."""
        header = self.state.header
        if header is None:
            self.notify("The episode has not begun yet.", markup=False)
            return
        from webbench.tui.screens.recorder import RecorderScreen

        marks = self.key_nodes.setdefault(header.episode, {})
        self.app.push_screen(RecorderScreen(self.opening.store, header, marks))

    # -- leaving -------------------------------------------------------------------------------

    async def action_restart(self) -> None:
        self._proposed = ""
        await self.start_episode()

    async def action_back(self) -> None:
        """To the library; with an unfinished episode that is under way, only when confirmed."""
        if self.state.ended or not self.state.under_way:
            await self._leave()
            return

        def chosen(value: str | None) -> None:
            if value == "leave":
                self.run_worker(self._leave)

        waits = self.state.proposal is not None
        question = f"The episode has not ended{', and a proposal waits for you' if waits else ''}. Leave it?"
        stays = "its steps stay, the proposal doesn't" if waits else "its steps stay"
        choices = [("leave", f"Leave: the episode ends as abandoned, {stays}"), ("stay", "Stay here")]
        self.app.push_screen(ChoicePrompt(question, choices), chosen)

    async def _leave(self) -> None:
        """An unfinished episode is ended as abandoned; its steps stay."""
        if not self.state.ended and self.state.header is not None:
            await self.link.send(messages.EndEpisode(reason="abandoned"))
        if len(self.app.screen_stack) > 2:
            self.app.pop_screen()
            return
        from webbench.tui.screens.library import LibraryScreen

        self.app.switch_screen(LibraryScreen(self.opening))
