"""Key nodes on live pages: read after every step, kept once reached, in any order; and walls."""

from __future__ import annotations

from typing import Any

import pytest

from tests.benchmarks.webcanvas.live import last_moment, moments
from tests.conftest import Site
from webbench.benchmarks.common.blocked import NOT_EXECUTABLE
from webbench.benchmarks.webcanvas.stage import ALL_REACHED, WebCanvasStage
from webbench.benchmarks.webcanvas.tasks import read_task
from webbench.core.action.action import Action, Back, Click, ClickAt, ElementRef, Goto, Select, Stop, Type
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.environment import EnvironmentSetup
from webbench.core.score.score import Status
from webbench.core.task import Task

FRONT = """<!doctype html><title>Front</title><h1>Shoes</h1>
<form action=/find><label>Words <input id=q name=q></label>
<label>Sort <select id=sort name=sort><option value=n>Newest<option value=c>Cheapest</select></label>
<button id=go><span class=t>Find</span></button></form><a href=/cart>Cart</a><iframe src=/frame></iframe>"""
FRAME = "<!doctype html><button id=go>Framed</button>"
CART = "<!doctype html><title>Cart</title><p>Nothing here, or maybe something. <a href=/>Front</a>"


def ref(role: str, name: str) -> ElementRef:
    return ElementRef(role=role, name=name)


WORDS = Type(target=ref("textbox", "Words"), text="red shoes")
SORT = Select(target=ref("combobox", "Sort"), options=("c",))
FIND = Click(target=ref("button", "Find"))


def node(function: str, reference: str, **content: Any) -> dict[str, Any]:
    content = {"reference_answer": reference, "netloc": "127", "url": "http://127.0.0.1/"} | content
    return {"match_function_name": function, "method": "selector", "content": content}


NODES = [
    node("url_exactly_match", "red shoes", key="q"),
    node("element_value_exactly_match", "red shoes", path="#q"),
    node("element_value_included_match", "Cheap"),
    node("element_path_exactly_match", ".t"),
]


def staged(serve: Site, *nodes: dict[str, Any]) -> tuple[Task, WebCanvasStage]:
    serve.pages |= {"/": FRONT, "/cart": CART, "/frame": FRAME, "/find": CART}
    task = read_task({"index": 1, "task": "Find red shoes", "evaluation": list(nodes)})
    start = EnvironmentSetup(start_urls=(serve.url,))
    return task, WebCanvasStage.of(task, start)


async def test_key_nodes_are_reached_at_their_steps_in_any_order(
    environment: BrowserEnvironment, serve: Site
) -> None:
    task, stage = staged(serve, *NODES)
    seen = [moment async for moment in moments(task, stage, environment, [WORDS, SORT, FIND])]
    assert [moment.score.value for moment in seen] == [0, 0.25, 0.5, 1]
    assert seen[-1].ended == ALL_REACHED
    assert seen[-1].why() == [f"reached at step {step} and kept" for step in (3, 1, 2, 3)]
    assert seen[1].why()[0] == "not reached up to step 1"
    assert seen[-1].score.metrics["efficiency"] == 3 / 4
    assert seen[-1].score.metrics["human_alignment_score"] == 0.95


async def test_an_address_counts_from_the_start_page_on_and_stays_reached(
    environment: BrowserEnvironment, serve: Site
) -> None:
    task, stage = staged(serve, node("url_included_match", "/cart", key=""), NODES[0])
    cart = Click(target=ref("link", "Cart"))
    seen = [moment async for moment in moments(task, stage, environment, [cart, Back(), Stop()])]
    assert [moment.score.value for moment in seen] == [0, 0.5, 0.5, 0.5]
    assert seen[-1].why()[0] == "reached at step 1 and kept"
    assert seen[-1].score.metrics["human_alignment_score"] == 0.5
    front, at_front = staged(serve, node("url_included_match", "127.0.0.1", key=""))
    assert (await last_moment(front, at_front, environment, [])).why() == ["reached before the first step"]


async def test_an_element_of_a_frame_is_not_the_one_of_the_page(
    environment: BrowserEnvironment, serve: Site
) -> None:
    task, stage = staged(serve, node("element_path_exactly_match", "#go"))
    last = await last_moment(task, stage, environment, [Click(target=ref("button", "Framed"))])
    assert last.score.value == 0
    assert last.error == ""


async def test_an_action_without_effect_acts_on_nothing(environment: BrowserEnvironment, serve: Site) -> None:
    task, stage = staged(serve, node("element_path_exactly_match", "#sort"))
    nowhere: list[Action] = [Select(target=ref("combobox", "Sort"), options=("dearest",))]
    assert (await last_moment(task, stage, environment, nowhere)).score.value == 0


async def centre(environment: BrowserEnvironment, selector: str) -> tuple[float, float]:
    x, y = await environment.probe(
        "(s) => { const b = document.querySelector(s).getBoundingClientRect();"
        " return [b.x + b.width / 2, b.y + b.height / 2]; }",
        selector,
    )
    return x, y


async def test_a_click_at_a_point_and_keys_where_the_focus_is_act_on_their_element(
    environment: BrowserEnvironment, serve: Site
) -> None:
    """As an agent does that only sees the page: the element is the same as one that is named."""
    task, stage = staged(serve, *NODES[:2], NODES[3])
    await environment.reset(stage.setup)
    field, button = await centre(environment, "#q"), await centre(environment, "#go")
    actions: list[Action] = [
        ClickAt(x=field[0], y=field[1]),
        Type(target=None, text="red shoes"),
        ClickAt(x=button[0], y=button[1]),
    ]
    seen = [moment async for moment in moments(task, stage, environment, actions)]
    assert [moment.score.value for moment in seen] == [0, 0, pytest.approx(1 / 3), 1]
    assert seen[-1].why() == [f"reached at step {step} and kept" for step in (3, 2, 3)]


COVERING = """<!doctype html><style>#menu{display:none;position:fixed;inset:0}</style>
<button id=go style="position:fixed;left:20px;top:20px;width:90px;height:40px">Go</button>
<div id=menu>Menu</div><script>
document.addEventListener('mousemove', () => { menu.style.display = 'block'; });</script>"""


async def test_the_event_tells_what_was_clicked_where_the_pointer_changed_the_page(
    environment: BrowserEnvironment, serve: Site
) -> None:
    """A menu opens under the pointer before the button is pressed: the click is the menu's."""
    task, stage = staged(
        serve, node("element_path_exactly_match", "#go"), node("element_path_exactly_match", "#menu")
    )
    serve.pages["/"] = COVERING
    last = await last_moment(task, stage, environment, [ClickAt(x=60, y=40)])
    assert last.why() == ["not reached up to step 1", "reached at step 1 and kept"]


async def test_a_point_in_a_frame_is_on_no_element_of_the_page(
    environment: BrowserEnvironment, serve: Site
) -> None:
    task, stage = staged(serve, node("element_path_exactly_match", "iframe"))
    await environment.reset(stage.setup)
    x, y = await centre(environment, "iframe")
    last = await last_moment(task, stage, environment, [ClickAt(x=x, y=y)])
    assert (last.score.value, last.error) == (0, "")


HTML = {"content-type": "text/html"}
COVER = b"<div id=onetrust-consent-sdk style='position:fixed;inset:0;background:#fff'>Cookies?</div>"
WALLS: dict[str, tuple[int, dict[str, str], bytes]] = {
    "status 429": (429, HTML, b"<title>Slow down</title>"),
    'its title says "just a moment"': (200, HTML, b"<title>Just a moment...</title>"),
    "#onetrust-consent-sdk covers it": (200, HTML, COVER),
}


@pytest.mark.parametrize("sign", WALLS)
async def test_a_wall_makes_the_episode_not_executable(
    environment: BrowserEnvironment, serve: Site, sign: str
) -> None:
    task, stage = staged(serve, node("url_included_match", "/cart", key=""))
    serve.pages["/"] = WALLS[sign]
    last = await last_moment(task, stage, environment, [])
    assert last.score.status is Status.NOT_SCORED
    assert last.score.reason.startswith(f"{NOT_EXECUTABLE}: ")
    assert sign in last.score.reason


async def test_a_wall_that_was_got_past_is_forgotten(environment: BrowserEnvironment, serve: Site) -> None:
    task, stage = staged(
        serve, node("url_included_match", "/cart", key=""), node("url_included_match", "x", key="")
    )
    serve.pages["/"] = b"<title>Are you a robot?</title><a href=/cart>No</a>"
    seen = [m async for m in moments(task, stage, environment, [Click(target=ref("link", "No"))])]
    assert seen[0].score.status is Status.NOT_SCORED
    assert seen[-1].score.value == 0.5


async def test_a_wall_elsewhere_is_no_excuse_once_the_own_site_was_open(
    environment: BrowserEnvironment, serve: Site
) -> None:
    task, stage = staged(serve, node("url_included_match", "/cart", key=""))
    serve.pages["/refused"] = WALLS["status 429"]
    elsewhere = Goto(url=f"http://localhost:{serve.port}/refused")
    last = await last_moment(task, stage, environment, [elsewhere, Stop()])
    assert (last.evidence["wall"], last.score.status, last.score.value) == ("", Status.SCORED, 0)
    serve.pages["/"] = b"<title>Are you a robot?</title>"
    stage = WebCanvasStage.of(task, stage.setup)
    shut = await last_moment(task, stage, environment, [elsewhere, Stop()])
    assert shut.score.reason.startswith(f"{NOT_EXECUTABLE}: ")
    assert f"(status 429) at {elsewhere.url}" in shut.score.reason


async def test_three_steps_before_a_wall_end_the_episode(
    environment: BrowserEnvironment, serve: Site
) -> None:
    task, stage = staged(serve, node("url_included_match", "/cart", key=""))
    serve.pages["/"] = (403, HTML, b"<a href=/>Again</a>")
    seen = [m async for m in moments(task, stage, environment, [Click(target=ref("link", "Again"))] * 9)]
    assert len(seen) == 4
    assert seen[-1].ended == "3 steps in a row ended on a blocked page"
