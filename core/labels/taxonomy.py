"""A taxonomy of errors: questions, codes to answer them with, and what the codes mean in the merged one.

It is a TOML file, so that it can be read, cited and added to without a program:

    schema_version = 1
    name = "mine"                       # unique; letters, digits and hyphens
    version = 1                         # of the definitions; labels name it
    title = "My errors"
    source = "where the codes come from"
    [[questions]]
    name = "error"
    text = "Why was it not solved?"
    places = ["episode", "step"]        # where it can be asked
    ordered = true                      # the codes are a scale, from lowest to highest; may be left out
    [[questions.codes]]
    name = "lost"
    title = "Lost its way"
    definition = "one sentence that tells it from the others"
    means = ["cause.navigation"]        # "question.code" of the merged taxonomy
    off_scale = true                    # no rank on the question's scale ("can't be told"); may be left out
    use_when = "when to give it"        # these and the next four may be left out
    not_when = "when another one fits"
    group = "navigation"                # the parent that it is listed under
    [[questions.codes.examples]]
    episode = "run/episode"
    step = 3

A codebook that people write while they read is the same, kept in versions (`versions.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from webbench.core.errors import BadData, UsageError
from webbench.core.labels.label import Label
from webbench.core.text import toml_decoding
from webbench.core.text.nearest import nearest_names
from webbench.core.text.plain_text import plain_clip

SCHEMA_VERSION = 1
MERGED = "merged"
LARGEST_FILE = 1 << 20
"""Bytes."""

Name = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
Line = Annotated[str, Meta(min_length=1, max_length=400)]
Text = Annotated[str, Meta(max_length=2000)]
Kind = Literal["episode", "step"]


class Example(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where a code is to be seen: an episode as "run/episode", its step, and what is to be read there."""

    episode: Annotated[str, Meta(min_length=3, max_length=400)]
    step: Annotated[int, Meta(ge=0)] | None = None
    quote: Text = ""

    @property
    def place(self) -> str:
        """ "run/episode step 3"."""
        return self.episode if self.step is None else f"{self.episode} step {self.step}"


class Code(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """An answer.

    Attributes:
        definition: "" while nobody has written one, as of a code that was just found in reading.
        use_when, not_when: when to give it, and when another one fits better.
        group: the parent code that it is listed under, in words.
        examples: the clearest first.
        split_into: names of the codes that took its place; it is no longer given, and whoever gave it reads
            those places again.
        means: codes of the merged taxonomy that it implies, as "question.code".
        unmapped: why it implies none.
        off_scale: of an ordered question, it has no rank on its scale, such as "can't be told".
    """

    name: Name
    title: Line
    definition: Text = ""
    use_when: Text = ""
    not_when: Text = ""
    group: Annotated[str, Meta(max_length=80)] = ""
    examples: Annotated[tuple[Example, ...], Meta(max_length=99)] = ()
    split_into: tuple[Name, ...] = ()
    means: tuple[str, ...] = ()
    unmapped: str = ""
    off_scale: bool = False


class Question(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A question with its answers; `places` says what it can be asked of.

    Attributes:
        ordered: the codes are a scale, from lowest to highest.
        several: any number of its codes may be given to one place; else one of them.
    """

    name: Name
    text: Line
    places: Annotated[tuple[Kind, ...], Meta(min_length=1)]
    codes: Annotated[tuple[Code, ...], Meta(min_length=1, max_length=999)]
    ordered: bool = False
    several: bool = False

    @property
    def scale(self) -> tuple[str, ...]:
        """Codes from lowest to highest; empty where they have no order."""
        return tuple(code.name for code in self.codes if not code.off_scale) if self.ordered else ()

    @property
    def offered(self) -> tuple[Code, ...]:
        """The codes that can be given now."""
        return tuple(code for code in self.codes if not code.split_into)


class Change(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What led to a version of a codebook, by whom, when and why.

    Attributes:
        codes, into: "question.code" before and after; of a code that was added only after.
        undoes: the version whose change is taken back.
    """

    what: Literal["begun", "added", "defined", "renamed", "merged", "split", "grouped", "undone"]
    by: str
    at: str
    codes: tuple[str, ...] = ()
    into: tuple[str, ...] = ()
    why: Text = ""
    undoes: int | None = None

    @property
    def words(self) -> str:
        """ "merged code.a, code.b into code.c"."""
        before, after = ", ".join(self.codes), ", ".join(self.into)
        if self.undoes is not None:
            return f"took back version {self.undoes}"
        if not before or before == after:
            return f"{self.what} {after}".strip()
        return f"{self.what} {before} into {after}"


class Taxonomy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Questions with their codes, as one file defines them.

    Attributes:
        change: of a codebook's version, what led to it.
    """

    name: Name
    version: Annotated[int, Meta(ge=1)]
    title: Line
    source: str = ""
    about: str = ""
    questions: Annotated[tuple[Question, ...], Meta(min_length=1, max_length=20)]
    change: Change | None = None
    schema_version: int = msgspec.field(default_factory=lambda: SCHEMA_VERSION)

    def codes(self) -> Iterator[tuple[Question, Code]]:
        """Every code with its question, in order."""
        for question in self.questions:
            for code in question.codes:
                yield question, code

    def asked(self, step: int | None) -> tuple[Question, ...]:
        """The questions that can be asked of a step, or of the episode (None)."""
        kind = "episode" if step is None else "step"
        return tuple(question for question in self.questions if kind in question.places)

    def find(self, text: str, step: int | None = None) -> tuple[Question, Code]:
        """The code written as "code" or "question.code", for a step or the episode.

        Raises `UsageError` for one that isn't there, is not unique, or can't be given there.
        """
        asked, _, name = text.rpartition(".")
        found = [
            (question, code)
            for question, code in self.codes()
            if code.name == name and asked in ("", question.name)
        ]
        fitting = [one for one in found if one[0] in self.asked(step)] if len(found) != 1 else found
        if len(fitting) == 1:
            question, code = fitting[0]
            if question not in self.asked(step):
                place = "an episode" if step is None else "a step"
                raise UsageError(
                    f'"{question.text}" of {self.name} can\'t be asked of {place}',
                    f"it is for {' and '.join(question.places)}",
                )
            return question, code
        raise self._not_found(text, [f"{question.name}.{code.name}" for question, code in fitting])

    def _not_found(self, text: str, several: Sequence[str]) -> UsageError:
        if several:
            hint = f"write {' or '.join(several)}"
            return UsageError(f'"{plain_clip(text, 60)}" of {self.name} answers several questions', hint)
        names = [code.name for _, code in self.codes()]
        near = nearest_names(text, names) or list(dict.fromkeys(names))[:12]
        return UsageError(f'{self.name} has no code "{plain_clip(text, 60)}"', f"there is {', '.join(near)}")

    def label_of(self, label: Label) -> tuple[Question, Code] | None:
        """Question and code of a label, None where this version no longer has them."""
        return next(
            (
                (question, code)
                for question, code in self.codes()
                if (question.name, code.name) == (label.question, label.code)
            ),
            None,
        )


def read_taxonomy(data: bytes, where: str) -> Taxonomy:
    """The taxonomy of a TOML file; `where` names it in messages.

    Raises `BadData` with the place in the file for anything that isn't as it should be.
    """
    if len(data) > LARGEST_FILE:
        raise BadData(f"{where} is larger than {LARGEST_FILE} bytes", "a taxonomy is a short text")
    try:
        value = toml_decoding.decode(data)
    except ValueError as error:
        raise BadData(f"{where} is no TOML: {error}") from error
    version = value.get("schema_version", SCHEMA_VERSION)
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise BadData(
            f"{where} was written for a newer release (schema version {version})", "update webbench-tui"
        )
    try:
        taxonomy = msgspec.convert(value, Taxonomy)
    except msgspec.ValidationError as error:
        raise BadData(f"{where}: {_in_words(str(error))}") from error
    refuse_twins(taxonomy, where)
    for question in taxonomy.questions:
        _refuse_scale(question, where)
    return taxonomy


def unknown_meanings(taxonomy: Taxonomy, merged: Taxonomy) -> list[str]:
    """One line for each code whose `means` names a code that the merged taxonomy doesn't have."""
    known = {f"{question.name}.{code.name}" for question, code in merged.codes()}
    problems = []
    for question, code in taxonomy.codes():
        for meaning in code.means:
            if meaning not in known:
                near = nearest_names(meaning, known)
                hint = f"; did you mean {' or '.join(near)}?" if near else ""
                problems.append(
                    f'{question.name}.{code.name} means "{plain_clip(meaning, 60)}", which is no code of '
                    f"{merged.name}{hint}"
                )
    return problems


def refuse_twins(taxonomy: Taxonomy, where: str) -> None:
    """Raises `BadData` where a question, or a code of one, is there twice."""
    questions = [question.name for question in taxonomy.questions]
    for name in questions:
        if questions.count(name) > 1:
            raise BadData(f'{where}: the question "{name}" is there twice')
    for question in taxonomy.questions:
        names = [code.name for code in question.codes]
        for name in names:
            if names.count(name) > 1:
                raise BadData(f'{where}: the question "{question.name}" has the code "{name}" twice')


def _refuse_scale(question: Question, where: str) -> None:
    """A scale takes two codes, and only of a scale can a code be off."""
    if question.ordered and len(question.scale) < 2:
        raise BadData(
            f'{where}: the ordered question "{question.name}" has fewer than two codes on its scale'
        )
    off = [code.name for code in question.codes if code.off_scale]
    if off and not question.ordered:
        raise BadData(
            f'{where}: "{question.name}.{off[0]}" is off_scale, and the question has no scale',
            "write ordered = true below the question, or leave off_scale out",
        )


def _in_words(error: str) -> str:
    """msgspec's message with a path that people count by: "questions[0]" is the first question."""
    message, _, path = error.partition(" - at `$")
    return f"{path.strip('`.') or 'top level'}: {message}" if path else message
