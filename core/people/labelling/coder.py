"""A coder reads and finds codes: each is in the codebook at once, with the place that shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from webbench.core.errors import UsageError
from webbench.core.labels import recoding
from webbench.core.labels.codebook import Codebook
from webbench.core.labels.label import Label, Memo, pseudonym
from webbench.core.labels.ledger import ledger_of
from webbench.core.labels.recoding import OPEN, Author
from webbench.core.labels.taxonomy import Code, Example, Taxonomy
from webbench.core.labels.versions import Versions
from webbench.core.people.labelling.labelled_episode import Subject
from webbench.core.people.labelling.rater import Rater, Remark
from webbench.core.store.store import Store

LONGEST_TITLE = 120
NOTHING = "-"
"""In place of a text or of meanings: there shall be none."""


class Coder:
    """One person at work on one codebook of a store; every change is on disk when a method returns.

    Args:
        codebook: all taxonomies, to refuse a codebook that would have the name of another one.
        name: of the codebook, which begins with its first code.

    Raises `UsageError` for a name that can't be an annotator's, or that a shipped taxonomy has.
    """

    def __init__(
        self, store: Store, codebook: Codebook, annotator: str, name: str = OPEN, why: str = ""
    ) -> None:
        self.annotator = pseudonym(annotator)
        self.name = pseudonym(name)
        self._merged = codebook.merged
        self._author = Author(self.annotator, why)
        self._ledger = ledger_of(store)
        if name in codebook.taxonomies and name not in self._ledger.codebooks.all():
            raise UsageError(
                f"{name} is a taxonomy, and taxonomies are changed in their files",
                f"`webbench-tui label codebook mine --from {name}` begins a codebook with its codes",
            )

    @property
    def versions(self) -> Versions:
        """Raises `UsageError` where nobody has begun it yet."""
        found = self._ledger.codebooks.of(self.name)
        if found is None:
            raise UsageError(
                f"There is no codebook {self.name} yet", '`webbench-tui label code add "TITLE"` begins it'
            )
        return found

    def add(
        self,
        title: str,
        *,
        name: str = "",
        asked: str = "",
        place: tuple[Subject, int | None] | None = None,
        quote: str = "",
        means: Sequence[str] = (),
        **said: str,
    ) -> tuple[Taxonomy, Code, Label | None]:
        """A new code; where a place is named it is its first example and gets the code.

        A code that has this title already is given again, not made twice.

        Args:
            name: "" makes one of the title. asked: the question that it answers, "" for the first.
            quote: what is to be read at the place.
            means: codes of the merged taxonomy that it implies, by which suggestions are held against it.
            said: `definition`, `use_when`, `not_when`, `group`.

        Raises `UsageError` for a title that is none.
        """
        title, quote = " ".join(self._ledger.redacted(title).split()), self._ledger.redacted(quote)
        given = _given({field: self._ledger.redacted(text) for field, text in said.items()})
        given |= self._meanings(means)
        if not title or len(title) > LONGEST_TITLE:
            raise UsageError(
                f"A code's title has 1 to {LONGEST_TITLE} characters", "say more in its definition"
            )
        found: list[Code] = []
        example = _example(place, quote)

        def made(versions: Versions | None) -> Taxonomy:
            known = [] if versions is None else [code for _, code in versions.latest.codes()]
            names = [one.name for one in known]
            said_again = {title.casefold(), title}
            like = [
                one for one in known if said_again & {one.title.casefold(), one.name} and not one.split_into
            ]
            if versions is not None and like and not name:
                code = like[0]
                examples = code.examples if example is None else recoding.with_examples(code, [example])
                code = msgspec.structs.replace(code, examples=examples)
                found.append(code)
                return recoding.defined(versions.latest, code.name, self._author, examples=examples, **given)
            code = Code(
                name=recoding.code_name(name) if name else recoding.code_name(title, names),
                title=title,
                examples=() if example is None else (example,),
            )
            code = msgspec.structs.replace(code, **given)
            found.append(code)
            if versions is None:
                return recoding.begun(self.name, code, self._author)
            return recoding.added(versions.latest, code, self._author, asked)

        taxonomy = self._ledger.codebooks.write(self.name, made)
        code = found[-1]
        label = self._give(taxonomy, code, place, quote) if place is not None else None
        return taxonomy, code, label

    def begin(self, taxonomy: Taxonomy) -> Taxonomy:
        """Begin the codebook as another taxonomy. Raises `UsageError` where it is begun already."""

        def made(versions: Versions | None) -> Taxonomy:
            if versions is not None:
                raise UsageError(f"The codebook {self.name} is begun already", "choose another name")
            return recoding.taken_over(taxonomy, self.name, self._author)

        return self._ledger.codebooks.write(self.name, made)

    def define(
        self,
        text: str,
        example: tuple[Subject, int | None] | None = None,
        quote: str = "",
        means: Sequence[str] = (),
        **said: str,
    ) -> Taxonomy:
        """Say what a code means: `title`, `definition`, `use_when`, `not_when`, or one more example.

        "-" empties a text, but for the title. `means`: codes of the merged taxonomy that it implies.
        """

        def made(taxonomy: Taxonomy) -> Taxonomy:
            texts = {field: self._ledger.redacted(one) for field, one in said.items()}
            changes = _given(texts) | self._meanings(means)
            if (one := _example(example, self._ledger.redacted(quote))) is not None:
                changes["examples"] = recoding.with_examples(recoding.found(taxonomy, text)[1], [one])
            return recoding.defined(taxonomy, text, self._author, **changes)

        return self._change(made)

    def rename(self, text: str, name: str, title: str = "") -> Taxonomy:
        """Another short name; its labels follow."""
        title = title or ("" if recoding.code_name(name) == name else name)
        return self._change(
            lambda one: recoding.renamed(one, text, recoding.code_name(name), title, self._author)
        )

    def merge(self, texts: Sequence[str], into: str) -> Taxonomy:
        """Take codes into another one; their labels follow."""
        return self._change(lambda one: recoding.merged(one, texts, into, self._author))

    def split(self, text: str, titles: Sequence[str]) -> Taxonomy:
        """New codes in place of one; its labels wait to be read again."""

        def made(taxonomy: Taxonomy) -> Taxonomy:
            taken = {code.name for _, code in taxonomy.codes()}
            codes = []
            for title in titles:
                codes.append(Code(name=recoding.code_name(title, taken), title=title))
                taken.add(codes[-1].name)
            return recoding.split(taxonomy, text, codes, self._author)

        return self._change(made)

    def group(self, texts: Sequence[str], group: str) -> Taxonomy:
        """Put codes under a parent, "" for none."""
        return self._change(lambda one: recoding.grouped(one, texts, group, self._author))

    def _meanings(self, means: Sequence[str]) -> dict[str, object]:
        """What is to be written of them; a code that the merged taxonomy lacks is a `UsageError`."""
        if not means:
            return {}
        codes = [recoding.found(self._merged, one) for one in means if one != NOTHING]
        return {"means": tuple(f"{question.name}.{code.name}" for question, code in codes), "unmapped": ""}

    def undo(self) -> Taxonomy:
        """Take the last change back that still holds; called again, the one before."""
        labels = [one for one in self._ledger.book().labels if one.taxonomy == self.name]

        def given(code: str) -> int:
            return sum(f"{one.question}.{one.code}" == code for one in labels)

        def made(versions: Versions | None) -> Taxonomy:
            return recoding.undone(versions or self.versions, self._author, given)

        return self._ledger.codebooks.write(self.name, made)

    def memo(self, text: str, place: tuple[Subject, int | None] | None = None, code: str = "") -> Memo:
        """A memo on an episode, a step, or a code; it supersedes her earlier one there, "" takes it back."""
        if (place is None) == (not code):
            raise UsageError("A memo is on a place or on a code", "name an episode, or a code")
        memo = Memo(text=text.strip(), annotator=self.annotator)
        if place is not None:
            subject, step = place
            memo = msgspec.structs.replace(memo, run=subject.run, episode=subject.episode, step=step)
        else:
            latest = self.versions.latest
            question, found = recoding.found(latest, code)
            named = f"{question.name}.{found.name}"
            memo = msgspec.structs.replace(memo, taxonomy=self.name, version=latest.version, code=named)
        (written,) = self._ledger.add([memo])
        assert isinstance(written, Memo)
        return written

    def _change(self, made: Callable[[Taxonomy], Taxonomy]) -> Taxonomy:
        return self._ledger.codebooks.write(
            self.name, lambda versions: made((versions or self.versions).latest)
        )

    def _give(self, taxonomy: Taxonomy, code: Code, place: tuple[Subject, int | None], quote: str) -> Label:
        subject, step = place
        question, _ = recoding.found(taxonomy, code.name)
        rater = Rater(self._ledger, taxonomy, self.annotator)
        remark = Remark(note=quote, evidence=step)
        return rater.give(subject.run, subject.episode, step, question, code, remark, last=subject.last)


def _example(place: tuple[Subject, int | None] | None, quote: str) -> Example | None:
    if place is None:
        return None
    subject, step = place
    if step is not None and not 0 <= step <= subject.last:
        raise UsageError(f"The episode has no step {step}", f"its steps are 0 to {subject.last}")
    return Example(
        episode=f"{subject.run}/{subject.episode}", step=step, quote=" ".join(quote.split())[:2000]
    )


def _given(said: dict[str, str]) -> dict[str, object]:
    """What is said, without what is left as it is."""
    texts = {name: text.strip() for name, text in said.items() if text.strip()}
    return {name: "" if text == NOTHING and name != "title" else text for name, text in texts.items()}
