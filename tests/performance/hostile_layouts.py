"""Pages made at random of what makes observing hard: layouts, listeners, cursors, drawings, shadow trees."""

from __future__ import annotations

import random

STYLES = (
    "", "position: relative", "position: absolute; left: 30px", "position: fixed; top: 4px", "float: left",
    "display: inline-block", "display: flex", "display: grid", "display: contents", "display: none",
    "visibility: hidden", "opacity: 0", "overflow: hidden; height: 8px", "overflow: auto; height: 20px",
    "transform: rotate(7deg)", "pointer-events: none", "cursor: pointer", "cursor: pointer; display: block",
    "columns: 2", "display: table", "display: table-cell", "display: list-item", "clip-path: circle(4px)",
    "width: 0; height: 0",
    "text-transform: uppercase", "white-space: pre", "zoom: 1.5", "z-index: -1",
)  # fmt: skip
ATTRIBUTES = (
    "", "", "", "tabindex=0", "tabindex=-1", "role=button", "role=presentation", "role=img", "role=link",
    "inert",
    "aria-hidden=true", "aria-label='a name'", "title='a title'", "onclick='0'", "contenteditable", "hidden",
    "class='icon icon-trash'", "aria-disabled=true", "draggable=true", "role=tab aria-selected=true", "id=%d",
)  # fmt: skip
BOXES = (
    "div", "div", "span", "span", "p", "section", "ul", "li", "table", "b", "i", "em", "label", "article",
    "header",
    "fieldset", "details", "main", "h2", "td", "figure", "nav", "form", "x-box",
)  # fmt: skip
LEAVES = (
    "<a href='/there'>a link</a>",
    "<a>no link</a>",
    "<button>a button</button>",
    "<button disabled>not this one</button>",
    "<input value=one>",
    "<input type=checkbox> <label>nearby</label>",
    "<label><input type=radio> labelled</label>",
    "<label><input type=checkbox style='opacity: 0'> custom</label>",
    "<select><option>one<option>two</select>",
    "<textarea>text</textarea>",
    "<img width=20 height=20 alt=''>",
    "<img width=20 height=20 alt=picture>",
    "<svg width=100 height=60><rect width=20 height=20 fill=red /><circle cx=50 cy=20 r=9 /></svg>",
    "<svg width=16 height=16><path d='M0 0 L9 9 L0 9' /></svg>",
    "<canvas width=30 height=30><button>painted</button></canvas>",
    "<i class='fa fa-pencil' style='display: inline-block; width: 9px; height: 9px'></i>",
    "plain text ",
    "<br>",
    "&#8203;",
    "",
)
EVENTS = ("click", "mousedown", "pointerup", "dblclick", "keydown", "mouseover", "click mousedown")


def layout(seed: int) -> str:
    """The page of this seed: some 60 elements, a third of which hear clicks or invite them."""
    chance = random.Random(seed)
    body = "".join(_box(chance, 5) for _ in range(4))
    return (
        f"<!doctype html><title>layout {seed}</title><body>{body}<script>\n"
        f"let state = {seed + 1};\n"
        "const next = (most) => (state = state * 48271 % 2147483647) % most;\n"
        f"const events = {list(EVENTS)!r};\n"
        "for (const element of document.body.querySelectorAll('*')) {\n"
        "  if (next(6) === 0) for (const kind of events[next(events.length)].split(' '))"
        " element.addEventListener(kind, () => 0);\n"
        "  if (next(25) === 0 && ['DIV', 'SPAN', 'P'].includes(element.tagName)) {\n"
        "    const root = element.attachShadow({ mode: next(2) ? 'open' : 'closed' });\n"
        "    root.innerHTML = '<i style=cursor:pointer>in the shade</i>';\n"
        "    if (next(2)) root.append(document.createElement('slot'));\n"
        "    root.firstChild.addEventListener('click', () => 0);\n"
        "  }\n"
        "}\n</script>"
    )


def _box(chance: random.Random, depth: int) -> str:
    if depth == 0 or chance.random() < 0.25:
        return chance.choice(LEAVES)
    tag = chance.choice(BOXES)
    attribute = chance.choice(ATTRIBUTES).replace("%d", str(chance.randrange(10**6)))
    inner = "".join(_box(chance, depth - 1) for _ in range(chance.randint(1, 3)))
    return f"<{tag} {attribute} style='{chance.choice(STYLES)}'>{inner}</{tag}>"
