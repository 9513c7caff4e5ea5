"""The alignment of a few real pairs for tuning; all of them: `python -m tests.performance alignment`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.performance.labelled_pairs.aligned import aligned, looked_at
from tests.performance.labelled_pairs.attempt import FOLDERS, TRAJECTORIES, attempts_in, chosen_pairs
from tests.performance.labelled_pairs.label import settled_labels
from tests.shared import need_shared
from webbench.core.store.store import Store


@pytest.mark.parametrize("source", [pytest.param("agentlab", marks=pytest.mark.thorough), "webarena"])
def test_real_pairs_part_where_they_are_labelled(source: str, tmp_path: Path) -> None:
    pairs = [one for one in chosen_pairs() if (one.source, one.split) == (source, "dev")]
    formats = {side.format for one in pairs for side in (one.a, one.b)}
    for name in formats:
        need_shared(str(TRAJECTORIES / FOLDERS[name]))
    store = Store(tmp_path)
    attempts = dict(attempts_in(store, need_shared(), formats))
    labels = settled_labels()
    assert pairs

    for one in pairs:
        found = aligned(looked_at(store, attempts[one.a], attempts[one.b]))
        assert found.first in labels[one.pair].accepted, one.pair
