"""Tables and texts: aligned by display width, ids kept whole, nothing hostile let through."""

from __future__ import annotations

import pytest

from webbench.core.text.plain_text import display_width
from webbench.tui.cli.output import folded, print_text, table, wrapped

ROWS = [
    ("0001_kaufen", "日本語のとても長い説明文がここに入ります", 1, "a"),
    ("0002_買い物", "plain", 22, "b"),
]
HEADERS = ("episode", "intent", "n", "kind")


def columns_of(text: str) -> list[list[int]]:
    """Cell at which each column starts, per line, judged by the rule below the headers."""
    return [[display_width(line[: line.find(word)]) for word in words] for line, words in cells(text)]


def cells(text: str) -> list[tuple[str, list[str]]]:
    lines = text.splitlines()
    return [(lines[2], ["0001_kaufen", "日本"]), (lines[3], ["0002_買い物", "plain"])]


def test_columns_are_aligned_by_display_width() -> None:
    first, second = columns_of(table(HEADERS, ROWS, numbers=(2,)))
    assert first == second == [0, 13]


def test_only_flexible_columns_give_way() -> None:
    narrow = table(HEADERS, ROWS, numbers=(2,), flexible=(1,), room=36)
    assert max(map(display_width, narrow.splitlines())) <= 36
    assert "0001_kaufen" in narrow
    assert "0002_買い物" in narrow
    assert "…" in narrow


def test_folded_columns_go_on_in_the_next_line_and_lose_nothing() -> None:
    why = "the answer holds 日本語のとても長い説明文 and more words than there is room for"
    shown = table(("id", "why"), [("0001_kaufen", why), ("b", "short")], flexible=(1,), room=36, fold=True)
    lines = shown.splitlines()
    assert max(map(display_width, lines)) <= 36
    assert "…" not in shown
    assert "".join(line[13:] for line in lines[2:-1]).replace(" ", "").endswith("isroomfor")
    body = "".join(line.removeprefix("0001_kaufen") for line in lines[2:-1])
    assert body.replace(" ", "") == why.replace(" ", "")


@pytest.mark.parametrize("text", ["", "a", "  indented words", "x" * 50, "日本語" * 9, "a " * 30, " " * 40])
@pytest.mark.parametrize("room", [2, 5, 20])
def test_folding_keeps_every_character_but_blanks(text: str, room: int) -> None:
    lines = folded(text, room)
    assert max(map(display_width, lines)) <= room
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_optional_columns_go_before_texts_get_unreadable() -> None:
    wide = table(HEADERS, ROWS, flexible=(1,), optional=(3,), room=60)
    narrow = table(HEADERS, ROWS, flexible=(1,), optional=(3,), room=42)
    assert "kind" in wide
    assert "kind" not in narrow


def test_empty_columns_are_left_out_and_an_empty_table_keeps_its_headers() -> None:
    assert "reason" not in table(("task", "reason"), [("a", ""), ("b", None)])
    assert table(("task", "reason"), []).startswith("task")


def test_hostile_cells_are_harmless() -> None:
    shown = table(("name",), [("\x1b[31mred\x1b]0;x\x07",), ("a\nb\x9b2J\u202e",)])
    assert not set("\x1b\x07\x9b\u202e") & set(shown)
    assert len(shown.splitlines()) == 4


def test_printed_text_keeps_lines_and_indentation_only(capsys: pytest.CaptureFixture[str]) -> None:
    print_text("a\x1b[2J\n\t\tb\tc\x07")
    assert capsys.readouterr().out == "a␛[2J\n\t\tb    c␇\n"


def test_wrapped_text_hangs_below_its_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    lines = wrapped("word " * 20, "ok  ").splitlines()
    assert lines[0].startswith("ok  word")
    assert all(line.startswith("    word") and len(line) <= 40 for line in lines[1:])
