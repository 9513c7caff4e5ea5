"""What a WebArena task is like: whether it asks for information, and whether it can be done."""

from __future__ import annotations

from webbench.benchmarks.webarena.scoring.string_match import NOT_ACHIEVABLE, is_unachievable
from webbench.benchmarks.webarena.verified.response import object_of
from webbench.benchmarks.webarena.verified.tasks import expects_failure
from webbench.core.benchmark.benchmark import Traits, is_answer
from webbench.core.task import Task

ANSWERED = "string_match"
VERIFIED_KINDS = {"retrieve": True, "navigate": False, "mutate": False}


def traits(task: Task) -> Traits:
    """By the paper's two groups, information seeking and the others (section 3.2).

    The verified edition says which a task is. The published files don't: there a task seeks information
    whose answer is compared, which is also true of those that can't be done, whatever they ask for. Of a
    task that was imported without its evaluator neither is known.
    """
    seeks = VERIFIED_KINDS.get(task.kind, ANSWERED in task.kind.split() if task.kind else None)
    achievable = not is_unachievable_task(task) if task.gold else None
    return Traits(seeks_information=seeks, achievable=achievable)


def is_unachievable_task(task: Task) -> bool:
    """Whether the right answer is that it can't be done."""
    return expects_failure(task) or is_unachievable(task.gold)


def gives_up(task: Task, answer: str) -> bool:
    """Whether the answer is that it can't be done: "N/A", of a verified task a status other than SUCCESS."""
    if is_answer(NOT_ACHIEVABLE, answer):
        return True
    if not isinstance(task.gold.get("eval"), list):
        return False
    response = object_of(answer)
    status = response.get("status") if isinstance(response, dict) else None
    return isinstance(status, str) and status.upper() not in ("", "SUCCESS")
