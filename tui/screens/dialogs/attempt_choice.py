"""Which attempts at a task to put side by side: the marked ones, or chosen from what the store has."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from textual.screen import Screen

from webbench.core.analysis.recorded.other_attempts import other_attempts
from webbench.core.store.index.summaries import EpisodeSummary
from webbench.core.store.records.reader import read_summary
from webbench.core.store.store import Store
from webbench.core.text.plain_text import plain_text
from webbench.tui.destinations import Compare, go_to
from webbench.tui.screens.dialogs.picking_attempts import AttemptPicker

MOST = 8
"""Attempts that are put side by side at once: more columns than that nobody reads."""


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
