"""Who&When's failed runs, and the halves they are split into: one to tune on, one that is held back.

Its step n counts turns from 0, those of people and machines among them; our step 0 is the start, so it is
our step n + 1. Both systems ran the same questions: a question's runs are in the same half.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Literal

import msgspec

from webbench.core.analysis.decisive.rule_level import rules, turns_of
from webbench.core.analysis.decisive.signal import Signal
from webbench.core.analysis.decisive.turn import Turn
from webbench.core.analysis.findings.suggestion import Subject
from webbench.core.analysis.recorded.step_observations import look_into
from webbench.core.labels.ledger import ledger_of
from webbench.core.store.store import Store
from webbench.core.trajectory import Trajectory

Half = Literal["dev", "held"]
SEED = 16


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """A failed run; `step` and `agent` are those of its decisive mistake."""

    trajectory: Trajectory
    turns: tuple[Turn, ...]
    signals: tuple[Signal, ...]
    step: int
    agent: str
    half: Half

    @property
    def place(self) -> tuple[str, str]:
        return self.trajectory.header.run, self.trajectory.header.episode

    @property
    def name(self) -> str:
        header = self.trajectory.header
        return f"{header.actor} {header.task.name[:6]}"


def failures(store: Store) -> list[Failure]:
    """Of a store that Who&When was imported into, by question and system."""
    labels = {
        (label.run, label.episode): (label.step, label.note.partition(":")[0])
        for label in ledger_of(store).book().labels
        if label.taxonomy == "who-and-when" and label.step is not None
    }
    loaded = [store.load(store.root / run / episode) for run, episode in labels]
    halves = _halves(loaded)
    found = []
    for trajectory in loaded:
        header = trajectory.header
        step, agent = labels[header.run, header.episode]
        assert step is not None
        subject = Subject(trajectory, look_into(store, trajectory, []))
        taken = turns_of(subject)
        found.append(
            Failure(
                trajectory=trajectory,
                turns=taken,
                signals=rules(subject, taken, blind=True),
                step=step,
                agent=agent,
                half=halves[header.task.name],
            )
        )
    return sorted(found, key=lambda one: (one.trajectory.header.task.name, one.trajectory.header.actor))


def _halves(runs: Sequence[Trajectory]) -> dict[str, Half]:
    """By question: neighbours in number of runs and in length are parted by lot."""
    lengths: dict[str, list[int]] = {}
    for run in runs:
        lengths.setdefault(run.header.task.name, []).append(len(run.steps))
    questions = sorted(lengths, key=lambda name: (len(lengths[name]), max(lengths[name]), name))
    rng = random.Random(SEED)
    halves: dict[str, Half] = {}
    for at in range(0, len(questions), 2):
        pair = questions[at : at + 2]
        chosen = rng.choice(pair)
        halves.update({name: "dev" if name == chosen else "held" for name in pair})
    return halves
