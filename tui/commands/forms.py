"""What can be done where a command of the program is filled in and run."""

from __future__ import annotations

from webbench.tui.commands.user_action import UserAction

Path = tuple[str, ...]
"""The words of a command."""

COMMANDS_OF: dict[str, tuple[Path, ...]] = {
    "library": (
        ("import",),
        ("data", "get"),
        ("baseline", "new"),
        ("baseline", "study"),
        ("export",),
        ("report",),
        ("data", "check"),
        ("doctor",),
        ("config", "set"),
        ("config", "show"),
    ),
    "runs": (
        ("report",),
        ("export",),
        ("import",),
        ("stats",),
        ("label", "queue"),
        ("label", "clusters"),
        ("figures",),
        ("judge", "ask"),
        ("interventions",),
        ("push",),
        ("pull",),
    ),
    "find": (("export",), ("report",), ("label", "give"), ("find",)),
    "analysis": (("report",), ("figures",), ("label", "agreement"), ("export",), ("stats",)),
    "labelling": (
        ("label", "agreement"),
        ("label", "queue"),
        ("label", "codebook"),
        ("label", "export"),
        ("judge", "table"),
        ("judge", "queue"),
        ("judge", "ask"),
        ("label", "clusters"),
        ("label", "taxonomies"),
    ),
    "adjudication": (("label", "agreement"), ("label", "export"), ("label", "settle")),
    "disputes": (("label", "export"), ("label", "dispute"), ("label", "rule")),
    "codebook": (("label", "codebook"), ("label", "agreement"), ("label", "export"), ("label", "memo")),
    "compare": (("report",), ("export",), ("compare",)),
    "trajectory": (
        ("report",),
        ("export",),
        ("round-trip",),
        ("score",),
        ("label", "suggest"),
        ("judge", "verdicts"),
        ("record",),
        ("weblinx", "export"),
    ),
    "studies": (
        ("baseline", "new"),
        ("baseline", "study"),
        ("label", "queue"),
        ("label", "agreement"),
        ("label", "export"),
        ("baseline", "list"),
    ),
    "stepper": (("observe",), ("agents",), ("tasks",), ("webarena", "login"), ("record",)),
}
"""The commands that go with what a screen is for, by its scope: first in its palette and in the list."""

FORM = (
    UserAction("form.run", "ctrl+s,f9", "run", "Run", "Run the command as it stands here.", rank=1),
    UserAction("form.stop", "f8", "stop", "Stop", "End it as Ctrl+C does; once more: at once.", rank=1),
    UserAction("form.table", "f6", "turn", "Table/text", "What was lost as a table, or as printed.", rank=2),
    UserAction("form.runs", "r", "show_runs", "Runs", "To the runs, at the one that was imported.", rank=1),
    UserAction("form.open", "o", "open_written", "Open", "Open what the command has written.", rank=1),
    UserAction("form.path", "y", "copy_written", "Copy path", "Copy where that is.", rank=1),
    UserAction("form.copy", "ctrl+y,f4", "copy", "Copy command", "Copy the command to run it elsewhere.", 4),
    UserAction(
        "form.terminal",
        "f7",
        "in_terminal",
        "In terminal",
        "Run it in this terminal, the screens put aside: it can ask there, and show screens of its own.",
        rank=5,
    ),
    UserAction("form.choose", "f2", "choose", "Choose…", "Choose what stands here from what there is.", 2),
    UserAction(
        "form.next", "down,tab", "app.focus_next", "Next field", "The next field, then the output.", 6
    ),
    UserAction("form.previous", "up,shift+tab", "app.focus_previous", "Field before", "The field before."),
    UserAction("form.back", "q,escape", "back", "Back", "Back; asks where the command still runs.", rank=9),
)

COMMANDS = (UserAction("commands.back", "q,escape", "back", "Back", "Back to where you came from.", rank=9),)
