"""Roles and names by rule are those that Chromium computes; no Firefox is needed to see that."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Site
from tests.core.browser.acts import opened
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.browser.firefox import worlds_by_handle
from webbench.core.browser.firefox.worlds_by_handle import by_rule

pytestmark = pytest.mark.browser

PAGE = """<!doctype html><title>rules</title><style>.up { text-transform: uppercase }
  .before::before { content: "new: " }</style>
<header><nav><a href=/a>A <b>link</b></a> <a>no link</a></nav></header><main>
<h1>Shop <span hidden>no</span></h1>
<button class=up>Next</button> <button title=Tip></button>
<button class=before>Item</button>
<button aria-label="Close it">x</button> <button aria-labelledby="one two">x</button>
<i id=one>First</i><i id=two>second</i>
<input placeholder=Hint> <input type=search title=Find> <label>Name <input></label>
<label for=f>Full</label><input id=f type=email>
<input type=submit> <input type=reset> <input type=button value=Go> <input type=image alt=Send src=x>
<input type=checkbox aria-label=Yes> <input type=radio id=r><label for=r>One of</label>
<input type=range aria-label=Size>
<input type=number aria-label=Count> <input list=l aria-label=Pick>
<datalist id=l><option>a</option></datalist>
<select aria-label=Kind><option>tea<option label=Coffee>c</select>
<select multiple aria-label=Many><option>x</select> <textarea aria-label=Notes></textarea>
<img alt=Lamp src=x> <img src=y title=Titled> <div role=button tabindex=0>Div <em>button</em></div>
<div role="nonsense checkbox" aria-checked=true tabindex=0>Odd</div> <span role=img aria-label=Star></span>
<table><caption>Prices</caption><tr><th>Name<th scope=col>Price<tr><th scope=row>Tea<td>2</table>
<fieldset><legend>Group</legend><ul><li>item</ul></fieldset> <section aria-label=Part><p>text</p></section>
<div contenteditable aria-label=Rich role=textbox></div> <svg width=9 height=9><title>Drawn</title></svg>
<progress aria-label=Done></progress> <meter aria-label=Full></meter> <dialog open aria-label=Ask>?</dialog>
<a href=/b><img alt=Picture src=z></a>
<label>How many <select><option>3</select> days <input type=checkbox></label>
</main><footer>end</footer>"""
COMPARED = """() => {
  const scope = {};
  ((globalThis) => { RULES })(scope);
  return [...document.querySelectorAll('body *')]
    .filter((one) => one.checkVisibility() && one.computedRole && one.computedRole !== 'generic')
    .map((one) => [one.outerHTML.slice(0, 60), one.computedRole, scope.byRule.role(one),
      one.computedName.trim().replace(/\\s+/g, ' '), scope.byRule.name(one)])
    .filter(([, role, ours, name, named]) => role !== ours || name !== named);
}"""


async def test_roles_and_names_are_those_that_chromium_computes(
    environment: BrowserEnvironment, serve: Site
) -> None:
    rules = Path(worlds_by_handle.__file__).with_name("roles_by_rule.js").read_text(encoding="utf-8")
    await opened(environment, serve(PAGE))
    found = await environment.probe(COMPARED.replace("RULES", rules))
    assert found == [], found


def test_our_scripts_ask_the_rules_for_what_firefox_does_not_compute() -> None:
    script = 'able: "computedRole" in Element.prototype, role: one.computedRole || option.computedName'
    assert by_rule(script) == "able: true, role: byRule.role(one) || byRule.name(option)"
