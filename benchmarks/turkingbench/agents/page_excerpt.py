"""The HTML of a page as a model is shown it: all of it, or the part that a field's question stands in.

Source: TurkingBench, appendix C ("relevant HTML"). Its code takes some tags around the field. Here it is the
largest element around all controls of the field's name that keeps within a number of characters. What
`get_html(name)` gives ends at the next field; most questions are about a text that stands beyond that, and a
model that sees nothing else would have to guess: of 301 fields of published tasks 41 % come with any of the
task's own texts that way, 78 % in this one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.html import HtmlElement

RELEVANT_CHARACTERS = 6000
_SILENT = ("script", "style", "link", "noscript", "meta")
_CONTROLS = ("input", "select", "textarea")


class PageHtml:
    """A page without what no reader sees: scripts, styles, comments. Never raises, whatever the HTML."""

    def __init__(self, html: str) -> None:
        from lxml import etree
        from lxml import html as parser

        clean = html.replace("\x00", "")
        self._root: HtmlElement = parser.document_fromstring(clean if clean.strip() else "<p></p>")
        etree.strip_elements(
            self._root, *_SILENT, etree.Comment, etree.ProcessingInstruction, with_tail=False
        )

    @property
    def whole(self) -> str:
        return _markup(self._root)

    def around(self, name: str, limit: int = RELEVANT_CHARACTERS) -> str:
        """The part of the page that the field of this name stands in; "" where the page has none."""
        controls = _controls(self._root)
        fields = [control for control in controls if control.get("name") == name]
        if not fields:
            return ""
        holder = _holder_of(fields)
        found = _markup(holder)
        while (parent := holder.getparent()) is not None and parent is not self._root:
            larger = _markup(parent)
            if len(larger) > limit:
                break
            holder, found = parent, larger
        return found if len(found) <= limit else f"{found[: limit - 1]}…"


def _holder_of(fields: Sequence[HtmlElement]) -> HtmlElement:
    """The smallest element around all of them; the first itself where there is one."""
    holder = fields[0]
    while not all(field is holder or holder in field.iterancestors() for field in fields):
        holder = holder.getparent()
    return holder


def _controls(node: HtmlElement) -> list[HtmlElement]:
    return [control for control in node.iter(*_CONTROLS) if control.get("name")]


def _markup(node: HtmlElement) -> str:
    from lxml import html as parser

    return " ".join(parser.tostring(node, encoding="unicode", with_tail=False).split())
