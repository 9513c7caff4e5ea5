"""Answered fields of other tasks, as examples in a prompt.

Which ones is decided by the seed alone: tasks are drawn in one random order (those of the train split, where
a data set has one), the task at hand is passed over, and of each one field of one instance is shown with its
gold answer. With more examples than tasks further fields of the same tasks follow.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec

from webbench.benchmarks.turkingbench.agents.best_labels import best_answer
from webbench.benchmarks.turkingbench.agents.form import FormField, form_fields
from webbench.benchmarks.turkingbench.agents.oracle import answer_actions
from webbench.benchmarks.turkingbench.agents.page_excerpt import PageHtml
from webbench.benchmarks.turkingbench.benchmark import TurkingBench
from webbench.benchmarks.turkingbench.dialect import create as create_dialect
from webbench.benchmarks.turkingbench.scoring.gold import labels_of
from webbench.benchmarks.turkingbench.stage import filled_template
from webbench.benchmarks.turkingbench.tasks import FormTasks
from webbench.core.action.action import ScrollTo
from webbench.core.errors import BadData
from webbench.core.task import Task

LONGEST_HTML = 3000
"""Characters of HTML in one example."""
_INSTANCES = 10
"""Of a task, the first so many are drawn from."""
_ROUNDS = 8


class Demonstration(msgspec.Struct, frozen=True, kw_only=True):
    """A field and how it was answered.

    Attributes:
        html: what its question stands in.
        answer: actions in TurkingBench's language, one a line.
    """

    task: str
    field: str
    type: str
    html: str
    answer: str


def draw_demonstrations(benchmark: TurkingBench, task: Task, count: int, seed: int) -> list[Demonstration]:
    """So many examples for this task, fewer where the other tasks don't have them; none is of this task.

    Tasks that can't be read are passed over.
    """
    forms = benchmark.beside(task)
    names = _drawn_names(forms, seed)
    found: list[Demonstration] = []
    for turn in range(_ROUNDS):
        for name in names:
            if len(found) >= count:
                return found
            if name != task.name:
                found += _demonstration(forms, name, seed, turn)
    return found


def _drawn_names(forms: FormTasks, seed: int) -> list[str]:
    names = sorted(forms.folder.names)
    train = [name for name in names if forms.folder.split_of(name) == "train"]
    drawn = train if len(train) > 1 else names
    random.Random(seed).shuffle(drawn)
    return drawn


@lru_cache(maxsize=256)
def _demonstration(forms: FormTasks, name: str, seed: int, turn: int) -> Sequence[Demonstration]:
    """One example of a task, none where it has no field that can be answered, or no more of them."""
    chance = random.Random(f"{seed}:{name}")
    try:
        tasks = forms.tasks(name, _INSTANCES)
        shown = chance.choice(tasks)
        html = filled_template(shown, forms.folder.root).html
        answered = list(_answered(shown, form_fields(html)))
    except (BadData, OSError):
        return ()
    chance.shuffle(answered)
    if turn >= len(answered):
        return ()
    field, answer = answered[turn]
    around = PageHtml(html).around(field.name, LONGEST_HTML)
    return (Demonstration(task=name, field=field.name, type=field.type, html=around, answer=answer),)


def _answered(task: Task, fields: dict[str, FormField]) -> Iterator[tuple[FormField, str]]:
    """The fields that have a gold answer worth showing, each with the actions that give it."""
    dialect = create_dialect()
    labels = labels_of(task.gold)
    for name, field in fields.items():
        answer = best_answer(field, labels[name]) if name in labels and field.type != "hidden" else None
        if answer is None or not answer.worth:
            continue
        actions = [action for action in answer_actions(field, answer) if not isinstance(action, ScrollTo)]
        if actions:
            yield field, "\n".join(dialect.format(action) for action in actions)
