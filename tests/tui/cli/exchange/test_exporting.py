"""`export`, `report` and `reindex` as a person calls them."""

import json
from pathlib import Path

from tests.core.exchange.account.full_episode import record_full
from tests.shared import need_matplotlib
from tests.tui.cli.program import Here
from tests.tui.cli.test_import_and_compare import LAMP, STOP, episode
from webbench.core.store.store import Store


def imported(tmp_path: Path, here: Here) -> tuple[str, list[str]]:
    """A store with two attempts; its path and the run of the first."""
    listed = [episode("model-a", LAMP, STOP), episode("model-b", LAMP, LAMP, STOP)]
    (tmp_path / "traces.json").write_text(json.dumps(listed))
    store = str(tmp_path / "store")
    assert here(tmp_path, "import", str(tmp_path / "traces.json"), "--store", store).code == 0
    return store, sorted(path.parents[1].name for path in Path(store).glob("*/*/episode.json"))


def test_a_run_is_exported_and_never_over_something_else(tmp_path: Path, here: Here) -> None:
    store, runs = imported(tmp_path, here)
    call = ("export", *runs, "--to", "jsonl", "--out", str(tmp_path / "out.jsonl"), "--store", store)

    done = here(tmp_path, *call, "--json")
    again = here(tmp_path, *call)
    forced = here(tmp_path, *call, "--force")
    back = here(tmp_path, "import", str(tmp_path / "out.jsonl"), "--dry-run", "--json")

    assert (done.code, again.code, forced.code, back.code) == (0, 2, 0, 0)
    assert done.json["exported"]["episodes"] == back.json["episodes"] == 2
    assert "--force" in again.err
    assert "as jsonl" in forced.out


def test_what_can_not_be_exported(tmp_path: Path, here: Here) -> None:
    store, runs = imported(tmp_path, here)

    unknown = here(tmp_path, "export", runs[0], "--to", "jsonnl", "--out", "x", "--store", store)
    nothing = here(tmp_path, "export", runs[0], "--to", "har", "--out", "x.har", "--store", store)
    nowhere = here(tmp_path, "export", "nobody", "--to", "jsonl", "--out", "x", "--store", store)

    assert (unknown.code, nothing.code, nowhere.code) == (2, 4, 2)
    assert "did you mean jsonl" in unknown.err
    assert not list(tmp_path.glob("x*"))


def test_what_is_one_file_goes_to_stdout(tmp_path: Path, here: Here) -> None:
    store, runs = imported(tmp_path, here)
    call = ("--store", store, "--out")
    file = tmp_path / "out.jsonl"

    piped = here(tmp_path, "export", *runs, "--to", "jsonl", *call, "-")
    named = here(tmp_path, "export", *runs, "--to", "jsonl", *call, str(file))
    nothing = here(tmp_path, "export", runs[0], "--to", "har", *call, "-")

    assert (piped.code, named.code, nothing.code) == (0, 0, 4)
    assert piped.out == file.read_text("utf-8")
    assert "stdout: 2 episodes" in piped.err
    assert nothing.out == ""
    for words, why in (
        ((*runs, "--to", "csv"), "csv is written as a folder"),
        ((*runs, "--to", "html"), "2 episodes as html"),
        ((*runs, "--to", "jsonl", "--json"), "--json"),
    ):
        refused = here(tmp_path, "export", *words, *call, "-")
        assert (refused.code, refused.out) == (2, "")
        assert why in refused.err
    assert not (tmp_path / "-").exists()


def test_reports_of_an_episode_and_of_two(tmp_path: Path, here: Here) -> None:
    store, _ = imported(tmp_path, here)
    names = sorted(path.parent.name for path in Path(store).glob("*/*/episode.json"))
    page, both = tmp_path / "page.html", tmp_path / "both.html"

    one = here(tmp_path, "report", names[0], "--html", str(page), "--store", store, "--json")
    two = here(tmp_path, "report", *names, "--html", str(both), "--store", store)

    assert (one.code, one.json["kind"], two.code) == (0, "an episode", 0)
    assert one.json["bytes"] == page.stat().st_size
    assert "click link &#34;Lamp&#34;" in page.read_text()
    assert "They part in row 2" in both.read_text()


def test_figures_of_runs_and_what_they_refuse(tmp_path: Path, here: Here) -> None:
    need_matplotlib()
    store, runs = imported(tmp_path, here)
    call = ("figures", runs[0], "--store", store, "--out", str(tmp_path / "drawn"))

    drawn = here(tmp_path, *call, "--kind", "tasks", "--format", "svg", "--json")
    again = here(tmp_path, *call, "--kind", "tasks")
    empty = here(tmp_path, *call[:-1], str(tmp_path / "empty"), "--kind", "survival")
    odd = here(tmp_path, *call, "--kind", "forrest")
    neither = here(tmp_path, "report", runs[0], "--store", store)

    assert (drawn.code, drawn.json["files"]) == (0, ["tasks.csv", "tasks.svg", "tasks.tex"])
    assert (again.code, odd.code, neither.code) == (2, 2, 2)
    assert "forest" in odd.err
    assert "--appendix" in neither.err
    assert (empty.code, "there is one run alone" in empty.out) == (1, True)


def test_the_index_is_built_anew(tmp_path: Path, here: Here) -> None:
    store, runs = imported(tmp_path, here)
    broken = next(Path(store, runs[0]).glob("*/episode.json"))

    whole = here(tmp_path, "reindex", "--store", store, "--json")
    broken.write_text("{")
    partial = here(tmp_path, "reindex", "--store", store)
    nowhere = here(tmp_path, "reindex", "--store", str(tmp_path / "nowhere"))

    assert (whole.code, whole.json["episodes"], whole.json["problems"]) == (0, 2, [])
    assert (partial.code, nowhere.code) == (4, 2)
    assert broken.parent.name in partial.err


def test_an_export_tells_kind_by_kind_what_the_file_gives_back(tmp_path: Path, here: Here) -> None:
    name = record_full(Store(tmp_path / "store"))
    store = ("--store", str(tmp_path / "store"))

    told = here(tmp_path, "export", name, *store, "--to", "atif", "--out", str(tmp_path / "out"))
    as_json = here(
        tmp_path, "export", name, *store, "--to", "atif", "--out", str(tmp_path / "again"), "--json"
    )

    assert told.code == as_json.code == 0
    html = next(line for line in told.out.splitlines() if line.startswith("html"))
    assert html.split()[:3] == ["html", "4", "0"]
    rows = {row["kind"]: (row["source"], row["recorded"]) for row in as_json.json["exported"]["account"]}
    assert (rows["html"], rows["trees"], rows["times"]) == ((4, 0), (4, 4), (13, 13))


def test_a_round_trip_tells_what_is_equal_and_what_differs(tmp_path: Path, here: Here) -> None:
    name = record_full(Store(tmp_path / "store"))
    store = ("--store", str(tmp_path / "store"))

    told = here(tmp_path, "round-trip", name, *store, "--to", "jsonl")
    unread = here(tmp_path, "round-trip", name, *store, "--to", "csv")

    assert told.code == 1
    assert "0 episodes of 1 equal after jsonl and back" in told.out
    assert f'{name} - files.receipt.txt: "MSB0ZWE="' in told.out.splitlines()
    assert unread.code == 2
