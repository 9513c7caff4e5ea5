"""Template instances: other values in intent, evaluator and reference list (WebArena, section 3.1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from urllib.parse import quote, quote_plus

import msgspec

from webbench.benchmarks.common.demonstrated_task import Wording, meets
from webbench.core.agents.reference import REFERENCE_ACTIONS
from webbench.core.benchmark.benchmark import Benchmark
from webbench.core.engine.engine import Engine, EpisodeRequest
from webbench.core.engine.session import agent_turns
from webbench.core.episode.options import EpisodeOptions
from webbench.core.errors import UsageError
from webbench.core.json_types import Json, JsonObject
from webbench.core.score.score import Score, Status
from webbench.core.task import Task

_STEADY = ("role", "name", "frame_url")
"""What of an element holds in another instance: its selector, path and place are those of the old one."""


class Instance(msgspec.Struct, frozen=True, kw_only=True):
    """A task made of another one of its template.

    Attributes:
        entry: as a task file has it.
        places: how often each old text was put another one for, by part: "evaluator", "reference list",
            "start". One that stands nowhere has 0 of each.
        same_way: but for the answer, the reference list is that of the task it was made of.
        same_answer: the answer that is asked for is the same, too.
    """

    entry: JsonObject
    places: dict[str, dict[str, int]]
    same_way: bool
    same_answer: bool

    @property
    def doubts(self) -> list[str]:
        """What may have been forgotten."""
        nowhere = [text for text, parts in self.places.items() if not sum(parts.values())]
        told = [f'"{text}" stands nowhere in evaluator, reference list or start' for text in nowhere]
        if self.same_way:
            told.append("the reference list goes the same way as before: look whether it should")
        if self.same_answer:
            told.append("the same answer is asked for as before: another one is told with --change OLD=NEW")
        if not any(parts["evaluator"] for parts in self.places.values()):
            told.append(
                "the evaluator is the same as before: what else differs is told with --change OLD=NEW"
            )
        return told


def instance(entry: JsonObject, name: str, values: Mapping[str, str], changes: Mapping[str, str]) -> Instance:
    """Another instance of the entry's template, in WebArena's form.

    A text is replaced where it stands as a whole word, also in small letters and as addresses write it; all
    at once, so that two can change places. All instances have the template's number.

    Args:
        name: the new task's number.
        values: what stands in the slots; a slot that isn't named keeps its value.
        changes: other texts of evaluator and reference list that depend on the values, old → new.

    Raises `UsageError` for a task without slots, for an unknown slot, and where nothing changes.
    """
    old = _slots(entry)
    odd = sorted(set(values) - set(old))
    if odd:
        raise UsageError(f"The template has no slot {', '.join(odd)}", f"it has {', '.join(old) or 'none'}")
    new = {**old, **values}
    wanted = {old[slot]: new[slot] for slot in old if old[slot] != new[slot]} | dict(changes)
    if old == new:
        raise UsageError("This is the same instance again", "give another --value NAME=TEXT")
    wording = Wording(name=name, template=str(entry["intent_template"]), values=new)
    swap = _Swap(wanted)
    made = {
        **entry,
        "task_id": int(name),
        "instantiation_dict": new,
        "intent": wording.intent,
        "start_url": swap.everywhere(entry.get("start_url"), "start"),
        "eval": swap.everywhere(entry.get("eval"), "evaluator"),
        REFERENCE_ACTIONS: [swap.action(action) for action in _listed(entry.get(REFERENCE_ACTIONS))],
    }
    made.pop("annotation", None)
    wanted_then, wanted_now = (_answers(one) for one in (entry, made))
    return Instance(
        entry=made,
        places=swap.places,
        same_way=_way_without_answer(made) == _way_without_answer(entry),
        same_answer=bool(wanted_now) and wanted_now == wanted_then,
    )


def _way_without_answer(entry: JsonObject) -> list[Json]:
    """The reference list without its answer."""
    actions = _listed(entry.get(REFERENCE_ACTIONS))
    return [one for one in actions if not (isinstance(one, dict) and one.get("verb") == "stop")]


def _slots(entry: JsonObject) -> dict[str, str]:
    held = entry.get("instantiation_dict")
    slots = {str(name): str(value) for name, value in held.items()} if isinstance(held, dict) else {}
    if not slots:
        raise UsageError(
            f"Task {entry.get('task_id')} is no template: its intent has no slots",
            "write it with --intent 'Find the {{colour}} mug' --value colour=blue",
        )
    return slots


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _joined_by(joint: str) -> Callable[[str], str]:
    """How addresses write a name: "spruce-candle"."""
    return lambda text: joint.join(re.findall(r"\w+", text.casefold()))


def _answers(entry: JsonObject) -> Json:
    gold = entry.get("eval")
    return gold.get("reference_answers") if isinstance(gold, dict) else None


class _Swap:
    """Puts new texts for old ones, and counts where."""

    def __init__(self, wanted: Mapping[str, str]) -> None:
        self.places = {old: {"evaluator": 0, "reference list": 0, "start": 0} for old in wanted}
        self._old: dict[str, str] = {}
        self._new: dict[str, str] = {}
        for old, new in wanted.items():
            for written in (str, quote, quote_plus, str.casefold, _joined_by("-"), _joined_by("_")):
                if written(old) and self._old.setdefault(written(old), old) == old:
                    self._new.setdefault(written(old), written(new))
        longest = sorted(self._new, key=len, reverse=True) or ["\0"]
        self._pattern = re.compile("|".join(rf"(?<!\w){re.escape(text)}(?!\w)" for text in longest))

    def everywhere(self, value: Json, part: str) -> Json:
        if isinstance(value, str):
            return self._pattern.sub(lambda found: self._put(found[0], part), value)
        if isinstance(value, dict):
            return {key: self.everywhere(item, part) for key, item in value.items()}
        return [self.everywhere(item, part) for item in value] if isinstance(value, list) else value

    def action(self, action: Json) -> Json:
        """An action of the reference list; an element of another name is found by that and its role."""
        changed = self.everywhere(action, "reference list")
        if not isinstance(changed, dict) or not isinstance(action, dict):
            return changed
        return {key: self._steady(action.get(key), item) for key, item in changed.items()}

    @staticmethod
    def _steady(before: Json, after: Json) -> Json:
        if not (isinstance(before, dict) and isinstance(after, dict)) or before.get("name") == after.get(
            "name"
        ):
            return after
        return {key: item for key, item in after.items() if key in _STEADY}

    def _put(self, found: str, part: str) -> str:
        self.places[self._old[found]][part] += 1
        return self._new[found]


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """What the instance's reference list scores, and what that of the task it was made of scores there."""

    own: Score
    other: Score

    @property
    def faults(self) -> list[str]:
        """Why the instance is not to be written; empty where it is sound."""
        told = [] if meets(self.own) else [f"its reference list gets {self.own.headline()}"]
        if self.other.value == 1:
            told.append("the reference list of the task that it was made of meets every check, too")
        elif meets(self.other):
            told.append(
                "whether the reference list of the task that it was made of fails, nobody knows: "
                f"{self.other.reason}; a check that rules decide would tell"
            )
        return told


async def played(
    engine: Engine, made: Instance, entry: JsonObject, benchmark_of: Callable[[JsonObject], Benchmark]
) -> Played:
    """Both reference lists, carried out on the live sites and scored by the instance's evaluator.

    Args:
        benchmark_of: the benchmark that has one entry as its task.
    """
    near_miss = made.entry | {REFERENCE_ACTIONS: entry.get(REFERENCE_ACTIONS)}
    scores = []
    for one in (made.entry, near_miss):
        benchmark = benchmark_of(one)
        (task,) = benchmark.tasks(names=[str(one["task_id"])])
        scores.append(await _score(engine, benchmark, task))
    return Played(own=scores[0], other=scores[1])


async def _score(engine: Engine, benchmark: Benchmark, task: Task) -> Score:
    run = engine.store.start_run(benchmark.name, "oracle", 1)
    request = EpisodeRequest(
        benchmark=benchmark, task=task, run=run, actor="oracle", options=EpisodeOptions(live_score=False)
    )
    async with engine.episode(request) as episode:
        await episode.start()
        await agent_turns.run(episode, benchmark.oracle(task))
        if not episode.ended:
            await episode.finish("the reference list ends here")
        score = episode.header.score
    return score or Score(status=Status.ERROR, reason="it was not scored")
