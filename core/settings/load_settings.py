"""Load settings: read them from where they may stand, and lays them over each other."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from threading import Lock
from typing import Any

import msgspec

from webbench.core.errors import BadData, UsageError
from webbench.core.json_types import JsonObject
from webbench.core.settings import locations
from webbench.core.settings.settings import Declaration, Refused, Settings, Values, declarations, shown
from webbench.core.text import toml_decoding
from webbench.core.text.nearest import nearest_names

PATHS = frozenset(
    {
        *("store", "data", "uploads", "browser.executable"),
        *("judge.key_file", "model.key_file", "search_key_file"),
    }
)
"""Settings that are paths: relative ones are meant from the file's folder, or from the working one."""

FOLDERS_OR_NAMES = frozenset({"ranker"})
"""Settings that are a name, or a folder, relative as above, which begins with "/", "." or "~": what lies
under a name in the working folder, which may be a stranger's, is not meant."""

NO_LINES = "\n"
"""The variable of a list that is empty: one without any value counts as not set."""

SHORT_VARIABLES = {"WEBBENCH_CHROMIUM": "browser.executable"}
OTHER_VARIABLES = frozenset(
    {
        locations.CONFIG_VARIABLE,
        "WEBBENCH_CHROMEDRIVER",
        "WEBBENCH_JUDGE_KEY",
        "WEBBENCH_MODEL_KEY",
        "WEBBENCH_SEARCH_KEY",
        "WEBBENCH_SELENIUM_SERVER",
        "WEBBENCH_REPLAYS",
        "WEBBENCH_SHARED",
        "WEBBENCH_THOROUGH",
    }
)
"""Variables with our prefix that are no settings."""

_overriding = Lock()
_overrides: dict[str, list[tuple[Mapping[str, str] | None, str | None]]] = {}
"""Of each variable that `overridden` sets now: what it had before, then what each block sets."""
_blocks: ContextVar[tuple[Mapping[str, str], ...]] = ContextVar("blocks of overridden", default=())
"""What the blocks set that this thread or task is in, the inner ones last."""


class Given(msgspec.Struct, frozen=True):
    """One value as it was given: `origin` is shown to people, relative paths start at `base`."""

    name: str
    value: object
    origin: str
    base: Path
    text: bool = False
    """It is text that has yet to become a number or a choice."""
    project: bool = False
    """It stands in a file of the working folder, which somebody else may have written."""


def load_settings(flags: Mapping[str, object] | None = None, *, folder: Path | None = None) -> Settings:
    """The settings for a call from `folder` (the working folder) with these flags, by setting name.

    All sources are laid over each other, the strongest last. Raises `BadData` for an unreadable file and for
    a value of the wrong type, naming file and key.
    """
    start = (folder or Path.cwd()).absolute()
    declared = {declaration.name: declaration for declaration in declarations()}
    values: JsonObject = {}
    origins: dict[str, str] = {}
    problems: list[str] = []
    refused: list[Refused] = []
    lowered: set[str] = set()
    for given in _all(flags or {}, start, declared):
        declaration = _declaration(given.name, declared)
        if declaration is None:
            problems.append(_unknown(given, declared))
            continue
        if given.project:
            before = declaration.of(msgspec.convert(values, type=Values))
            if reason := _reason_against(given, declaration, before):
                reason = (
                    f"{reason}; set it in {locations.config_file()} or with {_variable(given, declaration)}"
                )
                problems.append(f"{given.origin}: {given.name} is not taken from a project file: {reason}")
                refused.append(Refused(given.name, shown(given.name, given.value), given.origin, reason))
                continue
        _put(values, given.name, declaration, _converted(given, declaration))
        origins[given.name] = given.origin
        lowered.discard(given.name)
        if given.project and declaration.project == "lower":
            lowered.add(given.name)
    return msgspec.structs.replace(
        msgspec.convert(values, type=Settings),
        origins=origins,
        problems=tuple(problems),
        refused=tuple(refused),
        lowered=frozenset(lowered),
    )


def checked_value(name: str, words: Sequence[str], folder: Path) -> tuple[Declaration, object]:
    """What a file is to say so that a setting has this value, with the setting's declaration.

    Args:
        words: of a list its lines, of anything else the parts of one text.
        folder: relative paths are meant from there.

    Raises `UsageError` for an unknown setting, and for a value that it can't have.
    """
    declared = {declaration.name: declaration for declaration in declarations()}
    found = _declaration(name, declared)
    lines = found is not None and isinstance(found.default, tuple)
    given = Given(name, ("\n" if lines else " ").join(words), "it", folder, text=True)
    try:
        if found is None:
            raise BadData(_unknown(given, declared), "`webbench-tui config` lists them")
        value = _converted(given, found)
    except BadData as error:
        raise UsageError(error.message.removeprefix(f"{given.origin}: "), error.hint) from error
    return found, list(value) if isinstance(value, tuple) else value


@contextmanager
def overridden(values: Mapping[str, object]) -> Iterator[None]:
    """Let settings hold inside the block, in this process and in those that it starts there.

    Where blocks of several threads or tasks overlap, each has its own. For processes, and for threads that
    were begun without a context, what was set last holds; nothing stays after the last.

    Args:
        values: by the name of the setting; None leaves it as it is.
    """
    variables = {declaration.name: declaration.variable for declaration in declarations()}
    texts = {variables[name]: _as_text(value) for name, value in values.items() if value is not None}
    with _overriding:
        for variable, text in texts.items():
            _overrides.setdefault(variable, [(None, os.environ.get(variable))]).append((texts, text))
            os.environ[variable] = text
    _blocks.set((*_blocks.get(), texts))
    try:
        yield
    finally:
        _blocks.set(tuple(one for one in _blocks.get() if one is not texts))
        with _overriding:
            for variable in texts:
                _take_back(variable, texts)


def _take_back(variable: str, texts: Mapping[str, str]) -> None:
    """Let the variable have what the others set, or else what it had before."""
    left = [one for one in _overrides.pop(variable) if one[0] is not texts]
    _, text = left[-1]
    if len(left) > 1:
        _overrides[variable] = left
    if text is None:
        os.environ.pop(variable, None)
    else:
        os.environ[variable] = text


def _as_text(value: object) -> str:
    if isinstance(value, list | tuple):
        return "\n".join(map(str, value)) or NO_LINES
    return str(int(value)) if isinstance(value, bool) else str(value)


def _reason_against(given: Given, declaration: Declaration, before: Any) -> str:
    """Why a project file may not give this value in place of the one before; "" where it may."""
    may = declaration.project
    if may == "free":
        return ""
    if not may:
        return "it may be somebody else's, and sets only looks and stricter limits"
    value: Any = _converted(given, declaration)
    if value == before:
        return ""
    if isinstance(may, tuple):
        stricter = may.index(value) > may.index(before)
        return "" if stricter else f'"{value}" is looser than "{before}"'
    if value > 0 and (before <= 0 or value < before):
        return ""
    return f"{value:g} is looser than {f'{before:g}' if before > 0 else 'the limit that holds without it'}"


def _all(flags: Mapping[str, object], start: Path, declared: Mapping[str, Declaration]) -> Iterator[Given]:
    yield from _from_file(locations.config_file(), declared)
    project = locations.project_file(start)
    if project is not None:
        yield from _from_file(project, declared, project=True)
    yield from _from_environment(start, declared)
    for name, value in flags.items():
        if value is not None:
            yield Given(name, value, f"--{name.replace('.', '-').replace('_', '-')}", start, True)


def _from_file(path: Path, declared: Mapping[str, Declaration], *, project: bool = False) -> Iterator[Given]:
    try:
        table = toml_decoding.decode(_content(path))
    except FileNotFoundError:
        return
    except ValueError as error:
        raise BadData(f"{path} is no TOML file: {error}", "mend it or move it away") from error
    except OSError as error:
        raise BadData(f"{path} can't be read: {error.strerror or error}") from error
    for name, value in _flat(table, "", declared):
        yield Given(name, value, str(path), path.parent, project=project)


def _content(path: Path) -> bytes:
    """Of a file of any size one byte more than is read."""
    with path.open("rb") as file:
        return file.read(toml_decoding.LARGEST + 1)


def _flat(
    table: Mapping[str, Any], prefix: str, declared: Mapping[str, Declaration]
) -> Iterator[tuple[str, object]]:
    for key, value in table.items():
        name = prefix + key
        if isinstance(value, dict) and not (name in declared and not declared[name].table):
            yield from _flat(value, f"{name}.", declared)
        else:
            yield name, value


def _from_environment(start: Path, declared: Mapping[str, Declaration]) -> Iterator[Given]:
    plain = {item.variable: name for name, item in declared.items() if not item.table} | SHORT_VARIABLES
    tables = {item.variable: name for name, item in declared.items() if item.table}
    variables = dict(os.environ)
    for block in _blocks.get():
        variables |= block
    for variable, value in sorted(variables.items()):
        if not variable.startswith("WEBBENCH_") or variable in OTHER_VARIABLES or not value:
            continue
        name = plain.get(variable, "")
        for prefix, table in tables.items():
            if not name and variable.startswith(prefix) and variable != prefix:
                name = f"{table}.{variable.removeprefix(prefix).lower()}"
        yield Given(name or variable, value, f"environment {variable}", start, True)


def _declaration(name: str, declared: Mapping[str, Declaration]) -> Declaration | None:
    """The setting of this name, or the table it is an entry of."""
    found = declared.get(name)
    if found is not None:
        return found if not found.table else None
    table = declared.get(name.partition(".")[0])
    return table if table is not None and table.table else None


def _converted(given: Given, declaration: Declaration) -> object:
    """The value as its type, or `BadData` naming where it stands."""
    wanted: Any = str if declaration.table else declaration.type
    value = given.value
    if given.text and isinstance(value, str) and isinstance(declaration.default, tuple):
        value = [line for line in value.splitlines() if line.strip()]
    if isinstance(value, Path):
        value = str(value)
    try:
        converted: object = msgspec.convert(value, type=wanted, strict=not given.text)
        if declaration.check is not None and isinstance(converted, str):
            converted = declaration.check(converted)
    except ValueError as error:
        raise BadData(
            f"{given.origin}: {given.name} = {shown(given.name, value)!r} can't be: {_lower(str(error))}",
            declaration.description,
        ) from error
    if isinstance(converted, str) and declaration.name in PATHS:
        return _absolute(converted, given.base, command=declaration.name == "browser.executable")
    if isinstance(converted, str) and declaration.name in FOLDERS_OR_NAMES:
        is_folder = converted.startswith((".", "~", os.sep))
        return _absolute(converted, given.base, command=False) if is_folder else converted
    return converted


def _absolute(path: str, base: Path, *, command: bool) -> str:
    """A path from `base`; the bare word of a command is left to the search path."""
    if not path or (command and os.sep not in path):
        return path
    return str(base / Path(path).expanduser())


def _put(values: JsonObject, name: str, declaration: Declaration, value: object) -> None:
    """Set a dotted name in nested tables; a table's own names may hold dots."""
    group, _, key = (
        (declaration.name, "", name.removeprefix(f"{declaration.name}."))
        if declaration.table
        else name.rpartition(".")
    )
    table = values.setdefault(group, {}) if group else values
    table[key] = value


def _unknown(given: Given, declared: Mapping[str, Declaration]) -> str:
    if given.name in declared:
        return f"{given.origin}: {given.name} is a table; write {given.name}.NAME"
    variable = given.name.startswith("WEBBENCH_")
    known = [item.variable if variable else name for name, item in declared.items()]
    nearest = nearest_names(given.name, known, 1)
    hint = f"; did you mean {nearest[0]}?" if nearest else ""
    return f"{given.origin}: there is no setting {given.name}{hint}"


def _variable(given: Given, declaration: Declaration) -> str:
    if not declaration.table:
        return declaration.variable
    entry = given.name.removeprefix(f"{declaration.name}.")
    return declaration.variable + entry.replace(".", "_").upper()


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
