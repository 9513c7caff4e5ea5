"""Foreign text as HTML or SVG: what is markup in it stands there as text."""

from __future__ import annotations

from markupsafe import Markup, escape

_BREAKS = {*range(0x20), *range(0x7F, 0xA0)} - {0x09, 0x0A, 0x0D}
_TURNS = {0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}
_SURROGATES = range(0xD800, 0xE000)
_SHOWN = dict.fromkeys((*_BREAKS, *_TURNS, *_SURROGATES), "\ufffd")


def escaped(text: str) -> Markup:
    """Foreign text as HTML.

    Controls, lone surrogates and characters that turn the direction of writing become U+FFFD.
    """
    return escape(harmless(text))


def harmless(text: str) -> str:
    """Foreign text without characters that a reader can't see, or that make others look different."""
    return text if text.isascii() and text.isprintable() else text.translate(_SHOWN)
