"""Lets go of the painted rows of widgets that are gone."""

from __future__ import annotations

from functools import lru_cache

from textual._styles_cache import StylesCache
from textual.color import Color
from textual.style import Style


def let_painted_rows_go() -> None:
    """Keep a closed screen's rows from staying in memory; call it before the first screen.

    Every widget has a `StylesCache` with its painted rows. Textual 8 puts `lru_cache` on one of its methods,
    with the object itself as part of the key: the rows of the last 1,024 widgets stay, closed or not, which
    is about 100 MiB. The method needs two colours only, and is cached by these here. A Textual that
    doesn't cache it any more is left alone.
    """
    if hasattr(StylesCache.get_inner_outer, "cache_info"):
        # Textual offers no setting for it; mypy can't know that the two take and give the same.
        StylesCache.get_inner_outer = _inner_outer  # type: ignore[method-assign, assignment]


def _inner_outer(_cache: StylesCache, base_background: Color, background: Color) -> tuple[Style, Style]:
    return _styles(base_background, background)


@lru_cache(maxsize=1024)
def _styles(base_background: Color, background: Color) -> tuple[Style, Style]:
    """Style inside of the border, and outside of it."""
    return Style(background=base_background + background), Style(background=base_background)
