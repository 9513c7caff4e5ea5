"""The signs that stand beside colours, in a Unicode and an ASCII set, every one of fixed width."""

from __future__ import annotations

from dataclasses import dataclass

from textual.widget import Widget

from webbench.core.score.explanation import Outcome, outcome
from webbench.core.score.score import Status


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One set of signs; fields of a group have the same width, so that columns stand straight."""

    unfolded: str = "▾"
    folded: str = "▸"
    leaf: str = " "
    guide: str = "│ "
    branch: str = "├─"
    last: str = "└─"
    gap: str = "  "
    ellipsis: str = "…"
    arrow: str = "→"
    checked: str = "☑"
    unchecked: str = "☐"
    mixed: str = "◪"
    chosen: str = "◉"
    unchosen: str = "○"
    selected: str = "✓"
    focused: str = "◂"
    disabled: str = "⊘"
    required: str = "*"
    offscreen: str = "⇣"
    link: str = "↗"
    button: str = "▣"
    field: str = "▁"
    choice: str = "▿"
    heading: str = "#"
    image: str = "▨"
    landmark: str = "§"
    list: str = "≡"
    item: str = "•"
    table: str = "▦"
    text: str = "¶"
    other: str = "·"
    passed: str = "✔"
    partial: str = "◐"
    failed: str = "✘"
    pending: str = "…"
    skipped: str = "–"
    trouble: str = "‼"
    changed: str = "●"
    unchanged: str = " "
    human: str = "🧑"
    agent: str = "🤖"
    operator: str = "✋"
    info: str = "·"
    warning: str = "▲"
    error: str = "■"
    clock: str = "◷"
    more: str = "↵"
    separator: str = "│"
    rule: str = "─"
    ascending: str = "▲"
    descending: str = "▼"
    bullet: str = "›"
    star: str = "★"
    same: str = "="
    differs: str = "≠"
    parts: str = "◆"
    meets: str = "◇"
    unequal: str = "‼"
    loop: str = "↻"
    oscillation: str = "⇄"
    detour: str = "↷"
    label: str = "⚑"
    bar: str = "█"
    bar_rest: str = "░"


UNICODE = Glyphs()

ASCII = Glyphs(
    unfolded="v",
    folded=">",
    guide="| ",
    branch="|-",
    last="`-",
    ellipsis="~",
    arrow=">",
    checked="[x]",
    unchecked="[ ]",
    mixed="[-]",
    chosen="(o)",
    unchosen="( )",
    selected="+",
    focused="<",
    disabled="!",
    offscreen="v",
    link="@",
    button="B",
    field="_",
    choice="=",
    image="%",
    landmark="$",
    list="=",
    item="*",
    table="+",
    text='"',
    other=".",
    passed="+",
    partial="~",
    failed="x",
    pending="?",
    skipped="-",
    trouble="!",
    changed="*",
    human="H ",
    agent="A ",
    operator="O ",
    info=".",
    warning="!",
    error="#",
    clock="t",
    more="<",
    separator="|",
    rule="-",
    ascending="^",
    descending="v",
    bullet=">",
    star="*",
    differs="/",
    parts="#",
    meets="o",
    unequal="!",
    loop="@",
    oscillation="%",
    detour=">",
    label="&",
    bar="#",
    bar_rest=".",
)


def glyphs_of(widget: Widget) -> Glyphs:
    """The set the application chose (its attribute `glyphs`), Unicode where it chose none."""
    chosen = getattr(widget.app, "glyphs", UNICODE)
    return chosen if isinstance(chosen, Glyphs) else UNICODE


def status_sign(status: Status, value: float | None, glyphs: Glyphs) -> tuple[str, Outcome]:
    """Sign and part for a status; a number between 0 and 1 is neither passed nor failed."""
    return outcome_sign(outcome(value, status), glyphs)


def outcome_sign(found: Outcome, glyphs: Glyphs) -> tuple[str, Outcome]:
    """Sign and part for what a check came to."""
    return getattr(glyphs, found), found
