"""Prompts: text files with a template for each message, which a user can replace by files of their own.

A prompt "webarena/direct" is the file `agents/prompts/direct.jinja` in the benchmark's package, or
`prompts/webarena/agents/direct.jinja` in the configuration folder, which wins, or `direct.jinja` in a folder
that the agent is told of, which wins over both. Prompts that belong to no benchmark are "core/…"; those of a
plug-in "its.package:name", in the folder `prompts` of that package.

A line "=== system", "=== user" or "=== assistant" begins a message. What stands below it is a Jinja template
(sandboxed) that is filled with the agent's fields by itself, so no page can begin a message of its own. A
message that comes out blank is left out. What stands above the first such line is for the reader.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, cast

import msgspec

from webbench.core.errors import BadData
from webbench.core.model_call import Role
from webbench.core.models.chat import Message, Picture
from webbench.core.settings.locations import prompts_folder

if TYPE_CHECKING:
    from jinja2.sandbox import ImmutableSandboxedEnvironment

ENDING = ".jinja"
LARGEST_FILE = 256 * 1024
LARGEST_MESSAGE = 2_000_000
"""Characters that one message may have once it is filled in."""

_HEAD = re.compile(r"^===[ \t]*(system|user|assistant)[ \t]*$", re.MULTILINE)
_NAME = re.compile(r"(?:([a-z][a-z0-9_]*)/|([A-Za-z_][\w.]*):)([a-z][a-z0-9_-]*)")


class Prompt:
    """One prompt, read and checked.

    Attributes:
        origin: where it stands, for messages.

    Raises `BadData` for a file without a message, and for a template with an error, naming its line.
    """

    def __init__(self, origin: str, text: str) -> None:
        self.origin = origin
        self._parts = list(_parts(origin, text))

    def messages(self, fields: Mapping[str, object], pictures: Sequence[Picture] = ()) -> list[Message]:
        """The messages with the fields filled in; pictures go with the last one of the user.

        Raises `BadData` for a placeholder that nothing stands for, and for a message that is too long.
        """
        found = [
            Message(role=role, text=text)
            for role, source in self._parts
            if (text := self._filled(source, fields))
        ]
        last = max((at for at, message in enumerate(found) if message.role == "user"), default=None)
        if pictures and last is not None:
            found[last] = msgspec.structs.replace(found[last], pictures=tuple(pictures))
        return found

    def _filled(self, source: str, fields: Mapping[str, object]) -> str:
        import jinja2

        try:
            text = _environment().from_string(source).render(fields).strip()
        except jinja2.UndefinedError as error:
            known = ", ".join(sorted(fields))
            raise BadData(f"{self.origin}: {error.message}", f"its fields are {known}") from error
        except Exception as error:  # a template may do whatever its language can
            raise BadData(f"{self.origin} can't be filled in: {type(error).__name__}: {error}") from error
        if len(text) > LARGEST_MESSAGE:
            raise BadData(
                f"{self.origin}: a message has {len(text):,} characters; at most {LARGEST_MESSAGE:,}"
            )
        return text


class PlacedPrompt(msgspec.Struct, frozen=True, kw_only=True):
    """Where a prompt is read from.

    Attributes:
        file: the one that counts.
        built_in: it is the one that came with the program.
        own: where a file of the user's own would take its place, or does.
    """

    name: str
    file: str
    built_in: bool
    own: str


def placed_prompt(name: str, folder: Path | None = None) -> PlacedPrompt:
    """Arguments and errors as for `load_prompt`."""
    own, packaged = _places(name, folder)
    file = next((path for path in own if path.is_file()), None)
    counts = file or packaged
    if counts is None:
        raise _unreadable(name, own[-1])
    return PlacedPrompt(name=name, file=str(counts), built_in=file is None, own=str(own[-1]))


def load_prompt(name: str, folder: Path | None = None) -> Prompt:
    """The prompt of this name.

    Args:
        folder: where the agent was told to look first.

    Raises `BadData` where there is none, or it can't be used.
    """
    own, packaged = _places(name, folder)
    try:
        for path in own:
            if path.is_file():
                return Prompt(str(path), _bounded(path.read_bytes(), str(path)))
        if packaged is not None:
            return Prompt(f"the prompt {name}", _bounded(packaged.read_bytes(), f"the prompt {name}"))
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(name, own[-1], error) from error
    raise _unreadable(name, own[-1])


def copy_prompt(name: str) -> Path | None:
    """Put the built-in prompt where the user's own would stand; None where one stands there already.

    Raises `BadData` where there is none, or it can't be written.
    """
    own, packaged = _places(name, None)
    if packaged is None:
        raise _unreadable(name, own[-1])
    try:
        own[-1].parent.mkdir(parents=True, exist_ok=True)
        text = packaged.read_bytes()
        with own[-1].open("xb") as file:
            file.write(text)
    except FileExistsError:
        return None
    except OSError as error:
        raise BadData(f'The prompt "{name}" can\'t be copied to {own[-1]}: {error}') from error
    return own[-1]


def _places(name: str, folder: Path | None) -> tuple[list[Path], Traversable | None]:
    """Where the user's own may stand, what wins first, and the built-in one, where its package is there."""
    parts = _NAME.fullmatch(name)
    if parts is None:
        raise BadData(f'"{name}" is no name of a prompt', 'names are "benchmark/name" or "package:name"')
    owner, package, what = parts.groups()
    file = f"{what}{ENDING}"
    own = [folder / file] if folder else []
    own.append(prompts_folder() / (owner or package) / "agents" / file)
    try:
        return own, files(package or _package(owner)) / "prompts" / file
    except ModuleNotFoundError:
        return own, None


def _unreadable(name: str, own: Path, error: Exception | None = None) -> BadData:
    reason = f": {error}" if error else ""
    return BadData(f'there is no readable prompt "{name}"{reason}', f"write one as {own}")


def _package(owner: str) -> str:
    return "webbench.core.agents.model" if owner == "core" else f"webbench.benchmarks.{owner}.agents"


def _bounded(data: bytes, origin: str) -> str:
    if len(data) > LARGEST_FILE:
        raise BadData(f"{origin} is larger than {LARGEST_FILE} bytes", "a prompt is a short text")
    return data.decode("utf-8-sig")


def _parts(origin: str, text: str) -> list[tuple[Role, str]]:
    import jinja2

    pieces = _HEAD.split(text)
    headed = zip(pieces[1::2], pieces[2::2], strict=True)
    parts: list[tuple[Role, str]] = [(cast("Role", role), source) for role, source in headed]
    if not any(role == "user" for role, _ in parts):
        raise BadData(f'{origin} has no message of the user: a line "=== user" begins one')
    line = pieces[0].count("\n") + 1
    for _, source in parts:
        try:
            _environment().parse(source)
        except jinja2.TemplateSyntaxError as error:
            raise BadData(f"{origin}:{line + error.lineno - 1}: {error.message}") from error
        line += source.count("\n")
    return parts


@cache
def _environment() -> ImmutableSandboxedEnvironment:
    from jinja2 import StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    return ImmutableSandboxedEnvironment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
