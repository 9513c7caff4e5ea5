"""Round trips: an episode with something of every kind comes back equal, or what differs is told."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from tests.core.exchange.account.full_episode import record_full
from tests.core.exchange.round_trip import brought_in, folders, written
from tests.known_exporters import known_exporters
from tests.shared import need_shared
from webbench.core.action.action import Click, ElementRef, Goto, Press, Say, Stop
from webbench.core.errors import UsageError
from webbench.core.exchange.account.differences import Value, differences
from webbench.core.exchange.account.episode_parts import (
    OF_HEADERS,
    OF_STEPS,
    other_fields,
    other_fields_of_header,
)
from webbench.core.exchange.account.given import FOLDERS_STAY, Places
from webbench.core.exchange.account.kinds import KINDS
from webbench.core.exchange.account.tally import Reason, Tally
from webbench.core.exchange.atif import atif_exporter
from webbench.core.exchange.export_format import Source, find_exporter, format_read_by
from webbench.core.exchange.import_format import ImportedStep, known_formats
from webbench.core.exchange.own.carried_fields import (
    header_told,
    header_with,
    score_beside,
    score_with,
    steps_with,
)
from webbench.core.exchange.own.jsonl import JsonLinesExporter
from webbench.core.exchange.round_trip import (
    NEW_STEP,
    UNEXPLAINED,
    RoundTrip,
    aligned,
    reader_of,
    round_trip,
)
from webbench.core.json_types import JsonObject
from webbench.core.score.score import Score, Status, not_scored
from webbench.core.store.records import codec
from webbench.core.store.secrets.outgoing import origin_without_folders
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import IMPORTED, EpisodeHeader, Step

FORMATS = {one.name for one in known_formats()}
BOTH_WAYS = [one.name for one in known_exporters() if format_read_by(one) in FORMATS]


def differing(found: RoundTrip) -> set[str]:
    return {one.kind for one in found.kinds if not one.is_equal}


def test_our_own_lines_come_back_equal_but_for_files(store: Store) -> None:
    found = round_trip(store, store.find(record_full(store)), find_exporter("jsonl"))

    assert differing(found) == {"files"}
    assert [line.partition(": ")[2] for line in found.lost] == ["the file receipt.txt kept with it"]
    counts = {one.kind: one.equal for one in found.kinds}
    assert counts["labels"] == 5  # a label, a memo, who is through, a dispute and its ruling
    assert (counts["actions"], counts["times"], counts["notes"], counts["pictures"]) == (3, 13, 3, 4)


def test_data_sets_come_back_equal_but_for_labels_and_files(store: Store) -> None:
    found = round_trip(store, store.find(record_full(store)), find_exporter("huggingface"))

    assert differing(found) == {"labels", "files"}


@pytest.mark.parametrize("name", BOTH_WAYS)
def test_every_format_that_is_written_and_read_comes_back_equal_or_told(store: Store, name: str) -> None:
    found = round_trip(store, store.find(record_full(store, every_field=True)), find_exporter(name))

    assert found.problem == ""
    assert {"episodes", "steps", "actions", "times", "values"} <= {one.kind for one in found.kinds}
    assert [line for line in found.lost if "unexplained" in line] == []
    for one in found.kinds:
        if not one.is_equal:
            assert one.gone or one.new, one.kind
            assert one.differences, one.kind
            assert one.unexplained == [], one.kind


def test_no_field_of_the_tried_episode_is_as_usual(store: Store) -> None:
    record = store.load(store.find(record_full(store, every_field=True)))
    told = {name for step in record.steps for name, _ in other_fields(step, None)}
    told |= {name for name, _ in other_fields_of_header(record.header)}

    # what the store writes itself, what only a copy has, and what is withheld while an episode goes on
    besides = {"steps.source", "header.gold_withheld"}
    fields = {f"steps.{name}" for name in Step.__struct_fields__ if name not in OF_STEPS}
    fields |= {f"header.{name}" for name in EpisodeHeader.__struct_fields__ if name not in OF_HEADERS}
    assert {f"values.{name}" for name in fields - besides} - told == set()


@pytest.mark.parametrize("lost", ["driver", "versions", "kind"])
def test_one_more_value_of_a_kind_that_is_lost_is_a_finding(
    store: Store, monkeypatch: pytest.MonkeyPatch, lost: str
) -> None:
    def forgetful(header: EpisodeHeader) -> JsonObject:
        told = header_told(header)
        del told["header"][lost]
        return told

    monkeypatch.setattr(atif_exporter, "header_told", forgetful)

    found = round_trip(store, store.find(record_full(store, every_field=True)), find_exporter("atif"))

    [values] = [one for one in found.kinds if one.kind == "values"]
    assert [name.rpartition(".")[2] for name in values.unexplained] == [lost]
    assert values.why.startswith(UNEXPLAINED)


def test_no_reason_explains_a_whole_kind_of_values_or_of_rewritten_parts() -> None:
    for exporter in map(find_exporter, BOTH_WAYS):
        places = getattr(exporter, "places", Places())
        named = {*places.rewritten, *places.adds, *places.partly, *places.no_place}
        assert "values" not in named, exporter.name
        assert not set(KINDS) & set(places.rewritten), exporter.name


def test_a_reason_holds_for_what_it_names_and_for_no_more_than_was_counted() -> None:
    gone = Counter({(1, "values.steps.ok", b"false"): 1, (1, "times.at", b'"x"'): 1})
    reasons = [Reason(sort="left", why="no room", count=1)]

    def explained(places: Places, counted: list[Reason], came: Counter[Value]) -> dict[str, str]:
        found = differences(gone, Counter(), came, places, counted, {})
        return {one.name: one.why for one in found}

    assert explained(Places(no_place={"values.steps": "no field"}), [], Counter()) == {
        "times.at": "",
        "values.steps.ok": "no field",
    }
    came = Counter({(2, "values.steps.ok", b"false"): 1})
    assert explained(Places(no_place={"values.steps": "no field"}), [], came)["values.steps.ok"] == ""
    assert explained(Places(), reasons, Counter())["times.at"] == "no room"
    assert explained(Places(), reasons, Counter())["values.steps.ok"] == ""


@pytest.mark.parametrize("name", BOTH_WAYS)
def test_where_a_record_came_from_survives_another_format(store: Store, tmp_path: Path, name: str) -> None:
    """But for the folders that it lay in, which may tell who a person is."""
    before = {"format": "inspect", "from": r"C:\Users\ann\first.eval"}
    first = {"format": "nnetnav", "from": "/home/ann/b.jsonl", "number": 3, "made_by": "NNetNav 1.2"}
    folder = store.find(record_full(store))
    record = store.load(folder)
    settings = {**record.header.settings, IMPORTED: {**first, "origin": before}}
    header = msgspec.structs.replace(record.header, settings=settings)
    (folder / "episode.json").write_bytes(codec.encode(header))

    written(name, store, [store.load(folder)], tmp_path / f"out{find_exporter(name).ending}")
    out = tmp_path / f"out{find_exporter(name).ending}"
    _, [back] = brought_in(reader_of(find_exporter(name)), out, Store(tmp_path / "back"))

    here = {**first, "from": "b.jsonl", "origin": {**before, "from": "first.eval"}}
    assert back.header.settings[IMPORTED]["origin"] == here
    files = [out] if out.is_file() else [one for one in out.rglob("*") if one.is_file()]
    assert not any(name in file.read_bytes() for file in files for name in (b"/home/ann", b"Users"))
    found = round_trip(store, folder, find_exporter(name))
    told = {one.name: one.why for kind in found.kinds for one in kind.differences}
    assert told["values.origin.from"] == told["values.origin.origin.from"] == FOLDERS_STAY


def test_an_address_on_the_network_stays_whole_in_an_origin() -> None:
    for place, told in (
        ("hf://datasets/own/set@1/a.json", "hf://datasets/own/set@1/a.json"),
        ("file:///home/ann/a.json", "a.json"),
        ("/home/ann/runs/", "runs"),
    ):
        assert origin_without_folders({"from": place}) == {"from": told}
    assert [origin_without_folders(odd) for odd in (None, "x", 1, ["x"])] == [None, "x", 1, ["x"]]


def test_of_two_scores_in_a_file_the_formats_own_holds_and_the_other_is_told() -> None:
    """A file that we exported may have been judged anew since."""
    anew, same = judged("the verifier", 0.5), judged("the verifier", 1.0)
    ours: JsonObject = {"score": msgspec.to_builtins(judged("ours", 1.0))}
    for combined in (score_with, score_beside):
        lost = Tally().losses()
        assert combined(anew, ours, lost) == anew
        assert lost == ["a score of 1 that an export of ours told: the file's own is 0.5, and holds"]
        assert combined(same, ours, lost) == judged("ours", 1.0)
    assert score_beside(not_scored("no verdict"), ours, Tally().losses()) == judged("ours", 1.0)


def judged(evaluator: str, value: float) -> Score:
    return Score(status=Status.SCORED, value=value, evaluator=evaluator)


@pytest.mark.parametrize("odd", [None, 1, "x", [], {}, [None], {"a": None}, "2026-13-99T00:00:00"])
def test_what_an_export_told_is_read_as_a_strangers(odd: object) -> None:
    lost = Tally().losses()
    plain = EpisodeHeader(run="", episode="", task=Task(benchmark="b", name="n"), actor="a", dialect="")
    fields = dict.fromkeys(("started", "ended", "rules", "versions", "warnings", "intent"), odd)
    own = {"header": {**fields, "seed": odd}, "task": odd, "actor": odd, "score": odd}

    back = header_with(plain, own, lost)

    assert (back.started, back.ended, back.seed) == ("", "", 0)
    assert isinstance(back.task.name, str)
    step = ImportedStep(Step(index=1, at="2026-01-01T00:00:00.000+00:00"))
    [told] = steps_with(
        [step], {"steps": [odd, {"step": 1, "at": None if odd == 1 else odd, "action": None}]}, lost
    )
    assert told.step.at == step.step.at


def test_words_that_an_export_told_as_none_are_no_action_of_the_source() -> None:
    tally = Tally()
    tally.count("actions")
    said = ImportedStep(Step(index=1, at="", text="Hm", action=Say(text="Hm")))

    [told] = steps_with([said], {"steps": [{"step": 1, "text": "Hm", "action": None}]}, tally.losses())

    assert (told.step.action, tally.source["actions"]) == (None, 0)


def test_steps_are_aligned_by_what_was_done() -> None:
    did = [None, Goto(url="http://a.test/"), Click(target=ElementRef(name="Buy")), Stop(answer="done")]
    before = [Step(index=at, at="", action=one) for at, one in enumerate(did)]
    after = [before[0], Step(index=1, at="", action=Press(keys="Tab")), before[2], before[3]][:]

    assert aligned(before, after) == [0, 1, 2, 3]  # as many: a step that is another one is its counterpart
    assert aligned(before, [*after, before[3]]) == [0, NEW_STEP + 1, 2, 3, NEW_STEP + 4]
    assert aligned(before, [before[0], before[2]]) == [0, 2]


def test_a_value_that_came_back_as_another_differs(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    write = JsonLinesExporter.write

    def garbled(self: JsonLinesExporter, source: Source, path: Path) -> None:
        write(self, source, path)
        path.write_text(path.read_text().replace('"button":"right"', '"button":"left"'))

    monkeypatch.setattr(JsonLinesExporter, "write", garbled)

    found = round_trip(store, store.find(record_full(store)), JsonLinesExporter())

    (actions,) = [one for one in found.kinds if one.kind == "actions"]
    assert (actions.before, actions.after, actions.equal) == (3, 3, 2)
    assert '"button":"right"' in actions.gone[0]
    assert actions.unexplained == ["actions.button"]
    assert actions.why.startswith(UNEXPLAINED)


@pytest.mark.parametrize(("name", "folder"), [("atif", "atif"), ("opentelemetry", "otel-genai")])
def test_what_goes_back_into_its_own_format_differs_in_its_origin_alone(
    store: Store, name: str, folder: str
) -> None:
    brought_in(name, need_shared("data/formats-2026", folder), store)
    found = [round_trip(store, one, find_exporter(name)) for one in folders(store)]

    assert [one.problem for one in found if one.problem] == []
    unexplained = [kind.unexplained for one in found for kind in one.kinds if not kind.is_equal]
    assert not any(unexplained)
    apart = [one for one in found if differing(one) == {"values"} and len(one.lost) == 0]
    assert len(apart) > len(found) * 0.8


def test_what_is_not_read_has_no_round_trip() -> None:
    with pytest.raises(UsageError):
        reader_of(find_exporter("csv"))


@pytest.mark.parametrize(
    ("name", "pattern", "to"),
    [
        ("atif", "atif/**/multi_tool_trajectory.json", ("inspect", "adp")),
        ("browser-use", "browser-use/**/agent_history.json", ("atif", "inspect", "verifiers")),
        *(
            pytest.param(*one, marks=pytest.mark.thorough)
            for one in [
                ("midscene", "midscene/**/web-github.json", ("opentelemetry", "atif")),
                ("opentelemetry", "otel-genai/**/claude-agent*.json", ("atif", "inspect", "adp")),
            ]
        ),
    ],
)
def test_what_came_from_one_format_goes_into_another_with_all_that_was_done(
    shared: Path, tmp_path: Path, name: str, pattern: str, to: tuple[str, ...]
) -> None:
    """Actions, pictures, reasoning, tokens, cost, as those of our own records; and once more from there."""
    store = Store(tmp_path / "s")
    brought_in(name, min((shared / "data/formats-2026").glob(pattern)), store)
    for other in to:
        exporter = find_exporter(other)
        found = round_trip(store, folders(store)[0], exporter)
        lost = {one.kind for one in found.kinds if one.unexplained}
        assert (found.problem, lost - {"values", "times"}) == ("", set()), other
        out = tmp_path / f"out-{other}{exporter.ending}"
        written(other, store, [store.load(folders(store)[0])], out)
        theirs = Store(tmp_path / other)
        brought_in(reader_of(exporter), out, theirs)
        again = round_trip(theirs, folders(theirs)[0], exporter)
        lost = {one.kind for one in again.kinds if one.unexplained}
        assert (again.problem, lost - {"times"}) == ("", set()), other
