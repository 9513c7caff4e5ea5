"""What annotators write down: labels, memos, that they are done with an episode, and disputed scores.

Each is one line of an annotator's file (`ledger.py`), tagged by `kind`. Lines are never changed: a later
line with the same `key` supersedes an earlier one, and both stay on disk.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from webbench.core.errors import UsageError
from webbench.core.score.score import Status
from webbench.core.text.plain_text import plain_clip
from webbench.core.trajectory import EpisodeHeader, now

SCHEMA_VERSION = 1
"""Given to entries by a factory, because plain defaults are left out of files."""

Confidence = Annotated[int, Meta(ge=1, le=5)]
"""From 1, a guess, to 5, certain."""

StepIndex = Annotated[int, Meta(ge=0)]

_PSEUDONYM = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}\Z")


class Label(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="label", tag_field="kind"):
    """One code of a taxonomy, given to an episode or to one of its steps.

    Attributes:
        run, episode: names in the store; of imported labels they are filled in there.
        step: what is labelled, None for the episode as a whole.
        taxonomy, version: which definitions the code is to be read by.
        question: the one of the taxonomy's questions that the code answers.
        code: short name of the answer; "" where it was decided that there shall be none.
        about: of a question that takes several answers, the code that is given, or decided against.
        note: why, in the annotator's words.
        evidence: the step that shows it.
        confidence: None where it wasn't given.
        annotator: a pseudonym.
        at: UTC, ISO 8601.
        source: format that it was imported from, "" for one that was given here.
        settles: annotators between whose labels this one decides; empty for a label of one's own.
        in_sight: judges whose verdicts on the question were shown when it was given; such a label confirms or
            rejects, and measures no judge.
        unseen: her code from before a verdict was in sight, "" for none; it still measures judges.
        withdrawn: it is taken back.
    """

    run: str = ""
    episode: str = ""
    step: StepIndex | None = None
    taxonomy: str
    version: int
    question: str
    code: str
    about: str = ""
    note: str = ""
    evidence: StepIndex | None = None
    confidence: Confidence | None = None
    annotator: str
    at: str = ""
    source: str = ""
    settles: tuple[str, ...] = ()
    in_sight: tuple[str, ...] = ()
    unseen: str = ""
    withdrawn: bool = False
    schema_version: int = msgspec.field(default_factory=lambda: SCHEMA_VERSION)

    @property
    def answer(self) -> str:
        """The code in words for people: what was decided where there shall be none."""
        return self.code or "no label"

    @property
    def key(self) -> tuple[object, ...]:
        """What there is one label for: a question of a taxonomy about a place, by an annotator.

        Where several answers may be given, each of them is such a question.
        """
        asked = (self.taxonomy, self.question, self.about)
        return "label", self.run, self.episode, self.step, *asked, self.annotator, bool(self.settles)


class Memo(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="memo", tag_field="kind"):
    """A thought of an annotator on an episode, on one of its steps, or on a code.

    Attributes:
        run, episode, step: what it is on; "" for a memo on a code.
        taxonomy, version, code: the code that it is on, as "question.code"; "" for a memo on a place.
        text: "" takes it back.
    """

    run: str = ""
    episode: str = ""
    step: StepIndex | None = None
    taxonomy: str = ""
    version: int = 0
    code: str = ""
    text: str
    annotator: str
    at: str = ""
    schema_version: int = msgspec.field(default_factory=lambda: SCHEMA_VERSION)

    @property
    def key(self) -> tuple[object, ...]:
        return "memo", self.run, self.episode, self.step, self.taxonomy, self.code, self.annotator


class Done(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="done", tag_field="kind"):
    """An annotator is through with an episode; until then nobody sees the other's labels of it.

    Attributes:
        seconds: spent on it in all, as far as a screen measured it.
        reopened: she is not through: it was left for later, or is being labelled again.
    """

    run: str
    episode: str
    taxonomy: str
    annotator: str
    at: str = ""
    seconds: float = 0.0
    reopened: bool = False
    schema_version: int = msgspec.field(default_factory=lambda: SCHEMA_VERSION)

    @property
    def key(self) -> tuple[object, ...]:
        return "done", self.run, self.episode, self.taxonomy, self.annotator


class Dispute(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="dispute", tag_field="kind"):
    """An evaluator's verdict that somebody holds to be wrong.

    Attributes:
        check: target of the check that is wrong, "" where it is the verdict as a whole.
        status, scored: the verdict as it was when it was disputed.
        corrected: the score it should have been, 0 to 1.
        reason: why, in the annotator's words.
        evidence, quote: the step that shows it and what is to be read there.
        withdrawn: it is taken back.
    """

    run: str
    episode: str
    check: str = ""
    rules: str = ""
    status: Status
    scored: float | None = None
    corrected: Annotated[float, Meta(ge=0, le=1)]
    reason: str
    evidence: StepIndex | None = None
    quote: str = ""
    annotator: str
    at: str = ""
    withdrawn: bool = False
    schema_version: int = msgspec.field(default_factory=lambda: SCHEMA_VERSION)

    @property
    def key(self) -> tuple[object, ...]:
        return "dispute", self.run, self.episode, self.annotator


class Ruling(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="ruling", tag_field="kind"):
    """What became of somebody's dispute; anyone may rule, and a later ruling supersedes.

    Attributes:
        disputed_by: the annotator whose dispute it is.
        verdict: "open" takes an earlier ruling back.
    """

    run: str
    episode: str
    disputed_by: str
    verdict: Literal["accepted", "rejected", "open"]
    note: str = ""
    annotator: str
    at: str = ""
    schema_version: int = msgspec.field(default_factory=lambda: SCHEMA_VERSION)

    @property
    def key(self) -> tuple[object, ...]:
        return "ruling", self.run, self.episode, self.disputed_by


Entry = Label | Memo | Done | Dispute | Ruling


def imported_entries(labels: Sequence[Label], header: EpisodeHeader, format: str) -> list[Entry]:
    """The labels as the store keeps them, and that whoever gave them is done with the episode."""
    at = now()
    named = [
        msgspec.structs.replace(
            label, run=header.run, episode=header.episode, source=label.source or format, at=label.at or at
        )
        for label in labels
    ]
    through = dict.fromkeys((label.taxonomy, label.annotator) for label in named)
    ends = [
        Done(run=header.run, episode=header.episode, taxonomy=taxonomy, annotator=annotator, at=at)
        for taxonomy, annotator in through
    ]
    return [*named, *ends]


def step_order(step: int | None) -> int:
    """For sorting: the episode as a whole before its steps."""
    return -1 if step is None else step


def is_pseudonym(name: str) -> bool:
    """Whether an annotator may be called so."""
    return bool(_PSEUDONYM.match(name)) and ".." not in name


def pseudonym(name: str) -> str:
    """The name of an annotator, which is also the name of a file.

    Raises `UsageError` for one that can't be such a name.
    """
    if not is_pseudonym(name):
        raise UsageError(
            f'"{plain_clip(name, 60)}" is no name for an annotator',
            "use up to 40 letters, digits, '.', '_' and '-'; a pseudonym will do",
        )
    return name
