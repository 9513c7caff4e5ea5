"""Reviews of key nodes: two others than the annotator say of each whether it is right, a third settles.

Source: WebCanvas, appendix B.2: each task was annotated by one person, and reviewed by two other members, who
verified the key nodes. Labels and disputes are of episodes, which a published key node has none of, so these
answers are lines of their own in `<store>/webcanvas-key-node-reviews.jsonl`, only ever appended to: a later
answer of the same person on the same key node takes the place of her earlier one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from webbench.benchmarks.webcanvas.scoring.key_nodes import task_nodes
from webbench.core.errors import UsageError
from webbench.core.labels.label import pseudonym
from webbench.core.score.score import digest
from webbench.core.statistics.estimates import Estimate
from webbench.core.store.records.kept_lines import KeptLines
from webbench.core.task import Task
from webbench.core.trajectory import now

FILE = "webcanvas-key-node-reviews.jsonl"
REVIEWERS = 2
SCHEMA_VERSION = 1

Verdict = Literal["needed", "not needed", "wrong evaluator", "missing alternative"]
State = Literal["open", "agreed", "disputed", "settled"]


class NodeReview(msgspec.Struct, frozen=True, kw_only=True):
    """What one person says of one key node.

    Attributes:
        node: its number, from 1.
        sha256: of the key node as it was read; another one is a review of an earlier wording.
        settles: it decides between the reviewers.
    """

    task: str
    node: int
    sha256: str
    verdict: Verdict
    note: str = ""
    reviewer: str
    at: str
    settles: bool = False
    schema_version: int = SCHEMA_VERSION


class ReviewedNode(msgspec.Struct, frozen=True, kw_only=True):
    """One key node with all that holds of what was said.

    Attributes:
        reviews: the latest of each reviewer, in the order of their first ones.
        settled: the third person's word, None where there is none.
        earlier: how many people spoke of another wording of this key node.
    """

    task: str
    node: int
    function: str
    reference: str
    sha256: str
    reviews: tuple[NodeReview, ...] = ()
    settled: NodeReview | None = None
    earlier: int = 0

    @property
    def state(self) -> State:
        """Open until two have spoken; then agreed, disputed, or settled by a third."""
        if self.settled is not None:
            return "settled"
        if len(self.reviews) < REVIEWERS:
            return "open"
        return "agreed" if len({one.verdict for one in self.reviews}) == 1 else "disputed"

    @property
    def verdict(self) -> Verdict | None:
        """What holds, None while it is open or disputed."""
        if self.settled is not None:
            return self.settled.verdict
        return self.reviews[0].verdict if self.state == "agreed" else None

    def seen_by(self, reviewer: str) -> tuple[NodeReview, ...]:
        """The reviews that this person may see: her own alone while it is open and she has not spoken."""
        spoken = any(one.reviewer == reviewer for one in self.reviews)
        if self.state == "open" and not spoken:
            return ()
        return self.reviews


class NodeReviews(KeptLines[NodeReview]):
    """The file of one store."""

    def __init__(self, root: Path) -> None:
        super().__init__(
            root, FILE, NodeReview, SCHEMA_VERSION, what="the reviews of key nodes", line="the review"
        )


def reviewed_nodes(tasks: Iterable[Task], entries: Sequence[NodeReview]) -> Iterator[ReviewedNode]:
    """Every key node of the tasks. Raises `BadData` for a task without key nodes."""
    by_node: dict[tuple[str, int], list[NodeReview]] = {}
    for entry in entries:
        by_node.setdefault((entry.task, entry.node), []).append(entry)
    for task in tasks:
        for number, node in enumerate(task_nodes(task), start=1):
            sha256 = digest(msgspec.to_builtins(node))
            said = by_node.get((task.id, number), [])
            fitting = [one for one in said if one.sha256 == sha256]
            reviews = {one.reviewer: one for one in fitting if not one.settles}
            yield ReviewedNode(
                task=task.id,
                node=number,
                function=node.match_function,
                reference=f"{node.key}={node.reference_answer}" if node.key else str(node.reference_answer),
                sha256=sha256,
                reviews=tuple(reviews.values()),
                settled=_settled(fitting),
                earlier=len({one.reviewer for one in said if one.sha256 != sha256}),
            )


def _settled(said: Sequence[NodeReview]) -> NodeReview | None:
    """The last settling word, unless one of the reviewers has spoken after it."""
    return said[-1] if said and said[-1].settles else None


def said_of(node: ReviewedNode, reviewer: str, verdict: Verdict, note: str, *, settles: bool) -> NodeReview:
    """A new line. Raises `UsageError` for who can't say it, and for what needs a reason and has none."""
    name = pseudonym(reviewer)
    spoken = {one.reviewer for one in node.reviews}
    if verdict != "needed" and not note.strip():
        raise UsageError(f'"{verdict}" needs a reason', "say why with --note")
    if settles and name in spoken:
        raise UsageError(f"{name} is one of the reviewers", "a third person settles what two see differently")
    if settles and node.state not in ("disputed", "settled"):
        raise UsageError(
            f"Key node {node.node} is {node.state}, and there is nothing to settle",
            "two reviewers have to see it differently",
        )
    if not settles and len(spoken) >= REVIEWERS and name not in spoken:
        raise UsageError(
            f"Key node {node.node} was reviewed by {' and '.join(sorted(spoken))} already",
            "where they disagree a third settles it: --settle",
        )
    return NodeReview(
        task=node.task,
        node=node.node,
        sha256=node.sha256,
        verdict=verdict,
        note=note.strip(),
        reviewer=name,
        at=now(),
        settles=settles,
    )


def agreement(nodes: Sequence[ReviewedNode], *, seed: int = 0) -> dict[str, Estimate]:
    """How far reviewers agree over the key nodes that two have spoken of; tasks are drawn as wholes."""
    from webbench.core.statistics.inter_rater import krippendorff_alpha, percent

    labels: dict[str, dict[str, str]] = {}
    clusters: dict[str, str] = {}
    for node in nodes:
        for one in node.reviews:
            item = f"{node.task} {node.node}"
            labels.setdefault(one.reviewer, {})[item] = one.verdict
            clusters[item] = node.task
    if len(labels) < REVIEWERS:
        return {}
    given: Mapping[str, Mapping[str, str]] = labels
    return {
        "agreement": percent(given, seed=seed, clusters=clusters),
        "krippendorff_alpha": krippendorff_alpha(given, seed=seed, clusters=clusters),
    }
