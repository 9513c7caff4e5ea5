"""Trusted verdicts: what evaluators and people say of an episode or a step, where it can be relied on.

Not relied on, each with its reason: what nobody judged, a score that is disputed and not ruled on, a place on
which annotators differ and nobody decided, labels of annotators who aren't done, and labels that contradict
each other or the score, and cleaned copies that a second person calls not valid.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import msgspec

from webbench.core.labels.codebook import Codebook, load_codebook
from webbench.core.labels.corrections import Case, corrected
from webbench.core.labels.label import Label
from webbench.core.labels.ledger import ledger_of
from webbench.core.labels.settled import counting
from webbench.core.labels.visibility import done_with, open_labels
from webbench.core.store.store import Store
from webbench.core.trajectory import EpisodeHeader

RIGHT, MISTAKE = 1.0, -1.0
"""Rewards of a step, as PRM800K rates steps (Lightman et al., 2023); its 0, neutral, is left out."""
SOLVED = 1.0

CLEANED_COPY, INVALID = "cleaned-copy", "invalid"
"""Taxonomy and code by which a second person objects to a cleaned copy (`core/people/cleaning`)."""
_NO_FAULT = frozenset(("cause.none", "outcome.solved"))
_UNSOLVED = frozenset(
    (
        "outcome.partly",
        "outcome.wrong",
        "outcome.no-answer",
        "outcome.gave-up",
        "outcome.harm",
        "outcome.failed",
    )
)
_EVALUATOR_WRONG = frozenset(
    ("evaluator.false-positive", "evaluator.false-negative", "evaluator.wrong-reference")
)


class Judge(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody, or something, that judged.

    Attributes:
        who: an evaluator with its version, an annotator's pseudonym, "a person".
        role: "evaluator", "annotator", "adjudicator" (decided between annotators), "disputed" and "ruled" of
            a corrected score, "at the episode" of whoever stepped in while an agent worked.
        rules: what was judged by: the evaluator's rule set, a taxonomy and its version ("merged@1").
        said: the value, or the code.
    """

    who: str
    role: str
    rules: str = ""
    said: str = ""


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """A judgement that can be relied on.

    Attributes:
        value: of an episode its score, 1 where people call it solved; of a step `RIGHT` or `MISTAKE`.
        rules: the rule sets and taxonomies that it rests on, joined by " + ".
    """

    value: float
    judged_by: tuple[Judge, ...]

    @property
    def rules(self) -> str:
        return " + ".join(dict.fromkeys(judge.rules for judge in self.judged_by if judge.rules))


class TrustedVerdicts:
    """What a store's evaluators and people say; read once, for many episodes.

    Attributes:
        unread: labels, disputes and rulings that could not be read, one line each.
    """

    def __init__(self, store: Store) -> None:
        ledger = ledger_of(store)
        self._book = ledger.book()
        self.unread = self._book.problems
        self._codebook: Codebook = load_codebook(written=ledger.codebooks)
        self._open = open_labels(self._book)
        self._all: dict[tuple[str, str], list[Label]] = defaultdict(list)
        for label in self._book.labels:
            self._all[label.run, label.episode].append(label)
        self._done: dict[str, dict[tuple[str, str], list[str]]] = {}

    def of_episode(self, header: EpisodeHeader) -> Verdict | str:
        """The episode's score, as people corrected it; or why it can't be relied on."""
        value = header.score.value if header.score is not None else None
        judged = corrected(self._book, header.run, header.episode, value)
        if why := _unsettled(judged.cases) or self._objection(header):
            return why
        found = self._said(header, None)
        if isinstance(found, str):
            return found
        means, annotators = found
        if means & _EVALUATOR_WRONG:
            return "a label says that the evaluator is wrong about the episode"
        solved = _one_way(means & _NO_FAULT & {"outcome.solved"}, means & _UNSOLVED)
        if solved is None:
            return "labels of the episode contradict each other"
        if judged.corrected is None:
            if not solved:
                return _without_score(header)
            return Verdict(value=SOLVED if solved > 0 else 0.0, judged_by=annotators)
        if solved and (solved > 0) != (judged.corrected == SOLVED):
            return "people's labels and the episode's score contradict each other"
        judges = (*_evaluator(header), *_correctors(judged.cases), *(annotators if solved else ()))
        return Verdict(value=judged.corrected, judged_by=judges)

    def dispute(self, header: EpisodeHeader) -> str:
        """Why what is said of the episode is in dispute, "" where it isn't, or somebody ruled on it."""
        value = header.score.value if header.score is not None else None
        judged = corrected(self._book, header.run, header.episode, value)
        return _unsettled(judged.cases) or self._objection(header)

    def _objection(self, header: EpisodeHeader) -> str:
        """Why the episode is a cleaned copy that can't be relied on, "" where nobody says so."""
        given = self._open.get((header.run, header.episode), ())
        said = counting(label for label in given if label.taxonomy == CLEANED_COPY)
        invalid = any(label.code == INVALID for label in said)
        return "a second person calls the cleaned copy not valid" if invalid else ""

    def of_step(self, header: EpisodeHeader, step: int) -> Verdict | str:
        """Whether a step is right by its labels; or why nothing can be said."""
        if why := self.dispute(header):
            return why
        found = self._said(header, step)
        if isinstance(found, str):
            return found
        means, annotators = found
        if not annotators:
            return "nobody has labelled the step"
        faults = means & _UNSOLVED | {
            one for one in means if one.startswith("cause.") and one not in _NO_FAULT
        }
        way = _one_way(means & _NO_FAULT, faults)
        if way is None:
            return "labels of the step contradict each other"
        if not way:
            return "the step's labels say neither that it is right nor that it is a mistake"
        return Verdict(value=RIGHT if way > 0 else MISTAKE, judged_by=annotators)

    def _said(self, header: EpisodeHeader, step: int | None) -> tuple[set[str], tuple[Judge, ...]] | str:
        """What a place's labels mean in the merged taxonomy, and who gave them; or why they don't hold."""
        place = header.run, header.episode
        given = [label for label in self._open.get(place, ()) if label.step == step]
        what = "the episode" if step is None else "the step"
        if len(given) < sum(label.step == step for label in self._all.get(place, ())):
            return f"an annotator of {what} is not done with the episode"
        asked: dict[tuple[str, str], list[Label]] = defaultdict(list)
        for label in given:
            asked[label.taxonomy, label.question].append(label)
        means: set[str] = set()
        judges: list[Judge] = []
        for (taxonomy, _), labels in asked.items():
            holding = counting(labels)
            if self._differ(taxonomy, place, holding):
                return f"annotators differ on {what} and nobody has settled it"
            if any(self._codebook.is_split(label) for label in holding):
                return f"a label of {what} is by a code that was split and waits to be read again"
            for label in holding:
                means.update(self._codebook.meanings(label) if label.code else ())
                judges.append(_annotator(label))
        return means, tuple(judges)

    def _differ(self, taxonomy: str, place: tuple[str, str], holding: Iterable[Label]) -> bool:
        """Whether those who are done gave different answers; who gave none said "none" (see `settled`)."""
        if taxonomy not in self._done:
            self._done[taxonomy] = done_with(self._book, taxonomy)
        answers: dict[str, set[str]] = {who: set() for who in self._done[taxonomy].get(place, ())}
        decided = False
        for label in holding:
            if label.settles:
                decided = True
            else:
                answers.setdefault(label.annotator, set()).add(label.code)
        return not decided and len({frozenset(one) for one in answers.values()}) > 1


def _unsettled(cases: tuple[Case, ...]) -> str:
    """Why a disputed score can't be relied on, "" where it can."""
    states = {case.state for case in cases}
    if "open" in states:
        return "the episode's score is disputed and nobody has ruled on it"
    if "outdated" in states:
        return "the episode was scored anew after its score was disputed"
    accepted = {case.dispute.corrected for case in cases if case.state == "accepted"}
    return "accepted disputes of the episode contradict each other" if len(accepted) > 1 else ""


def _one_way(good: Iterable[str], bad: Iterable[str]) -> int | None:
    """1 for good only, -1 for bad only, 0 for neither, None for both."""
    for_it, against = bool(set(good)), bool(set(bad))
    return None if for_it and against else int(for_it) - int(against)


def _without_score(header: EpisodeHeader) -> str:
    if not header.ended:
        return "the episode has not ended"
    if header.score is None:
        return "nobody has judged the episode"
    return f"the episode has no score: {header.score.status.words}"


def _evaluator(header: EpisodeHeader) -> tuple[Judge, ...]:
    score = header.score
    if score is None or score.value is None:
        return ()
    who = score.evaluator or f"{header.task.benchmark}'s evaluator"
    return (Judge(who=who, role="evaluator", rules=score.rules, said=f"{score.value:g}"),)


def _correctors(cases: tuple[Case, ...]) -> Iterable[Judge]:
    """Who corrected the score, and who agreed."""
    for case in cases:
        if case.state != "accepted" or case.ruling is None:
            continue
        yield Judge(who=case.dispute.annotator, role="disputed", said=f"{case.dispute.corrected:g}")
        yield Judge(who=case.ruling.annotator, role="ruled", said=case.ruling.verdict)


def _annotator(label: Label) -> Judge:
    role = "adjudicator" if label.settles else "annotator"
    if label.in_sight:
        role += f", with verdicts of {', '.join(label.in_sight)} in sight"
    if label.source:
        role += f", imported from {label.source}"
    rules = f"{label.taxonomy}@{label.version}"
    return Judge(who=label.annotator, role=role, rules=rules, said=f"{label.question}.{label.answer}")
