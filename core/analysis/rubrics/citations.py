"""Citations of a judge's reply, held against the record: what doesn't stand there is refused, and told."""

from __future__ import annotations

import re

import msgspec

from webbench.core.analysis.rubrics.rubric import Rubric
from webbench.core.analysis.rubrics.transcript import Transcript
from webbench.core.errors import BadData
from webbench.core.judge import Reply
from webbench.core.scoring.judges.json_form import reply_lines
from webbench.core.scoring.judges.verdict import read_verdict
from webbench.core.text.caseless import caseless
from webbench.core.text.plain_text import plain_clip

LONGEST_REPLY = 20_000
"""Characters; a judge that writes more has not kept to its form."""
MOST_CITATIONS = 20
LONGEST_QUOTE = 400
LEAST_QUOTE = 3
"""Signs that a quote must have to say anything."""
LONGEST_REASON = 600

_CITE = re.compile(r"CITE:\s*(?:step\s+)?(\d{1,6})\s*:?\s+[\"“](.+)[\"”]\s*", re.IGNORECASE)
_REASON = re.compile(r"REASON:\s*(.*)", re.IGNORECASE)


class Citation(msgspec.Struct, frozen=True, kw_only=True):
    """Words that stand in a step of the record."""

    step: int
    quote: str


class ReadReply(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a reply comes to.

    Attributes:
        code: the verdict, "" where there is none; `problem` then says why.
        citations: those that hold.
        refused: the others, each with the reason.
    """

    code: str = ""
    citations: tuple[Citation, ...] = ()
    refused: tuple[str, ...] = ()
    reason: str = ""
    problem: str = ""


def read_reply(rubric: Rubric, transcript: Transcript, reply: Reply) -> ReadReply:
    """The verdict with its citations. Never raises, and never guesses.

    A verdict that finds something stands only with a citation that holds.
    """
    if len(reply.text) > LONGEST_REPLY:
        return ReadReply(problem=f"the reply has {len(reply.text):,} characters; at most {LONGEST_REPLY:,}")
    held: dict[Citation, None] = {}
    refused: list[str] = []
    reason = ""
    lines = reply_lines(reply.text)
    cited = [line for line in lines if line[:5].upper() == "CITE:"]
    for line in cited[:MOST_CITATIONS]:
        found = _citation(line, transcript)
        if isinstance(found, Citation):
            held[found] = None
        else:
            refused.append(found)
    if len(cited) > MOST_CITATIONS:
        refused.append(f"{len(cited) - MOST_CITATIONS} beyond the first {MOST_CITATIONS} were not read")
    for line in lines:
        if match := _REASON.fullmatch(line):
            reason = plain_clip(match[1].strip(), LONGEST_REASON)
    read = ReadReply(citations=tuple(held), refused=tuple(refused), reason=reason)
    try:
        code = read_verdict(rubric.asked_of("", ""), reply)
    except BadData as error:
        return msgspec.structs.replace(read, problem=error.message)
    if code in rubric.findings and not held:
        why = "none of its citations holds" if refused else "it cites no step"
        return msgspec.structs.replace(read, problem=f"the verdict {code} is refused: {why}")
    return msgspec.structs.replace(read, code=code)


def _citation(line: str, transcript: Transcript) -> Citation | str:
    """The citation, or why it is refused."""
    match = _CITE.fullmatch(line)
    if match is None:
        return f"{plain_clip(line, 80)}: no step with words in quotation marks"
    index, quote = int(match[1]), " ".join(match[2].split())
    told = f"step {index} “{plain_clip(quote, 60)}”"
    step = transcript.step(index)
    if step is None:
        return f"{told}: there is no such step"
    if not LEAST_QUOTE <= len(quote) <= LONGEST_QUOTE:
        return f"{told}: a quote has {LEAST_QUOTE} to {LONGEST_QUOTE} characters"
    if caseless(quote) not in caseless(step.text):
        return f"{told}: the step doesn't say that"
    return Citation(step=index, quote=plain_clip(quote, LONGEST_QUOTE))
