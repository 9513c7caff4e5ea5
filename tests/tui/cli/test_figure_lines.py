"""Figures in plain characters: within the width, harmless, each row with the episodes behind it."""

from __future__ import annotations

import pytest

from webbench.core.statistics.estimates import Estimate
from webbench.core.statistics.figures import Bar, Bars, Column, Figure, Flow, HeatMap, Link, Row, Table
from webbench.core.text.plain_text import display_width
from webbench.tui.cli.figure_lines import figure_lines, in_ascii, section_lines

HOSTILE = "\x1b[2J[/b]日本語" * 12

TABLE = Table(
    title="t",
    columns=(Column("task", "text"), Column("A"), Column("p", "p"), Column("intent", "text", optional=True)),
    rows=(Row((HOSTILE, Estimate(value=0.5, low=0.25, high=0.75), 0.0001, HOSTILE), ("r/1", "r/2")),),
    note="read " * 40,
)
BARS = Bars(
    title="b",
    unit="share",
    bars=(
        Bar(group=HOSTILE, actor="A", value=0.5, low=0.0, high=1.0, n=7, episodes=("r/1",)),
        Bar(group=HOSTILE, actor="B*", value=1.0, n=1),
    ),
    over="steps",
)
COUNTS = Bars(title="c", unit="count", bars=(Bar(group="all", actor="A", value=3, n=4),))
HEAT = HeatMap(
    title="h",
    over="by step",
    rows=("check 1", "check 2"),
    columns=tuple(map(str, range(10, 90, 10))),
    values=((None, *[0.456] * 7), (1.0,) * 8),
    counts=(3, 12),
    episodes=(("r/1",), ("r/2",)),
)
FLOW = Flow(
    title="f",
    actors=("A", "B"),
    links=(
        Link(place=0, source="start", target=HOSTILE, counts={"A": 2}, episodes=("r/1",)),
        Link(place=1, source=HOSTILE, target="solved", counts={"A": 1, "B": 1}),
        Link(place=1, source=HOSTILE, target="not solved", counts={"A": 1}),
    ),
)


@pytest.mark.parametrize("figure", [TABLE, BARS, COUNTS, HEAT, FLOW], ids=lambda one: one.title)
@pytest.mark.parametrize("width", [60, 80, 160])
def test_lines_fit_and_are_harmless(figure: Figure, width: int) -> None:
    lines = section_lines([figure, figure], width)

    assert [line.part for line in lines].count("title") == 2
    for line in lines:
        assert display_width(line.text) <= width, line.text
        assert "\x1b" not in line.text


def cell(line: str, sign: str) -> int:
    """The column that a sign stands in."""
    return display_width(line[: line.index(sign)])


def test_a_whisker_stands_on_its_scale() -> None:
    scale, first, second, *_ = (line.text for line in figure_lines(BARS, 80))

    start, end = scale.index("0"), scale.rindex("1")
    assert (cell(first, "├"), cell(first, "┤")) == (start, end)
    assert abs(cell(first, "●") - (start + end) / 2) <= 1
    assert cell(second, "●") == end
    assert "0.500 ± 0.500 n 7" in first


def test_estimates_are_drawn_beside_their_rows_where_there_is_room() -> None:
    columns = (Column("", "text"), Column("optional", optional=True), Column("difference", signed=True))
    given = (
        Row(("A", Estimate(value=0.9), Estimate(value=0.02, low=0.0, high=0.04)), ("r/1",)),
        Row(("B", None, Estimate(value=None))),
    )
    table = Table(title="t", columns=columns, rows=given)

    head, rule, first, second, note = (line.text for line in figure_lines(table, 80))
    start, end = head.index("-0.05"), len(head) - 1
    assert head.endswith("0.05")
    assert (note, display_width(rule)) == ("drawn: difference", 80)
    assert abs(cell(first, "├") - (start + end) / 2) <= 1, "a difference is drawn around 0"
    assert cell(first, "├") < cell(first, "●") < cell(first, "┤") < end
    assert "●" not in second
    assert not any("●" in line.text for line in figure_lines(table, 40))


@pytest.mark.parametrize(
    ("width", "left_out"),
    [(54, ""), (44, "se"), (40, "se, p"), (24, "se, p, numbers of the interval of rate")],
)
def test_a_screen_makes_room_for_a_drawing_and_says_what_went(width: int, left_out: str) -> None:
    columns = (
        Column("", "text"),
        Column("se", optional=True),
        Column("rate"),
        Column("p", "p", optional=True),
    )
    rate = Estimate(value=0.5, low=0.25, high=0.75)
    table = Table(title="t", columns=columns, rows=(Row(("A", 0.1, rate, 0.2)),))

    _, _, row, *notes = (line.text for line in figure_lines(table, width, makes_room=True))
    assert "●" in row
    assert " ".join(notes) == f"left out for want of room: {left_out} " * bool(left_out) + "drawn: rate"
    assert "●" not in figure_lines(table, 34)[2].text


def test_rows_know_their_episodes() -> None:
    assert [line.episodes for line in figure_lines(TABLE, 80) if line.part == "row"] == [("r/1", "r/2")]
    assert figure_lines(HEAT, 80)[1].episodes == ("r/1",)
    assert figure_lines(FLOW, 80)[2].episodes == ("r/1",)


def test_small_p_values_and_missing_shares_are_told_as_such() -> None:
    assert "<0.001" in figure_lines(TABLE, 160)[2].text
    assert "–" in figure_lines(HEAT, 80)[1].text
    assert "▒ 46" in figure_lines(HEAT, 80)[1].text


def test_everything_that_is_drawn_has_an_ascii_form() -> None:
    for figure in (BARS, COUNTS, HEAT):
        for line in figure_lines(figure, 60):
            assert in_ascii(line.text.replace("日本語", "").replace("␛", "")).isascii(), line.text
