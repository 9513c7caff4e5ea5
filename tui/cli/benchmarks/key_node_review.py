"""`webcanvas review`: whether key nodes are right, by two others than the annotator, and a third."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
import typer

from webbench.core.errors import UsageError
from webbench.core.runner.plan.declared_options import Option
from webbench.core.score.as_json import plain_numbers
from webbench.core.settings.load_settings import load_settings
from webbench.core.statistics.figures import cell_text
from webbench.core.text.plural import counted
from webbench.tui.cli.options import AsJson, StorePath, asking
from webbench.tui.cli.output import print_json, print_table, print_text, say
from webbench.tui.cli.place import chosen_annotator, data_folder, open_store

if TYPE_CHECKING:
    from webbench.benchmarks.webcanvas.upkeep.key_node_reviews import ReviewedNode
    from webbench.core.task import Task

SCHEMA_VERSION = 1
NOT_DONE = 1


class KeyNodeReviewRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `webcanvas review` asks for; `file` has the tasks."""

    task: Annotated[str, Option(argument=True, help="One task; every task with a review if not given.")] = ""
    node: Annotated[int, Option(least=0, help="Number of the key node to speak of, from 1.")] = 0
    verdict: Annotated[
        Literal["", "needed", "not needed", "wrong evaluator", "missing alternative"],
        Option(help="What it is: needed; or, with a note, not needed, wrong evaluator, missing alternative."),
    ] = ""
    note: Annotated[str, Option(help="Why; which evaluator, or which other way.")] = ""
    settle: Annotated[bool, Option(help="Decide as a third person what two reviewers see differently.")] = (
        False
    )
    annotator: Annotated[
        str, Option(flag="--as", help="Who reviews: a pseudonym; the setting `annotator` if not given.")
    ] = ""
    file: Annotated[
        Path | None, Option(flag="--tasks", help="Task file in Mind2Web-Live's format, with yours in it.")
    ] = None
    store: StorePath = None


@asking(KeyNodeReviewRequest)
def webcanvas_review_command(request: KeyNodeReviewRequest, as_json: AsJson = False) -> None:
    """Review key nodes: two others than the annotator say of each whether it is right, a third settles.

    With --node and --verdict it keeps what you say. Without, it lists the key nodes with what was said of
    each, how far reviewers agree, and what they see differently. Until you have spoken, what the other said
    is not shown. Saying it again replaces it; a key node that was changed since has to be reviewed anew.

    Exit 0 when all that is listed is agreed or settled, 1 while something is open or disputed, 2 for a wrong
    call, 4 for a task file or reviews that can't be read.
    """
    raise typer.Exit(review_key_nodes(request, as_json=as_json))


def review_key_nodes(request: KeyNodeReviewRequest, *, as_json: bool) -> int:
    """Keep a review, or list them: 0, or 1 while something is open or disputed.

    Raises:
        UsageError: an unknown task or key node, a review that this person can't give.
        BadData: the task file or the reviews can't be read.
    """
    from webbench.benchmarks.webcanvas.benchmark import create
    from webbench.benchmarks.webcanvas.upkeep.key_node_reviews import NodeReviews, reviewed_nodes, said_of

    store = open_store(request.store)
    kept = NodeReviews(store.root)
    entries, unreadable = kept.entries()
    for problem in unreadable:
        say(problem)
    benchmark = create(request.file or data_folder("webcanvas", None))
    spoken_of = {entry.task for entry in entries}
    tasks: Sequence[Task] = (
        benchmark.tasks(names=(request.task,))
        if request.task
        else [task for task in benchmark.tasks() if task.id in spoken_of]
    )
    nodes = list(reviewed_nodes(tasks, entries))
    if not request.verdict:
        if request.node or request.note or request.settle:
            raise UsageError("A review needs its verdict", "say what the key node is with --verdict")
        reader = request.annotator or load_settings().annotator
        return _listed(nodes, reader, spoken_of - {task.id for task in tasks}, as_json=as_json)
    annotator = chosen_annotator(request.annotator)
    if not request.task or not 1 <= request.node <= len(nodes):
        known = f"it has {counted(len(nodes), 'key node')}" if request.task else "name its task, too"
        raise UsageError("Which key node is reviewed?", f"number it with --node; {known}")
    said = said_of(nodes[request.node - 1], annotator, request.verdict, request.note, settles=request.settle)
    kept.add([said])
    (node,) = [one for one in reviewed_nodes(tasks, [*entries, said]) if one.node == request.node]
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "kept": said, "state": node.state})
    else:
        print_text(
            f"{node.task}, key node {node.node}: {said.verdict} by {said.reviewer}; it is {node.state}"
        )
    return 0


def _listed(nodes: Sequence[ReviewedNode], reader: str, elsewhere: set[str], *, as_json: bool) -> int:
    """Print all; what is disputed first among the remarks."""
    from webbench.benchmarks.webcanvas.upkeep.key_node_reviews import agreement

    if not nodes and not as_json:
        say("no key node was reviewed yet; name a task: `webbench-tui webcanvas review TASK`")
    # Somebody who has still to speak is told of nobody's agreement either.
    found = agreement([one for one in nodes if one.state != "open"])
    states = Counter(one.state for one in nodes)
    if as_json:
        print_json(
            {
                "schema_version": SCHEMA_VERSION,
                "key_nodes": [_node_as_json(one, reader) for one in nodes],
                "states": states,
                "agreement": plain_numbers(msgspec.to_builtins(found)),
            }
        )
    else:
        _print(nodes, reader)
        for name, estimate in found.items():
            print_text(f"{name.replace('_', ' ')}: {cell_text(estimate)} over {estimate.n} key nodes")
    for task in sorted(elsewhere):
        say(f"reviews of {task} are kept, but no such task is at hand")
    return NOT_DONE if states["open"] + states["disputed"] else 0


def _node_as_json(node: ReviewedNode, reader: str) -> dict[str, object]:
    shown = node.seen_by(reader)
    return {
        "task": node.task,
        "node": node.node,
        "function": node.function,
        "reference": node.reference,
        "state": node.state,
        "verdict": node.verdict,
        "reviews": [msgspec.to_builtins(one) for one in shown],
        "hidden": len(node.reviews) - len(shown),
        "settled": msgspec.to_builtins(node.settled),
        "of_an_earlier_wording": node.earlier,
    }


def _print(nodes: Sequence[ReviewedNode], reader: str) -> None:
    rows = []
    for one in nodes:
        shown = one.seen_by(reader)
        hidden = len(one.reviews) - len(shown)
        said = [f"{review.reviewer}: {review.verdict}" for review in shown]
        said += [f"{hidden} not shown until you have spoken"] if hidden else []
        said += [f"{one.settled.reviewer} settles: {one.settled.verdict}"] if one.settled else []
        said += [f"{one.earlier} of an earlier wording"] if one.earlier else []
        rows.append((one.task, str(one.node), one.function, one.reference, one.state, "; ".join(said)))
    if rows:
        headers = ("task", "node", "function", "reference", "state", "said")
        print_table(headers, rows, numbers=(1,), flexible=(2, 3, 5))
    for one in nodes:
        for review in (*one.seen_by(reader), *([one.settled] if one.settled else [])):
            if review.note:
                print_text(f"{one.task}, key node {one.node}, {review.reviewer}: {review.note}")
