"""Settings: precedence, origin, and messages that say where to look."""

from __future__ import annotations

import asyncio
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from webbench.core.benchmark.benchmark import Benchmark, Limits
from webbench.core.browser.starting.configured import configured_chromium, configured_launch
from webbench.core.episode.limits import with_limits
from webbench.core.episode.options import EpisodeOptions
from webbench.core.errors import BadData
from webbench.core.settings import locations
from webbench.core.settings.load_settings import load_settings, overridden
from webbench.core.settings.settings import Settings, declarations
from webbench.core.store.secrets.redaction import configured_redaction
from webbench.core.text import toml_decoding


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No settings but those of the test; the user's file is `user.toml`."""
    for variable in list(os.environ):
        if variable.startswith("WEBBENCH_"):
            monkeypatch.delenv(variable)
    (tmp_path / "project" / "below").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "project")
    monkeypatch.setenv("WEBBENCH_CONFIG", str(tmp_path / "user.toml"))
    return tmp_path


def origin(settings, name: str) -> str:
    return next(row[2] for row in settings.effective() if row[0] == name)


def test_defaults_hold_where_nothing_is_set(clean: Path) -> None:
    settings = load_settings()
    assert settings.problems == ()
    assert {row[2] for row in settings.effective()} == {"default"}
    assert settings.store_folder() == locations.default_store()
    assert settings.data_folder("shop") is None
    assert configured_launch(settings).headless is True
    assert configured_launch(settings).sandbox is None
    assert configured_launch(settings).endpoint == ""


@pytest.mark.parametrize(("written", "sandbox"), [("auto", None), ("on", True), ("off", False)])
def test_the_browser_is_reached_and_confined_as_set(
    clean: Path, monkeypatch: pytest.MonkeyPatch, written: str, sandbox: bool | None
) -> None:
    (clean / "user.toml").write_text(f'browser.sandbox = "{written}"')
    monkeypatch.setenv("WEBBENCH_BROWSER_ENDPOINT", "http://127.0.0.1:9222")
    options = configured_launch(load_settings())
    assert (options.sandbox, options.endpoint) == (sandbox, "http://127.0.0.1:9222")


def test_each_source_beats_the_ones_below_it(clean: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def look(flags: dict[str, object] | None = None) -> None:
        settings = load_settings(flags)
        seen.append((settings.theme, origin(settings, "theme")))

    look()
    (clean / "user.toml").write_text('theme = "user"')
    look()
    (clean / "project" / "webbench.toml").write_text('theme = "project"')
    look()
    monkeypatch.setenv("WEBBENCH_THEME", "environment")
    look()
    look({"theme": "flag"})
    look({"theme": None})
    assert seen == [
        ("workbench-dark", "default"),
        ("user", str(clean / "user.toml")),
        ("project", str(clean / "project" / "webbench.toml")),
        ("environment", "environment WEBBENCH_THEME"),
        ("flag", "--theme"),
        ("environment", "environment WEBBENCH_THEME"),
    ]


def test_the_project_file_is_found_from_below(clean: Path) -> None:
    (clean / "project" / "webbench.toml").write_text("step_limit = 7")
    assert load_settings(folder=clean / "project" / "below").step_limit == 7
    assert load_settings(folder=clean).step_limit == 0


def test_a_project_file_decides_nothing_that_is_executed_or_kept(
    clean: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    personal = 'store = "{0}"\nredact = ["{0}"]\n[browser]\nexecutable = "./{0}"\nheadless = false\n'
    (clean / "user.toml").write_text(personal.format("mine"))
    project = clean / "project" / "webbench.toml"
    project.write_text("step_limit = 7\n" + personal.format("theirs"))
    settings = load_settings()
    assert settings.step_limit == 7
    assert settings.store_folder() == clean / "mine"
    assert settings.redact == ("mine",)
    assert configured_chromium(settings) == clean / "mine"
    names = ("store", "redact", "browser.executable", "browser.headless")
    assert [origin(settings, name) for name in names] == [str(clean / "user.toml")] * 4
    assert len(settings.problems) == 4
    for name, problem in zip(names, settings.problems, strict=True):
        assert problem.startswith(f"{project}: {name} is not taken from a project file: ")
        assert f"; set it in {clean / 'user.toml'} or with " in problem
    assert settings.problems[2].endswith("or with WEBBENCH_BROWSER_EXECUTABLE")
    monkeypatch.setenv("WEBBENCH_CHROMIUM", "/opt/chromium")
    monkeypatch.setenv("WEBBENCH_STORE", "/srv/store")
    settings = load_settings({"redact": "flag"})
    assert configured_chromium(settings) == Path("/opt/chromium")
    assert settings.store_folder() == Path("/srv/store")
    assert settings.redact == ("flag",)


def test_paths_are_meant_from_where_they_are_written(clean: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (clean / "user.toml").write_text(
        'store = "records"\nuploads = "files"\n[data]\nshop = "~/shop"\nforum = "/srv/forum"\n'
    )
    monkeypatch.setenv("WEBBENCH_DATA_WIKI", "wiki")
    monkeypatch.setenv("HOME", "/home/someone")
    settings = load_settings()
    assert settings.store_folder() == clean / "records"
    assert settings.uploads == str(clean / "files")
    assert settings.data_folder("shop") == Path("/home/someone/shop")
    assert settings.data_folder("forum") == Path("/srv/forum")
    assert settings.data_folder("wiki") == clean / "project" / "wiki"
    assert load_settings({"store": "here"}).store_folder() == clean / "project" / "here"


def test_entries_of_a_table_are_laid_over_each_other_one_by_one(
    clean: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (clean / "user.toml").write_text('[data]\nshop = "/a"\nforum = "/b"\n[keys]\n"stepper.marks" = "m"\n')
    (clean / "project" / "webbench.toml").write_text('data.shop = "/d"\nkeys.stepper.marks = "b"')
    monkeypatch.setenv("WEBBENCH_DATA_SHOP", "/c")
    settings = load_settings()
    assert dict(settings.data) == {"shop": "/c", "forum": "/b"}
    assert dict(settings.keys) == {"stepper.marks": "m"}
    assert origin(settings, "data.forum") == str(clean / "user.toml")
    assert origin(settings, "data.shop") == "environment WEBBENCH_DATA_SHOP"
    assert [one.setting for one in settings.refused] == ["data.shop", "keys.stepper.marks"]


def test_text_of_the_environment_becomes_the_right_type(clean: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBBENCH_BROWSER_HEADLESS", "false")
    monkeypatch.setenv("WEBBENCH_VIEWPORT_WIDTH", "900")
    monkeypatch.setenv("WEBBENCH_REDACT", "sk-\\w+\ntoken=\\d+")
    monkeypatch.setenv("WEBBENCH_CHROMIUM", "/opt/chromium")
    settings = load_settings()
    assert settings.browser.headless is False
    assert settings.viewport.width == 900
    assert settings.redact == ("sk-\\w+", "token=\\d+")
    assert configured_launch(settings).executable == Path("/opt/chromium")
    assert configured_redaction(settings).text("token=12 sk-ab") == "‹redacted› ‹redacted›"


@pytest.mark.parametrize(
    ("text", "key", "reason"),
    [
        ('step_limit = "many"', "step_limit", "expected `int`, got `str`"),
        ("step_limit = -1", "step_limit", "expected `int` >= 0"),
        ('pictures = "ascii"', "pictures", "invalid enum value 'ascii'"),
        ("[browser]\nheadless = 1", "browser.headless", "expected `bool`, got `int`"),
        ("[viewport]\nwidth = 1.5", "viewport.width", "expected `int`, got `float`"),
        ("[data]\nshop = 3", "data.shop", "expected `str`, got `int`"),
        ('redact = "x"', "redact", "expected `array`, got `str`"),
    ],
)
def test_a_wrong_type_names_file_and_key(clean: Path, text: str, key: str, reason: str) -> None:
    (clean / "user.toml").write_text(text)
    with pytest.raises(BadData) as caught:
        load_settings()
    assert str(clean / "user.toml") in caught.value.message
    assert f" {key} = " in caught.value.message
    assert reason in caught.value.message


def test_a_wrong_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBBENCH_STEP_LIMIT", "ten")
    with pytest.raises(BadData, match="environment WEBBENCH_STEP_LIMIT: step_limit = 'ten'"):
        load_settings()


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ('teme = "x"', "no setting teme; did you mean theme?"),
        ("[browser]\nheadles = true", "no setting browser.headles; did you mean browser.headless?"),
        ('data = "/x"', "data is a table; write data.NAME"),
        ("zzzzqqq = 1", "no setting zzzzqqq"),
    ],
)
def test_an_unknown_name_is_reported_with_the_nearest_and_harms_nothing(
    clean: Path, text: str, nearest: str
) -> None:
    (clean / "user.toml").write_text("ascii = true\n" + text)
    settings = load_settings()
    assert settings.ascii is True
    (problem,) = settings.problems
    assert problem == f"{clean / 'user.toml'}: {'there is ' if 'no setting' in nearest else ''}{nearest}"


def test_an_unknown_variable_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBBENCH_STOER", "/x")
    assert "did you mean WEBBENCH_STORE?" in load_settings().problems[0]


@pytest.mark.parametrize("content", [b"theme = ", b"\xff\xfe", b"= 3"])
def test_a_file_that_is_no_toml_is_named(clean: Path, content: bytes) -> None:
    (clean / "user.toml").write_bytes(content)
    with pytest.raises(BadData, match="is no TOML file"):
        load_settings()


def test_every_setting_has_a_description_and_a_default_of_its_type() -> None:
    import msgspec

    found = declarations()
    assert len({declared.name for declared in found}) == len(found) >= 14
    for declared in found:
        assert declared.description
        assert msgspec.convert(declared.default, type=declared.type) == declared.default


def test_locations_follow_the_platform(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import sys

    if not sys.platform.startswith("linux"):
        pytest.skip("XDG variables are read on Linux")
    for kind in ("CONFIG", "DATA", "STATE", "CACHE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))
    monkeypatch.delenv("WEBBENCH_CONFIG")
    paths = locations.paths()
    assert paths["settings"] == tmp_path / "CONFIG" / "webbench" / "config.toml"
    assert paths["themes"] == tmp_path / "CONFIG" / "webbench" / "themes"
    assert paths["store"] == tmp_path / "DATA" / "webbench" / "store"
    assert paths["logs"] == tmp_path / "STATE" / "webbench" / "logs"
    assert paths["cache"] == tmp_path / "CACHE" / "webbench"


def test_the_key_of_an_endpoint_is_neither_shown_nor_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBBENCH_BROWSER_ENDPOINT", "http://me:key-of-mine@grid.example:4444")
    monkeypatch.setenv("WEBBENCH_CHROMEDRIVER", "/usr/bin/chromedriver")
    settings = load_settings()
    assert "key-of-mine" not in str(settings.effective())
    assert b"key-of-mine" in configured_redaction(settings).secret_bytes()
    assert configured_launch(settings).endpoint == "http://me:key-of-mine@grid.example:4444"
    assert not [told for told in settings.problems if "CHROMEDRIVER" in told]


def in_force(clean: Path, users: str, project: str) -> tuple[Settings, list[str]]:
    """The settings with these two files, and the names of what the project file may not set."""
    (clean / "user.toml").write_text(users)
    (clean / "project" / "webbench.toml").write_text(project)
    settings = load_settings()
    return settings, [one.setting for one in settings.refused]


@pytest.mark.parametrize(
    ("name", "mine", "theirs", "taken"),
    [
        ("cost_limit", "2.0", "0", False),
        ("cost_limit", "2.0", "5.0", False),
        ("cost_limit", "2.0", "1.5", True),
        ("cost_limit", "0", "1.5", True),
        ("seconds_limit", "60", "600", False),
        ("token_limit", "1000", "0", False),
        ("step_limit", "20", "0", False),
        ("step_limit", "20", "7", True),
        ("repeat_limit", "3", "-1", False),
        ("repeat_limit", "0", "-1", False),
        ("repeat_limit", "-1", "4", True),
        ("invalid_limit", "3", "9", False),
        ("approval", '"changes"', '"never"', False),
        ("approval", '"changes"', '"always"', True),
        ("guard.actions", '"auto"', '"off"', False),
        ("guard.actions", '"auto"', '"on"', True),
        ("theme", '"a"', '"b"', True),
    ],
)
def test_a_project_file_only_tightens(clean: Path, name: str, mine: str, theirs: str, taken: bool) -> None:
    settings, refused = in_force(clean, f"{name} = {mine}", f"{name} = {theirs}")
    file = clean / ("project/webbench.toml" if taken else "user.toml")
    assert refused == ([] if taken else [name])
    assert origin(settings, name) == str(file)


@pytest.mark.parametrize(("theirs", "held"), [(9_999, (30, 3, 3)), (7, (7, 3, 3)), (2, (2, 2, 2))])
def test_a_project_file_does_not_go_beyond_the_benchmarks_own_limit(
    clean: Path, monkeypatch: pytest.MonkeyPatch, theirs: int, held: tuple[int, int, int]
) -> None:
    benchmark = cast("Benchmark", SimpleNamespace(step_limit=30, limits=Limits(repeats=3, invalid=3)))
    written = f"step_limit = {theirs}\nrepeat_limit = {theirs}\ninvalid_limit = {theirs}"

    def limits() -> tuple[int, int, int]:
        options = with_limits(EpisodeOptions(), benchmark, load_settings())
        return options.step_limit, options.repeat_limit, options.invalid_limit

    in_force(clean, "", written)
    assert limits() == held
    monkeypatch.setenv("WEBBENCH_STEP_LIMIT", "9999")
    assert limits() == (9_999, *held[1:]), "who calls may"
    monkeypatch.delenv("WEBBENCH_STEP_LIMIT")
    in_force(clean, written, "")
    assert limits() == (theirs, theirs, theirs), "the user may"


def test_a_project_file_may_set_what_is_declared_so_and_nothing_else() -> None:
    """A new setting is not among them unless it says so."""
    assert {one.name for one in declarations() if one.project == "free"} == {
        *("viewport.width", "viewport.height", "theme", "pictures", "ascii"),
        *("dialect", "rules", "ranking", "relevant_html"),
        *("browser.locale", "browser.timezone", "browser.region"),
    }
    assert {one.name for one in declarations() if one.project not in ("", "free")} == {
        *("step_limit", "repeat_limit", "invalid_limit", "seconds_limit", "token_limit", "cost_limit"),
        *("guard.actions", "approval"),
    }


def test_what_is_secret_in_an_address_is_neither_shown_nor_recorded(clean: Path) -> None:
    address = "https://me:s3cret-word@models.test/v1?api_key=AKIA99&version=7&x-token=tok%2Fen"
    settings, refused = in_force(
        clean,
        f'model.url = "{address}"\njudge.url = "{address}"\nsites.arena.SHOP = "{address}"\n'
        f'search_engine = "{address}&q={{query}}"\nguard.hosts = ["{address}"]',
        f'model.url = "{address}"\nredact = ["{address}"]',
    )
    assert refused == ["model.url", "redact"]
    told = str(settings.effective()) + str(settings.refused) + str(settings.problems)
    assert told.count("https://models.test/v1?api_key=(hidden)&version=7&x-token=(hidden)") == 7
    assert not any(secret in told for secret in ("s3cret", "AKIA99", "tok%2Fen", "me:"))
    redacted = configured_redaction(settings).text("s3cret-word AKIA99 tok/en tok%2Fen 7")
    assert redacted == "‹redacted› ‹redacted› ‹redacted› ‹redacted› 7"


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 100_000,
        "a = " + "{a = " * 100_000,
        ".".join("a" for _ in range(100_000)) + " = 1",
        "[" + ".".join("'a'" for _ in range(100_000)) + "]",
        "a." * 40 + "a = {" + "a." * 40 + "a = {}}",
        "# " + "x" * 2**20,
    ],
)
@pytest.mark.timeout(20)
def test_toml_that_takes_for_ever_is_told_at_once(text: str) -> None:
    with pytest.raises(ValueError, match=r"nested deeper than 64 levels|larger than 1024 KiB"):
        toml_decoding.decode(text.encode())


@pytest.mark.parametrize("text", ['\\"""\n', '\\"', "'\n", "a", "x = [''''\n"])
@pytest.mark.parametrize("end", ["", "\\"])
@pytest.mark.timeout(20)
def test_strings_without_an_end_and_long_words_are_looked_through_once(text: str, end: str) -> None:
    whole = text * ((toml_decoding.LARGEST - 1) // len(text)) + end
    with pytest.raises(ValueError, match=r"at line|at end|nested deeper"):
        toml_decoding.decode(whole.encode())


@pytest.mark.parametrize("quoted", ['""""a""""', "''''a''''", '"""\\""""', '"a\\\\"', "'a\\'"])
def test_brackets_behind_a_text_are_depth(quoted: str) -> None:
    assert toml_decoding.decode(f"a = [{quoted}, 1]".encode())
    with pytest.raises(ValueError, match="nested deeper than 64 levels"):
        toml_decoding.decode(f"a = [{quoted}, {'[' * 99}{']' * 99}]".encode())


def test_brackets_and_dots_in_texts_are_no_depth() -> None:
    lines = (
        'a = "' + "[" * 99 + '" # ' + "a." * 99,
        "b = '''" + "{" * 99,
        "'''",
        f'c = """\\"{"a." * 99}"""',
        'd = "#["',
    )
    assert set(toml_decoding.decode("\n".join(lines).encode())) == {"a", "b", "c", "d"}


def test_blocks_that_overlap_leave_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """As those of two threads do: the one that began first also ends first."""
    monkeypatch.setenv("WEBBENCH_GUARD_ACTIONS", "auto")
    first = overridden({"guard.actions": "off", "guard.hosts": ("a.test",)})
    second = overridden({"guard.actions": "on", "browser.driver": None})
    with first:
        second.__enter__()
        assert (load_settings().guard.actions, load_settings().guard.hosts) == ("on", ("a.test",))
    assert (load_settings().guard.actions, load_settings().guard.hosts) == ("on", ())
    second.__exit__(None, None, None)
    assert os.environ["WEBBENCH_GUARD_ACTIONS"] == "auto"
    assert "WEBBENCH_GUARD_HOSTS" not in os.environ


def test_threads_and_tasks_see_what_they_set_themselves() -> None:
    both = threading.Barrier(2, timeout=60)

    def in_a_thread(actions: str) -> str:
        with overridden({"guard.actions": actions}):
            both.wait()
            seen = load_settings().guard.actions
            both.wait()
        return seen

    async def in_a_task(actions: str, others: asyncio.Barrier) -> str:
        with overridden({"guard.actions": actions}):
            await others.wait()
            seen = await asyncio.to_thread(lambda: load_settings().guard.actions)
            await others.wait()
        return seen

    async def tasks() -> list[str]:
        others = asyncio.Barrier(2)
        return list(await asyncio.gather(in_a_task("off", others), in_a_task("on", others)))

    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(in_a_thread, ("off", "on"))) == ["off", "on"]
    assert asyncio.run(tasks()) == ["off", "on"]
    assert "WEBBENCH_GUARD_ACTIONS" not in os.environ


def test_the_inner_of_two_blocks_hides_the_outer() -> None:
    with overridden({"guard.actions": "off"}):
        with overridden({"guard.actions": "on"}):
            assert load_settings().guard.actions == "on"
        assert load_settings().guard.actions == "off"
    assert "WEBBENCH_GUARD_ACTIONS" not in os.environ


def test_a_setting_that_may_be_a_name_is_a_folder_only_where_it_is_written_as_one(
    clean: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = (clean / "mine", clean / "minilm", clean / "BAAI" / "own")
    for folder in folders:
        folder.mkdir(parents=True)
    wanted = {
        "mine": "mine",
        "./mine": str(folders[0]),
        "BAAI/own": "BAAI/own",
        "BAAI/bge-small-en-v1.5": "BAAI/bge-small-en-v1.5",
        "minilm": "minilm",
        "./gone": str(clean / "gone"),
        str(folders[1]): str(folders[1]),
    }
    for written, meant in wanted.items():
        (clean / "user.toml").write_text(f'ranker = "{written}"')
        assert load_settings().ranker == meant
    (clean / "project" / "BAAI" / "own").mkdir(parents=True)
    monkeypatch.setenv("WEBBENCH_RANKER", "BAAI/own")
    assert load_settings().ranker == "BAAI/own", "a folder of a stranger takes no model's place"
    monkeypatch.setenv("WEBBENCH_RANKER", "../mine")
    assert load_settings().ranker == str(clean / "project" / ".." / "mine")
