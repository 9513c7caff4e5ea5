"""Product pictures, drawn as SVG: one shape per kind, tinted with the product's colour."""

from __future__ import annotations

from functools import cache
from pathlib import Path

PALETTE = {
    "pine": "#2f5d50",
    "fog": "#a3b0b5",
    "harbour": "#2c5a7d",
    "rust": "#b5533c",
    "sand": "#d3b88c",
    "cream": "#efe3cc",
    "charcoal": "#40464c",
    "mustard": "#d59f36",
    "moss": "#7d8f4e",
    "birch": "#dcc39b",
    "brass": "#c29443",
    "heather": "#8d7a9e",
    "sky": "#8cb6cf",
}
"""Colour name → hex value; the names are what the shop shows."""

PAPER = "#f6f0e4"


def mixed(colour: str, other: str, share: float) -> str:
    """`colour` with a `share` (0..1) of `other` mixed in; both "#rrggbb"."""
    pairs = ((int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


@cache
def drawing(kind: str, colour: str) -> str:
    """The SVG of a kind of product in a colour of the palette. Raises `KeyError` for unknown ones."""
    from jinja2 import Environment, FileSystemLoader, TemplateNotFound

    environment = Environment(loader=FileSystemLoader(Path(__file__).parent / "artwork"), autoescape=True)
    main = PALETTE[colour]
    try:
        template = environment.get_template(f"{kind}.svg.jinja")
    except TemplateNotFound as error:
        raise KeyError(kind) from error
    return template.render(
        main=main,
        dark=mixed(main, "#14202a", 0.35),
        light=mixed(main, "#ffffff", 0.4),
        tint=mixed(main, PAPER, 0.82),
        floor=mixed(main, PAPER, 0.68),
        wood="#c99f6c",
        wood_dark="#a67b4a",
        ink="#2b3238",
        white="#fffdf8",
    )
