"""WebJudge: the procedure by which Online-Mind2Web has a model judge an episode (paper, section 4; its code).

1. Key points: what the task says has to be so, asked of the task alone.
2. Each screenshot by itself, with task and key points: how much it shows of what is needed, 1 to 5.
3. Those with 3 or more are kept, in their order, the first 50 of them.
4. The verdict, from task, key points, numbered actions, the kept screenshots and why they were kept.

The answer that the actor gave is shown to no stage: it may be made up. A reply to 2 without a score counts as
none, as in the published code. The prompts are of our own wording.
"""

from __future__ import annotations

import msgspec

from webbench.benchmarks.common.shown_to_judge import Shown
from webbench.core.errors import BadData
from webbench.core.json_types import JsonObject
from webbench.core.judge import Question, Reply, reply_to
from webbench.core.scoring.judges.json_form import reply_lines
from webbench.core.scoring.judges.verdict import read_verdict

KEY_POINTS, SCREENSHOT, OUTCOME = (
    f"online_mind2web/{what}" for what in ("key_points", "screenshot", "outcome")
)
SCORES = ("1", "2", "3", "4", "5")
THRESHOLD = 3
MOST_KEPT = 50
MOST_LOOKED_AT = 150
"""Screenshots of one episode, for a score rests on 200 questions at most; the published code has no bound."""
SUCCESS, FAILURE = "success", "failure"
NOTHING = "none"


class Graded(msgspec.Struct, frozen=True, kw_only=True):
    """A screenshot and what the judge made of it.

    Attributes:
        score: 1 to 5; None where the reply has none that can be read.
        reason: the judge's, on one line.
    """

    step: int
    name: str
    score: int | None
    reason: str = ""

    @property
    def is_key(self) -> bool:
        """It is shown with the last question, if it is among the first 50."""
        return self.score is not None and self.score >= THRESHOLD


class Judgement(msgspec.Struct, frozen=True, kw_only=True):
    """How far the procedure is.

    Attributes:
        key_points: the judge's list; "" until there is one.
        graded: screenshots that were looked at.
        kept: those of them that are shown with the last question.
        open: what has to be asked next; empty once there is a verdict, or an error stops it.
        verdict: "" until there is one.
        reply: that gave it.
        error: why it can't go on.
    """

    key_points: str = ""
    graded: tuple[Graded, ...] = ()
    kept: tuple[Graded, ...] = ()
    open: tuple[Question, ...] = ()
    verdict: str = ""
    reply: Reply | None = None
    error: str = ""


def judgement(intent: str, shown: Shown, evidence: JsonObject) -> Judgement:
    """What the recorded replies come to. Raises `msgspec.ValidationError` for replies of another shape."""
    asked = _question(KEY_POINTS, {"task": intent})
    reply = reply_to(asked, evidence)
    if reply is None:
        return Judgement(open=(asked,))
    points = key_points_in(reply)
    if not points:
        return Judgement(error=_trouble(reply, "the reply lists no key point"))
    graded, questions, error = _graded(intent, points, shown, evidence)
    if questions or error:
        return Judgement(key_points=points, graded=graded, open=questions, error=error)
    kept = tuple(one for one in graded if one.is_key)[:MOST_KEPT]
    last = outcome_question(intent, points, shown, kept)
    found = reply_to(last, evidence)
    if found is None:
        return Judgement(key_points=points, graded=graded, kept=kept, open=(last,))
    try:
        verdict = read_verdict(last, found)
    except BadData as unreadable:
        return Judgement(key_points=points, graded=graded, kept=kept, error=str(unreadable))
    return Judgement(key_points=points, graded=graded, kept=kept, verdict=verdict, reply=found)


def outcome_question(intent: str, points: str, shown: Shown, kept: tuple[Graded, ...]) -> Question:
    """The last question, with the kept screenshots."""
    reasons = [one.reason for one in kept if one.reason]
    fields = {
        "task": intent,
        "key_points": points,
        "actions": shown.numbered_actions or NOTHING,
        "reasons": "\n".join(f"{number}. {reason}" for number, reason in enumerate(reasons, 1)) or NOTHING,
    }
    return _question(OUTCOME, fields, (SUCCESS, FAILURE), tuple(one.name for one in kept))


def key_points_in(reply: Reply) -> str:
    """The list that a reply to the first question gives, one a line; "" where it gives none."""
    text = "" if reply.error else reply.text
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    heads = [
        at for at, line in enumerate(lines) if "key points" in line.casefold() and line.endswith((":", "*"))
    ]
    return "\n".join(lines[heads[-1] + 1 :] if heads else lines)


def _graded(
    intent: str, points: str, shown: Shown, evidence: JsonObject
) -> tuple[tuple[Graded, ...], tuple[Question, ...], str]:
    """The screenshots that have their reply, what is still to be asked of others, and what went wrong."""
    graded: list[Graded] = []
    open_ones: list[Question] = []
    error = ""
    for step, name in shown.screenshots[:MOST_LOOKED_AT]:
        question = _question(SCREENSHOT, {"task": intent, "key_points": points}, SCORES, (name,))
        reply = reply_to(question, evidence)
        if reply is None:
            open_ones.append(question)
        elif reply.error:
            error = error or f"the screenshot of step {step}: {reply.error}"
        else:
            graded.append(_grade(question, reply, step, name))
    return tuple(graded), tuple(open_ones), error


def _grade(question: Question, reply: Reply, step: int, name: str) -> Graded:
    try:
        score = int(read_verdict(question, reply))
    except BadData:
        return Graded(step=step, name=name, score=None)
    lines = [line for line in reply_lines(reply.text) if line and not line.startswith(("VERDICT:", "CITE:"))]
    return Graded(
        step=step, name=name, score=score, reason=" ".join(line.removeprefix("REASON: ") for line in lines)
    )


def _question(
    kind: str, fields: dict[str, str], verdicts: tuple[str, ...] = (), pictures: tuple[str, ...] = ()
) -> Question:
    return Question(kind=kind, fields=fields, verdicts=verdicts, pictures=pictures, asked_of="model")


def _trouble(reply: Reply, otherwise: str) -> str:
    return f"{reply.judge or 'the judge'} gave no reply: {reply.error}" if reply.error else otherwise
