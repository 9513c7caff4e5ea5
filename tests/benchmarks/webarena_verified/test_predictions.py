"""A line of a predictions file may name files of its own folder, and hold nothing but a response."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from webbench.benchmarks.webarena.scoring.offline import create
from webbench.benchmarks.webarena.scoring.predictions import verified_evidence_of
from webbench.benchmarks.webarena.verified import har
from webbench.core.errors import BadData
from webbench.core.scoring.offline.reading import parse_predictions

HAR = '{"log": {"entries": []}}'
TASKS = """[{"task_id": 1, "intent": "Count", "sites": ["gitlab"], "eval": [{"evaluator":
"AgentResponseEvaluator", "expected": {"task_type": "navigate", "status": "SUCCESS"}}]}]"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Of predictions, with a log inside and one beside it."""
    inside = tmp_path / "predictions"
    (inside / "logs").mkdir(parents=True)
    (inside / "logs" / "1.har").write_text(HAR)
    (tmp_path / "other.har").write_text(HAR)
    (inside / "linked.har").symlink_to(tmp_path / "other.har")
    return inside


def read(folder: Path, **line: Any) -> dict[str, Any]:
    return verified_evidence_of({"task_id": 1} | line, {}, folder)


def test_a_log_is_named_from_the_folder_of_the_predictions(folder: Path) -> None:
    assert read(folder, har="logs/1.har")["har_events"] == []
    assert read(folder, har="./logs/1.har")["har_events"] == []


@pytest.mark.parametrize(
    "name", ["../other.har", "logs/../logs/1.har", "linked.har", "/etc/hostname", "/dev/zero"]
)
def test_a_log_elsewhere_is_refused_before_it_is_opened(folder: Path, name: str) -> None:
    with pytest.raises(BadData, match="leads out of the folder of the predictions") as refused:
        read(folder, har=name)
    assert name in str(refused.value)


def test_a_path_that_is_none_is_refused(folder: Path) -> None:
    with pytest.raises(BadData, match="har"):
        read(folder, har="a\0b")


def test_only_regular_files_are_read(folder: Path) -> None:
    os.mkfifo(folder / "pipe.har")
    for name in ("pipe.har", "logs"):
        with pytest.raises(BadData, match="is no regular file"):
            read(folder, har=name)
    with pytest.raises(BadData, match="/dev/zero is no regular file"):
        har.read_har(Path("/dev/zero"))


def test_a_file_that_is_too_large_is_refused_unread(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(har, "LARGEST_FILE", 2 * 1024**2)
    with (folder / "large.har").open("wb") as file:
        file.truncate(2 * 1024**2 + 1)
    with pytest.raises(BadData, match="larger than 2 MiB"):
        read(folder, har="large.har")


@pytest.mark.parametrize("response", ["5", "[1]", "true", "0"])
async def test_a_response_of_another_type_is_an_error_and_no_0(tmp_path: Path, response: str) -> None:
    (tmp_path / "webarena-verified.json").write_text(TASKS)
    line = f'{{"task_id": 1, "response": {response}}}'
    file = parse_predictions(line.encode(), str(tmp_path / "answers.jsonl"))
    found = await create().score(file, tasks=tmp_path, rules="verified", judge=None)
    assert found.items == ()
    (problem,) = found.problems
    assert problem.severity == "error"
    assert problem.message == f'its "response" is no object or text but {response.replace("true", "True")}'
