"""verifiers' results: what was counted is there, and what goes out is what came in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.core.exchange.round_trip import brought_in, counted_in_readme, folders, number_in, written
from webbench.core.exchange.verifiers.rollouts import decoded
from webbench.core.exchange.verifiers.verifiers_exporter import ANOTHER
from webbench.core.store.store import Store


def rows_of(path: Path) -> list[dict[str, Any]]:
    """The lines, with chats that are JSON in a string decoded."""
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return [row | {chat: decoded(row[chat]) for chat in ("prompt", "completion")} for row in rows]


def test_every_shared_file_has_what_was_counted_and_comes_out_equal(shared: Path, tmp_path: Path) -> None:
    for number, (file, told) in enumerate(counted_in_readme(shared, "verifiers")):
        store = Store(tmp_path / f"s{number}")

        [place], records = brought_in("verifiers", file, store)

        assert len(records) == number_in(told, "rollouts"), file
        assert place.lost == []
        sources = [step.source for record in records for step in record.steps[1:]]
        assert sum("call" in one for one in sources) == number_in(told, "tool calls")
        results = sum(len(one.get("results", ())) for one in sources)
        assert sum("speaker" in one for one in sources) + results == number_in(told, "completion messages")
        rewards = [record.header.settings["verifiers"]["row"]["reward"] for record in records]
        assert sum(rewards) / len(rewards) == pytest.approx(number_in(told, "reward mean"), abs=1e-4)
        scored = [
            record for record in records if record.header.score and record.header.score.value is not None
        ]
        assert len(scored) == sum(0 <= reward <= 1 for reward in rewards)

        written("verifiers", store, records, tmp_path / f"o{number}")
        rows = rows_of(tmp_path / f"o{number}" / "results.jsonl")
        for row in rows:
            assert isinstance(row["info"], str | dict)
            info = decoded(row["info"])
            own = info.pop("webbench")
            assert own["origin"]["from"] == "results.jsonl"
            row["info"] = "" if own.get("place") == "text" else info
        assert rows == rows_of(file), file


def test_a_folder_names_model_and_environment_and_counts_rollouts(shared: Path, tmp_path: Path) -> None:
    folder = shared / "data/formats-2026/verifiers/willccbb__verifiers/mcp_env"

    told, records = brought_in("verifiers", folder, Store(tmp_path))

    assert sorted(one.state for one in told) == ["companion", "companion", "imported", "imported"]
    assert {record.header.actor for record in records} == {"gpt-4.1-mini"}
    assert {record.header.task.id for record in records} == {"mcp-env/0"}
    assert sorted(record.header.repeat for record in records) == [0, 0, 1, 1, 2, 2]
    assert {record.header.score.value for record in records if record.header.score} == {1.0}


def test_ours_are_rows_with_calls_and_the_score_as_reward(
    store: Store, attempts: list[str], tmp_path: Path
) -> None:
    record = store.load(store.find(attempts[0]))

    told = written("verifiers", store, [record], tmp_path / "out")

    [row] = rows_of(tmp_path / "out" / "results.jsonl")
    assert [message["role"] for message in row["prompt"]] == ["user", "system"]
    assert "RootWebArea" in row["prompt"][1]["content"]
    assert record.header.score is not None
    assert row["reward"] == record.header.score.value
    assert [message["role"] for message in row["completion"]][:2] == ["assistant", "tool"]
    assert json.loads(row["completion"][0]["tool_calls"][0])["function"]["name"] == "click"
    assert told.lost == []


def test_rollouts_of_two_evaluations_in_one_folder_are_told(tmp_path: Path) -> None:
    """`metadata.json` tells of one."""
    store = Store(tmp_path / "s")
    for model in ("m1", "m2"):
        (tmp_path / model).mkdir()
        row = {"id": 1, "prompt": [{"role": "user", "content": model}], "completion": [], "reward": 1}
        (tmp_path / model / "results.jsonl").write_text(json.dumps(row))
        about = {"model": model, "rollouts_per_example": 1}
        (tmp_path / model / "metadata.json").write_text(json.dumps(about))
        brought_in("verifiers", tmp_path / model, store)
    records = [store.load(one) for one in folders(store)]

    assert written("verifiers", store, records[:1], tmp_path / "one").lost == []
    told = written("verifiers", store, records, tmp_path / "both")

    assert told.lost == [ANOTHER]


@pytest.mark.parametrize("odd", [None, 1, "x", "[", [], {}, [None], {"a": None}, 2**70])
def test_odd_fields_cost_no_more_than_themselves(odd: Any, tmp_path: Path) -> None:
    message = {"role": "assistant", "content": odd, "tool_calls": odd, "reasoning_content": odd}
    tool = {"role": "tool", "tool_call_id": odd, "content": odd}
    chats = [{"prompt": odd, "completion": odd}, {"prompt": [odd, tool], "completion": [message, tool, odd]}]
    rows = [{**chat, "reward": odd, "id": odd, "answer": odd} for chat in chats]
    (tmp_path / "results.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "metadata.json").write_text(json.dumps({"model": odd, "rollouts_per_example": odd}))

    told, _ = brought_in("verifiers", tmp_path, Store(tmp_path / "s"))

    assert not [line for one in told for line in (one.why, *one.lost) if "does not foresee" in line]


@pytest.mark.parametrize("odd", [None, "x", [1], {"a": 1}, -3])
def test_odd_settings_of_an_imported_episode_break_no_export(odd: Any, tmp_path: Path) -> None:
    store = Store(tmp_path / "s")
    row = {"id": 1, "prompt": [{"role": "user", "content": "Hi"}], "completion": [], "reward": 1}
    (tmp_path / "results.jsonl").write_text(json.dumps(row))
    _, [record] = brought_in("verifiers", tmp_path / "results.jsonl", store)
    header = store.root / record.header.run / record.header.episode / "episode.json"
    told = json.loads(header.read_text())
    inner = {"row": {}, "prompt_messages": odd, "encoded": odd, "metadata": odd}
    for name, theirs in enumerate([odd, {"row": odd}, inner]):
        told["settings"]["verifiers"] = theirs
        header.write_text(json.dumps(told))

        written("verifiers", store, [record], tmp_path / f"o{name}")

        assert len(rows_of(tmp_path / f"o{name}" / "results.jsonl")) == 1


def test_what_a_user_says_later_stays_behind_what_the_agent_said_before(tmp_path: Path) -> None:
    """In a record that is no row of theirs any more."""
    store = Store(tmp_path / "s")
    said = [{"role": role, "content": role} for role in ("system", "user", "assistant", "user", "assistant")]
    row = {"id": 1, "prompt": said[:2], "completion": said[2:], "reward": 1}
    (tmp_path / "results.jsonl").write_text(json.dumps(row))
    _, [record] = brought_in("verifiers", tmp_path / "results.jsonl", store)
    header = store.root / record.header.run / record.header.episode / "episode.json"
    told = json.loads(header.read_text())
    del told["settings"]["verifiers"]
    header.write_text(json.dumps(told))

    written("verifiers", store, [record], tmp_path / "out")

    [out] = rows_of(tmp_path / "out" / "results.jsonl")
    assert (out["prompt"], out["completion"]) == (said[:2], said[2:])
    _, [again] = brought_in("verifiers", tmp_path / "out", Store(tmp_path / "again"))
    assert [step.source.get("speaker") for step in again.steps[1:]] == [
        step.source.get("speaker") for step in record.steps[1:]
    ]
