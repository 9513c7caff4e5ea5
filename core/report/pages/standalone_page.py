"""A standalone HTML page, which needs nothing but itself: it opens from disk, asks no network, and prints.

Style, script and pictures are part of the page. Its Content-Security-Policy names the style and the script
by their hashes and pictures by `data:`, so nothing else loads and nothing else runs, even were foreign text
to get into the page as markup. Attributes `style` and `on…` have no effect either: styles go by classes,
positions by SVG. What a policy can't stop is a tag that leads elsewhere, so escaping comes first.

Foreign text reaches a page through templates, which escape whatever is no `Markup`, or through `escaped`.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from markupsafe import Markup

from webbench.core.json_types import Json
from webbench.core.text.escaped_html import harmless

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).parent / "templates"
PictureKind = Literal["png", "jpeg", "webp", "svg+xml"]


def self_contained(title: str, body: Markup, *, style: str = "", script: str = "") -> str:
    """The whole page.

    Args:
        body: what stands in it, made by `fill` or from `escaped` parts.
        style, script: the page's own, after those that every page has (`page.css`, `page.js`).
    """
    styles = resource("page.css") + style
    scripts = resource("page.js") + script
    return str(
        fill(
            "page.html.jinja",
            title=title,
            body=body,
            policy=_policy(styles, scripts),
            style=Markup(styles),  # noqa: S704 - ours, and bound to its hash
            script=Markup(scripts),  # noqa: S704 - ours, and bound to its hash
        )
    )


def fill(template: str, **values: Json) -> Markup:
    """A template of `core/report/pages/templates` with values; text in them is escaped."""
    return Markup(_templates().get_template(template).render(**values))  # noqa: S704 - escapes by itself


@cache
def resource(name: str) -> str:
    """A style or script of `core/report/pages/templates`, for `self_contained`."""
    return (TEMPLATES / name).read_text("utf-8")


def picture_url(data: bytes, kind: PictureKind) -> str:
    """A picture as the address of itself; an SVG's scripts don't run in an `<img>`."""
    return f"data:image/{kind};base64,{base64.b64encode(data).decode('ascii')}"


@cache
def _templates() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_harmless_value,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _harmless_value(value: Json) -> Json:
    return harmless(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _policy(style: str, script: str) -> str:
    parts = {
        "default-src": "'none'",
        "img-src": "data:",
        "style-src": _hash(style),
        "script-src": _hash(script),
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in parts.items())


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"
