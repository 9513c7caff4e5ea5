"""Reading for what leaves the house: exports and reports."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from webbench.core.json_types import Json, JsonObject
from webbench.core.observation import Observation
from webbench.core.store.store import Store
from webbench.core.trajectory import IMPORTED, EpisodeHeader, Step, Trajectory

MOST_ORIGINS = 8
"""Files one after the other that an episode came through, of which an export tells."""
_ADDRESS = re.compile(r"(?!file:)[a-z][a-z0-9+.-]+://")


class ConcealingStore(Store):
    """Redacts records as they are read, by what is configured now, and drops where imports lay.

    Records are redacted when they are written; but a pattern may have been thought of later, and a store may
    come from somebody else. Pictures are as they were recorded.
    """

    def load(self, episode: str | Path) -> Trajectory:
        found = super().load(episode)
        return msgspec.structs.replace(
            found,
            header=self._header(found.header),
            steps=tuple(self._step(step) for step in found.steps),
        )

    def header(self, run: str, episode: str) -> EpisodeHeader:
        return self._header(super().header(run, episode))

    def observation(self, trajectory: Trajectory, step: Step) -> Observation:
        return self.redaction.record(super().observation(trajectory, step))

    def html(self, trajectory: Trajectory, step: Step) -> str:
        return self.redaction.text(super().html(trajectory, step))

    def file(self, path: Path) -> bytes:
        """As text, which files of other kinds pass through unharmed where no pattern matches."""
        text = super().file(path).decode("utf-8", "surrogateescape")
        return self.redaction.text(text).encode("utf-8", "surrogateescape")

    def _header(self, header: EpisodeHeader) -> EpisodeHeader:
        header = self.redaction.record(header)
        return msgspec.structs.replace(header, settings=_without_folder(header.settings))

    def _step(self, step: Step) -> Step:
        """Names of blobs stay, whatever a pattern makes of their digits."""
        return msgspec.structs.replace(
            self.redaction.record(step),
            observation=step.observation,
            screenshot=step.screenshot,
            html=step.html,
        )


def _without_folder(settings: JsonObject) -> JsonObject:
    """Of the file that an episode was imported from the name alone."""
    if IMPORTED not in settings:
        return settings
    return {**settings, IMPORTED: origin_without_folders(settings[IMPORTED])}


def origin_without_folders(origin: Json) -> Json:
    """Where an episode was imported from, as others may know it: names of folders may be names of people.

    An address on the network stays whole; so does what stands beside the place. The origin that the imported
    file told of is treated alike, and so on: of more than `MOST_ORIGINS` the last ones stay, and the first.
    """
    told: list[JsonObject] = []
    first = origin
    while isinstance(first, dict):
        told.append({**first, "from": _without_folders(first["from"])} if "from" in first else first)
        first = first.get("origin")
    if not told:
        return origin
    if len(told) > MOST_ORIGINS:
        told = [*told[: MOST_ORIGINS - 1], told[-1]]
    found: JsonObject = told.pop()
    while told:
        found = {**told.pop(), "origin": found}
    return found


def _without_folders(place: Json) -> Json:
    if not isinstance(place, str) or _ADDRESS.match(place):
        return place
    return re.split(r"[/\\]", place.rstrip("/\\"))[-1]
