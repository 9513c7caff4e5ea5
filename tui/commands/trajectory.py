"""What can be done with a recorded episode, and with the strip of its time."""

from __future__ import annotations

from webbench.tui.commands.user_action import UserAction

TRAJECTORY = (
    UserAction(
        "trajectory.back_step", "left", "scrub(-1)", "Step back", "To the step before.", priority=True
    ),
    UserAction("trajectory.next_step", "right", "scrub(1)", "Next", "To the next step.", 1, priority=True),
    UserAction("trajectory.first", "home", "first_step", "First step", "To the start.", priority=True),
    UserAction("trajectory.last", "end", "last_step", "Last step", "To the last step.", priority=True),
    UserAction("trajectory.go_to", "number_sign", "go_to_step", "Step…", "To a step by its number."),
    UserAction(
        "trajectory.side", "b", "turn_side", "Before/after", "The page before the action, or after.", rank=2
    ),
    UserAction("trajectory.search", "slash", "search", "Search", "Look for a text in the episode.", rank=6),
    UserAction("trajectory.next_match", "n", "next_match(1)", "Next match"),
    UserAction("trajectory.previous_match", "N", "next_match(-1)", "Match before"),
    UserAction(
        "trajectory.compare", "c", "compare", "Compare", "With another attempt.", rank=6, priority=True
    ),
    UserAction("trajectory.label", "l", "label", "Label", "Label this step.", rank=4, priority=True),
    UserAction("trajectory.new_code", "A", "new_code", "New code…", "Add a code, given to this step.", 5),
    UserAction("trajectory.in_vivo", "V", "in_vivo", "In vivo…", "A code in the selected words."),
    UserAction("trajectory.memo", "W", "memo", "Memo…", "Write a memo on this step."),
    UserAction("trajectory.fork", "F", "fork", "Fork", "Go on live from this page.", rank=3, priority=True),
    UserAction("trajectory.origin", "o", "origin", "Origin", "The episode this is a fork of.", rank=8),
    UserAction("trajectory.next_episode", "L", "neighbour(1)", "Next episode"),
    UserAction("trajectory.previous_episode", "H", "neighbour(-1)", "Episode before"),
    UserAction("trajectory.panel_model", "1", "panel('model')", "Model", "Reasoning, prompt, reply, cost."),
    UserAction("trajectory.panel_steps", "2", "panel('steps')", "Steps", "All steps."),
    UserAction("trajectory.panel_difference", "3", "panel('difference')", "Changes", "What it changed."),
    UserAction("trajectory.panel_score", "4", "panel('score')", "Score", "How the score comes about."),
    UserAction("trajectory.panel_messages", "5", "panel('messages')", "Messages", "Console and network."),
    UserAction("trajectory.panel_notes", "6", "panel('notes')", "Notes", "Notes and what was remembered."),
    UserAction(
        "trajectory.panel_conversation", "7", "panel('conversation')", "Conversation", "Who said what."
    ),
    UserAction("trajectory.panel_found", "8", "panel('found')", "Found", "Where the text was found."),
    UserAction(
        "trajectory.panel_html", "9", "panel('html')", "HTML", "The HTML of the node, or of the page."
    ),
    UserAction("trajectory.next_panel", "right_square_bracket", "turn_panel(1)", "Next panel"),
    UserAction("trajectory.previous_panel", "left_square_bracket", "turn_panel(-1)", "Panel before"),
    UserAction("trajectory.next_pane", "tab", "turn_pane(1)", "Pane", "The next pane.", rank=7),
    UserAction("trajectory.previous_pane", "shift+tab", "turn_pane(-1)", "Pane back", "The pane before."),
    UserAction("trajectory.time", "t", "focus_time", "Time", "Travel along the strip of time."),
    UserAction("trajectory.marks", "M", "marks", "Marks", "Ids over the picture, on or off."),
    UserAction("trajectory.text", "T", "text", "Page text", "Page text over the picture, on or off."),
    UserAction("trajectory.crop", "z", "crop", "Crop", "Crop the picture to the focused node, and back."),
    UserAction("trajectory.wide", "Z", "maximise", "Maximise", "Give the pane all the room, and back."),
    UserAction("trajectory.picture", "f2", "picture", "Picture", "Give the picture all the room, and back."),
    UserAction("trajectory.editor", "e", "editor", "Editor", "All of the step and its page in $EDITOR."),
    UserAction(
        "trajectory.step_outside", "ctrl+o", "step_outside", "Open step…", "Open this step in a browser."
    ),
    UserAction("trajectory.reload", "f5", "reload", "Reload", "Read the record again: it may be growing."),
    UserAction("trajectory.task", "I", "task", "Task", "The whole intent and the task's inputs."),
    UserAction("trajectory.back", "q,escape", "back", "Back", "Back to where you came from.", rank=9),
)

TIME = (
    UserAction("time.later", "j,down", "travel(4)", "Later", "Along the time.", rank=1),
    UserAction("time.earlier", "k,up", "travel(-4)", "Earlier", "Back along the time.", rank=2),
)
