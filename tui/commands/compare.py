"""What can be done where attempts at a task stand side by side."""

from __future__ import annotations

from dataclasses import replace

from webbench.tui.commands.panes import TREE
from webbench.tui.commands.user_action import UserAction

PANELS = ("why", "tree", "picture", "checks", "step", "targets")

COMPARE = (
    UserAction("compare.next", "n", "difference(1)", "Next difference", "Where they differ next.", rank=1),
    UserAction("compare.previous", "N", "difference(-1)", "Difference before", "Where they differed before."),
    UserAction(
        "compare.extra", "x", "extra", "Extra steps", "Only one actor's extra steps, then the next's.", rank=2
    ),
    UserAction("compare.side", "b", "side", "Before/after", "The page before or after the step.", rank=3),
    UserAction(
        "compare.why", "1", "panel('why')", "Why", "Where and why they part, and what may have decided it."
    ),
    UserAction("compare.tree", "2", "panel('tree')", "Page", "Each actor's accessibility tree."),
    UserAction("compare.picture", "3", "panel('picture')", "Picture", "What each actor saw."),
    UserAction("compare.checks", "4", "panel('checks')", "Checks", "Each actor's score and checks."),
    UserAction("compare.step", "5", "panel('step')", "Step", "All that is recorded of each step."),
    UserAction(
        "compare.targets",
        "6",
        "panel('targets')",
        "Targets",
        "What each actor, and the reference, acted on: all on one picture.",
    ),
    UserAction("compare.next_panel", "right_square_bracket", "turn_panel(1)", "Next panel", "Next panel."),
    UserAction(
        "compare.previous_panel", "left_square_bracket", "turn_panel(-1)", "Panel before", "Panel before."
    ),
    UserAction("compare.next_actor", "L", "actor(1)", "Next actor", "Look at the next actor."),
    UserAction("compare.previous_actor", "H", "actor(-1)", "Actor before", "Look at the actor before."),
    UserAction("compare.earlier", "left", "scrub(-1)", "Row before", "The row before, from any pane."),
    UserAction("compare.later", "right", "scrub(1)", "Next row", "The next row, from any pane."),
    UserAction("compare.open", "enter", "open", "Open", "Open the actor's trajectory at this step.", rank=5),
    UserAction(
        "compare.step_outside", "ctrl+o", "step_outside", "Open step…", "Open this step in a browser."
    ),
    UserAction("compare.label", "l", "label", "Label", "Label the actor's step of this row.", rank=6),
    UserAction("compare.add", "a", "add", "Add attempt", "Put another attempt at the task beside them."),
    UserAction("compare.next_pane", "tab", "turn_pane(1)", "Pane", "The next pane.", rank=7),
    UserAction("compare.previous_pane", "shift+tab", "turn_pane(-1)", "Pane back", "The pane before."),
    UserAction("compare.wide", "Z", "maximise", "Maximise", "Give the panes all the room, and back."),
    UserAction("compare.back", "q,escape", "back", "Back", "Back to where you came from.", rank=9),
)

_READING = (
    *("unfold", "fold", "toggle_fold", "fold_all", "unfold_all", "interactive", "viewport", "everything"),
    *("to_focused", "search", "next_match", "previous_match", "copy"),
)
READ_TREE = tuple(
    replace(one, id=f"read_{one.id}", rank=0) for one in TREE if one.id.removeprefix("tree.") in _READING
)
"""What can be done with the tree of a recorded page: all but acting on it."""
