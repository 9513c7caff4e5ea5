"""An action as a person reads it: `click button "Add to cart"`, `type "mug" into searchbox "Search"`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from webbench.core.action import action as a


def action_words(action: a.Action) -> str:
    """One clause without a subject; names and values as they were recorded, nothing cut off."""
    return _WORDS[type(action)](action)


def element_words(element: a.ElementRef | None) -> str:
    """Role and name, else whatever tells which element it was."""
    if element is None:
        return ""
    if element.name.strip():
        return f'{element.role} "{element.name}"' if element.role else f'"{element.name}"'
    if element.field:
        return f'field "{element.field}"' + (f' "{element.option}"' if element.option else "")
    if element.id is not None:
        return f"{element.role} [{element.id}]" if element.role else f"[{element.id}]"
    return element.role or element.selector or "an element"


def _click(action: a.Click | a.ClickAt) -> str:
    how = {1: "click", 2: "double click", 3: "triple click"}.get(action.count, f"click {action.count} times")
    how = how if action.button == "left" else f"{action.button} {how}"
    if isinstance(action, a.ClickAt):
        return f"{how} at {_point(action.x, action.y)}"
    held = "".join(f"{key}+" for key in action.modifiers)
    return f"{held}{how} {_inside(action.target, action.at)}"


def _inside(element: a.ElementRef, at: a.Inside | None) -> str:
    point = f" at {_number(at[0])}% {_number(at[1])}%" if at is not None else ""
    return f"{element_words(element)}{point}"


def _drag(action: a.Drag) -> str:
    return f"drag {_inside(action.source, action.source_at)} to {_inside(action.target, action.target_at)}"


def _type(action: a.Type) -> str:
    where = f" into {element_words(action.target)}" if action.target else ""
    how = "insert" if action.at_once else "type"
    return f'{how} "{action.text}"{where}' + (" and press Enter" if action.enter else "")


def _select(action: a.Select) -> str:
    chosen = ", ".join(f'"{option}"' for option in action.options) or "nothing"
    return f"select {chosen} in {element_words(action.target)}"


def _check(action: a.Check) -> str:
    return f"{'check' if action.checked else 'uncheck'} {element_words(action.target)}"


def _scroll(action: a.Scroll) -> str:
    ways = [
        f"{far} by {_number(abs(by))} {action.unit.rstrip('s') if abs(by) == 1 else action.unit}"
        for by, far in (
            (action.dy, "down" if action.dy > 0 else "up"),
            (action.dx, "right" if action.dx > 0 else "left"),
        )
        if by
    ]
    inside = f" in {element_words(action.target)}" if action.target else ""
    inside = inside or (" under the mouse" if action.at_mouse else "")
    return f"scroll {' and '.join(ways)}".rstrip() + inside


def _press(action: a.Press) -> str:
    return f"press {action.keys}" + (f" on {element_words(action.target)}" if action.target else "")


def _upload(action: a.Upload) -> str:
    return f"upload {_files(action.files)} to {element_words(action.target)}"


def _files(files: tuple[str, ...]) -> str:
    return ", ".join(f'"{file}"' for file in files)


def _close_tab(action: a.CloseTab) -> str:
    return "close the tab" if action.index is None else f"close tab {action.index}"


def _answer_dialog(action: a.AnswerDialog) -> str:
    given = f' with "{action.text}"' if action.text else ""
    return f"{'accept' if action.accept else 'dismiss'} the dialog{given}"


def _get_html(action: a.GetHtml) -> str:
    return f"read the HTML of {element_words(action.target) or 'the page'}"


def _capture_screen(action: a.CaptureScreen) -> str:
    return "take a picture" + (f" around {element_words(action.target)}" if action.target else "")


def _submit(action: a.Submit) -> str:
    return "submit the form" + (f" of {element_words(action.target)}" if action.target else "")


def _noop(action: a.Noop) -> str:
    return f"wait {_number(action.seconds)} s" if action.seconds else "wait"


def _point(x: float, y: float) -> str:
    return f"({_number(x)}, {_number(y)})"


def _number(value: float) -> str:
    return f"{value:.10g}"


_WORDS: dict[type[Any], Callable[[Any], str]] = {
    a.Click: _click,
    a.ClickAt: _click,
    a.Type: _type,
    a.Select: _select,
    a.Check: _check,
    a.SetRange: lambda one: f"set {element_words(one.target)} to {_number(one.value)}",
    a.Hover: lambda one: f"move the mouse over {_inside(one.target, one.at)}",
    a.HoverAt: lambda one: f"move the mouse to {_point(one.x, one.y)}",
    a.Focus: lambda one: f"focus {element_words(one.target)}",
    a.MouseDown: lambda one: f"hold the {one.button} button at {_point(one.x, one.y)}",
    a.MouseUp: lambda one: f"let go of the {one.button} button at {_point(one.x, one.y)}",
    a.KeyDown: lambda one: f"hold the key {one.key}",
    a.KeyUp: lambda one: f"let go of the key {one.key}",
    a.Press: _press,
    a.Scroll: _scroll,
    a.ScrollTo: lambda one: f"scroll to {element_words(one.target)}",
    a.Drag: _drag,
    a.DragAt: lambda one: f"drag from {_point(one.x, one.y)} to {_point(one.to_x, one.to_y)}",
    a.Upload: _upload,
    a.UploadAt: lambda one: f"upload {_files(one.files)} at {_point(one.x, one.y)}",
    a.Goto: lambda one: f"go to {one.url}",
    a.Back: lambda _: "go back",
    a.Forward: lambda _: "go forward",
    a.Reload: lambda _: "reload the page",
    a.NewTab: lambda one: "open a tab" + (f" at {one.url}" if one.url else ""),
    a.FocusTab: lambda one: f"switch to tab {one.index}",
    a.CloseTab: _close_tab,
    a.AnswerDialog: _answer_dialog,
    a.GetHtml: _get_html,
    a.CaptureScreen: _capture_screen,
    a.Maximize: lambda _: "maximize the window",
    a.Say: lambda one: f'say "{one.text}"',
    a.Search: lambda one: f'search for "{one.query}"',
    a.Remember: lambda one: f'note "{one.text}"',
    a.Submit: _submit,
    a.Stop: lambda one: f'stop with the answer "{one.answer}"' if one.answer else "stop",
    a.Noop: _noop,
}
