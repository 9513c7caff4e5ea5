"""Commands that the docs show exist with their options, and every command is told of."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from webbench.tui.cli.program import LISTED, app

REPOSITORY = Path(__file__).parents[2]
DOCUMENTS = tuple(
    str(path.relative_to(REPOSITORY))
    for path in sorted(
        [
            *(REPOSITORY / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
            *REPOSITORY.glob("docs/**/*.md"),
            *REPOSITORY.glob("benchmarks/**/README.md"),
            *REPOSITORY.glob("examples/**/README.md"),
        ]
    )
)
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
"""One word, whatever is in it: an agent's program has options of its own."""
GUIDES = [name for name in DOCUMENTS if not name.startswith(("benchmarks/", "examples/"))]
"""Where every command has to be told of."""
CALL = re.compile(r"(?<![-\w/])webbench-tui((?: +[^\s`|#;()]+)+)")


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command with its words, without groups."""
    inside = getattr(command, "commands", None)
    if inside is None:
        yield path, command
        return
    for name, inner in inside.items():
        yield from commands(inner, (*path, name))


PROGRAM: Any = get_command(app)
KNOWN = dict(commands(PROGRAM))
DEFAULTS = {
    group: inner.default for group, inner in PROGRAM.commands.items() if getattr(inner, "default", None)
}
"""What a group's name alone stands for."""


OWN_PROTOCOL = {("serve", "mcp")}
"""What speaks JSON anyway."""


def calls(document: str) -> Iterator[list[str]]:
    """The words of every call in a document, without the program's name."""
    for found in CALL.finditer((REPOSITORY / document).read_text("utf-8")):
        words = re.findall(r"[^\s'\"\[\]]+", QUOTED.sub("QUOTED", found[1]))
        if words[0] in DEFAULTS and len(words) > 1 and tuple(words[:2]) not in KNOWN:
            words.insert(1, DEFAULTS[words[0]])
        yield words


@pytest.mark.parametrize("document", DOCUMENTS)
def test_calls_name_commands_and_options_that_exist(document: str) -> None:
    for words in calls(document):
        if words[0].startswith("-"):
            continue
        path = next((known for known in KNOWN if tuple(words[: len(known)]) == known), None)
        groups = {known[:1] for known in KNOWN if len(known) > 1}
        assert path is not None or (tuple(words[:1]) in groups and len(words) == 1), words
        if path is None:
            continue
        options = {
            option
            for parameter in KNOWN[path].params
            for option in (*parameter.opts, *parameter.secondary_opts)
        }
        asked = {word.partition("=")[0].rstrip(",.:") for word in words if word.startswith("--")}
        assert asked - options == set(), words


def test_every_command_is_told_of() -> None:
    told = {tuple(words) for guide in GUIDES for words in calls(guide)}
    text = (REPOSITORY / "docs" / "commands.md").read_text("utf-8")
    listed = set(re.findall(r"[a-z]+", text.partition("a command does: `")[2].partition("`")[0]))
    missing = [
        path
        for path in KNOWN
        if not any(words[: len(path)] == path for words in told)
        and not (len(path) == 1 and path[0] in listed)
    ]
    assert missing == []


def test_every_command_says_what_it_does_and_can_print_json() -> None:
    for path, command in KNOWN.items():
        assert command.help, path
        names = {option for parameter in command.params for option in parameter.opts}
        assert "--json" in names or path in OWN_PROTOCOL, path
        for parameter in command.params:
            assert parameter.help, (path, parameter.opts)


def test_the_list_of_commands_says_what_each_says_of_itself() -> None:
    for group, texts in LISTED.items():
        below = PROGRAM.commands[group].commands if group else PROGRAM.commands
        assert list(below) == list(texts)
        for name, text in texts.items():
            assert text, name
            assert " ".join(below[name].help.split()).startswith(text), (group, name)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_shell_words_can_be_read(document: str) -> None:
    blocks = re.findall(r"```sh\n(.*?)```", (REPOSITORY / document).read_text("utf-8"), re.DOTALL)
    for line in "".join(blocks).splitlines():
        shlex.split(line, comments=True)
