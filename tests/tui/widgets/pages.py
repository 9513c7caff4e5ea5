"""Observations, scores and steps that the widget tests and measurements show."""

from __future__ import annotations

from webbench.core.observation import AccessibilityNode, Box, Observation, Tab, Viewport

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
