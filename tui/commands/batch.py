"""What can be done where a run is put together."""

from __future__ import annotations

from webbench.tui.commands.user_action import UserAction

BATCH = (
    UserAction("batch.start", "ctrl+s,f9", "start", "Start", "Begin the run as it stands here.", rank=1),
    UserAction("batch.next", "down,tab", "app.focus_next", "Next field", "The next field.", rank=2),
    UserAction("batch.previous", "up,shift+tab", "app.focus_previous", "Field before", "The field before."),
    UserAction(
        "batch.copy", "ctrl+y,f4", "copy", "Copy command", "Copy the command that begins this run.", rank=3
    ),
    UserAction("batch.cancel", "escape", "cancel", "Cancel", "Leave without beginning a run.", rank=4),
)

FIELD = (UserAction("field.choose", "enter,space", "choose", "Choose", "Choose what stands here.", rank=1),)
