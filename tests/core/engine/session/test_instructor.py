"""Two people record one episode: one acts in a real browser, another one instructs over a real socket."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from tests.core.engine.session.test_session import START, sitting
from webbench.benchmarks.weblinx.exchange.exporter import export_episode
from webbench.core.action.action import Action
from webbench.core.browser.launch import Browser
from webbench.core.engine.door.attachment import Attachment
from webbench.core.engine.door.connection import Connection
from webbench.core.engine.session.instructor import LONGEST
from webbench.core.engine.wire import messages, socket_place
from webbench.core.environment import StepResult
from webbench.core.episode.episode import Episode
from webbench.core.errors import EnvironmentDown, WebbenchError
from webbench.core.store.store import Store

pytestmark = pytest.mark.browser

INSTRUCTED = msgspec.structs.replace(START, instructor="ann")


def spoken_during_the_next_action(
    episode: Episode, attachment: Attachment, monkeypatch: pytest.MonkeyPatch
) -> list[asyncio.Task[object]]:
    """Have the instructor speak in the midst of the navigator's next action; the task that does."""
    speaking: list[asyncio.Task[object]] = []
    environment, arrived, note = episode.environment, asyncio.Event(), episode.note
    act = environment.act

    async def noted(text: str) -> object:
        arrived.set()
        return await note(text)

    async def acted(action: Action) -> StepResult:
        speaking.append(asyncio.create_task(attachment.speak("Not so fast")))
        await arrived.wait()
        return await act(action)

    # Both stand before the real ones, which they call: so the two meet in every run.
    monkeypatch.setattr(episode, "note", noted)
    monkeypatch.setattr(environment, "act", acted)
    return speaking


async def answers(path: Path, *intents: messages.Intent) -> list[str]:
    """What the door says to each."""
    connection = await Connection.begin(path)
    said: list[str] = []
    told = connection.events()
    for intent in intents:
        await connection.send(intent)
        event = await anext(told)
        assert isinstance(event, messages.Trouble)
        said.append(event.message)
    connection.close()
    return said


async def test_both_are_turns_of_the_record_in_their_order(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "store"
    async with sitting(store, chromium) as one:
        await one.do(INSTRUCTED)
        header = one.last(messages.EpisodeStarted).header
        folder = store / header.run / header.episode
        path = socket_place.talk_path(folder.parent, header.episode)
        assert socket_place.open_talks(store) == [folder]
        assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)

        instructor = Attachment(Store(store), header.run, header.episode)
        with pytest.raises(EnvironmentDown, match="can't be taken over"):
            await instructor.require()
        assert (await instructor.speak("Look for\x1b[31m mugs\n")).note == "instructor: Look for␛[31m mugs"
        await one.do(messages.AddNote(text="navigator: Which ones?"))
        assert one.session.episode is not None
        speaking = spoken_during_the_next_action(one.session.episode, instructor, monkeypatch)
        await one.do(messages.SendAction(text="scroll [down]"))
        await speaking[0]

        again = Attachment(Store(store), header.run, header.episode)
        heard: list[messages.Event] = []
        listening = asyncio.create_task(again.run(heard.append))
        await again.speak("The cream ones")
        refused = await answers(
            path,
            messages.SendAction(text="go_back"),
            messages.Shutdown(),
            messages.AddNote(text=" \n"),
            messages.AddNote(text="x" * (LONGEST + 1)),
        )
        assert refused[:3] == ["An instructor only speaks", "An instructor only speaks", "Nothing was said"]
        assert f"at most {LONGEST:,}" in refused[3]
        await one.do(messages.FinishEpisode(reason="that will do"))
        await listening
        with pytest.raises(WebbenchError, match="has ended"):
            await again.speak("One more")
    with pytest.raises(EnvironmentDown, match="can't be instructed"):
        await again.speak("Anybody?")
    assert not path.parent.parent.exists(), "a door leaves nothing behind"

    told = [event.step for event in heard if isinstance(event, messages.StepRecorded)]
    assert [(step.index, step.note or step.text) for step in told[:6]] == [
        (0, ""),
        (1, "instructor: Look for␛[31m mugs"),
        (2, "navigator: Which ones?"),
        (3, "scroll [down]"),
        (4, "instructor: Not so fast"),
        (5, "instructor: The cream ones"),
    ]
    recorded = Store(store).load(folder)
    assert [step.index for step in recorded.steps] == [step.index for step in told]
    assert recorded.header.actor == "human", "who speaks doesn't act"

    exported = export_episode(Store(store), folder, tmp_path / "mugs")
    chats = [(turn.get("speaker"), turn.get("utterance")) for turn in exported.turns]
    assert chats == [
        ("instructor", "Look for␛[31m mugs"),
        ("navigator", "Which ones?"),
        (None, None),
        ("instructor", "Not so fast"),
        ("instructor", "The cream ones"),
    ]
    assert exported.form["instructor_name"] == "ann"
