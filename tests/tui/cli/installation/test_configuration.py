"""`config set` and `config unset`: checked, told where it is written, comments kept, no password."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.tui.cli.program import Here
from webbench.core.settings.change_settings import set_value
from webbench.core.settings.load_settings import load_settings


def test_a_setting_is_set_checked_and_taken_back(tmp_path: Path, here: Here) -> None:
    file = tmp_path / "config" / "webbench" / "config.toml"
    done = here(tmp_path, "config", "set", "viewport.width", "900", "--json")
    assert (done.code, done.json["file"], done.json["effective"]) == (0, str(file), 900)
    assert file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o644)
    file.write_text(f"# Mine.\n\n{file.read_text()}")
    told = here(tmp_path, "config", "set", "prices.gpt-4.1", "2.50", "10.00").out
    assert told == f"prices.gpt-4.1 = 2.50 10.00, written into {file}\n"
    assert here(tmp_path, "config", "set", "redact", "a b", "c").code == 0
    assert here(tmp_path, "config", "set", "store", "runs").code == 0
    assert here(tmp_path, "config", "set", "theme", "light").code == 0
    settings = here(tmp_path, "config", "--json").json["settings"]
    assert settings["redact"] == {"value": ["a b", "c"], "origin": str(file)}
    assert settings["store"]["value"] == str(Path.cwd() / "runs")
    assert settings["prices.gpt-4.1"]["value"] == "2.50 10.00"

    kept = file.read_text()
    for code, *wrong in (
        (2, "viewport.with", "900"),
        (2, "viewport.width", "9"),
        (2, "pictures", "oil"),
        (2, "theme", "lihgt"),
        (2, "keys.stepper.mark", "f3"),
        (2, "accounts.webarena.SHOPPING.password", "secret"),
        (2, "data", "x"),
    ):
        done = here(tmp_path, "config", "set", *wrong)
        assert (done.code, done.out, file.read_text()) == (code, "", kept), done.err
    assert "secret" not in done.err

    hidden = here(tmp_path, "config", "set", "theme", "dark", WEBBENCH_THEME="high-contrast")
    assert (hidden.code, "high-contrast, from environment" in hidden.err) == (1, True)
    assert here(tmp_path, "config", "unset", "theme").code == 0
    assert here(tmp_path, "config", "unset", "theme").out == f"{file} doesn't set theme\n"
    text = file.read_text()
    assert "theme" not in text
    assert text.startswith("# Mine.\n")
    assert file.stat().st_mode & 0o777 == 0o644


def test_settings_that_are_set_at_once_are_all_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBBENCH_CONFIG", str(tmp_path / "mine.toml"))
    names = [f"prices.model-{number}" for number in range(24)]
    with ThreadPoolExecutor(8) as several:
        list(several.map(lambda name: set_value(name, ["1.00 2.00"], tmp_path), names))
    assert {name for name, _, origin in load_settings().effective() if origin != "default"} == set(names)
