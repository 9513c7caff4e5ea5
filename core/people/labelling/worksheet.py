"""A worksheet: episodes to be labelled one after the other, and all that is to be seen of the one at hand."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import msgspec

from webbench.core.analysis.decisive.model_level import NamedStep, named_steps
from webbench.core.analysis.decisive.ranking import RankedStep, Ranking, leading
from webbench.core.analysis.decisive.reference_level import rank_steps
from webbench.core.analysis.findings.suggest import suggest_for
from webbench.core.analysis.findings.suggestion import Suggestion
from webbench.core.analysis.recorded.recorded_episode import RecordedEpisode
from webbench.core.analysis.rubrics.kept_verdicts import JudgedEpisode, kept_verdicts
from webbench.core.errors import UsageError
from webbench.core.labels.codebook import Codebook, load_codebook
from webbench.core.labels.corrections import Verdict, corrected
from webbench.core.labels.label import Label, Memo, step_order
from webbench.core.labels.ledger import ledger_of
from webbench.core.labels.recoding import OPEN
from webbench.core.labels.taxonomy import Code, Question, Taxonomy
from webbench.core.observation import Observation
from webbench.core.people.labelling.disputing import disputed
from webbench.core.people.labelling.labelled_episode import Subject, fitting_taxonomy, subject
from webbench.core.people.labelling.rater import Disagreement, Rater, Remark
from webbench.core.store.store import Store
from webbench.core.trajectory import Step, Trajectory

LONGEST_PAUSE = 300.0
"""Seconds between two looks at an episode that count as work on it."""
SHORTEST_LOOK = 1.0
"""Seconds on an episode from which its time is kept though it isn't done: less is leafing through."""


class LabellingOrder(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be labelled.

    Attributes:
        places: (run, episode) in the order in which they are labelled.
        annotator: "" where nobody is named yet.
        taxonomy: name of one, "" for each episode's benchmark's own or the merged one.
        blind: without the score and without suggestions, which would sway her.
        at, step: where to begin: which of the places, and which step of it.
        timed: the time of every episode counts, though nothing is said of it; else from the first label on.
        asked: by episode and step what is to be labelled there, in words; where it is empty, anything is.
    """

    places: tuple[tuple[str, str], ...]
    annotator: str = ""
    taxonomy: str = ""
    blind: bool = False
    at: int = 0
    step: int | None = None
    timed: bool = False
    asked: Mapping[tuple[str, str], Mapping[int, str]] = {}


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """One episode as the annotator may see it now.

    Attributes:
        own: her labels.
        others: those of others that she may see by now; `hidden` says why she sees no more.
        verdicts: of judges on the taxonomy's questions about the episode; none where she labels blind.
        named: steps that judges hold decisive, asked about as the ranking's are.
        verdict: its score, as scored and as corrected.
        memos: hers, on the episode and its steps.
        asked: by step what is to be labelled there, in words.
        open_cases: questions that annotators who are done answered differently and nobody decided.
    """

    place: Subject
    trajectory: Trajectory
    own: tuple[Label, ...]
    others: tuple[Label, ...]
    hidden: str
    done: bool
    suggestions: tuple[Suggestion, ...]
    ranking: Ranking | None
    verdicts: tuple[JudgedEpisode, ...]
    verdict: Verdict
    cases: tuple[Disagreement, ...]
    memos: tuple[Memo, ...] = ()
    named: tuple[NamedStep, ...] = ()
    asked: Mapping[int, str] = {}

    @property
    def has_pages(self) -> bool:
        """Whether anything of a page is recorded."""
        return any(step.observation for step in self.trajectory.steps)

    @property
    def rows(self) -> tuple[Step | None, ...]:
        """What can be labelled: the episode as a whole (None), then its steps."""
        return None, *self.trajectory.steps

    @property
    def open_cases(self) -> int:
        return sum(case.settled is None for case in self.cases)

    def label(self, step: int | None, question: str, code: str = "") -> Label | None:
        """Her answer to a question about a place; of several that with this code, else the latest."""
        given = self.answers(step, question)
        return max(given, key=lambda one: (one.code == code, one.at), default=None)

    def answers(self, step: int | None, question: str) -> tuple[Label, ...]:
        """All her answers to a question about a place."""
        return tuple(one for one in self.own if (one.step, one.question) == (step, question))

    def labels_of(self, step: int | None) -> tuple[Label, ...]:
        """Her labels of a place, in the order they were given."""
        return tuple(one for one in self.own if one.step == step)

    def others_of(self, step: int | None) -> tuple[Label, ...]:
        return tuple(one for one in self.others if one.step == step)

    def suggestions_of(self, step: int | None) -> tuple[Suggestion, ...]:
        """Those with this evidence step; for the episode as a whole all of them."""
        return tuple(one for one in self.suggestions if step is None or one.step == step)

    def decisive(self, step: int | None) -> tuple[tuple[int, RankedStep], ...]:
        """Steps asked about as decisive, with their rank; those of a place, or all."""
        asked = leading(self.ranking) if self.ranking is not None else []
        return tuple((rank, one) for rank, one in asked if step is None or one.step == step)

    def naming(self, step: int) -> tuple[NamedStep, ...]:
        """What judges say who hold the step decisive."""
        return tuple(one for one in self.named if one.step == step)

    def citing(self, step: int) -> tuple[JudgedEpisode, ...]:
        """Verdicts that rest on the step."""
        return tuple(one for one in self.verdicts if any(cited.step == step for cited in one.citations))

    def marked_steps(self) -> list[int | None]:
        """Places worth going to: asked about, with a label of hers, a suggestion, a judge's citation."""
        cited = {one.step for verdict in self.verdicts for one in verdict.citations}
        places: set[int | None] = {one.step for one in self.own} | {one.step for one in self.suggestions}
        places |= cited | set(self.asked)
        return sorted(places, key=step_order)


class Worksheet:
    """A list of episodes with one annotator at it; every change is on disk when a method returns.

    Args:
        order: with an annotator named.
        clock: seconds that only go up.

    Raises `UsageError` for an unknown taxonomy, a name that can't be an annotator's, an empty list.
    """

    def __init__(
        self,
        store: Store,
        codebook: Codebook,
        order: LabellingOrder,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if not order.places:
            raise UsageError("There is no episode to label", "name a run or an episode")
        self.codebook = codebook
        self.places = order.places
        self.at = order.at
        self.blind = order.blind
        self.store = store
        self._wanted = order.taxonomy
        self._asked = order.asked
        self._loaded: tuple[tuple[str, str], Subject, RecordedEpisode] | None = None
        self._suggested: tuple[tuple[Suggestion, ...], Ranking | None] | None = None
        self._judged: tuple[JudgedEpisode, ...] = ()
        self._named: tuple[NamedStep, ...] = ()
        self._annotator = order.annotator
        self._timed = order.timed
        self._seconds: dict[int, float] = {}
        self._clock = clock
        self._ticked = clock()
        self.rater = self._rater_for(self._read()[0])

    @property
    def taxonomy(self) -> Taxonomy:
        return self.rater.taxonomy

    @property
    def done_count(self) -> int:
        """How many of the episodes she is done with."""
        done = self.rater.book().done
        return sum((*place, self.taxonomy.name, self.rater.annotator) in done for place in self.places)

    def sheet(self) -> Sheet:
        """The episode at hand. Raises `BadData` where it can't be read."""
        self._tick()
        place, trajectory = self._read()
        run, episode = place.run, place.episode
        rater = self.rater
        return Sheet(
            place=place,
            trajectory=trajectory,
            own=rater.own(run, episode),
            others=rater.others(run, episode),
            hidden=rater.hidden(run, episode),
            done=rater.is_done(run, episode),
            suggestions=self._suggestions(trajectory)[0],
            ranking=self._suggestions(trajectory)[1],
            verdicts=self._verdicts(),
            named=() if self.blind else self._named,
            verdict=corrected(rater.book(), run, episode, place.scored),
            cases=rater.disagreements(run, episode),
            asked=self._asked.get((run, episode), {}),
            memos=tuple(
                one
                for one in rater.book().memos
                if (one.run, one.episode, one.annotator) == (run, episode, rater.annotator)
            ),
        )

    def page(self, step: int | None) -> Observation | None:
        """What the actor saw when it did the step; at the start and for the episode what was seen last there.

        None where that isn't recorded or can't be read.
        """
        self._read()
        assert self._loaded is not None
        recorded = self._loaded[2]
        if step is None or step == 0:
            seen = recorded.steps[:1] if step == 0 else recorded.steps[::-1]
            return next((page for one in seen if (page := recorded.look(one)) is not None), None)
        place = recorded.place_of(step)
        return recorded.seen_before(place) if place is not None else None

    def words(self, step: int) -> str:
        """What the actor did at the step, in words."""
        self._read()
        assert self._loaded is not None
        recorded = self._loaded[2]
        place = recorded.place_of(step)
        return recorded.words(place) if place is not None else ""

    def move(self, by: int) -> bool:
        """To another episode of the list; False at its ends."""
        to = self.at + by
        if not 0 <= to < len(self.places):
            return False
        self.leave()
        self.at = to
        self.rater = self._rater_for(self._read()[0])
        return True

    @property
    def codebook_name(self) -> str:
        """The codebook that new codes go into: the one at hand, or `OPEN` where that can't be changed."""
        return self.taxonomy.name if ledger_of(self.store).codebooks.of(self.taxonomy.name) else OPEN

    def choose(self, taxonomy: str) -> None:
        """Label by another taxonomy from now on, as it is by now. Raises `UsageError`."""
        self.codebook = load_codebook(written=ledger_of(self.store).codebooks)
        self._wanted = self.codebook.taxonomy(taxonomy).name
        place = self._read()[0]
        self._judged = self._judged_by_now(place)
        self.rater = self._rater_for(place)

    def reread(self) -> None:
        """Read the episode at hand anew: judges have answered meanwhile."""
        self._loaded = None

    def give(self, step: int | None, question: Question, code: Code) -> Label:
        """A label of the place; what was remarked beside an earlier answer stays with it."""
        place, _ = self._read()
        own = self.rater.own(place.run, place.episode)
        about = code.name if question.several else ""
        where = (step, question.name, about)
        earlier = next((one for one in own if (one.step, one.question, one.about) == where), None)
        remark = (
            Remark()
            if earlier is None
            else Remark(note=earlier.note, evidence=earlier.evidence, confidence=earlier.confidence)
        )
        if step is None:
            seen = tuple(one.rater for one in self._verdicts() if one.question == question.name and one.code)
            remark = msgspec.structs.replace(remark, in_sight=seen)
        return self.rater.give(place.run, place.episode, step, question, code, remark, last=place.last)

    def remark(self, label: Label, **changes: str | int | None) -> Label:
        """The label again with another `note`, `evidence` step or `confidence`. Raises `UsageError`."""
        place, _ = self._read()
        found = self.taxonomy.label_of(label)
        if found is None:
            raise UsageError(
                f"{label.taxonomy} no longer has the code {label.code}", "give another one first"
            )
        told = Remark(
            note=label.note,
            evidence=label.evidence,
            confidence=label.confidence,
            in_sight=label.in_sight,
        )
        remark = msgspec.structs.replace(told, **changes)
        return self.rater.give(place.run, place.episode, label.step, *found, remark, last=place.last)

    def confirm(self, question: str) -> bool:
        """Give the judges' verdict on the episode as her label, with the step they cite, and go on.

        Where the taxonomy asks nothing else of an episode she is done with it. False where the list ends.

        Raises `UsageError` where no judge answered the question, or judges differ.
        """
        found = [one for one in self._verdicts() if one.question == question and one.code]
        codes = list(dict.fromkeys(one.code for one in found))
        if not codes:
            raise self._no_verdict(question)
        if len(codes) > 1:
            raise UsageError(f"The judges differ: {', '.join(codes)}", "choose by digit")
        cited = [cited.step for one in found for cited in one.citations]
        return self._answer(question, codes[0], cited[0] if cited else None)

    def reject(self, question: str) -> bool:
        """The contrary of `confirm`, where a question has one: the other one of its two answers.

        Raises `UsageError` where it has more answers, or no judge answered it.
        """
        given = {one.code for one in self._verdicts() if one.question == question and one.code}
        asked = next(one for one in self.taxonomy.questions if one.name == question)
        others = [code.name for code in asked.codes if code.name not in given]
        if not given:
            raise self._no_verdict(question)
        if len(others) != 1 or len(asked.codes) != 2:
            raise UsageError("It isn't clear what is right then", "choose the right answer by digit")
        return self._answer(question, others[0], None)

    def _no_verdict(self, question: str) -> UsageError:
        """Why there is nothing to confirm or reject: nobody was asked, or what came of it is no verdict."""
        problem = next((one.problem for one in self._verdicts() if one.question == question), "")
        if problem:
            return UsageError(
                f"The judge's answer is no verdict: {problem}", "give the right answer yourself"
            )
        return UsageError("No judge has answered this question", "`webbench-tui judge ask` asks one")

    def _answer(self, question: str, code: str, evidence: int | None) -> bool:
        asked, found = self.taxonomy.find(f"{question}.{code}")
        label = self.give(None, asked, found)
        if evidence is not None and label.evidence is None:
            self.remark(label, evidence=evidence)
        return self.finish() if len(self.taxonomy.asked(None)) == 1 else True

    def take_back(self, label: Label) -> None:
        self.rater.take_back(label)

    def finish(self) -> bool:
        """Done with this episode, on to the next that she isn't done with; False where there is none."""
        self._tick()
        self.rater.finish(*self.places[self.at], self._seconds.pop(self.at, 0.0))
        done = self.rater.book().done
        for offset in range(1, len(self.places)):
            at = (self.at + offset) % len(self.places)
            if (*self.places[at], self.taxonomy.name, self.rater.annotator) not in done:
                return self.move(at - self.at)
        return False

    def leave(self) -> None:
        """Keep the time spent on the episode at hand, which she may go on with in another sitting.

        Raises `StoreUnwritable`.
        """
        self._tick()
        place, seconds = self.places[self.at], self._seconds.get(self.at, 0.0)
        if seconds < SHORTEST_LOOK or self.rater.is_done(*place):
            return
        if self._timed or self.rater.own(*place):
            self.rater.leave(*place, self._seconds.pop(self.at))

    def _tick(self) -> None:
        """Count the time since the last call to the episode at hand; a long pause counts as a short one."""
        now = self._clock()
        passed = min(now - self._ticked, LONGEST_PAUSE)
        self._seconds[self.at] = self._seconds.get(self.at, 0.0) + passed
        self._ticked = now

    def reopen(self) -> None:
        self.rater.reopen(*self.places[self.at])

    def dispute(self, score: float, reason: str, evidence: int | None, quote: str = "") -> None:
        """Flag the recorded verdict as wrong. Raises `UsageError`."""
        place, _ = self._read()
        entry = disputed(
            place, self.rater.annotator, corrected=score, reason=reason, evidence=evidence, quote=quote
        )
        ledger_of(self.store).add([entry])

    def _read(self) -> tuple[Subject, Trajectory]:
        """The episode at hand, read once."""
        run, episode = self.places[self.at]
        if self._loaded is None or self._loaded[0] != (run, episode):
            folder = self.store.root / run / episode
            recorded = RecordedEpisode(self.store, self.store.load(folder))
            self._loaded = ((run, episode), subject(self.store, folder), recorded)
            self._suggested = None
            self._judged = self._judged_by_now(self._loaded[1])
            self._named = named_steps(self.store).get((run, episode), ())
        return self._loaded[1], self._loaded[2].trajectory

    def _judged_by_now(self, place: Subject) -> tuple[JudgedEpisode, ...]:
        verdicts = kept_verdicts(self.store).verdicts
        return tuple(one for one in verdicts if one.place == (place.run, place.episode))

    def _suggestions(self, trajectory: Trajectory) -> tuple[tuple[Suggestion, ...], Ranking | None]:
        """What may have gone wrong, and which step may have decided it."""
        if self.blind:
            return (), None
        if self._suggested is None:
            self._suggested = (
                suggest_for(self.store, trajectory),
                rank_steps(self.store, trajectory),
            )
        return self._suggested

    def _verdicts(self) -> tuple[JudgedEpisode, ...]:
        """Of the episode at hand, as the taxonomy has them now; none where she labels blind.

        That a judge could not be reached says nothing of the episode, and is left out.
        """
        taxonomy = self.taxonomy
        return tuple(
            one
            for one in self._judged
            if not self.blind
            and not one.failed
            and (one.taxonomy, one.version) == (taxonomy.name, taxonomy.version)
        )

    def _rater_for(self, place: Subject) -> Rater:
        taxonomy = fitting_taxonomy(self.codebook, self._wanted, place.benchmark)
        return Rater(ledger_of(self.store), taxonomy, self._annotator)
