"""Verdicts of scores that a judge alone gave, kept as its verdict on whether the task was solved.

So `judge table` sets a benchmark's own judge, WebJudge for one, beside people and the other readers.
"""

from __future__ import annotations

from collections.abc import Sequence

from webbench.core.analysis.rubrics.kept_verdicts import JudgedEpisode, keep, rater_name
from webbench.core.judge import Question, Reply
from webbench.core.labels.codebook import load_codebook
from webbench.core.labels.ledger import ledger_of
from webbench.core.score.score import Score, Status, digest
from webbench.core.scoring.judges.model import ModelJudge
from webbench.core.scoring.judges.question_prompts import prompt_version
from webbench.core.store.store import Store
from webbench.core.trajectory import EpisodeHeader

OUTCOME, SOLVED, FAILED = "outcome", "solved", "failed"
"""Question of the merged taxonomy, and its codes for a score of 1 and of less."""


def keep_verdict(
    store: Store,
    header: EpisodeHeader,
    score: Score,
    judge: ModelJudge,
    heard: Sequence[tuple[Question, Reply]],
) -> JudgedEpisode | None:
    """What the score says, as the judge's verdict on the outcome; None where it gave none.

    Args:
        heard: what it was asked for this score; the last one gave the verdict.

    Raises `StoreUnwritable`.
    """
    if not heard or score.status is not Status.SCORED or score.value is None:
        return None
    taxonomy = load_codebook(written=ledger_of(store).codebooks).merged
    code = SOLVED if score.value >= 1 else FAILED
    question = next((one for one in taxonomy.questions if one.name == OUTCOME), None)
    if question is None or code not in {one.name for one in question.codes}:
        return None
    last, reply = heard[-1]
    version = prompt_version(last.kind)
    identity = digest((judge.endpoint.url, judge.endpoint.model, judge.sampling.parameters))
    tokens = [one for _, one in heard if not one.cached]
    costs = [one.cost for one in tokens if one.cost is not None]
    verdict = JudgedEpisode(
        run=header.run,
        episode=header.episode,
        taxonomy=taxonomy.name,
        version=taxonomy.version,
        question=OUTCOME,
        code=code,
        reason=score.checks[0].why if score.checks else "",
        rater=rater_name(judge.endpoint.model, identity, score.rules, version),
        judge=judge.name,
        prompt=f"{header.task.benchmark} {score.rules}",
        prompt_version=version,
        asked=digest([question.key for question, _ in heard]),
        reply=reply.text,
        prompt_tokens=sum(one.prompt_tokens or 0 for one in tokens),
        completion_tokens=sum(one.completion_tokens or 0 for one in tokens),
        cost=sum(costs) if costs else None,
    )
    keep(store, [verdict])
    return verdict
