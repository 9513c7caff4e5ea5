"""`find`: hits by episode and step, bounded, with exit codes."""

from __future__ import annotations

import json
from pathlib import Path

from tests.tui.cli.program import Here
from tests.tui.screens.trajectory.test_trajectory import record
from webbench.core.store.records.recorder import STEPS


def test_hits_are_printed_by_episode_and_step(tmp_path: Path, here: Here) -> None:
    folder = record(tmp_path / "store")
    store = ("--store", str(tmp_path / "store"))
    done = here(tmp_path, "find", '"add to cart"', *store)
    first, *lines = done.out.splitlines()
    assert (done.code, first.split()[0]) == (0, f"{folder.parent.name}/{folder.name}")
    places = [line.split()[:3] for line in lines]
    assert ["step", "1", "action"] in places
    assert ["step", "0-1", "page"] in places
    assert "in 1 episode" in done.err
    bounded = here(tmp_path, "find", '"add to cart" OR cart', "--each", "1", *store)
    assert "more hit" in bounded.out
    told = json.loads(here(tmp_path, "find", "cart", "actor:nobody", "--json", *store).out)
    assert (told["schema_version"], told["found"]["matching"]) == (1, 0)
    assert here(tmp_path, "find", "nowhere", *store).code == 1
    assert here(tmp_path, "find", "***", *store).code == 2
    assert here(tmp_path, "find", "cart", "status:lost", *store).code == 2
    assert here(tmp_path, "find", "cart", "--in", "pages", *store).code == 2
    assert here(tmp_path, "find", "cart", "--most", "3", "--screen", *store).code == 2
    assert here(tmp_path, "find", "cart", "--in", "pages", "--screen", *store).code == 2


def test_page_text_is_made_harmless_and_what_cannot_be_read_is_told(tmp_path: Path, here: Here) -> None:
    folder = record(tmp_path / "store")
    with (folder / STEPS).open("ab") as file:
        file.write(b'{"index":9,"at":"","note":"pagoda \\u001b[2J [/b] \\u202e"}\n{"torn')
    done = here(tmp_path, "find", "pagoda", "--store", str(tmp_path / "store"))
    assert done.code == 4
    assert "\x1b" not in done.out
    assert "␛[2J [/b]" in done.out
    assert "Not all could be read of 1 episode" in done.err
