"""ATIF: every file of the shared data comes in as it is counted, and goes out equal; ours comes back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.core.exchange.round_trip import brought_in, counted_in_readme, number_in, written
from webbench.core.exchange.foreign_terms import recorded_score
from webbench.core.exchange.import_format import find_format
from webbench.core.exchange.place import Place
from webbench.core.score.score import Status
from webbench.core.store.store import Store
from webbench.core.trajectory import IMPORTED, Trajectory

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360f8cf500f00038501c0e0a0a5d30000000049454e44ae426082"
)


def document(**fields: Any) -> dict[str, Any]:
    steps = [
        {"step_id": 1, "source": "user", "message": "Buy a mug"},
        {
            "step_id": 2,
            "source": "agent",
            "message": "",
            "tool_calls": [
                {"tool_call_id": "a", "function_name": "goto", "arguments": {"url": "http://shop.test/"}}
            ],
            "observation": {"results": [{"source_call_id": "a", "content": "opened"}]},
        },
        {"step_id": 3, "source": "agent", "message": "bought"},
    ]
    agent = {"name": "ada", "version": "1"}
    return {"schema_version": "ATIF-v1.7", "agent": agent, "steps": steps, **fields}


def sources(trajectory: Trajectory) -> tuple[list[str], int, int]:
    """Speakers of the turns, calls, and results that a record holds."""
    before = trajectory.steps[0].source["before"]
    later = [step.source for step in trajectory.steps[1:]]
    speakers = [turn["speaker"] for turn in before] + [one["speaker"] for one in later if "speaker" in one]
    results = sum(len(turn.get("results", ())) for turn in before) + sum(
        len(one.get("results", ())) for one in later
    )
    return speakers, sum("call" in one for one in later), results


def test_a_score_of_ours_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    own = {"benchmark": "shop", "task": "buy", "score": {"status": "scored", "value": "much", "rules": "r"}}
    (tmp_path / "trajectory.json").write_text(json.dumps(document(extra={"webbench": own})))

    [told], [record] = brought_in("atif", tmp_path / "trajectory.json", Store(tmp_path / "s"))

    assert record.header.score is None or record.header.score.value is None
    assert any("score of an export of ours can't be read" in line for line in told.lost)


def test_every_shared_file_has_what_was_counted_and_comes_out_equal(shared: Path, tmp_path: Path) -> None:
    for number, (file, told) in enumerate(counted_in_readme(shared, "atif")):
        store = Store(tmp_path / f"s{number}")
        _, records = brought_in("atif", file, store)
        record = records[0]
        speakers, calls, results = sources(record)
        usage = [step.source.get("copied", step.usage) for step in record.steps[1:]]
        tokens = [sum(one.get(name, 0) for one in usage) for name in ("prompt_tokens", "completion_tokens")]

        assert len(speakers) == number_in(told, "steps"), file
        assert all(
            speakers.count(speaker) == number_in(told.partition("; tool calls")[0], speaker)
            for speaker in ("system", "user")
        )
        assert (calls, results) == (number_in(told, "tool calls"), number_in(told, "observation results"))
        assert tokens == [
            number_in(told, "step tokens in"),
            number_in(told.partition(") out")[2] and "out" + told.partition(") out")[2], "out"),
        ]
        assert sum(one.get("cost", 0) for one in usage) == pytest.approx(
            number_in(told.partition("; final")[0], "cost"), abs=1e-6
        )

        written("atif", store, [record], tmp_path / f"o{number}")
        back = json.loads((tmp_path / f"o{number}" / "trajectory.json").read_bytes())
        own = back["extra"].pop("webbench")
        assert own.keys() <= {"origin", "benchmark", "task", "place"}
        assert own["origin"]["from"] == file.name
        if own.get("place") == "none":
            del back["extra"]
        assert back == json.loads(file.read_bytes()), file


def test_an_embedded_subagent_is_an_episode_of_its_own_and_names_the_step_that_called_it(
    shared: Path, tmp_path: Path
) -> None:
    file = shared / "data/formats-2026/atif/Arize-ai__phoenix/fixtures/v17_embedded_subagents.json"

    told, records = brought_in("atif", file, Store(tmp_path))

    assert [(one.header.task.name, one.header.actor) for one in records] == [
        ("parent-doc", "orchestrator"),
        ("parent-doc/child-doc", "researcher"),
    ]
    parent, child = records
    assert told[0].lost == []
    around = child.header.settings["subagent_of"]
    assert around == {"task": "parent-doc", "step": 1}
    [result] = [one for one in parent.steps[1].source["results"] if "subagent_trajectory_ref" in one["rest"]]
    assert result["rest"]["subagent_trajectory_ref"][0]["trajectory_id"] == "child-doc"
    assert "subagent_of" not in parent.header.settings


def nested(*names: str) -> dict[str, Any]:
    """A trajectory with another in it, and so on; its second call is that of the inner one."""
    whole = document(trajectory_id=names[0])
    if names[1:]:
        whole["subagent_trajectories"] = [nested(*names[1:])]
        calls = whole["steps"][1]["tool_calls"]
        whole["steps"][1]["tool_calls"] = [*calls, {**calls[0], "tool_call_id": "b"}]
        results = whole["steps"][1]["observation"]["results"]
        ref = [{"trajectory_id": names[1]}]
        results.append({"source_call_id": "b", "content": "did it", "subagent_trajectory_ref": ref})
    return whole


def test_what_embedded_subagents_bring_is_explained_and_their_origin_is_kept(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text(json.dumps(nested("a", "b", "c")))
    store = Store(tmp_path / "s")
    _, records = brought_in("atif", tmp_path / "t.json", store)
    assert [one.header.settings.get("subagent_of") for one in records] == [
        None,
        {"task": "a", "step": 2},
        {"task": "a/b", "step": 2},
    ]
    for number in range(2):
        out = tmp_path / f"out{number}"

        told = written("atif", store, records[:1], out)

        assert [line for line in told.lost if "unexplained" in line] == []
        steps = next(row for row in told.account if row.kind == "steps")
        assert [(one.sort, one.count) for one in steps.reasons] == [("made", 5)]  # 3 of b, and 2 of c
        store = Store(tmp_path / f"s{number}")
        _, records = brought_in("atif", out, store)
        origins = [one.header.settings[IMPORTED]["origin"] for one in records]
        for _ in range(number):
            origins = [one["origin"] for one in origins]
        assert [(one["format"], one["from"], one["number"]) for one in origins] == [
            ("atif", "t.json", number) for number in (1, 2, 3)
        ]


def test_a_trials_reward_is_its_score_and_a_picture_beside_it_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "trial" / "agent"
    (folder / "images").mkdir(parents=True)
    (folder / "images" / "a.png").write_bytes(PNG)
    run = document()
    part = {"type": "image", "source": {"media_type": "image/png", "path": "images/a.png"}}
    run["steps"][1]["observation"]["results"][0]["content"] = [{"type": "text", "text": "opened"}, part]
    (folder / "trajectory.json").write_text(json.dumps(run))
    result = {"trial_name": "t", "task_name": "mugs", "verifier_result": {"rewards": {"reward": 0.5}}}
    (tmp_path / "trial" / "result.json").write_text(json.dumps(result))
    store = Store(tmp_path / "store")

    told, [record] = brought_in("atif", tmp_path / "trial", store)

    assert [(one.state, one.lost) for one in told] == [
        ("companion", []),
        ("imported", []),
        ("companion", []),
    ]
    assert (record.header.task.name, record.header.task.intent) == ("mugs", "Buy a mug")
    assert record.header.score is not None
    assert record.header.score.value == 0.5
    assert [step.screenshot != "" for step in record.steps] == [False, True, False]
    written("atif", store, [record], tmp_path / "out")
    back = json.loads((tmp_path / "out" / "trajectory.json").read_bytes())
    moved = back["steps"][1]["observation"]["results"][0]["content"][1]["source"].pop("path")
    assert (tmp_path / "out" / moved).read_bytes() == PNG


def test_our_own_episodes_come_back_through_it(store: Store, attempts: list[str], tmp_path: Path) -> None:
    record = store.load(store.find(attempts[0]))
    written("atif", store, [record], tmp_path / "out")

    told, [back] = brought_in("atif", tmp_path / "out", Store(tmp_path / "back"))

    def plain(step: Any) -> Any:
        return msgspec.structs.replace(step, observation="", screenshot="", html="", source={})

    assert [line for one in told for line in one.lost] == []
    assert [plain(step) for step in back.steps] == [plain(step) for step in record.steps]
    assert (back.header.task.id, back.header.actor) == (record.header.task.id, record.header.actor)
    assert back.header.score == record.header.score
    seen = [bool(step.observation) for step in record.steps]
    assert [bool(step.observation) for step in back.steps] == seen


def test_a_picture_outside_of_the_folder_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(PNG)
    paths = ["../secret.png", str(tmp_path / "secret.png"), "https://a.test/b.png", "gone.png"]
    run = document()
    run["steps"][1]["observation"]["results"][0]["content"] = [
        {"type": "image", "source": {"media_type": "image/png", "path": path}} for path in paths
    ]
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "t.json").write_text(json.dumps(run))

    [told], [record] = brought_in("atif", tmp_path / "run", Store(tmp_path / "store"))

    assert [step.screenshot for step in record.steps] == ["", "", ""]
    assert [line.partition(",")[0].partition(":")[0] for line in told.lost] == [
        "a picture outside of the trajectory's folder",
        "a picture at an address",
        "a picture",
    ]


@pytest.mark.parametrize(
    "change",
    [
        {"steps": None},
        {"steps": [None, 1, "x"]},
        {
            "steps": [
                {"source": 1, "message": {"a": 1}, "tool_calls": [None, {}], "observation": {"results": [1]}}
            ]
        },
        {"agent": None, "extra": {"webbench": {"task": "a#99999999999999999999", "benchmark": []}}},
        {"steps": [{"source": "agent", "message": "", "extra": {"webbench": {"action": {"verb": "rm"}}}}]},
        {"subagent_trajectories": [None, {"schema_version": "ATIF-v9", "steps": None}]},
    ],
)
def test_odd_documents_cost_no_more_than_themselves(change: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text(json.dumps(document(**change)))
    assert find_format("atif").claim(Place(tmp_path / "t.json", tmp_path)) is not None

    told, _ = brought_in("atif", tmp_path / "t.json", Store(tmp_path / "store"))

    assert not [line for one in told for line in (one.why, *one.lost) if "does not foresee" in line]


@pytest.mark.parametrize("figure", [40.0, -1.0, 1.0001])
def test_a_figure_that_is_no_share_is_kept_and_is_no_score(figure: float) -> None:
    found = recorded_score(figure, "a verifier", "the trial's reward", actual=figure)
    assert (found.status, found.value) == (Status.NOT_SCORED, None)
    assert found.checks[0].actual == figure
    assert found.reason.endswith("is no share of 1: the trial's reward")
    assert recorded_score(1.0, "a verifier", "the trial's reward").value == 1.0


def test_a_picture_whose_path_has_a_nul_costs_the_picture_alone(tmp_path: Path) -> None:
    part = {"type": "image", "source": {"media_type": "image/png", "path": "images/a\x00.png"}}
    steps = [{"step_id": 1, "source": "user", "message": [{"type": "text", "text": "Buy"}, part]}]
    (tmp_path / "trajectory.json").write_text(json.dumps(document(steps=steps)))

    [told], [record] = brought_in("atif", tmp_path / "trajectory.json", Store(tmp_path / "s"))

    assert record.header.task.intent == "Buy"
    assert len([line for line in told.lost if "is not read" in line]) == 1
