"""Runs as a page and as drawings: foreign text stays text, every drawing is well-formed on its own."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from tests.core.analysis.recorded_runs import Recording, scored
from webbench.core.analysis.runs.whole_run import analyse
from webbench.core.errors import UsageError
from webbench.core.report.figures.drawing_files import paint, write_drawings
from webbench.core.report.figures.sankey import flow_drawing
from webbench.core.report.pages.runs_page import analysis_page, drawings
from webbench.core.statistics.figures import Analysis, Flow, Link
from webbench.core.store.store import Store

HOSTILE = "</svg><script>alert(1)</script>&\x1b[2J\u202e"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def analysis(tmp_path_factory: pytest.TempPathFactory) -> Analysis:
    store = Store(Path(tmp_path_factory.mktemp("runs")))
    first, second = Recording(store, HOSTILE), Recording(store, "two")
    steps = [scored(0, (HOSTILE, 0)), scored(1, (HOSTILE, 1))]
    for run, values in ((first, (1.0, 0.0, 0.5)), (second, (0.0, 1.0, None))):
        for at, value in enumerate(values):
            run.add(f"{HOSTILE}{at}", value, urls=["http://a.test/", f"http://a.test/{HOSTILE}"])
        run.add("x", steps[1], on_the_way=steps)
    found = analyse(store, [first.run, second.run]).analysis
    store.close()
    return found


def test_the_page_tells_methods_and_every_section_and_escapes_names(analysis: Analysis) -> None:
    page = analysis_page(analysis)

    assert all(f'id="{section.name}"' in page for section in analysis.sections)
    assert "McNemar&#39;s exact test" in page
    assert "1 not scored" in page
    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "\x1b" not in page
    assert "\u202e" not in page


def test_every_drawing_is_a_file_of_its_own(analysis: Analysis) -> None:
    drawn = drawings(analysis.sections)

    assert {name.split("-")[0] for name in drawn} == {"steps", "templates", "reached", "flow"}
    for picture in drawn.values():
        root = ElementTree.fromstring(str(picture))  # our own drawing, without entities
        assert root.tag == f"{SVG}svg"
        assert float(root.get("width", "0")) > 0
        assert not root.findall(f".//{SVG}script")


def test_ribbons_are_as_broad_as_their_counts() -> None:
    links = (
        Link(place=0, source="start", target="a", counts={"A": 3, "B": 1}),
        Link(place=1, source="a", target="solved", counts={"A": 3}),
    )
    drawn = ElementTree.fromstring(
        str(flow_drawing(Flow(title="f", actors=("A", "B"), links=links), alone=True))
    )

    broad = {}
    for path in drawn.findall(f"{SVG}path"):
        title, data = path.find(f"{SVG}title"), path.get("d", "").split(" ")
        assert title is not None
        top, bottom = float(data[0].split(",")[1]), float(data[-2].split(",")[1])
        broad[title.text] = bottom - top
    assert broad["start → a: A 3"] == pytest.approx(3 * broad["start → a: B 1"], rel=0.01)
    assert broad["a → solved: A 3"] == pytest.approx(broad["start → a: A 3"], rel=0.01)


@pytest.mark.browser
@pytest.mark.thorough
async def test_drawings_as_files(analysis: Analysis, tmp_path: Path) -> None:
    drawn = {name: picture for name, picture in drawings(analysis.sections).items() if name == "steps-1"}

    files = write_drawings(tmp_path / "figures", drawn, await paint(drawn))

    assert [file.name for file in files] == ["steps-1.png", "steps-1.svg"]
    with Image.open(files[0]) as painted:
        assert painted.width == 2 * 860
    with pytest.raises(UsageError, match="exists"):
        write_drawings(tmp_path / "figures", drawn, {})
