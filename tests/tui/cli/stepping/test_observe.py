"""`observe`: formats, pictures, timings, and pages that can't be read."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from tests.tui.cli.program import Here, call
from webbench.tui.cli.stepping.observe import address

PAGE = """<!doctype html><title>Form \x1b]0;owned\x07</title>
<h1>Names\x9b2J</h1><label>Name <input value="Ada"></label>
<label><input type="checkbox" checked> agreed</label>
<p style="margin-top: 3000px">far below</p><button>Send</button>"""


@pytest.fixture
def page(tmp_path: Path) -> Path:
    (tmp_path / "page.html").write_text(PAGE, "utf-8")
    return tmp_path


def test_json_has_every_field(page: Path) -> None:
    done = call(page, "observe", "page.html", "--json", "--repeat", "3", "--screenshot", "page.webp")
    assert done.code == 0, done.err
    document = done.json
    assert document["schema_version"] == 1
    assert document["url"] == (page / "page.html").as_uri()
    assert document["title"].startswith("Form")
    assert [tab["active"] for tab in document["tabs"]] == [True]
    timings = document["timing_ms"]
    assert {"accessibility", "layout", "join", "render", "screenshot", "total"} == timings.keys()
    assert timings["screenshot"] > 0
    assert timings["total"] >= timings["screenshot"] + timings["render"]
    with Image.open(page / "page.webp") as picture:
        assert picture.format == "WEBP"
    fields = {"id", "role", "name", "value", "depth", "box", "states"}
    fields |= {"interactive", "clickable", "added", "looks", "offscreen", "tag", "attributes", "frame"}
    assert all(fields == node.keys() for node in document["nodes"])
    named = {(node["role"], node["name"]): node for node in document["nodes"]}
    assert named["textbox", "Name"]["value"] == "Ada"
    assert named["checkbox", "agreed"]["states"]["checked"] in (True, "true")
    send = named["button", "Send"]
    assert len(send["box"]) == 4
    assert (send["interactive"], send["offscreen"], send["tag"], send["frame"]) == (True, True, "button", 0)


def test_texts_and_pictures_differ_by_format_and_part(page: Path, here: Here) -> None:
    webarena = here(page, "observe", "page.html", "--screenshot", "a.png", "--full-page", "--marks")
    assert webarena.out.startswith("Tab 0 (current): Form")
    assert "] button 'Send'" in webarena.out
    part = ("--format", "browsergym", "--viewport", "--screenshot", "a.jpg")
    browsergym = here(page, "observe", "page.html", *part, WEBBENCH_VIEWPORT_WIDTH="900")
    assert "value='Ada'" in browsergym.out
    assert "Send" not in browsergym.out
    acted_on = here(page, "observe", "page.html", "--format", "webarena-acted-on")
    assert "] button 'Send'" in acted_on.out
    for done in (webarena, browsergym, acted_on):
        assert done.code == 0
        assert not set("\x1b\x07\x9b") & set(done.out)
    with Image.open(page / "a.png") as picture:
        assert (picture.format, picture.width) == ("PNG", 1280)
        assert picture.height > 3000
    with Image.open(page / "a.jpg") as picture:
        assert (picture.format, picture.width, picture.height) == ("JPEG", 900, 720)


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("localhost:8000/x", "http://localhost:8000/x"),
        ("example.org", "http://example.org"),
        ("HTTPS://example.org/a:b", "HTTPS://example.org/a:b"),
        ("data:text/html,<p>Hi", "data:text/html,<p>Hi"),
        ("Data:text/html," + "x" * 5000, "Data:text/html," + "x" * 5000),
        ("about:blank", "about:blank"),
        ("file:///tmp/a.html", "file:///tmp/a.html"),
    ],
)
def test_what_an_address_means(text: str, url: str) -> None:
    assert address(text) == url


def test_a_file_may_be_named_like_a_scheme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mailto:me.html").write_text("<p>Hi")
    assert address("mailto:me.html") == (tmp_path / "mailto:me.html").as_uri()


@pytest.mark.thorough
def test_pages_that_can_not_be_read(page: Path) -> None:
    (page / "a.pdf").write_bytes(b"%PDF-1.1\ntrailer<<>>\n")
    for url, told in (("127.0.0.1:9", "ERR_"), ("a.pdf", "PDF")):
        done = call(page, "observe", url)
        assert done.code == 3
        assert told in done.err


def test_an_open_dialog_is_told(page: Path, here: Here) -> None:
    (page / "alert.html").write_text("<h1>Hello</h1><script>alert('Stop here')</script>")
    for form in ("webarena", "browsergym"):
        done = here(page, "observe", "alert.html", "--format", form)
        assert done.code == 0
        assert "Dialog open: alert 'Stop here'" in done.out
        assert "Dialog open: alert 'Stop here'" in done.err
    done = here(page, "observe", "alert.html", "--json", "--screenshot", "a.png")
    assert done.code == 3
    assert "gives no picture: Dialog open: alert" in done.err


@pytest.mark.thorough
def test_sixty_thousand_links_are_read_in_part_or_whole(page: Path) -> None:
    links = "".join(f"<p><a href=/{number}>link {number}</a>" for number in range(60_000))
    (page / "links.html").write_text(f"<title>links</title>{links}", "utf-8")
    part = call(page, "observe", "links.html", "--json")
    whole = call(page, "observe", "links.html", "--json", "--whole")
    assert (part.code, whole.code) == (0, 0), part.err + whole.err
    assert (len(whole.json["nodes"]), whole.json["left_out"]) == (180_001, 0)
    assert len(part.json["nodes"]) <= 50_000 + 200
    assert f"{part.json['left_out']:,} more nodes were left out; --whole reads them all" in part.err
