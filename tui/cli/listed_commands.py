"""The listed commands: their names, what they do, where each stands. A module is imported when it is called.

Program, forms and palette all follow from this one list.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from typer import Typer

EXIT_CODES = {
    0: "ok",
    1: "findings, or something not scored",
    2: "usage",
    3: "environment down",
    4: "bad data",
    130: "interrupted",
}
"""What a command's exit code says."""

PACKAGE = "webbench.tui.cli"


class Group(NamedTuple):
    """Commands below a name: its help, their modules and helps, and which one the name alone stands for."""

    help: str
    commands: dict[str, tuple[str, str]]
    default: str = ""


COMMANDS = {
    "run": ("runs.run", "Run many episodes of one agent."),
    "sweep": (
        "runs.sweep",
        "Play a benchmark with every agent of a grid, one run each, and compare them option by option.",
    ),
    "status": (
        "runs.status",
        "How a run stands, from another terminal or another machine with the same store.",
    ),
    "stop": (
        "runs.stop",
        "End a run as Ctrl+C does in its terminal: what is going on is not scored, "
        "and `run --resume` goes on.",
    ),
    "import": (
        "exchange.import_episodes",
        "Import recorded episodes of other tools; their format is detected from the files.",
    ),
    "find": (
        "runs.find",
        "Find a text in actions, reasoning, replies, pages, notes and labels of all episodes.",
    ),
    "gold": (
        "records.gold",
        "Keep a person's episode as the gold trajectory of its task, take it back, or list all.",
    ),
    "compare": (
        "records.compare",
        "Align attempts at one task step by step: where they part, meet again, and go in circles.",
    ),
    "stats": (
        "records.stats",
        "Analyse runs: rates with intervals, who solves what, steps, templates, ways through pages, power.",
    ),
    "interventions": (
        "records.interventions",
        "Tell how often and where people stepped in while agents worked, and how much they changed.",
    ),
    "attach": (
        "runs.attach",
        "Look on at an episode of a running batch in the stepper, and take it over there if need be.",
    ),
    "instruct": (
        "runs.instruct",
        "Instruct a navigator who steps a task in another terminal, and hear what they answer.",
    ),
    "push": ("runs.push_pull", "Copy runs to a shared store: what is not there yet."),
    "pull": (
        "runs.push_pull",
        "Copy runs from a shared store: what is not here yet, or had not ended when it was copied.",
    ),
    "show": (
        "records.show",
        "Show one recorded episode step by step, one step of it, or the episodes of a run.",
    ),
    "view": (
        "records.show",
        "Open a recorded episode on the Trajectory screen; without a terminal it is printed as by `show`.",
    ),
    "fork": (
        "stepping.step",
        "Reset the task, repeat a recorded episode up to a step, and go on live from there.",
    ),
    "export": ("exchange.export", "Write recorded episodes in another format, whole or not at all."),
    "round-trip": (
        "exchange.round_trip",
        "Export episodes, import them again, and tell what is equal and what differs, kind by kind.",
    ),
    "edit": (
        "people.edit",
        "Make a cleaned copy of a recorded episode, or validate one as a second person.",
    ),
    "report": (
        "records.report",
        "Write one self-contained HTML page: an episode to scrub through, attempts side by side, or runs.",
    ),
    "figures": (
        "records.figures",
        "Write figures of runs for a paper: SVG, PDF, PNG, each with its numbers as CSV and a table "
        "for LaTeX.",
    ),
    "paper": (
        "records.paper",
        "Fill a table of a benchmark's paper: runs, published results or data beside the printed numbers.",
    ),
    "reindex": (
        "records.reindex",
        "Build the store's index anew from its folders, and tell what can't be read.",
    ),
    "agents": (
        "installation.agents",
        "List agents and presets with where they are from; with a name, its options, prompts, "
        "and their origins.",
    ),
    "demo": (
        "installation.demo",
        "What is bundled, fully offline: sites with state, and tasks of every benchmark on them.",
    ),
    "step": ("stepping.step", "Step one task: in the stepper screen, or with one action per line on stdin."),
    "record": (
        "benchmarks.authoring.record",
        "Make a WebArena or WebCanvas task of a demonstration: pick checks, try them, write the task.",
    ),
    "tasks": ("stepping.tasks", "List benchmarks with their state, or the tasks of one."),
    "observe": ("stepping.observe", "Read a page as an agent perceives it."),
    "score": (
        "records.score",
        "Score again without a browser: a recorded episode, or a file of predictions.",
    ),
    "doctor": (
        "installation.about",
        "Check Python, Chromium, display, terminal, fonts, store and data; say how to mend each.",
    ),
}
"""By name the module and the beginning of the help, in the order in which they are listed.

A module has `<name>_command`, a dash as an underscore.
"""

GROUPS = {
    "runs": Group(
        "List the runs in the store, the episodes that match a filter, or those that are unfinished; name, "
        "tag, archive or delete runs. `runs 'actor:human tag:pilot'` lists episodes.",
        {
            "list": (
                "records.runs",
                "List the runs in the store, the episodes that match a filter, or those that are unfinished.",
            ),
            "rename": (
                "records.keeping_runs",
                "Call a run something else in lists and commands; its folder and record stay as they are.",
            ),
            "tag": (
                "records.keeping_runs",
                "Put a tag on runs, or take it away; `runs --tag TAG` and the filter `tag:TAG` find them.",
            ),
            "note": ("records.keeping_runs", "Write a note on a run; earlier ones are kept in its folder."),
            "archive": (
                "records.keeping_runs",
                "Leave runs out of the list, or list them again; everything else still finds them.",
            ),
            "pool": (
                "records.keeping_runs",
                "Count runs of one agent as one actor, called @NAME in `stats`, `figures` and reports",
            ),
            "rm": (
                "records.keeping_runs",
                "Put runs into the store's bin, from which `runs restore` takes them back; nothing is lost.",
            ),
            "restore": ("records.keeping_runs", "Take runs back out of the bin, as they were."),
            "bin": (
                "records.keeping_runs",
                "List the runs in the bin and the space they take, or delete them for good.",
            ),
        },
        default="list",
    ),
    "baseline": Group(
        "Human baselines: make studies, list them, work on one, report it. "
        "`baseline STUDY --as NAME` opens a session.",
        {
            "study": ("people.baseline", "Collect and report human baselines."),
            "new": (
                "people.new_study",
                "Write a study's file, with comments: who does which tasks, under which conditions.",
            ),
            "list": ("people.study_list", "List the studies of the store, and how far each person is."),
        },
        default="study",
    ),
    "data": Group(
        "Data sets: list, check and get them; statistics, tables.",
        {
            "list": (
                "benchmarks.data_sets",
                "List every data set that is known, bundled ones too: source, licence, "
                "size, where it is installed.",
            ),
            "check": (
                "benchmarks.data_sets",
                "Recognise a benchmark's data by what the files hold, and tell everything "
                "that is wrong, with its line.",
            ),
            "get": (
                "benchmarks.data_sets",
                "Download a data set from its official source; without a network: say what to do instead.",
            ),
            "stats": (
                "benchmarks.statistics",
                "Describe a data set: tasks, fields, turns, lengths, splits, beside what its paper "
                "prints of them.",
            ),
            "tables": (
                "benchmarks.tables",
                "List the tables that others published about a benchmark, or print one.",
            ),
        },
    ),
    "label": Group(
        "Label episodes and steps by a taxonomy of errors, measure agreement, dispute scores. "
        "`label EPISODE --as NAME` opens the labelling screen; with --code it labels at once.",
        {
            "give": (
                "people.label",
                "Label an episode or a step; without --code, --done or --reopen on the screen.",
            ),
            "list": (
                "people.label",
                "Labels that may be shown: one's own, and others' where both are done. "
                "Exit 4 for damaged lines.",
            ),
            "agreement": (
                "people.agreement",
                "Percent, Cohen's kappa and Krippendorff's alpha per code; pairs of raters, near misses.",
            ),
            "code": (
                "people.code",
                "Change a codebook: add, define, rename, merge, split or group codes, or undo a change.",
            ),
            "codebook": (
                "people.code",
                "Print a codebook: definitions, examples, memos, counts, and the agreement on each code.",
            ),
            "queue": (
                "people.queue",
                "Draw episodes and deal them to annotators, or tell how far they are.",
            ),
            "memo": (
                "people.code",
                "Write a memo on a code, a step or an episode; without a text memos are listed.",
            ),
            "export": (
                "people.export_labels",
                "Labels, or disputed scores, as JSON lines, CSV, or one JSON document.",
            ),
            "taxonomies": (
                "people.agreement",
                "The taxonomies there are, or one with definitions. Exit 4 where a file can't be used.",
            ),
            "clusters": (
                "judges.clusters",
                "Failures that are alike in the words of their steps, pages and unmet checks.",
            ),
            "suggest": (
                "people.suggest",
                "What may have gone wrong, and which step decided it: questions of a program, no labels.",
            ),
            "settle": (
                "people.label",
                "Decide between labels: kept as an adjudicated label, the originals stay.",
            ),
            "dispute": (
                "people.dispute",
                "Flag an evaluator's verdict as wrong; both numbers are shown from then "
                "on, none is replaced.",
            ),
            "disputes": ("people.dispute", "The queue of disputed scores, those nobody ruled on first."),
            "rule": ("people.dispute", "Say what becomes of a dispute."),
        },
        default="give",
    ),
    "config": Group(
        "The paths and every effective setting with its origin; set one, or take it back.",
        {
            "show": (
                "installation.configuration",
                "Print the paths and every effective setting with its origin.",
            ),
            "set": (
                "installation.configuration",
                "Set a setting in your own settings file; the value is checked first, comments stay.",
            ),
            "unset": (
                "installation.configuration",
                "Take a setting back out of your own settings file, so that its default holds.",
            ),
        },
        default="show",
    ),
    "judge": Group(
        "Judges as further readers: ask models about many episodes, measured against people.",
        {
            "ask": (
                "judges.ask",
                "Put a question to judges about every episode; each verdict cites steps of it.",
            ),
            "decisive": (
                "judges.deciding_step",
                "Ask a model who made the decisive mistake of each failed episode, and at which step.",
            ),
            "table": (
                "judges.table",
                "Rules, judges and people on each question: precision, recall, kappa, corrected rate.",
            ),
            "queue": (
                "judges.table",
                "Label the episodes on which judges and people, or two judges, differ, one after the other.",
            ),
            "verdicts": ("judges.verdicts", "Verdicts of judges with the steps that they cite."),
            "confirm": (
                "judges.verdicts",
                "Give a judge's verdict on an episode as your own label, or with --reject the other answer.",
            ),
        },
    ),
    "plugins": Group(
        "What is plugged in, from where, and whether it works; ask a package whether it keeps its contracts. "
        "`plugins agents` lists those of one group.",
        {
            "list": (
                "installation.plugins",
                "List what is plugged in, from where, and whether it works or why not.",
            ),
            "check": (
                "installation.check_package",
                "Ask all that a package plugs in whether it keeps its contract, rule by rule.",
            ),
        },
        default="list",
    ),
    "weblinx": Group(
        "WebLINX: write demonstrations, train and measure what ranks elements.",
        {
            "export": (
                "benchmarks.weblinx",
                "Write a recorded episode as a demonstration folder: replay, boxes, pages, screenshots.",
            ),
            "boxes": (
                "benchmarks.weblinx",
                "Draw what was done in a turn and what several predicted into one picture of its page.",
            ),
            "train-ranker": (
                "benchmarks.rank",
                "Train a dual encoder that ranks a page's elements, as in WebLINX' appendix B.4.",
            ),
            "rank": (
                "benchmarks.rank",
                "Measure rankings of a page's elements: recall@10, mean reciprocal rank, "
                "milliseconds a turn, by split.",
            ),
        },
    ),
    "assistantbench": Group(
        "AssistantBench: collect tasks of your own, rate how difficult tasks are.",
        {
            "seed": (
                "benchmarks.collected_tasks",
                "Write down a task that somebody had: question, answer, its pages, how it is solved, "
                "the time it took.",
            ),
            "expand": (
                "benchmarks.collected_tasks",
                "Make a new task of a seed: its question as a template with slots, filled anew, "
                "and answered anew.",
            ),
            "check": (
                "benchmarks.collected_tasks",
                "Answer the checklist of a collected task, and save it as a task of the benchmark "
                "once it passes.",
            ),
            "difficulty": (
                "benchmarks.assistantbench",
                "Rate how difficult tasks are by two runs of closed-book models, as the authors did.",
            ),
        },
    ),
    "turkingbench": Group(
        "TurkingBench: review of single responses, and the same tasks on a Turkle server.",
        {
            "review": (
                "benchmarks.turkingbench",
                "Review single responses: is the answer in a field right, is the evaluator right about it?",
            ),
            "turkle": (
                "benchmarks.turkingbench",
                "Give a task's reference answers on a real Turkle server, too, and compare answers and "
                "scores.",
            ),
        },
    ),
    "miniwob": Group(
        "MiniWoB++: what its oracle solves, and what everybody reached.",
        {
            "oracles": (
                "benchmarks.miniwob",
                "Which environments have an oracle, and why the others have none.",
            ),
            "table": (
                "benchmarks.miniwob",
                "What people, agents and the oracle reached in each environment: one table of the store's "
                "episodes.",
            ),
        },
    ),
    "webarena": Group(
        "Run WebArena's sites in containers, sign in on them, or serve bundled ones.",
        {
            "login": (
                "benchmarks.webarena",
                "Sign in on every configured site, and keep the logins for the tasks that begin signed in.",
            ),
            "serve": (
                "benchmarks.webarena",
                "Serve the bundled sites until Ctrl+C, and print the variables that make "
                "the tasks find them.",
            ),
            "instance": (
                "benchmarks.authoring.instances",
                "Make another instance of a task's template, and check it by its reference list.",
            ),
            "sites": (
                "benchmarks.site_containers",
                "Run WebArena's sites in containers: start them, tell how they are, reset or remove them.",
            ),
        },
    ),
    "webcanvas": Group(
        "Tasks with key nodes on live sites: check whether they still hold, review them.",
        {
            "check": (
                "benchmarks.check_workflows",
                "Go recorded ways again on the live sites, and tell which steps and key "
                "nodes no longer hold.",
            ),
            "review": (
                "benchmarks.key_node_review",
                "Review key nodes: two others than the annotator say of each whether it is right, "
                "a third settles.",
            ),
        },
    ),
    "serve": Group(
        "Let programs of others work with it.",
        {
            "mcp": (
                "installation.serve_mcp",
                "Offer tasks to a client of the Model Context Protocol: list, start, observe, "
                "act, score, finish.",
            )
        },
    ),
}
"""Groups of commands, listed after them. A module has `<group>_<name>_command`."""

LISTED = {
    name: {below: text for below, (_, text) in group.commands.items()} for name, group in GROUPS.items()
}
LISTED[""] = {name: text for name, (_, text) in COMMANDS.items()}
LISTED[""] |= {name: group.help for name, group in GROUPS.items()}
"""The helps of all commands by name: those below each group, and below "" those of the program."""

MOST_USED: tuple[tuple[str, ...], ...] = (
    ("report",),
    ("export",),
    ("import",),
    ("stats",),
    ("baseline", "new"),
    ("baseline", "study"),
    ("label", "agreement"),
    ("label", "queue"),
    ("data", "get"),
    ("doctor",),
    ("config", "set"),
    ("config", "show"),
)
"""What somebody who has no screen for it looks for."""


ON_SCREENS: dict[tuple[str, ...], tuple[str, ...]] = {
    ("attach",): ("as_json", "take_over"),
    ("baseline", "study"): ("!annotator", "plan", "results", "runs", "as_json"),
    ("compare",): ("!screen",),
    ("demo",): ("headless", "as_json"),
    ("find",): ("!screen",),
    ("fork",): ("as_json",),
    ("instruct",): ("as_json",),
    ("judge", "queue"): ("as_json",),
    ("label", "give"): ("code", "done", "reopen", "withdraw"),
    ("step",): ("as_json",),
    ("view",): ("as_json",),
}
"""Commands that open a screen at a terminal unless one of these is given; "!" is before one that must be."""


def every_path() -> Iterator[tuple[str, ...]]:
    """The words of every command, in the order in which they are listed."""
    yield from ((name,) for name in COMMANDS)
    yield from ((group, name) for group, one in GROUPS.items() for name in one.commands)


def summary(path: tuple[str, ...]) -> str:
    """What the list says of a command."""
    *above, name = path
    return LISTED[above[0] if above else ""][name]


def plain_typer(**settings: Any) -> Typer:
    """In plain text, tracebacks as Python writes them."""
    from typer import Typer

    return Typer(rich_markup_mode=None, pretty_exceptions_enable=False, **settings)


def made(group: str, name: str) -> Any:
    """A command of a group or, with "", of the program, as Typer makes it. Raises `KeyError`."""
    from typer.main import get_command

    from webbench.tui.cli.options import for_typer

    module, _ = GROUPS[group].commands[name] if group else COMMANDS[name]
    function = (f"{group}_{name}_command" if group else f"{name}_command").replace("-", "_")
    around = plain_typer(add_completion=False)
    around.command(name=name)(for_typer(getattr(import_module(f"{PACKAGE}.{module}"), function)))
    return get_command(around)
