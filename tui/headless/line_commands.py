"""What a person can do in `step` by lines besides acting: notes, previews, and an agent's proposals."""

from __future__ import annotations

from webbench.core.agents.contract import Agent
from webbench.core.dialects.contract import ParseError
from webbench.core.engine import agent_turns
from webbench.core.engine.engine import make_agent
from webbench.core.episode import Episode
from webbench.core.errors import UsageError
from webbench.core.nearest import nearest_names
from webbench.core.score import Score
from webbench.core.store.store import Store
from webbench.core.task import Benchmark
from webbench.tui.headless.place import agent_spec

COMMANDS = ("note", "preview", "agent", "propose", "accept", "reject", "run", "refresh", "score", "end")
OF_THE_PAGE = ("accept", "run", "refresh")
"""Commands after which the page may be another."""


class Sitting:
    """A person at an episode, perhaps with an agent at hand and a proposal of it to decide on.

    `preview` is what the answer of the last line would score, where that was asked for.
    """

    def __init__(self, episode: Episode, benchmark: Benchmark, store: Store) -> None:
        self.episode = episode
        self.agent: Agent | None = None
        self.turn: agent_turns.Turn | None = None
        self.preview: Score | None = None
        self._benchmark = benchmark
        self._store = store

    async def act(self, text: str) -> ParseError | None:
        """Carry out the person's own action, in place of a proposal if there is one."""
        self.preview = None
        result = await self.episode.act(text, proposed=self.turn.text if self.turn else "")
        if isinstance(result, ParseError):
            return result
        self.turn = None
        return None

    async def command(self, line: str) -> None:
        """Carry out ":NAME REST".

        Raises:
            UsageError: no such command, or it can't be carried out now.
        """
        name, _, rest = line.removeprefix(":").strip().partition(" ")
        rest = rest.strip()
        self.preview = None
        match name:
            case "note" if rest:
                await self.episode.note(rest)
            case "preview":
                self._preview(rest)
            case "agent":
                await self._choose(rest)
            case "propose":
                await self._propose()
            case "accept":
                await agent_turns.take(self.episode, self._decided())
            case "reject":
                why = f"{self._decided().text}: {rest or 'no reason given'}"
                await self.episode.note(f"rejected the proposal {why}")
                self.episode.rejected = why
            case "run":
                await self._run(rest)
            case "refresh":
                await self.episode.refresh(self.episode.options.viewport_only)
            case "score":
                await self.episode.score_fully()
            case "end":
                await self.episode.fail(rest or "ended by the operator")
            case "note":
                raise UsageError("There is no text to note", "write :note TEXT")
            case _:
                near = nearest_names(name, COMMANDS, 1) or COMMANDS
                raise UsageError(f"There is no command :{name}", f"nearest: :{', :'.join(near)}")

    def _preview(self, answer: str) -> None:
        self.preview = self.episode.preview(answer)
        if self.preview is None:
            raise UsageError("An answer has no score of its own here", "the score is given after each step")

    async def close(self) -> None:
        """End the agent."""
        if self.agent is not None:
            await self.agent.close()
        self.agent = self.turn = None

    async def _choose(self, spec: str) -> None:
        chosen = (
            make_agent(agent_spec(spec, self._store), self._benchmark, self.episode.task) if spec else None
        )
        await self.close()
        self.agent = chosen

    async def _propose(self) -> None:
        turn = await agent_turns.propose(self.episode, self._chosen(), agent_turns.Interruption())
        self.turn = None
        if turn is None or turn.empty:
            reason = turn.error if turn else "it was interrupted"
            raise UsageError(f"The agent {self._chosen().name} gave no action: {reason}")
        self.turn = turn

    async def _run(self, count: str) -> None:
        if count and not (count.isdecimal() and int(count)):
            raise UsageError(f'"{count}" is no number of steps', "write :run 3, or :run for all of them")
        agent, turn = self._chosen(), self.turn
        self.turn = None
        await agent_turns.run(self.episode, agent, steps=int(count) if count else None, first=turn)

    def _chosen(self) -> Agent:
        if self.agent is None:
            raise UsageError("No agent is chosen", "choose one with :agent SPEC")
        return self.agent

    def _decided(self) -> agent_turns.Turn:
        """The proposal, which is no longer open from now on."""
        if self.turn is None:
            raise UsageError("There is no proposal", "ask for one with :propose")
        turn, self.turn = self.turn, None
        return turn
