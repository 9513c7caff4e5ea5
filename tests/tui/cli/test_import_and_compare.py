"""From other tools' files to a comparison, by commands alone."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.tui.cli.program import Here
from webbench.core.store.records.durable_files import StoreUnwritable
from webbench.core.store.records.recorder import Recorder
from webbench.core.trajectory import Step

TREE = "[1] RootWebArea 'Shop'\n\t[2] link 'Lamp'\n\t[3] link 'Desk'"


def episode(source: str, *actions: dict[str, str]) -> dict[str, object]:
    states = [{"url": f"http://shop/{at}", "axtree": TREE} for at in range(len(actions))]
    moves = [{"metadata": {"cot": ""}, "action": action} for action in actions]
    pairs = [item for pair in zip(states, moves, strict=True) for item in pair]
    return {"task_id": 7, "intent": "Find it", "source": source, "trajectory": pairs}


STOP = {"action_name": "stop", "answer": "$5"}
LAMP = {"action_name": "click", "element_id": "2"}


def test_imported_attempts_can_be_compared(tmp_path: Path, here: Here) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    (folder / "traces.json").write_text(
        json.dumps([episode("model-a", LAMP, STOP), episode("model-b", LAMP, LAMP, STOP)])
    )
    store = str(tmp_path / "store")

    dry = here(tmp_path, "import", str(folder), "--dry-run", "--json")
    done = here(tmp_path, "import", str(folder), "--store", store)
    episodes = sorted(path.name for path in Path(store).glob("*/0*"))
    compared = here(tmp_path, "compare", *episodes, "--store", store)
    listed = here(tmp_path, "runs", "actor:model-b", "--store", store, "--json").json["episodes"]

    assert (dry.code, dry.json["episodes"], done.code) == (0, 2, 0)
    assert [one["actor"] for one in listed] == ["model-b"]
    assert compared.code == 0
    assert '1 click link "Lamp"' in compared.out
    assert "They part in row 2 of 3 and do the same again in row 3. There, model-" in compared.out


def test_what_is_refused_is_told_and_nothing_usable_is_bad_data(tmp_path: Path, here: Here) -> None:
    (tmp_path / "notes.txt").write_text("nothing to see")

    done = here(tmp_path, "import", str(tmp_path / "notes.txt"), "--dry-run")

    assert done.code == 4
    assert "unknown format" in done.out


def test_an_unknown_format_is_a_mistake_of_the_caller(tmp_path: Path, here: Here) -> None:
    done = here(tmp_path, "import", str(tmp_path), "--format", "webarena-trace")

    assert done.code == 2
    assert "webarena-traces" in done.err


def test_a_full_disk_tells_what_came_and_the_same_command_goes_on(
    tmp_path: Path, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "traces.json").write_text(json.dumps([episode("a", STOP), episode("b", LAMP, STOP)]))
    command = ("import", str(tmp_path / "traces.json"), "--store", str(tmp_path / "store"))
    write = Recorder.write

    def full(self: Recorder, step: Step, **seen: Any) -> Step:
        if self.header.actor == "b":
            raise StoreUnwritable("a step could not be recorded: no space left", "free some space", "full")
        return write(self, step, **seen)

    (tmp_path / "account.json").write_text("another's")
    refused = here(tmp_path, *command, "--account", str(tmp_path / "account.json"))
    assert (refused.code, (tmp_path / "store").exists()) == (2, False), "it is known before anything is read"
    with monkeypatch.context() as disk:
        disk.setattr(Recorder, "write", full)
        stopped = here(tmp_path, *command, "--json")
    again = here(tmp_path, *command)

    assert stopped.code == 3
    assert (stopped.json["episodes"], stopped.json["places"][0]["state"]) == (1, "partial")
    assert "no space left" in stopped.json["stopped"]
    assert "no space left" in stopped.err
    assert again.code == 0
    assert "1 episode imported into" in again.out
    assert "1 episode had been imported before" in again.err
