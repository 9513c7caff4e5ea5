"""`step` by lines with an agent that asks, and what `interventions` tells of it afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.cli.program import Here, call

LINES = """\
:accept
:reject too early
:edit scroll [down]
:approve changes
:confirm 9
:pause
:end enough
"""


@pytest.mark.thorough
def test_decisions_by_lines_are_counted_afterwards(tmp_path: Path, here: Here) -> None:
    words = ("step", "demo", "camp-mugs", "--agent", "oracle", "--approve", "always", "--json")
    done = call(tmp_path, *words, stdin=LINES)
    first, begun, *answers, last = done.json_lines
    assert (first["proposal"], begun["approval"]) == ("", "always")
    assert begun["proposal"], "it goes on by itself up to the first question"
    assert begun["asked"]
    assert [answer["action"] for answer in answers] == LINES.splitlines()
    assert [bool(answer["error"]) for answer in answers] == [False] * 4 + [True] + [False] * 2
    assert last["ended"] == "enough"

    told = here(tmp_path, "interventions", last["run"], "--json").json
    assert told["runs"][0]["figures"]["decisions"] == {
        "accepted": 1,
        "edited": 1,
        "rejected": 1,
        "paused": 1,
    }
    assert [one["decision"] for one in told["interventions"]] == ["rejected", "edited", "paused"]
    assert "PEOPLE BESIDE AGENTS" in here(tmp_path, "interventions", last["run"]).out


@pytest.mark.thorough
def test_a_failure_ends_the_episode_only_where_nobody_goes_on(tmp_path: Path) -> None:
    words = ("step", "demo", "camp-mugs", "--agent", "command false", "--approve", "always", "--json")
    alone = call(tmp_path, *words, stdin="").json_lines
    assert alone[-1]["ended"].startswith("the agent command gave no action: ")
    assert alone[-1]["score"]["status"] == "not_scored"
    helped = call(tmp_path, *words, stdin="scroll [down]\n").json_lines
    assert helped[-1]["ended"] == "the input ended"
    assert helped[-1]["score"]["status"] == "scored"
