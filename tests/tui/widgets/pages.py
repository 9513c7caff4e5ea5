"""Observations, scores and steps that the widget tests and measurements show."""

from __future__ import annotations

from webbench.core.action.action import Noop
from webbench.core.engine.wire.catalogue_messages import TaskResults
from webbench.core.observation import AccessibilityNode, Box, Observation, Tab, Viewport
from webbench.core.score.score import Check, Score, Status
from webbench.core.task import TaskEntry
from webbench.core.trajectory import Actor, Seconds, Step

HOSTILE = (
    "[bold]not bold[/bold] [/] [/b] [link=https://evil.example]x[/link] [@click=app.quit]quit[/]",
    "\x1b]0;owned\x07\x1b[2J\x1b[31mred",
    "\x9b31m\x9d0;owned\x9c c1",
    "bidi \u202eevil\u202c \u2066iso\u2069 \u200bzero\u200b\u2060width",
    "zalgo " + "e\u0301\u0300\u0302\u0303\u0304" * 20,
    "line\nbreak\ttab\r\x7f",
    "\ud800 lone surrogate",
    "漢字かな交じり文 한국어 🛒👩‍👩‍👧‍👦 emoji",
    "long " * 40_000,
)


def node(id: int, role: str, name: str = "", depth: int = 1, **more: object) -> AccessibilityNode:
    return AccessibilityNode(id=id, role=role, name=name, depth=depth, **more)  # type: ignore[arg-type]


def shop() -> Observation:
    """A product page with links, a form in every state, an image and off-screen reviews."""
    rows: list[AccessibilityNode] = []

    def add(role: str, name: str, depth: int, box: tuple[float, float, float, float], **more: object) -> None:
        rows.append(node(len(rows) + 1, role, name, depth, box=Box(*box), **more))

    act = {"interactive": True}
    add("RootWebArea", "Copper Kettle Shop", 0, (0, 0, 1280, 720))
    add("banner", "", 1, (0, 0, 1280, 70))
    add("link", "Copper Kettle Shop", 2, (24, 18, 200, 34), **act)
    add("StaticText", "Copper Kettle Shop", 3, (24, 18, 200, 34))
    add("search", "", 2, (420, 14, 480, 42))
    add(
        "searchbox",
        "Search products",
        3,
        (420, 14, 380, 42),
        value="green tea",
        states={"focused": True},
        tag="input",
        **act,
    )
    add("button", "Search", 3, (806, 14, 94, 42), tag="button", **act)
    add("navigation", "Main", 2, (950, 14, 300, 42))
    add("link", "Basket (2)", 3, (960, 20, 110, 30), **act)
    add("link", "Sign in", 3, (1090, 20, 90, 30), **act)
    add("main", "", 1, (0, 70, 1280, 650))
    add("heading", "Sencha, first flush", 2, (640, 110, 560, 50), states={"level": 1})
    add("StaticText", "Sencha, first flush", 3, (640, 110, 560, 50))
    add("image", "A tin of sencha beside a cup", 2, (60, 110, 520, 480))
    add("generic", "", 2, (640, 170, 560, 420))
    add(
        "StaticText",
        "Hand-picked in Uji, steamed and rolled. Grassy, sweet, a little sea.",
        3,
        (640, 180, 560, 48),
    )
    add("form", "Add to basket", 3, (640, 240, 560, 330))
    add("radiogroup", "Size", 4, (640, 250, 560, 60))
    add("radio", "50 g", 5, (640, 270, 100, 30), states={"checked": True}, **act)
    add("radio", "100 g", 5, (760, 270, 100, 30), states={"checked": False}, **act)
    add(
        "radio", "1 kg (sold out)", 5, (880, 270, 180, 30), states={"checked": False, "disabled": True}, **act
    )
    add(
        "combobox",
        "Grind",
        4,
        (640, 330, 240, 40),
        value="Whole leaf",
        states={"expanded": False},
        tag="select",
        **act,
    )
    add("option", "Whole leaf", 5, (640, 330, 240, 40), states={"selected": True}, **act)
    add("option", "Powder", 5, (640, 330, 240, 40), **act)
    add(
        "spinbutton",
        "Quantity",
        4,
        (640, 390, 100, 40),
        value="1",
        states={"valuemin": 1, "valuemax": 20},
        **act,
    )
    add("checkbox", "Gift wrap", 4, (640, 450, 160, 30), states={"checked": False}, **act)
    add(
        "textbox",
        "Message on the card",
        4,
        (640, 490, 400, 40),
        states={"required": True},
        tag="input",
        **act,
    )
    add("button", "Add to basket", 4, (640, 540, 180, 46), tag="button", **act)
    add("region", "Reviews", 2, (60, 900, 1160, 800), offscreen=True)
    add("heading", "Reviews", 3, (60, 900, 400, 40), states={"level": 2}, offscreen=True)
    add("list", "", 3, (60, 950, 1160, 700), offscreen=True)
    for number, text in enumerate(
        ("Best tea of the year", "とても美味しいお茶です", "Arrived late, tastes great"), 1
    ):
        add("listitem", "", 4, (60, 950 + 90 * number, 1160, 80), offscreen=True)
        add("StaticText", text, 5, (60, 950 + 90 * number, 1160, 40), offscreen=True)
        add("button", f"Helpful ({number})", 5, (1000, 950 + 90 * number, 120, 40), offscreen=True, **act)
    return Observation(
        url="http://127.0.0.1:4000/tea/sencha",
        title="Sencha, first flush · Copper Kettle Shop",
        tabs=(
            Tab(
                0, "Sencha, first flush · Copper Kettle Shop", "http://127.0.0.1:4000/tea/sencha", active=True
            ),
            Tab(1, "Basket", "http://127.0.0.1:4000/basket"),
        ),
        nodes=tuple(rows),
        viewport=Viewport(page_width=1280, page_height=1900),
        frames=("http://127.0.0.1:4000/tea/sencha",),
        focused=6,
        source="script",
    )


def large(count: int) -> Observation:
    """`count` nodes: sections of twelve items, each a link or a field with its text."""
    rows = [node(1, "RootWebArea", "Everything", 0, box=Box(0, 0, 1280, 720))]
    while len(rows) < count:
        number = len(rows) + 1
        y = number * 10.0
        place = Box(20, y, 600, 20)
        kind = number % 25
        away = y > 720
        if kind == 1:
            rows.append(node(number, "region", f"Section {number // 25}", 1, box=place, offscreen=away))
        elif kind % 2:
            rows.append(
                node(
                    number,
                    "StaticText",
                    f"Words that belong to item {number - 1}",
                    3,
                    box=place,
                    offscreen=away,
                )
            )
        else:
            role = "link" if kind % 4 else "textbox"
            rows.append(
                node(
                    number,
                    role,
                    f"Item {number} of the long list",
                    2,
                    box=place,
                    interactive=True,
                    offscreen=away,
                )
            )
    return Observation(url="http://127.0.0.1/large", title="Everything", nodes=tuple(rows), source="script")


def hostile() -> Observation:
    """Every hostile text as name, value, role, state and title."""
    rows = [node(1, "RootWebArea", HOSTILE[0], 0)]
    for number, text in enumerate(HOSTILE, 2):
        rows.append(
            node(number, "button", text, number - 1, value=text, states={"checked": text}, interactive=True)
        )
    rows.append(node(99, HOSTILE[0], "odd role", 1, states={"level": HOSTILE[1], "valuemin": HOSTILE[1]}))
    return Observation(title=HOSTILE[1] + HOSTILE[0], url=HOSTILE[1], nodes=tuple(rows), problem=HOSTILE[0])


def score(*, later: bool = False) -> Score:
    """Passed, half right, wrong and skipped checks, with votes and another rule set beside."""
    quantity = Check(
        name="exact match",
        target="quantity",
        actual="3" if later else "1",
        normalised=3 if later else 1,
        expected=[{"label": "3", "votes": 4}, {"label": "2", "votes": 1}],
        value=1.0 if later else 0.0,
        why="equals the label that most workers gave" if later else "no worker gave this",
    )
    message = Check(
        name="ROUGE-L",
        target="message",
        actual="Happy  Birthday, Mum",
        normalised="happy birthday, mum",
        expected=[{"label": "Happy birthday dear mother", "votes": 1}],
        value=0.5,
        why="2 of 4 words in order",
        clause="the paper drops punctuation first",
    )
    gift = Check(
        name="radio", target="gift", actual="yes", expected=[{"label": "yes", "votes": 5}], value=1.0
    )
    comment = Check(
        name="text",
        target="comment",
        status=Status.NOT_SCORED,
        counted=False,
        why="skipped: most workers left it blank",
    )
    checks = (quantity, message, gift, comment)
    value = sum(check.value or 0 for check in checks) / 3
    paper = Score(
        status=Status.SCORED,
        value=value + 0.1,
        rules="paper",
        combination="mean of 3 fields",
        checks=(quantity, Check(name="ROUGE-L", target="message", value=0.8), gift),
    )
    return Score(
        status=Status.SCORED,
        value=value,
        combination="mean of 3 fields, 1 skipped",
        checks=checks,
        metrics={"rouge-l": 0.5},
        beside=(paper,),
    )


def steps() -> list[Step]:
    """The start and four actions by all three kinds of actor, one of them failed."""
    first = score()
    texts: list[tuple[Actor, str, str]] = [
        ("human", "click [9]", ""),
        ("agent", "type [6] [green tea] [1]", ""),
        ("agent", "click [99]", "[99] is no longer on the page"),
        ("operator", "select [22] [Powder]", ""),
    ]
    rows = [Step(index=0, at="2026-01-05T10:00:00.000Z", url="http://127.0.0.1:4000/")]
    for number, (actor, text, error) in enumerate(texts, 1):
        rows.append(
            Step(
                index=number,
                at=f"2026-01-05T10:00:0{number}.000Z",
                actor=actor,
                text=text,
                action=Noop(),
                ok=not error,
                error=error,
                score=score(later=True) if number == 4 else first,
                seconds=Seconds(environment=0.4 * number),
            )
        )
    return rows


def tasks(count: int) -> list[TaskEntry]:
    return [
        TaskEntry(
            benchmark="demo",
            name=f"shop-{number}",
            intent=f"Put {number} tins of tea into the basket and check out as a guest",
            site="shop" if number % 2 else "forms",
            kind=("navigate", "fill", "compare")[number % 3],
            template=f"t{number % 40}",
            split="test",
            instances=number % 7 or None,
        )
        for number in range(count)
    ]


def results(count: int) -> dict[str, TaskResults]:
    return {
        f"shop-{number}": TaskResults(
            best_human=1.0 if number % 5 == 0 else None,
            best_agent=number % 10 / 10 if number % 2 else None,
        )
        for number in range(count)
    }
