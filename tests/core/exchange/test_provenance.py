"""Where an episode came from, and when it was, survive an export and an import of it."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.core.exchange.account.full_episode import record_full
from tests.core.exchange.round_trip import folders
from tests.known_exporters import known_exporters
from tests.shared import need_shared
from webbench.core.exchange.detection import find
from webbench.core.exchange.export_format import Exported, find_exporter, format_read_by
from webbench.core.exchange.exporting import export
from webbench.core.exchange.import_format import find_format, known_formats
from webbench.core.exchange.importing import bring_in
from webbench.core.exchange.own.carried_fields import with_origin, without_origin
from webbench.core.exchange.own.origins import origins_words
from webbench.core.exchange.round_trip import RoundTrip, reader_of, round_trip
from webbench.core.json_types import JsonObject
from webbench.core.store.secrets.outgoing import origin_without_folders
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import IMPORTED, EpisodeHeader, known_end

FORMATS = {one.name for one in known_formats()}
BOTH_WAYS = [one.name for one in known_exporters() if format_read_by(one) in FORMATS]


def imported(root: Path, path: Path, format: str) -> tuple[Store, Path]:
    """A store with what lies at a path, and its first episode's folder."""
    store = Store(root)
    list(bring_in(path, [find_format(format)], store))
    return store, min(one.parent for one in store.root.glob("*/*/episode.json"))


@pytest.mark.parametrize(
    "format", ["adp", "atif", "browser-use", "inspect", "opentelemetry", "webbench-jsonl"]
)
def test_the_origin_survives_and_the_time_of_an_import_is_no_end(tmp_path: Path, format: str) -> None:
    store, folder = imported(tmp_path / "first", need_shared("data/trajectories/nnetnav"), "nnetnav")
    before = store.load(folder).header
    out = tmp_path / "out"
    export(store, [folder], find_exporter(format.removeprefix("webbench-")), out)
    again, copy = imported(tmp_path / "again", out, format)
    after = again.load(copy).header
    source, told = before.settings[IMPORTED], after.settings[IMPORTED]
    assert isinstance(source, dict)
    assert isinstance(told, dict)
    here = source | {"from": Path(str(source["from"])).name}
    assert (told["format"], told["origin"]) == (format, here)
    if format == "opentelemetry":  # a span has no place for a time that nobody knows
        return
    assert (known_end(before), known_end(after), after.started) == ("", "", "")
    assert [one.ended for one in again.episodes()] == [""]


QUICK = [
    ("atif", "atif/Arize-ai__phoenix/fixtures/multi_tool_trajectory.json"),
    ("inspect", "inspect-ai/**/*_browser.json"),
    ("opentelemetry", "otel-genai/langwatch__langwatch/**/opencode-B.doStream.json"),
    ("verifiers", "verifiers/willccbb__verifiers/mcp_env/**/468ee950/results.jsonl"),
]
SLOWER = [
    ("opentelemetry", "otel-genai/agentevals-dev__agentevals/samples/k8s.json"),
    ("opentelemetry", "otel-genai/agentevals-dev__agentevals/samples/tempo_export_with_batches.json"),
    ("opentelemetry", "otel-genai/langfuse__langfuse/framework-traces/crewai-2025-07-11.trace.json"),
    ("verifiers", "verifiers/intertwine__security-verifiers/**/results.jsonl"),
    ("browser-use", "browser-use/**/*istory.json"),
    ("devtools-recorder", "devtools-recorder/**/coffee-cart.json"),
]
SOURCES = [*QUICK, *(pytest.param(*one, marks=pytest.mark.thorough) for one in SLOWER)]


@pytest.mark.parametrize(("format", "pattern"), SOURCES)
def test_what_goes_out_as_it_came_keeps_its_first_origin_through_any_number_of_rounds(
    shared: Path, tmp_path: Path, format: str, pattern: str
) -> None:
    """And the record stays the same, but for the files that it came through."""
    path = min((shared / "data/formats-2026").glob(pattern))
    exporter = find_exporter(format)
    store = Store(tmp_path / "0")
    list(bring_in(path, [find_format(format)], store))
    [first, *_] = folders(store)
    before = store.load(first)
    assert differing_in(round_trip(store, first, exporter)) <= {"values.origin.from"}
    expected = origin_without_folders(before.header.settings[IMPORTED])
    kept, out = first, path
    for number in range(1, 4):
        out = tmp_path / f"out{number}{exporter.ending}"
        export(store, [kept], exporter, out)
        store = Store(tmp_path / str(number))
        list(bring_in(out, [find_format(format)], store))
        kept = min(folders(store))
        header = store.load(kept).header
        origin = header.settings[IMPORTED]["origin"]
        assert origin == expected
        expected = origin_without_folders(header.settings[IMPORTED])
        assert isinstance(expected, dict)
        for _ in range(number):
            origin = origin.get("origin", origin)
        assert (origin["format"], origin["from"]) == (format, path.name)
        assert (header.task, other_settings(header)) == (before.header.task, other_settings(before.header))
        assert store.load(kept).steps == before.steps


@pytest.mark.parametrize(("format", "pattern"), SOURCES)
def test_our_own_lines_of_any_source_are_known_as_ours(
    shared: Path, tmp_path: Path, format: str, pattern: str
) -> None:
    """They keep what the source said, which looks like the source; also with Python's own spaces."""
    path = min((shared / "data/formats-2026").glob(pattern))
    store = Store(tmp_path / "s")
    list(bring_in(path, [find_format(format)], store))
    out = tmp_path / "out" / "a.jsonl"
    out.parent.mkdir()
    export(store, folders(store)[:1], find_exporter("jsonl"), out)
    spaced = "\n".join(json.dumps(json.loads(line)) for line in out.read_bytes().splitlines())
    (out.parent / "b.jsonl").write_text(spaced)

    found = [(one.format.name, one.claim.kind) for one in find(out.parent, known_formats()) if one.format]

    assert found == [("webbench-jsonl", "episodes")] * 2


def other_settings(header: EpisodeHeader) -> JsonObject:
    return {name: one for name, one in header.settings.items() if name != IMPORTED}


def differing_in(found: RoundTrip) -> set[str]:
    assert found.problem == ""
    return {one.name for kind in found.kinds for one in kind.differences}


@pytest.mark.parametrize("odd", [None, "", "x", "{}", '{"a": "}"} ', [1], {}, {"a": 1}, "absent"])
@pytest.mark.parametrize("key", ["info", "metadata"])
def test_where_an_origin_is_told_the_rest_stays_what_it_was(odd: object, key: str) -> None:
    """An object, JSON in a text, or nothing; into anything else nothing is told, which is a loss."""
    holder: JsonObject = {"before": 1, "after": 2} if odd == "absent" else {"before": 1, key: odd, "after": 2}
    task = Task(benchmark="b", name="n")
    origin = {"format": "f", "from": 'a/b "webbench": {}.json'}
    header = EpisodeHeader(run="", episode="", task=task, actor="a", dialect="", settings={IMPORTED: origin})
    lost = Exported(path="", format="")

    told = with_origin(holder, key, header, lost)

    bare, own = without_origin(told, key)
    assert bare == holder
    if odd in ("x", [1]):
        assert (own, lost.lost) == ({}, [f"where it came from: what stands in its {key} is no object"])
        return
    assert lost.lost == []
    assert own["origin"] == {"format": "f", "from": 'b "webbench": {}.json'}
    assert type(told[key]) is (str if isinstance(odd, str) and odd != "absent" else dict)


@pytest.mark.parametrize("place", [{"webbench": {"theirs": 1}}, '{"webbench": {"theirs": 1}}'])
def test_what_others_keep_under_our_name_stays(place: object) -> None:
    holder: JsonObject = {"info": place}
    header = EpisodeHeader(
        run="",
        episode="",
        task=Task(benchmark="b", name="n"),
        actor="a",
        dialect="",
        settings={IMPORTED: {"format": "f"}},
    )
    lost = Exported(path="", format="")

    assert with_origin(holder, "info", header, lost) == holder
    assert lost.lost == ["where it came from: its info has something else named webbench"]


def test_of_many_files_that_an_episode_came_through_the_last_ones_and_the_first_are_told() -> None:
    """So that no file becomes too deep to be read."""
    origin: JsonObject = {"format": "first", "from": "/home/ann/a.json", "number": 1}
    for number in range(100):
        origin = {"format": "atif", "from": f"/home/ann/{number}.json", "origin": origin}

    told = origin_without_folders(origin)

    names = []
    while isinstance(told, dict):
        names.append(told["from"])
        told = told.get("origin")
    assert names == [*(f"{number}.json" for number in range(99, 92, -1)), "a.json"]


@pytest.mark.parametrize(
    "name",
    [
        one if one in ("atif", "verifiers") else pytest.param(one, marks=pytest.mark.thorough)
        for one in BOTH_WAYS
    ],
)
def test_a_record_of_ours_that_came_back_goes_out_again_as_whole_as_before(store: Store, name: str) -> None:
    """A colleague imports what we exported, and exports it again."""
    exporter = find_exporter(name)
    record_full(store, every_field=True)
    [mine] = folders(store)
    out = store.root.parent / f"out{exporter.ending}"
    export(store, [mine], exporter, out)
    theirs = Store(store.root.parent / "theirs")
    list(bring_in(out, [find_format(reader_of(exporter))], theirs))
    [back] = folders(theirs)

    found = round_trip(theirs, back, exporter)

    assert found.problem == ""
    assert [name for kind in found.kinds for name in kind.unexplained] == []
    assert {kind.kind for kind in found.kinds if not kind.is_equal} <= {"values"}
    again = export(theirs, [back], exporter, store.root.parent / f"again{exporter.ending}")
    assert not [line for line in again.lost if "others added" in line]


def test_what_others_added_to_a_file_of_ours_is_told_where_it_does_not_go_out_again(store: Store) -> None:
    record_full(store, every_field=True)
    [mine] = folders(store)
    out = store.root.parent / "out"
    export(store, [mine], find_exporter("atif"), out)
    document = json.loads((out / "trajectory.json").read_text())
    document["notes"] = "a colleague's"
    document["steps"][-1].setdefault("extra", {})["potato"] = {"rating": 3}
    (out / "trajectory.json").write_text(json.dumps(document))
    theirs = Store(store.root.parent / "theirs")
    list(bring_in(out, [find_format("atif")], theirs))
    [back] = folders(theirs)

    told = export(theirs, [back], find_exporter("atif"), store.root.parent / "again")

    assert [line for line in told.lost if "others added" in line] == [
        "what others added to the file that it came back in: notes, steps.rest.extra"
    ]


@pytest.mark.parametrize(
    ("format", "pattern", "words"),
    [
        ("atif", "atif/**/harbor_openhands.json", "(atif ATIF-v1.5, by openhands 1.1.0)"),
        ("inspect", "inspect-ai/**/*_browser.json", "(inspect 2, by inspect_ai 0.3.95.dev16+g6527d0861)"),
        (
            "opentelemetry",
            "otel-genai/**/crewai-2025-07-11.trace.json",
            "(opentelemetry, by openinference.instrumentation.litellm 0.1.23)",
        ),
        ("midscene", "midscene/**/web-github.json", "(midscene, by midscene 1.0.2)"),
        ("verifiers", "verifiers/willccbb__verifiers/mcp_env/**/468ee950/results.jsonl", "(verifiers)"),
    ],
)
def test_an_origin_names_format_file_tool_and_versions(
    shared: Path, tmp_path: Path, format: str, pattern: str, words: str
) -> None:
    path = min((shared / "data/formats-2026").glob(pattern))
    store = Store(tmp_path / "s")
    list(bring_in(path, [find_format(format)], store))
    [first, *_] = folders(store)
    export(store, [first], find_exporter("jsonl"), tmp_path / "a.jsonl")
    again, copy = imported(tmp_path / "again", tmp_path / "a.jsonl", "webbench-jsonl")

    told = origins_words(again.load(copy).header)

    release = f"webbench-tui {version('webbench-tui')}"
    here = f"imported from {tmp_path / 'a.jsonl'} (webbench-jsonl, by {release})"
    assert told == f"{here}, which came from {path.name} {words}"


def test_a_log_of_inspect_does_not_end_when_it_was_imported(tmp_path: Path) -> None:
    store, folder = imported(tmp_path / "first", need_shared("data/trajectories/nnetnav"), "nnetnav")
    out = tmp_path / "log.json"
    export(store, [folder], find_exporter("inspect"), out)
    assert store.load(folder).header.ended.encode() not in out.read_bytes()


def test_episodes_whose_steps_are_not_public_have_no_count_of_steps(tmp_path: Path) -> None:
    annotations = need_shared("data/trajectories/agent-reward-bench-annotations")
    rows = (annotations / "annotations.csv").read_text("utf-8").splitlines()[:3]
    (tmp_path / "annotations.csv").write_text("\n".join(rows))
    store, _ = imported(tmp_path / "store", tmp_path / "annotations.csv", "agent-reward-bench")
    for one in store.episodes():
        assert (one.steps, one.steps_words) == (0, "–")
        assert "the episodes are not public" in one.reason_words
