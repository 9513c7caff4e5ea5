"""One value of a TOML file changes, everything else stays as it is written."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webbench.core.text.written_toml import CannotEdit, flat, toml_value, with_value, without_value

FILE = """# Mine.
theme = "light"  # at noon
redact = [
  "a#b",  # not a comment: a#b
  "c",
]
prices."gpt-4.1" = '2 8'

# The browser.
[browser]
headless = true
input = "browser"

[keys]
"stepper.marks" = "ctrl+o"

[sites.webarena]  # where they are
SHOPPING = "http://shop"
"""


@pytest.mark.parametrize(
    ("group", "key", "value", "line"),
    [
        ("", "theme", "dark", 'theme = "dark"  # at noon\n'),
        ("", "step_limit", 30, "prices.\"gpt-4.1\" = '2 8'\nstep_limit = 30\n\n# The browser.\n"),
        ("", "redact", ["x"], '# not a comment: a#b\nredact = ["x"]\n'),
        ("prices", "gpt-4.1", "3 9", 'prices."gpt-4.1" = "3 9"\n'),
        ("prices", "o5", "1 1", 'prices."gpt-4.1" = \'2 8\'\nprices.o5 = "1 1"\n'),
        ("browser", "headless", False, "headless = false\n"),
        ("browser", "driver", "selenium", 'input = "browser"\ndriver = "selenium"\n\n[keys]\n'),
        ("keys", "stepper.marks", "f3", '"stepper.marks" = "f3"\n'),
        ("keys", "app.help", "f1", '"stepper.marks" = "ctrl+o"\n"app.help" = "f1"\n'),
        ("sites", "webarena.SHOPPING", "http://x", 'SHOPPING = "http://x"\n'),
        ("viewport", "width", 900, "\n[viewport]\nwidth = 900\n"),
    ],
)
def test_a_value_is_set_and_nothing_else(group: str, key: str, value: object, line: str) -> None:
    changed = with_value(FILE, group, key, value)
    name = f"{group}.{key}".removeprefix(".")
    assert dict(flat(tomllib.loads(changed))) == dict(flat(tomllib.loads(FILE))) | {name: value}
    assert line in changed
    assert changed.count("#") - toml_value(value).count("#") == FILE.count("#") - ("a#b" in FILE) * (
        name == "redact"
    )
    assert name not in dict(flat(tomllib.loads(without_value(changed, name))))


def test_what_cannot_be_changed_alone_is_said() -> None:
    inline = 'browser = { headless = true, input = "browser" }\n'
    for change in (
        lambda: with_value(inline, "browser", "headless", False),
        lambda: without_value(inline, "browser.headless"),
    ):
        with pytest.raises(CannotEdit, match=r"browser\.headless"):
            change()
    with pytest.raises(ValueError, match="Invalid value"):
        with_value("theme = ", "", "theme", "dark")
    assert without_value(FILE, "theme.nothing") == FILE


def test_a_file_begins_with_what_is_set_first() -> None:
    assert with_value("", "", "theme", "dark") == 'theme = "dark"\n'
    assert with_value("", "browser", "headless", True) == "[browser]\nheadless = true\n"
    about = "# Mine.\n\n# The browser.\n[browser]\nheadless = true"
    assert with_value(about, "", "theme", "dark").startswith('# Mine.\n\ntheme = "dark"\n\n# The browser.\n')


VALUES = st.one_of(st.booleans(), st.integers(), st.text(), st.lists(st.text()))


@given(VALUES, VALUES, st.text(st.characters(exclude_characters="\n\r", codec="utf-8")))
def test_any_value_is_read_again_as_it_was_given(first: object, second: object, key: str) -> None:
    once = with_value("[other]\nx = 1\n", "prices", f"a{key}", first)
    assert tomllib.loads(with_value(once, "prices", f"a{key}", second))["prices"] == {f"a{key}": second}
