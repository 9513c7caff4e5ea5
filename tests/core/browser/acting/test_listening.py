"""Texts go in key by key where the page could tell, and at one stroke where it couldn't."""

from __future__ import annotations

import pytest

from tests.conftest import Site
from tests.core.browser.acts import css, done, opened, value
from webbench.core.action.action import Type
from webbench.core.browser.browser_environment import BrowserEnvironment

SHADOW = """<div id=host></div><script>
  host.attachShadow({mode: 'open'}).innerHTML = '<p><slot></slot></p>';
  host.shadowRoot.firstChild.onkeydown = () => 0;
  host.innerHTML = '<input id=f>';
</script>"""
HOSTILE = """<input id=f><script>
  Object.defineProperty(Object.prototype, 'input', {get() { throw new Error('seen') }})
</script>"""
TEXT = "more than a dozen characters"


@pytest.mark.parametrize(
    ("html", "heard"),
    [
        ("<input id=f onchange='1' onclick='1'>", False),
        ("<form onkeyup='1'><input id=f></form>", True),
        ("<input id=f><script>addEventListener('beforeinput', () => 0, true)</script>", True),
        ("<input id=f onfocus=\"document.addEventListener('input', () => 0)\">", True),
        (SHADOW, True),
        (HOSTILE, True),
    ],
)
async def test_keys_are_sent_where_they_are_listened_to(
    environment: BrowserEnvironment, serve: Site, html: str, heard: bool
) -> None:
    await opened(environment, serve(html))
    await environment.probe(
        "() => { globalThis.keys = 0; addEventListener('keydown', () => { globalThis.keys += 1 }, true) }"
    )
    await done(environment, Type(target=css("#f"), text=TEXT))
    assert await value(environment, "#f") == TEXT
    assert await environment.probe("() => globalThis.keys") == (len(TEXT) if heard else 2)


async def test_rich_text_is_typed_as_an_editor_gets_it(environment: BrowserEnvironment, serve: Site) -> None:
    await opened(environment, serve("<p id=f contenteditable></p>"))
    await done(environment, Type(target=css("#f"), text="two  blanks   and three"))
    assert await value(environment, "#f", "innerText") == "two\xa0 blanks\xa0 \xa0and three"


async def test_a_line_end_is_one_enter(environment: BrowserEnvironment, serve: Site) -> None:
    await opened(environment, serve("<textarea id=f></textarea>"))
    await done(environment, Type(target=css("#f"), text="a\r\nb\rc\nd"))
    assert await value(environment, "#f") == "a\nb\nc\nd"
    await done(environment, Type(text="\r\ne"))
    assert await value(environment, "#f") == "a\nb\nc\nd\ne"
