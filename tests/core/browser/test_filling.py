"""Typing, choosing, ticking, sliding and uploading: fields of every kind hold what was meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Site
from tests.core.browser.acts import LOG, MIRROR, css, done, field, opened, refused, seen, value
from webbench.core.action.action import Check, ElementRef, Select, SetRange, Type, Upload
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.environment import EnvironmentSetup


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
    assert await seen(environment, "change") == ["change:r"]
    assert "nearest possible value is 10" in await refused(environment, SetRange(target=field("r"), value=99))
    await done(environment, SetRange(target=css("#a"), value=7))
    assert await value(environment, "#a", "ariaValueNow") == "7"
    assert "can't be 8" in await refused(environment, SetRange(target=css("#a"), value=8))


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
