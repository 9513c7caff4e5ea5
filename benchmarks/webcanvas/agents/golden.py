"""What the annotators wrote of a task: how many actions it takes, and its key nodes in words."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from webbench.benchmarks.webcanvas.scoring.key_nodes import KeyNode, task_alternatives, task_nodes
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.errors import BadData, WebbenchError
from webbench.core.task import Task
from webbench.core.text.plain_text import plain_text

_LONGEST = 300
_WORDS = {
    "url": "the address",
    "path": "an element that is acted on, by its path,",
    "value": "the value of a field or element",
    "text": "the text that is read or answered",
}
_MANNERS = {"exact": "is", "include": "holds", "semantic": "means"}


class Reference(msgspec.Struct, frozen=True, kw_only=True):
    """`length`: annotated actions, 0 where that isn't known; `key_nodes`: a sentence each, in order."""

    length: float = 0.0
    key_nodes: tuple[str, ...] = ()


def reference_of(request: AgentRequest) -> Reference:
    """Of the request's task, from its benchmark: the task that an agent gets holds no gold."""
    task = _annotated(request)
    if task is None:
        return Reference()
    length = task.gold.get("reference_length")
    try:
        nodes = tuple(_with_others(task))
    except BadData:
        nodes = ()
    return Reference(length=float(length) if isinstance(length, int | float) else 0.0, key_nodes=nodes)


def _annotated(request: AgentRequest) -> Task | None:
    if request.benchmark is None:
        return None
    try:
        known = request.benchmark.tasks(names=(request.task.name,))
    except WebbenchError:
        return None
    return next((task for task in known if task.id == request.task.id), None)


def _with_others(task: Task) -> Iterator[str]:
    """A sentence for each key node, with what does in its place. Raises `BadData`."""
    alternatives = task_alternatives(task)
    for number, node in enumerate(task_nodes(task), start=1):
        others = [one for one in alternatives if number in one.instead_of]
        told = (" and ".join(map(in_words, one.nodes)) for one in others)
        yield "; or, by another way: ".join((in_words(node), *told))


def in_words(node: KeyNode) -> str:
    """What it looks at, and what has to be there."""
    return f"{_what(node)} {_MANNERS.get(node.manner, 'is')} {_plain(node.reference_answer)}"


def _what(node: KeyNode) -> str:
    """What it looks at: of an address it may be one parameter, of values that of one element."""
    if node.target == "url" and node.key:
        return f'the parameter "{_plain(node.key)}" of the address'
    if node.target == "value" and node.path:
        return f"the value of the element {_plain(node.path)}"
    return _WORDS.get(node.target, "something")


def _plain(value: object) -> str:
    return plain_text(str(value), limit=_LONGEST)
