"""A rater is one annotator at work: giving labels, being done, deciding between others' labels."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from webbench.core.errors import UsageError
from webbench.core.labels.label import Done, Label, pseudonym, step_order
from webbench.core.labels.ledger import Book, Ledger
from webbench.core.labels.taxonomy import Code, Question, Taxonomy
from webbench.core.labels.visibility import done_with, not_through, sight, through


class Remark(msgspec.Struct, frozen=True, kw_only=True):
    """What can be said beside a code: why, the step that shows it, how sure one is (1 to 5).

    `in_sight` names the judges whose verdicts were shown.
    """

    note: str = ""
    evidence: int | None = None
    confidence: int | None = None
    in_sight: tuple[str, ...] = ()


class Disagreement(msgspec.Struct, frozen=True, kw_only=True):
    """A question that annotators, all done, answered differently about the same place.

    Attributes:
        about: of a question that takes several answers, the code that they differ on.
        labels: one for each annotator, None where she gave none.
        settled: what was decided between them.
    """

    step: int | None
    question: str
    about: str = ""
    labels: dict[str, Label | None]
    settled: Label | None = None


class Rater:
    """The labels of one annotator in one taxonomy.

    Args:
        annotator: a pseudonym.

    Raises `UsageError` for a name that can't be an annotator's.
    """

    def __init__(self, ledger: Ledger, taxonomy: Taxonomy, annotator: str) -> None:
        self.annotator = pseudonym(annotator)
        self.taxonomy = taxonomy
        self._ledger = ledger

    def book(self) -> Book:
        """All that is written now, by anybody."""
        return self._ledger.book()

    def own(self, run: str, episode: str) -> tuple[Label, ...]:
        """Her labels of an episode and its steps, adjudicated ones left out."""
        return tuple(
            label
            for label in self._labels_of(run, episode)
            if label.annotator == self.annotator and not label.settles
        )

    def others(self, run: str, episode: str) -> tuple[Label, ...]:
        """Labels of others that she may see by now."""
        seen = sight(self.book(), self.annotator, self._labels_of(run, episode))
        return tuple(label for label in seen.labels if label.annotator != self.annotator or label.settles)

    def hidden(self, run: str, episode: str) -> str:
        """Why labels of others are not shown, "" where there are none or they are."""
        book = self.book()
        place = (run, episode, self.taxonomy.name)
        seen = sight(book, self.annotator, self._labels_of(run, episode))
        count = seen.hidden.get(place, 0)
        if not count:
            return ""
        waits = "you are" if not self.is_done(run, episode) else f"{', '.join(not_through(book, place))} is"
        return f"{count} of others hidden until {waits} done"

    def give(
        self,
        run: str,
        episode: str,
        step: int | None,
        question: Question,
        code: Code,
        remark: Remark,
        *,
        last: int,
    ) -> Label:
        """Write a label down; it supersedes her earlier answer to the question there.

        A part of a code that was split takes the place of hers by the whole one: it was read again.

        Args:
            last: index of the episode's last step.

        Raises `UsageError` for a step or a confidence that can't be, `StoreUnwritable`.
        """
        _require_step(step, last, "step")
        _require_step(remark.evidence, last, "evidence step")
        if remark.confidence is not None and not 1 <= remark.confidence <= 5:
            raise UsageError(f"There is no confidence {remark.confidence}", "it goes from 1, a guess, to 5")
        if code.split_into:
            raise UsageError(f"{code.name} was split", f"give {' or '.join(code.split_into)}")
        label = self._label(run, episode, step, question.name, code.name)
        label = msgspec.structs.replace(
            label,
            about=code.name if question.several else "",
            note=remark.note,
            evidence=remark.evidence,
            confidence=remark.confidence,
            in_sight=remark.in_sight,
        )
        if remark.in_sight:
            label = msgspec.structs.replace(label, unseen=self._unseen(label))
        replaced = self._by_the_whole(label, question) if question.several else []
        *_, written = self._ledger.add([*replaced, label])
        assert isinstance(written, Label)
        return written

    def _by_the_whole(self, label: Label, question: Question) -> list[Label]:
        """Her labels of the place by a code that was split into the label's, taken back."""
        split = {code.name for code in question.codes if label.code in code.split_into}
        place = (label.step, label.question)
        return [
            msgspec.structs.replace(one, withdrawn=True, at="")
            for one in self.own(label.run, label.episode)
            if (one.step, one.question) == place and one.code in split
        ]

    def _unseen(self, label: Label) -> str:
        """Her code of the same place from before she saw a verdict: a judge's miss stays one."""
        for one in self.own(label.run, label.episode):
            if one.key == label.key:
                return one.unseen if one.in_sight else one.code
        return ""

    def take_back(self, label: Label) -> None:
        """Withdraw one of her labels; it stays on disk. Raises `UsageError` for another's."""
        if label.annotator != self.annotator:
            raise UsageError(f"This label is {label.annotator}'s", "only whoever gave it can take it back")
        self._ledger.add([msgspec.structs.replace(label, withdrawn=True, at="")])

    def finish(self, run: str, episode: str, seconds: float = 0.0) -> None:
        """She is done with the episode: from now on those who are done too see her labels.

        Args:
            seconds: spent on it since the last time that was kept.
        """
        self._ledger.add([self._timed(run, episode, seconds)])

    def leave(self, run: str, episode: str, seconds: float) -> None:
        """Keep the time spent on an episode that she goes on with later."""
        self._ledger.add([msgspec.structs.replace(self._timed(run, episode, seconds), reopened=True)])

    def reopen(self, run: str, episode: str) -> None:
        """She labels it again; what she has seen meanwhile can't be unseen."""
        self.leave(run, episode, 0.0)

    def is_done(self, run: str, episode: str) -> bool:
        return (run, episode, self.taxonomy.name, self.annotator) in self.book().done

    def disagreements(self, run: str, episode: str) -> tuple[Disagreement, ...]:
        """Where annotators who are done differ, in order of steps, the episode as a whole first.

        Nothing before she is done herself, where she labelled it too.
        """
        book = self.book()
        place = (run, episode, self.taxonomy.name)
        done = through(book, place)
        if len(done) < 2 or self.annotator in not_through(book, place):
            return ()
        return disagreements(self._labels_of(run, episode), done)

    def settle(self, run: str, episode: str, case: Disagreement, code: Code | None, note: str = "") -> Label:
        """Decide for a code, or (None) that there shall be no label.

        The labels between which it is decided stay as they are. Raises `StoreUnwritable`.
        """
        label = self._label(run, episode, case.step, case.question, code.name if code is not None else "")
        about = code.name if code is not None and case.about else case.about
        label = msgspec.structs.replace(label, about=about, settles=tuple(case.labels), note=note)
        (written,) = self._ledger.add([label])
        assert isinstance(written, Label)
        return written

    def _labels_of(self, run: str, episode: str) -> tuple[Label, ...]:
        return tuple(
            label
            for label in self.book().labels
            if (label.run, label.episode, label.taxonomy) == (run, episode, self.taxonomy.name)
        )

    def _label(self, run: str, episode: str, step: int | None, question: str, code: str) -> Label:
        return Label(
            run=run,
            episode=episode,
            step=step,
            taxonomy=self.taxonomy.name,
            version=self.taxonomy.version,
            question=question,
            code=code,
            annotator=self.annotator,
        )

    def _timed(self, run: str, episode: str, seconds: float) -> Done:
        """That she is done, with the time kept so far and these seconds."""
        done = Done(run=run, episode=episode, taxonomy=self.taxonomy.name, annotator=self.annotator)
        book = self.book()
        spent = sum(one.seconds for one in (*book.finished, *book.begun) if one.key == done.key)
        return msgspec.structs.replace(done, seconds=round(spent + seconds, 1))


def disagreements(labels: Sequence[Label], done: Sequence[str]) -> tuple[Disagreement, ...]:
    """Questions of one episode and taxonomy that those who are done answered differently."""
    given: dict[tuple[int | None, str, str], dict[str, Label]] = {}
    settled: dict[tuple[int | None, str, str], Label] = {}
    for label in labels:
        where = (label.step, label.question, label.about)
        if not label.settles:
            given.setdefault(where, {})[label.annotator] = label
        elif where not in settled or settled[where].at <= label.at:
            settled[where] = label
    found = []
    for where, by in sorted(given.items(), key=lambda one: (step_order(one[0][0]), *one[0][1:])):
        step, question, about = where
        compared = {who: by.get(who) for who in done}
        if len({label.code if label else None for label in compared.values()}) > 1:
            case = settled.get(where)
            found.append(
                Disagreement(step=step, question=question, about=about, labels=compared, settled=case)
            )
    return tuple(found)


def undecided(
    book: Book, places: Collection[tuple[str, str]], taxonomy: str = ""
) -> list[tuple[str, tuple[tuple[str, str], ...]]]:
    """By taxonomy, or of this one, the episodes whose annotators differ on something that nobody decided."""
    labels: dict[tuple[str, tuple[str, str]], list[Label]] = {}
    for label in book.labels:
        place = (label.run, label.episode)
        if place in places and taxonomy in ("", label.taxonomy):
            labels.setdefault((label.taxonomy, place), []).append(label)
    done: dict[str, dict[tuple[str, str], list[str]]] = {}
    found: dict[str, list[tuple[str, str]]] = {}
    for (name, place), given in sorted(labels.items()):
        done.setdefault(name, done_with(book, name))
        cases = disagreements(given, done[name].get(place, []))
        if any(case.settled is None for case in cases):
            found.setdefault(name, []).append(place)
    return [(name, tuple(open_places)) for name, open_places in found.items()]


def _require_step(step: int | None, last: int, what: str) -> None:
    if step is not None and not 0 <= step <= last:
        raise UsageError(f"The episode has no {what} {step}", f"its steps are 0 to {last}")
