"""The bundled forms stand beside a person's own folder, and the oracle solves them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.datasets.test_checking import turking
from webbench.benchmarks.turkingbench.benchmark import create
from webbench.core.datasets.checking import check_data
from webbench.core.datasets.data_family import data_families
from webbench.core.errors import UsageError
from webbench.core.settings.locations import data_sets_folder

FORMS = ["Receipt totals", "Opening hours", "Tone of a message", "Short headline"]


@pytest.fixture(autouse=True)
def nobody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A person without data of their own."""
    monkeypatch.delenv("WEBBENCH_DATA_TURKINGBENCH", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))


def test_without_a_folder_the_bundled_tasks_are_there() -> None:
    benchmark = create()
    assert benchmark.status().state == "ready"
    assert benchmark.splits() == ("desk-forms",)
    assert [(entry.name, entry.split) for entry in benchmark.catalogue()] == [
        (name, "desk-forms") for name in FORMS
    ]
    assert [task.id for task in benchmark.tasks(names=("Short headline",))] == [
        "Short headline#0",
        "Short headline#1",
    ]
    assert benchmark.problems() == ()
    for split, names in (("", ("One",)), ("desk-forms", ("One",)), ("test_easy", ())):
        with pytest.raises(UsageError):
            benchmark.tasks(split, names)


def test_with_a_folder_both_are_there(tmp_path: Path) -> None:
    benchmark = create(turking(tmp_path / "own"))
    assert [entry.name for entry in benchmark.catalogue()] == ["One", *FORMS]
    assert [task.name for task in benchmark.tasks(names=("One", "Opening hours"), instances=1)] == [
        "One",
        "Opening hours",
    ]
    assert [task.name for task in benchmark.tasks("test_easy")] == ["One"]
    assert {task.split for task in benchmark.tasks("desk-forms")} == {"desk-forms"}
    with pytest.raises(UsageError, match="split desk-forms"):
        benchmark.tasks("desk-forms", ("One",))


def test_a_named_folder_without_tasks_is_no_reason_to_take_the_bundles(tmp_path: Path) -> None:
    assert create(tmp_path).status().state == "needs data"


def test_a_downloaded_data_set_is_found() -> None:
    folder = turking(data_sets_folder() / "turkingbench")
    assert create().data == folder
    assert len(check_data(folder, data_families()).found) == 1


async def test_bundled_forms_are_served() -> None:
    benchmark = create()
    (task,) = benchmark.tasks(names=("Receipt totals",), instances=1)
    async with benchmark.stage(task) as stage:
        assert stage.setup.start_urls[0].startswith("http://127.0.0.1:")
