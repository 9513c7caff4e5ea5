"""Frames are decoded ahead in the direction of travel, and large ones never fill the memory."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest

from tests.tui.waiting import Threads
from webbench.core.analysis.recorded.recorded_episode import Frame, RecordedEpisode
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step, Trajectory
from webbench.tui.pictures import frames
from webbench.tui.pictures.frames import DecodedFrame, Frames


class Sized(DecodedFrame):
    """A frame that says it takes so many bytes."""

    __slots__ = ()
    bytes_each = 0

    @property
    def size(self) -> int:
        return self.bytes_each


STEPS = tuple(Step(index=index, at="") for index in range(20))


@pytest.mark.parametrize(
    ("size", "wanted", "kept"),
    [
        (1, (5, 6), {5, 6, 7, 8, 9, 10}),
        (1, (6, 5), {6, 5, 4, 3, 2, 1}),
        (frames.MOST_BYTES * 2, (5, 6), {6}),
        (frames.MOST_BYTES // 5, (5, 6), {6, 7}),
    ],
)
async def test_what_is_read_ahead(
    size: int, wanted: tuple[int, int], kept: set[int], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    read: list[int] = []

    def read_frame(_episode: RecordedEpisode, place: int) -> DecodedFrame:
        read.append(place)
        return Sized(Frame(place=place, step=STEPS[place]))

    monkeypatch.setattr(frames, "read_frame", read_frame)
    monkeypatch.setattr(Sized, "bytes_each", size)
    arrived: list[int] = []
    task = Task(benchmark="demo", name="t", intent="look")
    header = EpisodeHeader(run="r", episode="e", task=task, actor="human", dialect="browsergym")
    episode = RecordedEpisode(Store(tmp_path), Trajectory(header=header, steps=STEPS))
    cache = Frames(episode, lambda one: arrived.append(one.frame.place))
    worker = asyncio.create_task(cache.keep_reading())
    for place in wanted:
        cache.want(place)
        async with asyncio.timeout(30):
            while place not in arrived or cache._changed.is_set() or Threads.at_work:
                await asyncio.sleep(0.005)
    worker.cancel()
    with suppress(asyncio.CancelledError):
        await worker
    there = {place for place in range(20) if cache.want(place) is not None}
    assert kept <= there
    assert len(there) * size <= frames.MOST_BYTES or len(there) == 1
    assert len(read) <= 14, "nothing is read again and again"
