"""Who said what in an episode, by its steps."""

from __future__ import annotations

import msgspec
import pytest

from tests.tui.recorded_page import HEADER
from webbench.core.action.action import Back, Say
from webbench.core.episode.utterances import (
    INSTRUCTOR,
    NAVIGATOR,
    SETTING,
    Utterance,
    conversation,
    spoken_in,
    utterance_of,
)
from webbench.core.observation import DialogueTurn
from webbench.core.trajectory import Step

EARLIER = DialogueTurn(index=0, speaker=INSTRUCTOR, text="Hello")
STEPS = (
    Step(index=0, at=""),
    Step(index=1, at="", note="instructor: Buy a mug"),
    Step(index=2, at="", text="say", action=Say(text="Which one?")),
    Step(index=3, at="", note="odd page"),
    Step(index=4, at="", text="back", action=Back()),
    Step(index=5, at="", text="say", action=Say(text="unheard"), ok=False),
)


@pytest.mark.parametrize(
    ("note", "found"),
    [
        ("instructor: Buy\na mug ", Utterance(INSTRUCTOR, "Buy\na mug")),
        (" Navigator : Which one?", Utterance(NAVIGATOR, "Which one?")),
        ("navigator:", None),
        ("the instructor: was away", None),
        ("", None),
    ],
)
def test_a_note_that_begins_with_a_speaker_is_said(note: str, found: Utterance | None) -> None:
    assert spoken_in(note) == found
    assert found is None or spoken_in(found.note) == found


def test_only_what_had_an_effect_was_said() -> None:
    said = [(step.index, utterance_of(step)) for step in STEPS]
    assert [(at, one.text) for at, one in said if one] == [(1, "Buy a mug"), (2, "Which one?")]


def test_a_task_with_a_dialogue_tells_it_by_itself_but_for_what_a_live_instructor_adds() -> None:
    spoken = [(turn.index, turn.speaker) for turn in conversation(HEADER, (), STEPS)]
    assert spoken == [(1, INSTRUCTOR), (2, NAVIGATOR)]
    assert conversation(HEADER, (EARLIER,), STEPS) == (EARLIER,)
    instructed = msgspec.structs.replace(HEADER, settings={SETTING: "ann"})
    assert [turn.text for turn in conversation(instructed, (EARLIER,), STEPS)] == [
        "Hello",
        "Buy a mug",
        "Which one?",
    ]
