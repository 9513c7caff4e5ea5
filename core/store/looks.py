"""Looks into a task that nothing came of: their records are no attempts, and are taken out of the store."""

from __future__ import annotations

import shutil

import msgspec

from webbench.core.errors import BadData
from webbench.core.store.records import codec, reader
from webbench.core.store.records.durable_files import sync_folder, write_file, writing
from webbench.core.store.records.recorder import FILES
from webbench.core.store.store import Store


def forget_look(store: Store, run: str, episode: str, *, scored_too: bool = False) -> bool:
    """Remove the ended record of an episode in which nobody did a thing, and a run that it leaves empty.

    One with a score, a step, a note or a file of its own stays, and so does one that can't be read.

    Args:
        scored_too: also where the page was scored as it was found.

    Raises `StoreUnwritable`.
    """
    folder = store.root / run / episode
    try:
        recorded = reader.read_trajectory(folder)
        header = reader.read_run(folder.parent)
    except BadData:
        return False
    score = recorded.header.score
    something = any(step.is_work for step in recorded.steps) or (folder / FILES).exists()
    scored = score is not None and score.value is not None and not scored_too
    if something or scored or recorded.problems or not recorded.header.ended:
        return False
    with writing(store.root, "that nothing was done"):
        shutil.rmtree(folder)
        if {entry.name for entry in folder.parent.iterdir()} == {reader.RUN}:
            shutil.rmtree(folder.parent)
            sync_folder(store.root)
            return True
        ids = list(header.task_ids)
        if recorded.header.task.id in ids:
            ids.reverse()
            ids.remove(recorded.header.task.id)
            ids.reverse()
        left = msgspec.structs.replace(header, planned=max(0, header.planned - 1), task_ids=tuple(ids))
        write_file(store.root, folder.parent / reader.RUN, [codec.encode(left)])
    return True
