"""Which attempts at a task to put side by side: the marked ones, or chosen from what the store has."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from textual.screen import Screen

from webbench.core.analysis.recorded.other_attempts import attempts_by_task, other_attempts
from webbench.core.store.index.summaries import EpisodeSummary
from webbench.core.store.pools import members
from webbench.core.store.records.reader import read_summary
from webbench.core.store.store import Store
from webbench.core.text.plain_text import plain_clip, plain_text
from webbench.core.text.plural import counted
from webbench.tui.destinations import Compare, go_to
from webbench.tui.screens.dialogs.picking_attempts import AttemptPicker
from webbench.tui.screens.dialogs.prompt import ChoicePrompt
from webbench.tui.workers import read_or_tell

MOST = 8
"""Attempts that are put side by side at once: more columns than that nobody reads."""


LONGEST_INTENT = 80


async def open_comparison(screen: Screen[None], store: Store, episodes: Sequence[EpisodeSummary]) -> None:
    """Show the episodes side by side; beside a single one, ask which other attempts. Run it as a worker."""
    if not episodes:
        _tell(screen, "There is no episode here to compare.")
        return
    tasks = list(dict.fromkeys(f"{one.benchmark} {one.task}" for one in episodes))
    if len(tasks) > 1:
        _tell(
            screen, f"These are attempts at {len(tasks)} tasks: {tasks[0]}, {tasks[1]} … Mark those at one."
        )
        return
    chosen = list(episodes)
    if len(chosen) == 1:
        chosen += await choose_others(screen, store, chosen)
    if len(chosen) > 1:
        folders = [store.root / one.run / one.episode for one in chosen[:MOST]]
        go_to(screen, Compare(store, folders))


async def attempts_of_pool(screen: Screen[None], store: Store, pool: str) -> list[EpisodeSummary]:
    """Ask at which task the attempts of a pool are to be compared; those, none where there are no two."""
    found = await read_or_tell(screen, lambda: attempts_by_task(store, members(store.root, pool)))
    several = {task: tried for task, tried in (found or {}).items() if len(tried) > 1}
    if not several:
        if found is not None:
            _tell(screen, f"{pool} has no two attempts at a task.")
        return []
    choices = [(task, f"{task}: {_attempts_words(tried)}") for task, tried in several.items()]
    task = await screen.app.push_screen_wait(ChoicePrompt("Attempts at which task?", choices))
    return several[task] if task is not None else []


def _attempts_words(tried: Sequence[EpisodeSummary]) -> str:
    solved = sum(one.value == 1 for one in tried)
    intent = next((one.intent for one in tried if one.intent), "")
    told = (f"{counted(len(tried), 'attempt')}, {solved} solved", plain_clip(intent, LONGEST_INTENT))
    return " · ".join(filter(None, told))


async def compare_with_others(screen: Screen[None], store: Store, folder: Path) -> None:
    """Ask which other attempts at its task to show an episode beside. Run it as a worker."""
    episode = await asyncio.to_thread(read_summary, folder)
    await open_comparison(screen, store, [episode])


async def more_attempts(screen: Screen[None], store: Store, folders: Sequence[Path]) -> list[Path]:
    """Folders of other attempts to put beside those that are shown, asked for. Run it as a worker."""
    shown = [await asyncio.to_thread(read_summary, folder) for folder in folders]
    if len(shown) >= MOST:
        _tell(screen, f"{MOST} attempts are as many as stand side by side.")
        return []
    others = await choose_others(screen, store, shown)
    return [store.root / one.run / one.episode for one in others[: MOST - len(shown)]]


async def choose_others(
    screen: Screen[None], store: Store, episodes: Sequence[EpisodeSummary]
) -> tuple[EpisodeSummary, ...]:
    """Those of the other attempts at the episodes' task that are picked; none where there is none."""
    known = {(one.run, one.episode) for one in episodes}
    found = await asyncio.to_thread(other_attempts, store, episodes[0])
    others = tuple(one for one in found if (one.run, one.episode) not in known)
    if not others:
        _tell(screen, f"The store has no other attempt at {episodes[0].benchmark} {episodes[0].task}.")
        return ()
    if len(others) == 1:
        return others
    return await screen.app.push_screen_wait(AttemptPicker(others, MOST - len(episodes)))


def _tell(screen: Screen[None], text: str) -> None:
    screen.notify(plain_text(text, limit=300), markup=False)
