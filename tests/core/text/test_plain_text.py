"""The gate: nothing that a page, an agent or a file says can steer the terminal."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from tests.effort import examples
from webbench.core.text.plain_text import Newlines, clip, display_width, plain_clip, plain_text

FORBIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\ud800-\udfff\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
hostile = st.text(
    st.one_of(
        st.characters(exclude_categories=()),
        st.sampled_from(
            "\x00\x07\x08\x1b\x9b\x9d\x7f\r\n\t\u202e\u2066\u200d\u200b\ufe0f\u0301\u0336\u20dd\u0e31\ud800"
        ),
    ),
    max_size=80,
)


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("plain", "plain"),
        ("", ""),
        ("\x1b[2J\x1b]0;owned\x07", "␛[2J␛]0;owned␇"),
        ("a\x9b31mb\x7f", "a\ufffd31mb\ufffd"),
        ("abc\u202egnp.exe", "abc\ufffdgnp.exe"),
        ("a\u2028b\u2029c", "a\ufffdb\ufffdc"),
        ("lone \ud800", "lone \ufffd"),
        ("pay\u200bpal\ufeff", "paypal"),
        ("hidden\U000e0041\U000e0042", "hidden"),
        ("one\r\ntwo\nthree\rfour", "one␤two␤three␍four"),
        ("a\tb", "a    b"),
        ("e\u0301\u0301\u0301\u0301\u0301!", "e\u0301\u0301\u0301!"),
        ("\u0301x", "◌\u0301x"),
        ("👨\u200d👩\u200d👧", "👨👩👧"),
        ("👍🏽 ❤\ufe0f", "👍 ❤"),
        ("日本語 العربية हिन्दी 한국어", "日本語 العربية हिन्दी 한국어"),
        ("icon \ue604", "icon \ue604"),
        ("[bold]x[/] [link=https://e.org]y", "[bold]x[/] [link=https://e.org]y"),
        ("\ufffe\uffff", "\ufffd\ufffd"),
    ],
)
def test_each_danger_is_made_visible_or_dropped(raw: str, shown: str) -> None:
    assert plain_text(raw) == shown


def test_newlines_are_kept_on_request_and_each_line_gets_a_base_for_its_marks() -> None:
    assert plain_text("a\r\n\u0301b", newlines="keep") == "a\n◌\u0301b"


def test_a_megabyte_is_cut_and_the_rest_counted() -> None:
    shown = plain_text("x" * 1_000_000)
    assert shown == "x" * 4096 + "… (+995,904 characters)"
    assert len(plain_text("\u0301" * 1_000_000)) < 5000
    assert plain_text("\x1b" * 10, limit=3) == "␛␛␛… (+7 characters)"


def test_no_character_is_dangerous_behind_the_gate() -> None:
    everything = "".join(map(chr, range(0x110000)))
    assert not FORBIDDEN.search(plain_text(everything, limit=len(everything)))


@pytest.mark.parametrize(("newlines", "shown"), [("␤", "a␤b"), ("keep", "a\nb")])
def test_a_page_of_very_many_characters_does_not_change_what_a_newline_becomes(
    newlines: Newlines, shown: str
) -> None:
    many = "".join(map(chr, range(0x30000)))
    plain_text(many, limit=len(many), newlines=newlines)
    assert plain_text("a\nb", newlines=newlines) == shown


@settings(max_examples=examples(400), deadline=None)
@given(hostile)
def test_nothing_dangerous_passes(text: str) -> None:
    shown = plain_text(text)
    assert not FORBIDDEN.search(shown)
    shown.encode("utf-8")


@settings(max_examples=examples(300), deadline=None)
@given(hostile)
def test_the_gate_is_idempotent(text: str) -> None:
    once = plain_text(text)
    assert plain_text(once) == once


@settings(max_examples=examples(300), deadline=None)
@given(hostile)
def test_no_more_than_three_marks_in_a_row(text: str) -> None:
    run = 0
    for character in plain_text(text):
        run = run + 1 if unicodedata.category(character)[0] == "M" else 0
        assert run <= 3


@settings(max_examples=examples(300), deadline=None)
@given(hostile)
def test_keeping_newlines_lets_nothing_else_through(text: str) -> None:
    assert not FORBIDDEN.search(plain_text(text, newlines="keep").replace("\n", ""))


@settings(max_examples=examples(300), deadline=None)
@given(hostile, st.integers(0, 40))
def test_clipped_text_fits(text: str, width: int) -> None:
    assert display_width(clip(plain_text(text), width)) <= width
    shown = plain_clip(text, width)
    assert display_width(shown) <= width
    assert not FORBIDDEN.search(shown)


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "日本語",
        "naïve",
        "e\u0301",
        "👍🏽👨\u200d👩\u200d👧",
        "🇩🇪",
        "\u3000",
        "각",
        "ﾃｽﾄ",
        "\x1b[2J",
        "नी",
    ],
)
def test_the_width_is_what_the_screen_library_reserves(text: str) -> None:
    shown = plain_text(text)
    assert display_width(shown) == cell_len(shown)


def test_clipping_says_that_it_cut() -> None:
    assert clip("日本語", 6) == "日本語"
    assert clip("日本語", 5) == "日本…"
    assert clip("日本語", 4) == "日…"
    assert clip("abc", 0) == ""
    assert plain_clip("x" * 1_000_000, 5) == "xxxx…"
