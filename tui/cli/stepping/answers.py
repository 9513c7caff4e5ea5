"""What the actor of `step` by lines gets back: the observation as its dialect renders it, result, score."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from webbench.core.dialects.dialect import ParseError
from webbench.core.engine.session.agent_turns import Turn
from webbench.core.engine.wire import messages
from webbench.core.episode.utterances import Utterance
from webbench.core.json_types import JsonObject
from webbench.core.observation import picture_fields
from webbench.core.text.plural import counted
from webbench.core.trajectory import LEFT_UNFINISHED, memory
from webbench.tui.cli.output import flush, print_json_line, print_text
from webbench.tui.cli.stepping.closer_look import ShownHtml
from webbench.tui.cli.stepping.line_commands import OF_THE_PAGE, Sitting

SCHEMA_VERSION = 1
SCORED = ":score"
"""The command whose answer is a score without a page."""


class Answers:
    """What the actor gets back: the observation as its dialect renders it, the result, the score.

    Args:
        pictures: every JSON answer has the picture of its step.
    """

    def __init__(
        self,
        sitting: Sitting,
        as_json: bool,
        replayed: messages.Replayed | None = None,
        *,
        pictures: bool = False,
    ) -> None:
        self._sitting = sitting
        self._replayed = replayed
        self._episode = sitting.episode
        self._as_json = as_json
        self._pictures = pictures
        self._told = 0
        """The last step that was answered: its error is told once."""

    def begin(self, difference: str) -> None:
        """The task, what there is to see, and where a replay stopped."""
        if not self._as_json:
            print_text(self._episode.task.heading)
            if self._replayed is not None:
                for line in _replayed_lines(self._replayed):
                    print_text(line)
        last = self._episode.steps[-1]
        self._answer(last.text, difference or last.error, last.output)

    def step(self) -> None:
        """What the last step led to."""
        last = self._episode.steps[-1]
        self._answer(last.text, last.error, last.output)

    def refused(self, text: str, error: ParseError) -> None:
        """A line that is no action: nothing was done."""
        self._answer(text, f"at character {error.position + 1}: {error.reason}; try {error.nearest}", "")

    def command(self, line: str, error: str = "") -> None:
        """A command was carried out, or why it was not; the page is printed where it may have changed."""
        name = line.removeprefix(":").strip().partition(" ")[0]
        last = self._episode.steps[-1]
        acted = last.index > self._told and not error
        self._answer(
            line,
            error or (last.error if acted else ""),
            last.output if acted else "",
            page=name in OF_THE_PAGE,
        )

    def end(self, *, recorded: bool = True) -> None:
        """The last word, with the final score; an episode that was kept unfinished has none.

        Args:
            recorded: False after a look, which leaves no record to be named.
        """
        episode = self._episode
        kept = episode.ended == LEFT_UNFINISHED
        if self._as_json:
            last = episode.steps[-1]
            self._print(last.text, last.error, last.output, final=not kept, recorded=recorded)
            return
        if kept:
            name = f"{episode.header.run}/{episode.header.episode}"
            print_text(f"{episode.ended}: webbench-tui step --resume {name} goes on")
            return
        print_text(f"ended: {episode.ended}\nscore: {episode.score.headline()}")
        named = f"{episode.header.run}/{episode.header.episode}"
        print_text(f"episode: {named if recorded else 'nothing was done, so nothing is kept'}")

    def _answer(self, text: str, error: str, output: str, *, page: bool = True) -> None:
        episode, turn = self._episode, self._sitting.turn
        self._told = episode.steps[-1].index
        if self._as_json:
            self._print(text, error, output, final=False)
            return
        used = f"{episode.limits.count} of {episode.options.step_limit}"
        print_text(f"— step {episode.steps[-1].index} ({used}) {text}".rstrip())
        if error:
            print_text(f"! {error}")
        if output:
            print_text(f"output: {output}")
        if page:
            print_text(episode.dialect.render(episode.observation))
            for note in memory(episode.steps):
                print_text(f"remembered: {note}")
        if page or text == SCORED:
            print_text(f"score: {episode.score.headline()}")
        if (picture := self._sitting.picture) is not None:
            size = f"{picture.width} x {picture.height} pixels"
            print_text(f"picture: {size}; with --json the answer has it")
        if self._sitting.html is not None:
            _print_html(self._sitting.html)
        if (outside := self._sitting.outside) is not None:
            print_text(f"{'opened in your browser' if outside.opened else 'written'}: {outside.file}")
            for problem in outside.unread:
                print_text(f"! the record can't be read whole: {problem}")
        if self._sitting.preview is not None:
            print_text(f"this answer would score: {self._sitting.preview.headline()}")
        if turn is not None:
            _print_turn(turn)
        flush()

    def _print(self, text: str, error: str, output: str, *, final: bool, recorded: bool = True) -> None:
        episode, turn, agent = self._episode, self._sitting.turn, self._sitting.agent
        picture = self._sitting.picture or (episode.screenshot if self._pictures else None)
        print_json_line(
            {
                "schema_version": SCHEMA_VERSION,
                "run": episode.header.run if recorded else "",
                "episode": episode.header.episode if recorded else "",
                "task": episode.task.id,
                "intent": episode.task.intent,
                "step": episode.steps[-1].index,
                "actions": episode.limits.count,
                "step_limit": episode.options.step_limit,
                "action": text,
                "ok": not error,
                "error": error,
                "output": output,
                "url": episode.observation.url,
                "condition": episode.observation.condition,
                "problem": episode.observation.problem,
                "changing": episode.observation.changing,
                "dialog": episode.observation.dialog,
                "relevant_html": episode.observation.relevant_html,
                "observation": episode.dialect.render(episode.observation),
                "viewport": episode.observation.viewport,
                "boxes": {
                    node.own_id: node.box for node in episode.observation.nodes if node.own_id and node.box
                },
                "screenshot": picture_fields(picture) if picture is not None else None,
                "html": self._sitting.html,
                "outside": self._sitting.outside,
                "memory": memory(episode.steps),
                "score": episode.score,
                "preview": self._sitting.preview,
                "agent": agent.name if agent else "",
                "proposal": turn.text if turn else "",
                "reasoning": turn.proposal.reasoning if turn else "",
                "candidates": turn.candidates if turn else (),
                "asked": turn.asked if turn else "",
                "approval": self._sitting.copilot.approval,
                "ended": episode.ended,
                "final": final,
                "replayed": _replay_json(self._replayed),
            }
        )


def print_heard(step: int, heard: Utterance, *, as_json: bool) -> None:
    """What somebody else said just now: a line of its own, between answers."""
    if as_json:
        print_json_line({"schema_version": SCHEMA_VERSION, "step": step, "heard": heard._asdict()})
    else:
        print_text(f"{heard.speaker} says: {heard.text}")
    flush()


def _print_html(shown: ShownHtml) -> None:
    """All lines, or with their numbers those in which the text stands that was looked for."""
    print_text(f"html of step {shown.step}: {shown.html.how}")
    if not shown.search:
        for line in shown.html.lines:
            print_text(line)
        return
    print_text(f"{counted(len(shown.matches), 'line')} with {shown.search}")
    for number in shown.matches:
        print_text(f"{number}: {shown.html.lines[number - 1].strip()}")


def _print_turn(turn: Turn) -> None:
    """What waits for the person's decision; with several candidates each with its number."""
    why = f" (you are asked: {turn.asked})" if turn.asked else ""
    print_text(f"{turn.agent} proposes: {turn.text}{why}")
    if turn.error or turn.proposal.reasoning:
        print_text(turn.error or turn.proposal.reasoning)
    for number, one in enumerate(turn.candidates, 1):
        if len(turn.candidates) > 1:
            score = f", score {one.score:g}" if one.score is not None else ""
            print_text(f"  {number}: {one.text}{score}")
        if one.guard:
            print_text(f"  guard: {one.guard}; :confirm {number} carries it out")


def _replayed_lines(replayed: messages.Replayed) -> Iterator[str]:
    """What was repeated; of a fork also every step, with how sure its page is."""
    if replayed.origin is None:
        yield f"resumed: {replayed.episode}, {replayed.headline()}"
        return
    yield f"forked: {replayed.episode} at step {replayed.origin.step}, {replayed.headline()}"
    for one in replayed.walk:
        yield f"  {'=' if one.sure else '?'} {one.headline()}"


def _replay_json(replayed: messages.Replayed | None) -> JsonObject | None:
    """How far a replay came, and what it left out; None where nothing was resumed."""
    if replayed is None:
        return None
    names = ("episode", "steps", "failed", "unreached", "ending")
    told: JsonObject = {name: getattr(replayed, name) for name in names}
    if replayed.origin is not None:
        told["origin"] = msgspec.to_builtins(replayed.origin)
        told["walk"] = msgspec.to_builtins(replayed.walk)
    return told
