"""A task of WebArena's form made of a recorded episode: checks, tried on recordings before it is written.

The demonstration has to meet every check, and a near miss (an episode that comes close and is wrong) has to
fail one: checks that nothing fails say nothing. The episode of a second annotator, who was given the words
alone, shows that these can be understood.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from webbench.benchmarks.common.task_file import listed_tasks, write_tasks
from webbench.benchmarks.webarena.scoring.evaluate import WebArenaEvaluator
from webbench.benchmarks.webarena.tasks import NAME
from webbench.core.action.action import Stop
from webbench.core.errors import UsageError
from webbench.core.json_types import Json, JsonObject
from webbench.core.score.score import Score
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import Trajectory

MOST_TEXTS = 40
LONGEST_TEXT = 120
_SLOT = re.compile(r"\{\{\s*([\w-]+)\s*\}\}")


class Ending(msgspec.Struct, frozen=True, kw_only=True):
    """How an episode ended, as its record has it.

    Attributes:
        start, url: addresses of the first and of the last page.
        page: HTML of the last page; the names of its nodes where no HTML was kept.
        texts: what the last page shows and the first one doesn't, the nearest to the top first.
    """

    episode: str
    start: str
    url: str
    answer: str
    page: str
    texts: tuple[str, ...]

    @property
    def evidence(self) -> JsonObject:
        """As the live stage would collect it for checks on the last page."""
        return {"answer": self.answer, "url": self.url, "pages": [{"located": self.page, "url": self.url}]}


class Checks(msgspec.Struct, frozen=True, kw_only=True):
    """What is checked at the end: texts of the answer, the address, texts that the last page shows."""

    answer: tuple[str, ...] = ()
    address: bool = False
    shows: tuple[str, ...] = ()

    def evaluation(self, ending: Ending) -> JsonObject:
        """WebArena's `eval` object. Raises `UsageError` where nothing is checked."""
        kinds = {"string_match": self.answer, "url_match": self.address, "program_html": self.shows}
        named: list[Json] = [kind for kind, wanted in kinds.items() if wanted]
        if not named:
            raise UsageError("Nothing is checked", "pick checks with --answer, --address and --shows")
        pages: list[Json] = [
            {"url": "last", "locator": "", "required_contents": {"must_include": list(self.shows)}}
        ]
        return {
            "eval_types": named,
            "reference_answers": {"must_include": list(self.answer)} if self.answer else None,
            "reference_url": ending.url if self.address else "",
            "program_html": pages if self.shows else [],
            **({"url_note": "GOLD in PRED"} if self.address else {}),
        }


def ending_of(trajectory: Trajectory, store: Store) -> Ending:
    """What checks can look at. Raises `UsageError` where no page was seen, `BadData` for a bad record."""
    seen = [step for step in trajectory.steps if step.observation]
    if not seen:
        raise UsageError(f"{trajectory.header.episode} shows no page", "name one that was stepped here")
    first, last = store.observation(trajectory, seen[0]), store.observation(trajectory, seen[-1])
    before = {node.name for node in first.nodes}
    new = dict.fromkeys(
        node.name.strip() for node in last.nodes if node.role == "StaticText" and node.name not in before
    )
    html = next((store.html(trajectory, step) for step in reversed(trajectory.steps) if step.html), "")
    stops = [step.action.answer for step in trajectory.steps if isinstance(step.action, Stop)]
    return Ending(
        episode=trajectory.header.episode,
        start=first.url,
        url=last.url,
        answer=stops[-1] if stops else "",
        page=html or "\n".join(node.name for node in last.nodes),
        texts=tuple(text for text in new if 0 < len(text) <= LONGEST_TEXT)[:MOST_TEXTS],
    )


def task_entry(
    number: int, template: str, values: Mapping[str, str], ending: Ending, checks: Checks
) -> JsonObject:
    """The task as WebArena's files write it. Raises `UsageError` for slots without values and the reverse."""
    slots = set(_SLOT.findall(template))
    if not template.strip():
        raise UsageError("The task asks for nothing", "say what with --intent")
    if slots != set(values):
        odd = ", ".join(sorted(slots ^ set(values)))
        raise UsageError(
            f"The intent and the values differ in {odd}", "write {{name}}, and --value name=TEXT"
        )
    return {
        "sites": [],
        "task_id": number,
        "require_login": False,
        "storage_state": None,
        "start_url": ending.start,
        "geolocation": None,
        "intent_template": template,
        "instantiation_dict": dict(values),
        "intent": _SLOT.sub(lambda slot: values[slot[1]], template),
        "require_reset": False,
        "eval": checks.evaluation(ending),
        "intent_template_id": number,
    }


def score_of(entry: JsonObject, ending: Ending) -> Score:
    """What an episode that ended so gets for the task."""
    task = Task(benchmark=NAME, name=str(entry["task_id"]), intent=entry["intent"], gold=entry["eval"])
    return WebArenaEvaluator().score(task, ending.evidence)


def faults(
    entry: JsonObject, demonstration: Ending, misses: Sequence[Ending], seconds: Sequence[Ending]
) -> Iterator[str]:
    """Why the task is not to be written: what recordings get that they shouldn't; nothing if it is sound."""
    for ending in (demonstration, *seconds):
        score = score_of(entry, ending)
        if score.value != 1:
            yield f"{ending.episode} should meet every check and gets {score.headline()}"
    if not misses:
        yield "no near miss was tried: name an episode that comes close and is wrong with --near-miss"
    for ending in misses:
        if score_of(entry, ending).value == 1:
            yield f"{ending.episode} is wrong and meets every check all the same: pick another check"


def write_task(file: Path, entry: JsonObject) -> None:
    """Add it to a file, or put it in the place of the one with its number. Raises `WebbenchError`."""
    others = [
        one
        for one in listed_tasks(file)
        if not isinstance(one, dict) or one.get("task_id") != entry["task_id"]
    ]
    write_tasks(file, [*others, entry])
