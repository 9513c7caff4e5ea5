"""Paper figures as files: three formats that hold no time, the CSV in full, text that is no formula."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PIL import Image

from tests.core.analysis.recorded_runs import Recording
from tests.core.report.paper.strict_latex import faults
from tests.shared import need_matplotlib
from webbench.core.analysis.paper.every_figure import paper_figures
from webbench.core.analysis.paper.paper_figure import Growth, PaperFigure
from webbench.core.errors import UsageError
from webbench.core.report.paper.appendix import write_appendix
from webbench.core.report.paper.figure_files import FORMATS, drawing_of, formats_of, write_figures
from webbench.core.report.paper.number_tables import csv_text, write_tables
from webbench.core.report.paper.plot_style import new_figure, plotting, saved_with_fonts
from webbench.core.statistics.figures import Column, Row, Table
from webbench.core.store.store import Store
from webbench.core.text.latex import latex

HOSTILE = "[*ü a$\\frac{1}{0}$_^{x}%&#~\x1b[31m\x00\n\\input{/etc/passwd}"

NO_TABLE = Table(title="", columns=(), rows=())


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Store, list[str]]:
    store = Store(tmp_path_factory.mktemp("store"))
    recordings = [Recording(store, HOSTILE), Recording(store, "=plain")]
    for at, task in enumerate("abcdef"):
        recordings[0].add(task, float(at % 2), urls=["http://a/", "http://a/b"])
        recordings[1].add(task, None if at == 5 else 1.0, urls=["http://a/"], intent=HOSTILE)
    return store, [one.run for one in recordings]


@pytest.fixture(scope="module")
def appendix(runs: tuple[Store, list[str]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    need_matplotlib()
    folder = tmp_path_factory.mktemp("written") / "appendix"
    assert write_appendix(*runs, folder) == ()
    return folder


@pytest.mark.thorough
def test_every_figure_in_three_formats_twice_the_same(
    runs: tuple[Store, list[str]], appendix: Path, tmp_path: Path
) -> None:
    """By themselves and in an appendix."""
    figures = paper_figures(*runs).figures
    drawn = [figure.name for figure in figures if figure.plot is not None]
    files = write_figures(tmp_path / "one", figures).files
    again = sorted((appendix / "figures").iterdir())
    names = {f"{figure.name}.{end}" for figure in figures if figure.table.columns for end in ("csv", "tex")}
    assert {path.name for path in files} == names | {f"{kind}.{end}" for kind in drawn for end in FORMATS}
    assert [path.read_bytes() for path in files] == [path.read_bytes() for path in again]
    for kind in drawn:
        with Image.open(tmp_path / "one" / f"{kind}.png") as picture:
            assert picture.width > 1000
        pdf = (tmp_path / "one" / f"{kind}.pdf").read_bytes()
        assert b"/FontFile2" in pdf
        assert b"CreationDate" not in pdf
        assert b"<dc:date>" not in (tmp_path / "one" / f"{kind}.svg").read_bytes()


def test_new_codes_are_bars_and_all_so_far_a_line() -> None:
    need_matplotlib()
    with plotting():
        (axes,) = drawing_of(Growth(axis="episodes read", new=(3, 0, 2))).axes
        assert [bar.get_height() for bar in axes.patches] == [3, 0, 2]  # type: ignore[attr-defined]  # bars
        heights: Any = axes.lines[0].get_ydata()  # matplotlib promises less than the array that it gives
        assert list(heights) == [3, 3, 5]


def test_the_numbers_are_those_of_the_store(runs: tuple[Store, list[str]]) -> None:
    figure = paper_figures(*runs, ["forest"]).figures[0]
    rows = list(csv.DictReader(io.StringIO(csv_text(figure.table))))
    rates = [row for row in rows if row["what"] == "rate"]
    assert sum(int(row["episodes"]) for row in rates) == 11
    assert [float(row["estimate"]) for row in rates] == [0.5, 1.0]
    assert [row["estimate_n"] for row in rates] == ["6", "5"]
    assert rates[0]["p"] == ""
    assert "\x1b" not in rates[0]["first"]
    assert rates[1]["first"] == "'=plain"


@pytest.mark.thorough
def test_an_appendix_reads_in_what_lies_beside_it(appendix: Path) -> None:
    whole = (appendix / "appendix.tex").read_text("utf-8")
    named = re.findall(r"\\(?:input|includegraphics(?:\[[^]]*\])?)\{([^}]+)\}", whole)
    assert len(named) > 10
    assert [name for name in named if not (appendix / name).is_file()] == []
    assert "/etc/passwd}" not in whole.replace("/etc/passwd\\}", "")
    for file in appendix.rglob("*.tex"):
        if file.name != "signs.tex":
            assert list(faults(file.read_text("utf-8"))) == [], file
    signs = (appendix / "signs.tex").read_text("utf-8")
    assert r"\ifcsname u8:\detokenize{ü}\endcsname\else\DeclareUnicodeCharacter{00FC}{[U+00FC]}\fi" in signs
    tables = [path.read_text("utf-8") for path in (appendix / "tables").glob("*.tex")]
    assert all(rule in one for one in tables for rule in (r"\toprule", r"\midrule", r"\bottomrule"))
    index = (appendix / "index.md").read_text("utf-8")
    assert "not drawn: no two raters" in index
    assert "\x1b" not in index


def test_text_in_a_table_is_no_command() -> None:
    found = latex(HOSTILE)
    assert found == (
        r"[*ü a\$\textbackslash{}frac\{1\}\{0\}\$\_\textasciicircum{}\{x\}\%\&\#\textasciitilde{}"
        r"?[31m? \textbackslash{}input\{/etc/passwd\}"
    )


def test_signs_that_stand_together_stay_themselves() -> None:
    assert latex("run.py --model ``x'' ?` – a-b") == "run.py -{}-model `{}`x'{}' ?{}` -- a-b"


def test_a_sign_is_drawn_by_a_font_that_has_it_and_told_where_none_has() -> None:
    """U+1D15 is in DejaVu Serif alone of the fonts that come with matplotlib; U+0378 is no character."""
    need_matplotlib()
    with plotting():
        figure = new_figure(0.5)
        seen, _ = (figure.text(0, 0, words) for words in ("\u1d15 shop", "\u0378"))
        assert saved_with_fonts(figure, lambda: figure.savefig(io.BytesIO())) == "\u0378"
        assert len(seen.get_fontfamily()) == 2
    told = PaperFigure(name="f", title="F", caption="F.", plot=None, table=NO_TABLE, undrawn="\u0378")
    assert "No font here has \u0378, drawn as boxes" in told.whole_caption
    many = "".join(map(chr, range(0x4E00, 0x4F00)))
    assert "and 236 more, drawn" in msgspec.structs.replace(told, undrawn=many).whole_caption


def test_two_tables_of_one_title_are_referred_to_apart(tmp_path: Path) -> None:
    table = Table(title="Rates", columns=(Column("n"),), rows=(Row((1,)),))
    written = [
        path.read_text() for path in write_tables(tmp_path / "t", [table, table]) if path.suffix == ".tex"
    ]
    assert [re.findall(r"\\label\{(.*)\}", one) for one in written] == [["tab:rates"], ["tab:rates:2"]]


def test_an_unknown_format_names_the_known_ones() -> None:
    assert formats_of("pdf, svg") == ("pdf", "svg")
    with pytest.raises(UsageError, match="svg"):
        formats_of("gif")
