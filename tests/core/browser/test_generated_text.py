"""Text that style sheets write is what Chromium's own tree has, however the sheets came there."""

from __future__ import annotations

from typing import Literal

import pytest

from tests.conftest import Site
from tests.core.browser.acts import opened
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.observation import ObservationOptions

PLAIN = "<p class=a>text</p><p class=aé>more</p><p class=b>last</p>"
RULES = PLAIN + "<style>.z::before { content: 'Z' } @media all { .z { color: red } }</style>"


async def texts(environment: BrowserEnvironment, prefer: Literal["script", "cdp"]) -> list[str]:
    observation = await environment.observe(ObservationOptions(prefer=prefer))
    return [node.name for node in observation.nodes if node.role == "StaticText"]


@pytest.mark.parametrize(
    ("html", "generated"),
    [
        ("<style>@scope (.a) { :scope::before { content: 'scope' } }</style>", ["scope"]),
        ("<style>.aé::before { content: 'é' }</style>", ["é"]),
        ("<style>.a::before { content: '→' / 'to the right' }</style>", ["to the right"]),
        (
            """<div id=host></div><script>
            host.attachShadow({mode: 'open'}).innerHTML = `<style>:host::before { content: 'host' }
              ::slotted(b)::after { content: 'slotted' } i::before { content: 'in' }</style>
              <i></i><slot></slot>`;
            host.innerHTML = '<b>light</b>';
            </script>""",
            ["host", "in", "slotted"],
        ),
    ],
    ids=["scope", "letters", "instead", "shadow"],
)
async def test_sheets_of_every_kind(
    environment: BrowserEnvironment, serve: Site, html: str, generated: list[str]
) -> None:
    await opened(environment, serve(f"<!doctype html><meta charset=utf-8>{PLAIN}{html}"))
    found = await texts(environment, "script")
    assert [one for one in found if one in generated] == generated
    assert found == await texts(environment, "cdp")


@pytest.mark.parametrize(
    "change",
    [
        "sheet.cssRules[0].selectorText = '.a::before'",
        "sheet.deleteRule(0); sheet.insertRule('.a::before { content: \"Z\" }')",
        "sheet.cssRules[1].insertRule('.a::before { content: \"Z\" }')",
        "sheet.replaceSync('.a::before { content: \"Z\" } .b { color: red }')",
    ],
)
async def test_sheets_that_scripts_change_in_place(
    environment: BrowserEnvironment, serve: Site, change: str
) -> None:
    script = f"""let sheet = document.styleSheets[0];
      if ({str("replace" in change).lower()}) {{
        sheet = new CSSStyleSheet();
        sheet.replaceSync('.z::before {{ content: "Z" }} .z {{ color: red }}');
        document.adoptedStyleSheets = [sheet];
      }}
      onclick = () => {{ {change} }}"""
    await opened(environment, serve(f"<!doctype html><meta charset=utf-8>{RULES}<script>{script}</script>"))
    assert await texts(environment, "script") == ["text", "more", "last"]
    await environment.probe("() => document.body.click()")
    assert await texts(environment, "script") == ["Z", "text", "more", "last"]
