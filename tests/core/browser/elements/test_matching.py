"""Finding an element again by its fingerprint, and saying how."""

from __future__ import annotations

import msgspec

from tests.conftest import Site
from webbench.core.action.action import Click, ElementRef, Submit
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.browser.launch import LaunchOptions, launch
from webbench.core.environment import EnvironmentSetup, StepResult
from webbench.core.observation import Box

SHOP = """<main><h1>Shop</h1><button>Buy</button><button>Sell</button>
  <button class=x>Hold</button></main><p id=said></p>
  <script>onclick = (e) => { said.textContent = e.target.textContent }</script>"""


async def started(environment: BrowserEnvironment, html: str, serve: Site) -> None:
    await environment.reset(EnvironmentSetup(start_urls=(serve(html),)))


async def click(environment: BrowserEnvironment, ref: ElementRef) -> StepResult:
    return await environment.act(Click(target=ref))


async def said(environment: BrowserEnvironment) -> str:
    text = await environment.probe("() => document.querySelector('#said').textContent")
    assert isinstance(text, str)
    return text


async def recorded(environment: BrowserEnvironment, selector: str) -> ElementRef:
    """The fingerprint that a click leaves in its step."""
    result = await click(environment, ElementRef(selector=selector))
    assert result.ok, result.error
    assert isinstance(result.action, Click)
    return msgspec.structs.replace(result.action.target, id=77)


async def test_an_unchanged_page_is_matched_by_selector(environment: BrowserEnvironment, serve: Site) -> None:
    await started(environment, SHOP, serve)
    ref = await recorded(environment, "button:nth-of-type(2)")
    await started(environment, SHOP, serve)
    result = await click(environment, ref)
    assert (result.ok, result.matched_by) == (True, "selector")
    assert await said(environment) == "Sell"


async def test_a_moved_element_is_matched_by_role_name_path(
    environment: BrowserEnvironment, serve: Site
) -> None:
    await started(environment, SHOP, serve)
    ref = await recorded(environment, "button:nth-of-type(2)")
    await started(environment, SHOP.replace("<h1>Shop</h1>", "<h1>Shop</h1><button>New</button>"), serve)
    result = await click(environment, ref)
    assert (result.ok, result.matched_by) == (True, "role+name+path")
    assert await said(environment) == "Sell"


async def test_a_renamed_element_is_a_guess_and_says_so(environment: BrowserEnvironment, serve: Site) -> None:
    await started(environment, SHOP, serve)
    ref = await recorded(environment, "button:nth-of-type(2)")
    await started(environment, SHOP.replace("Sell", "Sell all"), serve)
    result = await click(environment, ref)
    assert (result.ok, result.matched_by) == (True, "selector, unsure")
    assert await said(environment) == "Sell all"


async def test_the_last_resort_is_the_place(environment: BrowserEnvironment, serve: Site) -> None:
    await started(environment, SHOP, serve)
    ref = msgspec.structs.replace(await recorded(environment, ".x"), selector=".gone", name="Other")
    result = await click(environment, ref)
    assert (result.ok, result.matched_by) == (True, "box, unsure")
    assert await said(environment) == "Hold"
    far = msgspec.structs.replace(ref, box=Box(3000, 3000, 10, 10))
    assert 'button "Other" is not on the page' in (await click(environment, far)).error


async def test_an_id_of_another_page_yields_to_the_fingerprint(
    environment: BrowserEnvironment, serve: Site
) -> None:
    await started(environment, SHOP, serve)
    ref = await recorded(environment, ".x")
    nodes = (await environment.observe()).nodes
    wrong = next(node.id for node in nodes if node.role == "button" and node.name == "Buy")
    result = await click(environment, msgspec.structs.replace(ref, id=wrong))
    assert result.matched_by == "selector"
    assert await said(environment) == "Hold"
    right = next(node.id for node in nodes if node.role == "button" and node.name == "Hold")
    result = await click(environment, msgspec.structs.replace(ref, id=right))
    assert result.matched_by == "id"


async def test_fields_are_found_in_every_frame(environment: BrowserEnvironment, serve: Site) -> None:
    inner = "<input type=radio name=r value=a><input type=radio name=r value=b>"
    serve(inner, "/inner")
    for origin in (serve.url, serve.other_origin):
        await started(environment, f"<p>top</p><iframe src='{origin}inner'></iframe>", serve)
        result = await click(environment, ElementRef(field="r", option="b"))
        assert (result.ok, result.matched_by) == (True, "field"), result.error
        assert isinstance(result.action, Click)
        fingerprint = result.action.target
        assert fingerprint.frame_url == f"{origin}inner"
        states = [
            node.states.get("checked") for node in (await environment.observe()).nodes if node.role == "radio"
        ]
        assert states == ["false", "true"] or states == [False, True]
        replayed = msgspec.structs.replace(fingerprint, field="", option="")
        assert (await click(environment, replayed)).matched_by == "selector"


async def test_fields_that_bear_the_names_of_a_forms_properties(
    environment: BrowserEnvironment, serve: Site
) -> None:
    names = ("id", "children", "parentNode", "parentElement", "assignedSlot", "elements", "getAttribute")
    hidden = "".join(f"<input type=hidden name={name}>" for name in names)
    form = (
        f"<form onsubmit='event.preventDefault()'>{hidden}<button onclick='this.title=1'>Book</button></form>"
    )
    await started(environment, f"{form}<form><button>Other</button></form>", serve)
    node = next(node for node in (await environment.observe()).nodes if node.name == "Book")
    result = await click(environment, ElementRef(id=node.id))
    assert isinstance(result.action, Click)
    seen = result.action.target
    assert seen.path.startswith("body[0]/form[0]/button")
    assert await environment.probe("(s) => document.querySelector(s).title", seen.selector) == "1"
    assert (await environment.act(Submit())).ok


async def test_passwords_are_marked_secret(environment: BrowserEnvironment, serve: Site) -> None:
    await started(environment, "<input type=password name=p>", serve)
    result = await click(environment, ElementRef(field="p"))
    assert isinstance(result.action, Click)
    assert result.action.target.secret


async def test_names_with_outer_blanks_and_long_ones_agree_with_the_page(
    environment: BrowserEnvironment, serve: Site
) -> None:
    far = "far " * 60
    await started(environment, f"<a href='#there'><svg width=9 height=9></svg> Go {far}</a>", serve)
    link = next(node for node in (await environment.observe()).nodes if node.role == "link")
    result = await click(environment, ElementRef(id=link.id, role="link", name=f" {link.name}"))
    assert (result.ok, result.matched_by) == (True, "id"), result.error


async def test_a_browser_that_gives_scripts_no_names_finds_its_elements_all_the_same(serve: Site) -> None:
    """As one behind an endpoint is, unless whoever starts it knows our switch."""
    page = """<main><label>Size <select><option>S</option><option>L</option></select></label>
      <label>Name<input></label><label><input type=checkbox>Gift <b>wrap</b></label>
      <input type=submit><a href="#x"><img alt=Home></a><button>Two<br>lines</button></main>"""
    plain = LaunchOptions(extra_args=("--disable-blink-features=ComputedAccessibilityInfo",))
    async with launch(plain) as browser:
        environment = browser.environment()
        await started(environment, page, serve)
        nodes = [
            node for node in (await environment.observe()).nodes if node.interactive and node.role != "option"
        ]
        assert {node.role for node in nodes} >= {"combobox", "textbox", "checkbox", "button", "link"}
        for node in nodes:
            seen = await click(environment, ElementRef(id=node.id, role=node.role, name=node.name))
            assert (seen.ok, seen.matched_by) == (True, "id"), f"{node.role} {node.name}: {seen.error}"
            assert isinstance(seen.action, Click)
            ref = msgspec.structs.replace(seen.action.target, id=None, selector="")
            assert (ref.role, ref.name) == (node.role, node.name)
            if node.role in ("combobox", "textbox", "checkbox"):
                assert (await click(environment, ref)).matched_by == "role+name+path"
        await environment.close()
