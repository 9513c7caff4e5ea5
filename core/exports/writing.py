"""Files and folders that appear whole or not at all, and never in the place of another unasked."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

from webbench.core.errors import EnvironmentDown, UsageError


@contextlib.contextmanager
def appearing(path: Path, *, force: bool = False) -> Iterator[Path]:
    """Gives a path beside it, of the same name, at which a file or folder is to be made; then it is renamed.

    Where the block raises, nothing is left behind and what was there before is untouched.

    Args:
        force: what is at `path` is replaced; of a folder only where it holds no other files than the new one.

    Raises:
        UsageError: there is something at `path` already, or its folder is none.
        EnvironmentDown: it can't be written.
    """
    path = path.expanduser().absolute()
    _require_free(path, force)
    workshop = path.parent / f".{path.name}-{secrets.token_hex(4)}"
    try:
        workshop.mkdir(parents=True)
        yield workshop / path.name
        _sync(workshop / path.name)
        _require_free(path, force)
        _replace(workshop, path)
    except OSError as error:
        raise EnvironmentDown(
            f"{path} could not be written: {error.strerror or error}", "choose another place with --out"
        ) from error
    finally:
        shutil.rmtree(workshop, ignore_errors=True)


def write_text(path: Path, text: str, *, force: bool = False) -> None:
    """A UTF-8 file. Raises as `appearing`."""
    with appearing(path, force=force) as made:
        made.write_text(text, "utf-8", newline="\n")


def _require_free(path: Path, force: bool) -> None:
    empty = path.is_dir() and not path.is_symlink() and not any(path.iterdir())
    if os.path.lexists(path) and not force and not empty:
        raise UsageError(f"{path} exists", "choose another place, or replace it with --force")
    if path.parent.exists() and not path.parent.is_dir():
        raise UsageError(f"{path.parent} is no folder", "choose another place")


def _replace(workshop: Path, path: Path) -> None:
    """A folder can't be renamed over one that holds something, so that one steps aside first."""
    aside = workshop / f"{path.name}.replaced"
    made = workshop / path.name
    _require_no_others(path, made)
    if os.path.lexists(path) and (made.is_dir() or (path.is_dir() and not path.is_symlink())):
        path.rename(aside)
    try:
        made.rename(path)
    except OSError:
        if os.path.lexists(aside):
            aside.rename(path)
        raise


def _require_no_others(path: Path, made: Path) -> None:
    """A folder named by mistake must not take with it what somebody keeps there."""
    if not path.is_dir() or path.is_symlink():
        return
    for one in path.rglob("*"):
        if not one.is_dir() and not (made / one.relative_to(path)).is_file():
            raise UsageError(
                f"{path} holds {one.name}, which would be lost", "choose another place, or remove it first"
            )


def _sync(made: Path) -> None:
    """What was written is on disk before it gets its name."""
    for one in [made, *made.rglob("*")] if made.is_dir() else [made]:
        descriptor = os.open(one, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
