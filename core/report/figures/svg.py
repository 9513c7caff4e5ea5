"""SVG from parts whose texts are escaped, in colours that hold on white and on dark paper.

Looks are attributes, never styles: a page whose policy allows no other style than its own shows them, and a
file of its own needs no page. Text and lines take the colour of what stands around them.
"""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup

from webbench.core.text.escaped_html import escaped

FONT = "system-ui, 'Segoe UI', 'Noto Sans', 'Liberation Sans', Arial, sans-serif"
COLOURS = ("#2f7fc1", "#d98c00", "#0f9d75", "#c8553d", "#b3669c", "#6b7a8f")
"""After Okabe and Ito: told apart by colour-blind people; letters and shapes stand beside them."""
SHAPES = ("circle", "square", "diamond", "triangle")
CHARACTER = 6.3
"""Mean width of a character of 11 px text."""


def colour(at: int) -> str:
    return COLOURS[at % len(COLOURS)]


def element(name: str, *inside: Markup, **attributes: str | float) -> Markup:
    """An element; underscores in the names of attributes stand for hyphens."""
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escaped(_value(value))}"'
        for key, value in attributes.items()
    )
    return Markup(f"<{name}{told}>{Markup().join(inside)}</{name}>")  # noqa: S704 - parts are escaped


def text(
    words: str, x: float, y: float, *, size: float = 11, anchor: str = "start", soft: bool = False
) -> Markup:
    """Foreign or own words."""
    return element(
        "text", escaped(words), x=x, y=y, font_size=size, text_anchor=anchor, opacity=0.7 if soft else 1
    )


def line(
    x1: float, y1: float, x2: float, y2: float, *, stroke: str = "currentColor", opacity: float = 1
) -> Markup:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=stroke, stroke_opacity=opacity)


def mark(shape: str, x: float, y: float, fill: str, told: str) -> Markup:
    """A point of a plot with what it says."""
    title = element("title", escaped(told))
    if shape == "square":
        return element("rect", title, x=x - 4, y=y - 4, width=8, height=8, fill=fill)
    if shape == "circle":
        return element("circle", title, cx=x, cy=y, r=4.5, fill=fill)
    corners = {"diamond": ((0, -6), (6, 0), (0, 6), (-6, 0)), "triangle": ((0, -6), (6, 5), (-6, 5))}[shape]
    points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)
    return element("polygon", title, points=points, fill=fill)


def drawing(
    width: float, height: float, parts: Iterable[Markup], label: str, *, alone: bool = False
) -> Markup:
    """The whole picture; `alone`: a file of its own, dark on white paper."""
    paper = [element("rect", x=0, y=0, width=width, height=height, fill="#ffffff")] if alone else []
    own: dict[str, str] = {"xmlns": "http://www.w3.org/2000/svg", "color": "#1c232e"} if alone else {}
    return element(
        "svg",
        *paper,
        *parts,
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        role="img",
        aria_label=label,
        font_family=FONT,
        fill="currentColor",
        width=width,
        height=height,
        **own,
    )


def clipped(words: str, room: float) -> str:
    """Words cut to a width in pixels; the end of an address tells more than its beginning."""
    most = max(4, int(room / CHARACTER))
    return words if len(words) <= most else f"…{words[-(most - 1) :]}"


def _value(value: str | float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
