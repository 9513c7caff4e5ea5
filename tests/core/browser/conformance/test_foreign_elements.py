"""Acting on elements that are not HTML's, and on forms whose fields hide the form's own properties."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.conftest import Site
from tests.core.browser.acts import css, opened
from webbench.core.action.action import (
    Action,
    Check,
    Click,
    Drag,
    ElementRef,
    GetHtml,
    Hover,
    Press,
    Scroll,
    ScrollTo,
    Select,
    SetRange,
    Submit,
    Type,
    Upload,
)
from webbench.core.browser.browser_environment import BrowserEnvironment

PAGE = """<!doctype html><title>t</title><body>
<svg id=svg class="a b" width=300 height=200 tabindex=0 role=button aria-label=picture>
  <g id=g role=button aria-label=group><circle id=circle role=button aria-label=circle cx=40 cy=40 r=30 /></g>
  <path id=path role=button aria-label=path d="M 90 10 C 90 90 190 90 190 10" fill=none stroke=black
    stroke-width=4 />
  <g id=lines role=button aria-label=lines stroke=black stroke-width=4><line x1=200 y1=10 x2=200 y2=80 />
    <line x1=290 y1=10 x2=290 y2=80 /></g>
  <text id=text role=button aria-label=text x=10 y=150>Words</text>
  <a id=a href="#x"><rect id=rect x=100 y=120 width=50 height=30 /></a>
  <foreignObject id=foreign x=160 y=100 width=100 height=40><p>inside</p></foreignObject>
</svg>
<math id=math role=button aria-label=formula tabindex=0><mi id=mi role=button aria-label=letter>x</mi></math>
<x:tag id=colon title="a title" role=button>with a colon</x:tag>
<div id=holder style="margin-bottom:5000px"></div>
<script>
  const other = document.createElementNS('urn:other', 'input');
  other.id = 'other'; other.setAttribute('role', 'button'); other.textContent = 'of no known language';
  holder.append(other);
  addEventListener('click', (event) => {
    document.body.dataset.clicked = event.composedPath().map((node) => node.id).filter(Boolean).join(' ');
  });
</script>"""

IDS = ("svg", "g", "circle", "path", "lines", "text", "a", "rect", "foreign", "math", "mi", "colon", "other")

VERBS: tuple[Callable[[ElementRef], Action], ...] = (
    lambda ref: Hover(target=ref),
    lambda ref: Press(keys="Enter", target=ref),
    lambda ref: Scroll(dy=10, target=ref),
    lambda ref: ScrollTo(target=ref),
    lambda ref: GetHtml(target=ref),
    lambda ref: Drag(source=ref, target=ref),
    lambda ref: Type(target=ref, text="a"),
    lambda ref: Check(target=ref),
    lambda ref: Select(target=ref, options=("a",)),
    lambda ref: SetRange(target=ref, value=1),
    lambda ref: Upload(target=ref, files=("a",)),
    lambda ref: Submit(target=ref),
)
NAMES = (
    *(
        "id",
        "name",
        "action",
        "method",
        "target",
        "title",
        "type",
        "value",
        "label",
        "labels",
        "form",
        "elements",
    ),
    *(
        "children",
        "parent",
        "options",
        "checked",
        "disabled",
        "multiple",
        "readOnly",
        "focus",
        "click",
        "submit",
    ),
    *(
        "requestSubmit",
        "noValidate",
        "reset",
        "contains",
        "closest",
        "matches",
        "style",
        "dir",
        "lang",
        "hidden",
    ),
    *(
        "inert",
        "text",
        "textContent",
        "innerText",
        "isContentEditable",
        "href",
        "alt",
        "src",
        "width",
        "height",
    ),
)
"""Of fields that a form may well have."""

DONE = 6
"""So many of these are for every element; the others are for fields, and say so."""


async def test_clicks_reach_elements_of_other_languages(driven: BrowserEnvironment, serve: Site) -> None:
    await opened(driven, serve(PAGE))
    ids = {node.name: node.id for node in (await driven.observe()).nodes if node.role == "button"}
    by_id = [("circle", ids["circle"]), ("path", ids["path"]), ("mi", ids["letter"]), ("svg", ids["picture"])]
    for name, ref in [(name, css(f"#{name}")) for name in IDS] + [
        (name, ElementRef(id=number)) for name, number in by_id
    ]:
        result = await driven.act(Click(target=ref))
        assert result.ok, (name, result.error)
        assert name in (await driven.probe("() => document.body.dataset.clicked")).split(), name
        assert isinstance(result.action, Click)
        again = await driven.act(Click(target=result.action.target))
        assert (again.ok, again.matched_by) == (True, "selector" if ref.id is None else "id"), (name, again)


@pytest.mark.parametrize(
    "driven", ["playwright", pytest.param("selenium", marks=pytest.mark.thorough)], indirect=True
)
async def test_every_verb_on_elements_of_other_languages(driven: BrowserEnvironment, serve: Site) -> None:
    await opened(driven, serve(PAGE))
    for name in IDS:
        for index, verb in enumerate(VERBS):
            result = await driven.act(verb(css(f"#{name}")))
            assert result.ok == (index < DONE), (name, result.action, result.error)
            assert not re.search("internal|script failed|Error", result.error), (name, result.error)


async def test_fields_hide_nothing_of_their_form(driven: BrowserEnvironment, serve: Site) -> None:
    """A field named "matches" takes the place of the form's own function of that name, in every driven."""
    fields = "".join(f"<input name={name} size=1 style='width:20px'>" for name in NAMES)
    form = f"<form id=f action=/sent role=form aria-label=all>{fields}<button>Send</button></form>"
    url = serve(f"{form}<p style=height:5000px>")
    serve("sent", "/sent")
    await opened(driven, url)
    for index, verb in enumerate(VERBS[:-1]):
        result = await driven.act(verb(css("#f")))
        assert result.ok == (index < DONE), (result.action, result.error)
        assert not re.search("internal|script failed|Error", result.error), result.error
    assert (await driven.act(Type(target=css("#f [name=value]"), text="mug"))).ok
    assert (await driven.act(Submit(target=css("#f")))).ok
    assert "value=mug" in (await driven.observe()).url
