"""Recoding: a codebook with a code added, defined, renamed, merged, split, grouped, or a change taken back.

Each function gives the next version and changes nothing else. Labels follow when they are read
(`versions.py`): what was recorded stays as it was.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Sequence, Set

import msgspec

from webbench.core.errors import UsageError
from webbench.core.labels.label import pseudonym
from webbench.core.labels.taxonomy import Change, Code, Example, Question, Taxonomy
from webbench.core.labels.versions import Versions
from webbench.core.text.plain_text import plain_clip
from webbench.core.text.plural import counted
from webbench.core.trajectory import now

OPEN = "open"
"""The codebook that codes go into where none is named."""
QUESTION = "code"
LONGEST_NAME = 40
MOST_EXAMPLES = 99


class Author(msgspec.Struct, frozen=True):
    """Who changes a codebook, and why."""

    name: str
    why: str = ""

    def change(self, what: str, codes: Sequence[str] = (), into: Sequence[str] = ()) -> Change:
        return msgspec.convert(
            {
                "what": what,
                "by": pseudonym(self.name),
                "at": now(),
                "codes": tuple(codes),
                "into": tuple(into),
                "why": self.why,
            },
            Change,
        )


def code_name(title: str, taken: Collection[str] = ()) -> str:
    """A short name for a code of this title that is not taken: "Ignores the filter" is ignores-the-filter."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    name = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[: LONGEST_NAME - 4].strip("-") or "code"
    number = 2
    found = name
    while found in taken:
        found, number = f"{name}-{number}", number + 1
    return found


def begun(name: str, code: Code, author: Author) -> Taxonomy:
    """A codebook whose first code this is: one question, of which a place may have several answers."""
    question = Question(
        name=QUESTION, text="What happens here?", places=("step", "episode"), codes=(code,), several=True
    )
    return Taxonomy(
        name=name,
        version=1,
        title="Open codes" if name == OPEN else f"Codebook {name}",
        source="codes found while reading",
        questions=(question,),
        change=author.change("begun", into=(f"{QUESTION}.{code.name}",)),
    )


def taken_over(taxonomy: Taxonomy, name: str, author: Author) -> Taxonomy:
    """A codebook that begins as another taxonomy."""
    change = author.change("begun")
    return msgspec.structs.replace(taxonomy, name=name, version=1, change=change)


def added(taxonomy: Taxonomy, code: Code, author: Author, asked: str = "") -> Taxonomy:
    """With another code of a question, the first one if none is named. Raises `UsageError`."""
    question = _question(taxonomy, asked)
    if any(one.name == code.name for one in question.codes):
        raise UsageError(
            f"{taxonomy.name} has a code {code.name} already", "give another name, or label with that one"
        )
    changed = msgspec.structs.replace(question, codes=(*question.codes, code))
    return _next(taxonomy, author.change("added", into=(f"{question.name}.{code.name}",)), [changed])


def defined(taxonomy: Taxonomy, text: str, author: Author, **said: object) -> Taxonomy:
    """With another definition, `use_when`, `not_when`, title, or examples of a code. Raises `UsageError`."""
    question, code = found(taxonomy, text)
    if not said:
        raise UsageError(
            f"Nothing is said of {code.name}", "give a definition, when to use it, or an example"
        )
    changed = msgspec.structs.replace(code, **said)
    place = f"{question.name}.{code.name}"
    return _next(taxonomy, author.change("defined", (place,), (place,)), [_with(question, changed)])


def renamed(taxonomy: Taxonomy, text: str, name: str, title: str, author: Author) -> Taxonomy:
    """With another short name and title of a code; its labels follow. Raises `UsageError`."""
    question, code = found(taxonomy, text)
    if name != code.name and any(one.name == name for one in question.codes):
        raise UsageError(
            f"{taxonomy.name} has a code {name} already", "merge the two, or choose another name"
        )
    changed = msgspec.structs.replace(code, name=name, title=title or code.title)
    codes = tuple(
        changed
        if one.name == code.name
        else msgspec.structs.replace(
            one, split_into=tuple(name if part == code.name else part for part in one.split_into)
        )
        for one in question.codes
    )
    change = author.change("renamed", (f"{question.name}.{code.name}",), (f"{question.name}.{name}",))
    return _next(taxonomy, change, [msgspec.structs.replace(question, codes=codes)])


def merged(taxonomy: Taxonomy, texts: Sequence[str], into: str, author: Author) -> Taxonomy:
    """With codes taken into another one, which gets their labels and examples. Raises `UsageError`."""
    question, target = found(taxonomy, into)
    gone = [found(taxonomy, text) for text in texts]
    gone = [one for one in gone if one != (question, target)]
    if not gone:
        raise UsageError("There is nothing to merge", "name the codes, and the other one that they become")
    if target.split_into:
        raise UsageError(f"{target.name} was split", f"merge into {' or '.join(target.split_into)}")
    if any(one.name != question.name for one, _ in gone):
        raise UsageError("Codes of different questions can't be merged", "they answer different things")
    names = {code.name for _, code in gone}
    kept = msgspec.structs.replace(
        target, examples=with_examples(target, [one for _, code in gone for one in code.examples])
    )
    codes = tuple(
        _relinked(kept if code.name == target.name else code, names, target.name)
        for code in question.codes
        if code.name not in names
    )
    change = author.change(
        "merged", [f"{question.name}.{code.name}" for _, code in gone], (f"{question.name}.{target.name}",)
    )
    return _next(taxonomy, change, [msgspec.structs.replace(question, codes=codes)])


def split(taxonomy: Taxonomy, text: str, into: Sequence[Code], author: Author) -> Taxonomy:
    """With codes in place of one, whose labels wait to be read again. Raises `UsageError`."""
    question, code = found(taxonomy, text)
    if code.split_into or len(into) < 2:
        told = f"{code.name} was split already" if code.split_into else "A code is split into two or more"
        raise UsageError(told, "name two new codes, or more")
    names = [one.name for one in into]
    known = {one.name for one in question.codes}
    if taken := [name for name in names if name in known or names.count(name) > 1]:
        raise UsageError(f"{taxonomy.name} has a code {taken[0]} already", "give the new codes new names")
    retired = msgspec.structs.replace(code, split_into=tuple(names))
    parts = [msgspec.structs.replace(one, group=one.group or code.group) for one in into]
    codes: list[Code] = []
    for one in question.codes:
        codes += [retired, *parts] if one.name == code.name else [one]
    change = author.change(
        "split", (f"{question.name}.{code.name}",), [f"{question.name}.{name}" for name in names]
    )
    return _next(taxonomy, change, [msgspec.structs.replace(question, codes=tuple(codes))])


def grouped(taxonomy: Taxonomy, texts: Sequence[str], group: str, author: Author) -> Taxonomy:
    """With codes under a parent group, "" for none; a group there is keeps its spelling. `UsageError`."""
    known = {code.group.casefold(): code.group for _, code in taxonomy.codes() if code.group}
    group = known.get(group.strip().casefold(), group.strip())
    chosen = [found(taxonomy, text) for text in texts]
    if not chosen:
        raise UsageError("No code is named", "name the codes of the group")
    places = [f"{question.name}.{code.name}" for question, code in chosen]
    questions = {question.name: question for question in taxonomy.questions}
    for question, code in chosen:
        changed = msgspec.structs.replace(code, group=group)
        questions[question.name] = _with(questions[question.name], changed)
    return _next(taxonomy, author.change("grouped", places, places), list(questions.values()))


def undone(versions: Versions, author: Author, given: Callable[[str], int]) -> Taxonomy:
    """The codebook as it was before its last change that still holds.

    Args:
        given: how many labels have a code ("question.code") now.

    Raises `UsageError` where there is nothing to take back, or labels would lose their code.
    """
    last = versions.last_change
    if last is None or last.change is None:
        raise UsageError(f"Nothing of {versions.latest.name} can be taken back", "it is as it was begun")
    if last.change.what == "added" and (count := sum(map(given, last.change.into))):
        raise UsageError(
            f"{counted(count, 'label')} {'has' if count == 1 else 'have'} the code {last.change.into[0]}",
            "merge it into another one instead",
        )
    before = next(one for one in reversed(versions.versions) if one.version < last.version)
    change = msgspec.structs.replace(
        author.change("undone", last.change.into, last.change.codes), undoes=last.version
    )
    return msgspec.structs.replace(before, version=versions.latest.version + 1, change=change)


def found(taxonomy: Taxonomy, text: str) -> tuple[Question, Code]:
    """The code written as "code" or "question.code", wherever it can be given. Raises `UsageError`."""
    asked, _, name = text.rpartition(".")
    there = [
        (question, code)
        for question, code in taxonomy.codes()
        if code.name == name and asked in ("", question.name)
    ]
    return there[0] if len(there) == 1 else taxonomy.find(text)


def with_examples(code: Code, examples: Sequence[Example]) -> tuple[Example, ...]:
    """Its examples and further ones, those left out that say nothing new of a place."""
    known = {(one.place, one.quote) for one in code.examples} | {(one.place, "") for one in code.examples}
    new = [one for one in dict.fromkeys(examples) if (one.place, one.quote) not in known]
    return (*code.examples, *new)[:MOST_EXAMPLES]


def _next(taxonomy: Taxonomy, change: Change, changed: Sequence[Question]) -> Taxonomy:
    by_name = {question.name: question for question in changed}
    questions = tuple(by_name.get(one.name, one) for one in taxonomy.questions)
    return msgspec.structs.replace(taxonomy, version=taxonomy.version + 1, questions=questions, change=change)


def _question(taxonomy: Taxonomy, name: str) -> Question:
    for question in taxonomy.questions:
        if name in ("", question.name):
            return question
    names = ", ".join(question.name for question in taxonomy.questions)
    raise UsageError(f'{taxonomy.name} has no question "{plain_clip(name, 60)}"', f"there is {names}")


def _with(question: Question, code: Code) -> Question:
    codes = tuple(code if one.name == code.name else one for one in question.codes)
    return msgspec.structs.replace(question, codes=codes)


def _relinked(code: Code, gone: Set[str], target: str) -> Code:
    if gone.isdisjoint(code.split_into):
        return code
    parts = dict.fromkeys(target if part in gone else part for part in code.split_into)
    return msgspec.structs.replace(code, split_into=tuple(parts))
