"""Named subsets in the library: keeping the tasks that are marked or shown as one, and showing one."""

from __future__ import annotations

import asyncio
from collections import Counter

import msgspec
from textual.screen import Screen

from webbench.core.benchmark.subsets import (
    SIGN,
    Subset,
    delete_subset,
    rename_subset,
    save_subset,
    subset_words,
    subsets,
)
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted
from webbench.tui.screens.dialogs.prompt import ChoicePrompt, ask_until_taken
from webbench.tui.screens.library.task_table import TaskTable

CHANGE = "/"
"""In place of a split, none of which is called so."""


async def keep_as_subset(screen: Screen[None], table: TaskTable, benchmark: str) -> None:
    """Ask for a name for the marked tasks, or else for those that are shown."""
    entries = table.marked or table.records
    if not entries:
        screen.notify("There is no task here to keep.", markup=False)
        return
    which = "marked" if table.marked else "shown"
    question = f"Under which name are the {counted(len(entries), f'{which} task')} of {benchmark} kept?"
    kept = Subset(
        name="",
        benchmark=benchmark,
        tasks=tuple(entry.name for entry in entries),
        wanted="" if table.marked else table.typed_filter,
        split="" if table.marked else table.split,
    )

    def keep(name: str) -> None:
        if name:
            save_subset(msgspec.structs.replace(kept, name=name.removeprefix(SIGN)))

    name = await ask_until_taken(screen, question, keep)
    if name:
        told = f"Kept: --task {SIGN}{name.removeprefix(SIGN)} means {subset_words(kept)} of {benchmark}."
        screen.notify(plain_text(told, limit=200), markup=False)


async def _change(screen: Screen[None], table: TaskTable, benchmark: str, own: list[Subset]) -> None:
    """Ask which subset is to be called something else, or forgotten."""
    names = [(one.name, f"{SIGN}{one.name}: {subset_words(one)}") for one in own]
    name = await screen.app.push_screen_wait(ChoicePrompt("Which subset?", names, at=table.subset[1:]))
    if name is None:
        return
    question = f"What is {SIGN}{name} to be called? Empty: it is deleted, its tasks stay."
    changed: list[Subset] = []

    def change(given: str) -> None:
        to = given.removeprefix(SIGN)
        if to != name:
            changed.append(rename_subset(benchmark, name, to) if to else delete_subset(benchmark, name))

    given = await ask_until_taken(screen, question, change, value=name)
    if given is None or not changed:
        return
    new, done = given.removeprefix(SIGN), changed[0]
    told = f"{SIGN}{name} is called {SIGN}{new} now." if new else f"{SIGN}{name} was {subset_words(done)}."
    screen.notify(plain_text(told if new else f"Deleted: {told}", limit=200), markup=False)
    if table.subset == f"{SIGN}{name}":
        table.show_subset(f"{SIGN}{new}", done.tasks) if new else table.show_split("")


async def choose_part(screen: Screen[None], table: TaskTable, benchmark: str) -> None:
    """Ask which split or subset is to be shown."""
    entries = table.all_records
    counts = Counter(split for entry in entries for split in entry.splits)
    own = await asyncio.to_thread(subsets, benchmark)
    if len(counts) < 2 and not own:
        screen.notify("There is one split only, and no subset.", markup=False)
        return
    choices = [("", f"all {len(entries):,}")]
    choices += [(split, f"{split}: {counted(count, 'task')}") for split, count in counts.items() if split]
    choices += [(f"{SIGN}{one.name}", f"{SIGN}{one.name}: {subset_words(one)}") for one in own]
    choices += [(CHANGE, "rename or delete a subset…")] if own else []
    at = table.subset or table.split
    chosen = await screen.app.push_screen_wait(ChoicePrompt("Which split or subset?", choices, at=at))
    if chosen is None:
        return
    if chosen == CHANGE:
        await _change(screen, table, benchmark, own)
        return
    by_name = {f"{SIGN}{one.name}": one for one in own}
    if chosen in by_name:
        table.show_subset(chosen, by_name[chosen].tasks)
    else:
        table.show_split(chosen)
