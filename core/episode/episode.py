"""The loop observe -> act -> score -> record, used alike by the screens and by batch runs."""

from __future__ import annotations

import asyncio
import time

import msgspec

from webbench.core.action.action import Action, Stop
from webbench.core.agent import AgentView, Hands, Proposal
from webbench.core.agents.advice import Advice
from webbench.core.benchmark.benchmark import Evaluator, Stage
from webbench.core.dialects.dialect import Dialect, ParseError
from webbench.core.dialects.wording import wording
from webbench.core.environment import Environment, EnvironmentSetup, Lent, StepResult, Visiting
from webbench.core.episode import events
from webbench.core.episode.actor_answer import read_action, said_step
from webbench.core.episode.agent_view import agent_view
from webbench.core.episode.guard_verdict import judged, refusal
from webbench.core.episode.idle import IdleTime
from webbench.core.episode.limits import LimitCount
from webbench.core.episode.live_scoring import Scoring
from webbench.core.episode.manual_steps import by_hand
from webbench.core.episode.options import EpisodeOptions
from webbench.core.episode.perception import Emit, Sight
from webbench.core.episode.recording import Seen, StepRecorder, StepWriter
from webbench.core.errors import UsageError, WebbenchError
from webbench.core.guards.guard import Guard
from webbench.core.json_types import JsonObject
from webbench.core.judge import Judge
from webbench.core.observation import Observation, Screenshot, ScreenshotOptions
from webbench.core.score.score import Score
from webbench.core.task import PICTURES, Task
from webbench.core.trajectory import (
    ACTOR_STOPPED,
    IN_THE_WINDOW,
    LEFT_UNFINISHED,
    Actor,
    EpisodeHeader,
    Seconds,
    Step,
    as_acted,
    now,
    who_acted,
)

NOTES_WHILE_IT_RUNS = "notes are taken while it runs"


class Episode:
    """One attempt at one task by one or several actors.

    Call `start` once, then `act` (or `act_on`) until `ended` is not empty, then nothing. Events are
    emitted in the order in which things become true; `StepRecorded` only after the step is on disk.
    """

    def __init__(
        self,
        *,
        task: Task,
        environment: Environment,
        stage: Stage,
        setup: EnvironmentSetup,
        evaluator: Evaluator,
        dialect: Dialect,
        recorder: StepRecorder,
        header: EpisodeHeader,
        options: EpisodeOptions = EpisodeOptions(),
        emit: Emit = lambda _event: None,
        judge: Judge | None = None,
        guard: Guard | None = None,
    ) -> None:
        self.task = task
        self.environment = environment
        self.stage = stage
        self.guard = guard or Guard()
        self.setup = self.guard.around(setup)
        self.dialect = dialect
        self.header = header
        self._began_by = header.actor
        self.options = options
        self.emit = emit
        self.sight = Sight(environment, options, emit, self.guard.take_messages)
        self.scoring = Scoring(task, stage, evaluator, options.rules, judge)
        self.steps: list[Step] = []
        self.answer = ""
        self.ended = ""
        self.agent = ""
        self.rejected = ""
        self.noticed: set[str] = set()
        self.last_proposal = Proposal()
        self.carried: tuple[Proposal, int] = (Proposal(), -1)
        """The last proposal that was carried out, and its step."""
        self.limits = LimitCount(options, seconds_before=header.elapsed_before)
        self._writer = StepWriter(recorder, emit)
        self._scored = False
        self._closed = False
        self.idle = IdleTime()
        self._one_step = asyncio.Lock()
        """Held by the step in flight, whose number is taken: what somebody says meanwhile comes after it."""

    def tell_reach(self, reach: str) -> None:
        """Record what of the reference answers an agent's code can read from now on; "" tells nothing."""
        if reach and reach not in self.header.agent_reach:
            told = "; ".join(filter(None, (self.header.agent_reach, reach)))
            self.header = self._writer.revise(self.header, agent_reach=told)

    async def start(self) -> Step:
        """Reset the environment, open the start page and record step 0."""
        started = time.monotonic()
        self.limits.time.restart()
        self._progress("opening the task's page", "page")
        await self.environment.reset(self.setup)
        if isinstance(self.environment, Visiting):
            self.header = self._writer.revise(self.header, visitor=await self.environment.visitor())
        intent, pictures = await self.stage.opened(), msgspec.to_builtins(self.stage.pictures)
        if intent or pictures:
            data = {**self.task.data, PICTURES: pictures} if pictures else self.task.data
            told = msgspec.structs.replace(self.task, intent=intent or self.task.intent, data=data)
            self.task = self.scoring.task = told
            self.header = self._writer.revise(self.header, task=self.task)
        self.emit(events.EpisodeStarted(header=self.header))
        step = Step(index=0, at=now(), actor="operator", dialect=self.dialect.name)
        return await self._complete(step, time.monotonic() - started)

    async def act(
        self,
        text: str,
        *,
        actor: Actor = "human",
        advice: Advice = Advice(),
    ) -> Step | ParseError:
        """Parse `text` in the episode's dialect and carry it out.

        A text that is no action leaves the page alone. From a person it is only refused; from an
        agent it is a step of its own, recorded with its error, because it used up a turn.
        """
        parsed = read_action(self.dialect, text, advice.proposal)
        if isinstance(parsed, ParseError):
            self.emit(
                events.ActionRefused(
                    text=text, position=parsed.position, reason=parsed.reason, nearest=parsed.nearest
                )
            )
            if actor != "agent":
                return parsed
            return await self._record_invalid(text, parsed, advice)
        return await self.act_on(parsed, text=text, actor=actor, advice=advice)

    async def act_on(
        self,
        action: Action,
        *,
        text: str = "",
        actor: Actor = "human",
        advice: Advice = Advice(),
    ) -> Step:
        """Carry out an action, observe, score and record."""
        async with self._one_step:
            self._require_live("start the task again")
            self.rejected = ""
            idle = max(0.0, self.idle.seconds - advice.seconds)
            started = time.monotonic()
            self._progress("acting", "action")
            self.limits.acted(action, self.observation, by_agent=actor == "agent")
            await self.stage.acting(self.environment, action)
            by_agent = actor == "agent"
            risk = await self.guard.risk(action, self.environment, self.observation) if by_agent else None
            advice = judged(advice, risk, self.agent)
            if isinstance(action, Stop):
                self.answer = action.answer
                result = StepResult(action=action)
            elif risk is not None and not advice.confirmed:
                result = StepResult(action=action, ok=False, error=refusal(risk))
            else:
                with self.guard.letting(by_agent=by_agent, confirmed=advice.confirmed):
                    result = await self._done(action, advice.hands)
                await self.stage.acted(self.environment, result)
            step = msgspec.structs.replace(
                said_step(
                    len(self.steps), self.dialect, text or wording(self.dialect, action), actor, advice
                ),
                action=result.action,
                ok=result.ok,
                error=result.error,
                output=result.output,
                matched_by=result.matched_by,
                seconds=Seconds(idle=idle, agent=advice.seconds),
            )
            recorded = await self._complete(step, time.monotonic() - started)
            self.last_proposal = Proposal()
            if actor == "agent":
                self._carried_out(advice.proposal, recorded)
            return recorded

    async def _done(self, action: Action, hands: Hands | None) -> StepResult:
        """By the environment, or by an agent's own hands."""
        if hands is None or not isinstance(self.environment, Lent):
            return await self.environment.act(action)
        return await self.environment.act_by(hands, action, self.limits.seconds_left)

    async def witness(self) -> Step | None:
        """Record what a person did in the browser's own window, the page with the last of it.

        A page that is another one though nothing was seen to be done is a step without an action. None
        where nothing was done and the page is as it was.
        """
        async with self._one_step:
            self._require_live("start the task again")
            steps = await by_hand(
                self.environment, self.stage, self.sight, len(self.steps), self.idle.seconds
            )
            for step in steps[:-1]:
                await self._append(Seen(step))
            recorded = await self._complete(steps[-1], 0.0) if steps else None
            self._progress("", "idle")
            return recorded

    @property
    def observation(self) -> Observation:
        """What the actor sees now."""
        return self.sight.observation

    @property
    def score(self) -> Score:
        """The latest; the last one once it has ended."""
        return self.scoring.score

    @property
    def screenshot(self) -> Screenshot | None:
        return self.sight.screenshot

    async def show_picture(self, options: ScreenshotOptions) -> Screenshot | None:
        """Take a picture for display; nothing is recorded. None where the page gives none."""
        return await self.sight.show_picture(len(self.steps), options)

    def _require_live(self, hint: str) -> None:
        if self.ended:
            raise WebbenchError(f"The episode has ended: {self.ended}", hint)

    def pause(self) -> None:
        """Nobody works on it until `go_on`: what passes meanwhile counts for no step and no limit."""
        self.idle.pause()
        self.limits.time.pause()

    def go_on(self) -> None:
        self.idle.go_on()
        self.limits.time.go_on()

    async def note(self, text: str, advice: Advice = Advice()) -> Step:
        """Record a remark as a step of its own, with what an agent had said; the page is left alone.

        While a step is in flight, it waits for that one; not for the one that ends the episode.
        """
        self._require_live(NOTES_WHILE_IT_RUNS)
        async with self._one_step:
            self._require_live(NOTES_WHILE_IT_RUNS)
            step = msgspec.structs.replace(
                said_step(len(self.steps), self.dialect, "", "operator", advice),
                note=text,
                dialect="",
                seconds=Seconds(agent=advice.seconds),
            )
            return await self._append(Seen(step))

    def view(self) -> AgentView:
        """What an agent gets to see now."""
        return agent_view(self)

    def preview(self, answer: str) -> Score | None:
        """What the episode would get if it ended with this answer now; nothing is recorded or collected.

        None where scores stay hidden until the end, and where answers are no part of the evidence.
        """
        evidence = next((step.evidence for step in reversed(self.steps) if step.evidence), {})
        if self.ended or not self.options.live_score or "answer" not in evidence:
            return None
        return self.scoring.preview(evidence, answer)

    async def refresh(self, viewport_only: bool = False, *, whole: bool = False) -> None:
        """Observe again without acting; nothing is recorded. `whole`: all nodes of a large page."""
        self.options = msgspec.structs.replace(self.options, viewport_only=viewport_only)
        self.sight.options = self.options
        await self.sight.observe(len(self.steps), whole=whole)
        await self.sight.take_picture(len(self.steps))
        self._progress("", "idle")

    async def score_fully(self) -> Score:
        """Score what is there now with everything the end would look at but a judge; nothing is recorded.

        Raises `UsageError` where scores stay hidden until the end.
        """
        self._require_live("its score stands")
        if not self.options.live_score:
            raise UsageError("Scores stay hidden in this episode", "they are shown when it ends")
        await self._evaluate(thorough=True)
        self._progress("", "idle")
        return self.score

    async def finish(self, reason: str) -> Score:
        """End the episode with a final score; idempotent.

        Where the last step was not scored, the evidence of the final score is recorded with a step of
        its own, so that every score can be computed again.
        """
        if self.ended:
            return self.score
        self.ended = reason
        if not self._scored:
            evidence = await self._evaluate(final=True)
            step = Step(
                index=len(self.steps),
                at=now(),
                actor="operator",
                note=reason,
                evidence=evidence,
                score=self.score,
            )
            self._scored = True
            await self._append(Seen(step))
        await self._close_record(reason)
        self._progress("", "idle")
        return self.score

    async def fail(self, reason: str, *, broken: bool = False) -> Score:
        """End the episode as not scored, whatever was reached before; idempotent.

        An end that was broken off is brought to its end: a final score that was reached by then stays.

        Args:
            broken: the reason is a fault in a program, which is an *error*.
        """
        if self._closed:
            return self.score
        if not (self.ended and self._scored):
            self.scoring.break_off(reason, broken=broken)
            self.ended = reason
            self.emit(events.Scored(step=len(self.steps), score=self.score))
        await self._close_record(self.ended)
        return self.score

    async def leave(self) -> None:
        """Let go of it without an end, so that somebody can resume it from its record; idempotent.

        It has no score then. One whose end was reached is brought to that end.
        """
        if self._closed:
            return
        if self.ended:
            await self.fail(self.ended)
            return
        self.ended = LEFT_UNFINISHED
        await self._writer.leave(self.setup.downloads)
        self._closed = True
        self.emit(events.EpisodeKept(header=self.header))

    def caught_up(self) -> None:
        """Note in the record that all of the resumed episode is repeated."""
        self.header = self._writer.revise(self.header, caught_up=True)

    @property
    def is_under_way(self) -> bool:
        """Something was done in it, which would be lost with it."""
        return any(step.is_work for step in self.steps)

    @property
    def unrecorded(self) -> str:
        """Why the record lacks something, or "" where everything is on disk."""
        return self._writer.trouble

    async def record_failure(self, error: str, advice: Advice, text: str = "") -> Step:
        """Record that an agent gave no action, with the calls of models that it made in vain."""
        async with self._one_step:
            step = msgspec.structs.replace(
                said_step(len(self.steps), self.dialect, text, "agent", advice),
                ok=False,
                error=error,
                score=self.score,
                seconds=Seconds(agent=advice.seconds),
            )
            return await self._append(Seen(step))

    async def _record_invalid(self, text: str, error: ParseError, advice: Advice) -> Step:
        self.rejected = ""
        # What such a reply lacks is no verb: to list them would tell a model of those it isn't offered.
        told = f"not an action: {error.reason}"
        told = told if advice.proposal.malformed else f"{told}; try {error.nearest}"
        recorded = await self.record_failure(told, advice, text)
        self._carried_out(advice.proposal, recorded)
        self.limits.no_action()
        if limit := self.limits.reached():
            await self.finish(limit)
        return recorded

    def _carried_out(self, proposal: Proposal, step: Step) -> None:
        self.last_proposal, self.carried = proposal, (proposal, step.index)

    async def _complete(self, step: Step, seconds_so_far: float) -> Step:
        """Observe, score, take the picture and record what `step` led to; end the episode if it is due."""
        started = time.monotonic()
        await self.sight.observe(step.index, step.error)
        due = await self._end_reason(step)
        if self.stage.scores_pictures:
            await self._take_picture_first(step.index)
        evidence: JsonObject = {}
        scoring_started = time.monotonic()
        self._scored = self.options.live_score or bool(due)
        if self._scored:
            evidence = await self._evaluate(final=bool(due))
        scoring = time.monotonic() - scoring_started
        if not self.stage.scores_pictures:
            await self.sight.take_picture(step.index)
        html = await self.sight.html()
        seconds = Seconds(
            idle=step.seconds.idle,
            agent=step.seconds.agent,
            environment=seconds_so_far + time.monotonic() - started - scoring,
            scoring=scoring,
        )
        step = msgspec.structs.replace(
            step,
            url=self.observation.url,
            title=self.observation.title,
            condition=self.observation.condition,
            messages=self.observation.messages,
            evidence=evidence,
            score=self.score if self._scored else None,
            seconds=seconds,
        )
        recorded = await self._append(Seen(step, self.sight.observation, self.sight.screenshot, html))
        self.idle.restart()
        self._progress("", "idle")
        if due:
            await self.finish(due)
        return recorded

    async def _take_picture_first(self, step: int) -> None:
        """Take the step's picture, and tell the stage under which name it is kept."""
        await self.sight.take_picture(step)
        if self.sight.screenshot is not None:
            name = await self._writer.keep_picture(self.sight.screenshot)
            if name:
                await self.stage.pictured(step, name)

    async def _append(self, seen: Seen) -> Step:
        """Keep the step; `StepRecorded` follows when it is on disk."""
        seen = seen._replace(step=msgspec.structs.replace(seen.step, limit_count=self.limits.count))
        self.steps.append(seen.step)
        actors = self._actors()
        if actors != (self.header.actors or (self.header.actor,)):
            self.header = self._writer.tell_actors(as_acted(self.header, actors))
        for recorded in await self._writer.write(seen, self.setup.downloads):
            self.steps[recorded.index] = recorded
            self.emit(events.StepRecorded(step=recorded))
        return self.steps[seen.step.index]

    def _actors(self) -> tuple[str, ...]:
        return who_acted(self.steps, self.agent, self._began_by)

    async def _close_record(self, reason: str) -> None:
        header = as_acted(self.header, self._actors())
        self.header = await self._writer.finish(header, self.score, reason, downloads=self.setup.downloads)
        self._closed = True
        self.emit(events.EpisodeEnded(header=self.header))

    async def _evaluate(self, *, final: bool = False, thorough: bool = False) -> JsonObject:
        self._progress("scoring", "score")
        evidence = await self.scoring.evaluate(self.environment, self.answer, final=final, thorough=thorough)
        self.emit(events.Scored(step=len(self.steps), score=self.score))
        return evidence

    async def _end_reason(self, step: Step) -> str:
        """Why the episode is over after this step, or ""."""
        if step.action is None and step.text != IN_THE_WINDOW:
            return ""
        if isinstance(step.action, Stop):
            return ACTOR_STOPPED
        return await self.stage.ended(self.observation) or self.limits.reached()

    def _progress(self, text: str, stage: events.ProgressStage) -> None:
        self.emit(events.Progress(text=text, stage=stage))
