"""Supervised fine-tuning: a chat row for each step of a solved episode, in the two common shapes.

A folder with `messages.jsonl` (OpenAI), `conversations.jsonl` (ShareGPT), `images/`, and `account.json`.
A row is the prompt that the actor saw and what it answered. Left out, and counted: steps of episodes that
nobody judged, that are disputed or not solved; of the others those without an effect, and those that labels
call a mistake.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from webbench.core.exchange.export_format import Source
from webbench.core.exchange.training.chat_rows import (
    SELECTED,
    LeftOut,
    TrainingFolder,
    counted_rows,
    needed,
    openai_answer,
    openai_messages,
    origin_of_row,
    sharegpt_turns,
)
from webbench.core.exchange.training.seen_prompt import answer_of, seen_before
from webbench.core.exchange.training.trusted_verdicts import MISTAKE, SOLVED, TrustedVerdicts, Verdict
from webbench.core.trajectory import Trajectory

MESSAGES, CONVERSATIONS = "messages.jsonl", "conversations.jsonl"


class SftExporter:
    name = "sft"
    title = "chat rows of solved episodes for fine-tuning, as OpenAI messages and ShareGPT (a folder)"
    ending = ""
    several = True
    lacks = "pages that no prompt shows, times and costs, and the checks of a score"
    places = SELECTED

    def write(self, source: Source, path: Path) -> None:
        folder = TrainingFolder(source, path, self.name, "steps that did something")
        verdicts = folder.verdicts
        for trajectory in source.trajectories():
            verdict = verdicts.of_episode(trajectory.header)
            if not isinstance(verdict, str) and verdict.value != SOLVED:
                verdict = "the episode is not solved"
            folder.account.begin(trajectory)
            for at, step in enumerate(trajectory.steps):
                if step.acted:
                    folder.account.look_at(trajectory, step)
                    with folder.row_or_reason():
                        _add(folder, trajectory, at, verdict, verdicts)
        folder.close()

    def count_written(self, path: Path) -> Mapping[str, int]:
        """By the rows' origins."""
        return counted_rows(path)


def create() -> SftExporter:
    """The entry point."""
    return SftExporter()


def _add(
    folder: TrainingFolder,
    trajectory: Trajectory,
    at: int,
    verdict: Verdict | str,
    verdicts: TrustedVerdicts,
) -> None:
    """The row of a step, or why there is none."""
    step = trajectory.steps[at]
    judged = needed(verdict)
    if not step.ok:
        raise LeftOut("the action had no effect")
    of_step = verdicts.of_step(trajectory.header, step.index)
    if not isinstance(of_step, str) and of_step.value == MISTAKE:
        raise LeftOut("labels call the step a mistake")
    seen = needed(seen_before(folder.source, trajectory, at))
    answer = needed(answer_of(trajectory, step, seen))
    pictures = folder.pictures(trajectory, seen)
    origin = {**origin_of_row(trajectory, step, seen, pictures, judged), "answer": answer.how}
    messages = [*openai_messages(seen.messages, pictures), openai_answer(answer)]
    rows = {
        MESSAGES: {"messages": messages, **origin},
        CONVERSATIONS: {"conversations": sharegpt_turns(seen.messages, answer), **origin},
    }
    folder.add(rows, messages)
