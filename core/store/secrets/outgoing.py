"""Reading for what leaves the house: exports and reports."""

from __future__ import annotations

from pathlib import Path, PurePath

import msgspec

from webbench.core.json_types import JsonObject
from webbench.core.observation import Observation
from webbench.core.store.store import Store
from webbench.core.trajectory import EpisodeHeader, Step, Trajectory


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
    source = settings.get("imported")
    if not isinstance(source, dict):
        return settings
    return {**settings, "imported": {**source, "from": PurePath(str(source.get("from", ""))).name}}
