"""A step as one turn: who took it, in which part, what was said or done, and what was seen then."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from webbench.core.action.action import Action, Goto, Say, Search, Stop, Type
from webbench.core.trajectory import Step, Trajectory, step_words

Part = Literal["work", "instruction", "plan", "report", "bare", "end", "person"]
"""What a turn is for: it does something; tells another what to do; plans; only reports what came of a
command; says nothing of its own; ends everything; or a person took it."""

LONGEST = 50_000
"""Characters of a turn that are looked at."""

_OUTPUT = "code output:"
_TO_WHOM = re.compile(r"\(\s*-+>")
_BRACKETS = re.compile(r"\s*\([^()]*\)\s*$")


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """One step after the start.

    Attributes:
        agent: who took it, without what stands in brackets behind the name.
        text: what was said or done.
        claimed: what of it says how things are: in a talk all of it, else the answer or message alone,
            as what an agent thinks is full of ids.
        searched: what it looked for, where its action tells; in a talk the text does.
        seen: what came of it: the page, the report of a machine that spoke next; "" where nothing is known.
        failed: it could not be done, or what came of it says that it went wrong.
        empty: what came of it says nothing.
    """

    step: int
    agent: str
    part: Part
    text: str
    claimed: str = ""
    searched: tuple[str, ...] = ()
    seen: str = ""
    failed: bool = False
    empty: bool = False

    @property
    def is_own(self) -> bool:
        """Somebody decided something in it."""
        return self.part in ("work", "instruction", "plan")


class Speech(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """By what turns of a talk are known (`speech.toml`)."""

    reports: tuple[str, ...]
    plans: tuple[str, ...]
    bare: tuple[str, ...]
    thought: tuple[str, ...]
    end: tuple[str, ...]
    page: tuple[str, ...]
    errors: tuple[str, ...]
    nothing: tuple[str, ...]


@cache
def speech() -> Speech:
    """As it is written in `speech.toml`."""
    data = Path(__file__).with_name("speech.toml").read_bytes()
    return msgspec.convert(tomllib.loads(data.decode()), Speech)


def turns(trajectory: Trajectory, page_text: Callable[[Step], str] | None = None) -> tuple[Turn, ...]:
    """All steps but the start, in order.

    Args:
        page_text: what can be read after a step, for records that show pages; a talk needs none.
    """
    steps = [step for step in trajectory.steps if step.index > 0]
    found = [_turn(step, trajectory.header.actor, page_text) for step in steps]
    return tuple(_answered(turn, found[at + 1 : at + 2]) for at, turn in enumerate(found))


def _turn(step: Step, actor: str, page_text: Callable[[Step], str] | None) -> Turn:
    if isinstance(step.action, Say) and step.note:
        return _spoken(step, step.action.text[:LONGEST])
    words = " ".join(filter(None, (step.reasoning, step_words(step))))[:LONGEST]
    agent = step.provenance.proposed_by if step.provenance is not None else actor
    return Turn(
        step=step.index,
        agent="a person" if step.actor == "operator" else agent,
        part="person" if step.actor == "operator" else "work" if step.acted else "bare",
        text=words,
        claimed=_claimed(step.action),
        searched=_searched(step.action),
        seen=page_text(step) if page_text is not None else step.output[:LONGEST],
        failed=not step.ok,
    )


def _claimed(action: Action | None) -> str:
    if isinstance(action, Stop):
        return action.answer
    return action.text if isinstance(action, Say) else ""


def _searched(action: Action | None) -> tuple[str, ...]:
    """What a search engine, or a field for searching, was given."""
    if isinstance(action, Search):
        return (action.query,)
    if isinstance(action, Type) and action.target is not None and not action.target.secret:
        field = f"{action.target.role} {action.target.name}".casefold()
        return (action.text,) if "search" in field else ()
    return (action.url,) if isinstance(action, Goto) else ()


def _spoken(step: Step, text: str) -> Turn:
    """A turn of a talk; what a page showed is parted from what the agent says."""
    known = speech()
    lowered = text.casefold()
    starts = [at for sign in known.page if (at := lowered.find(sign)) >= 0]
    cut = min(starts, default=len(text))
    seen = text[cut:]
    return Turn(
        step=step.index,
        agent=_BRACKETS.sub("", step.note) or step.note,
        part=_part(step, lowered.strip()),
        text=text[:cut],
        claimed=text[:cut],
        seen=seen,
        failed=any(sign in seen.casefold() for sign in known.errors),
        empty=any(sign in seen.casefold() for sign in known.nothing),
    )


def _part(step: Step, lowered: str) -> Part:
    known, speaker = speech(), step.note.casefold()
    if step.actor == "operator":
        return "person"
    if any(mark in speaker for mark in known.end):
        return "end"
    if lowered.startswith(known.reports):
        return "report"
    if not lowered or lowered.startswith(known.bare):
        return "bare"
    if lowered.startswith(known.plans) or any(mark in speaker for mark in known.thought):
        return "plan"
    return "instruction" if _TO_WHOM.search(speaker) else "work"


def _answered(turn: Turn, after: list[Turn]) -> Turn:
    """The turn with what a machine reported next as what was seen."""
    if not after or after[0].part != "report" or not turn.is_own:
        return turn
    report, known = after[0].text.casefold(), speech()
    output = report.partition(_OUTPUT)[2].strip() if _OUTPUT in report else report.strip()
    return msgspec.structs.replace(
        turn,
        seen=after[0].text,
        failed=any(sign in report for sign in known.errors),
        empty=not output or any(sign in report for sign in known.nothing),
    )
