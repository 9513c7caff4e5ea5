"""Round trips: an episode with something of every kind comes back equal, or what differs is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.exchange.account.full_episode import record_full
from tests.core.exchange.round_trip import brought_in, folders
from tests.shared import need_shared
from webbench.core.errors import UsageError
from webbench.core.exchange.export_format import Source, find_exporter, known_exporters
from webbench.core.exchange.import_format import known_formats
from webbench.core.exchange.own.jsonl import JsonLinesExporter
from webbench.core.exchange.round_trip import UNEXPLAINED, RoundTrip, reader_of, round_trip
from webbench.core.store.store import Store

FORMATS = {one.name for one in known_formats()}
BOTH_WAYS = [one.name for one in known_exporters() if getattr(one, "read_by", one.name) in FORMATS]


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
    found = round_trip(store, store.find(record_full(store)), find_exporter(name))

    assert found.problem == ""
    assert {"episodes", "steps", "actions", "times", "values"} <= {one.kind for one in found.kinds}
    assert [line for line in found.lost if "unexplained" in line] == []
    for one in found.kinds:
        if not one.is_equal:
            assert one.gone or one.new, one.kind
            assert one.why not in ("", UNEXPLAINED), one.kind


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
    assert actions.why == UNEXPLAINED


@pytest.mark.parametrize(("name", "folder"), [("atif", "atif"), ("opentelemetry", "otel-genai")])
def test_what_goes_back_into_its_own_format_differs_in_its_origin_alone(
    store: Store, name: str, folder: str
) -> None:
    brought_in(name, need_shared("data/formats-2026", folder), store)
    found = [round_trip(store, one, find_exporter(name)) for one in folders(store)]

    assert [one.problem for one in found if one.problem] == []
    whys = [kind.why for one in found for kind in one.kinds if not kind.is_equal]
    assert not [why for why in whys if why in ("", UNEXPLAINED)]
    apart = [one for one in found if differing(one) == {"values"} and len(one.lost) == 0]
    assert len(apart) > len(found) * 0.8


def test_what_is_not_read_has_no_round_trip() -> None:
    with pytest.raises(UsageError):
        reader_of(find_exporter("csv"))
