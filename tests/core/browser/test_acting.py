"""Every verb on real pages, seen from the page's own state."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Site
from webbench.core.action import (
    Action,
    Back,
    CaptureScreen,
    Check,
    Click,
    ClickAt,
    Drag,
    DragAt,
    ElementRef,
    Forward,
    GetHtml,
    Goto,
    Hover,
    HoverAt,
    NewTab,
    Noop,
    Press,
    Reload,
    Say,
    Scroll,
    ScrollTo,
    Select,
    SetRange,
    Stop,
    Submit,
    Type,
    Upload,
)
from webbench.core.browser.environment import BrowserEnvironment
from webbench.core.environment import EnvironmentSetup, StepResult
from webbench.core.observation import Observation


def field(name: str, option: str = "") -> ElementRef:
    return ElementRef(field=name, option=option)


def css(selector: str) -> ElementRef:
    return ElementRef(selector=selector)


async def opened(environment: BrowserEnvironment, url: str, **setup: Any) -> None:
    await environment.reset(EnvironmentSetup(start_urls=(url,), **setup))


async def done(environment: BrowserEnvironment, action: Action) -> StepResult:
    result = await environment.act(action)
    assert result.ok, result.error
    return result


async def refused(environment: BrowserEnvironment, action: Action) -> str:
    result = await environment.act(action)
    assert not result.ok
    assert (await environment.observe()).last_error == result.error
    return result.error


async def value(environment: BrowserEnvironment, selector: str, attribute: str = "value") -> Any:
    return await environment.probe(f"(s) => document.querySelector(s).{attribute}", selector)


def id_of(observation: Observation, role: str, name: str = "") -> ElementRef:
    found = [node.id for node in observation.nodes if node.role == role and name in node.name]
    return ElementRef(id=found[0])


LOG = """<script>window.seen = [];
for (const kind of ['click', 'dblclick', 'auxclick', 'contextmenu', 'keydown', 'input', 'change', 'mouseover',
  'drop', 'submit'])
  document.addEventListener(kind, (e) => seen.push(
    `${kind}:${e.target.id}${e.ctrlKey ? ':ctrl' : ''}${e.isTrusted ? '' : ':false'}`), true);
</script>"""


async def seen(environment: BrowserEnvironment, kind: str) -> list[str]:
    return await environment.probe(
        "(k) => JSON.parse(document.body.dataset.seen).filter((s) => s.startsWith(k))", kind
    )


MIRROR = """<script>addEventListener('click', () => 0);
const mirror = () => { document.body.dataset.seen = JSON.stringify(window.seen) };
for (const kind of ['click', 'dblclick', 'auxclick', 'contextmenu', 'keydown', 'input', 'change', 'mouseover',
  'drop', 'submit']) document.addEventListener(kind, mirror);</script>"""


async def test_click_sends_trusted_events_and_records_the_fingerprint(
    environment: BrowserEnvironment, serve: Site
) -> None:
    await opened(environment, serve(LOG + "<main><button id=go>Buy now</button></main>" + MIRROR))
    observation = await environment.observe()
    result = await done(environment, Click(target=id_of(observation, "button")))
    assert await seen(environment, "click") == ["click:go"]
    assert isinstance(result.action, Click)
    target = result.action.target
    assert (target.role, target.name, target.selector) == ("button", "Buy now", "#go")
    assert target.path == "body[0]/main[0]/button[0]"
    assert target.box is not None
    assert target.box.width > 0
    assert result.matched_by == "id"


async def test_double_right_and_modified_clicks(environment: BrowserEnvironment, serve: Site) -> None:
    await opened(environment, serve(LOG + "<button id=b>B</button>" + MIRROR))
    await done(environment, Click(target=css("#b"), count=2))
    assert await seen(environment, "dblclick") == ["dblclick:b"]
    await done(environment, Click(target=css("#b"), button="right"))
    assert await seen(environment, "contextmenu") == ["contextmenu:b"]
    await done(environment, Click(target=css("#b"), modifiers=("ctrl",)))
    assert (await seen(environment, "click"))[-1] == "click:b:ctrl"


async def test_scrolls_into_view_under_a_sticky_header(environment: BrowserEnvironment, serve: Site) -> None:
    header = "<header style='position:sticky;top:0;height:200px;background:red'>Top</header>"
    await opened(
        environment,
        serve(
            LOG
            + header
            + "<p style='height:3000px'></p><button id=far>Far</button><p style='height:10px'>"
            + MIRROR
        ),
    )
    await done(environment, Click(target=css("#far")))
    assert await seen(environment, "click") == ["click:far"]


async def test_covered_element_names_what_covers_it(environment: BrowserEnvironment, serve: Site) -> None:
    cookie = "<div id=cookie style='position:fixed;inset:0'>We use cookies</div>"
    await opened(environment, serve(f"<button>Buy</button>{cookie}"))
    observation = await environment.observe()
    target = id_of(observation, "button")
    error = await refused(environment, Click(target=target))
    assert f'[{target.id}] button "Buy" is covered by div#cookie "We use cookies"' in error


async def test_click_through_frames_and_shadow_roots(environment: BrowserEnvironment, serve: Site) -> None:
    inner = """<div id=host></div><script>
      const root = document.getElementById('host').attachShadow({mode: 'open'});
      root.innerHTML = '<p style="height:900px"></p><button>Deep</button>';
      root.querySelector('button').onclick = (e) => { e.target.textContent = 'Pressed ' + e.isTrusted };
    </script>"""
    serve(inner, "/inner")
    frames = "".join(
        f"<iframe width=400 height=200 style='border:7px solid;padding:5px' src='{origin}inner'></iframe>"
        for origin in (serve.url, serve.other_origin)
    )
    await opened(environment, serve(f"<p style='height:900px'></p>{frames}"))
    buttons = [node for node in (await environment.observe()).nodes if node.role == "button"]
    assert len(buttons) == 2
    for button in buttons:
        result = await done(environment, Click(target=ElementRef(id=button.id)))
        assert isinstance(result.action, Click)
        assert result.action.target.frame_url.endswith("/inner")
        assert " >>> " in result.action.target.selector
    names = [node.name for node in (await environment.observe()).nodes if node.role == "button"]
    assert names == ["Pressed true", "Pressed true"]


async def test_cover_over_a_frame_is_seen(environment: BrowserEnvironment, serve: Site) -> None:
    serve("<button>Inside</button>", "/inner")
    for origin in (serve.url, serve.other_origin):
        html = f"<iframe src='{origin}inner'></iframe><div id=veil style='position:fixed;inset:0'>Wait</div>"
        await opened(environment, serve(html))
        error = await refused(environment, Click(target=id_of(await environment.observe(), "button")))
        assert 'covered by div#veil "Wait"' in error


@pytest.mark.parametrize(
    "text",
    [
        "plain words",
        "Grüße, Ελληνικά, русский",
        "עברית العربية",
        "हिन्दी ไทย 日本語 한국어",
        "👩‍👩‍👧 𝔘 é\u0301",
    ],
)
async def test_types_every_script(environment: BrowserEnvironment, serve: Site, text: str) -> None:
    await opened(
        environment, serve("<input name=q value=old><textarea name=t>old</textarea><p contenteditable>old")
    )
    await done(environment, Type(target=field("q"), text=text))
    await done(environment, Type(target=field("t"), text=f"{text}\n{text}"))
    await done(environment, Type(target=css("p"), text=text))
    assert await value(environment, "input") == text
    assert await value(environment, "textarea") == f"{text}\n{text}"
    assert await value(environment, "p", "innerText") == text


async def test_typing_sends_key_events_appends_clears_and_enters(
    environment: BrowserEnvironment, serve: Site
) -> None:
    await opened(environment, serve(LOG + "<form action=/done><input id=q name=q value=a></form>" + MIRROR))
    serve("arrived", "/done")
    await done(environment, Type(target=field("q"), text="bc", clear=False))
    assert await value(environment, "#q") == "abc"
    assert await seen(environment, "keydown") == ["keydown:q", "keydown:q"]
    await done(environment, Type(target=field("q"), text=""))
    assert await value(environment, "#q") == ""
    await done(environment, Type(target=field("q"), text="x y", enter=True))
    assert (await environment.observe()).url == f"{serve.url}done?q=x+y"


async def test_long_texts_and_line_ends(environment: BrowserEnvironment, serve: Site) -> None:
    await opened(environment, serve("<form action=/gone><textarea name=t></textarea><input name=i></form>"))
    text = "Zeile\n" * 500 + "Ende"
    await done(environment, Type(target=field("t"), text=text))
    assert await value(environment, "textarea") == text
    await done(environment, Type(target=field("i"), text="one\ntwo"))
    assert await value(environment, "input") == "one two"
    assert (await environment.observe()).url == serve.url


async def test_fields_with_pickers_take_html_notation(environment: BrowserEnvironment, serve: Site) -> None:
    await opened(
        environment, serve("<input type=date name=d><input type=color name=c><input type=number name=n>")
    )
    await done(environment, Type(target=field("d"), text="2024-02-29"))
    assert await value(environment, "[name=d]") == "2024-02-29"
    assert "2024-01-31" in await refused(environment, Type(target=field("d"), text="29.2.2024"))
    await done(environment, Type(target=field("c"), text="#FF8800"))
    await done(environment, Type(target=field("n"), text="12"))
    await done(environment, Type(target=field("n"), text="5", clear=False))
    assert await value(environment, "[name=n]") == "125"
    assert "digits" in await refused(environment, Type(target=field("n"), text="abc"))


@pytest.mark.parametrize(
    ("html", "reason"),
    [
        ("<input name=f disabled>", "is disabled"),
        ("<fieldset disabled><input name=f></fieldset>", "is disabled"),
        ("<input name=f readonly>", "is read-only"),
        ("<input name=f style='display:none'>", "is hidden"),
        ("<input name=f type=checkbox>", "takes no text"),
        ("<div inert><button name=f>B</button></div>", "takes no text"),
    ],
)
async def test_fields_that_take_no_text_say_why(
    environment: BrowserEnvironment, serve: Site, html: str, reason: str
) -> None:
    await opened(environment, serve(html))
    error = await refused(environment, Type(target=field("f"), text="x"))
    assert "'f'" in error
    assert reason in error


async def test_select_by_value_and_label(environment: BrowserEnvironment, serve: Site) -> None:
    options = "<option value=1>One<option value=2> Two  words <option value=3 disabled>Three"
    html = (
        f"{LOG}<select id=s name=s>{options}</select><select id=m name=m multiple>{options}</select>{MIRROR}"
    )
    await opened(environment, serve(html))
    await done(environment, Select(target=field("s"), options=("Two words",)))
    assert await value(environment, "#s") == "2"
    assert await seen(environment, "input") == ["input:s:false"]
    assert await seen(environment, "change") == ["change:s:false"]
    await done(environment, Select(target=field("m"), options=("1", "two words")))
    chosen = "(s) => [...document.querySelector(s).selectedOptions].map((o) => o.value)"
    assert await environment.probe(chosen, "#m") == ["1", "2"]
    await done(environment, Select(target=field("m"), options=()))
    assert await environment.probe(chosen, "#m") == []
    assert "'One', 'Two words', 'Three'" in await refused(
        environment, Select(target=field("s"), options=("9",))
    )
    assert "disabled" in await refused(environment, Select(target=field("s"), options=("3",)))
    assert "one option" in await refused(environment, Select(target=field("s"), options=("1", "2")))


async def test_select_in_a_list_drawn_by_the_page(environment: BrowserEnvironment, serve: Site) -> None:
    html = """<div role=combobox tabindex=0 aria-label=Colour id=c onclick="list.hidden = false">-</div>
      <div role=listbox id=list hidden><div role=option onclick="c.textContent = 'red'">Red</div></div>"""
    await opened(environment, serve(html))
    await done(environment, Select(target=css("#c"), options=("Red",)))
    assert await value(environment, "#c", "textContent") == "red"


async def test_a_word_of_javascript_is_only_text(environment: BrowserEnvironment, serve: Site) -> None:
    html = """<div role=listbox id=c onclick="event.target === c || (c.title = event.target.textContent)">
      <div role=option>that</div><div role=option>this</div></div>"""
    await opened(environment, serve(html))
    await done(environment, Select(target=css("#c"), options=("this",)))
    assert await value(environment, "#c", "title") == "this"


async def test_check_boxes_radios_and_their_likes(environment: BrowserEnvironment, serve: Site) -> None:
    hidden = "position:absolute;opacity:0;width:0;height:0"
    html = f"""<input type=checkbox name=c>
      <label>Pick<input type=checkbox name=l style='display:none'></label>
      <input type=radio name=r value=a><input type=radio name=r value=b>
      <input type=checkbox name=k style='{hidden}'>
      <div role=switch aria-checked=false id=w tabindex=0
        onclick="this.ariaChecked = this.ariaChecked === 'true' ? 'false' : 'true'">Wifi</div>
      <input type=checkbox name=n onclick="return false">"""
    await opened(environment, serve(html))
    for name in ("c", "l", "k"):
        await done(environment, Check(target=field(name)))
        assert await value(environment, f"[name={name}]", "checked") is True
    await done(environment, Check(target=field("c"), checked=False))
    assert await value(environment, "[name=c]", "checked") is False
    await done(environment, Check(target=field("r", "b")))
    assert await value(environment, "[value=b]", "checked") is True
    assert "choose another" in await refused(environment, Check(target=field("r", "b"), checked=False))
    await done(environment, Check(target=css("#w")))
    assert await value(environment, "#w", "ariaChecked") == "true"
    assert "is not checked" in await refused(environment, Check(target=field("n")))


async def test_ranges(environment: BrowserEnvironment, serve: Site) -> None:
    html = f"""{LOG}<input type=range id=r name=r min=0 max=10 step=0.5>
      <div role=slider id=a tabindex=0 aria-valuenow=3 aria-valuemin=0 aria-valuemax=9
        onkeydown="if (event.key === 'ArrowRight') this.ariaValueNow = +this.ariaValueNow + 2">
      </div>{MIRROR}"""
    await opened(environment, serve(html))
    await done(environment, SetRange(target=field("r"), value=7.5))
    assert await value(environment, "#r") == "7.5"
    assert await seen(environment, "change") == ["change:r:false"]
    assert "nearest possible value is 10" in await refused(environment, SetRange(target=field("r"), value=99))
    await done(environment, SetRange(target=css("#a"), value=7))
    assert await value(environment, "#a", "ariaValueNow") == "7"
    assert "can't be 8" in await refused(environment, SetRange(target=css("#a"), value=8))


async def test_hover_press_and_points(environment: BrowserEnvironment, serve: Site) -> None:
    html = f"{LOG}<button id=b style='position:absolute;left:100px;top:100px'>B</button><input id=i>{MIRROR}"
    await opened(environment, serve(html))
    await done(environment, Hover(target=css("#b")))
    assert (await seen(environment, "mouseover"))[-1] == "mouseover:b"
    await done(environment, ClickAt(x=110, y=110))
    assert (await seen(environment, "click"))[-1] == "click:b"
    await done(environment, HoverAt(x=5, y=700))
    assert (await seen(environment, "mouseover"))[-1] != "mouseover:b"
    await done(environment, Press(keys="ctrl+a", target=css("#i")))
    assert "keydown:i:ctrl" in await seen(environment, "keydown")
    assert "outside the viewport" in await refused(environment, ClickAt(x=5000, y=1))
    assert "no key 'Blorp'" in await refused(environment, Press(keys="Blorp"))


async def test_scrolling(environment: BrowserEnvironment, serve: Site) -> None:
    box = "<div id=box style='overflow:auto;height:100px'><p style='height:900px'>long</p></div>"
    await opened(environment, serve(f"{box}<p style='height:4000px'></p><a href=# id=end>end</a>"))
    await done(environment, Scroll(dy=1, unit="viewports"))
    assert (await environment.observe()).viewport.scroll_y == 720
    await done(environment, Scroll(dy=150, target=css("#box")))
    assert await value(environment, "#box", "scrollTop") == 150
    await done(environment, ScrollTo(target=css("#end")))
    assert (await environment.observe()).viewport.scroll_y > 3000
    assert "end is reached" in await refused(environment, Scroll(dy=100))


async def test_drag(environment: BrowserEnvironment, serve: Site) -> None:
    html = """<div id=a draggable=true style='width:50px;height:50px;background:red'
        ondragstart="event.dataTransfer.setData('text', 'moved')">a</div>
      <div id=z style='width:90px;height:90px;background:blue' ondragover="event.preventDefault()"
        ondrop="this.textContent = event.dataTransfer.getData('text')">z</div>"""
    for action in (Drag(source=css("#a"), target=css("#z")), DragAt(x=30, y=30, to_x=50, to_y=100)):
        await opened(environment, serve(html))
        await done(environment, action)
        assert await value(environment, "#z", "textContent") == "moved"


async def test_upload_is_confined(environment: BrowserEnvironment, serve: Site, tmp_path: Path) -> None:
    folder = tmp_path / "uploads"
    folder.mkdir()
    (folder / "cat.txt").write_text("meow")
    (tmp_path / "secret.txt").write_text("no")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    await opened(environment, serve("<input type=file name=f><input name=t>"), uploads=folder)
    await done(environment, Upload(target=field("f"), files=("cat.txt",)))
    assert await value(environment, "[name=f]", "files[0].name") == "cat.txt"
    for name in ("../secret.txt", str(tmp_path / "secret.txt"), "link.txt"):
        assert "outside the folder" in await refused(environment, Upload(target=field("f"), files=(name,)))
    assert "holds cat.txt" in await refused(environment, Upload(target=field("f"), files=("dog.txt",)))
    assert "takes no files" in await refused(environment, Upload(target=field("t"), files=("cat.txt",)))


async def test_html_of_page_and_element(environment: BrowserEnvironment, serve: Site) -> None:
    await opened(
        environment, serve("<table><tr><td>Colour</td><td><input name=q></td></tr></table><p>Other</p>")
    )
    whole = await done(environment, GetHtml())
    assert "<p>Other</p>" in whole.output
    part = await done(environment, GetHtml(target=field("q")))
    assert "Colour" in part.output
    assert "Other" not in part.output


async def test_submit_uses_the_forms_own_control(environment: BrowserEnvironment, serve: Site) -> None:
    html = "<form action=/done><input name=q required><button name=b value=yes>Send</button></form>"
    serve("arrived", "/done")
    await opened(environment, serve(html))
    assert "form is not complete: q:" in await refused(environment, Submit())
    await done(environment, Type(target=field("q"), text="x"))
    await done(environment, Submit())
    assert (await environment.observe()).url == f"{serve.url}done?q=x&b=yes"
    await opened(environment, serve("<form action=/done><input name=q value=1></form>"))
    await done(environment, Submit(target=field("q")))
    assert (await environment.observe()).url == f"{serve.url}done?q=1"
    assert "no form" in await refused(environment, Submit())


async def test_going_places(environment: BrowserEnvironment, serve: Site) -> None:
    two = serve("<title>two</title>", "/two")
    await opened(environment, serve("<title>one</title><a href=/two>go</a>"))
    await done(environment, Click(target=css("a")))
    assert (await environment.observe()).title == "two"
    await done(environment, Back())
    assert (await environment.observe()).title == "one"
    await done(environment, Forward())
    assert (await environment.observe()).title == "two"
    assert "no page to go forward to" in await refused(environment, Forward())
    serve("<title>new</title>", "/two")
    await done(environment, Reload())
    assert (await environment.observe()).title == "new"
    await done(environment, Goto(url=two.removeprefix("http://")))
    assert "no address" in await refused(environment, Goto(url=" "))


@pytest.mark.parametrize("verb", [Goto, NewTab])
@pytest.mark.parametrize(
    "url",
    [
        "chrome://version",
        "Chrome-Extension://abc/page.html",
        "view-source:http://127.0.0.1/",
        "devtools://devtools/bundled/inspector.html",
        "javascript:document.title = 'run'",
        "file:///etc/passwd",
        "data:text/html,<title>inline</title>",
        "about:version",
    ],
)
async def test_addresses_that_no_task_needs_are_refused(
    environment: BrowserEnvironment, serve: Site, verb: type[Goto | NewTab], url: str
) -> None:
    await opened(environment, serve("<title>here</title>"))
    error = await refused(environment, verb(url=url))
    assert url.split(":")[0].lower() in error
    assert "can't be opened" in error
    assert [tab.title for tab in (await environment.observe()).tabs] == ["here"]


async def test_a_task_that_begins_inline_or_in_a_file_may_go_on_there(
    environment: BrowserEnvironment, tmp_path: Path
) -> None:
    inline = "data:text/html,<title>inline</title>"
    (tmp_path / "page.html").write_text("<title>file</title>")
    file = (tmp_path / "page.html").as_uri()
    await environment.reset(EnvironmentSetup(start_urls=(inline, file)))
    for url, title in ((file, "file"), ("about:blank", "about:blank"), (inline, "inline")):
        await done(environment, Goto(url=url))
        assert (await environment.observe()).title in (title, "")


async def test_verbs_without_effect_on_the_page(environment: BrowserEnvironment, serve: Site) -> None:
    await opened(environment, serve("<p>x"))
    for action in (Say(text="hi"), Stop(answer="42"), CaptureScreen(), Noop()):
        assert (await done(environment, action)).action == action


async def test_dead_and_unknown_targets(environment: BrowserEnvironment, serve: Site) -> None:
    await opened(environment, serve("<button onclick='this.remove()'>Add to cart</button>"))
    target = id_of(await environment.observe(), "button")
    await done(environment, Click(target=target))
    error = await refused(environment, Click(target=target))
    assert f'[{target.id}] button "Add to cart" is no longer on the page' in error
    assert "'nope'" in await refused(environment, Click(target=field("nope")))
    assert (await environment.act(Click(target=ElementRef(id=99999)))).ok is False


async def test_check_several_boxes_of_a_name_at_once(environment: BrowserEnvironment, serve: Site) -> None:
    boxes = "".join(
        f'<label><input type=checkbox name=c value="{v}">{v}</label>' for v in ("a", "b", "c", "x|y")
    )
    await environment.reset(EnvironmentSetup(start_urls=(serve(boxes),)))
    checked = "() => [...document.querySelectorAll(':checked')].map((box) => box.value)"
    assert (await environment.act(Check(target=ElementRef(field="c", option="a|c")))).ok
    assert await environment.probe(checked) == ["a", "c"]
    assert (await environment.act(Check(target=ElementRef(field="c", option="x|y")))).ok
    assert await environment.probe(checked) == ["a", "c", "x|y"]
    missing = await environment.act(Check(target=ElementRef(field="c", option="b|nothing")))
    assert "nothing" in missing.error
    assert await environment.probe(checked) == ["a", "c", "x|y"]


async def test_several_boxes_checked_at_once_replay_as_recorded(
    environment: BrowserEnvironment, serve: Site
) -> None:
    boxes = "".join(f'<label><input type=checkbox name=c value="{v}">{v}</label>' for v in ("a", "b", "c"))
    url = serve(boxes)
    await environment.reset(EnvironmentSetup(start_urls=(url,)))
    recorded = await environment.act(Check(target=ElementRef(field="c", option="a|c")))
    assert isinstance(recorded.action, Check)
    target = recorded.action.target
    assert (target.field, target.option, target.role) == ("c", "a|c", "checkbox")
    assert recorded.matched_by == "field"
    await environment.reset(EnvironmentSetup(start_urls=(url,)))
    assert (await environment.act(recorded.action)).action == recorded.action
    checked = "() => [...document.querySelectorAll(':checked')].map((box) => box.value)"
    assert await environment.probe(checked) == ["a", "c"]


async def test_a_box_that_refuses_is_not_split(environment: BrowserEnvironment, serve: Site) -> None:
    html = """<input type=checkbox name=c value="a|b" disabled><input type=checkbox name=c value=a>
      <input type=checkbox name=c value=b>"""
    await opened(environment, serve(html))
    assert "is disabled" in await refused(environment, Check(target=ElementRef(field="c", option="a|b")))
    assert await environment.probe("() => document.querySelectorAll(':checked').length") == 0


async def test_a_summary_is_found_by_the_role_of_the_tree(
    environment: BrowserEnvironment, serve: Site
) -> None:
    page = "<details><summary>More</summary><p>inside</p></details>"
    await environment.reset(EnvironmentSetup(start_urls=(serve(page),)))
    summary = next(node for node in (await environment.observe()).nodes if node.tag == "summary")
    target = ElementRef(id=summary.id, role=summary.role, name=summary.name)
    assert (await environment.act(Click(target=target))).ok
    assert await environment.probe("() => document.querySelector('details').open")
