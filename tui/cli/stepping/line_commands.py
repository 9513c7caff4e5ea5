"""What a person can do in `step` by lines besides acting: notes, previews, and an agent's proposals."""

from __future__ import annotations

import asyncio

from webbench.core.agent import Agent
from webbench.core.benchmark.benchmark import Benchmark
from webbench.core.dialects.dialect import ParseError
from webbench.core.engine.engine import make_agent
from webbench.core.engine.session import agent_turns
from webbench.core.engine.session.copilot import CoPilot
from webbench.core.episode.episode import Episode
from webbench.core.episode.utterances import NAVIGATOR, Utterance
from webbench.core.errors import UsageError
from webbench.core.guards.approval import APPROVALS, Approval
from webbench.core.observation import Screenshot, ScreenshotOptions
from webbench.core.score.score import Score
from webbench.core.store.store import Store
from webbench.core.text.nearest import nearest_names
from webbench.tui.cli.place import agent_spec
from webbench.tui.cli.stepping.closer_look import OpenedStep, ShownHtml, opened_step, shown_html

OF_AN_AGENT = ("agent", "propose", "accept", "confirm", "edit", "reject", "approve", "step", "run", "pause")
COMMANDS = (
    "note",
    "say",
    "preview",
    *OF_AN_AGENT,
    "refresh",
    "screenshot",
    "html",
    "open",
    "score",
    "keep",
    "end",
)
OF_THE_PAGE = ("accept", "confirm", "edit", "reject", "step", "run", "refresh")
"""Commands after which the page may be another."""
PROPOSE = ":propose"
PAUSE = ":pause"
"""The one command that is heard while the agent is at work."""


class Sitting:
    """A person at an episode, perhaps with an agent at hand and a proposal of it to decide on.

    Where a command lets the agent go on by itself, `going` is true and `run` is to be called.

    Attributes:
        preview: what the answer of the last line would score, where that was asked for.
        picture: of the page, where the last line asked for it.
        html: of the page or of a node of it, likewise.
        outside: the step as a file, likewise.
        failed: why the agent gave no action, where nothing was done since.
    """

    def __init__(
        self, episode: Episode, benchmark: Benchmark, store: Store, approval: Approval = "never"
    ) -> None:
        self.episode = episode
        self.copilot = CoPilot(episode, approval)
        self.preview: Score | None = None
        self.picture: Screenshot | None = None
        self.html: ShownHtml | None = None
        self.outside: OpenedStep | None = None
        self.failed = ""
        self._benchmark = benchmark
        self._store = store

    @property
    def agent(self) -> Agent | None:
        return self.copilot.agent

    @property
    def turn(self) -> agent_turns.Turn | None:
        """The proposal that waits for the person."""
        return self.copilot.turn

    @property
    def going(self) -> bool:
        """The agent goes on by itself now."""
        return self.copilot.going and not self.copilot.waiting and not self.episode.ended

    async def act(self, text: str) -> ParseError | None:
        """Carry out the person's own action, in place of a proposal if there is one."""
        self._forget()
        result = await self.copilot.act(text)
        return result if isinstance(result, ParseError) else None

    async def command(self, line: str) -> None:
        """Carry out ":NAME REST".

        Raises:
            UsageError: no such command, or it can't be carried out now.
        """
        name, _, rest = line.removeprefix(":").strip().partition(" ")
        rest = rest.strip()
        self._forget()
        match name:
            case "note" if rest:
                await self.episode.note(rest)
            case "note":
                raise UsageError("There is no text to note", "write :note TEXT")
            case "say" if rest:
                await self.episode.note(Utterance(NAVIGATOR, rest).note)
            case "say":
                raise UsageError("There is nothing to say", "write :say TEXT")
            case "preview":
                self._preview(rest)
            case "refresh":
                if rest not in ("", "whole"):
                    raise UsageError(
                        f'There is no way to refresh "{rest}"', "write :refresh or :refresh whole"
                    )
                await self.episode.refresh(self.episode.options.viewport_only, whole=bool(rest))
            case "screenshot":
                await self._picture()
            case "html":
                self.html = await asyncio.to_thread(shown_html, self.episode, self._store, rest)
            case "open":
                self.outside = await asyncio.to_thread(opened_step, self.episode, self._store, rest)
            case "score":
                await self.episode.score_fully()
            case "keep":
                await self.episode.leave()
            case "end":
                await self.episode.fail(rest or "ended by the operator")
            case _ if name in OF_AN_AGENT:
                await self._of_agent(name, rest)
            case _:
                near = nearest_names(name, COMMANDS, 1) or COMMANDS
                raise UsageError(f"There is no command :{name}", f"nearest: :{', :'.join(near)}")

    async def _of_agent(self, name: str, rest: str) -> None:
        copilot = self.copilot
        match name:
            case "agent":
                await self.choose(rest)
            case "propose":
                await self._propose()
            case "accept" | "confirm":
                await copilot.accept(_candidate(rest), confirmed=name == "confirm")
            case "edit":
                await self._edit(rest)
            case "reject":
                await copilot.reject(rest)
            case "approve":
                await copilot.ask_before(approval_of(rest))
            case "step":
                copilot.go(1)
            case "run":
                copilot.go(_steps(rest))
            case "pause":
                await self._pause()

    async def run(self) -> None:
        """Let the agent go on until the person is to be asked or interrupts, or the steps are taken."""
        await self.copilot.run()
        self._require_action()

    def _require_action(self) -> None:
        turn = self.turn
        if turn is not None and turn.empty:
            self.copilot.turn = None
            self.failed = f"the agent {turn.agent} gave no action: {turn.error}"
            raise UsageError(self.failed, "let it try again with :run, or act yourself")

    async def choose(self, spec: str) -> None:
        """Have an agent at hand, or none for ""."""
        episode = self.episode
        chosen = None
        if spec:
            named = agent_spec(spec, self._store)
            chosen = make_agent(named, self._benchmark, episode.task, store=self._store.root)
        await self.close()
        self.copilot.choose(chosen)

    async def close(self) -> None:
        """End the agent."""
        if self.agent is not None:
            await self.agent.close()
        self.copilot.choose(None)

    def _forget(self) -> None:
        """What only the answer to the last line had."""
        self.preview, self.picture, self.html, self.outside, self.failed = None, None, None, None, ""

    async def _picture(self) -> None:
        self.picture = await self.episode.show_picture(ScreenshotOptions(format="png", anew=True))
        if self.picture is None:
            raise UsageError("The page gives no picture now", "a dialog may be open, or the page be gone")

    def _preview(self, answer: str) -> None:
        self.preview = self.episode.preview(answer)
        if self.preview is None:
            raise UsageError("An answer has no score of its own here", "the score is given after each step")

    async def _propose(self) -> None:
        self.copilot.turn = None
        await self.copilot.propose()
        self._require_action()

    async def _edit(self, rest: str) -> None:
        """ "2 click [4]" changes the second candidate; without a number the first."""
        first, _, action = rest.partition(" ")
        number, text = (first, action) if first.isdecimal() else ("", rest)
        if self.turn is None:
            raise UsageError("There is no proposal to edit", "ask for one with :propose")
        done = await self.copilot.act(text.strip(), edited=_candidate(number))
        if isinstance(done, ParseError):
            raise UsageError(f"at character {done.position + 1}: {done.reason}", f"try {done.nearest}")

    async def _pause(self) -> None:
        if not self.copilot.going and not self.copilot.interruption.requested:
            raise UsageError("No agent goes on by itself now", "let it with :run")
        self.copilot.stop()
        await self.copilot.paused()


def approval_of(word: str) -> Approval:
    """Raises `UsageError` for what is no policy."""
    for approval in APPROVALS:
        if approval == word:
            return approval
    raise UsageError(f'There is no approval policy "{word}"', f"one of {', '.join(APPROVALS)}")


def _candidate(number: str) -> int:
    if not number:
        return 0
    if not number.isdecimal() or not int(number):
        raise UsageError(f'"{number}" is no number of a candidate', "they are counted from 1")
    return int(number) - 1


def _steps(count: str) -> int | None:
    if count and not (count.isdecimal() and int(count)):
        raise UsageError(f'"{count}" is no number of steps', "write :run 3, or :run for all of them")
    return int(count) if count else None
