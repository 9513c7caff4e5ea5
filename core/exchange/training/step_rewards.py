"""Step rewards: for each step that people labelled what was seen, what was done, and whether that was right.

A folder with `steps.jsonl`, `images/` and `account.json`. `reward` is 1 for a step whose labels mean no fault
(`cause.none` of the merged taxonomy), -1 for one whose labels mean a cause or an outcome of failure. Left
out, and counted: steps that nobody labelled, on which annotators differ, and whose labels say neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from webbench.core.exchange.export_format import Source
from webbench.core.exchange.training.chat_rows import (
    SELECTED,
    TrainingFolder,
    counted_rows,
    needed,
    openai_answer,
    openai_messages,
    origin_of_row,
)
from webbench.core.exchange.training.seen_prompt import answer_of, seen_before
from webbench.core.exchange.training.trusted_verdicts import TrustedVerdicts
from webbench.core.trajectory import Trajectory

STEPS = "steps.jsonl"


class StepRewardExporter:
    name = "steps"
    title = "rewards of single steps from people's labels, each with what was seen (a folder)"
    ending = ""
    several = True
    lacks = "steps without a label, pages that no prompt shows, times and costs"
    places = SELECTED

    def write(self, source: Source, path: Path) -> None:
        folder = TrainingFolder(source, path, self.name, "steps that did something")
        verdicts = folder.verdicts
        for trajectory in source.trajectories():
            folder.account.begin(trajectory)
            for at, step in enumerate(trajectory.steps):
                if step.acted:
                    folder.account.look_at(trajectory, step)
                    with folder.row_or_reason():
                        _add(folder, trajectory, at, verdicts)
        folder.close()

    def count_written(self, path: Path) -> Mapping[str, int]:
        """By the rows' origins."""
        return counted_rows(path)


def create() -> StepRewardExporter:
    """The entry point."""
    return StepRewardExporter()


def _add(folder: TrainingFolder, trajectory: Trajectory, at: int, verdicts: TrustedVerdicts) -> None:
    """The row of a step, or why there is none."""
    step = trajectory.steps[at]
    verdict = needed(verdicts.of_step(trajectory.header, step.index))
    seen = needed(seen_before(folder.source, trajectory, at))
    answer = needed(answer_of(trajectory, step, seen))
    pictures = folder.pictures(trajectory, seen)
    row = {
        "prompt": openai_messages(seen.messages, pictures),
        "completion": [openai_answer(answer)],
        "reward": verdict.value,
        "had_effect": step.ok,
        **origin_of_row(trajectory, step, seen, pictures, verdict),
        "answer": answer.how,
    }
    folder.add({STEPS: row}, (row["episode"], row["step"]))
