"""The shared trajectories, folder by folder: what is read of them, and what is lost."""

from pathlib import Path

import pytest

from webbench.core import registry
from webbench.core.formats.importing import bring_in

COUNTS = {
    "nnetnav": (5, 68, 0, 0),
    "online-mind2web": (300, 3321, 0, 150),
    "webarena-successful": (3, 4, 0, 0),
    "webvoyager-gpt4v": (9, 60, 14, 0),
    "who-and-when": (42, 1312, 0, 42),
}
"""Folder -> episodes, steps, screenshots, scores."""


@pytest.mark.parametrize("folder", COUNTS)
def test_every_file_of_a_folder_is_read_or_belongs_to_one(shared: Path, folder: str) -> None:
    told = list(bring_in(shared / "data" / "trajectories" / folder, registry.formats(), None))

    assert [one.path for one in told if one.state == "refused"] == []
    episodes, steps, screenshots, scores = (
        sum(getattr(one, name) for one in told) for name in ("episodes", "steps", "screenshots", "scores")
    )
    assert (episodes, steps, screenshots, scores) == COUNTS[folder]
