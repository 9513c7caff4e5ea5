"""BrowserGym's language: every function of its published action set."""

from __future__ import annotations

import pytest

from webbench.core.action.action import (
    Action,
    Back,
    Check,
    Click,
    ClickAt,
    CloseTab,
    Drag,
    DragAt,
    ElementRef,
    Focus,
    FocusTab,
    Forward,
    GetHtml,
    Goto,
    Hover,
    HoverAt,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseUp,
    NewTab,
    Noop,
    Press,
    Say,
    Scroll,
    Select,
    Stop,
    Type,
    Upload,
    UploadAt,
)
from webbench.core.dialects.dialect import ParseError
from webbench.core.dialects.notations.browsergym_calls import create

DIALECT = create()
A12 = ElementRef(id=12)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("noop()", Noop(seconds=1)),
        ("noop(500)", Noop(seconds=0.5)),
        ("fill('12', 'example value')", Type(target=A12, text="example value")),
        ('fill("12", "multi-line\\nexample")', Type(target=A12, text="multi-line\nexample")),
        ("fill('12', 'x', enable_autocomplete_menu=True)", Type(target=A12, text="x")),
        ("fill(12, r'raw\\n')", Type(target=A12, text="raw\\n")),
        ("clear('12')", Type(target=A12, text="")),
        ("check('12')", Check(target=A12)),
        ("uncheck('12')", Check(target=A12, checked=False)),
        ("select_option('12', 'blue')", Select(target=A12, options=("blue",))),
        ("select_option('12', ['red', 'green'])", Select(target=A12, options=("red", "green"))),
        ("click('12')", Click(target=A12)),
        ("click('12', button='right')", Click(target=A12, button="right")),
        (
            "click('12', button='middle', modifiers=['Shift'])",
            Click(target=A12, button="middle", modifiers=("Shift",)),
        ),
        ("dblclick('12')", Click(target=A12, count=2)),
        ("hover('12')", Hover(target=A12)),
        ("press('12', 'Control+a')", Press(target=A12, keys="Control+a")),
        ("drag_and_drop('12', '13')", Drag(source=A12, target=ElementRef(id=13))),
        ("scroll(-50.2, -100.5)", Scroll(dx=-50.2, dy=-100.5, at_mouse=True)),
        ("mouse_move(65.2, 158.5)", HoverAt(x=65.2, y=158.5)),
        ("mouse_click(56, 712.56, 'right')", ClickAt(x=56, y=712.56, button="right")),
        ("mouse_dblclick(5, 236)", ClickAt(x=5, y=236, count=2)),
        ("mouse_drag_and_drop(10.7, 325, 235.6, 24.54)", DragAt(x=10.7, y=325, to_x=235.6, to_y=24.54)),
        ("keyboard_press('Meta+Shift+t')", Press(keys="Meta+Shift+t")),
        ("focus('12')", Focus(target=A12)),
        ("focus ( bid='12' )", Focus(target=A12)),
        ("mouse_down(140.2, 580.1)", MouseDown(x=140.2, y=580.1)),
        ("mouse_up(47, 252, 'right')", MouseUp(x=47, y=252, button="right")),
        ("keyboard_down('Shift')", KeyDown(key="Shift")),
        ("keyboard_up('c')", KeyUp(key="c")),
        ("mouse_upload_file(328, 812, ['a.jpg', 'b.zip'])", UploadAt(x=328, y=812, files=("a.jpg", "b.zip"))),
        ("get_element_html('12')", GetHtml(target=A12)),
        ("keyboard_type('Hello')", Type(text="Hello", clear=False)),
        ("keyboard_insert_text('Hello')", Type(text="Hello", clear=False, at_once=True)),
        ("goto('http://www.example.com')", Goto(url="http://www.example.com")),
        ("go_back()", Back()),
        ("go_forward()", Forward()),
        ("new_tab()", NewTab()),
        ("tab_close()", CloseTab()),
        ("tab_focus(2)", FocusTab(index=2)),
        ("upload_file('12', ['a.jpg', 'b.zip'])", Upload(target=A12, files=("a.jpg", "b.zip"))),
        ("send_msg_to_user('Built in 1751.')", Say(text="Built in 1751.")),
        ("report_infeasible('no field')", Stop(answer="infeasible: no field")),
    ],
)
def test_a_text_is_its_action(text: str, action: Action) -> None:
    assert DIALECT.parse(text) == action
    assert DIALECT.parse(DIALECT.format(action)) == action


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("fil('12', 'x')", "fill('12', 'x')"),
        ("click [12]", "click('12')"),
        ("fill('12' 'x')", "fill('12', 'x')"),
        ("fill '12', 'x'", "fill('12', 'x')"),
        ("page.click('12')", "click('12')"),
        ("fill('a12', 'x')", "fill(bid, value)"),
        ("click('12', button='left', button='left')", "click('12')"),
        ("mouse_click(1e999, 2)", "mouse_click(x, y)"),
    ],
)
def test_what_cannot_be_done_says_what_can(text: str, nearest: str) -> None:
    error = DIALECT.parse(text)
    assert isinstance(error, ParseError)
    assert error.nearest == nearest


def test_verbs_are_listed_where_no_form_is_near() -> None:
    for text in ("garbage", "garbage('12')", ""):
        error = DIALECT.parse(text)
        assert isinstance(error, ParseError)
        assert error.nearest.startswith("one of click, dblclick, fill, ")
    error = DIALECT.parse('{"verb": "garbage"}')
    assert isinstance(error, ParseError)
    assert error.nearest.startswith("one of answerdialog, ")


def test_what_the_language_lacks_is_said_in_json() -> None:
    field = Type(target=ElementRef(field="summary"), text="x")
    assert DIALECT.format(field) == '{"verb": "type", "target": {"field": "summary"}, "text": "x"}'


@pytest.mark.parametrize(
    ("literal", "text"),
    [
        (r"'\x41\u00e9\U0001F600\101\N{BULLET}'", "Aé😀A•"),
        ("'a' \"b\"", "ab"),
        (r"'\d'", "\\d"),
        ("'''it's'''", "it's"),
        ("3", "3"),
        ("True", "True"),
    ],
)
def test_python_literals_are_read_as_python_reads_them(literal: str, text: str) -> None:
    assert DIALECT.parse(f"keyboard_type({literal})") == Type(text=text, clear=False)
