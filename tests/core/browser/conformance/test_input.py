"""Mouse, keyboard and fields: every action has the same effect, whatever drives the browser."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.conftest import Site
from tests.core.browser.acts import css, done, field, opened, refused, value
from webbench.core.action.action import (
    Check,
    Click,
    ClickAt,
    Drag,
    Focus,
    Hover,
    HoverAt,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseUp,
    Press,
    Scroll,
    ScrollTo,
    Select,
    SetRange,
    Type,
    Upload,
    UploadAt,
)
from webbench.core.browser.browser_environment import BrowserEnvironment

FORM = """<!doctype html><title>form</title><style>body { margin: 0; font: 16px sans-serif }</style>
<div><button id=b ondblclick="this.textContent='twice'"
  onauxclick="if (event.button === 1) this.textContent='middle'"
  oncontextmenu="this.textContent='right'; event.preventDefault()">b</button></div>
<input name=q> <textarea name=long></textarea> <input name=d type=date> <input name=n type=number>
<div id=rich contenteditable>old</div>
<input type=checkbox name=ok> <input type=radio name=r value=1><input type=radio name=r value=2>
<select name=s><option>small<option>large</select>
<input type=range name=v min=0 max=10> <input type=file name=f>
<div id=src draggable=true style="width:60px;height:30px;background:#ccc">drag</div>
<div id=dst style="width:60px;height:30px;background:#eee" ondragover="event.preventDefault()"
  ondrop="event.preventDefault(); this.textContent = 'dropped'">to</div>
<div id=hot onmouseenter="this.textContent='hovered'" style="width:90px">hover me</div>
<p style="margin-top:3000px"><button id=low onclick="this.textContent='reached'">low</button></p>
<script>
  window.seen = [];
  for (const kind of ['click', 'keydown', 'input', 'change']) document.addEventListener(kind, (event) => {
    seen.push(`${kind}:${event.target.id || event.target.name || ''}${event.ctrlKey ? ':ctrl' : ''}`
      + `${event.isTrusted ? '' : ':false'}${kind === 'keydown' ? `:${event.key}` : ''}`);
    document.body.dataset.seen = JSON.stringify(seen);
  });
</script>"""


async def seen(world: BrowserEnvironment, kind: str) -> list[str]:
    told = await world.probe("() => JSON.parse(document.body.dataset.seen ?? '[]')")
    return [one.removeprefix(f"{kind}:") for one in told if one.startswith(f"{kind}:")]


async def test_pointing(world: BrowserEnvironment, serve: Site) -> None:
    await opened(world, serve(FORM))
    for action, text in (
        (Click(target=css("#b"), count=2), "twice"),
        (Click(target=css("#b"), button="middle"), "middle"),
        (Click(target=css("#b"), button="right"), "right"),
    ):
        await done(world, action)
        assert await value(world, "#b", "textContent") == text
    await done(world, Click(target=css("#b"), modifiers=("ctrl",)))
    assert (await seen(world, "click"))[-1] == "b:ctrl"
    await done(world, ClickAt(x=12, y=8))
    assert (await seen(world, "click"))[-1] == "b"
    await done(world, Hover(target=css("#hot")))
    assert await value(world, "#hot", "textContent") == "hovered"
    await done(world, Drag(source=css("#src"), target=css("#dst")))
    assert await value(world, "#dst", "textContent") == "dropped"
    assert not [one for one in await seen(world, "click") if one.endswith(":false")]


async def test_scrolling_and_what_is_far_below(world: BrowserEnvironment, serve: Site) -> None:
    await opened(world, serve(FORM))
    top = "() => Math.round(scrollY)"
    await done(world, Scroll(dy=240, unit="pixels"))
    assert await world.probe(top) == 240
    await done(world, Scroll(dy=-240, unit="pixels"))
    assert await world.probe(top) == 0
    await done(world, ScrollTo(target=css("#low")))
    assert await world.probe(top) > 2000
    await done(world, Scroll(dy=-10, unit="viewports"))
    await done(world, Click(target=css("#low")))
    assert await value(world, "#low", "textContent") == "reached"


async def test_filling(world: BrowserEnvironment, serve: Site, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x")
    await opened(world, serve(FORM), uploads=tmp_path)
    long = "word " * 60
    for action, selector, attribute, expected in (
        (Type(target=field("q"), text="Ada L. (1843)"), "[name=q]", "value", "Ada L. (1843)"),
        (Type(target=field("q"), text=" – ñ字🙂", clear=False), "[name=q]", "value", "Ada L. (1843) – ñ字🙂"),
        (Type(target=field("long"), text="two\nlines"), "[name=long]", "value", "two\nlines"),
        (Type(target=field("long"), text=long), "[name=long]", "value", long),
        (Type(target=field("d"), text="2024-01-31"), "[name=d]", "value", "2024-01-31"),
        (Type(target=field("n"), text="12"), "[name=n]", "value", "12"),
        (Type(target=css("#rich"), text="new"), "#rich", "textContent", "new"),
        (Check(target=field("ok")), "[name=ok]", "checked", True),
        (Check(target=field("r", "2")), "[name=r][value='2']", "checked", True),
        (Select(target=field("s"), options=("large",)), "[name=s]", "value", "large"),
        (SetRange(target=field("v"), value=7), "[name=v]", "value", "7"),
        (Upload(target=field("f"), files=("notes.txt",)), "[name=f]", "files.length", 1),
    ):
        await done(world, action)
        assert await value(world, selector, attribute) == expected, action
    assert not [one for one in await seen(world, "keydown") if ":false" in one]


async def test_keys(world: BrowserEnvironment, serve: Site) -> None:
    await opened(world, serve(FORM))
    await done(world, Type(target=field("q"), text="ab"))
    for keys in ("Home", "Shift+ArrowRight", "Delete", "End", "!", "Shift+z"):
        await done(world, Press(keys=keys))
    assert await value(world, "[name=q]") == "b!Z"
    await done(world, Press(keys="ctrl+a"))
    await done(world, Press(keys="Backspace"))
    assert await value(world, "[name=q]") == ""
    await done(world, Press(keys="Tab"))
    assert (await world.probe("() => document.activeElement.name")) == "long"
    before = len(await seen(world, "keydown"))
    await done(world, Type(text="two\nlines", clear=False, at_once=True))
    assert await value(world, "[name=long]") == "two\nlines"
    assert len(await seen(world, "keydown")) == before
    pressed = [one.partition(":")[2] for one in await seen(world, "keydown")]
    assert [one for one in pressed if one in ("Home", "Delete", "ctrl:a", "Tab", "Z")] == [
        *("Home", "Delete", "Z", "ctrl:a", "Tab")
    ]


MASKS = """<input name=card><input name=tags><ul></ul><input name=one maxlength=4><input name=two><script>
  const [card, tags, one, two] = document.querySelectorAll('input');
  card.addEventListener('keydown', (event) => {
    if (event.key.length > 1) return;
    event.preventDefault();
    if (/\\d/.test(event.key)) card.value = (card.value + event.key).replace(/(\\d{4})(?=\\d)/g, '$1 ');
  });
  document.addEventListener('keydown', (event) => {
    if (event.target !== tags || event.key !== ',') return;
    event.preventDefault();
    document.querySelector('ul').innerHTML += `<li>${tags.value}`;
    tags.value = '';
  });
  one.oninput = () => one.value.length === 4 && two.focus();
</script>"""


async def test_fields_that_look_at_every_key_get_every_key(world: BrowserEnvironment, serve: Site) -> None:
    await opened(world, serve(MASKS))
    await done(world, Type(target=field("card"), text="4111111111111111"))
    assert await value(world, "[name=card]") == "4111 1111 1111 1111"
    await done(world, Type(target=field("tags"), text="apples,pears,plums"))
    assert await value(world, "ul", "innerText") == "apples\npears"
    await done(world, Type(target=field("one"), text="12345678901234"))
    assert await value(world, "[name=two]") == "5678901234"


HELD = """<!doctype html><title>held</title><style>body { margin: 0; font: 16px sans-serif }
  canvas, #src, #dst, label { display: block; width: 300px; height: 60px }</style>
<canvas id=c></canvas> <div id=src draggable=true>drag</div>
<div id=dst ondragover="event.preventDefault()" ondrop="event.preventDefault(); log('dropped')">to</div>
<label>Choose <input type=file name=f multiple hidden onchange="log(`${this.files.length} files`)"></label>
<input name=q> <div id=plain>plain</div> <svg width=9 height=9 tabindex=0 id=svg></svg>
<script>
  const seen = [];
  const log = (text) => { seen.push(text); document.body.dataset.seen = JSON.stringify(seen) };
  for (const kind of ['mousedown', 'mousemove', 'mouseup', 'click'])
    document.querySelector('canvas').addEventListener(kind, (event) => log(`${kind}:${event.buttons}`));
  for (const kind of ['keydown', 'keyup'])
    document.addEventListener(kind, (event) => log(`${kind}:${event.key}${event.shiftKey ? ':shift' : ''}`));
  document.querySelector('#dst').onclick = (event) => log(`click${event.shiftKey ? ':shift' : ''}`);
</script>"""


async def told(world: BrowserEnvironment) -> list[str]:
    """What the page saw; many moves are one."""
    found = await world.probe("() => JSON.parse(document.body.dataset.seen ?? '[]')")
    return [one for index, one in enumerate(found) if index == 0 or one != found[index - 1]]


async def test_buttons_and_keys_that_are_held(
    each_hand: BrowserEnvironment, serve: Site, tmp_path: Path
) -> None:
    world = each_hand
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(name)
    await opened(world, serve(HELD), uploads=tmp_path)
    for action in (MouseDown(x=10, y=10), HoverAt(x=100, y=30), MouseUp(x=200, y=40)):
        await done(world, action)
    seen = await told(world)
    assert [one for one in seen if one != "mousemove:0"] == [
        "mousedown:1",
        "mousemove:1",
        "mouseup:0",
        "click:0",
    ]
    await done(world, KeyDown(key="Shift"))
    await done(world, Click(target=css("#dst")))
    await done(world, KeyUp(key="Shift"))
    await done(world, Click(target=css("#dst")))
    assert (await told(world))[-4:] == ["keydown:Shift:shift", "click:shift", "keyup:Shift", "click"]
    await done(world, Focus(target=css("[name=q]")))
    assert await world.probe("() => document.activeElement.name") == "q"
    await done(world, KeyDown(key="c"))
    await done(world, KeyUp(key="c"))
    assert await value(world, "[name=q]") == "c"
    await done(world, Focus(target=css("#svg")))
    assert "can't have the focus" in await refused(world, Focus(target=css("#plain")))
    assert "there is no key 'NoSuch'" in await refused(world, KeyDown(key="NoSuch"))
    assert "there is no key 'NoSuch'" in await refused(world, KeyUp(key="NoSuch"))
    assert "outside the viewport" in await refused(world, MouseDown(x=9000, y=1))
    await done(world, MouseDown(x=20, y=80))
    await done(world, MouseUp(x=20, y=150))
    # A display's own drag and drop is answered by the browser after the button is up.
    async with asyncio.timeout(10):
        while (await told(world))[-1] != "dropped":
            await asyncio.sleep(0.05)
    await done(world, UploadAt(x=20, y=190, files=("a.txt", "b.txt")))
    assert await value(world, "[name=f]", "files[1].name") == "b.txt"
    assert "no file dialog" in await refused(world, UploadAt(x=20, y=10, files=("a.txt",)))
    assert "outside the folder" in await refused(world, UploadAt(x=20, y=190, files=("../a.txt",)))
