"""A page, a score and an episode as they come from the engine, the same at every run."""

from __future__ import annotations

import io
from functools import cache

from webbench.core.action.action import Click, ElementRef
from webbench.core.engine.wire import messages
from webbench.core.observation import AccessibilityNode, Box, Observation, PageMessage, Tab, Viewport
from webbench.core.score.score import Check, Score, Status
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Seconds, Step

TASK = Task(
    benchmark="demo",
    name="camp-mugs",
    intent="Put three Ember Camp Mugs in cream into the cart.",
    split="shop",
    site="shop",
    kind="cart",
    gold={"answer": "secret"},
)
HEADER = EpisodeHeader(run="run", episode="0000_camp-mugs", task=TASK, actor="human", dialect="webarena")


def node(
    id: int, role: str, name: str, depth: int, box: tuple[float, ...], **more: object
) -> AccessibilityNode:
    return AccessibilityNode(id=id, role=role, name=name, depth=depth, box=Box(*box), **more)  # type: ignore[arg-type]


NODES = (
    node(1, "RootWebArea", "Ember Camp Mug · Harbour & Pine", 0, (0, 0, 1280, 1400)),
    node(2, "banner", "", 1, (0, 0, 1280, 80), tag="header"),
    node(3, "link", "Harbour & Pine", 2, (40, 20, 160, 40), interactive=True, tag="a"),
    node(4, "searchbox", "Search the shop", 2, (400, 20, 360, 40), interactive=True, tag="input", value=""),
    node(5, "link", "Cart 0", 2, (1160, 20, 80, 40), interactive=True, tag="a"),
    node(6, "main", "", 1, (0, 80, 1280, 1200), tag="main"),
    node(7, "heading", "Ember Camp Mug", 2, (660, 120, 500, 48), states={"level": 1}, tag="h1"),
    node(
        8, "radio", "cream", 2, (660, 240, 24, 24), interactive=True, tag="input", states={"checked": False}
    ),
    node(9, "radio", "moss", 2, (760, 240, 24, 24), interactive=True, tag="input", states={"checked": True}),
    node(10, "spinbutton", "Quantity", 2, (660, 300, 80, 40), interactive=True, tag="input", value="1"),
    node(11, "button", "Add to cart", 2, (660, 360, 240, 56), interactive=True, tag="button"),
    node(12, "StaticText", "[bold]markup[/] \x1b[2J is only text", 2, (660, 460, 400, 24)),
    node(13, "link", "Size guide", 2, (660, 1100, 120, 24), interactive=True, offscreen=True, tag="a"),
)
PAGE = Observation(
    url="http://127.0.0.1:8000/shop/product/ember-camp-mug",
    title="Ember Camp Mug · Harbour & Pine",
    tabs=(Tab(0, "Ember Camp Mug", "http://127.0.0.1:8000/shop/product/ember-camp-mug", active=True),),
    nodes=NODES,
    viewport=Viewport(1280, 720, 0, 0, 1280, 1400),
    focused=1,
    source="script",
    messages=(PageMessage("console", "warning", "stock is low", seconds=0.4),),
)
SCORE = Score(
    status=Status.SCORED,
    value=1 / 3,
    combination="mean of 3 checks",
    checks=(
        Check(
            name="exact",
            target="product",
            actual="Ember Camp Mug",
            expected="Ember Camp Mug",
            value=1.0,
            why="the cart holds it",
        ),
        Check(
            name="exact",
            target="colour",
            actual="moss",
            normalised="moss",
            expected="cream",
            value=0.0,
            why="is 'moss', not 'cream'",
        ),
        Check(name="number", target="quantity", actual=1, expected=3, value=0.0, why="1 is not 3"),
    ),
    evaluator="demo 1",
)


@cache
def picture() -> bytes:
    """A PNG of coloured fields where the nodes are."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (1280, 720), "#f6efe2")
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 1280, 80), fill="#274c43")
    draw.ellipse((120, 160, 520, 560), fill="#c8643c")
    for one in NODES:
        if one.interactive and one.box is not None:
            x, y, width, height = one.box.x, one.box.y, one.box.width, one.box.height
            draw.rectangle((x, y, x + width, y + height), fill="#9db8ad")
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def episode() -> list[messages.Event]:
    """The events of an episode's start and of one step."""
    clicked = Click(target=ElementRef(id=11, role="button", name="Add to cart"))
    start = Step(
        index=0, at="2026-01-01T00:00:00.000+00:00", actor="operator", url=PAGE.url, title=PAGE.title
    )
    step = Step(
        index=1,
        at="2026-01-01T00:00:05.000+00:00",
        actor="human",
        text="click [11]",
        dialect="webarena",
        action=clicked,
        url=PAGE.url,
        title=PAGE.title,
        score=SCORE,
        seconds=Seconds(idle=4.0, environment=0.12, scoring=0.01),
        limit_count=1,
    )
    return [
        messages.EpisodeStarted(header=HEADER),
        messages.Observed(step=0, observation=PAGE),
        messages.Pictured(step=0, data=picture(), width=1280, height=720),
        messages.StepRecorded(step=start),
        messages.Observed(step=1, observation=PAGE),
        messages.Scored(step=1, score=SCORE),
        messages.StepRecorded(step=step),
        messages.Progress(text="", stage="idle"),
    ]
