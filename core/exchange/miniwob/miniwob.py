"""MiniWoB++ recordings of people: one gzipped JSON an episode, every event with the whole page.

`<session>/<task>/<task>_<assignment>_d<n>.json.gz` holds {taskName?, utterance, states, rawReward, reward}.
`rawReward` is what the task gave (-1 to 1), `reward` the same discounted by the time it took. Source: the
data set beside Liu et al. 2018, "Reinforcement Learning on Web Interfaces Using Workflow-Guided Exploration".
"""

from __future__ import annotations

from collections.abc import Iterator

from webbench.core.action.action import Action, Click, ClickAt, DragAt, Press, Scroll, Type
from webbench.core.action.words import action_words
from webbench.core.errors import BadData
from webbench.core.exchange.account.source_shape import Frame, Shape, Whole
from webbench.core.exchange.account.tally import Lost, Tally
from webbench.core.exchange.episode_building import foreign_header, list_in, numbered, object_in, text_of
from webbench.core.exchange.foreign_terms import recorded_score
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedStep
from webbench.core.exchange.miniwob.dom_page import Page
from webbench.core.exchange.miniwob.gestures import (
    Clicked,
    Dragged,
    Gesture,
    Pressed,
    Scrolled,
    Typed,
    events_of,
    gestures,
)
from webbench.core.exchange.place import Place
from webbench.core.json_types import Json, JsonObject
from webbench.core.score.score import Score
from webbench.core.task import Task
from webbench.core.trajectory import Seconds, Step

BENCHMARK = "miniwob"
PRESSED_BY_SPACE = frozenset({"button", "checkbox", "radio", "link"})
_ENDINGS = (".json.gz", ".json")


SHAPE = Shape({"": "episodes", "states": Frame(), "rawReward": "scores"})
STATES = Shape({"time": Frame(), "dom": Whole("trees"), "action": "actions"})
"""Of a state; its event is part of what a person did, and seldom all of it."""
GESTURES = "events that are one gesture: press, release and click; keys of a text; each is recorded twice"


class MiniWob:
    name = "miniwob"
    title = "MiniWoB++ recordings of people"
    looks_like = "a gzipped JSON object of taskName, utterance, states with dom and action, rawReward"

    def claim(self, place: Place) -> Claim | None:
        """The states come in between, so the keys around them may lie far from the head."""
        if place.name == "miniwob.csv" and place.has_text("task_name", "miniwob_category"):
            return Claim("companion", "BrowserGym's list of MiniWoB++ tasks")
        if place.is_folder or not place.name.endswith(_ENDINGS):
            return None
        told = place.has_text('"utterance"') or place.has_text('"rawReward"')
        return Claim() if told and place.has_text('"states"', '"dom"', '"tag"') else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        recording = object_in(place)
        states = list_in(recording, "states", place)
        place.tally.read(recording, SHAPE)
        place.tally.read(states, STATES)
        lost = place.tally.losses()
        assignment, number = _names(place)
        header = foreign_header(
            Task(
                benchmark=BENCHMARK,
                name=text_of(recording.get("taskName")) or place.parent.name,
                intent=text_of(recording.get("utterance")),
            ),
            "human",
            score=_score(recording),
            settings={
                "annotator": assignment,
                "session": place.parent.parent.name,
                "recording": number,
                "reward": recording.get("reward"),
            },
        )
        yield ImportedEpisode(header, numbered(_steps(states, place, lost)), lost)


def create() -> MiniWob:
    """The entry point."""
    return MiniWob()


def _names(place: Place) -> tuple[str, str]:
    """Assignment and number of `<task>_<assignment>_d<n>.json.gz`; what is missing is ""."""
    stem = next((place.name.removesuffix(end) for end in _ENDINGS if place.name.endswith(end)), place.name)
    named, _, number = stem.rpartition("_d")
    return named.rpartition("_")[2], number


def _score(recording: JsonObject) -> Score:
    raw, discounted = recording.get("rawReward"), recording.get("reward")
    if not isinstance(raw, int | float) or isinstance(raw, bool):
        return recorded_score(None, "", "the source gives no raw reward")
    metrics = {"time-discounted reward": float(discounted)} if isinstance(discounted, int | float) else {}
    why = "the task's own reward, not discounted by time; a negative one counts as 0"
    return recorded_score(max(0.0, float(raw)), "MiniWoB++", why, actual=raw, metrics=metrics)


def _steps(states: list[Json], place: Place, lost: Lost) -> Iterator[ImportedStep]:
    events = events_of(states, lost)
    if not events:
        raise BadData(f"{place} has no state with a page")
    done = gestures(events)
    _count(states, done, place.tally)
    first = done[0].start if done else len(events) - 1
    before = Page(events[first if done else 0].dom)
    yield ImportedStep(Step(index=0, at="", actor="operator"), before.observation)
    clock = 0.0
    for number, gesture in enumerate(done):
        after = done[number + 1].start if number + 1 < len(done) else len(events) - 1
        page = Page(events[after].dom)
        action = _action(gesture, before, page)
        ended = events[gesture.end].time
        step = Step(
            index=0,
            at="",
            actor="human",
            text=action_words(action),
            action=action,
            note=gesture.note,
            seconds=Seconds(idle=max(0.0, ended - clock) / 1000),
        )
        clock = ended
        before = page
        yield ImportedStep(step, page.observation)


def _count(states: list[Json], done: list[Gesture], tally: Tally) -> None:
    """Gestures are made of events, and the pages between the events of one are not kept."""
    whole = [state for state in states if isinstance(state, dict)]
    tally.again("actions", GESTURES, sum(bool(one.get("action")) for one in whole) - len(done))
    tally.left("trees", "pages in the middle of a gesture", max(0, _pages(whole) - len(done) - 1))
    tally.made("trees", "a page that two gestures share", max(0, len(done) + 1 - _pages(whole)))
    tally.made("steps", "each gesture is a step", len(done))
    tally.count("times", sum(bool(one.get("time")) for one in whole))
    tally.retold("times", "the time of each event is told; a step has the time until its last one")
    tally.made("notes", "how a gesture was done", sum(bool(one.note) for one in done))


def _pages(states: list[JsonObject]) -> int:
    return sum(isinstance(state.get("dom"), dict) for state in states)


def _action(gesture: Gesture, before: Page, after: Page) -> Action:
    what = gesture.what
    target = before.reference(gesture.ref)
    match what:
        case Clicked():
            return Click(target=target) if target else ClickAt(x=what.x, y=what.y)
        case Dragged():
            return DragAt(x=what.x, y=what.y, to_x=what.to_x, to_y=what.to_y)
        case Scrolled():
            return Scroll(dy=before.scrolled(gesture.ref, after), target=target)
        case Typed(text=" ") if target is not None and target.role in PRESSED_BY_SPACE:
            return Press(keys="Space", target=target)
        case Typed():
            return Type(target=target, text=what.text, clear=False, enter=what.enter)
        case Pressed():
            return Press(keys=what.keys, target=target)
