"""The encyclopaedia: every link leads to an article, other names too, and no question breaks the search."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.benchmarks.demo.sites import Episode, episode
from webbench.benchmarks.sample_sites.articles import shelf
from webbench.benchmarks.sample_sites.encyclopaedia.pages import ARTICLES
from webbench.benchmarks.sample_sites.homepage.manuals import FOLDER, TITLES

SHELVES = {"encyclopaedia": shelf(ARTICLES), **{site: shelf(FOLDER / site) for site in TITLES}}


@pytest.fixture
def visitor() -> Iterator[Episode]:
    with episode() as opened:
        yield opened


@pytest.mark.parametrize("name", SHELVES)
def test_every_link_leads_to_an_article(name: str) -> None:
    articles = SHELVES[name].articles
    links = {
        to
        for article in articles.values()
        for block in article.blocks
        for line in block.lines
        for _, to in line
        if to
    }
    assert links <= set(articles)


def test_no_two_articles_answer_to_a_name() -> None:
    names = [name.casefold() for one in SHELVES["encyclopaedia"].articles.values() for name in one.also]
    titles = [one.title.casefold() for one in SHELVES["encyclopaedia"].articles.values()]
    assert len(set(names + titles)) == len(names + titles)
    assert len(titles) >= 25


def test_articles_have_their_parts(visitor: Episode) -> None:
    page = visitor.get("/encyclopaedia/wiki/Cast-iron_cookware").text
    assert page.count("<li>") == 4
    assert "<h2>Seasoning</h2>" in page
    facts = visitor.get("/encyclopaedia/wiki/Sandholm").text
    assert '<th scope="row">Inhabitants</th><td>8,412 (2025)</td>' in facts


def test_another_name_leads_to_the_article_and_says_so(visitor: Episode) -> None:
    answer = visitor.get("/encyclopaedia/wiki/hurricane_lantern")
    assert answer.url.path.endswith("/wiki/Storm_lantern")
    assert "(Redirected from hurricane lantern)" in answer.text
    forged = visitor.get("/encyclopaedia/wiki/Storm_lantern?from=%3Cb%3Ebuy")
    assert "Redirected" not in forged.text
    assert visitor.get("/encyclopaedia/wiki/Atlantis").status_code == 404


def test_search_finds_all_words_titles_first(visitor: Episode) -> None:
    found = visitor.get("/encyclopaedia/search?q=Lantern").text
    assert re.findall(r"<h2><a[^>]+>([^<]+)", found)[0] == "Storm lantern"
    for question in ("", "%25", '"><script>alert(1)</script>', "zzz", "x" * 5000, "a&page=99"):
        answer = visitor.client.get(visitor.base + "/encyclopaedia/search", params={"q": question})
        assert answer.status_code == 200
        assert "<script>" not in answer.text
