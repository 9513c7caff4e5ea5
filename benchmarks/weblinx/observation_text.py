"""A turn as text: viewport, dialogue, earlier actions, likely elements, and the page's tree."""

from __future__ import annotations

from webbench.core.observation import DialogueTurn, Observation
from webbench.core.plain_text import plain_text
from webbench.core.renderings.webarena import webarena_text

PREVIOUS_TURNS = 5
UTTERANCES = 5
_LONGEST = 1000


def render(observation: Observation) -> str:
    """The state of a turn as the paper's section 3.1 lists it; the tree stands last, as it is longest."""
    size = f"Viewport(height={observation.viewport.height}, width={observation.viewport.width})"
    parts = [size, *dialogue_lines(observation.dialogue)]
    if observation.candidates:
        parts.append("Candidates:")
        parts += [f"[{one.node}] {plain_text(one.text, limit=300)}" for one in observation.candidates]
    return "\n".join([*parts, webarena_text(observation)])


def dialogue_lines(dialogue: tuple[DialogueTurn, ...]) -> list[str]:
    """The history window of the paper's section 5.1: the last turns of any kind, and of the instructor's
    utterances before them the first and the latest."""
    recent = dialogue[-PREVIOUS_TURNS:]
    earlier = [turn for turn in dialogue[:-PREVIOUS_TURNS] if turn.said and turn.speaker == "instructor"]
    if len(earlier) > UTTERANCES:
        earlier = [earlier[0], *earlier[-(UTTERANCES - 1) :]]
    said = [f"{_clock(turn.seconds)}{plain_text(turn.text, limit=_LONGEST)}" for turn in earlier]
    lines = ["Instructor's earlier utterances: " + (" ".join(said) or "none")]
    lines.append("Previous turns:" + ("" if recent else " none"))
    return lines + [f"{turn.speaker}: {plain_text(turn.text, limit=_LONGEST)}" for turn in recent]


def _clock(seconds: float | None) -> str:
    if seconds is None:
        return ""
    minutes, rest = divmod(int(abs(seconds)), 60)
    return f"[{'-' if seconds < 0 else ''}{minutes:02}:{rest:02}] "
