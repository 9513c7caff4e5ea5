"""What can be done in lists, in the accessibility tree, on the picture and in the action bar."""

from __future__ import annotations

from webbench.tui.commands.user_action import UserAction

ROWS = (
    UserAction("rows.down", "down,j", "move(1)", "Down"),
    UserAction("rows.up", "up,k", "move(-1)", "Up"),
    UserAction("rows.page_down", "pagedown,ctrl+f", "page(1)", "Page down"),
    UserAction("rows.page_up", "pageup,ctrl+b", "page(-1)", "Page up"),
    UserAction("rows.half_page_down", "ctrl+d", "half_page(1)", "Half page down"),
    UserAction("rows.half_page_up", "ctrl+u", "half_page(-1)", "Half page up"),
    UserAction("rows.first", "home,g", "first", "First row"),
    UserAction("rows.last", "end,G", "last", "Last row"),
    UserAction("rows.activate", "enter", "activate", "Choose"),
)

TREE = (
    UserAction("tree.act", "enter", "activate", "Act", "Do the natural thing for the role.", rank=1),
    UserAction(
        "tree.at_once", "E", "activate_at_once", "At once", "Click or tick it: no second Enter.", rank=2
    ),
    UserAction("tree.unfold", "right,l", "unfold", "Unfold", "Unfold, or go to the first below."),
    UserAction("tree.fold", "left,h", "fold", "Fold", "Fold, or go to the node above."),
    UserAction("tree.toggle_fold", "space", "toggle_fold", "Fold/unfold"),
    UserAction("tree.fold_all", "minus", "fold_all", "Fold all"),
    UserAction("tree.unfold_all", "plus", "unfold_all", "Unfold all"),
    UserAction(
        "tree.interactive", "i", "toggle_filter('interactive')", "Interactive", "Interactive only.", rank=8
    ),
    UserAction("tree.viewport", "v", "toggle_filter('viewport')", "Viewport only"),
    UserAction("tree.candidates", "C", "toggle_filter('candidates')", "Candidates", "Likely targets only."),
    UserAction("tree.everything", "a", "toggle_filter('everything')", "All nodes"),
    UserAction("tree.to_focused", "full_stop", "to_focused", "To the focus", "Go to the focused element."),
    UserAction(
        "tree.next_interactive",
        "right_parenthesis",
        "interactive_row(1)",
        "Next element",
        "To what can be acted on.",
    ),
    UserAction("tree.previous_interactive", "left_parenthesis", "interactive_row(-1)", "Element before"),
    UserAction("tree.next_landmark", "right_curly_bracket", "landmark(1)", "Next landmark"),
    UserAction("tree.previous_landmark", "left_curly_bracket", "landmark(-1)", "Landmark before"),
    UserAction("tree.next_change", "greater_than_sign", "change(1)", "Next change", "What is new.", rank=7),
    UserAction("tree.previous_change", "less_than_sign", "change(-1)", "Change before"),
    UserAction("tree.search", "slash", "search", "Search", "Search names, values, roles and ids.", rank=4),
    UserAction("tree.next_match", "n", "next_match(1)", "Next match"),
    UserAction("tree.previous_match", "N", "next_match(-1)", "Match before"),
    UserAction("tree.hints", "f", "hints", "Hints", "Letters to jump to what is in view.", rank=3),
    UserAction(
        "tree.hints_act", "F", "hints(True)", "Hints, then act", "Do it at once if it takes no value."
    ),
    UserAction("tree.copy", "y", "copy_node", "Copy node"),
    UserAction("tree.click", "c", "verb('click')", "Click"),
    UserAction("tree.double_click", "d", "verb('double click')", "Double click"),
    UserAction("tree.right_click", "R", "verb('right click')", "Right click"),
    UserAction("tree.type", "t", "verb('type')", "Type text"),
    UserAction("tree.select", "s", "verb('select')", "Select an option"),
    UserAction("tree.check", "x", "verb('check')", "Check or uncheck"),
    UserAction("tree.set_range", "r", "verb('set range')", "Set a range"),
    UserAction("tree.hover", "m", "verb('hover')", "Move the mouse over it"),
    UserAction("tree.press", "p", "verb('press')", "Press keys on it"),
    UserAction("tree.scroll_to", "w", "verb('scroll to')", "Scroll it into view"),
    UserAction("tree.upload", "U", "verb('upload')", "Upload a file"),
    UserAction("tree.submit", "S", "verb('submit')", "Submit its form"),
)

PICTURE = (
    UserAction("picture.zoom_in", "plus,equals_sign", "zoom(1.25)", "Zoom in", rank=1),
    UserAction("picture.zoom_out", "minus", "zoom(0.8)", "Zoom out", rank=3),
    UserAction("picture.fit", "0", "fit", "Fit", "The whole picture, or the part around the node.", 4),
    UserAction("picture.fit_width", "w", "fit_width", "Fit width"),
    UserAction("picture.crop", "c", "crop", "Crop", "Crop to the focused node, and back.", rank=6),
    UserAction("picture.marks", "m", "toggle_marks", "Marks", "Ids over the picture.", rank=7),
    UserAction("picture.text", "t", "toggle_text", "Text", "Page text over the picture.", rank=8),
    UserAction("picture.left", "left,h", "pan(-1, 0)", "Left"),
    UserAction("picture.right", "right,l", "pan(1, 0)", "Right"),
    UserAction("picture.up", "up,k", "pan(0, -1)", "Up"),
    UserAction("picture.down", "down,j", "pan(0, 1)", "Down"),
)

TASKS = (
    UserAction("tasks.open", "enter", "activate", "Step it", "Open the task in the stepper.", rank=1),
    UserAction(
        "tasks.filter", "slash", "filter", "Filter", "Filter as you type: Enter steps, Tab keeps it.", rank=2
    ),
    UserAction("tasks.sort", "s", "sort", "Sort", "Sort by the next column.", rank=8),
    UserAction("tasks.reverse", "i", "reverse", "Reverse order"),
    UserAction("tasks.mark", "space", "mark", "Mark", "Mark the task for a batch, or take the mark away."),
    UserAction("tasks.clear_marks", "U", "clear_marks", "Unmark all"),
    UserAction("tasks.usable", "u", "usable", "Usable only", "Hide what can't be stepped.", rank=3),
    UserAction("tasks.clear", "escape", "clear_filter", "Show all", "Clear the filter.", rank=6),
)

RECORDS = (
    UserAction("records.open", "enter", "activate", "Open", "Open what is under the cursor.", rank=1),
    UserAction(
        "records.filter",
        "slash",
        "filter",
        "Filter",
        "Filter as you type: Enter opens, Tab keeps it.",
        rank=6,
    ),
    UserAction("records.mark", "space", "mark", "Mark", "Mark it, or take the mark away.", rank=2),
    UserAction("records.clear_marks", "u", "clear_marks", "Unmark all"),
    UserAction("records.clear", "escape", "clear_filter", "Show all", "Clear the filter.", rank=8),
)

HITS = (UserAction("hits.open", "enter", "activate", "Open", "The replay at the step of the hit.", rank=1),)

FIGURE = (
    UserAction("figure.open", "enter", "activate", "Episodes", "The episodes behind this row.", rank=1),
)

BENCHMARKS = (UserAction("benchmarks.open", "enter", "activate", "Tasks", "Go to its tasks.", rank=1),)

SCORE = (
    UserAction("score.toggle", "enter,space", "activate", "Fold/unfold", rank=1),
    UserAction("score.unfold", "right,l", "set_fold(True)", "Unfold"),
    UserAction("score.fold", "left,h", "set_fold(False)", "Fold"),
    UserAction("score.unfold_all", "plus", "set_all(True)", "Unfold all", rank=3),
    UserAction("score.fold_all", "minus", "set_all(False)", "Fold all", rank=4),
)

STEPS = (
    UserAction("steps.detail", "enter", "activate", "Again", "Put the step's action into the bar.", rank=1),
)

MESSAGES = (
    UserAction("messages.show", "enter", "activate", "Whole text", "Show the whole message.", rank=1),
    UserAction("messages.problems", "x", "toggle_quiet", "Problems only", "Hide what is no problem.", rank=3),
)

HTML = (
    UserAction("html.turn", "x", "turn", "Page/node", "The whole page, or the node alone.", rank=1),
    UserAction("html.search", "slash", "search", "Search", "Search the HTML.", rank=3),
    UserAction("html.next_match", "n", "next_match(1)", "Next match"),
    UserAction("html.previous_match", "N", "next_match(-1)", "Match before"),
)

LIVE_CONVERSATION = (
    UserAction(
        "live_conversation.say",
        "enter",
        "speak",
        "Say…",
        "Say something; it is kept with the episode.",
        rank=1,
    ),
)

CONVERSATION = (
    UserAction(
        "conversation.actions", "x", "toggle_actions", "Actions", "Hide what was done in between.", rank=3
    ),
)

NOTES = (UserAction("notes.write", "enter", "write", "Write", "Go to the field for a note.", rank=1),)

ACTION = (
    UserAction("action.send", "enter", "submit", "Send", "Send the action.", rank=1),
    UserAction("action.complete", "tab", "complete", "Complete", "Take the completion.", rank=2),
    UserAction("action.suggest", "ctrl+space,ctrl+@", "suggest", "Completions", "Open completions."),
    UserAction(
        "action.earlier", "up", "recall(-1)", "Earlier", "The action before, or the line above.", rank=3
    ),
    UserAction("action.later", "down", "recall(1)", "Later", "The action after, or the line below."),
    UserAction("action.leave", "escape", "leave", "Leave", "Close completions, then leave.", rank=5),
    UserAction("action.dialect", "f3", "switch_dialect", "Dialect", "Switch the action language.", rank=4),
)
