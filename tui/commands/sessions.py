"""What can be done with studies, and what their annotators can do: between tasks, on a task, in a break."""

from __future__ import annotations

from webbench.tui.commands.user_action import UserAction

STUDIES = (
    UserAction("studies.results", "r", "results", "Results", "Rates, times, agreement so far.", rank=3),
    UserAction("studies.adjudicate", "a", "adjudicate", "Adjudicate", "Decide where people differ.", rank=4),
    UserAction("studies.plan", "p", "plan", "Plan", "Which tasks were drawn, and who does them.", rank=5),
    UserAction("studies.new", "n", "new", "New…", "Make a study, or a queue of episodes to label.", rank=6),
    UserAction("studies.next_pane", "tab", "app.focus_next", "Pane", "The other list.", rank=7),
    UserAction("studies.reload", "R,f5", "reload", "Reload", "Read the store again."),
    UserAction("studies.back", "q,escape", "back", "Back", "To the studies, then where you came from.", 9),
)

BASELINE = (
    UserAction(
        "baseline.begin",
        "enter",
        "begin",
        "Begin",
        "Begin the next task, or go on with it.",
        rank=1,
        priority=True,
    ),
    UserAction("baseline.pane", "tab", "app.focus_next", "Pane", "The other pane.", rank=5),
    UserAction("baseline.leave", "q,escape", "leave", "Leave", "Leave; you can go on later.", rank=9),
)

SESSION = (
    UserAction(
        "session.pause",
        "f7,W",
        "take_break",
        "Pause",
        "Stop the clock; the page is hidden then.",
        rank=2,
    ),
    UserAction("session.give_up", "f8,Q", "give_up", "Give up", "Give the task up, and say why.", rank=3),
)

BREAK = (
    UserAction("break.go_on", "enter,f7,escape,q", "dismiss(None)", "Go on", "Start the clock.", rank=1),
)
