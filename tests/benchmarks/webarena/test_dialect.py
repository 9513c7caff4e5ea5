"""WebArena's language, as its prompts teach it and its agents write it."""

from __future__ import annotations

import pytest

from webbench.benchmarks.webarena.dialect import create
from webbench.core.action.action import (
    Action,
    AnswerDialog,
    Back,
    Check,
    Click,
    ClickAt,
    CloseTab,
    ElementRef,
    FocusTab,
    Goto,
    Press,
    Say,
    Scroll,
    Select,
    SetRange,
    Stop,
    Type,
)
from webbench.core.dialects.dialect import ParseError
from webbench.core.observation import AccessibilityNode, Observation, Tab

DIALECT = create()


def ref(id: int) -> ElementRef:
    return ElementRef(id=id)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("click [12]", Click(target=ref(12))),
        ("Click[12]", Click(target=ref(12))),
        ("```click [1234]```", Click(target=ref(1234))),
        (
            "type [164] [hotels near CMU] [1]",
            Type(target=ref(164), text="hotels near CMU", enter=True),
        ),
        ("type [717] [Bangor, ME]", Type(target=ref(717), text="Bangor, ME", enter=True)),
        ("type [5] [a] [press_enter_after=0]", Type(target=ref(5), text="a")),
        ("type [5] [see [1] and [2]] [0]", Type(target=ref(5), text="see [1] and [2]")),
        ("type [5] [1]", Type(target=ref(5), text="1", enter=True)),
        ("type [5] [two\nlines] [0]", Type(target=ref(5), text="two\nlines")),
        ("append [5] [日本語]", Type(target=ref(5), text="日本語", clear=False)),
        ("press [Ctrl+a]", Press(keys="Control+a")),
        ("scroll [down]", Scroll(dy=1.0, unit="viewports")),
        ("scroll [direction=up]", Scroll(dy=-1.0, unit="viewports")),
        ("scroll down", Scroll(dy=1.0, unit="viewports")),
        ("tab_focus [0]", FocusTab(index=0)),
        ("close_tab", CloseTab()),
        ("page_close", CloseTab()),
        ("goto [http://e.org/?q=[x]]", Goto(url="http://e.org/?q=[x]")),
        ("go_back", Back()),
        ("stop", Stop()),
        ("stop [$279.49]", Stop(answer="$279.49")),
        ("stop [N/A]", Stop(answer="N/A")),
        ("note [price is 3]", Say(text="price is 3")),
        ("select [7] [Red] [Green]", Select(target=ref(7), options=("Red", "Green"))),
        ("select [7]", Select(target=ref(7), options=())),
        ("uncheck [8]", Check(target=ref(8), checked=False)),
        ("set [9] [2.5]", SetRange(target=ref(9), value=2.5)),
        ("dialog [dismiss]", AnswerDialog(accept=False)),
        ("dialog [accept] [my name]", AnswerDialog(text="my name")),
        ("double_click [3]", Click(target=ref(3), count=2)),
        ("click_at [320] [45.5]", ClickAt(x=320, y=45.5)),
        ('{"verb": "click", "target": {"id": 12}}', Click(target=ref(12))),
    ],
)
def test_a_text_is_its_action(text: str, action: Action) -> None:
    assert DIALECT.parse(text) == action
    assert DIALECT.parse(DIALECT.format(action)) == action


VERBS = "one of " + ", ".join(dict.fromkeys(verb.form.split()[0] for verb in DIALECT.verbs()))


@pytest.mark.parametrize(
    ("text", "position", "reason", "nearest"),
    [
        ("clik [12]", 0, 'no verb "clik"', "click [12]"),
        ("click 12", 6, '"[" is missing', "click [12]"),
        ("click [12", 9, '"]" is missing', "click [12]"),
        ("click [cart]", 7, "an id is a whole number", "click [id]"),
        ("  click []", 9, "an id is a whole number", "click [id]"),
        ("click [12] [13]", 11, "takes 1 argument", "click [12]"),
        ("type [5]", 8, "needs text", "type [id] [text]"),
        ("type [5] running shoes", 9, '"[" is missing', "type [5] [running shoes]"),
        ("stop the answer", 5, '"[" is missing', "stop [the answer]"),
        ("go_back [1]", 8, "takes no arguments", "go_back"),
        ("scroll [sideways]", 8, "one of up, down", "scroll [direction]"),
        ("", 0, "no action here", VERBS),
        ("garbage", 0, 'no verb "garbage"', VERBS),
        ("```clik [3]```", 3, "no verb", "click [3]"),
        ('{"verb": "clik"}', 1, "no verb", '{"verb": "click", "target": {"id": 12}}'),
        (
            '{"verb": "click", "target": {"id": "x"}}',
            29,
            "expected `int",
            '{"verb": "click", "target": {"id": 12}}',
        ),
        ('{"verb": "click"', 16, "not JSON", '{"verb": "click", "target": {"id": 12}}'),
    ],
)
def test_an_error_says_where_and_why_and_what_was_meant(
    text: str, position: int, reason: str, nearest: str
) -> None:
    error = DIALECT.parse(text)
    assert isinstance(error, ParseError)
    assert (error.position, error.nearest) == (position, nearest)
    assert reason in error.reason


PAGE = Observation(
    url="http://shop.test/",
    tabs=(Tab(0, "Shop", "http://shop.test/", True), Tab(1, "Help \x1b[2J", "http://help.test/")),
    nodes=(
        AccessibilityNode(id=1, role="RootWebArea", name="Shop"),
        AccessibilityNode(id=12, role="button", name="Add to cart", depth=1, interactive=True),
        AccessibilityNode(id=13, role="link", name="Cart [/] \x1b[2J", depth=1, interactive=True),
        AccessibilityNode(id=120, role="textbox", name="Search", depth=1, interactive=True, offscreen=True),
        AccessibilityNode(id=7, role="combobox", name="Colour", depth=1, interactive=True),
        AccessibilityNode(id=8, role="option", name="Dark red", depth=2),
        AccessibilityNode(id=9, role="option", name="Green", depth=2),
        AccessibilityNode(id=10, role="option", name="Stray", depth=1),
    ),
)


def completed(text: str) -> list[str]:
    return [text[: entry.start] + entry.text for entry in DIALECT.complete(text, PAGE)]


def test_verbs_come_first_and_misspelt_ones_are_mended() -> None:
    assert completed("")[0] == "click ["
    assert completed("go") == ["goto [", "go_back", "go_forward"]
    assert completed("clik")[0] == "click ["
    assert all(entry.label for entry in DIALECT.complete("", None))


def test_elements_are_found_by_id_by_name_and_by_scattered_letters() -> None:
    assert completed("click [12") == ["click [12]", "click [120]"]
    assert completed("click [cart") == ["click [13]", "click [12]"]
    assert completed("click [atc") == ["click [12]"]
    assert completed("click [SEAR") == ["click [120]"]
    assert completed("click [zzz") == []
    assert completed("type [sear") == ["type [120] ["]
    assert completed("click [")[-1] == "click [120]", "what is off the screen comes last"


def test_labels_are_harmless() -> None:
    labels = [entry.label for text in ("click [", "tab_focus [") for entry in DIALECT.complete(text, PAGE)]
    assert '[13] link "Cart [/] ␛[2J"' in labels
    assert not any("\x1b" in label for label in labels)


def test_options_keys_tabs_and_directions_are_offered() -> None:
    assert completed("select [7] [") == ["select [7] [Dark red]", "select [7] [Green]"]
    assert completed("select [7] [gr") == ["select [7] [Green]"]
    assert completed("press [Ent")[0] == "press [Enter]"
    assert completed("tab_focus [") == ["tab_focus [0]", "tab_focus [1]"]
    assert completed("scroll [u") == ["scroll [up]"]
    assert completed("goto [") == ["goto [http://shop.test/]", "goto [http://help.test/]"]
    assert completed("type [120] [hello") == []
    assert completed("click [12]") == []


def test_at_most_fifty_are_offered_and_a_new_page_replaces_the_old() -> None:
    many = tuple(AccessibilityNode(id=i, role="link", name="x", interactive=True) for i in range(1, 24_001))
    assert len(DIALECT.complete("click [", Observation(nodes=many))) == 50
    assert [e.text for e in DIALECT.complete("click [23999", Observation(nodes=many))] == ["23999]"]
    assert completed("click [atc") == ["click [12]"]


def test_the_page_is_rendered_in_webarenas_own_form() -> None:
    assert "[12] button 'Add to cart'" in DIALECT.render(PAGE)
