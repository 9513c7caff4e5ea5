"""What tells about this installation: version, settings, doctor, lists of tasks."""

from __future__ import annotations

import re
from pathlib import Path

from tests.shared import need_shared
from tests.tui.cli.program import Here, call
from webbench.core.text.plain_text import display_width


def test_version(tmp_path: Path) -> None:
    done = call(tmp_path, "--version")
    assert done.code == 0
    assert done.out.startswith("webbench-tui ")


def test_config_names_paths_and_origins(tmp_path: Path, here: Here) -> None:
    (tmp_path / "webbench.toml").write_text('rules = "paper"\nfrobnicate = 1\n')
    done = here(tmp_path, "config", "--json", WEBBENCH_STORE="elsewhere")
    assert done.code == 1
    document = done.json
    assert document["schema_version"] == 1
    assert document["paths"]["store"] == str(tmp_path / "elsewhere")
    assert document["settings"]["rules"] == {"value": "paper", "origin": str(tmp_path / "webbench.toml")}
    assert document["settings"]["store"]["origin"] == "environment WEBBENCH_STORE"
    assert document["settings"]["theme"]["origin"] == "default"
    assert "frobnicate" in document["problems"][0]
    assert "frobnicate" in here(tmp_path, "config").err


def test_a_key_of_no_action_is_told(tmp_path: Path, here: Here) -> None:
    file = tmp_path / "config" / "webbench" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text('[keys]\n"stepper.nosuch" = "ctrl+x"\n"library.problem" = "P"\n')
    told = [
        f'{file}: keys.stepper.nosuch: there is no action "stepper.nosuch"; the palette names them all',
        f'{file}: keys.library.problem: there is no action "library.problem"; did you mean library.problems?',
    ]
    done = here(tmp_path, "config", "--json")
    assert (done.code, sorted(done.json["problems"])) == (1, sorted(told))
    assert all(line in done.err for line in told)
    assert all(line in here(tmp_path, "config").err for line in told)
    findings = here(tmp_path, "doctor", "--json", WEBBENCH_CHROMIUM="/nonexistent").json["findings"]
    assert {f["detail"] for f in findings if f["name"] == "settings"} == set(told)
    file.write_text('keys = {"library.problems" = "P"}\n')
    assert here(tmp_path, "config").code == 0


def test_doctor_finds_the_browser_and_says_how_to_mend(tmp_path: Path, here: Here) -> None:
    without = here(tmp_path, "doctor", "--json", WEBBENCH_DATA_TURKINGBENCH=str(tmp_path))
    findings = {f["name"]: f for f in without.json["findings"]}
    assert findings["Chromium starts"]["state"] == "ok"
    assert findings["terminal graphics"]["detail"].startswith("half-block: ")
    assert "data.turkingbench" in findings["data of turkingbench"]["mend"]
    broken = here(tmp_path, "doctor", WEBBENCH_CHROMIUM="/nonexistent")
    assert broken.code == 3
    assert "x problem" in broken.out
    assert "to mend" in broken.out
    assert max(map(display_width, broken.out.splitlines())) <= 80


def test_tasks_of_the_demo(tmp_path: Path, here: Here) -> None:
    benchmarks = here(tmp_path, "tasks", "--json").json["benchmarks"]
    assert {"demo": "ready", "turkingbench": "ready"}.items() <= {
        one["benchmark"]: one["state"] for one in benchmarks
    }.items()
    listed = here(tmp_path, "tasks", "demo", "--split", "annotation", "--json").json
    assert {task["site"] for task in listed["tasks"]} == {"annotation"}
    assert max(map(display_width, here(tmp_path, "tasks", "demo").out.splitlines())) <= 80


def test_tasks_of_dirty_data(tmp_path: Path, here: Here) -> None:
    data = str(need_shared("data", "turkingbench"))
    done = here(tmp_path, "tasks", "turkingbench", "--data", data)
    assert done.code == 1, "the shared data has errors"
    assert "Formalize sentence " in done.out
    assert re.search(r": \d+ errors, \d+ notes, \d+ warnings; .* --problems` lists them", done.err)
    listed = here(tmp_path, "tasks", "turkingbench", "--data", data, "--problems")
    assert listed.out.splitlines()[0].startswith("severity")
    assert len(listed.out.splitlines()) > 100


def test_what_a_project_file_may_not_set_is_told(tmp_path: Path, here: Here) -> None:
    (tmp_path / "webbench.toml").write_text('[browser]\nexecutable = "./evil"\n')
    done = here(tmp_path, "run", "demo", WEBBENCH_CHROMIUM="/nonexistent")
    assert "browser.executable is not taken from a project file" in done.err
    assert "evil" not in done.err, "it is not tried"
    assert done.code == 3
    told = {
        f["detail"] for f in here(tmp_path, "doctor", "--json", WEBBENCH_CHROMIUM="/none").json["findings"]
    }
    assert any("browser.executable is not taken" in detail for detail in told)
    (refused,) = here(tmp_path, "config", "--json").json["refused"]
    assert (refused["setting"], refused["value"]) == ("browser.executable", "./evil")
    assert refused["file"] == str(tmp_path / "webbench.toml")
    assert "looks and stricter limits" in refused["reason"]
    config = here(tmp_path, "config").out
    assert re.search(rf"browser.executable +./evil +{tmp_path}/webbench.toml: it may be somebody", config)


def test_deep_toml_and_a_filter_of_a_thousand_words_are_told(tmp_path: Path, here: Here) -> None:
    words = " ".join(f"word{number}" for number in range(1000))
    done = here(tmp_path, "runs", words)
    assert (done.code, done.err.splitlines()[0]) == (2, "webbench-tui: A filter of 1,000 words is too long")
    (tmp_path / "webbench.toml").write_text("a = " + "[" * 100_000)
    for command in (("config",), ("runs",), ("run", "demo")):
        done = here(tmp_path, *command)
        assert done.code == 4
        assert "it is nested deeper than 64 levels" in done.err


def test_a_store_named_before_the_command_counts(tmp_path: Path, here: Here) -> None:
    assert (
        f"The store {tmp_path / 'before'} " in here(tmp_path, "--store", str(tmp_path / "before"), "runs").err
    )
    other = ("--store", str(tmp_path / "after"))
    assert f"The store {other[1]} " in here(tmp_path, "--store", "before", "runs", *other).err
