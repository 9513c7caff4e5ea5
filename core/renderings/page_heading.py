"""The heading above a page's tree: the dialogue, likely elements, an open dialog, why nothing is below."""

from __future__ import annotations

from webbench.core.observation import Dialog, Observation
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted

LATEST_TURNS = 10
LONGEST = 1000
"""Characters of a page's words in one of these lines."""

STILL_CHANGING = (
    "Still changing: the page was being drawn when it was read; wait, and there may be more of it"
)


def state_lines(observation: Observation) -> list[str]:
    """A line for a condition that isn't "ok", a page that changes, nodes left out, an open dialog."""
    lines: list[str] = []
    if observation.condition != "ok":
        problem = plain_text(observation.problem, limit=LONGEST)
        lines.append(f"Condition: {observation.condition}" + (f": {problem}" if problem else ""))
    if observation.changing:
        lines.append(STILL_CHANGING)
    if observation.left_out:
        lines.append(f"Too large: {left_out_words(observation)}")
    if observation.dialog is not None:
        lines.append(dialog_line(observation.dialog))
    return lines


def left_out_words(observation: Observation) -> str:
    """`130,001 more nodes were left out`"""
    was = "was" if observation.left_out == 1 else "were"
    return f"{counted(observation.left_out, 'more node')} {was} left out"


def dialogue_lines(observation: Observation) -> list[str]:
    """The latest turns of the dialogue that the task is part of, and the likely elements; usually none."""
    turns = [
        f"{plain_text(turn.speaker, limit=LONGEST)}: {plain_text(turn.text, limit=LONGEST)}"
        for turn in observation.dialogue[-LATEST_TURNS:]
    ]
    lines = ["Dialogue so far:", *turns, ""] if turns else []
    ranked = " ".join(f"[{candidate.node}]" for candidate in observation.candidates)
    return [*lines, f"Likely elements: {ranked}", ""] if ranked else lines


def with_state(tree: str, observation: Observation) -> str:
    """The tree below its state lines; alone where there are none."""
    lines = [*dialogue_lines(observation), *state_lines(observation)]
    return "\n".join([*lines, tree] if tree else lines) if lines else tree


def dialog_line(dialog: Dialog) -> str:
    """`Dialog open: prompt 'How many?', default '1'; answer it before anything else`."""
    default = f", default {_quoted(dialog.default)}" if dialog.kind == "prompt" else ""
    return f"Dialog open: {dialog.kind} {_quoted(dialog.message)}{default}; answer it before anything else"


def _quoted(text: str) -> str:
    return repr(plain_text(text, limit=LONGEST))
