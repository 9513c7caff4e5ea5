"""Demonstrations as tasks, and the door through which everything else finds them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from functools import cached_property, lru_cache, partial
from pathlib import Path

import msgspec

from webbench.benchmarks.common.own_and_bundled import OwnAndBundled, status_of, told_of_hidden
from webbench.benchmarks.weblinx.candidates.candidates import Candidates, candidates_by
from webbench.benchmarks.weblinx.candidates.encoder_text import CandidateText
from webbench.benchmarks.weblinx.candidates.published_rankings import (
    CandidateFiles,
    CandidateLine,
    candidate_files,
)
from webbench.benchmarks.weblinx.candidates.ranking import ranking_named
from webbench.benchmarks.weblinx.demonstrations.course import Course, course_of
from webbench.benchmarks.weblinx.demonstrations.demonstrations import Demonstrations, open_demonstrations
from webbench.benchmarks.weblinx.demonstrations.turn_observation import page_texts
from webbench.benchmarks.weblinx.pages.box_picture import reference_boxes
from webbench.benchmarks.weblinx.scoring.aggregate import BREAKDOWNS, figures
from webbench.benchmarks.weblinx.scoring.demonstration_score import DemonstrationEvaluator
from webbench.benchmarks.weblinx.scoring.rules import RULE_SETS
from webbench.benchmarks.weblinx.turns.files import GET_DATA
from webbench.core.agent import Agent
from webbench.core.benchmark.benchmark import BenchmarkStatus, Problem, Stage
from webbench.core.benchmark.selection import require_names, require_split
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.observation import Box
from webbench.core.score.aggregates import Attempt, Breakdown
from webbench.core.settings.load_settings import load_settings
from webbench.core.settings.locations import benchmark_data
from webbench.core.statistics.figures import Table
from webbench.core.task import Task, TaskEntry
from webbench.core.trajectory import Trajectory

INTENT = "Predict the navigator's next turn, from the dialogue so far and the page as it was recorded."


def create(data: Path | None = None) -> WebLINXBenchmark:
    """The benchmark over a folder of demonstrations, else the one that `WEBBENCH_DATA_WEBLINX` names."""
    return WebLINXBenchmark(benchmark_data("weblinx", data))


class _Source(msgspec.Struct, frozen=True):
    """Where demonstrations come from; `bundle` is the name of what ships with them, "" for the user's."""

    demonstrations: Demonstrations
    bundle: str = ""


class WebLINXBenchmark:
    """One episode per demonstration, one step per turn that is to be predicted."""

    name = "weblinx"
    title = "WebLINX"
    dialect = "weblinx"
    rule_sets: tuple[str, ...] = RULE_SETS
    step_limit = 1000
    browserless = True
    shows_reference = True
    """The next turn's page and dialogue are those that the demonstration came to."""

    def __init__(self, data: Path | None) -> None:
        self.data = data
        self.evaluator = DemonstrationEvaluator()
        self._trouble = ""

    def status(self) -> BenchmarkStatus:
        counts = Counter(source.bundle for source in self._by_name.values())
        own = counts.pop("", 0)
        missing = self._trouble or f"no data folder is set: {GET_DATA}"
        return status_of(own, self.data, counts, missing, what="demonstration")

    @cached_property
    def _sources(self) -> list[_Source]:
        """The user's own first: of two demonstrations of one name, theirs counts."""
        both = OwnAndBundled(self.name, self._read_own, lambda bundle: open_demonstrations(bundle.data))
        return [_Source(both.own), *(_Source(found, name) for name, found in both.bundled.items())]

    def _read_own(self) -> Demonstrations:
        """Empty where the user has none, and where they can't be read: the trouble is kept."""
        if self.data is not None:
            try:
                return open_demonstrations(self.data, lenient=True)
            except BadData as error:
                self._trouble = str(error)
        return Demonstrations({}, {})

    @cached_property
    def _by_name(self) -> Mapping[str, _Source]:
        return {name: source for source in reversed(self._sources) for name in source.demonstrations}

    @cached_property
    def _names(self) -> list[str]:
        """In file order, the user's own first."""
        return list(dict.fromkeys(name for source in self._sources for name in source.demonstrations))

    def reference_boxes(self, trajectory: Trajectory) -> Mapping[int, Box]:
        """Of the turns that an episode's steps predicted, by the references in its evidence."""
        return reference_boxes(trajectory)

    def splits(self) -> Sequence[str]:
        return list(dict.fromkeys(split for name in self._names for split in self.splits_of(name)))

    def splits_of(self, name: str) -> Sequence[str]:
        """A demonstration may be in several; a bundled one is in that of its bundle."""
        source = self._by_name[name]
        return [source.bundle] if source.bundle else source.demonstrations.splits_of(name)

    def catalogue(self) -> Sequence[TaskEntry]:
        return [self._entry(name) for name in self._names]

    def _entry(self, name: str) -> TaskEntry:
        about = self._by_name[name].demonstrations.about(name)
        return TaskEntry(
            benchmark=self.name,
            name=name,
            intent=about.description,
            split=self.splits_of(name)[0],
            kind="dialogue",
            template=", ".join(about.tasks),
        )

    def tasks(
        self,
        split: str = "",
        names: Sequence[str] = (),
        instances: int | None = None,
    ) -> Sequence[Task]:
        """Demonstrations in file order; none is read before it is staged."""
        require_split(split, self.splits(), self.title)
        known = [name for name in self._names if not split or split in self.splits_of(name)]
        require_names(names, known, self.title, split, what="demonstration")
        return [self._task(name, split) for name in (names or known)]

    def _task(self, name: str, split: str) -> Task:
        return Task(
            benchmark=self.name,
            name=name,
            intent=INTENT,
            split=split or self.splits_of(name)[0],
            kind="dialogue",
            data={"demonstration": name, "splits": list(self.splits_of(name))},
        )

    def problems(self) -> Sequence[Problem]:
        """Of the user's demonstrations: of those in folders each turn, of others why they can't be read."""
        from webbench.benchmarks.weblinx.demonstrations.soundness import check_folder, trouble

        own = [source.demonstrations for source in self._sources if not source.bundle]
        found = [Problem(str(self.data), self._trouble, "error")] if self._trouble else []
        for demonstrations in own:
            for name in demonstrations:
                folder = demonstrations.folder(name)
                if folder is not None:
                    found += check_folder(folder).problems
                    continue
                try:
                    demonstrations.read(name)
                except BadData as error:
                    found.append(trouble(error, self.data or Path(name), name))
        hiding = {name for demonstrations in own for name in demonstrations}
        for source in self._sources:
            found += told_of_hidden(source.bundle, source.demonstrations, hiding if source.bundle else ())
        return found

    def course(self, name: str) -> Course:
        """Raises `BadData` for a demonstration that can't be walked, or isn't there any more."""
        source = self._by_name.get(name)
        if source is None:
            raise BadData(f"there is no demonstration {name}", self.status().detail)
        return course_of(name, source.demonstrations.read(name))

    def breakdowns(self) -> Sequence[Breakdown]:
        """The literature's tables of parts of a score."""
        return BREAKDOWNS

    def figures(self, attempts: Sequence[Attempt], rules: str) -> dict[str, Json]:
        """The literature's averages, over all predicted turns and over those of each split."""
        return figures(attempts, rules)

    def agreement(self, evidence: Mapping[str, Sequence[JsonObject]], rules: str) -> Table | None:
        """Of annotators who predicted the same turns (appendix C.6)."""
        from webbench.benchmarks.weblinx.scoring.agreement import agreement_table

        return agreement_table(evidence, rules)

    def stage(self, task: Task) -> AbstractAsyncContextManager[Stage]:
        from webbench.benchmarks.weblinx.stage import staged

        return staged(partial(self.opened, task.name))

    @lru_cache(maxsize=2)  # noqa: B019 - a benchmark lives as long as what it opened is of use
    def course_read(self, name: str) -> Course:
        """As `course`, kept for those who ask at each turn."""
        return self.course(name)

    def candidate_texts(self, course: Course, index: int) -> Sequence[CandidateText]:
        """The elements of the page that a turn shows, by a file of candidates, else as recorded."""
        lines = self.ranked_elements(course.name).get(index)
        return [line.text for line in lines] if lines else page_texts(course, index)

    def opened(self, name: str) -> tuple[Course, Candidates]:
        """The demonstration, and what ranks its elements. Raises as `course` and `ranking_named`."""
        settings = load_settings()
        ranking = ranking_named(settings.ranking, settings.ranker)
        return self.course_read(name), candidates_by(self._files, ranking)

    def ranked_elements(self, name: str) -> dict[int, list[CandidateLine]]:
        """Lines of files of candidates about a demonstration, by turn."""
        return self._files.lines(name)

    @cached_property
    def _files(self) -> CandidateFiles:
        return candidate_files(self.data) if self.data is not None else CandidateFiles(())

    def oracle(self, task: Task) -> Agent:
        from webbench.benchmarks.weblinx.agents.oracle import DemonstrationOracle

        return DemonstrationOracle(partial(self.course, task.name))
