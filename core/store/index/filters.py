"""Which episodes of a store a list shows, as typed by a person or asked for by a program."""

from __future__ import annotations

import shlex
from typing import get_args

import msgspec

from webbench.core.errors import UsageError
from webbench.core.score.score import Status
from webbench.core.store.index.summaries import EpisodeSummary, State
from webbench.core.text.nearest import suggestion

VISITOR = ("driver", "browser", "system", "locale", "timezone", "region")
FIELDS = ("benchmark", "run", "actor", "task", "site", "status", "tag", *VISITOR)
"""What may stand before a colon."""
MOST_WORDS = 100
"""In one filter; the index takes no more than a thousand conditions."""
SUSPECT = "suspect"
OUTCOMES = ("solved", "failed")
"""Of what is scored: the whole score, or less."""
_VALUE = {"solved": " AND value = 1", "failed": " AND value IS NOT 1"}
_SAID_OF_RUN = "run IN (SELECT run FROM runs WHERE instr({}_folded, ?))"
STATUSES = (
    SUSPECT,
    *OUTCOMES,
    *(status.value for status in Status),
    *(state for state in get_args(State) if state != "running"),
)


class EpisodeFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Every condition that is given has to hold; case is ignored.

    Attributes:
        benchmark, run, actor, task, site: texts that the episode's own must contain; task is its id, and a
            run's own is also what people call it.
        status: of the score ("scored", "pending", "not_scored", "error"), or of the record: "ended",
            "interrupted" (no end, it may still run), "unreadable"; "solved" or "failed": scored, as 1 or
            less; "suspect": scored though the page was not there any more (see `suspects`).
        tag: a tag of its run must contain it.
        driver, browser, system, locale, timezone, region: of its pages' visitor.
        words: each must occur in task, intent, site, split, actor, run, episode, or the reason of its end.
    """

    benchmark: str = ""
    run: str = ""
    actor: str = ""
    task: str = ""
    site: str = ""
    status: str = ""
    tag: str = ""
    driver: str = ""
    browser: str = ""
    system: str = ""
    locale: str = ""
    timezone: str = ""
    region: str = ""
    words: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self != EpisodeFilter()


def parse_filter(text: str) -> EpisodeFilter:
    """The filter of a line such as `benchmark:webarena actor:human status:scored "best selling"`.

    A word with another beginning than `FIELDS` is looked for as it is. Raises `UsageError` for an unknown
    status and for a quotation mark without its partner.
    """
    fields: dict[str, str] = {}
    words = []
    for part in _parts(text):
        name, colon, value = part.partition(":")
        if colon and name.lower() in FIELDS:
            fields[name.lower()] = value
        else:
            words.append(part)
    words = list(dict.fromkeys(words))
    if len(words) > MOST_WORDS:
        raise UsageError(f"A filter of {len(words):,} words is too long", f"write at most {MOST_WORDS}")
    status = fields.get("status", "").lower().replace("-", "_").replace(" ", "_")
    if status and status not in STATUSES:
        raise UsageError(f'There is no status "{status[:40]}"', suggestion(status, STATUSES))
    return EpisodeFilter(**(fields | {"status": status}), words=tuple(words))


def _parts(text: str) -> list[str]:
    lexer = shlex.shlex(text, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters, lexer.escape, lexer.quotes = True, "", "", '"'
    try:
        return list(lexer)
    except ValueError:
        raise UsageError('A quotation mark (") has no partner', "close it, or leave it out") from None


def status_of(summary: EpisodeSummary) -> str:
    """What `EpisodeFilter.status` is compared with: the score's status where the episode has an end."""
    return summary.status.value if summary.state == "ended" else summary.state


def searched(summary: EpisodeSummary) -> str:
    """The text that words are looked for in."""
    texts = (summary.task, summary.intent, summary.site, summary.split, summary.actor)
    return "\n".join((*texts, summary.run, summary.episode, summary.reason)).casefold()


def conditions(wanted: EpisodeFilter) -> tuple[str, tuple[str, ...]]:
    """SQL over the index's table of episodes, with the values of its question marks."""
    clauses, values = ["1"], []
    for field in ("benchmark", "actor", "task", "site", *VISITOR):
        if asked := getattr(wanted, field):
            clauses.append(f"instr({field}_folded, ?)")
            values.append(asked.casefold())
    if wanted.run:
        clauses.append(f"(instr(run_folded, ?) OR {_SAID_OF_RUN.format('name')})")
        values += [wanted.run.casefold()] * 2
    if wanted.tag:
        clauses.append(_SAID_OF_RUN.format("tags"))
        values.append(wanted.tag.casefold())
    if wanted.status in (SUSPECT, *OUTCOMES):
        clauses.append("status = 'scored'" + _VALUE.get(wanted.status, ""))
    elif wanted.status == "ended":
        clauses.append("status NOT IN ('interrupted', 'unreadable')")
    elif wanted.status:
        clauses.append("status = ?")
        values.append(wanted.status)
    for word in wanted.words:
        clauses.append("instr(searched, ?)")
        values.append(word.casefold())
    return " AND ".join(clauses), tuple(values)
