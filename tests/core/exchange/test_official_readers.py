"""Tools' own readers on what we export: Inspect, browser-use, Harbor, `datasets`, in Pythons that have them.

They want other versions of what we depend on, so each may live in an environment of its own, named by a
variable: `WEBBENCH_PYTHON_INSPECT_AI=/path/to/python`. Without it, and without the package beside ours, the
test is skipped.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.core.exchange.account.full_episode import record_full
from tests.core.exchange.round_trip import brought_in, folders, written
from webbench.core.store.store import Store

pytestmark = pytest.mark.thorough
TIMEOUT = 240

INSPECT = """
from inspect_ai.log import read_eval_log
log = read_eval_log(PATH)
[sample] = log.samples
found = {
    "status": log.status, "model": log.eval.model, "roles": [one.role for one in sample.messages],
    "value": sample.scores["webbench"].value, "tokens": sample.model_usage["agent"].total_tokens,
}
"""
INSPECT_AGAIN = """
from inspect_ai.log import read_eval_log
log = read_eval_log(PATH)
names = {sample.metadata["webbench"]["origin"]["from"] for sample in log.samples}
found = {"samples": len(log.samples), "from": sorted(names)}
"""
BROWSER_USE = """
from browser_use.agent.views import AgentHistoryList, AgentOutput
from browser_use.tools.service import Tools
output = AgentOutput.type_with_custom_actions(Tools().registry.create_action_model())
history = AgentHistoryList.load_from_file(PATH + "/AgentHistory.json", output)
found = {
    "urls": history.urls(), "actions": history.action_names(), "done": history.is_done(),
    "answer": history.final_result(), "pictures": [bool(one) for one in history.screenshot_paths()],
}
"""
HARBOR = """
from pathlib import Path
from harbor.utils.trajectory_validator import TrajectoryValidator
validator = TrajectoryValidator()
found = {"valid": validator.validate(Path(PATH) / "trajectory.json"), "errors": validator.get_errors()}
"""
DATASETS = """
from datasets import load_dataset
rows = load_dataset(PATH, cache_dir=PATH + "-cache")["train"]
found = {"steps": rows["step"][:], "size": list(rows[0]["screenshot"].size), "verbs": rows["verb"][:]}
"""


def python_with(package: str) -> str:
    """An interpreter that has the package; the test is skipped where there is none."""
    variable = f"WEBBENCH_PYTHON_{package.upper()}"
    if named := os.environ.get(variable):
        return named
    if find_spec(package) is None:
        pytest.skip(f"{package} is not installed: install it, or name a Python that has it in {variable}")
    return sys.executable


def asked(package: str, program: str, path: Path, home: Path) -> Any:
    """What the reader finds in a path, as JSON."""
    whole = f"PATH = {str(path)!r}\n{program}\nimport json\nprint('FOUND ' + json.dumps(found))"
    settings = {"HOME": str(home), "HF_HUB_OFFLINE": "1", "ANONYMIZED_TELEMETRY": "false"}
    done = subprocess.run(
        [python_with(package), "-P", "-c", whole],
        cwd=home,
        env={"PATH": os.environ["PATH"], **settings},
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("FOUND ")]
    assert lines, done.stderr[-2000:]
    return json.loads(lines[-1].removeprefix("FOUND "))


def exported(format: str, name: str, room: Path) -> Path:
    """An episode with something of every kind, written in a format."""
    store = Store(room / "store")
    record_full(store)
    written(format, store, [store.load(folder) for folder in folders(store)], room / name)
    return room / name


def test_inspect_reads_our_log(tmp_path: Path) -> None:
    python_with("inspect_ai")
    assert asked("inspect_ai", INSPECT, exported("inspect", "log.eval", tmp_path), tmp_path) == {
        "status": "success",
        "model": "agent",
        "roles": ["user", "system", *["assistant", "tool"] * 3],
        "value": 1.0,
        "tokens": 3690,
    }


def gone_out_as_it_came(format: str, source: Path, name: str, room: Path) -> Path:
    """A file of somebody else, imported and exported again with where it came from."""
    store = Store(room / "store")
    _, records = brought_in(format, source, store)
    written(format, store, records, room / name)
    return room / name


def test_inspect_reads_a_log_that_went_out_as_it_came(shared: Path, tmp_path: Path) -> None:
    """And keeps where it came from."""
    python_with("inspect_ai")
    for number, source in enumerate(("log_formats.eval", "2025-05-12T20-27-36-04-00_browser.json")):
        file = next((shared / "data/formats-2026/inspect-ai").rglob(source))
        room = tmp_path / str(number)
        room.mkdir()
        path = gone_out_as_it_came("inspect", file, "again.eval", room)
        found = asked("inspect_ai", INSPECT_AGAIN, path, room)
        assert found == {"samples": 1, "from": [file.name]}


def test_harbor_finds_a_trajectory_valid_that_went_out_as_it_came(shared: Path, tmp_path: Path) -> None:
    python_with("harbor")
    for number, name in enumerate(("v17_embedded_subagents.json", "harbor_openhands.json")):
        file = next((shared / "data/formats-2026/atif").rglob(name))
        room = tmp_path / str(number)
        room.mkdir()
        path = gone_out_as_it_came("atif", file, "atif", room) if number else alone(file, room)
        assert asked("harbor", HARBOR, path, room) == {"valid": True, "errors": []}


def alone(file: Path, room: Path) -> Path:
    """The trajectory around, without its subagent, which is an episode of its own here."""
    store = Store(room / "store")
    _, records = brought_in("atif", file, store)
    written("atif", store, records[:1], room / "atif")
    return room / "atif"


def test_browser_use_reads_our_history(tmp_path: Path) -> None:
    python_with("browser_use")
    assert asked("browser_use", BROWSER_USE, exported("browser-use", "history", tmp_path), tmp_path) == {
        "urls": [f"http://shop.test/{number}" for number in range(3)],
        "actions": ["input", "click", "done"],
        "done": True,
        "answer": "it is in the cart",
        "pictures": [True] * 3,
    }


def test_harbor_finds_our_trajectory_valid(tmp_path: Path) -> None:
    python_with("harbor")
    found = asked("harbor", HARBOR, exported("atif", "atif", tmp_path), tmp_path)
    assert found == {"valid": True, "errors": []}


def test_datasets_reads_our_folder_with_its_pictures(tmp_path: Path) -> None:
    python_with("datasets")
    assert asked("datasets", DATASETS, exported("huggingface", "set", tmp_path), tmp_path) == {
        "steps": [0, 1, 2, 3],
        "size": [32, 20],
        "verbs": ["", "type", "click", "stop"],
    }
