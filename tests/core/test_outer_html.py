"""HTML of a page and of its nodes: hostile text of bounded size."""

from __future__ import annotations

from tests.conftest import Site
from tests.tui.recorded_page import PAGE, node
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.environment import EnvironmentSetup
from webbench.core.observation import Observation
from webbench.core.renderings.outer_html import DEEPEST, MOST_LINES, PageHtml

HTML = """<!doctype html><html><head><title>Mug</title><style>p {}</style><script>evil()</script></head><body>
<header><a href="/shop">Harbour &amp; Pine</a><input type="search" placeholder="Search"></header>
<main><h1>Ember <b>Camp</b> Mug</h1><label><input type="radio" value="cream">cream</label>
<label><input type="radio" value="moss">moss</label><button>Add to cart</button>
<p onclick="evil()">[bold]markup[/] is only text<!-- a remark --></p></main></body></html>"""


def test_each_node_is_found_by_tag_attributes_name_and_order() -> None:
    nodes = (
        node(1, "RootWebArea", "Mug", 0, (0, 0, 9, 9), tag="html"),
        node(2, "main", "", 1, (0, 0, 9, 9), tag="main"),
        node(3, "heading", "Ember Camp Mug", 2, (0, 0, 9, 9), tag="h1"),
        node(4, "StaticText", "Ember", 3, (0, 0, 9, 9)),
        node(5, "radio", "cream", 2, (0, 0, 9, 9), tag="input", attributes={"type": "radio"}),
        node(6, "radio", "moss", 2, (0, 0, 9, 9), tag="input", attributes={"type": "radio"}),
        node(7, "link", "Home", 2, (0, 0, 9, 9), tag="a", attributes={"href": "http://shop.test/shop"}),
        node(8, "button", "not there", 2, (0, 0, 9, 9), tag="select", attributes={"name": "gone"}),
    )
    page, seen = PageHtml(HTML), Observation(url="http://shop.test/cart", nodes=nodes)
    assert page.node(seen, 4).lines[0] == "<h1>"
    assert page.node(seen, 6).lines == ('<input type="radio" value="moss">',)
    assert page.node(seen, 7).lines == ('<a href="/shop">Harbour & Pine</a>',)
    assert page.node(seen, 2).lines[0] == "<main>"
    missing = page.node(seen, 8)
    assert (missing.found, missing.how) == (False, "the page: its element wasn't found")


def test_a_page_is_pruned_and_bounded_however_deep_or_long_it_is() -> None:
    told = "\n".join(PageHtml(HTML).page().lines)
    assert "evil()</script>" not in told
    assert "a remark" not in told
    assert "[bold]markup[/] is only text" in told
    assert len(PageHtml("<p>x</p>" * 3 * MOST_LINES).page().lines) == MOST_LINES + 1
    deep = PageHtml("<div>" * 5_000).page().lines
    assert len(deep) <= 2 * DEEPEST + 9
    for broken in ("", "\0", "<", "<![CDATA[", "\ud800", "<html></html>"):
        PageHtml(broken).page()
        PageHtml(broken).node(PAGE, 11)


SHOP = """<!doctype html><title>Shop</title><p>Two mugs</p>
<ul><li>Cream <button>Add</button><li>Moss <button>Add</button></ul>
<a href="/cart">Cart</a><div hidden><a href="/cart">Cart</a></div>
<a href="/help">Help</a><input name="q" placeholder="Search">
<select name="sort"><option>New</option></select><iframe srcdoc="<button>Pay</button>"></iframe>"""


async def test_the_html_bears_the_ids_that_actions_take(environment: BrowserEnvironment, serve: Site) -> None:
    """Alike elements in their order; what a frame holds, and what is hidden twice, is never guessed at."""
    serve.pages["/"] = SHOP
    await environment.reset(EnvironmentSetup(start_urls=(serve.url,)))
    seen = await environment.observe()
    html = str(await environment.probe("() => document.documentElement.outerHTML"))
    page, left = PageHtml(html).numbered(seen)
    adds = [one.id for one in seen.nodes if one.role == "button" and one.name == "Add"]
    told = "\n".join(page.lines)
    first, second = (told.index(f"[{number}] <button>") for number in adds)
    assert told.index("Cream") < first < told.index("Moss") < second
    assert {(one.role, one.name) for one in left} == {("link", "Cart"), ("button", "Pay")}
    (field,) = (one for one in seen.nodes if one.role == "textbox")
    assert f'[{field.id}] <input name="q" placeholder="Search">' in told
    assert f"[{seen.nodes[0].id}] <html" not in told, "only what can be acted on is numbered"
    assert PageHtml("").numbered(seen)[1] == ()
