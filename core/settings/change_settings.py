"""Change settings: one value is set in the user's own file, or taken back; the rest of the file stays."""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from webbench.core.errors import BadData, EnvironmentDown
from webbench.core.settings import locations
from webbench.core.settings.load_settings import checked_value, load_settings
from webbench.core.settings.settings import shown
from webbench.core.text import toml_decoding
from webbench.core.text.written_toml import CannotEdit, with_value, without_value


class Changed(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a setting.

    Attributes:
        is_set: the file sets it now. `value` is what it says then.
        written: the file is another one than before.
        effective, origin: the value that holds now, and where it comes from.
        hidden: it comes from something stronger than the file.
    """

    name: str
    file: str
    is_set: bool
    value: object
    written: bool
    effective: object
    origin: str
    hidden: bool


def set_value(name: str, words: Sequence[str], folder: Path) -> Changed:
    """Have a setting hold a value from now on; `words` and `folder` are as `checked_value` takes them.

    Raises what that raises; `BadData` for a file in which it can't be set by itself, `EnvironmentDown` where
    it can't be written.
    """
    declared, value = checked_value(name, words, folder)
    group, _, key = name.rpartition(".")
    if declared.table:
        group, key = declared.name, name.removeprefix(f"{declared.name}.")
    file = locations.config_file()
    with _held(file):
        text = _text(file)
        try:
            changed = with_value(text, group, key, value)
        except CannotEdit as error:
            raise BadData(f"{file}: {error}", "change it there by hand") from error
        return _changed(name, file, text, changed, value)


def unset_value(name: str) -> Changed:
    """Let the default of a setting hold. Raises as `set_value`, but takes names that are no settings, too."""
    file = locations.config_file()
    with _held(file):
        text = _text(file)
        try:
            changed = without_value(text, name)
        except CannotEdit as error:
            raise BadData(f"{file}: {error}", "take it out there by hand") from error
        return _changed(name, file, text, changed, None)


@contextlib.contextmanager
def _held(file: Path) -> Iterator[None]:
    """Nobody else changes a setting meanwhile: one of two would be lost."""
    folder = file.resolve().parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise _unwritable(file, error) from error
    try:
        with contextlib.suppress(OSError):  # some network file systems have no locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _changed(name: str, file: Path, before: str, text: str, value: object) -> Changed:
    if text != before:
        _write(file, text)
    rows = {one: (now, origin) for one, now, origin in load_settings().effective()}
    effective, origin = rows.get(name, (None, "default"))
    return Changed(
        name=name,
        file=str(file),
        is_set=value is not None,
        value=shown(name, value),
        written=text != before,
        effective=effective,
        origin=origin,
        hidden=origin not in (str(file), "default"),
    )


def _text(file: Path) -> str:
    """Of the file, "" where there is none yet. Raises `BadData` for one that is no TOML."""
    try:
        data = file.read_bytes()
        toml_decoding.decode(data)
    except FileNotFoundError:
        return ""
    except ValueError as error:
        raise BadData(f"{file} is no TOML file: {error}", "mend it or move it away") from error
    except OSError as error:
        raise BadData(f"{file} can't be read: {error.strerror or error}") from error
    return data.decode()


def _write(file: Path, text: str) -> None:
    """Whole or not at all, with the rights that it has; a new one is its owner's. A link stays one."""
    file = file.resolve()
    try:
        mode = stat.S_IMODE(file.stat().st_mode) if file.exists() else 0o600
        with tempfile.NamedTemporaryFile(dir=file.parent, prefix=".", delete=False) as made:
            made.write(text.encode())
            os.fchmod(made.fileno(), mode)
        os.replace(made.name, file)  # noqa: PTH105  (atomic within the folder)
    except OSError as error:
        raise _unwritable(file, error) from error


def _unwritable(file: Path, error: OSError) -> EnvironmentDown:
    return EnvironmentDown(
        f"{file} can't be written: {error.strerror or error}", "check the folder, or WEBBENCH_CONFIG"
    )
