"""A recorded episode of any benchmark as a demonstration in WebLINX's published format.

| in the record | in the demonstration |
|---|---|
| a message of the actor, an answer at the end | a chat turn of the navigator |
| a note "instructor: …" (or "navigator: …") | a chat turn of that speaker |
| an action on an element, a page or a tab | a browser turn, with the page as it was before it |
| text sent with Enter | a textInput turn and a submit turn of its form |

Without a note of the instructor, the task's intent is what the instructor says first. Left out, and counted:
actions that had no effect, those on a page that isn't recorded, and those for which WebLINX has no turn
(drag, upload, dialogs, keys).
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from webbench.benchmarks.weblinx.exchange.folder_writer import (
    Exported,
    ExportedState,
    Renames,
    write_demonstration,
)
from webbench.benchmarks.weblinx.exchange.recorder_actions import FIRST_TAB, BrowserEvent, Page, events_of
from webbench.benchmarks.weblinx.notation.prediction import NAVIGATOR
from webbench.benchmarks.weblinx.pages.stamping import stamped
from webbench.benchmarks.weblinx.turns.history_window import INSTRUCTOR
from webbench.core.action.action import Action, Noop, Remember, Say, Stop
from webbench.core.episode.utterances import instructor_of, spoken_in
from webbench.core.errors import BadData
from webbench.core.exchange.account.given import NOT_CARRIED, PAGE_LEFT, PICTURE_LEFT, Places, kept_besides
from webbench.core.exchange.export_format import Source
from webbench.core.exchange.own.carried_fields import OWN, header_told, steps_told, without_enter
from webbench.core.json_types import JsonObject
from webbench.core.observation import Observation, Screenshot
from webbench.core.store.store import Store
from webbench.core.trajectory import Step, Trajectory

_NOTHING = (Noop, Remember)
NAMED_ANEW = "a demonstration has the name of its folder"


def export_episode(
    store: Store, episode: str | Path, folder: Path, *, renames: Renames = (), small_pictures: bool = False
) -> Exported:
    """Write the demonstration into `folder`, whose name becomes its own.

    Args:
        renames: (from, to) applied to addresses and pages, so that a local site gets a name.
        small_pictures: screenshots at half size and in few colours.

    Raises:
        UsageError: no such episode, or a folder that holds something already.
        BadData: a record that can't be read, or in which nothing happens.
        EnvironmentDown: the folder can't be written.
    """
    trajectory = store.load(episode)
    found = demonstration_of(trajectory, _Reader(store, trajectory), folder.name)
    if not found.turns:
        raise BadData(f"{trajectory.header.episode} holds no step that WebLINX has a turn for")
    write_demonstration(folder, found, renames=renames, small_pictures=small_pictures)
    return found


class _Reader:
    """What was recorded with a step."""

    def __init__(self, store: Store, trajectory: Trajectory) -> None:
        self._store, self._trajectory = store, trajectory

    def __call__(self, step: Step) -> tuple[Observation, str, Screenshot | None]:
        """Observation, HTML, picture. Raises `BadData`."""
        return (
            self._store.observation(self._trajectory, step),
            self._store.html(self._trajectory, step),
            self._store.screenshot(self._trajectory, step),
        )


ReadStep = Callable[[Step], "tuple[Observation, str, Screenshot | None]"]


def demonstration_of(trajectory: Trajectory, read: ReadStep, name: str) -> Exported:
    """The turns and pages of a record. Raises `BadData` as `read`."""
    making = _Making(trajectory, read)
    for step in trajectory.steps:
        making.take(step)
    header, steps = trajectory.header, trajectory.steps
    begun = _milliseconds(steps[0].at) if steps else 0
    ended = _milliseconds(steps[-1].at) if steps else 0
    metadata = {
        "recordingStart": begun,
        "recordingStartISO": steps[0].at if steps else "",
        "recordingEnd": ended,
        "recordingEndISO": steps[-1].at if steps else "",
        "recordingId": name,
        "timezoneOffsetMinutes": 0,
        "user": header.actor,
        "userAgent": header.versions.get("browser", ""),
        "version": f"webbench-tui {header.versions.get('webbench-tui', '')}".strip(),
        OWN: {**header_told(header), "steps": steps_told(making.placed)},
    }
    form = {
        "annotator": header.actor,
        "description": header.task.intent,
        "tasks": [header.task.kind or header.task.benchmark],
        "navigator_name": NAVIGATOR,
        "instructor_name": instructor_of(header) or INSTRUCTOR,
        "shortcode": name,
        "upload_date": steps[-1].at[:10] if steps else "",
    }
    return Exported(
        turns=making.turns,
        states=making.states,
        metadata=metadata,
        form=form,
        left_out=making.left_out,
        left_steps=making.left_steps,
    )


class _Making:
    """Takes up the steps of a record one by one."""

    def __init__(self, trajectory: Trajectory, read: ReadStep) -> None:
        self._header, self._read = trajectory.header, read
        self._begun = trajectory.steps[0].at if trajectory.steps else ""
        self._before: Step | None = None
        self._tab = FIRST_TAB
        self.turns: list[JsonObject] = []
        self.states: list[ExportedState] = []
        self.left_out: list[str] = []
        self.left_steps: list[tuple[Step, str]] = []
        self.placed = [(0, one) for one in trajectory.steps[:1]]
        """Steps with the turn that each begins with, counted from 1; 0 is the start."""
        self._by_blobs: dict[tuple[str, str, str], ExportedState] = {}
        if trajectory.steps and self._header.task.intent and not _instructed(trajectory):
            self._say(INSTRUCTOR, self._header.task.intent, trajectory.steps[0])

    def take(self, step: Step) -> None:
        spoken = spoken_in(step.note)
        if spoken:
            self._say(spoken.speaker, spoken.text, step)
        action, turns = step.action, len(self.turns)
        if isinstance(action, Say) and step.ok:
            self._say(NAVIGATOR, action.text, step)
        elif isinstance(action, Stop):
            if action.answer.strip():
                self._say(NAVIGATOR, action.answer, step)
        elif action is not None and not isinstance(action, _NOTHING):
            self._act(step, action)
        elif action is None and step.text and not spoken:
            self._leave(step, "is no action that is understood")
        elif step.index and not spoken:
            self.left_steps.append((step, "nothing was done in it but to wait or to note something"))
        if len(self.turns) > turns:
            self.placed.append((turns + 1, without_enter(step)))
        if step.observation:
            self._before = step

    def _leave(self, step: Step, why: str) -> None:
        self.left_out.append(f"step {step.index} {why}: {step.text}")
        self.left_steps.append((step, f"a step that {why}"))

    def _say(self, speaker: str, text: str, step: Step) -> None:
        seconds = self._seconds(step)
        turn = {"type": "chat", "timestamp": seconds, "speaker": speaker, "utterance": text}
        self.turns.append(turn)

    def _act(self, step: Step, action: Action) -> None:
        """Browser turns from the page before the step."""
        if not step.ok:
            self._leave(step, "had no effect")
            return
        if self._before is None:
            self._leave(step, "needs the page that it was done on, which is not recorded")
            return
        state = self._state(self._before)
        after = self._read(step)[0].viewport if step.observation else state.observation.viewport
        page = Page(state.page, self._header.episode, step.url, (after.scroll_x, after.scroll_y))
        events = events_of(action, page)
        if not events:
            self._leave(step, "is no turn of WebLINX")
        for event in events:
            self._turn(event, state, step)

    def _turn(self, event: BrowserEvent, state: ExportedState, step: Step) -> None:
        viewport = state.observation.viewport
        self._tab = next((FIRST_TAB + tab.index for tab in state.observation.tabs if tab.active), FIRST_TAB)
        metadata = {
            "mouseX": event.mouse[0],
            "mouseY": event.mouse[1],
            "tabId": self._tab,
            "timestamp": _milliseconds(step.at),
            "url": state.observation.url,
            "viewportHeight": viewport.height,
            "viewportWidth": viewport.width,
            "zoomLevel": 1.0,
        }
        shown = {
            "screenshot": f"screenshot-{state.number}-0.png" if state.screenshot else None,
            "page": f"page-{state.number}-0.html" if state.page.html else None,
            "screenshot_status": "good" if state.screenshot else "broken",
        }
        arguments = {"metadata": metadata, "properties": {}, **event.arguments}
        action = {
            "intent": event.intent,
            "arguments": arguments,
            "event_id": len(self.turns),
            "element_html": arguments.get("element", {}).get("outerHTML"),
            "screenshot_effect": None,
        }
        self.turns.append(
            {"type": "browser", "timestamp": self._seconds(step), "state": shown, "action": action}
        )

    def _state(self, step: Step) -> ExportedState:
        blobs = (step.observation, step.html, step.screenshot)
        if blobs not in self._by_blobs:
            observation, html, screenshot = self._read(step)
            page = stamped(html, observation, self._header.episode)
            number = len(self.states) + 1
            self._by_blobs[blobs] = ExportedState(number, page, observation, screenshot)
            self.states.append(self._by_blobs[blobs])
        return self._by_blobs[blobs]

    def _seconds(self, step: Step) -> float:
        return (_milliseconds(step.at) - _milliseconds(self._begun)) / 1000


def _instructed(trajectory: Trajectory) -> bool:
    spoken = (spoken_in(step.note) for step in trajectory.steps)
    return any(found is not None and found.speaker == INSTRUCTOR for found in spoken)


def _milliseconds(at: str) -> int:
    """Since 1970; 0 for a time that can't be read."""
    try:
        return round(datetime.fromisoformat(at).timestamp() * 1000)
    except ValueError:
        return 0


class Demonstration:
    name = "weblinx"
    title = "a demonstration folder in WebLINX's published format"
    ending = ""
    several = False
    lacks = (
        "drags, uploads, answered dialogs and single keys, actions without effect, model input and output, "
        "and scores"
    )
    places = Places(
        rewritten={
            "actions.enter": "Enter is a turn of its own",
            "values.pages.viewport.*": "a turn has the size of the window, not how far it is scrolled",
            "values.pages.title": "a page's title is that of its HTML",
            "times.spans": "the time between two turns is a pause",
            "values.settings.weblinx.form.shortcode": NAMED_ANEW,
            "values.settings.weblinx.metadata.recordingId": NAMED_ANEW,
        },
        no_place={
            **NOT_CARRIED,
            **PAGE_LEFT,
            "trees": "pages are HTML with boxes",
            "prompts.calls": "no field for calls of models",
            "replies.calls": "no field for calls of models",
            "reasoning": "no field for reasoning",
            "labels": "no field for what annotators wrote",
            "messages": "no field for messages of pages",
            "exchanges": "no field for evidence",
            "files": "no field for files kept with an episode",
        },
        adds={
            **kept_besides("weblinx"),
            "steps": "what the instructor says is a turn, and a text with Enter is two",
            "actions": "what is said is a turn, and a text with Enter is two",
            "times": "each turn has its own",
            "notes": "who says something in a turn stands in a note of it",
        },
        partly={
            **dict.fromkeys(PICTURE_LEFT, "a screenshot stands with the turn that was done on it"),
            "trees": "a turn has the page before it, so that the last one has no place",
            "html": "a turn has the page before it, so that the last one has no place",
            "pictures": "a turn has the screenshot before it, so that the last one has no place",
            "notes": "notes of instructor and navigator are turns, others have no place",
            "times": "a turn has one time, and no spans",
        },
    )

    def write(self, source: Source, path: Path) -> None:
        for trajectory in source.trajectories():
            header = trajectory.header
            found = export_episode(source.store, source.store.root / header.run / header.episode, path)
            source.told.pictures += sum(state.screenshot is not None for state in found.states)
            for line in found.left_out:
                source.told.lose(f"{header.episode}: {line}")
            for step, why in found.left_steps:
                source.leave_step(step, why, pages=False)


def create() -> Demonstration:
    """The entry point."""
    return Demonstration()
