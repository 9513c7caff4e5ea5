"""A row of the accessibility tree as styled pieces."""

from __future__ import annotations

from collections.abc import Callable

from rich.style import Style

from webbench.core.observation import AccessibilityNode
from webbench.core.text.plain_text import plain_text
from webbench.tui.widgets.lines.glyphs import Glyphs
from webbench.tui.widgets.lines.line import Line
from webbench.tui.widgets.lines.node_label import role_class, role_name, role_sign, state_words

NAME_LIMIT = 400
Part = Callable[[str], Style]


def guide_text(depth: int, later: int, glyphs: Glyphs, width: int) -> str:
    """Guide lines of a row at `depth`; `later` has a bit per depth at which a sibling follows.

    Deep rows keep at most half of `width`: their outer guides give way to the depth as a number.
    """
    if depth <= 0:
        return ""
    guides = [glyphs.guide if later >> level & 1 else glyphs.gap for level in range(1, depth)]
    guides.append(glyphs.branch if later >> depth & 1 else glyphs.last)
    room = max(2, width // 4)
    if len(guides) > room:
        return f"{depth}{glyphs.ellipsis}".ljust(4) + "".join(guides[len(guides) - room + 2 :])
    return "".join(guides)


def node_line(
    node: AccessibilityNode,
    width: int,
    *,
    guides: str,
    fold: str,
    hint: str,
    rank: int,
    query: str,
    glyphs: Glyphs,
    part: Part,
) -> Line:
    """Guides, fold sign, rank of a candidate, role sign, role, name, value, states; right its id."""
    kind = role_class(node.role)
    role_style = part(f"accessibility-tree--{kind}")
    muted = part("row-list--muted")
    line = Line(width)
    if own_id := plain_text(node.own_id, limit=12):
        line.right(f" {own_id} ", part("accessibility-tree--id") if node.interactive else muted)
    line.add(guides, part("accessibility-tree--guide"))
    if hint:
        line.add(f" {hint} ", part("accessibility-tree--hint"))
    line.add(f"{fold} ", part("accessibility-tree--guide"))
    if rank:
        line.add(f"#{rank} ", part("accessibility-tree--id"))
    line.add(f"{role_sign(node, glyphs)} ", role_style)
    is_text = kind == "text" and node.role == "StaticText"
    if not is_text:
        line.add(plain_text(role_name(node.role), limit=40), role_style)
    if node.name:
        if not is_text:
            line.add(" ")
        style = part("accessibility-tree--offscreen" if node.offscreen else "accessibility-tree--name")
        add_name(line, plain_text(node.name, limit=NAME_LIMIT), style, query, part("row-list--match"))
    elif node.interactive and (words := attribute_words(node)):
        line.add(f" {plain_text(words, limit=120)}", muted)
    if node.value:
        line.add(" = ", muted)
        add_name(
            line,
            plain_text(node.value, limit=NAME_LIMIT),
            part("accessibility-tree--value"),
            query,
            part("row-list--match"),
        )
    for word, state in state_words(node, glyphs):
        line.add(f"  {plain_text(word, limit=40)}", part(f"accessibility-tree--{state}"))
    return line


def attribute_words(node: AccessibilityNode) -> str:
    """What tells a control without a name from its neighbours: its HTML name, value or type."""
    attributes = node.attributes
    name = attributes.get("name") or attributes.get("id", "")
    value = attributes.get("value", "") if node.value in (None, "") else ""
    if name or value:
        return f"{name} = {value}" if name and value else name or value
    return attributes.get("placeholder") or node.looks or attributes.get("href") or attributes.get("type", "")


def add_name(line: Line, text: str, style: Style, query: str, match: Style) -> None:
    """Add a text with the first places where the query stands in it set off."""
    start = 0
    folded, wanted = text.casefold(), query.casefold()
    if wanted and len(folded) == len(text):
        while (found := folded.find(wanted, start)) >= 0:
            line.add(text[start:found], style)
            line.add(text[found : found + len(wanted)], style + match)
            start = found + len(wanted)
    line.add(text[start:], style)
