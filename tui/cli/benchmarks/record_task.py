"""`webcanvas record`: a task made of a recorded episode, without a screen."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from webbench.core.errors import UsageError
from webbench.core.json_types import JsonObject
from webbench.core.runner.plan.declared_options import Option
from webbench.tui.cli.options import AsJson, EpisodeName, StorePath, asking
from webbench.tui.cli.output import print_json, print_table, print_text
from webbench.tui.cli.place import find_episode, open_store, report_settings

if TYPE_CHECKING:
    from webbench.benchmarks.webcanvas.upkeep.draft import Draft
    from webbench.core.score.score import Score

SCHEMA_VERSION = 1
_NODE = re.compile(r"(?P<step>[0-9]{1,4})(?:\.(?P<choice>[0-9]{1,3}))?(?:=(?P<reference>.+))?", re.DOTALL)


class RecordRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `webcanvas record` asks for."""

    episode: EpisodeName
    nodes: Annotated[
        tuple[str, ...],
        Option(
            flag="--node",
            help="Step that is a key node: 3, or 3.2 for its second choice, or 3.2=TEXT with another "
            "reference; may be repeated.",
        ),
    ] = ()
    index: Annotated[str, Option(help="Name of the new task.")] = ""
    text: Annotated[str, Option(help="What the new task asks for.")] = ""
    out: Annotated[Path | None, Option(help="Task file; a task of the same name in it is replaced.")] = None
    store: StorePath = None


@asking(RecordRequest)
def webcanvas_record_command(request: RecordRequest, as_json: AsJson = False) -> None:
    """Make a task of a recorded episode: mark key nodes, try them on the recording, write them down.

    Without --node the steps are listed with what each could be, the most advisable choice first. With
    --node each is tried on the recording; with --out the task is added to the file as well, unless its own
    recording doesn't solve it.

    `webbench-tui step webcanvas https://SITE/` demonstrates a task that is not there yet.

    Exit 0 ok, 1 when a key node doesn't hold on the recording, 2 for a wrong call or a task that its
    recording doesn't solve, 4 for a file that holds something else.
    """
    raise typer.Exit(run_record(request, as_json=as_json))


def run_record(request: RecordRequest, *, as_json: bool) -> int:
    """List what steps could be, or try and write a task; the exit code, 1 where a node doesn't hold.

    Raises:
        UsageError: no such episode, step or choice; a task that its recording doesn't solve.
        BadData: the record or the file can't be used.
    """
    from webbench.benchmarks.webcanvas.recording import read_recording
    from webbench.benchmarks.webcanvas.upkeep.draft import Draft

    report_settings()
    store = open_store(request.store)
    trajectory = store.load(find_episode(store, request.episode))
    draft = Draft(read_recording(trajectory, store))
    for node in request.nodes:
        _mark(draft, node)
    score = None
    if request.out is not None:
        score = draft.write(request.out, request.index, request.text)
    told = _draft_json(draft, request, score)
    if as_json:
        print_json(told)
    elif request.nodes:
        _print_trials(draft, request, score)
    else:
        _print_choices(draft)
    return 1 if any(trial.verdict in ("missed", "early") for trial in draft.trials().values()) else 0


def _mark(draft: Draft, node: str) -> None:
    read = _NODE.fullmatch(node)
    if read is None:
        raise UsageError(f"--node {node} is no step", "write 3, or 3.2, or 3.2=REFERENCE")
    choice = int(read["choice"]) - 1 if read["choice"] else 0
    draft.mark(int(read["step"]), choice, read["reference"] or "")


def _draft_json(draft: Draft, request: RecordRequest, score: Score | None) -> JsonObject:
    trials = draft.trials()
    return {
        "schema_version": SCHEMA_VERSION,
        "episode": draft.recording.episode,
        "steps": [
            {"step": number, "choices": [msgspec.to_builtins(one) for one in draft.choices(number)]}
            for number in draft.numbers
        ],
        "key_nodes": [
            {
                "step": number,
                "node": draft.marked[number].annotation(),
                "verdict": trial.verdict,
                "why": trial.why,
            }
            for number, trial in trials.items()
        ],
        "written": str(request.out) if score is not None else "",
        "score": None if score is None else score.value,
        "score_status": None if score is None else score.status.value,
    }


def _print_choices(draft: Draft) -> None:
    rows = [
        (
            f"{number}.{place}",
            one.function,
            f"{one.key}={one.reference}" if one.key else one.reference,
            one.why,
        )
        for number in draft.numbers
        for place, one in enumerate(draft.choices(number), start=1)
    ]
    print_table(("node", "function", "reference", "because"), rows, flexible=(2, 3))
    print_text("\n--node takes these numbers; a step without its second number takes the first choice")


def _print_trials(draft: Draft, request: RecordRequest, score: Score | None) -> None:
    rows = [
        (number, draft.marked[number].function, draft.marked[number].reference, trial.verdict, trial.why)
        for number, trial in draft.trials().items()
    ]
    print_table(("step", "function", "reference", "trial", "why"), rows, numbers=(0,), flexible=(2, 4))
    if score is not None:
        print_text(f"\nwritten to {request.out}; its own recording gets {score.headline()}")
