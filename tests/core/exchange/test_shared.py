"""The shared trajectories, folder by folder: what is read of them, and what is lost."""

from pathlib import Path

import pytest

from webbench.core.exchange.import_format import known_formats
from webbench.core.exchange.importing import bring_in

COUNTS = {
    "adp-standardized": (14, 50, 0, 0),
    "agent-reward-bench-annotations": (1302, 0, 0, 1289),
    "agentlab": (17, 58, 11, 15),
    "agenttuning-mind2web": (5, 16, 0, 0),
    "mind2web-step-predictions": (150, 1221, 0, 100),
    "miniwob-human-demos": (110, 505, 0, 110),
    "nnetnav": (5, 68, 0, 0),
    "online-mind2web": (300, 3321, 0, 150),
    "open-operator-evals": (24, 208, 0, 20),
    "seeact-mind2web": (2, 6, 2, 0),
    "turkingbench-claude-logs": (9, 114, 0, 8),
    "webarena-native": (1, 2, 2, 0),
    "webarena-successful": (3, 4, 0, 0),
    "webarena-verified-logs": (2, 6, 0, 2),
    "webcanvas-result": (1, 4, 0, 1),
    "webvoyager-gpt4v": (9, 60, 14, 0),
    "who-and-when": (42, 1312, 0, 42),
    "wonderbread-human-sops": (547, 4571, 0, 0),
}
"""Folder -> episodes, steps, screenshots, scores."""

REFUSED = {
    "2024-08-01_10-20-52_GenericAgent_on_miniwob.ascending-numbers_68_b6312d": "it holds neither steps nor a "
    "summary that can be read"
}


@pytest.mark.parametrize("folder", COUNTS)
def test_every_file_of_a_folder_is_read_or_belongs_to_one(shared: Path, folder: str) -> None:
    told = list(bring_in(shared / "data" / "trajectories" / folder, known_formats(), None))

    refused = {Path(one.path).name: one.why for one in told if one.state == "refused"}
    assert refused == {name: why for name, why in REFUSED.items() if name in refused}
    episodes, steps, screenshots, scores = (
        sum(getattr(one, name) for one in told) for name in ("episodes", "steps", "screenshots", "scores")
    )
    assert (episodes, steps, screenshots, scores) == COUNTS[folder]
