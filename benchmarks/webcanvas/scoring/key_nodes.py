"""Key nodes: the states that every way of solving a task has to pass, as the annotators wrote them down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from webbench.core.errors import BadData
from webbench.core.json_types import Json
from webbench.core.task import Task

Target = Literal["url", "path", "value", "text", ""]

FUNCTIONS: dict[str, tuple[Target, str]] = {
    "url_exactly_match": ("url", "exact"),
    "url_included_match": ("url", "include"),
    "url_semantic_match": ("url", "semantic"),
    "element_path_exactly_match": ("path", "exact"),
    "element_value_exactly_match": ("value", "exact"),
    "element_value_included_match": ("value", "include"),
    "element_value_semantic_match": ("value", "semantic"),
    "cache_data_exact_match": ("text", "exact"),
    "cache_data_included_match": ("text", "include"),
    "cache_data_semantic_match": ("text", "semantic"),
    "final_answer_exact_match": ("text", "exact"),
    "final_answer_included_match": ("text", "include"),
    "final_answer_semantic_match": ("text", "semantic"),
}
"""What each evaluation function looks at, and how. Any other function never matches."""


class KeyNode(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One key node.

    Attributes:
        match_function: its evaluation function, usually one of `FUNCTIONS`.
        reference_answer: what is looked for; the requirement of a semantic match.
        key: of url nodes: the query parameter to compare, empty = the address.
        method: of path nodes: "selector" or "xpath".
        netloc: of path and value nodes: the site's short name (`urls.site_label`).
        path: of value nodes: the element it has to be the value of; absent = any element.
        score: what was reached before.
    """

    match_function: str
    reference_answer: Json
    key: Json | UnsetType = UNSET
    method: Json | UnsetType = UNSET
    netloc: Json | UnsetType = UNSET
    path: Json | UnsetType = UNSET
    score: float = 0

    @property
    def target(self) -> Target:
        return FUNCTIONS.get(self.match_function, ("", ""))[0]

    @property
    def manner(self) -> str:
        """ "exact", "include", "semantic", "" for an unknown function."""
        return FUNCTIONS.get(self.match_function, ("", ""))[1]

    def needed(self, name: Literal["key", "method", "netloc"]) -> Json:
        """Raises `BadData` where the annotation lacks it."""
        value = getattr(self, name)
        if value is UNSET:
            raise BadData(f'the key node {self.match_function} "{self.reference_answer}" has no "{name}"')
        return value


class Alternative(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A legitimate other way past some key nodes (paper, section 1 and appendix K, "Complex Task Pathways").

    The published format has none; ours adds a list "alternatives" beside "evaluation", so that a reader of
    the published form finds its key nodes where they were.

    Attributes:
        instead_of: numbers of the key nodes that it stands for, from 1, in ascending order.
        nodes: what has to be met on it, each by its own evaluation function.
        note: in words, why it is a way of solving the task.
        by: who added it.
        reference_actions: how it is gone, null = nobody wrote it down; see `REFERENCE_ACTIONS`.
    """

    instead_of: tuple[int, ...]
    nodes: tuple[KeyNode, ...]
    note: str = ""
    by: str = ""
    reference_actions: Json = None


MOST_ALTERNATIVES = 12
"""Of one task: which of them are counted is found by trying their combinations."""


def key_node(data: Json) -> KeyNode:
    """A key node in the framework's own form. Raises `BadData`."""
    try:
        return msgspec.convert(data, KeyNode)
    except msgspec.ValidationError as error:
        raise BadData(f"a key node has another shape: {error}") from error


def is_recorded(task: Task) -> bool:
    """Whether the task is to show how a new one is done: it has no key nodes yet."""
    return "start" in task.data and not task.gold.get("key_nodes")


def task_nodes(task: Task) -> tuple[KeyNode, ...]:
    """Raises `BadData` where the task has no key nodes."""
    nodes = task.gold.get("key_nodes")
    if not isinstance(nodes, list) or not nodes:
        raise BadData("the task has no key nodes")
    return tuple(map(key_node, nodes))


def task_alternatives(task: Task) -> tuple[Alternative, ...]:
    """Other ways past the task's key nodes; most tasks have none. Raises `BadData`."""
    listed = task.gold.get("alternatives", [])
    try:
        found = msgspec.convert(listed, tuple[Alternative, ...])
    except msgspec.ValidationError as error:
        raise BadData(f"an alternative has another shape: {error}") from error
    _check_alternatives(found, len(task.gold.get("key_nodes") or ()))
    return found


def looked_for(task: Task) -> tuple[KeyNode, ...]:
    """Every node that is looked for: the key nodes, and those of their alternatives. Raises `BadData`."""
    others = (node for one in task_alternatives(task) for node in one.nodes)
    return (*task_nodes(task), *others)


def annotated_alternatives(annotation: Json, count: int) -> tuple[Alternative, ...]:
    """The alternatives of one annotated task with so many key nodes. Raises `BadData` naming the one."""
    listed = annotation.get("alternatives", []) if isinstance(annotation, dict) else None
    if not isinstance(listed, list):
        raise BadData('"alternatives" is no list')
    found = tuple(_annotated_alternative(number, one) for number, one in enumerate(listed, start=1))
    _check_alternatives(found, count)
    return found


def _annotated_alternative(number: int, written: Json) -> Alternative:
    if not isinstance(written, dict):
        raise BadData(f"alternative {number} is no object")
    try:
        nodes = annotated_key_nodes(written)
        told = {name: written[name] for name in ("note", "by", "reference_actions") if name in written}
        read = {"instead_of": written.get("instead_of"), "nodes": msgspec.to_builtins(nodes), **told}
        return msgspec.convert(read, Alternative)
    except BadData as error:
        raise BadData(f"alternative {number}: {error}") from error
    except msgspec.ValidationError as error:
        raise BadData(f"alternative {number} has another shape: {error}") from error


def _check_alternatives(found: Sequence[Alternative], count: int) -> None:
    if len(found) > MOST_ALTERNATIVES:
        raise BadData(f"the task has {len(found)} alternatives, and {MOST_ALTERNATIVES} are the most")
    for number, one in enumerate(found, start=1):
        ascending = list(one.instead_of) == sorted(set(one.instead_of))
        if not one.instead_of or not ascending or one.instead_of[0] < 1 or one.instead_of[-1] > count:
            raise BadData(
                f'alternative {number}: "instead_of" has to name key nodes from 1 to {count}, in order'
            )
        if not one.nodes:
            raise BadData(f"alternative {number} has no nodes")


def annotated_key_nodes(annotation: Json) -> tuple[KeyNode, ...]:
    """The key nodes of one annotated task, each with score 0. Raises `BadData` naming the node."""
    nodes = annotation.get("evaluation") if isinstance(annotation, dict) else None
    if not isinstance(nodes, list):
        raise BadData('the task has no list "evaluation"')
    return tuple(_annotated(number, node) for number, node in enumerate(nodes, start=1))


_KEPT: dict[Target, Sequence[str]] = {
    "url": ("key",),
    "path": ("netloc",),
    "value": ("netloc", "path"),
    "text": (),
    "": ("key", "netloc", "path"),
}


def _annotated(number: int, node: Json) -> KeyNode:
    if not isinstance(node, dict) or not isinstance(node.get("content"), dict):
        raise BadData(f'key node {number} has no object "content"')
    name, content = node.get("match_function_name"), node["content"]
    if not isinstance(name, str) or "reference_answer" not in content:
        raise BadData(f'key node {number} lacks "match_function_name" or "reference_answer"')
    target = FUNCTIONS.get(name, ("", ""))[0]
    kept = {field: content[field] for field in _KEPT[target] if field in content}
    if target == "path" and "method" in node:
        kept["method"] = node["method"]
    return KeyNode(match_function=name, reference_answer=content["reference_answer"], **kept)
