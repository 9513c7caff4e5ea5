"""Preference pairs: of two actions on the same page the one that was held to be better, and the other.

A folder with `preferences.jsonl` (`prompt`, `chosen`, `rejected`), `images/` and `account.json`. Pairs are of

- people who worked with an agent: what it proposed against what the person did instead, or picked;
- forks of one step: the action that led to the higher score against the one that led to the lower.

Both actions are written alone, in the episode's action language. Left out, and counted: interventions without
anything to compare, and forks whose outcomes are alike, disputed or not judged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import msgspec

from webbench.core.action.action import Action, ElementRef
from webbench.core.action.references import map_references
from webbench.core.errors import BadData, UsageError
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
)
from webbench.core.exchange.training.seen_prompt import (
    Answer,
    action_text,
    language_of,
    own_begin,
    page_before,
    seen_before,
    written,
)
from webbench.core.exchange.training.trusted_verdicts import Judge, TrustedVerdicts, Verdict
from webbench.core.json_types import JsonObject
from webbench.core.observation import AccessibilityNode, Observation
from webbench.core.provenance import BY_PERSON
from webbench.core.trajectory import Origin, Step, Trajectory

PREFERENCES = "preferences.jsonl"
CHANGED = ("edited", "replaced", "rejected", "picked", "took over")


class _Branch(NamedTuple):
    """How an episode went on after the step that it was forked at: `at` is the first thing done then.

    `verdict` is that of the episode, or why it can't be relied on.
    """

    trajectory: Trajectory
    at: int | None
    verdict: Verdict | str


class PreferenceExporter:
    name = "preferences"
    title = "pairs of actions, chosen and rejected: people's interventions, and forks (a folder)"
    ending = ""
    several = True
    lacks = "steps that were not compared with others, pages that no prompt shows, times and costs"
    places = SELECTED

    def write(self, source: Source, path: Path) -> None:
        folder = TrainingFolder(
            source, path, self.name, "interventions and pairs of forks", "it was compared with no other"
        )
        verdicts = folder.verdicts
        forks: dict[Origin, list[_Branch]] = defaultdict(list)
        for trajectory in source.trajectories():
            begin = own_begin(trajectory)
            folder.account.begin(trajectory)
            for at, step in enumerate(trajectory.steps):
                if step.provenance is not None and step.provenance.decision in CHANGED and at >= begin:
                    folder.account.look_at(trajectory, step)
                    with folder.row_or_reason():
                        _add_intervention(folder, trajectory, at, verdicts)
            if trajectory.header.origin is not None:
                forks[trajectory.header.origin].append(_branch(trajectory, begin, verdicts))
        folder.account.look_away()
        for origin, branches in forks.items():
            for one, other in combinations([*_own_way(folder, origin), *branches], 2):
                with folder.row_or_reason():
                    _add_fork(folder, one, other)
        folder.close()

    def count_written(self, path: Path) -> Mapping[str, int]:
        """By the rows' origins."""
        return counted_rows(path)


def create() -> PreferenceExporter:
    """The entry point."""
    return PreferenceExporter()


def _add_intervention(
    folder: TrainingFolder, trajectory: Trajectory, at: int, verdicts: TrustedVerdicts
) -> None:
    """What a person did in place of a proposal, or why that makes no pair."""
    step = trajectory.steps[at]
    how = step.provenance
    assert how is not None
    if why := verdicts.dispute(trajectory.header):
        raise LeftOut(why)
    rejected = how.candidates[0] if how.decision == "picked" and how.candidates else step.proposed
    if not rejected:
        raise LeftOut("a person took over, and nothing was proposed")
    done = step if step.acted else _done_instead(trajectory.steps[at + 1 :])
    if done is None:
        raise LeftOut("a proposal was rejected, and no person decided what was done in its place")
    if not done.ok:
        raise LeftOut("what was done in place of a proposal had no effect")
    chosen = needed(action_text(trajectory, done))
    verdict = verdicts.of_episode(trajectory.header)
    person = Judge(who="a person", role="at the episode", rules="intervention", said=how.decision)
    told: JsonObject = {
        "kind": "intervention",
        "decision": how.decision,
        "reason": how.reason,
        "proposed_by": how.proposed_by,
        "outcome": None if isinstance(verdict, str) else verdict.value,
        "rejected_episode": "",
        "rejected_outcome": None,
        "rejected_judged_by": [],
    }
    judged = Verdict(value=1.0, judged_by=(person,))
    _add(folder, trajectory, at, (chosen.text, rejected), judged, told)


def _done_instead(following: Sequence[Step]) -> Step | None:
    """What was done next where a person did or accepted it; None where the agent went on alone."""
    done = next((step for step in following if step.acted), None)
    if done is None or done.actor != "agent":
        return done
    return done if done.provenance is not None and done.provenance.decision in BY_PERSON else None


def _branch(trajectory: Trajectory, begin: int, verdicts: TrustedVerdicts) -> _Branch:
    at = next((at for at, step in enumerate(trajectory.steps) if at >= begin and step.acted), None)
    return _Branch(trajectory, at, verdicts.of_episode(trajectory.header))


def _own_way(folder: TrainingFolder, origin: Origin) -> Iterator[_Branch]:
    """How the forked episode itself went on, whether it is exported or not."""
    try:
        store = folder.source.store
        trajectory = store.load(store.root / origin.run / origin.episode)
    except (BadData, UsageError):
        folder.leave_out("the episode that was forked can't be read")
        return
    begin = next((at for at, step in enumerate(trajectory.steps) if step.index > origin.step), None)
    if begin is not None:
        yield _branch(trajectory, begin, folder.verdicts)


def _add_fork(folder: TrainingFolder, one: _Branch, other: _Branch) -> None:
    """The pair of two ways on from the same step, or why they make none."""
    if isinstance(one.verdict, str) or isinstance(other.verdict, str):
        why = one.verdict if isinstance(one.verdict, str) else other.verdict
        raise LeftOut(f"of one of two forks: {why}")
    if one.verdict.value == other.verdict.value:
        raise LeftOut("two forks of a step have the same outcome")
    better, worse = sorted((one, other), key=_value, reverse=True)
    if better.at is None or worse.at is None:
        raise LeftOut("one of two forks did nothing after the step")
    chosen = needed(action_text(better.trajectory, better.trajectory.steps[better.at]))
    rejected = _as_seen(folder.source, worse, better)
    if not rejected:
        raise LeftOut("the element of the worse action can't be told on the other fork's page")
    header = worse.trajectory.header
    assert isinstance(better.verdict, Verdict)
    assert isinstance(worse.verdict, Verdict)
    told: JsonObject = {
        "kind": "fork",
        "decision": "",
        "reason": "",
        "proposed_by": "",
        "outcome": better.verdict.value,
        "rejected_episode": f"{header.run}/{header.episode}",
        "rejected_outcome": worse.verdict.value,
        "rejected_judged_by": msgspec.to_builtins(worse.verdict.judged_by),
    }
    _add(folder, better.trajectory, better.at, (chosen.text, rejected), better.verdict, told)


def _value(branch: _Branch) -> float:
    return branch.verdict.value if isinstance(branch.verdict, Verdict) else 0.0


def _as_seen(source: Source, worse: _Branch, better: _Branch) -> str:
    """The worse fork's action with the ids that elements have on the page of the better one, "" for none."""
    assert worse.at is not None
    assert better.at is not None
    step = worse.trajectory.steps[worse.at]
    page = page_before(source, better.trajectory, better.at)
    if step.action is None or page is None:
        return ""
    action = _on_page(step.action, page)
    language = language_of(better.trajectory, better.trajectory.steps[better.at])
    return written(language, action) if action is not None else ""


def _add(
    folder: TrainingFolder,
    trajectory: Trajectory,
    at: int,
    pair: tuple[str, str],
    verdict: Verdict,
    told: JsonObject,
) -> None:
    chosen, rejected = pair
    if " ".join(chosen.split()) == " ".join(rejected.split()):
        raise LeftOut("both actions are the same")
    seen = needed(seen_before(folder.source, trajectory, at))
    pictures = folder.pictures(trajectory, seen)
    content = {
        "prompt": openai_messages(seen.messages, pictures),
        "chosen": [openai_answer(Answer(text=chosen, how="action"))],
        "rejected": [openai_answer(Answer(text=rejected, how="action"))],
    }
    step = trajectory.steps[at]
    row = {**content, **origin_of_row(trajectory, step, seen, pictures, verdict), **told}
    folder.add({PREFERENCES: row}, content)


class _NotThere(Exception):
    """An element isn't on the page, or more than one could be it."""


def _on_page(action: Action, page: Observation) -> Action | None:
    """The action with each element's id on this page; None where an element can't be told.

    An element is the only node of its role and name, or, of several, the one that has the same id.
    """
    try:
        return map_references(action, lambda reference: _there(reference, page))
    except _NotThere:
        return None


def _there(reference: ElementRef, page: Observation) -> ElementRef:
    if reference.id is None:
        return reference
    alike = [node for node in page.nodes if _is(node, reference)]
    same = [node for node in alike if node.id == reference.id]
    found = same or alike
    if len(found) != 1 or not reference.role:
        raise _NotThere
    return msgspec.structs.replace(reference, id=found[0].id)


def _is(node: AccessibilityNode, reference: ElementRef) -> bool:
    return (node.role, node.name) == (reference.role, reference.name)
