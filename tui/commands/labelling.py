"""What can be done where errors are labelled, labels decided on, scores disputed."""

from __future__ import annotations

from webbench.tui.commands.user_action import UserAction


def _digits(scope: str, help: str) -> tuple[UserAction, ...]:
    return tuple(
        UserAction(
            f"{scope}.code_{number}",
            str(number),
            f"code({number})",
            "Code 1 to 9" if number == 1 else f"Code {number}",
            help.format(number),
            rank=1 if number == 1 else 0,
        )
        for number in range(1, 10)
    )


LABELLING = (
    *_digits("labelling", "Label the step, or the episode, by code {}."),
    UserAction("labelling.more", "0", "more_codes", "More codes", "Give the digits to the next nine codes."),
    UserAction("labelling.confirm", "y", "confirm", "Confirm", "Give the judges' verdict as your label.", 2),
    UserAction("labelling.reject", "r", "reject", "Reject", "Give the other of two answers.", 2),
    UserAction("labelling.ask_judge", "m", "ask_judge", "Ask judge…", "Put a question to a model."),
    UserAction("labelling.done", "d", "done", "Done, next", "Be done with the episode, go on.", rank=2),
    UserAction("labelling.note", "w", "note", "Note", "Write down why, beside the label.", rank=4),
    UserAction("labelling.evidence", "e", "evidence", "Evidence", "Name the step that shows it.", rank=6),
    UserAction("labelling.confidence", "c", "confidence", "How sure", "1, a guess, to 5, certain.", rank=7),
    UserAction(
        "labelling.new_code", "A", "new_code", "New code…", "Add a code, given to this place.", rank=3
    ),
    UserAction("labelling.in_vivo", "V", "in_vivo", "In vivo…", "A code in the selected words."),
    UserAction("labelling.memo", "W", "memo", "Memo…", "Write a memo on the step, or the episode."),
    UserAction(
        "labelling.codebook", "C", "codebook", "Codebook", "All codes: define, rename, merge them.", 8
    ),
    UserAction(
        "labelling.next_question", "right_square_bracket,right", "question(1)", "Next question", "", 5
    ),
    UserAction("labelling.previous_question", "left_square_bracket,left", "question(-1)", "Question before"),
    UserAction("labelling.next_mark", "n", "mark(1)", "Next mark", "To the next suggestion or label.", 5),
    UserAction("labelling.previous_mark", "N", "mark(-1)", "Mark before", "To the suggestion before."),
    UserAction(
        "labelling.take_back", "x", "take_back", "Take back", "Take the label back; it stays on disk."
    ),
    UserAction("labelling.next_episode", "L", "episode(1)", "Next episode", "Go on without being done."),
    UserAction("labelling.previous_episode", "H", "episode(-1)", "Episode before"),
    UserAction("labelling.taxonomy", "t", "taxonomy", "Taxonomy…", "Label by another taxonomy."),
    UserAction("labelling.blind", "s", "blind", "Hide score", "Hide the score and what rests on it."),
    UserAction("labelling.adjudicate", "a", "adjudicate", "Adjudicate", "Decide where annotators differ."),
    UserAction("labelling.dispute", "D", "dispute", "Dispute score…", "Flag the score as wrong."),
    UserAction("labelling.disputes", "Q", "disputes", "Disputed scores", "The queue of disputed scores."),
    UserAction("labelling.queue", "u", "queue", "Queue…", "Go on with your part of a queue."),
    UserAction("labelling.view", "v", "view", "View step", "Open the step in the trajectory screen."),
    UserAction("labelling.reopen", "R", "reopen", "Not done", "Label the episode again."),
    UserAction("labelling.next_pane", "tab", "app.focus_next", "Pane", "The next pane."),
    UserAction("labelling.previous_pane", "shift+tab", "app.focus_previous", "Pane back", "The pane before."),
    UserAction("labelling.back", "q,escape", "back", "Back", "Back; every label is on disk.", rank=9),
)

ADJUDICATION = (
    *_digits("adjudication", "Decide for code {}."),
    UserAction("adjudication.more", "0", "more_codes", "More codes", "Give the digits to the next nine."),
    UserAction("adjudication.no_label", "x", "no_label", "No label", "Decide that none is right.", rank=2),
    UserAction("adjudication.view", "v", "view", "View step", "Open the step in its trajectory.", rank=3),
    UserAction("adjudication.note", "w", "note", "Note", "Write down why it was decided so.", rank=4),
    UserAction("adjudication.next_episode", "L", "turn(1)", "Next episode", "The next episode.", rank=4),
    UserAction("adjudication.previous_episode", "H", "turn(-1)", "Episode before", "The episode before."),
    UserAction("adjudication.next_pane", "tab", "app.focus_next", "Pane", "The next pane.", rank=5),
    UserAction("adjudication.back", "q,escape", "back", "Back", "Back; decisions are on disk.", rank=9),
)

DISPUTES = (
    UserAction("disputes.accept", "a", "rule('accepted')", "Accept", "The score is wrong indeed.", rank=1),
    UserAction("disputes.reject", "r", "rule('rejected')", "Reject", "The score is right.", rank=2),
    UserAction("disputes.open", "o", "rule('open')", "Open again", "Take the ruling back.", rank=3),
    UserAction("disputes.back", "q,escape", "back", "Back", "Back to where you came from.", rank=9),
)

CODEBOOK = (
    UserAction(
        "codebook.define", "e", "define", "Define…", "Say what the code means, and when to give it.", 1
    ),
    UserAction("codebook.rename", "r", "rename", "Rename…", "Call it otherwise; its labels follow.", rank=2),
    UserAction(
        "codebook.merge", "m", "merge", "Merge…", "Take it, or the marked ones, into another.", rank=3
    ),
    UserAction("codebook.split", "s", "split", "Split…", "New codes in its place.", rank=4),
    UserAction(
        "codebook.group", "p", "group", "Group…", "Put it, or the marked ones, under a parent.", rank=5
    ),
    UserAction("codebook.undo", "u", "undo", "Undo…", "Take the last change back.", rank=6),
    UserAction("codebook.memo", "W", "memo", "Memo…", "Write a memo on the code.", rank=7),
    UserAction("codebook.mark", "space", "mark", "Mark", "Mark the code, to merge or group several."),
    UserAction("codebook.new_code", "A", "new_code", "New code…", "Add a code without an example."),
    UserAction("codebook.begin", "b", "begin", "Begin from…", "Begin a codebook with these codes."),
    UserAction("codebook.choose", "t", "choose", "Codebook…", "Another codebook or taxonomy."),
    UserAction("codebook.history", "y", "history", "History", "Who changed what, when and why."),
    UserAction(
        "codebook.next_pane", "tab", "app.focus_next", "Pane", "Codes, what is said, examples.", rank=8
    ),
    UserAction("codebook.previous_pane", "shift+tab", "app.focus_previous", "Pane back", "The pane before."),
    UserAction("codebook.back", "q,escape", "back", "Back", "Back; every change is on disk.", rank=9),
)
