"""A turn as text: viewport, dialogue, earlier actions, likely elements, and the page's tree."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.benchmarks.weblinx.turns.history_window import clock, window
from webbench.core.observation import DialogueTurn, Observation
from webbench.core.renderings.webarena import webarena_text
from webbench.core.text.plain_text import plain_text

_LONGEST = 1000


def render(observation: Observation) -> str:
    """The state of a turn as the paper's section 3.1 lists it; the tree stands last, as it is longest."""
    size = f"Viewport(height={observation.viewport.height}, width={observation.viewport.width})"
    parts = [size, *dialogue_lines(observation.dialogue)]
    if observation.candidates:
        parts.append("Candidates, the likeliest first:")
        parts += [f"[{one.node}] {plain_text(one.text, limit=300)}" for one in observation.candidates]
    page = msgspec.structs.replace(observation, dialogue=(), candidates=())
    return "\n".join([*parts, webarena_text(page)])


def dialogue_lines(dialogue: Sequence[DialogueTurn]) -> list[str]:
    """The instructor's utterances before the latest turns, and these, one a line."""
    earlier, recent = window(dialogue)
    said = [f"[{clock(turn.seconds)}] {plain_text(turn.text, limit=_LONGEST)}" for turn in earlier]
    lines = ["Instructor's earlier utterances: " + (" ".join(said) or "none")]
    lines.append("Previous turns:" + ("" if recent else " none"))
    return lines + [_line(turn) for turn in recent]


def _line(turn: DialogueTurn) -> str:
    about = f"  {plain_text(turn.about, limit=200)}" if turn.about else ""
    return f"{turn.speaker}: {plain_text(turn.text, limit=_LONGEST)}{about}"
