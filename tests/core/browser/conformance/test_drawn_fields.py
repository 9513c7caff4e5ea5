"""Fields that a page draws over, as code editors do: the keys go to them though nobody can click them."""

from __future__ import annotations

import pytest

from tests.conftest import Site
from tests.core.browser.acts import css, done, opened, refused, value
from webbench.core.action.action import Click, Type
from webbench.core.browser.browser_environment import BrowserEnvironment

EDITOR = """<!doctype html><title>t</title><style>
  .editor { position: relative; width: 300px; height: 120px; overflow: hidden; border: 1px solid }
  .clip { position: absolute; width: 3px; height: 3px; overflow: hidden; top: 4px; left: 4px }
  .clip textarea { width: 500px; height: 1em; padding: 0; opacity: 0 }
  .lines { position: absolute; inset: 0; background: white; white-space: pre }</style>
<div class=editor><div class=clip><textarea id=keys aria-label=Code></textarea></div>
  <div class=lines id=lines>1</div></div>
<script>
  let text = 'old = 1', all = false;
  const draw = () => requestAnimationFrame(() => {
    const drawn = text.split('\\n').map((line, at) => (at + 1) + ' ' + line.replaceAll(' ', '\\u00a0'));
    lines.textContent = drawn.join('\\n');
  });
  keys.onkeydown = (event) => {
    if (event.ctrlKey && event.key === 'a') { all = true; event.preventDefault(); }
    else if (['Delete', 'Backspace'].includes(event.key) && all) { text = ''; all = false; draw(); }
  };
  keys.oninput = () => { text = (all ? '' : text) + keys.value; all = false; keys.value = ''; draw(); };
  lines.onmousedown = (event) => { event.preventDefault(); keys.focus(); };
  draw();
</script>"""


LOW = """<style>.clip { height: 0 } .clip textarea { position: absolute; width: 1000px }</style>"""
"""As CodeMirror 5 has it: scrolled into view, the field leaves what is drawn over it."""


@pytest.mark.parametrize("page", [EDITOR, EDITOR + LOW], ids=["clipped", "without a height"])
async def test_a_code_editor_is_filled_added_to_and_cleared(
    driven: BrowserEnvironment, serve: Site, page: str
) -> None:
    await opened(driven, serve(page))
    shown = "textContent.replaceAll('\\u00a0', ' ')"
    await done(driven, Type(target=css("#keys"), text="x = 2"))
    assert await value(driven, "#lines", shown) == "1 x = 2"
    await done(driven, Type(target=css("#keys"), text="def f():\n    return x"))
    assert await value(driven, "#lines", shown) == "1 def f():\n2     return x"
    await done(driven, Type(target=css("#keys"), text="(1)", clear=False))
    assert await value(driven, "#lines", shown) == "1 def f():\n2     return x(1)"
    assert (await done(driven, Type(target=css("#keys"), text=""))).output == ""
    assert await value(driven, "#lines", shown) == "1 "


INDENTING = """<!doctype html><div id=rich contenteditable style="white-space:pre"></div><script>
rich.onkeydown = (event) => {
  if (event.key !== 'Enter') return;
  event.preventDefault();
  document.execCommand('insertText', false, '\\n    ');
};</script>"""


async def test_lines_with_an_indentation_are_not_indented_twice(
    driven: BrowserEnvironment, serve: Site
) -> None:
    await opened(driven, serve(INDENTING))
    await done(driven, Type(target=css("#rich"), text="def f():\n    return x"))
    assert (await value(driven, "#rich", "innerText")).rstrip("\n") == "def f():\n    return x"


EDIT_CONTEXT = """<!doctype html><div id=editor role=textbox aria-label=Code tabindex=0
  style="width:0;height:1em"></div><pre id=lines></pre><script>
  const context = editor.editContext = new EditContext();
  let text = '';
  const draw = () => { lines.textContent = text; };
  const put = (part) => {
    for (const sign of part) text += sign === '\\n' ? '\\n' + text.split('\\n').pop().match(/^ */)[0] : sign;
    draw();
  };
  context.addEventListener('textupdate', (event) => put(event.text));
  editor.onkeydown = (event) => {
    if (event.key === 'Enter') put('\\n');
    if (event.key === 'Delete') { text = ''; draw(); }
  };
  editor.onpaste = (event) => {
    event.preventDefault();
    text += event.clipboardData.getData('text/plain');
    draw();
  };
</script>"""


async def test_an_editor_without_a_width_takes_the_focus_by_a_click_and_lines_as_a_paste(
    driven: BrowserEnvironment, serve: Site
) -> None:
    await opened(driven, serve(EDIT_CONTEXT))
    clicked = await done(driven, Click(target=css("#editor")))
    assert "it has the focus now" in clicked.output
    assert await value(driven, "#editor", "matches(':focus')") is True
    await done(driven, Type(target=css("#editor"), text="def f():\n    if x:\n        return x"))
    assert await value(driven, "#lines", "textContent") == "def f():\n    if x:\n        return x"


SPECK = """<!doctype html><div><textarea id=dot style="width:1px;height:1px;padding:0;border:0">
</textarea><pre id=code>x = 1</pre></div><script>
  let all = false;
  const put = (text) => { code.textContent = all ? text : code.textContent + text; all = false; };
  dot.onkeydown = ({ key, ctrlKey }) => {
    if (key === 'a' && ctrlKey) all = true;
    if (key === 'Delete') put('');
  };
  dot.onbeforeinput = (event) => { event.preventDefault(); put(event.data ?? ''); };
</script>"""


async def test_a_field_too_small_to_show_its_text_is_filled_by_keys(
    driven: BrowserEnvironment, serve: Site
) -> None:
    await opened(driven, serve(SPECK))
    for text in ("y", "z = 2", ""):
        await done(driven, Type(target=css("#dot"), text=text))
        assert await value(driven, "#code", "textContent") == text


COVERED = """<!doctype html><title>t</title><div style="position:relative;width:200px">
  <input id=field style="width:190px"><span style="position:absolute;inset:0">Your name</span></div>
<div id=deaf style="position:relative;width:200px"><textarea id=keyless onkeydown="return false"
  onbeforeinput="return false"></textarea><span style="position:absolute;inset:0">fixed</span></div>
<div style="position:relative"><button id=under>Under</button>
  <i id=over style="position:absolute;inset:0">Over</i></div>
<div><input id=speck style="position:absolute;opacity:0">
  <div id=page style="position:absolute;inset:0" hidden>1 lines</div></div>
<input id=behind><div id=modal style="position:fixed;inset:60% 0 0 0" hidden>Sign in</div>"""


async def test_only_what_lies_over_the_page_is_to_be_closed(driven: BrowserEnvironment, serve: Site) -> None:
    await opened(driven, serve(COVERED))
    await done(driven, Type(target=css("#field"), text="Ada"))
    assert await value(driven, "#field") == "Ada"
    error = await refused(driven, Type(target=css("#keyless"), text="Ada"))
    assert "was typed into, and the page shows 'fixed' over it" in error
    error = await refused(driven, Click(target=css("#under")))
    assert 'covered by i#over "Over" (act on what covers it' in error
    await driven.probe("() => { page.hidden = false }")  # an editor that is alone on its page
    await done(driven, Type(target=css("#speck"), text="Ada"))
    assert await value(driven, "#speck") == "Ada"
    await driven.probe("() => { page.hidden = true; modal.hidden = false }")
    await driven.probe("() => { behind.style = 'position:fixed;bottom:9px' }")
    assert "close what covers it" in await refused(driven, Type(target=css("#behind"), text="Ada"))


SLIDER = """<!doctype html><div role=slider id=volume tabindex=0 aria-label=Volume aria-valuenow=3
  aria-valuemin=0 aria-valuemax=9 onkeydown="const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0;
  this.ariaValueNow = +this.ariaValueNow + by">|</div>
<div role=slider id=dial tabindex=0 aria-valuenow=3>o</div>
<div role=slider id=full tabindex=0 aria-valuenow=9 aria-valuemax=9>o</div>
<div role=tab id=tab tabindex=0>Tab</div> <div role=checkbox id=box aria-checked=false tabindex=0>Box</div>
<select id=list><option>a</select> <input type=file id=file aria-label=File> <p id=text>words</p>"""


async def test_fill_moves_a_slider_and_names_what_else_can_be_done(
    driven: BrowserEnvironment, serve: Site
) -> None:
    await opened(driven, serve(SLIDER))
    await done(driven, Type(target=css("#volume"), text="7"))
    assert await value(driven, "#volume", "ariaValueNow") == "7"
    assert "its keys leave it at 3 (click or drag at a point" in await refused(
        driven, Type(target=css("#dial"), text="7")
    )
    assert "its nearest possible value is 9" in await refused(driven, Type(target=css("#full"), text="12"))
    assert "takes a number, not 'loud'" in await refused(driven, Type(target=css("#volume"), text="loud"))
    for selector, hint in (
        ("#tab", "(click it)"),
        ("#box", "(check or uncheck it)"),
        ("#list", "(select one of its options)"),
        ("#file", "(upload a file to it)"),
        ("#text", "(name a field"),
    ):
        assert hint in await refused(driven, Type(target=css(selector), text="x"))
