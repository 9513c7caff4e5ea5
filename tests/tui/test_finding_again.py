"""What was recorded is found again: by the notice at an episode's end, and after quitting."""

from __future__ import annotations

from pathlib import Path

from webbench.tui.finding_again import command_in_store, farewell, show_command

STORE = Path("/store")


def test_the_usual_store_is_not_named() -> None:
    assert show_command("0000_mugs", STORE, STORE) == "webbench-tui show 0000_mugs"


def test_another_store_is_named_as_a_shell_reads_it() -> None:
    command = show_command("0000_mugs", Path("/my runs"), STORE)
    assert command == "webbench-tui show 0000_mugs --store '/my runs'"


def test_what_goes_on_with_a_run_names_its_store() -> None:
    words = ["run", "--resume", "r1"]
    assert command_in_store(words, Path("/other"), STORE) == "webbench-tui run --resume r1 --store /other"
    assert command_in_store(words, STORE, STORE) == "webbench-tui run --resume r1"


def test_nothing_recorded_is_nothing_said() -> None:
    assert list(farewell([], STORE, STORE)) == []


def test_a_long_sitting_names_the_latest_and_counts_the_rest() -> None:
    lines = list(farewell([f"e{number}" for number in range(9)], STORE, STORE))
    assert lines[1:5] == [f"  webbench-tui show e{number}" for number in range(5, 9)]
    assert lines[5] == "  and 5 before: webbench-tui runs lists them all"
    assert len(lines) == 6
