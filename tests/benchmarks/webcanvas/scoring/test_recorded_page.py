"""Paths on recorded pages: what counts as the same element, and what hostile input can't do."""

from __future__ import annotations

from typing import Any

import pytest

from tests.parity.webcanvas import published_verdict
from webbench.benchmarks.webcanvas.scoring.element_values import element_value
from webbench.benchmarks.webcanvas.scoring.recorded_page import LARGEST_PAGE, LONGEST_PATH, Page
from webbench.benchmarks.webcanvas.scoring.urls import site_label, url_exact_match, url_include_match
from webbench.core.errors import BadData

HTML = "<main><section><div><p id=t>x<i id=i>y</i></p></div></section><p>z</p></main>"


@pytest.mark.parametrize(
    ("path", "reference", "method", "same"),
    [
        ("#t", "p", "selector", True),
        ("section", "#t", "selector", True),
        ("main", "#t", "selector", True),
        ("#t", "#i", "selector", False),
        ("//div", "//p[@id='t']", "xpath", True),
        ("//p[2]", "//p[@id='t']", "xpath", None),
        ("//p/text()", "//p/text()", "xpath", False),
        ("string(//p)", "string(//p)", "xpath", True),
        ("//p[", "//p", "xpath", None),
        ("p >", "p", "selector", False),
        ("p", "p", "css", False),
    ],
)
def test_same_element(path: str, reference: str, method: str, same: bool | None) -> None:
    if same is None:
        with pytest.raises(BadData, match="XPath"):
            Page(HTML).same_element(path, reference, method)
    else:
        assert Page(HTML).same_element(path, reference, method) is same


def test_pages_and_paths_beyond_bounds_are_refused_with_their_size() -> None:
    with pytest.raises(BadData, match=str(LARGEST_PAGE)):
        Page("x" * (LARGEST_PAGE + 1)).same_element("p", "p", "selector")
    with pytest.raises(BadData, match=str(LONGEST_PATH)):
        Page(HTML).same_element("p" * (LONGEST_PATH + 1), "p", "selector")


DEEP = "<div>" * 200 + "<p>x</p>" * 50 + "</div>" * 200
WIDE = "<div>" * 50 + "<p>x</p>" * 2000 + "</div>" * 50


@pytest.mark.parametrize(
    ("page", "path", "same"),
    [
        (DEEP, "div" + " *" * 30 + " p", True),
        (DEEP, ".none" + " *" * 30 + " p", False),
        (WIDE, ".none" + " ~ *" * 6 + " ~ p", False),
        (WIDE, "div:has(b) * * *", False),
        (DEEP, "//p[//div[//p]]", True),
        (DEEP, "//p" + "[..//p]" * 9, True),
        (WIDE, "//p" + "[..//p]" * 9, True),
    ],
)
@pytest.mark.timeout(60)
def test_paths_that_search_much_give_an_answer_soon(page: str, path: str, same: bool) -> None:
    method, reference = ("xpath", "//p") if path.startswith("//") else ("selector", "p")
    assert Page(page).same_element(path, reference, method) is same


@pytest.mark.parametrize("path", ["//*[//*[//*]]", "//*[.//*[.//*[.//*]]]", "//*[.//*//*//*//*]"])
@pytest.mark.timeout(60)
def test_paths_that_would_search_for_ages_are_refused_at_once(path: str) -> None:
    with pytest.raises(BadData, match=r"searches inside of predicates: on the 20\d\d nodes"):
        Page(WIDE).same_element(path, "//p", "xpath")


def test_a_page_can_neither_read_files_nor_blow_up_by_entities() -> None:
    bomb = "".join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 10}">' for n in range(12))
    page = f'<!DOCTYPE x [<!ENTITY e0 "boom"><!ENTITY f SYSTEM "file:///etc/hostname">{bomb}]><p>&e12;&f;</p>'
    assert Page(page).same_element("//p", "//p", "xpath") is True
    with pytest.raises(BadData):
        Page(page).same_element("document('file:///etc/hostname')", "//p", "xpath")


@pytest.mark.parametrize(
    ("url", "label"),
    [
        ("https://www.shop.example/", "shop"),
        ("https://new.mta.example", "new"),
        ("file:///x", ""),
        (None, ""),
    ],
)
def test_site_labels(url: str | None, label: str) -> None:
    assert site_label(url) == label


def test_addresses_that_cannot_be_read() -> None:
    assert url_include_match("https://[::1", "[::", "") == 1
    assert url_exact_match("https://[::1", "x", "q") == 0
    with pytest.raises(BadData, match="can't be read"):
        site_label("https://[::1")
    with pytest.raises(BadData, match="no text"):
        url_exact_match(None, "x", "")


def test_what_a_clicked_element_is_taken_to_say() -> None:
    def said(tag: str, text: Any, **attributes: str) -> Any:
        return element_value({"tagName": tag, "text": text, "attributes": attributes})

    assert said("button", None, type="submit") == "submit"
    assert said("a", "", **{"title": "", "aria-label": "Close"}) == "Close"
    assert said("select", "") != said("SELECT", "") == ""
    assert element_value({"text": "Go"}) == "Go"


@pytest.mark.parametrize(
    "node",
    [{}, None, {"text": ""}, {"text": "", "attributes": None}, {"text": "", "attributes": {}}],
)
def test_an_element_that_lacks_what_is_needed_is_refused(node: Any) -> None:
    with pytest.raises(BadData, match=r'"text"|"attributes"|"tagName"'):
        element_value(node)


@pytest.mark.parametrize("empty", [None, False, 0, [], {}])
def test_an_empty_address_of_any_type_includes_the_empty_text_alone(empty: Any) -> None:
    assert (url_include_match(empty, "", ""), url_include_match(empty, "a", "")) == (1, 0)
    assert site_label(empty) == ""
    assert url_exact_match(empty, "", "q") == 0
    with pytest.raises(BadData, match="is no text"):
        url_exact_match(empty, "", "")


@pytest.mark.parametrize("other", [True, 7, ["%"], {"a": 1}])
def test_any_other_address_that_is_no_text_is_refused(other: Any) -> None:
    for read in (site_label, lambda url: url_include_match(url, "", "")):
        with pytest.raises(BadData, match="is no text"):
            read(other)


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("```1/2```", 0.5),
        ("``` 3 ```", 1),
        ("```__import__('os').abort()```", 0),
        ("```" + "(" * 150 + "```", 0),
        ("```9**9**9**9```", 0),
        ("```1/0```", 0),
        ("```True```", 1),
        (5, 0),
        (["```1```"], 0),
        (None, 0),
    ],
)
def test_fenced_text_is_calculated_and_never_run(reply: Any, value: float) -> None:
    assert published_verdict(lambda: reply) == value
