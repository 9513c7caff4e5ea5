"""Every command has a form whose words the command itself reads back as what was filled in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from webbench.core.errors import UsageError
from webbench.tui.cli.declared_form import CommandForm, FormField, declared_form
from webbench.tui.cli.listed_commands import MOST_USED, ON_SCREENS, every_path, made

PATHS = tuple(every_path())


def sample(one: FormField) -> str:
    """Something else than leaving it out."""
    if one.kind == "switch":
        return next(answer for answer in one.answers if answer not in ("", one.default))
    if one.choices:
        return one.choices[-1]
    if one.kind in ("whole", "number"):
        return f"{one.most if one.most is not None else 900 + (one.least or 0):g}"
    return "-a 'b c'" if one.many else "-a b"


def read_back(form: CommandForm, words: list[str]) -> dict[str, Any]:
    """The values that the command gets from these words."""
    *groups, name = form.path
    context: Any = made("".join(groups), name).make_context(name, list(words[len(form.path) :]))
    return dict(context.params)


def as_filled(one: FormField, value: Any) -> str:
    if one.many:
        return " ".join(f"'{word}'" if " " in word else str(word) for word in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, int | float) else str(value)


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_what_is_filled_in_is_what_the_command_gets(path: tuple[str, ...]) -> None:
    form = declared_form(path)
    filled = {one.name: sample(one) for one in form.fields}
    values = read_back(form, form.words(filled, Path("/a store")))
    assert {one.name: as_filled(one, values[one.name]) for one in form.fields} == filled
    if form.in_store:
        assert values["store"] == Path("/a store")
    assert form.title
    assert all(one.help and one.label for one in form.fields)


def test_what_is_left_alone_is_not_said() -> None:
    for path in PATHS:
        form = declared_form(path)
        needed = {one.name: sample(one) for one in form.fields if one.required and not one.flag}
        needed |= {one.name: "x" for one in form.fields if one.required and one.flag and one.kind != "whole"}
        needed |= {one.name: "7" for one in form.fields if one.required and one.kind == "whole"}
        unset = {one.name: one.answers[0] for one in form.fields if one.kind in ("switch", "choice")}
        said = form.words(unset | needed)
        assert sum(word.startswith("--") and word != "--" for word in said) == sum(
            one.required and bool(one.flag) for one in form.fields
        ), path


def test_what_is_missing_or_no_number_is_told_before_it_is_run() -> None:
    form = declared_form(("report",))
    with pytest.raises(UsageError, match="fill in names"):
        form.words({"html": "page.html"})
    with pytest.raises(UsageError, match='seed is a whole number, not "x"'):
        form.words({"names": "a", "seed": "x"})
    with pytest.raises(UsageError, match="benchmark comes before task"):
        declared_form(("step",)).words({"task": "camp-mugs"})


def test_exit_codes_are_told_in_the_commands_own_words() -> None:
    form = declared_form(("import",))
    told = form.exit_words(1)
    assert told.startswith("findings, or something not scored. Exit 0 when all was imported, 1 when")
    assert form.exit_words(3) == "environment down."


def test_the_most_used_commands_are_commands() -> None:
    assert set(MOST_USED) < set(PATHS)
    assert declared_form(("label",)).path == ("label", "give")


@pytest.mark.parametrize(
    ("path", "filled", "opens"),
    [
        (("step",), {"benchmark": "demo"}, True),
        (("step",), {"benchmark": "demo", "as_json": "yes"}, False),
        (("compare",), {"episodes": "a b", "screen": "no"}, False),
        (("compare",), {"episodes": "a b", "screen": "yes"}, True),
        (("label", "give"), {"episodes": "a", "code": "loop"}, False),
        (("label", "give"), {"episodes": "a", "done": "no"}, True),
        (("baseline", "study"), {"study": "study.toml"}, False),
        (("baseline", "study"), {"study": "study.toml", "annotator": "ada"}, True),
        (("report",), {"names": "a"}, False),
    ],
)
def test_a_command_that_opens_a_screen_is_known(
    path: tuple[str, ...], filled: dict[str, str], opens: bool
) -> None:
    assert declared_form(path).opens_screen(filled) is opens


def test_what_keeps_a_command_from_its_screen_is_an_option_of_it() -> None:
    for path, unless in ON_SCREENS.items():
        assert {name.removeprefix("!") for name in unless} <= {one.name for one in declared_form(path).fields}


def test_quotation_marks_around_all_of_a_value_are_a_shell_s() -> None:
    form = declared_form(("judge", "decisive"))
    for typed, meant in (
        ("'m url=x'", "m url=x"),
        ('"m"', "m"),
        ("it's m", "it's m"),
        ("'a' 'b'", "'a' 'b'"),
    ):
        assert form.words({"judge": typed})[-1] == meant


def test_an_empty_answer_is_said_by_two_quotation_marks_as_its_help_says() -> None:
    """An empty field leaves the answer as it is."""
    form = declared_form(("edit",))
    assert form.words({"episode": "e", "answer": "''"}) == ["edit", "e", "--answer", ""]
    assert form.words({"episode": "e", "answer": ""}) == ["edit", "e"]
    assert "''" in next(one.help for one in form.fields if one.name == "answer")
