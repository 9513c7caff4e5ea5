"""Two people annotate a task, and a third settles it where they differ (WebArena, section 3.2).

What each says is a label of the taxonomy `task-annotation` on the first one's episode, in the ledger of
labels: nobody's word is lost, and agreement is measured as that of all labels. The task's entry names all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from webbench.core.action.action import Stop
from webbench.core.errors import UsageError
from webbench.core.json_types import JsonObject
from webbench.core.labels.label import Done, Label, pseudonym
from webbench.core.text.plain_text import plain_text
from webbench.core.trajectory import Trajectory

TAXONOMY, VERSION, QUESTION = "task-annotation", 1, "annotation"
STANDS, DIFFERS = "stands", "differs"
Part = Literal["first", "second", "third"]


class Annotation(msgspec.Struct, frozen=True, kw_only=True):
    """What one person did when given the task's words.

    Attributes:
        by: her pseudonym, "" where nobody was named.
        accepted: her episode meets every check of the task as it stands in the end.
    """

    part: Part
    by: str
    shown: Trajectory
    accepted: bool = False

    @property
    def said(self) -> str:
        """The answer and the last address, as one line."""
        answers = [step.action.answer for step in self.shown.steps if isinstance(step.action, Stop)]
        last = next((step.url for step in reversed(self.shown.steps) if step.url), "")
        return plain_text(f"{answers[-1] if answers else 'no answer'} · {last}", limit=400)


def agree(one: Annotation, other: Annotation) -> bool:
    """Whether two annotations are the same: the task accepts both, or neither and they say the same."""
    return one.accepted == other.accepted and (one.accepted or one.said == other.said)


class Settlement(msgspec.Struct, frozen=True, kw_only=True):
    """A third person's decision.

    Attributes:
        ruling: whose annotation stands; "third" for her own.
    """

    by: str
    ruling: Part
    because: str


def settlement(ruling: str, by: str, because: str, others: Sequence[str]) -> Settlement | None:
    """The decision as it was asked for; None where none was.

    Args:
        others: the pseudonyms of both annotators.

    Raises `UsageError` without name or reason, for one of the two, and where one of them has no name.
    """
    if ruling == "none":
        if by or because:
            raise UsageError(
                "A name or a reason settles nothing", "say whose annotation stands: --ruling first"
            )
        return None
    if not by or not because.strip():
        raise UsageError("A ruling needs a name and a reason", "give --settled-by NAME and --because TEXT")
    if not all(others) or len(others) < 2:
        raise UsageError("Who is overruled has to be known", "name both: --by NAME and --second-by NAME")
    if pseudonym(by) in others:
        raise UsageError(f"{by} is one of the two who differ", "somebody else has to settle it")
    part: Part = "first" if ruling == "first" else "second" if ruling == "second" else "third"
    return Settlement(by=by, ruling=part, because=because)


def differing(annotations: Sequence[Annotation]) -> list[Annotation]:
    """Those of the second annotators who say something else than the first."""
    first, *others = annotations
    return [one for one in others if one.part == "second" and not agree(first, one)]


def annotation_entry(annotations: Sequence[Annotation], settled: Settlement | None) -> JsonObject:
    """Who said what and who decided, as it stands in the task's entry."""
    given = [
        {
            "part": one.part,
            "by": one.by,
            "episode": one.shown.header.episode,
            "said": one.said,
            "accepted": one.accepted,
        }
        for one in annotations
    ]
    ruled = msgspec.to_builtins(settled) if settled else None
    return {"annotators": given, **({"settled": ruled} if ruled else {})}


def annotation_labels(annotations: Sequence[Annotation], settled: Settlement | None) -> list[Label | Done]:
    """One label for each who has a name, and one that settles; on the first one's episode."""
    first = annotations[0].shown.header
    agreeing = [one for one in annotations if agree(annotations[0], one)]
    two = [one for one in annotations if one.part != "third" and one.by]

    def given(by: str, code: str, note: str, settles: tuple[str, ...] = ()) -> list[Label | Done]:
        who = pseudonym(by)
        label = Label(
            run=first.run,
            episode=first.episode,
            taxonomy=TAXONOMY,
            version=VERSION,
            question=QUESTION,
            code=code,
            note=note,
            annotator=who,
            settles=settles,
        )
        return [label, Done(run=first.run, episode=first.episode, taxonomy=TAXONOMY, annotator=who)]

    made = [entry for one in two for entry in given(one.by, STANDS if one in agreeing else DIFFERS, one.said)]
    if settled is not None:
        code = STANDS if settled.ruling == "first" else DIFFERS
        made += given(settled.by, code, settled.because, tuple(one.by for one in two))
    return made
