"""A task of WebArena's form made of a demonstration: what can be checked at its end, and how."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from webbench.benchmarks.common.demonstrated_task import ListedCheck, Wording, performed
from webbench.benchmarks.webarena.scoring.evaluate import WebArenaEvaluator
from webbench.benchmarks.webarena.tasks import NAME
from webbench.core.action.action import Stop
from webbench.core.agents.reference import REFERENCE_ACTIONS
from webbench.core.errors import UsageError
from webbench.core.json_types import Json, JsonObject
from webbench.core.score.score import Score
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import Trajectory

MOST_TEXTS = 40
LONGEST_TEXT = 120
ADDRESS, ANSWER, SHOWS = "address", "answer", "shows"
HOW = "write address, answer=TEXT or shows=TEXT, or the number of a listed check"


class Ending(msgspec.Struct, frozen=True, kw_only=True):
    """How an episode ended, as its record has it.

    Attributes:
        start, url: addresses of the first and of the last page.
        page: HTML of the last page; the names of its nodes where no HTML was kept.
        texts: what the last page shows and the first one doesn't, the nearest to the top first; no single
            signs, which are found on most pages.
    """

    start: str
    url: str
    answer: str
    page: str
    texts: tuple[str, ...]

    @property
    def evidence(self) -> JsonObject:
        """As the live stage would collect it for checks on the last page."""
        return {"answer": self.answer, "url": self.url, "pages": [{"located": self.page, "url": self.url}]}

    @property
    def listed(self) -> tuple[ListedCheck, ...]:
        """What can be checked, numbered from 1."""
        found = [(ADDRESS, self.url, "it ends there")]
        found += [(ANSWER, self.answer, "it is answered")] if self.answer else []
        found += [(SHOWS, text, "new since the start") for text in self.texts]
        return tuple(
            ListedCheck(pick=str(number), looks_at=kind, wanted=wanted, why=why)
            for number, (kind, wanted, why) in enumerate(found, start=1)
        )


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
            raise UsageError("Nothing is checked", HOW)
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


def picked(checks: Sequence[str], ending: Ending) -> Checks:
    """Checks as they are written: `address`, `answer=TEXT`, `shows=TEXT`, or the number of a listed one.

    Raises `UsageError` for anything else.
    """
    found: dict[str, list[str]] = {ADDRESS: [], ANSWER: [], SHOWS: []}
    for check in checks:
        kind, wanted = _read(check, ending)
        found[kind].append(wanted)
    return Checks(answer=tuple(found[ANSWER]), address=bool(found[ADDRESS]), shows=tuple(found[SHOWS]))


def _read(check: str, ending: Ending) -> tuple[str, str]:
    listed = next((one for one in ending.listed if one.pick == check.strip()), None)
    if listed is not None:
        return listed.looks_at, listed.wanted
    kind, _, wanted = check.partition("=")
    if check.strip() == ADDRESS or (kind.strip() in (ANSWER, SHOWS) and wanted.strip()):
        return kind.strip(), wanted.strip()
    raise UsageError(f'"{check}" is no check', HOW)


class WebArenaShape:
    """See `TaskShape`; an episode is read once."""

    benchmark = NAME
    key = "task_id"

    def __init__(self, store: Store) -> None:
        self._store = store
        self._endings: dict[str, Ending] = {}

    def listed(self, shown: Trajectory) -> Sequence[ListedCheck]:
        return self._ending(shown).listed

    def entry(self, shown: Trajectory, wording: Wording, checks: Sequence[str]) -> JsonObject:
        if not (wording.name.isascii() and wording.name.isdigit() and len(wording.name) < 16):
            raise UsageError(f'A WebArena task has a number, not "{wording.name}"', "name it with --name 7")
        ending, number = self._ending(shown), int(wording.name)
        return {
            "sites": [],
            "task_id": number,
            "require_login": False,
            "storage_state": None,
            "start_url": ending.start,
            "geolocation": None,
            "intent_template": wording.template,
            "instantiation_dict": dict(wording.values),
            "intent": wording.intent,
            "require_reset": False,
            "eval": picked(checks, ending).evaluation(ending),
            "intent_template_id": number,
            REFERENCE_ACTIONS: performed(
                [step.action for step in shown.steps if step.action is not None and step.ok]
            ),
        }

    def score(self, entry: JsonObject, shown: Trajectory) -> Score:
        task = Task(benchmark=NAME, name=str(entry["task_id"]), intent=entry["intent"], gold=entry["eval"])
        return WebArenaEvaluator().score(task, self._ending(shown).evidence)

    def doubts(self, shown: Trajectory, checks: Sequence[str]) -> Iterator[str]:
        ending = self._ending(shown)
        if picked(checks, ending).shows:
            yield "texts of the last page are looked for by loading its address anew: play the task once"

    def _ending(self, shown: Trajectory) -> Ending:
        name = shown.header.episode
        if name not in self._endings:
            self._endings[name] = ending_of(shown, self._store)
        return self._endings[name]


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
        start=first.url,
        url=_told_address(trajectory) or last.url,
        answer=stops[-1] if stops else "",
        page=html or "\n".join(node.name for node in last.nodes),
        texts=tuple(text for text in new if 1 < len(text) <= LONGEST_TEXT)[:MOST_TEXTS],
    )


def _told_address(trajectory: Trajectory) -> str:
    """What the last page told as its address, which of an error's page isn't the one that was asked for."""
    read = next((step.evidence for step in reversed(trajectory.steps) if step.evidence), {})
    page = read.get("page")
    told = read.get("url") or (page.get("url") if isinstance(page, dict) else "")
    return told if isinstance(told, str) else ""
