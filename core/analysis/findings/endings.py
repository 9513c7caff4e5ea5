"""How it ended: stopped early, the budget spent, the answer seen and not given."""

from __future__ import annotations

import re
from collections.abc import Iterator

from webbench.core.action.action import Stop
from webbench.core.analysis.findings.reference_answers import is_impossible, references
from webbench.core.analysis.findings.suggestion import Subject, Suggestion, suggested
from webbench.core.analysis.recorded.excerpts import around
from webbench.core.analysis.recorded.known_solution import known_solution
from webbench.core.text.plain_text import plain_clip
from webbench.core.text.plural import counted

HARDLY_ANYTHING = 1
"""Actions before a stop that count as none worth the name."""

OPENING = 200
"""Characters of an answer in which it says that it gives up, if it does."""

_GIVES_UP = re.compile(
    r"^\W*(?:n/?a|none|unknown|not (?:found|available|applicable|achievable|possible))\W*$"
    r"|\b(?:impossible|unachievable|infeasible|unable to|(?:can ?not|can't|could not|couldn't) "
    r"(?:be |find|complete|determine|access|locate|do)|not (?:possible|achievable|feasible))\b",
    re.IGNORECASE,
)
_SPENT = re.compile(
    r"(?:step|time|turn|round|token|iteration|cost)s?[ _-]?limit"
    r"|max(?:imum)?[ _-]?(?:number of )?(?:steps?|turns?|rounds?|iterations?|tokens?|time)"
    r"|out of (?:steps|time|tokens)|budget|truncated|timed? ?out|context length",
    re.IGNORECASE,
)
_REACHED = re.compile(r"\b(?:reached|exceeded|exhausted|used up)\b", re.IGNORECASE)


def early_stops(subject: Subject) -> Iterator[Suggestion]:
    """Stopped because it seemed impossible, without an answer, or after hardly anything; not where solved."""
    step, answer = subject.answer
    if step is None or not isinstance(step.action, Stop) or subject.is_solved:
        return
    task = subject.trajectory.header.task
    acted = sum(moment.step < step.index for moment in subject.moments)
    gives_up = _GIVES_UP.search(answer[:OPENING])
    if gives_up is not None and not is_impossible(task, subject.trajectory.header.score):
        said = plain_clip(gives_up[0].strip(), 40)
        text = f"seems to give up after {counted(acted, 'action')}: it says “{said}”"
        yield suggested("early-stop", step.index, text, quote=plain_clip(answer, 200))
    elif not answer.strip() and references(task, subject.trajectory.header.score):
        yield suggested("early-stop", step.index, f"stops after {counted(acted, 'action')} without an answer")
    elif acted <= HARDLY_ANYTHING and subject.shows_pages:
        text = f"stops after {counted(acted, 'action')}"
        yield suggested("early-stop", step.index, text, quote=plain_clip(answer, 200))


def budget_spent(subject: Subject) -> Iterator[Suggestion]:
    """The episode's end names a limit; in a record of talk alone, how its last words begin."""
    if not subject.steps:
        return
    reason = subject.trajectory.header.end_reason
    if not subject.shows_pages and not _SPENT.search(reason):
        reason = subject.answer[1][:OPENING]
        reason = reason if _REACHED.search(reason) else ""
    if _SPENT.search(reason):
        last = subject.steps[-1].index
        yield suggested(
            "budget-spent", last, f"ended by a limit at step {last}", quote=plain_clip(reason, 200)
        )


def answers_seen(subject: Subject) -> Iterator[Suggestion]:
    """A reference string on a page that the given answer doesn't hold.

    It tells what the right answer is, so it is for ended episodes only, and never for somebody who may not
    know.
    """
    header = subject.trajectory.header
    if not header.ended or subject.is_solved:
        return
    given_at, given = subject.answer
    wanted = [one for one in references(header.task, header.score) if not _pattern(one).search(given)]
    for reference in wanted:
        pattern = _pattern(reference)
        for step in subject.steps:
            if given_at is not None and step.index >= given_at.index:
                break
            if step.index == 0 and not subject.shows_pages:
                continue
            text = subject.page_text(step)
            found = pattern.search(text)
            if found:
                told = f"“{plain_clip(reference, 60)}” stands on the page, and the answer doesn't say it"
                quote = around(text, found.start(), found.end() - found.start())
                yield suggested("answer-seen", step.index, told, quote=plain_clip(quote, 200))
                break


def pages_missed(subject: Subject) -> Iterator[Suggestion]:
    """No page was opened where the answer can be verified: a navigation error (AssistantBench, section 6.2).

    For ended episodes only, as it tells where the answer stands.
    """
    header = subject.trajectory.header
    if not header.ended or subject.is_solved or not subject.steps:
        return
    solution = known_solution(header.task, subject.steps)
    if solution is None or not solution.pages or not solution.followed or solution.opened:
        return
    sites = sum(page.site_step is not None for page in solution.pages)
    told = f"opened none of the {counted(len(solution.pages), 'page')} where the answer can be verified"
    near = f"; of {sites} it was on the site" if sites else ""
    last, first_page = subject.steps[-1].index, plain_clip(solution.pages[0].address, 200)
    yield suggested("pages-missed", last, told + near, quote=first_page)


def _pattern(reference: str) -> re.Pattern[str]:
    """The words with any blanks between, as whole words; a number not as a part of a longer one."""
    words = r"\s+".join(re.escape(word) for word in reference.split())
    return re.compile(rf"(?<!\w)(?<!\d[.,]){words}(?!\w)(?![.,]\d)", re.IGNORECASE)
