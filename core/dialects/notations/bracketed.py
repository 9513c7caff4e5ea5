"""Bracketed verbs: `type [5] [any text, even [brackets]] [1]`, their grammar and the list of them.

A text argument reaches from its opening bracket to the last closing one that leaves the flags behind it
readable, so nothing needs escaping. Reading is linear in the length of the text.

A point of an element stands behind it, without brackets: `click [12] at 40% 60%`, `drag [3] at 10% 50% [4]`.

`type` without its last argument presses Enter, and `scroll` moves by one viewport, as in WebArena's
published code. `type` replaces what is in a field, where that code clicks into the field and types on;
`append` does that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from webbench.core.action.action import (
    Action,
    AnswerDialog,
    CaptureScreen,
    Click,
    ClickAt,
    CloseTab,
    ElementRef,
    GetHtml,
    Noop,
    Reload,
    Scroll,
    ScrollTo,
    Select,
    SetRange,
    Stop,
    Submit,
    Type,
)
from webbench.core.dialects.forms import (
    GREEDY,
    Argument,
    Form,
    Forms,
    Parameter,
    Unfit,
    Value,
    build,
    convert,
    needed,
    optional,
)
from webbench.core.dialects.notations.grammar import Cursor
from webbench.core.dialects.saying import says
from webbench.core.dialects.verbs import (
    CHECK,
    CLICK,
    CLICK_AT,
    DOUBLE_CLICK,
    DOUBLE_CLICK_AT,
    DRAG,
    DRAG_AT,
    FOCUS_TAB,
    GO_BACK,
    GO_FORWARD,
    GOTO,
    HOVER,
    HOVER_AT,
    NEW_TAB,
    PRESS,
    PRESS_ON,
    SCROLL,
    TYPE_HERE,
    UNCHECK,
    UPLOAD,
)

_VERB = re.compile(r"\s*([A-Za-z][A-Za-z_]{0,40})(?![A-Za-z_0-9])\s*")
_SEPARATOR = re.compile(r"\]\s*\[")
_CHUNK = re.compile(r"\[[^\]]*\]|[^\s\[\]]+")
_WORD = re.compile(r"[A-Za-z]+")
_UNBRACKETED = "direction"
_LONGEST_FLAG = 60
_SHARE = r"\s*([0-9]{1,9}(?:\.[0-9]{0,9})?)\s*%"
_POINT = re.compile(rf"at\b\s*\(?{_SHARE}\s*,?{_SHARE}\s*\)?", re.IGNORECASE)
_NEARLY_POINT = re.compile(_POINT.pattern.replace("%", "%?"), re.IGNORECASE)
_POINT_BEGUN = re.compile(r"\]\s+(at?\b[^\[\]]*)?\Z", re.IGNORECASE)


class Bracketed:
    """Reads and writes `verb [argument] [argument]`."""

    def read(self, text: str, forms: Forms) -> Action:
        """Raises `Unfit`."""
        match = _VERB.match(text)
        if match is None:
            start = len(text) - len(text.lstrip())
            raise Unfit(start, "an action starts with a verb" if text.strip() else "there is no action here")
        named = forms.named(match[1])
        if not named:
            raise Unfit(match.start(1), f'there is no verb "{match[1]}"')
        form = named[0]
        end = len(text.rstrip())
        return build(form, _arguments(text, match.end(), end, form), end)

    def write(self, form: Form, arguments: Sequence[Value]) -> str:
        words = [form.verb]
        kinds = [parameter.kind for parameter in form.parameters]
        for index, argument in enumerate(arguments):
            if kinds[index : index + 1] == ["point"]:
                words.extend(_written_point(argument))
                continue
            several = argument if isinstance(argument, list) else [argument]
            words.extend(f"[{_written(value)}]" for value in several)
        return " ".join(words)

    def shape(self, form: Form, *, optional: bool = True) -> str:
        parts = [form.verb]
        for parameter in form.parameters:
            if not (parameter.required or optional):
                continue
            if parameter.kind == "point":
                parts.append("(at x% y%)")
                continue
            more = " ..." if parameter.kind in ("choices", "files") else ""
            slot = f"[{parameter.name}]{more}"
            parts.append(slot if parameter.required else f"({slot})")
        return " ".join(parts)

    def repairs(self, text: str, form: Form) -> list[str]:
        """The right verb, the missing bracket, brackets around bare words, surplus arguments left out."""
        match = _VERB.match(text)
        rest = text[match.end() :].strip() if match else ""
        pointed = any(parameter.kind == "point" for parameter in form.parameters)
        if pointed and (points := _NEARLY_POINT.findall(rest)):
            bare = [word.strip("[]()'\" ") for word in _CHUNK.findall(_NEARLY_POINT.sub(" ", rest))]
            said = [f"[{word}] at {x}% {y}%" for word, (x, y) in zip(bare, points, strict=False)]
            said += [f"[{word}]" for word in bare[len(points) :]]
            return [" ".join([form.verb, *said]), f"{form.verb} {rest}".strip()]
        count = sum(parameter.kind != "point" for parameter in form.parameters)
        least = max(sum(parameter.required for parameter in form.parameters), 1)
        words: list[Value] = [word.strip("[]()'\" ") for word in _CHUNK.findall(rest)]
        joined = words
        if count and len(words) > least:
            joined = [*words[: least - 1], " ".join(map(str, words[least - 1 :]))]
        return [
            f"{form.verb} {rest}".strip(),
            f"{form.verb} {rest}]",
            _in_brackets(form, joined),
            _in_brackets(form, words),
            _in_brackets(form, words[:count]),
        ]

    def cursor(self, text: str, forms: Forms) -> Cursor:
        match = _VERB.match(text)
        if match is None or "[" not in text:
            lead = len(text) - len(text.lstrip())
            return Cursor(partial=text[lead:], start=lead)
        named = forms.named(match[1])
        if not named or not text.startswith("[", match.end()):
            return Cursor(partial=text[match.end() :], start=match.end(), beyond=True)
        form = named[0]
        bracketed = [at for at, parameter in enumerate(form.parameters) if parameter.kind != "point"]
        inside = text[match.end() + 1 :]
        if len(bracketed) < len(form.parameters):
            inside = _POINT.sub("", inside)
        pieces = _SEPARATOR.split(inside)
        begun = _POINT_BEGUN.search(text)
        if begun and len(pieces) <= len(bracketed):
            index = bracketed[len(pieces) - 1] + 1
            if [parameter.kind for parameter in form.parameters[index : index + 1]] == ["point"]:
                partial = begun[1] or ""
                return Cursor(partial=partial, start=len(text) - len(partial), form=form, index=index)
        if text.rstrip().endswith(("]", "%")):
            return Cursor(partial="", start=len(text), beyond=True)
        index = len(pieces) - 1
        return Cursor(
            partial=pieces[-1],
            start=len(text) - len(pieces[-1]),
            form=form,
            index=bracketed[index] if index < len(bracketed) else len(form.parameters),
            before=tuple(pieces[:-1]),
        )

    def opening(self, form: Form) -> str:
        return f"{form.verb} [" if form.parameters else form.verb

    def filling(self, form: Form, index: int, value: Value) -> str:
        if form.parameters[index].kind == "point":
            return str(value)
        following = [parameter for parameter in form.parameters[index + 1 :] if parameter.kind != "point"]
        return f"{_written(value)}]" + (" [" if following and following[0].required else "")


def _in_brackets(form: Form, words: Sequence[Value]) -> str:
    return " ".join([form.verb, *(f"[{_written(word)}]" for word in words)])


def _written_point(value: Value) -> list[str]:
    """No words for no point."""
    if not isinstance(value, list):
        return []
    x, y = value
    return [f"at {_written(x)}% {_written(y)}%"]


def _written(value: Value) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def _arguments(text: str, start: int, end: int, form: Form) -> list[Argument]:
    if start >= end:
        return []
    if text[start] != "[":
        word = _WORD.fullmatch(text, start, end)
        if word and form.parameters and form.parameters[0].kind == _UNBRACKETED:
            return [Argument(word[0], start)]
        raise Unfit(start, 'arguments stand in brackets: "[" is missing', form)
    found: list[Argument] = []
    position = start
    for index, parameter in enumerate(form.parameters):
        if position >= end:
            return found
        if parameter.kind == "point":
            if (point := _POINT.match(text, position, end)) is None:
                continue
            found.append(Argument([point[1], point[2]], position, parameter.name))
            position = point.end()
            while position < end and text[position].isspace():
                position += 1
            continue
        if text[position] != "[":
            raise Unfit(position, 'arguments stand in brackets: "[" is missing', form)
        if parameter.kind in GREEDY or parameter.kind in ("choices", "files"):
            return found + _rest(text, position, end, form.parameters[index:], form)
        close = text.find("]", position, end)
        if close < 0:
            raise Unfit(end, '"]" is missing', form)
        found.append(_argument(text[position + 1 : close].strip(), position + 1, parameter))
        position = close + 1
        while position < end and text[position].isspace():
            position += 1
    if position < end and text[position] == "[" and [one.kind for one in form.parameters[-1:]] == ["point"]:
        count = sum(parameter.kind != "point" for parameter in form.parameters)
        raise Unfit(position, f'"{form.verb}" takes {count} argument{"" if count == 1 else "s"}', form)
    if position < end:
        found.append(Argument(text[position:end], position))
    return found


def _rest(text: str, start: int, end: int, parameters: Sequence[Parameter], form: Form) -> list[Argument]:
    """The greedy argument that opens at `start`, and the flags behind it."""
    if text[end - 1] != "]" or end - 1 == start:
        raise Unfit(end, '"]" is missing', form)
    greedy, *flags = parameters
    if greedy.kind in ("choices", "files"):
        pieces: list[Value] = [*_SEPARATOR.split(text[start + 1 : end - 1])]
        return [Argument(pieces, start + 1)]
    tail: list[Argument] = []
    for flag in reversed(flags):
        opened = text.rfind("[", start + 1, end)
        closed = len(text[start + 1 : opened].rstrip()) + start
        if opened < 0 or end - opened > _LONGEST_FLAG or closed <= start or text[closed] != "]":
            break
        argument = _argument(text[opened + 1 : end - 1].strip(), opened + 1, flag)
        try:
            convert(flag.kind, argument.value)
        except ValueError:
            break
        tail.insert(0, argument)
        end = closed + 1
    return [Argument(text[start + 1 : end - 1], start + 1), *tail]


def _argument(raw: str, position: int, parameter: Parameter) -> Argument:
    """`[direction=down]` is `[down]`."""
    return Argument(raw.removeprefix(f"{parameter.name}=").strip(), position, parameter.name)


_ID = needed("id", "element")
_ANY = optional("id", "element", None)
_TEXT = needed("text", "text")
_X, _Y = needed("x", "number"), needed("y", "number")
_DX, _DY = needed("dx", "number"), needed("dy", "number")
_AT = optional("at", "point", None)
_NO_ENTER = optional("press_enter_after", "flag", False, always=True)
_STEPS = {"up": (0.0, -1.0), "down": (0.0, 1.0), "left": (-1.0, 0.0), "right": (1.0, 0.0)}
_DIRECTIONS = {step: direction for direction, step in _STEPS.items()}


def _scroll(direction: str) -> Action:
    dx, dy = _STEPS[direction]
    return Scroll(dx=dx, dy=dy, unit="viewports")


def _say_scroll(action: Action) -> Sequence[Value] | None:
    if not isinstance(action, Scroll) or action.unit != "viewports":
        return None
    direction = _DIRECTIONS.get((action.dx, action.dy))
    return [direction] if direction else None


def _click_in(target: ElementRef, x: float, y: float) -> Action:
    return Click(target=target, at=(x, y))


def _answer(answer: str, text: str) -> Action:
    return AnswerDialog(accept=answer == "accept", text=text)


def _say_answer(action: Action) -> Sequence[Value] | None:
    if not isinstance(action, AnswerDialog):
        return None
    return ["accept" if action.accept else "dismiss", *([action.text] if action.text else [])]


ELEMENTS = (
    CLICK.form("click", "click [12]", at=_AT),
    Form(
        "click_in",
        (_ID, needed("x_percent", "number"), needed("y_percent", "number")),
        _click_in,
        'the same as "click [12] at 40% 60%"',
        "click_in [12] [40] [60]",
    ),
    says(
        "type",
        Type,
        "replace the content of a field; 0 at the end leaves Enter out",
        "type [5] [running shoes] [1]",
        target=_ID,
        text=_TEXT,
        enter=optional("press_enter_after", "flag", True, always=True),
    ),
    says(
        "append",
        Type,
        "type behind what is in a field",
        "append [5] [, size 44]",
        target=_ID,
        text=_TEXT,
        enter=_NO_ENTER,
        clear=False,
    ),
    HOVER.form("hover", "hover [12]", at=_AT),
    PRESS.form("press", "press [Ctrl+a]"),
    PRESS_ON.form("press_on", "press_on [5] [Enter]"),
    says(
        "select",
        Select,
        "choose options of a list by label or value; none clears it",
        "select [7] [Red]",
        aliases=("select_option",),
        target=_ID,
        options=optional("option", "choices", []),
    ),
    CHECK.form("check", "check [8]"),
    UNCHECK.form("uncheck", "uncheck [8]"),
    says("set", SetRange, "move a slider", "set [9] [3]", target=_ID, value=needed("value", "number")),
    DOUBLE_CLICK.form("double_click", "double_click [12]", at=_AT),
    says(
        "right_click",
        Click,
        "click with the right button",
        "right_click [12]",
        target=_ID,
        button="right",
        at=_AT,
    ),
    DRAG.form(
        "drag",
        "drag [3] [4]",
        source_at=optional("from_at", "point", None),
        target_at=optional("to_at", "point", None),
    ),
    UPLOAD.form("upload", "upload [6] [receipt.pdf]"),
    says("scroll_to", ScrollTo, "bring it into view", "scroll_to [12]", target=_ID),
    says("submit", Submit, "submit the task's form, or the form of an element", "submit", target=_ANY),
    says("get_html", GetHtml, "read the HTML of the page or of an element", "get_html [12]", target=_ANY),
)

POINTS = (
    CLICK_AT.form("click_at", "click_at [320] [45.5]"),
    DOUBLE_CLICK_AT.form("double_click_at", "double_click_at [320] [45]"),
    says(
        "right_click_at",
        ClickAt,
        "click at a point with the right button",
        "right_click_at [320] [45]",
        x=_X,
        y=_Y,
        button="right",
    ),
    HOVER_AT.form("hover_at", "hover_at [9] [9]"),
    DRAG_AT.form("drag_at", "drag_at [10] [10] [200] [10]"),
    Form(
        "scroll",
        (needed("direction", "direction"),),
        _scroll,
        "scroll the page by one viewport: up, down, left or right",
        "scroll [down]",
        say=_say_scroll,
    ),
    SCROLL.form("scroll_by", "scroll_by [0] [300]"),
    says(
        "scroll_in",
        Scroll,
        "scroll inside an element by pixels",
        "scroll_in [20] [0] [300]",
        target=_ID,
        dx=_DX,
        dy=_DY,
    ),
    TYPE_HERE.form("type_here", "type_here [hello]", enter=_NO_ENTER),
)

PAGES = (
    GOTO.form("goto", "goto [http://e.org]"),
    GO_BACK.form("go_back", "go_back"),
    GO_FORWARD.form("go_forward", "go_forward"),
    says("reload", Reload, "load the page again", "reload"),
    NEW_TAB.form("new_tab", "new_tab", url=optional("url", "url", "")),
    FOCUS_TAB.form("tab_focus", "tab_focus [0]", index=needed("tab_index", "tab")),
    says(
        "close_tab",
        CloseTab,
        "close this tab, or another one",
        "close_tab",
        aliases=("page_close",),
        index=optional("tab_index", "tab", None),
    ),
    Form(
        "dialog",
        (needed("answer", "answer"), optional("text", "text", "")),
        _answer,
        "answer the open dialog; the text is for a prompt",
        "dialog [accept] [my answer]",
        say=_say_answer,
    ),
    says(
        "screenshot",
        CaptureScreen,
        "take a picture of the viewport, or of the surroundings of an element",
        "screenshot [12]",
        target=_ANY,
    ),
    says(
        "stop",
        Stop,
        "end the task, with an answer if it asks for one",
        "stop [42]",
        answer=optional("answer", "text", ""),
    ),
    says("noop", Noop, "do nothing", "noop", aliases=("none",)),
    says("wait", Noop, "wait", "wait [2]", seconds=needed("seconds", "number")),
)
