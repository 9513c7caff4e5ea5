"""Names made from foreign text are harmless and readable."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from webbench.core.store.records import names


@settings(deadline=None)
@given(st.text(max_size=300), st.integers(-5, 10**6))
def test_any_task_gives_a_valid_folder_name(task: str, order: int) -> None:
    name = next(names.episode_names(order, task))
    assert names.is_name(name)
    assert len(name.encode()) < 120


@settings(deadline=None)
@given(st.text(max_size=100), st.text(max_size=100))
def test_any_benchmark_and_agent_give_a_valid_folder_name(benchmark: str, agent: str) -> None:
    assert names.is_name(next(names.run_names(benchmark, agent)))


@settings(deadline=None)
@given(st.text(max_size=400))
def test_any_download_is_kept_under_one_plain_component(name: str) -> None:
    safe = names.file_name(name)
    assert Path(safe).name == safe
    assert safe not in ("", ".", "..")
    assert len(safe.encode()) <= 120
    assert not any(ord(character) < 32 for character in safe)


def test_words_stay_readable() -> None:
    assert names.slug("Goal Feasibility #3 (Überblick)") == "goal-feasibility-3-uberblick"
    assert names.file_name("../../Rechnung März.tar.gz") == "Rechnung März.tar.gz"
