"""WebLINX demonstrations as recorded episodes: each turn a step, with the page that it led to.

Read are a demonstration's folder (`replay.json` with pages, bboxes, screenshots), a replay as a file of its
own (`<name>.replay*.json`) and turns as text (`*turns*.jsonl`). What the instructor says becomes a note
"instructor: ..." of a step without an action, which is what `export.py` makes such turns of.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from webbench.benchmarks.weblinx.demonstrations.course import CourseTurn, course_turns
from webbench.benchmarks.weblinx.demonstrations.demonstrations import REPLAY, SPLITS, open_demonstrations
from webbench.benchmarks.weblinx.demonstrations.form_json import FORM
from webbench.benchmarks.weblinx.demonstrations.reference import Turn
from webbench.benchmarks.weblinx.demonstrations.turn_observation import PageView, page_view
from webbench.benchmarks.weblinx.environment import picture_of
from webbench.benchmarks.weblinx.exchange.folder_writer import METADATA
from webbench.benchmarks.weblinx.exchange.reenact import reenacted
from webbench.benchmarks.weblinx.notation.prediction import selector_of, uid_in
from webbench.benchmarks.weblinx.turns.files import read_text
from webbench.benchmarks.weblinx.turns.history_window import INSTRUCTOR
from webbench.benchmarks.weblinx.turns.intents import CLICK, TEXT_INPUT, UNKNOWN
from webbench.core.action.action import Action, ClickAt, ElementRef, Noop, Say, Type
from webbench.core.action.references import map_references
from webbench.core.errors import BadData
from webbench.core.exchange.account.kinds import Kind
from webbench.core.exchange.account.recorded_counts import is_scored
from webbench.core.exchange.account.source_shape import Frame, Shape
from webbench.core.exchange.account.tally import Lost
from webbench.core.exchange.episode_building import foreign_header, numbered, object_in, origin_told
from webbench.core.exchange.foreign_terms import recorded_score
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedStep, Picture
from webbench.core.exchange.own.carried_fields import (
    OWN,
    header_with,
    made_by_ours,
    own_in,
    own_score,
    steps_with,
)
from webbench.core.exchange.place import Place
from webbench.core.json_types import JsonObject
from webbench.core.task import Task
from webbench.core.trajectory import Actor, Seconds, Step

BENCHMARK = DIALECT = "weblinx"
HUMAN, OURS = "human", "webbench-tui"
MOST_FILES = 20_000
_READ = frozenset({REPLAY, METADATA, FORM, "pages", "bboxes", "screenshots"})
_ABOUT = Shape({OWN: Frame(), "recordingStart": Frame(), "recordingStartISO": Frame()})
"""Of the recording; when it began is the time of the start."""
_FOLDERS: tuple[tuple[Kind, str], ...] = (("trees", "bboxes"), ("html", "pages"), ("pictures", "screenshots"))
_GREETING = 2
"""Words."""
LONGEST_PAUSE = 3600.0
"""Seconds between two turns that are taken for thinking; the clocks of chat and browser differ."""


class WebLinxDemonstration:
    name = "weblinx"
    title = "WebLINX demonstrations"
    looks_like = "a folder with replay.json, pages, bboxes, screenshots; or lines of demo_name, turn_index"

    def claim(self, place: Place) -> Claim | None:
        if REPLAY in place.names and (place / REPLAY).has_text('"data"', '"type"'):
            return Claim()
        if place.is_folder:
            return None
        name = place.name.lower()
        if ".replay" in name and name.endswith(".json") and place.has_text('"data"', '"type"'):
            return Claim()
        if name.endswith(".jsonl") and place.has_text('"demo_name"', '"turn_index"'):
            listed = Claim("companion", "ranked candidates for turns of WebLINX")
            return Claim() if place.has_text('"action"') else listed
        known = name == SPLITS and (place.has_text('"test_vis"') or place.has_text('"train"'))
        return Claim("companion", "WebLINX's splits") if known else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        _require_confined(place)
        if not place.name.endswith(".jsonl"):
            (place / REPLAY if place.is_folder else place).check_values()
        demonstrations = open_demonstrations(place.path)
        for name in demonstrations:
            turns = demonstrations.read(name)
            about = demonstrations.about(name)
            splits = demonstrations.splits_of(name)
            intent = about.description or _first_wish(turns)
            task = Task(
                benchmark=BENCHMARK, name=name, intent=intent, split=splits[0], kind=", ".join(about.tasks)
            )
            _count(place, turns)
            yield _episode(place, task, turns)
        _open_all(place)


def create() -> WebLinxDemonstration:
    """The entry point."""
    return WebLinxDemonstration()


def _count(place: Place, turns: Sequence[Turn]) -> None:
    """Each turn is a step; what the instructor says is a note, and no action."""
    tally = place.tally
    told = sum(turn.type == "chat" and turn.speaker == INSTRUCTOR for turn in turns)
    tally.count("episodes")
    tally.count("steps", len(turns))
    tally.count("actions", len(turns) - told)
    tally.count("notes", told)
    for turn in turns:
        if turn.type == "chat" and isinstance(turn.utterance, str):
            tally.value("utterance", turn.utterance)
    tally.retold("times", "seconds since the start are told as times and pauses")
    for kind, name in _FOLDERS:
        tally.retold(kind, f"a page is kept once, with the first turn that it was seen on ({name})")


def _open_all(place: Place) -> None:
    """The demonstration's own reader goes through these folders; nothing else of the folder is looked at."""
    if not place.is_folder:
        return
    place.tally.opened |= {place.path / name for name in (REPLAY, METADATA, FORM) if name in place.names}
    for folder in ("pages", "bboxes", "screenshots"):
        place.tally.opened |= {place.path / folder / name for name in (place / folder).names}
    others = [name for name in place.names if name not in _READ]
    place.tally.left("files", f"other files of the folder: {', '.join(sorted(others)[:6])}", len(others))


def _require_confined(place: Place) -> None:
    """Raises `BadData` where anything that belongs to a demonstration is a link out of what is imported."""
    folder = place.path if place.is_folder else place.path.parent
    count = 0
    for parent, folders, files in os.walk(folder):
        if not place.is_folder:
            folders.clear()
        for name in (*folders, *files):
            count += 1
            path = Path(parent) / name
            if path.is_symlink() and not Place(path, place.root).confined:
                raise BadData(f"{path} leads out of {place.root}", "links out of it are not followed")
        if count > MOST_FILES:
            raise BadData(f"{place} holds more than {MOST_FILES:,} files, which no demonstration does")


def _first_wish(turns: Sequence[Turn]) -> str:
    """What the instructor says first, greetings passed over."""
    said = (turn.utterance for turn in turns if turn.type == "chat" and turn.speaker == INSTRUCTOR)
    texts = [text for text in said if isinstance(text, str)]
    return next((text for text in texts if len(text.split()) > _GREETING), texts[0] if texts else "")


def _episode(place: Place, task: Task, turns: Sequence[Turn]) -> ImportedEpisode:
    lost = place.tally.losses()
    if not place.is_folder and place.name.endswith(".json"):
        lost.append("pages and screenshots: a replay alone names them and doesn't hold them")
    about, form = _object_of(place, METADATA), _object_of(place, FORM)
    own = own_in(about)
    for told in (about, form):
        place.tally.read(told, _ABOUT)
    begun, actor = _begun(about), _actor(about)
    score = recorded_score(None, "", "a demonstration is what models are held to")
    kept = {name: one for name, one in (("metadata", _without_own(about)), ("form", form)) if one}
    settings = {**({BENCHMARK: kept} if kept else {}), **origin_told(own)}
    header = foreign_header(
        task, actor, dialect=DIALECT, score=own_score(own, lost) or score, settings=settings
    )
    header = msgspec.structs.replace(header, started=_at(begun, 0.0))
    header = header_with(header, own, lost) if own else header
    lost.has("scores", is_scored(header.score))
    retold = _Retold(course_turns(turns), begun, lost, "human" if actor == HUMAN else "agent")
    steps = steps_with(numbered(retold.steps()), own, lost)
    return ImportedEpisode(header, steps, lost, made_by=made_by_ours(own))


def _object_of(place: Place, name: str) -> JsonObject:
    """What a file of the folder says; empty where there is none; one that can't be read is told."""
    if name not in place.names:
        return {}
    try:
        return object_in(place / name)
    except BadData as error:
        place.tally.left("values", f"{name} can't be read: {error}")
        return {}


def _without_own(about: JsonObject) -> JsonObject:
    return {name: one for name, one in about.items() if name != OWN}


def _begun(about: JsonObject) -> float:
    """Seconds since 1970 when the recording began, 0 where nothing tells."""
    started = about.get("recordingStart")
    return started / 1000 if isinstance(started, int | float) and 0 < started < 4e12 else 0.0


def _actor(about: JsonObject) -> str:
    """A person, but in what this program exported, which may be an agent's."""
    exported = str(about.get("version") or "").startswith(OURS)
    return str(about.get("user") or HUMAN) if exported else HUMAN


def _at(begun: float, seconds: float | None) -> str:
    if not begun or seconds is None or not 0 < begun + seconds < 4e9:
        return ""
    return datetime.fromtimestamp(begun + seconds, UTC).isoformat(timespec="milliseconds")


class _Retold:
    """The turns of a demonstration as steps: a turn's action goes out with the next turn's page."""

    def __init__(self, turns: Sequence[CourseTurn], begun: float, lost: Lost, actor: Actor) -> None:
        self._turns = turns
        self._actor: Actor = actor
        self._begun = begun
        self._lost = lost
        self._ids: dict[str, int] = {}
        self._given = 0
        self._views: dict[Path | None, PageView] = {}
        self._seconds: float | None = None

    def steps(self) -> Iterator[ImportedStep]:
        """Step 0 is the first turn's page."""
        pending = Step(index=0, at=_at(self._begun, 0.0), actor="operator")
        page: PageView | None = None
        for turn in self._turns:
            shown = self._own_page(turn)
            page = shown or page
            yield self._with_page(pending, turn, shown)
            pending = self._step(turn, page)
        yield ImportedStep(pending)

    def _own_page(self, turn: CourseTurn) -> PageView | None:
        """The turn's own page; None where it has none that can be read."""
        if turn.shown_at != turn.index:
            return None
        file = turn.shown.page
        if file is None or file not in self._views:
            self._views = {file: page_view(turn, turn.turn.page, self._number)}
        view = self._views[file]
        if view.observation.condition != "ok":
            self._lost.append(f"the page of turn {turn.index}: {view.observation.problem}")
            return None
        return view

    def _number(self, uid: str) -> int:
        """Short ids stay with an element as long as its id in the markup does."""
        if uid not in self._ids:
            self._given += 1
            if not uid:
                return self._given
            self._ids[uid] = self._given
        return self._ids[uid]

    def _with_page(self, step: Step, turn: CourseTurn, view: PageView | None) -> ImportedStep:
        if view is None:
            return ImportedStep(step)
        observation = view.observation
        shown = msgspec.structs.replace(step, url=observation.url, title=observation.title)
        return ImportedStep(shown, observation, self._picture(turn), self._html(turn))

    def _picture(self, turn: CourseTurn) -> Picture | None:
        if turn.shown.screenshot is None:
            return None
        viewport = turn.shown.viewport
        found = picture_of(turn.shown.screenshot, viewport.width if viewport else 0)
        if found is None:
            self._lost.append(f"the screenshot of turn {turn.index} is no picture")
            return None
        return Picture(found.data, scale=found.scale)

    def _html(self, turn: CourseTurn) -> str:
        return read_text(turn.shown.page) if turn.shown.page else turn.shown.markup

    def _step(self, turn: CourseTurn, page: PageView | None) -> Step:
        seconds = turn.told.seconds
        pause = seconds - self._seconds if seconds is not None and self._seconds is not None else 0.0
        self._seconds = seconds if seconds is not None else self._seconds
        if turn.told.said and turn.told.speaker == INSTRUCTOR:
            words, action = f"{INSTRUCTOR}: {turn.told.text}", None
        else:
            words, action = "", self._action(turn, page)
        return Step(
            index=0,
            at=_at(self._begun, seconds),
            actor="operator" if words else self._actor,
            text=turn.answer if not turn.told.said or not words else "",
            dialect="" if words else DIALECT,
            action=action,
            note=words,
            seconds=Seconds(idle=pause if 0 < pause < LONGEST_PAUSE else 0.0),
        )

    def _action(self, turn: CourseTurn, page: PageView | None) -> Action | None:
        if turn.told.said:
            return Say(text=turn.told.text)
        action = _done(turn)
        if action is None:
            why = f"what was done on turn {turn.index}: {turn.left_out or 'it has no element'}"
            self._lost.lose("actions", why, why="a turn that does not tell what was done, or on what")
            return None
        return map_references(action, lambda reference: _known(reference, turn, page))


def _done(turn: CourseTurn) -> Action | None:
    """What was done again; None where the record doesn't tell what, or on which element."""
    wanted = turn.wanted
    if wanted is None or wanted.intent in (None, UNKNOWN):
        return None
    action = reenacted(turn)
    if not isinstance(action, ClickAt) or wanted.intent == CLICK:
        return None if isinstance(action, Noop) else action
    text = wanted.args.get("text")
    return Type(text=text) if wanted.intent == TEXT_INPUT and isinstance(text, str) else None


def _known(reference: ElementRef, turn: CourseTurn, page: PageView | None) -> ElementRef:
    """The element as the page has it, else with the tag and words that the turn tells."""
    uid = uid_in(reference.selector)
    number = next((number for number, one in page.uids.items() if one == uid), None) if page and uid else None
    node = page.observation.node(number) if page is not None and number is not None else None
    if node is None:
        tag, _, said = turn.told.about.partition(" ")
        return msgspec.structs.replace(reference, role=tag, name=said.strip('"'))
    return ElementRef(id=node.id, role=node.role, name=node.name, selector=selector_of(uid), box=node.box)
