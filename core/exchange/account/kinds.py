"""Kinds of what a source or a record holds, by which an account is given."""

from __future__ import annotations

from typing import Literal, get_args

Kind = Literal[
    "episodes",
    "steps",
    "actions",
    "trees",
    "html",
    "pictures",
    "prompts",
    "replies",
    "reasoning",
    "tokens",
    "cost",
    "times",
    "scores",
    "labels",
    "notes",
    "messages",
    "exchanges",
    "files",
    "values",
]
"""What is counted.

| kind | in a source | in a record |
|---|---|---|
| episodes, steps | attempts, and what was done in them | episodes, steps without step 0 |
| actions | what an actor did | steps with an action that we know |
| trees, html, pictures | pages as nodes, as markup, as a screenshot | observations with nodes, HTML, screenshots |
| prompts, replies, reasoning | texts to, from and inside a model | steps (and calls of models) that have one |
| tokens, cost | figures, by their names | the same in `usage`, and of calls of models |
| times | points in time and spans | `started`, `ended`, `at`, and spans of `seconds` |
| scores | verdicts | scores that have a value, of episodes and of steps |
| labels, notes | codes, and remarks that people or graders gave | labels, steps with a note |
| messages, exchanges | of pages, with the network | the same |
| files | in the folder | of which something was read |
| values | everything else that is a text or a number | those whose very text stands in the record |
"""  # noqa: E501 - a table

KINDS: tuple[Kind, ...] = get_args(Kind)

_COSTS = ("cost", "usd", "price")


def kind_of_figure(name: str) -> Kind:
    """What a figure of a model's use counts, by its name: tokens, money, or something else."""
    lower = name.lower()
    if any(part in lower for part in _COSTS):
        return "cost"
    return "tokens" if "token" in lower else "values"
