"""The one registry of user actions: key bindings, footer, command palette and help follow from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from textual.binding import Binding


@dataclass(frozen=True, slots=True)
class UserAction:
    """Something a person can do.

    Attributes:
        id: stable name, used in `keys.<id>` settings, e.g. "stepper.marks".
        keys: comma-separated Textual keys.
        action: Textual action of the screen or widget it belongs to.
        title: a few words, for footer and palette.
        help: one sentence for the help screen.
        footer: shown in the footer.
        priority: works while a text field has the focus.
    """

    id: str
    keys: str
    action: str
    title: str
    help: str = ""
    footer: bool = False
    priority: bool = False


APP = (
    UserAction("app.help", "question_mark,f1", "help", "Help", "Keys of where you are.", footer=True),
    UserAction(
        "app.palette", "colon,ctrl+p", "command_palette", "Palette", "Find any action by name.", footer=True
    ),
    UserAction("app.theme", "ctrl+t", "next_theme", "Theme", "Switch to the next theme."),
    UserAction("app.suspend", "ctrl+z", "suspend_process", "Suspend", "Go back to the shell for a while."),
    UserAction("app.quit", "ctrl+q,ctrl+c", "leave", "Quit", "Quit; what was recorded stays.", priority=True),
)

LIBRARY = (
    UserAction("library.open", "enter", "open_task", "Step it", "Open the task in the stepper.", footer=True),
    UserAction("library.filter", "slash", "filter", "Filter", "Filter the tasks as you type.", footer=True),
    UserAction(
        "library.next_instance",
        "right_square_bracket,l",
        "instance(1)",
        "Instance +",
        "Next instance.",
        footer=True,
    ),
    UserAction(
        "library.previous_instance",
        "left_square_bracket,h",
        "instance(-1)",
        "Instance −",
        "Previous instance.",
    ),
    UserAction("library.agent", "a", "choose_agent", "Agent…", "Open the task with an agent.", footer=True),
    UserAction("library.reload", "R", "reload", "Reload", "Read the data sets again."),
    UserAction("library.back", "q,escape", "back", "Quit", "Clear the filter, then quit.", footer=True),
)

STEPPER = (
    UserAction("stepper.act", "b", "focus_action", "Action bar", "Type an action.", footer=True),
    UserAction("stepper.next_pane", "tab", "turn_pane(1)", "Pane", "The next pane.", footer=True),
    UserAction("stepper.previous_pane", "shift+tab", "turn_pane(-1)", "Pane back", "The pane before."),
    UserAction("stepper.panel_score", "1", "panel('score')", "Score", "Show how the score comes about."),
    UserAction("stepper.panel_steps", "2", "panel('steps')", "Steps", "Show the steps taken."),
    UserAction("stepper.panel_messages", "3", "panel('messages')", "Messages", "Show console and network."),
    UserAction("stepper.panel_notes", "4", "panel('notes')", "Notes", "Write a note into the record."),
    UserAction("stepper.next_panel", "right_square_bracket", "turn_panel(1)", "Next panel", "Next panel."),
    UserAction(
        "stepper.previous_panel", "left_square_bracket", "turn_panel(-1)", "Previous panel", "Previous panel."
    ),
    UserAction("stepper.marks", "M", "marks", "Marks", "Ids over the picture, on or off.", footer=True),
    UserAction("stepper.crop", "z", "crop", "Crop", "Crop the picture to the focused node, and back."),
    UserAction("stepper.observe", "f5", "observe", "Observe", "Read the page again without acting."),
    UserAction("stepper.agent", "A", "choose_agent", "Agent…", "Choose an agent, or none.", footer=True),
    UserAction(
        "stepper.propose", "o", "propose", "Propose", "Have the agent propose one action.", footer=True
    ),
    UserAction(
        "stepper.run", "P", "run_or_pause", "Run/pause", "Let the agent run, or pause it.", footer=True
    ),
    UserAction("stepper.dialect", "D", "next_dialect", "Dialect", "Switch the action language."),
    UserAction(
        "stepper.submit",
        "ctrl+s,f9",
        "submit",
        "Submit",
        "Submit the form, or stop with an answer.",
        footer=True,
    ),
    UserAction("stepper.restart", "ctrl+r", "restart", "Start again", "Reset the task and start again."),
    UserAction(
        "stepper.back", "q,escape", "back", "Library", "Back to the library; the record stays.", footer=True
    ),
)

PROPOSAL = (
    UserAction(
        "proposal.accept", "enter", "accept", "Accept", "Carry out the agent's proposal.", footer=True
    ),
    UserAction("proposal.edit", "e", "edit", "Edit", "Edit the proposal before sending it.", footer=True),
    UserAction(
        "proposal.reject", "x", "reject", "Reject", "Reject the proposal, with a reason.", footer=True
    ),
)

SCOPES: Mapping[str, tuple[UserAction, ...]] = {
    "app": APP,
    "library": LIBRARY,
    "stepper": STEPPER,
    "proposal": PROPOSAL,
}


def bindings(scope: str) -> list[Binding]:
    """Textual bindings of a scope, each with its id so that settings can re-bind it."""
    return [
        Binding(
            action.keys,
            action.action,
            action.title,
            id=action.id,
            show=action.footer,
            priority=action.priority,
            tooltip=action.help,
        )
        for action in SCOPES[scope]
    ]
