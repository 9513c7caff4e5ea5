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
