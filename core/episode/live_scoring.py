"""The score of a live episode: what is collected, asked and compared, and what comes of it."""

from __future__ import annotations

from webbench.core.benchmark.benchmark import Evaluator, Stage
from webbench.core.environment import PAGE_LOST, Environment, Losable
from webbench.core.errors import WebbenchError
from webbench.core.json_types import JsonObject
from webbench.core.judge import Judge
from webbench.core.score.score import Score, failed, not_scored
from webbench.core.scoring.judges.open_questions import answered
from webbench.core.task import Task


class PageLost(WebbenchError):
    """There is no page to score, through no doing of the actor's.

    Args:
        loss: as a `Losable` world tells it.
    """

    def __init__(self, loss: str) -> None:
        super().__init__(f"{PAGE_LOST}: {loss}")


class Scoring:
    """Scores one episode, as often as it is asked to.

    Args:
        judge: asked at the end for what is open; None leaves it pending.

    Attributes:
        task: may get its intent while it is opened.
        score: the latest.
        loss: how the page that it should be of was lost, "" where it wasn't (see `Losable`).
    """

    def __init__(
        self, task: Task, stage: Stage, evaluator: Evaluator, rules: str, judge: Judge | None = None
    ) -> None:
        self.evaluator = evaluator
        self.score: Score = not_scored("the episode has not started", rules=rules)
        self.loss = ""
        self.task = task
        self._stage = stage
        self._rules = rules
        self._judge = judge

    async def evaluate(
        self, environment: Environment, answer: str, *, final: bool = False, thorough: bool = False
    ) -> JsonObject:
        """Score what is there now; gives the evidence. Trouble in collecting is a state of the score.

        A page that crashed, or was taken away otherwise, is no evidence: then there is no score.

        Args:
            answer: what the actor said last, "" where it hasn't.
            final: ask the judge, where there is one, what is open; its replies become evidence.
            thorough: look at everything, as at the end.
        """
        evidence: JsonObject = {}
        self._stage.thorough = final or thorough
        self.loss = ""
        try:
            evidence = await self._collected(environment, answer)
            if final:
                evidence = await answered(self.evaluator, self.task, evidence, self._judge, self._rules)
            self.score = self.evaluator.score(self.task, evidence, self._rules)
        except PageLost as error:
            self.loss = error.message
            self.score = not_scored(self.loss, rules=self._rules)
        except WebbenchError as error:
            self.score = not_scored(f"no evidence could be read: {error}", rules=self._rules)
        return evidence

    async def _collected(self, environment: Environment, answer: str) -> JsonObject:
        """The evidence of a page that was there from first to last. Raises `PageLost`, and as `collect`."""
        if not isinstance(environment, Losable):
            return await self.evaluator.collect(environment, self._stage, answer)
        if environment.loss:
            raise PageLost(environment.loss)
        try:
            evidence = await self.evaluator.collect(environment, self._stage, answer)
        except WebbenchError as error:
            if loss := await environment.look_for_loss():
                raise PageLost(loss) from error
            raise
        if loss := await environment.look_for_loss():
            raise PageLost(loss)
        return evidence

    def preview(self, evidence: JsonObject, answer: str) -> Score:
        """What this evidence would get with another answer; nothing is collected or kept."""
        return self.evaluator.score(self.task, {**evidence, "answer": answer}, self._rules)

    def break_off(self, reason: str, *, broken: bool) -> None:
        """Not scored, whatever was reached before; an *error* where a fault in a program is the reason."""
        make = failed if broken else not_scored
        self.score = make(reason, rules=self._rules, checks=self.score.checks)
