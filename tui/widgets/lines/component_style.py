"""Component classes as Rich styles for Line API widgets."""

from __future__ import annotations

from rich.style import Style
from textual.color import Color
from textual.widget import Widget


def component_style(widget: Widget, name: str) -> Style:
    """What the rules of a component class set, see-through colours blended with what lies behind."""
    styles = widget.get_component_styles(name)
    base = widget.background_colors[1]
    colour = background = None
    if styles.has_rule("background") and styles.background.a > 0:
        base = base + styles.background
        background = base.rich_color
    if styles.has_rule("color") or styles.has_rule("auto_color"):
        text: Color = base.get_contrast_text(styles.color.a) if styles.auto_color else styles.color
        colour = (base + text).rich_color
    return Style(color=colour, bgcolor=background) + styles.text_style
