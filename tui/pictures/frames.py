"""Frames of a recorded episode, read and decoded ahead of the one who scrubs through it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webbench.core.analysis.recorded.recorded_episode import Frame, RecordedEpisode
from webbench.tui.pictures.source import decode

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_FRAMES = 24
MOST_BYTES = 192_000_000
"""Of decoded pictures; whole pages of a site can take tens of megabytes each."""
AHEAD = 4


@dataclass(frozen=True, slots=True)
class DecodedFrame:
    """A frame with its picture as pixels; `trouble` tells why there is none, "" where none was recorded."""

    frame: Frame
    image: Image | None = None
    trouble: str = ""

    @property
    def size(self) -> int:
        return 0 if self.image is None else self.image.width * self.image.height * 3


def read_frame(episode: RecordedEpisode, place: int) -> DecodedFrame:
    """Read and decode one frame; takes tens of milliseconds, so call it off the event loop."""
    frame = episode.frame(place)
    if frame.screenshot is None:
        return DecodedFrame(frame, trouble="; ".join(frame.problems))
    try:
        return DecodedFrame(frame, decode(frame.screenshot.data))
    except ValueError as error:
        return DecodedFrame(frame, trouble=str(error))


class Frames:
    """A bounded cache, filled around the frame that is wanted, in the direction of travel first.

    Args:
        arrived: told on the event loop of every frame that was read.
    """

    def __init__(self, episode: RecordedEpisode, arrived: Callable[[DecodedFrame], None]) -> None:
        self._episode = episode
        self._arrived = arrived
        self._kept: OrderedDict[int, DecodedFrame] = OrderedDict()
        self._wanted = 0
        self._direction = 1
        self._changed = asyncio.Event()

    def want(self, place: int) -> DecodedFrame | None:
        """Ask for a frame; it is given at once where it is there, else `arrived` is told of it."""
        if place != self._wanted:
            self._direction = 1 if place > self._wanted else -1
        self._wanted = place
        self._changed.set()
        return self._take(place)

    def _take(self, place: int) -> DecodedFrame | None:
        kept = self._kept.get(place)
        if kept is not None:
            self._kept.move_to_end(place)
        return kept

    async def keep_reading(self) -> None:
        """Read what is wanted, then what will probably be wanted next. Run it as a worker."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            order = self._order()
            for place in order:
                if place not in self._kept:
                    await self._read(place)
                self._make_room(order)
                if self._changed.is_set() or self._bytes > MOST_BYTES // 2:
                    break

    async def _read(self, place: int) -> None:
        decoded = await asyncio.to_thread(read_frame, self._episode, place)
        self._kept[place] = decoded
        self._arrived(decoded)

    @property
    def _bytes(self) -> int:
        return sum(one.size for one in self._kept.values())

    def _order(self) -> list[int]:
        """The wanted frame, those after it in the direction of travel, and the one before."""
        last = len(self._episode.steps) - 1
        offsets = [0, *range(1, AHEAD + 1), -1]
        places = [self._wanted + offset * self._direction for offset in offsets]
        return [place for place in places if 0 <= place <= last]

    def _make_room(self, order: Sequence[int]) -> None:
        """Let go of what was looked at longest ago: first of what nobody will want soon, never of the wanted.

        Frames that aren't in the order may take half of the room; that leaves the rest to those ahead.
        """
        while len(self._kept) > MOST_FRAMES or self._bytes > MOST_BYTES // 2:
            oldest = next((place for place in self._kept if place not in order), None)
            if oldest is None:
                break
            del self._kept[oldest]
        while self._bytes > MOST_BYTES and len(self._kept) > 1:
            del self._kept[next(place for place in self._kept if place != self._wanted)]
