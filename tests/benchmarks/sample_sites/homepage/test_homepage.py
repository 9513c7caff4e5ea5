"""The homepage leads to every open site; its tools keep to themselves what strangers write."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.benchmarks.demo.sites import Episode, episode
from webbench.benchmarks.sample_sites.homepage.manuals import FOLDER, TITLES
from webbench.benchmarks.sample_sites.server import running_server

HOSTILE = '"><script>alert(1)</script>{{ 7 * 7 }}'


@pytest.fixture
def visitor() -> Iterator[Episode]:
    with episode() as opened:
        yield opened


def test_every_link_leads_to_a_page(visitor: Episode) -> None:
    token = visitor.world.token
    for path in ("/homepage/", "/homepage/manuals/"):
        links = set(re.findall(rf'href="/{token}([^"]+)"', visitor.get(path).text))
        assert len(links) > 9
        assert {link: visitor.get(link).status_code for link in links} == dict.fromkeys(links, 200)


def test_only_open_sites_are_listed() -> None:
    server = running_server()
    world = server.open({}, ["homepage", "map"])
    try:
        visitor = Episode.__new__(Episode)
        super(Episode, visitor).__init__(server.origin, world.token)
        home, accounts = visitor.get("/homepage/").text, visitor.get("/homepage/password.html").text
        visitor.client.close()
    finally:
        server.close(world)
    assert "Sandholm on the map" in home
    assert "Slipway" not in home + accounts


def test_notes_are_kept_shown_and_deleted(visitor: Episode) -> None:
    for text in ("first", HOSTILE):
        page = visitor.post("/homepage/scratchpad.html", {"note": text}).text
    assert visitor.state()["homepage"]["notes"] == ["first", HOSTILE]
    assert "<script>" not in page
    assert "{{ 7 * 7 }}" in page
    visitor.post("/homepage/scratchpad/1/delete", {})
    assert visitor.state()["homepage"]["notes"] == [HOSTILE]


def test_the_scratchpad_ends_somewhere(visitor: Episode) -> None:
    visitor.post("/homepage/scratchpad.html", {"note": "x" * 5000})
    (note,) = visitor.state()["homepage"]["notes"]
    assert len(note) == 4000


def test_the_calculator_shows_result_or_reason(visitor: Episode) -> None:
    ask = visitor.client.get
    address = visitor.base + "/homepage/calculator.html"
    assert '<output id="result">22.224</output>' in ask(address, params={"expression": "12*1.852"}).text
    refused = ask(address, params={"expression": HOSTILE}).text
    assert "can&#39;t be read here" in refused
    assert "<script>" not in refused


def test_manuals_are_found_by_words_and_link_to_each_other(visitor: Episode) -> None:
    found = visitor.get("/homepage/manuals/search?q=sorry+coupon").text
    assert re.findall(r"<h2><a[^>]+>([^<]+)", found) == ["Apologies"]
    assert 'href="/' in visitor.get("/homepage/manuals/admin/apologies").text
    assert visitor.get("/homepage/manuals/admin/nothing").status_code == 404
    assert visitor.get("/homepage/manuals/elsewhere/orders").status_code == 404
    assert {folder.name for folder in FOLDER.iterdir()} == set(TITLES)
