"""What a field holds after it was filled in, chosen or set: pages that keep keys away, or tidy up."""

from __future__ import annotations

import asyncio
from importlib.resources import files

import pytest

from tests.conftest import Site
from tests.core.browser.acts import css, done, field, opened, refused, value
from webbench.core.action.action import Check, Press, Select, SetRange, Type
from webbench.core.browser.browser_environment import BrowserEnvironment

WIDGETS = """<!doctype html><title>widgets</title><link rel=stylesheet href=/ui.css>
<script src=/jquery.js></script><script src=/ui.js></script>
<label>Keys <input id=free name=free value=1></label> <label>Arrows <input id=kept name=kept value=0></label>
<label>Bounded <input id=bounded name=bounded value=3></label>
<input name=date> <input name=fruit> <div id=slider style="width:200px"></div>
<script>
  $('#free').spinner(); $('#kept').spinner(); $('[name=date]').datepicker(); $('#slider').slider({ max: 10 });
  $('[name=fruit]').autocomplete({ source: ['apple', 'apricot', 'pear'] });
  const bounded = $('#bounded').spinner({ min: 0, max: 50 });
  bounded.on('input', () => { if (bounded.spinner('value') > 50) bounded.spinner('value', 50) });
  $('#kept').on('keydown', (event) => event.preventDefault());
</script>"""


def with_widgets(serve: Site) -> str:
    """The page with the jQuery UI that ships beside this program."""
    folder = files("xstatic.pkg")
    for path, place in (
        ("/jquery.js", "jquery/data/jquery.min.js"),
        ("/ui.js", "jquery_ui/data/jquery-ui.min.js"),
    ):
        serve.pages[path] = (200, {"content-type": "text/javascript"}, folder.joinpath(place).read_bytes())
    style = folder.joinpath("jquery_ui/data/jquery-ui.min.css").read_bytes()
    serve.pages["/ui.css"] = (200, {"content-type": "text/css"}, style)
    return serve(WIDGETS)


async def test_widgets_of_jquery_ui_hold_what_was_filled_in(driven: BrowserEnvironment, serve: Site) -> None:
    await opened(driven, with_widgets(serve))
    for name, text in (
        ("free", "-7"),
        ("kept", "-7"),
        ("kept", "12"),
        ("date", "02/29/2024"),
        ("fruit", "ap"),
    ):
        result = await done(driven, Type(target=field(name), text=text))
        assert (await value(driven, f"[name={name}]"), result.output) == (text, "")
    async with asyncio.timeout(10):
        while await value(driven, ".ui-autocomplete", "innerText") != "apple\napricot":
            await asyncio.sleep(0.02)
    await done(driven, Type(target=field("kept"), text="3", clear=False))
    assert await value(driven, "#kept") == "123"
    await done(driven, Type(target=field("kept"), text=""))
    assert await value(driven, "#kept") == ""
    await done(driven, SetRange(target=field("kept"), value=4))
    assert await value(driven, "#kept") == "4"
    error = await refused(driven, Type(target=field("bounded"), text="99"))
    assert "holds '50' after typing" in error
    assert "is no slider" in await refused(driven, SetRange(target=css("#slider span"), value=4))
    await done(driven, Press(keys="ArrowRight", target=css("#slider span")))
    assert await value(driven, "#slider span", "style.left") == "10%"


TIDY = """<!doctype html><title>tidy</title>
<input name=upper value=ABC oninput="this.value = this.value.toUpperCase()">
<input name=money value="1,234"
  oninput="this.value = Number(this.value.replace(/\\D/g, '')).toLocaleString('en')">
<input name=phone oninput="const d = this.value.replace(/\\D/g, '');
  this.value = d.length > 6 ? `(${d.slice(0, 3)}) ${d.slice(3, 6)}-${d.slice(6, 10)}` : d">
<input name=digits onkeydown="if (/[^0-9]/.test(event.key) && event.key.length === 1) event.preventDefault()">
<input name=short maxlength=3> <input name=hint oninput="if (this.value === 'par') this.value = 'paris'">
<input name=code size=1 oninput="if (this.value) location.href = '/done'">
<div contenteditable id=rich oninput="this.innerHTML = this.innerHTML.replace('* ', '\u2022 ')"></div>
<input type=password name=secret oninput="this.value = '0'">
<input name=never oninput="this.value = 'as it was'" value="as it was">
<div contenteditable id=shut onbeforeinput="event.preventDefault()">shut</div>"""


@pytest.mark.parametrize(
    ("name", "text", "held"),
    [
        *(
            ("upper", "abc", "ABC"),
            ("upper", "xyz", "XYZ"),
            ("money", "1234", "1,234"),
            ("money", "98765", "98,765"),
        ),
        *(
            ("phone", "5551234567", "(555) 123-4567"),
            ("digits", "12", ""),
            ("digits", "-5", ""),
            ("short", "abcd", "abc"),
        ),
        *(("hint", "par", "paris"), ("upper", "ÄÖÜ", "")),
    ],
)
async def test_what_a_page_makes_of_a_text_is_told(
    environment: BrowserEnvironment, serve: Site, name: str, text: str, held: str
) -> None:
    await opened(environment, serve(TIDY))
    result = await done(environment, Type(target=field(name), text=text))
    assert await value(environment, f"[name={name}]") == (held or text)
    assert result.output == (f"the field holds {held!r}" if held else "")


async def test_what_holds_nothing_of_a_text_is_an_error(driven: BrowserEnvironment, serve: Site) -> None:
    await opened(driven, serve(TIDY))
    assert "holds 'as it was' after typing" in await refused(driven, Type(target=field("never"), text="new"))
    assert "holds 'shut' after typing" in await refused(driven, Type(target=css("#shut"), text="open"))
    error = await refused(driven, Type(target=field("secret"), text="77"))
    assert "holds something else after typing" in error
    assert "0" not in error
    await done(driven, Type(target=css("#rich"), text="* one"))
    serve("arrived", "/done")
    await done(driven, Type(target=field("code"), text="7"))
    assert (await driven.observe()).url.endswith("/done")


TAKEN = """<!doctype html><title>taken</title>
<input name=tags oninput="if (this.value.endsWith(',')) { kept.append(this.value); this.value = '' }">
<p id=kept></p>
<input name=mask value="(55) -" oninput="this.value = `(${this.value.replace(/\\D/g, '').padEnd(2, '_')}) -`">
<input name=opener onkeydown="search.focus()"> <input id=search aria-label=search>
<span id=holder><input name=anew oninput="const fresh = this.cloneNode(); fresh.value = this.value;
  this.remove(); holder.append(fresh); fresh.focus();
  fresh.setSelectionRange(9, 9)"></span>"""


async def test_what_a_page_takes_out_of_a_field_is_not_put_in_twice(
    driven: BrowserEnvironment, serve: Site
) -> None:
    await opened(driven, serve(TAKEN))
    error = await refused(driven, Type(target=field("tags"), text="red,"))
    assert "is empty again after typing" in error
    assert await value(driven, "#kept", "textContent") == "red,"
    assert "gave the keyboard to input#search" in await refused(
        driven, Type(target=field("opener"), text="mug")
    )
    assert (await value(driven, "[name=opener]"), await value(driven, "#search")) == ("", "mug")
    await done(driven, Type(target=field("mask"), text=""))
    assert await value(driven, "[name=mask]") == "(__) -"
    await done(driven, Type(target=field("anew"), text="mug"))
    assert await value(driven, "[name=anew]") == "mug"


REVERTED = """<!doctype html><title>reverted</title>
<select name=s onchange="this.selectedIndex = 0"><option>Small<option>Large</select>
<select name=gone onchange="this.remove()"><option>Small<option>Large</select>
<input type=checkbox name=c onchange="this.checked = false">
<input type=range name=r min=0 max=10 value=2 onchange="this.value = 2"> <input type=range name=whole>
<input type=range name=released onkeyup="told.append(`${this.value} `)"
  onchange="told.append(`${this.value}, `)">
<input type=range name=keyless onkeydown="return false"> <p id=told></p>"""


async def test_choices_that_the_page_undoes_are_told(driven: BrowserEnvironment, serve: Site) -> None:
    await opened(driven, serve(REVERTED))
    assert "holds 'Small' after the choice" in await refused(
        driven, Select(target=field("s"), options=("Large",))
    )
    await done(driven, Select(target=field("gone"), options=("Large",)))
    assert "is not checked" in await refused(driven, Check(target=field("c")))
    assert "nearest possible value is 2" in await refused(driven, SetRange(target=field("r"), value=7))
    await done(driven, Type(target=field("whole"), text="5.0"))
    for number in (100, 0, 51):  # a slider that is heard of only when its key is let go of
        await done(driven, SetRange(target=field("released"), value=number))
    assert await value(driven, "#told", "textContent") == "100, 100 0, 0 51, 51 "
    await done(driven, SetRange(target=field("keyless"), value=7))
    assert await value(driven, "[name=keyless]") == "7"
