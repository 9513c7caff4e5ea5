"""What can be done on every screen, in the library, in the stepper and in dialogs."""

from __future__ import annotations

from webbench.tui.commands.user_action import UserAction

APP = (
    UserAction("app.help", "question_mark,f1", "help", "Help", "Keys of where you are.", rank=99),
    UserAction("app.palette", "colon,ctrl+p", "command_palette", "Palette", "Find any action by name."),
    UserAction(
        "app.commands",
        "exclamation_mark",
        "commands",
        "Commands",
        "Every command of the program, as a form.",
        rank=8,
    ),
    UserAction(
        "app.studies", "ampersand", "studies", "Studies", "People who do tasks or label: join, look, decide."
    ),
    UserAction("app.theme", "ctrl+t", "next_theme", "Theme", "Switch to the next theme."),
    UserAction("app.suspend", "ctrl+z", "suspend_process", "Suspend", "Go back to the shell for a while."),
    UserAction("app.quit", "ctrl+q,ctrl+c", "leave", "Quit", "Quit; what was recorded stays.", priority=True),
)

LIBRARY = (
    UserAction("library.open", "enter", "open_task", "Step it", "Open the task in the stepper.", rank=1),
    UserAction(
        "library.go_on", "c", "go_on", "Go on", "Go on with the unfinished episode that is chosen.", rank=1
    ),
    UserAction("library.filter", "slash", "filter", "Filter", "Filter the tasks as you type.", rank=2),
    UserAction(
        "library.next_instance",
        "right_square_bracket,l,right",
        "instance(1)",
        "Next instance",
        "Show the task's next instance.",
        rank=3,
    ),
    UserAction(
        "library.previous_instance",
        "left_square_bracket,h,left",
        "instance(-1)",
        "Instance before",
        "Show the task's instance before.",
    ),
    UserAction("library.instance", "number_sign", "go_to_instance", "Instance…", "Go to an instance."),
    UserAction(
        "library.agent", "a", "choose_agent", "With agent…", "Open the task with an agent at hand.", rank=4
    ),
    UserAction(
        "library.batch",
        "b",
        "run_batch",
        "Run a batch…",
        "Have an agent play the marked tasks, those shown, or a split.",
        rank=5,
    ),
    UserAction("library.page", "w", "open_page", "Any page…", "Begin a task at any address."),
    UserAction("library.split", "v", "choose_split", "Split…", "Show one split or subset only, or all."),
    UserAction(
        "library.subset",
        "S",
        "save_subset",
        "Save subset…",
        "Keep the marked tasks, or those shown, as a subset: --task @NAME means them.",
    ),
    UserAction("library.next_pane", "tab", "app.focus_next", "Pane", "The next pane.", rank=6),
    UserAction("library.previous_pane", "shift+tab", "app.focus_previous", "Pane back", "The pane before."),
    UserAction("library.reload", "R,f5", "reload", "Reload", "Read data sets and results again.", rank=8),
    UserAction("library.data", "o", "set_data", "Data…", "Say where the benchmark's data is.", rank=6),
    UserAction("library.runs", "r", "runs", "Runs", "Recorded runs, and the episodes of each.", rank=7),
    UserAction("library.problems", "p", "problems", "Problems", "What is wrong with the data."),
    UserAction("library.clear", "escape", "clear", "Show all", "Clear the filter; leaves nothing."),
    UserAction("library.back", "q", "back", "Quit", "Clear the filter, then quit; may ask first.", 9),
)

STEPPER = (
    UserAction("stepper.act", "b", "focus_action", "Write", "Go to the action bar.", rank=2),
    UserAction("stepper.next_pane", "tab", "turn_pane(1)", "Pane", "The next pane.", rank=6),
    UserAction("stepper.previous_pane", "shift+tab", "turn_pane(-1)", "Pane back", "The pane before."),
    UserAction("stepper.panel_score", "1", "panel('score')", "Score", "Show how the score comes about."),
    UserAction("stepper.panel_steps", "2", "panel('steps')", "Steps", "Show the steps taken."),
    UserAction("stepper.panel_messages", "3", "panel('messages')", "Messages", "Show console and network."),
    UserAction("stepper.panel_notes", "4", "panel('notes')", "Notes", "Write a note into the record."),
    UserAction("stepper.panel_conversation", "5", "panel('conversation')", "Conversation", "Who said what."),
    UserAction("stepper.panel_memory", "6", "panel('memory')", "Memory", "What is handed on between steps."),
    UserAction("stepper.panel_html", "7", "panel('html')", "HTML", "The HTML of the node, or of the page."),
    UserAction("stepper.next_panel", "right_square_bracket", "turn_panel(1)", "Next panel", "Next panel."),
    UserAction(
        "stepper.previous_panel", "left_square_bracket", "turn_panel(-1)", "Panel before", "Panel before."
    ),
    UserAction("stepper.marks", "M", "marks", "Marks", "Ids over the picture, on or off.", rank=8),
    UserAction("stepper.text", "T", "text", "Page text", "Page text over the picture, on or off."),
    UserAction("stepper.crop", "z", "crop", "Crop", "Crop the picture to the focused node, and back."),
    UserAction("stepper.wide", "Z", "maximise", "Maximise", "Give the pane all the room, and back."),
    UserAction("stepper.picture", "f2", "picture", "Picture", "Give the picture all the room, and back."),
    UserAction("stepper.observe", "f5", "observe", "Observe", "Read the page again without acting."),
    UserAction(
        "stepper.observe-whole",
        "shift+f5",
        "observe_whole",
        "Observe all",
        "Read the page again, all of it however large.",
    ),
    UserAction("stepper.score_fully", "f6", "score_fully", "Score now", "Check what waits for the end."),
    UserAction("stepper.editor", "e", "editor", "Editor", "The observation as text in $EDITOR."),
    UserAction("stepper.outside", "o", "outside", "Open outside", "Open the page in another browser."),
    UserAction(
        "stepper.step_outside", "ctrl+o", "step_outside", "Open step…", "Open this step in a browser."
    ),
    UserAction("stepper.agent", "A", "choose_agent", "Agent…", "Choose an agent, or none.", rank=7),
    UserAction("stepper.propose", "O", "propose", "Propose", "Have the agent propose one action.", rank=3),
    UserAction("stepper.run", "P", "run_or_pause", "Run/pause", "Let the agent run, or pause it.", rank=4),
    UserAction("stepper.single_step", "L", "single_step", "One step", "Let the agent take one step.", rank=5),
    UserAction(
        "stepper.approval",
        "V",
        "choose_approval",
        "Asking…",
        "Choose before which of the agent's actions you are asked.",
        rank=7,
    ),
    UserAction("stepper.dialect", "D", "next_dialect", "Dialect", "Switch the action language."),
    UserAction(
        "stepper.submit", "ctrl+s,f9", "submit", "Submit", "Submit the form, or stop with an answer.", rank=5
    ),
    UserAction("stepper.accept_dialog", "Y", "accept_dialog", "Accept", "Accept the open dialog.", rank=1),
    UserAction("stepper.dismiss_dialog", "X", "dismiss_dialog", "Dismiss", "Dismiss the dialog.", rank=1),
    UserAction("stepper.task", "I", "task", "Task", "The whole intent and the task's inputs."),
    UserAction(
        "stepper.record",
        "K",
        "record_task",
        "Record task…",
        "Make a WebArena or WebCanvas task of the steps so far.",
        rank=8,
    ),
    UserAction(
        "stepper.undo", "u", "undo", "Undo", "Take the last step back: reset, repeat those before.", 8
    ),
    UserAction("stepper.restart", "ctrl+r", "restart", "Start again", "Reset the task, start again.", rank=1),
    UserAction(
        "stepper.back", "q,escape", "back", "Library", "Back to the library; asks what becomes of it.", rank=9
    ),
)

PROPOSAL = (
    UserAction("proposal.accept", "enter", "accept", "Accept", "Carry out the agent's proposal.", rank=1),
    UserAction("proposal.edit", "e", "edit", "Edit", "Edit the proposal before sending it.", rank=2),
    UserAction("proposal.reject", "x", "reject", "Reject", "Reject the proposal, with a reason.", rank=3),
    UserAction("proposal.next", "down,j", "move(1)", "Other", "The next candidate.", rank=4),
    UserAction("proposal.previous", "up,k", "move(-1)", "Candidate before", "The candidate before."),
)

RESULT = (
    UserAction(
        "result.next", "n", "choose('next')", "Next", "The next instance of the task, else the next task."
    ),
    UserAction(
        "result.next_task", "N", "choose('next_task')", "Next task", "The next marked task, or of the list."
    ),
    UserAction("result.again", "a,ctrl+r", "choose('again')", "Again", "Reset the task, start again."),
    UserAction("result.trajectory", "t", "choose('trajectory')", "Trajectory", "Look at it step by step."),
    UserAction("result.compare", "c", "choose('compare')", "Compare", "Compare it with the best attempt."),
    UserAction("result.label", "l", "choose('label')", "Label", "Say what went wrong."),
    UserAction("result.record", "K", "choose('record')", "Record task", "Make a task of what was shown."),
    UserAction("result.back", "q", "choose('back')", "Library", "Back to where you came from."),
    UserAction("result.close", "escape", "dismiss('')", "The page", "Stay with the page as it ended.", 1),
)

RECORDER = (
    UserAction("recorder.mark", "space", "mark", "Key node", "Make the step a key node, or not.", rank=1),
    *(
        UserAction(
            f"recorder.choose_{number}",
            str(number),
            f"choose({number})",
            "Choose" if number == 1 else f"Choice {number}",
            f"Make the step a key node by choice {number}.",
            rank=2 if number == 1 else 0,
        )
        for number in range(1, 10)
    ),
    UserAction("recorder.edit", "e", "edit", "Reference…", "Write another reference.", rank=3),
    UserAction(
        "recorder.write", "w", "write", "Write…", "Try it on near misses, and write the task.", rank=4
    ),
    UserAction("recorder.next_pane", "tab", "app.focus_next", "Pane", "The other list.", rank=5),
    UserAction("recorder.back", "q,escape", "back", "Back", "Back to the episode.", rank=9),
)

FIND = (
    UserAction("find.text", "slash", "text", "Find…", "Find another text.", rank=2),
    UserAction("find.kinds", "i", "kinds", "In…", "Look only in some kinds of texts.", rank=5),
    UserAction("find.filter", "f", "filter", "Filter…", "Look only in some episodes.", rank=3),
    UserAction(
        "find.next", "right_square_bracket", "next_episode(1)", "Next episode", "The next one's hits.", 4
    ),
    UserAction("find.before", "left_square_bracket", "next_episode(-1)", "Episode before", "Its hits."),
    UserAction("find.reload", "R,f5", "reload", "Look again", "Look again, in what is new too."),
    UserAction("find.back", "q,escape", "back", "Back", "Back to where you came from.", rank=9),
)

RUNS = (
    UserAction("runs.stop", "X", "stop_run", "Stop…", "End the run in order, as Ctrl+C does.", rank=2),
    UserAction(
        "runs.resume",
        "P",
        "resume_run",
        "Go on…",
        "Play what is left of the run, in its own process.",
        rank=2,
    ),
    UserAction("runs.output", "o", "show_output", "Output", "What the run's runner printed.", rank=3),
    UserAction("runs.compare", "c", "compare", "Compare", "Compare the marked attempts at a task.", rank=3),
    UserAction("runs.label", "l", "label", "Label", "Say what went wrong in an episode.", rank=4),
    UserAction("runs.analyse", "s", "analyse", "Analyse", "Tables and plots of the marked runs.", rank=5),
    UserAction("runs.find", "f", "find", "Find…", "Find episodes in all runs by a filter.", rank=6),
    UserAction(
        "runs.texts", "F", "find_text", "Find text…", "Find a text in all episodes, pages too.", rank=6
    ),
    UserAction("runs.tag", "t", "tag", "Tag…", "Tags of the marked runs; `/` then `tag:x` filters.", rank=7),
    UserAction("runs.rename", "e", "rename", "Rename…", "Call the run something else.", rank=7),
    UserAction("runs.discard", "D", "discard", "Delete", "Put the marked runs into the bin.", rank=7),
    UserAction("runs.note", "w", "note", "Note…", "Write down what is to be known of the run."),
    UserAction("runs.pool", "m", "pool", "Pool…", "Count the marked runs as one actor, or see the pools."),
    UserAction("runs.archive", "a", "archive", "Archive", "Leave the marked runs out, or list them again."),
    UserAction("runs.archived", "A", "show_archived", "Archived", "What is archived, and all else again."),
    UserAction("runs.bin", "B", "bin", "Bin…", "Take a deleted run back out of the bin."),
    UserAction("runs.undo", "U", "undo", "Undo", "Take the last name, tag, note or deletion back."),
    UserAction("runs.next_pane", "tab", "app.focus_next", "Pane", "The other list.", rank=7),
    UserAction("runs.previous_pane", "shift+tab", "app.focus_previous", "Pane back", "The list before."),
    UserAction("runs.reload", "R,f5", "reload", "Reload", "Read the store again."),
    UserAction("runs.back", "q,escape", "back", "Back", "To the runs, then to the library.", rank=9),
)

ANALYSIS = (
    UserAction(
        "analysis.next_figure", "right_square_bracket,n", "turn(1)", "Next figure", "The next figure.", rank=2
    ),
    UserAction(
        "analysis.previous_figure", "left_square_bracket,N", "turn(-1)", "Figure before", "The figure before."
    ),
    UserAction("analysis.clusters", "c", "clusters", "Clusters", "Failures that are alike.", rank=5),
    UserAction("analysis.methods", "m", "methods", "Methods", "How the figures came about.", rank=3),
    UserAction("analysis.report", "w", "report", "Write…", "Write the analysis as one HTML page.", rank=4),
    UserAction(
        "analysis.appendix",
        "W",
        "appendix",
        "Appendix…",
        "Write methods, tables and figures for a paper into one folder.",
    ),
    UserAction("analysis.next_pane", "tab", "app.focus_next", "Pane", "List of figures, or figure.", rank=5),
    UserAction("analysis.previous_pane", "shift+tab", "app.focus_previous", "Pane back", "The other pane."),
    UserAction("analysis.reload", "R,f5", "reload", "Reload", "Read the runs again."),
    UserAction("analysis.back", "q,escape", "back", "Back", "To the list of figures, then back.", rank=9),
)

BEHIND = (
    UserAction("behind.compare", "c", "compare", "Compare", "Compare the marked attempts at a task.", rank=3),
    UserAction("behind.back", "q,escape", "back", "Back", "Back to the figure.", rank=9),
)

CLUSTERS = (
    UserAction("clusters.code", "A", "code", "Make a code", "Make the cluster a code to confirm.", rank=2),
    UserAction("clusters.back", "q,escape", "back", "Back", "Back to the figures.", rank=9),
)

ATTEMPTS = (
    UserAction("attempts.all", "a", "take_all", "All", "All of them, as many as stand side by side.", rank=3),
    UserAction("attempts.back", "q,escape", "back", "Back", "Compare with none of them.", rank=9),
)

HELP = (
    UserAction("help.close", "escape,q,question_mark,f1", "dismiss(None)", "Close", rank=1),
    UserAction("help.search", "slash", "search", "Search", "Show only what has these words.", rank=1),
    UserAction("help.down", "j", "scroll(1)", "Down", rank=2),
    UserAction("help.up", "k", "scroll(-1)", "Up", rank=3),
)

READING = (UserAction("reading.close", "escape,q", "dismiss(None)", "Close", rank=1),)

PROMPT = (UserAction("prompt.cancel", "escape", "leave", "Cancel", rank=1),)

JUDGE = (
    *(
        UserAction(
            f"judge.verdict_{number}",
            str(number),
            f"choose({number})",
            f"Verdict {number}",
            f"Choose verdict {number}, then say why.",
            rank=1 if number == 1 else 0,
        )
        for number in range(1, 6)
    ),
    UserAction("judge.down", "j", "move(1)", "Down"),
    UserAction("judge.up", "k", "move(-1)", "Up"),
    UserAction("judge.open", "escape,q", "leave", "Leave open", "Give no verdict.", rank=2),
)

PICK = (
    UserAction("pick.down", "down", "move(1)", "Down", "The next one."),
    UserAction("pick.up", "up", "move(-1)", "Up", "The one before."),
    UserAction("pick.cancel", "escape", "leave", "Cancel", rank=1),
)

CHOICE = (
    *(
        UserAction(
            f"choice.pick_{number}",
            str(number),
            f"pick({number})",
            f"Choose {number}",
            f"Choose answer {number}.",
        )
        for number in range(1, 10)
    ),
    UserAction("choice.cancel", "escape,q", "dismiss(None)", "Cancel", rank=1),
    UserAction("choice.down", "j", "move(1)", "Down"),
    UserAction("choice.up", "k", "move(-1)", "Up"),
)
