"""Options are declared once: no words of one stand twice, and commands get the values that are declared."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path
from typing import Annotated

import msgspec
import pytest
import typer
from typer.testing import CliRunner

from webbench.core.runner.plan.declared_options import Option
from webbench.tui.cli.options import asking, for_typer

REPOSITORY = Path(__file__).parents[3]
DECLARING = {"Option", "typer.Option", "typer.Argument"}


def declared_words() -> Counter[str]:
    """The help of every option and argument that is declared with words of its own."""
    files = [*(REPOSITORY / "tui" / "cli").rglob("*.py"), *(REPOSITORY / "core/runner/plan").glob("*.py")]
    calls = (node for file in files for node in ast.walk(ast.parse(file.read_text("utf-8"))))
    return Counter(
        keyword.value.value
        for call in calls
        if isinstance(call, ast.Call) and ast.unparse(call.func) in DECLARING
        for keyword in call.keywords
        if keyword.arg == "help" and isinstance(keyword.value, ast.Constant)
        if isinstance(keyword.value.value, str)
    )


def test_no_option_is_declared_a_second_time() -> None:
    words = declared_words()
    assert len(words) > 100
    assert [told for told, times in words.items() if times > 1] == []


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """One field of every kind."""

    names: Annotated[tuple[str, ...], Option(argument=True, help="Names.")]
    hosts: Annotated[tuple[str, ...], Option(flag="--host", help="Hosts.")] = ()
    again: Annotated[bool, Option(help="once: again.", word="once")] = False
    pictures: Annotated[bool, Option(help="Pictures.")] = True
    amount: Annotated[float, Option(help="Amount.", least=0)] = 1.5
    hidden: str = "own"


asked: list[tuple[object, ...]] = []


@for_typer
@asking(Wish, plain="pictures")
def wish_command(
    request: Wish,
    plain: Annotated[int, typer.Option("--plain", help="Typer's own.")] = 3,
    more: Annotated[tuple[str, ...], Option(help="More.")] = (),
) -> None:
    """Wish."""
    asked.append((request, plain, more))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("a", (Wish(names=("a",)), 3, ())),
        (
            "a b --host c --host d --again once --no-pictures --amount 2 --plain 4 --more e",
            (Wish(names=("a", "b"), hosts=("c", "d"), again=True, pictures=False, amount=2.0), 4, ("e",)),
        ),
    ],
)
def test_a_command_gets_what_is_declared(words: str, expected: tuple[object, ...]) -> None:
    asked.clear()
    app = typer.Typer(rich_markup_mode=None)
    app.command()(wish_command)
    done = CliRunner().invoke(app, words.split())
    assert (done.exit_code, asked) == (0, [expected]), done.output


def test_own_parameters_are_listed_where_they_are_asked_for() -> None:
    app = typer.Typer(rich_markup_mode=None, add_completion=False)
    app.command()(wish_command)
    told = CliRunner().invoke(app, ["--help"]).output
    places = [
        told.index(flag) for flag in ("--host", "--again", "--plain", "--pictures", "--amount", "--more")
    ]
    assert places == sorted(places)
    assert CliRunner().invoke(app, []).exit_code == 2
