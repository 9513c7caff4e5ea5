"""Labels that come with an imported episode."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.core.labels.entries import Done, Entry, Label
from webbench.core.trajectory import EpisodeHeader, now


def imported_entries(labels: Sequence[Label], header: EpisodeHeader, format: str) -> list[Entry]:
    """The labels as the store keeps them, and that whoever gave them is done with the episode."""
    at = now()
    named = [
        msgspec.structs.replace(
            label, run=header.run, episode=header.episode, source=label.source or format, at=label.at or at
        )
        for label in labels
    ]
    through = dict.fromkeys((label.taxonomy, label.annotator) for label in named)
    ends = [
        Done(run=header.run, episode=header.episode, taxonomy=taxonomy, annotator=annotator, at=at)
        for taxonomy, annotator in through
    ]
    return [*named, *ends]
