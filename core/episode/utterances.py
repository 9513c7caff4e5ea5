"""What people say to each other in an episode: notes that name their speaker, and messages of the actor.

Two people record a demonstration (WebLINX, section 3 and appendix A.5): the instructor says what is wanted,
the navigator acts and answers. In a record an utterance is a note "instructor: …" or "navigator: …", and a
message of whoever acts is the navigator's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from webbench.core.action.action import Say
from webbench.core.observation import DialogueTurn
from webbench.core.trajectory import EpisodeHeader, Step

INSTRUCTOR, NAVIGATOR = "instructor", "navigator"
SETTING = "instructor"
"""Under which a header's settings name who instructs."""

_SPOKEN = re.compile(rf"\s*({INSTRUCTOR}|{NAVIGATOR})\s*:\s*(.+)", re.DOTALL | re.IGNORECASE)


class Utterance(NamedTuple):
    """Who said what in an episode that two people record."""

    speaker: str
    text: str

    @property
    def note(self) -> str:
        """As it is written into a record."""
        return f"{self.speaker}: {self.text}"


def spoken_in(note: str) -> Utterance | None:
    """What a note says in somebody's name, None where it is an ordinary one."""
    found = _SPOKEN.match(note)
    return Utterance(found[1].lower(), found[2].strip()) if found else None


def utterance_of(step: Step) -> Utterance | None:
    """What was said in a step: in a note, or as a message that was sent."""
    spoken = spoken_in(step.note)
    if spoken is None and isinstance(step.action, Say) and step.ok:
        return Utterance(NAVIGATOR, step.action.text)
    return spoken


def instructor_of(header: EpisodeHeader | None) -> str:
    """Pseudonym of the person who may instruct in an episode, "" where nobody may."""
    named = header.settings.get(SETTING) if header is not None else None
    return named if isinstance(named, str) else ""


def conversation(
    header: EpisodeHeader | None, dialogue: tuple[DialogueTurn, ...], steps: Iterable[Step]
) -> tuple[DialogueTurn, ...]:
    """Everything said so far: the dialogue that the task is part of, and what was said in these steps.

    A task with a dialogue tells what is said in it by itself, but for what an instructor adds.
    """
    if dialogue and not instructor_of(header):
        return dialogue
    said = ((step.index, utterance_of(step)) for step in steps)
    live = (DialogueTurn(index=at, speaker=one.speaker, text=one.text) for at, one in said if one is not None)
    return (*dialogue, *live)
