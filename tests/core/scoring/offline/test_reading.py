"""Prediction files: every form is told apart, and what is broken is named with its line, the rest kept."""

from __future__ import annotations

import io
import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from webbench.core.errors import BadData
from webbench.core.scoring.offline import reading
from webbench.core.scoring.offline.offline_scorer import PredictionFile
from webbench.core.scoring.offline.reading import parse_predictions, read_predictions

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
ROWS = st.lists(st.dictionaries(st.text(), VALUES, max_size=4), min_size=1, max_size=6)


def parse(text: str | bytes) -> PredictionFile:
    return parse_predictions(text if isinstance(text, bytes) else text.encode(), "p.jsonl")


def rows(found: PredictionFile) -> list[object]:
    return [(record.line, record.data) for record in found.records]


def said(found: PredictionFile) -> list[str]:
    return [f"{problem.where} {problem.message}" for problem in found.problems]


class TestForms:
    def test_json_lines_with_blank_ones_and_windows_line_ends(self) -> None:
        found = parse('{"id": 1}\r\n\r\n  {"id": 2}\r\n')
        assert rows(found) == [(1, {"id": 1}), (3, {"id": 2})]
        assert found.problems == ()

    def test_a_list_knows_the_line_of_each_element(self) -> None:
        found = parse('\n[\n  {"id": "a,]}"},\n  {"id": "\\"",\n   "x": [1, {"y": 2}]}\n, {"id": 3}]\n')
        assert rows(found) == [
            (3, {"id": "a,]}"}),
            (4, {"id": '"', "x": [1, {"y": 2}]}),
            (6, {"id": 3}),
        ]
        assert found.problems == ()

    def test_one_object_over_many_lines(self) -> None:
        assert rows(parse('\n{\n "id": 1\n}\n')) == [(2, {"id": 1})]

    @settings(max_examples=examples(150), deadline=None)
    @given(ROWS, st.sampled_from(["lines", "list", "indented list"]), st.booleans())
    def test_what_was_written_is_read(self, data: list[dict[str, object]], form: str, escaped: bool) -> None:
        def dump(value: object, indent: int | None = None) -> str:
            return json.dumps(value, ensure_ascii=escaped, indent=indent)

        text = (
            "\n".join(map(dump, data))
            if form == "lines"
            else dump(data, indent=2 if form == "indented list" else None)
        )
        found = parse(text)
        assert found.problems == ()
        assert [record.data for record in found.records] == data


class TestTrouble:
    def test_a_broken_line_is_named_and_the_rest_kept(self) -> None:
        found = parse('{"id": 1}\n{"id": \n{"id": 3}')
        assert rows(found) == [(1, {"id": 1}), (3, {"id": 3})]
        assert said(found) == ["p.jsonl:2 broken JSON at character 8: Expecting value"]

    def test_a_broken_first_line_is_no_single_object(self) -> None:
        found = parse('{"id": \n{"id": 2}')
        assert rows(found) == [(2, {"id": 2})]
        assert said(found)[0].startswith("p.jsonl:1 broken JSON")

    def test_a_broken_element_leaves_the_others_whole(self) -> None:
        found = parse('[{"id": 1},\n{"id": nul},\n{"id": 3},\n4,]')
        assert rows(found) == [(1, {"id": 1}), (3, {"id": 3})]
        assert said(found) == [
            "p.jsonl:2 broken JSON at character 8: Expecting value",
            "p.jsonl:4 a number in place of an object",
        ]

    def test_a_list_that_was_cut_off(self) -> None:
        found = parse('[{"id": 1},\n{"id": 2}\n')
        assert rows(found) == [(1, {"id": 1}), (2, {"id": 2})]
        assert said(found) == ["p.jsonl:2 the list is never closed: is the file complete?"]

    def test_text_after_the_list(self) -> None:
        assert said(parse('[{"id": 1}]\n\n[]')) == ["p.jsonl:3 text after the end of the list"]

    @pytest.mark.parametrize(
        ("line", "kind"),
        [("null", "null"), ("true", "true or false"), ('"x"', "a text"), ("1.5", "a number")],
    )
    def test_what_is_no_object(self, line: str, kind: str) -> None:
        assert said(parse(f'{{"id": 1}}\n{line}')) == [f"p.jsonl:2 {kind} in place of an object"]

    def test_a_byte_order_mark_is_a_note(self) -> None:
        found = parse(b'\xef\xbb\xbf{"id": 1}')
        assert rows(found) == [(1, {"id": 1})]
        assert [problem.severity for problem in found.problems] == ["note"]

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b"", "the file is empty"),
            (b" \n\t\n", "the file is empty"),
            (b"[]", "it holds no predictions"),
            ('{"id": 1}'.encode("utf-16"), "it is UTF-16: save it as UTF-8"),
        ],
    )
    def test_nothing_to_read(self, content: bytes, message: str) -> None:
        found = parse(content)
        assert found.records == ()
        assert said(found) == [f"p.jsonl {message}"]
        assert found.problems[0].severity == "error"

    def test_bytes_that_are_no_utf_8_cost_one_line(self) -> None:
        found = parse(b'{"id": "a"}\n{"id": "\xff"}\n{"id": "\xc3\xa9"}')
        assert rows(found) == [(1, {"id": "a"}), (3, {"id": "é"})]
        assert said(found) == ["p.jsonl:2 no UTF-8 at character 9"]

    def test_nul_bytes_nan_and_depth(self) -> None:
        deep = '{"a": ' + "[" * 70 + "]" * 70 + "}"
        found = parse(f'{{"id": "\0"}}\n{{"id": NaN}}\n{deep}\n{{"id": 1}}')
        assert rows(found) == [(4, {"id": 1})]
        assert [problem.where for problem in found.problems] == ["p.jsonl:1", "p.jsonl:2", "p.jsonl:3"]

    def test_limits(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(reading, "LARGEST_RECORD", 20)
        monkeypatch.setattr(reading, "MOST_PROBLEMS", 2)
        found = parse('{"id": "' + "x" * 30 + '"}\n1\n2\n3\n{"id": 5}')
        assert rows(found) == [(5, {"id": 5})]
        assert said(found)[2:] == ["p.jsonl and 2 more problems"]
        monkeypatch.setattr(reading, "LARGEST_FILE", 5)
        assert "larger than" in said(parse('{"id": 5}'))[0]

    @settings(max_examples=examples(300), deadline=None)
    @given(st.binary(max_size=200) | st.text(alphabet='[]{},:"\\1a \n\0\ufeff', max_size=60).map(str.encode))
    def test_no_content_raises_and_nothing_is_silently_nothing(self, content: bytes) -> None:
        found = parse(content)
        assert found.records or found.problems
        lines = content.count(b"\n") + 1
        assert all(1 <= record.line <= lines for record in found.records)
        assert all(int(p.where.partition(":")[2] or 1) <= lines for p in found.problems)


class TestPlaces:
    def test_a_file_and_standard_input(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = tmp_path / "a.jsonl"
        path.write_text('{"id": 1}')
        assert read_predictions(str(path)).records[0].data == {"id": 1}
        stdin = SimpleNamespace(buffer=io.BytesIO(b'{"id": 2}'))
        monkeypatch.setattr("sys.stdin", stdin)
        found = read_predictions("-")
        assert found.place(found.records[0]) == "-:1"

    @pytest.mark.parametrize("name", ["nothing.jsonl", ".", "a\0b"])
    def test_no_such_file(self, name: str) -> None:
        with pytest.raises(BadData, match="can't be read"):
            read_predictions(name)
