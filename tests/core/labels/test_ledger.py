from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from webbench.core.errors import BadData, UsageError
from webbench.core.labels.label import Done, Label
from webbench.core.labels.ledger import Ledger
from webbench.core.store.secrets.redaction import Redaction


def label(annotator: str = "ann", **given: Any) -> Label:
    given = {"code": "loop", "step": 2, **given}
    return Label(run="r", episode="e", taxonomy="t", version=1, question="q", annotator=annotator, **given)


def test_a_later_label_supersedes_and_both_stay_on_disk(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.add([label(note="first")])
    ledger.add([label(code="misread"), label("bert")])
    ledger.add([label("bert", withdrawn=True)])
    book = Ledger(tmp_path).book()
    assert [(one.annotator, one.code) for one in book.labels] == [("ann", "misread")]
    assert book.labels[0].at
    assert (tmp_path / "labels" / "ann.jsonl").read_bytes().count(b"\n") == 2
    assert ledger.book() == book


def test_a_torn_last_line_is_told_and_what_comes_after_it_is_kept(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.add([label()])
    path = tmp_path / "labels" / "ann.jsonl"
    with path.open("ab") as file:
        file.write(b'{"kind":"label","run":"r')
    book = ledger.book()
    assert len(book.labels) == 1
    assert "is torn" in book.problems[0]
    ledger.add([label(step=3)])
    book = ledger.book()
    assert [one.step for one in book.labels] == [2, 3]
    assert "line 2, is damaged" in book.problems[0]


def test_a_name_can_lead_nowhere_else(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    for name in ("../ann", "", "a/b", ".hidden", "x" * 41):
        with pytest.raises(UsageError, match="no name for an annotator"):
            ledger.add([label(name)])
    ledger.add([label()])
    with pytest.raises(UsageError, match='"ann" already'):
        ledger.add([label("Ann")])


def test_a_line_of_somebody_else_or_of_a_newer_release_is_not_taken(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.add([label()])
    path = tmp_path / "labels" / "ann.jsonl"
    (tmp_path / "labels" / "bert.jsonl").write_bytes(path.read_bytes())
    assert "in the file of bert" in ledger.book().problems[0]
    (tmp_path / "labels" / "x\x1b[2J.jsonl").write_bytes(b"{}")
    (tmp_path / "labels" / "link.jsonl").symlink_to(path)
    assert ledger.annotators() == ["ann", "bert"]
    path.write_bytes(msgspec.json.encode({"kind": "label", "schema_version": 99}) + b"\n")
    with pytest.raises(BadData, match="newer release"):
        ledger.book()


def test_done_is_taken_back_by_a_later_line(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    done = Done(run="r", episode="e", taxonomy="t", annotator="ann")
    ledger.add([done])
    assert ledger.book().done == {("r", "e", "t", "ann")}
    ledger.add([msgspec.structs.replace(done, reopened=True)])
    assert not ledger.book().done


def test_secrets_never_reach_a_note(tmp_path: Path) -> None:
    Ledger(tmp_path, Redaction(secrets=["hunter22"])).add([label(note="typed hunter22")])
    assert b"hunter22" not in (tmp_path / "labels" / "ann.jsonl").read_bytes()
