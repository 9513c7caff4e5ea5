"""The small web without a browser: pages that link to each other, and a search that no query breaks."""

from __future__ import annotations

import re

import httpx
import pytest

from webbench.benchmarks.sample_sites.server import DemoServer
from webbench.benchmarks.sample_sites.smallweb.pages import NAMES, every_page
from webbench.benchmarks.sample_sites.smallweb.search import find, page_text


@pytest.fixture
def visitor() -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(DemoServer([]).application()))


def titles(query: str) -> list[str]:
    return [hit.title for hit in find(query).hits]


async def test_every_link_of_every_page_leads_to_a_page(visitor: httpx.AsyncClient) -> None:
    linked: dict[str, set[str]] = {}
    for host, path in every_page():
        url = f"http://{host}.localhost:4711{path}"
        answer = await visitor.get(url)
        assert answer.status_code == 200
        linked[url] = set(re.findall(r'href="(http://[^"]+)"', answer.text))
    pages = set(linked)
    assert len(pages) >= 30
    assert {link for links in linked.values() for link in links} <= pages | {"http://search.localhost:4711/"}
    reached = {f"http://{host}.localhost:4711/" for host in NAMES}
    while more := {link for page in reached for link in linked.get(page, ())} - reached:
        reached |= more
    assert pages <= reached, "every page is reached by links from the front pages"


async def test_a_host_has_its_own_pages_only(visitor: httpx.AsyncClient) -> None:
    assert (await visitor.get("http://rail.localhost/fleet")).status_code == 404
    assert (await visitor.get("http://rail.localhost/../ferry/fleet")).status_code == 404
    assert (await visitor.get("http://bank.localhost/")).status_code == 400
    assert "Train fares" in (await visitor.get("http://rail.localhost/fares/")).text
    style = await visitor.get("http://rail.localhost/static/smallweb.css")
    assert "text/css" in style.headers["content-type"]


def test_a_search_ranks_titles_first_and_marks_what_was_found() -> None:
    assert set(titles("fares")[:2]) == {"Fares", "Train fares"}
    assert titles("When was the second shop opened?") == ["Five generations"]
    assert titles("rowing club committee")[0] == "Committee and coaches"
    assert "opened our <mark>second shop</mark>" in find("second shop").hits[0].excerpt


def test_what_stands_in_a_table_is_found_but_told_by_the_page_alone() -> None:
    cafe, bakery, *_ = find("estuary bun").hits
    assert [hit.title for hit in (cafe, bakery)] == ["Museum café", "Bread, buns and prices"]
    assert "£" not in cafe.excerpt + bakery.excerpt


def test_where_no_page_has_all_words_some_are_enough() -> None:
    found = find("curlew submarine")
    assert found.any_word
    assert "Bell of the Curlew" in [hit.title for hit in found.hits]
    assert find("submarine").total == 0


NASTY = ['"', "a OR", "NEAR(", "title:x*", "-- ;", "ferry AND", "^", "é\x00\ud800", "x " * 999]


@pytest.mark.parametrize("query", NASTY)
def test_no_query_breaks_the_search(query: str) -> None:
    assert find(query).total >= 0


async def test_results_come_in_pages_and_a_query_is_text(visitor: httpx.AsyncClient) -> None:
    first = (await visitor.get("http://search.localhost/", params={"q": "marlhaven"})).text
    second = (await visitor.get("http://search.localhost/", params={"q": "marlhaven", "page": "2"})).text
    assert first.count("<li>") == 6
    assert "More results" in first
    assert "Previous results" in second
    for odd in ("0", "-1", "x", "9" * 50, "٣"):
        assert (
            await visitor.get("http://search.localhost/", params={"q": "a", "page": odd})
        ).status_code == 200
    nasty = (await visitor.get("http://search.localhost/", params={"q": "<script>alert(1)</script>"})).text
    assert "<script>" not in nasty


def test_page_text_is_what_the_page_says() -> None:
    prose, tables = page_text(every_page()["museum", "/cafe"])
    assert "Estuary bun £3.10" in tables
    assert "come from Pell & Daughters, across the quay." in prose
    assert "<" not in prose + tables
