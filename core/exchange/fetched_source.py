"""A fetched source: what is imported from an address of fsspec's, such as `hf://datasets/OWNER/NAME`.

Its files are copied into the cache, bounded in number and size, and read there as any folder. Of the Hugging
Face Hub one revision is copied, and named in the records; what is there already is not fetched again. Older
copies leave the cache once they fill it.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, cast

import msgspec

from webbench.core.errors import BadData, EnvironmentDown, UsageError
from webbench.core.json_types import Json
from webbench.core.settings.locations import cache_folder
from webbench.core.text.addresses import without_secrets
from webbench.core.text.plain_text import plain_clip

LARGEST = 4 << 30
"""Bytes in all."""
MOST_KEPT = 4 * LARGEST
"""Bytes of all copies in the cache: those that nobody used for `UNUSED` go, the oldest first."""
UNUSED = 24 * 3600
"""Seconds: another import may read a copy still."""
MOST_FILES = MOST_FOLDERS = 20_000
PIECE = 1 << 20
HUB = "hf"
_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]{1,20}):/{1,2}(?=\S)")
_NAME = re.compile(r"[^\x00-\x1f\x7f\\]{1,250}")
_ODD = re.compile(r"[^A-Za-z0-9@._-]+")


class Fetched(msgspec.Struct, frozen=True):
    """A copy of a source.

    Attributes:
        root: where it lies.
        called: its address, with its revision where it has one: what records name.
        files, size: of what was copied now, in bytes.
        removed: older copies that left the cache for it.
    """

    root: Path
    called: str
    files: int
    size: int
    removed: int = 0


def address_in(path: Path | str) -> str:
    """The address that a path is meant as, "" for a path on this machine; `Path` makes one of two slashes."""
    found = _ADDRESS.match(str(path))
    if found is None or os.path.lexists(path):
        return ""
    rest = str(path)[found.end() :]
    return f"{found[1]}:///{rest.lstrip('/')}" if found[1] == "file" else f"{found[1]}://{rest}"


def fetched(
    address: str, into: Path | None = None, progress: Callable[[str], None] = lambda _: None
) -> Fetched:
    """Copy what is there. `into` is a folder for such copies; None = in the cache.

    Raises:
        UsageError: no such address, or a package that it needs isn't installed.
        EnvironmentDown: it can't be reached, and what to do without a network.
        BadData: it is too large, or names files that lie elsewhere.
    """
    shown = without_secrets(address)
    with _reaching(address):
        files, start, called = _opened(address)
        sizes = _listed(files, start, shown)
        copies = into or cache_folder() / "fetched"
        folder = copies / _folder_name(called)
        many, size = 0, 0
        for name, bytes_there in sizes.items():
            place = folder / name if name else folder / start.rpartition("/")[2]
            if place.is_file() and place.stat().st_size == bytes_there and address.partition(":")[0] == HUB:
                continue
            _copy(files, f"{start}/{name}" if name else start, place, bytes_there)
            many, size = many + 1, size + bytes_there
            progress(name)
        _remove_others(folder, {folder / (name or start.rpartition("/")[2]) for name in sizes})
        os.utime(folder)
        removed = 0
        if into is None:
            with suppress(OSError):  # another import may be at the same; the next one sees to it
                removed = _remove_unused(copies)
    return Fetched(folder, without_secrets(called), many, size, removed)


def _folder_name(called: str) -> str:
    """Of the copy of an address: what can be read of it, and what no other address has."""
    readable = _ODD.sub("_", without_secrets(called))[-180:]
    return f"{readable}-{hashlib.sha256(called.encode()).hexdigest()[:12]}"


def _remove_others(folder: Path, copied: Collection[Path]) -> None:
    """What an earlier copy has left, and is no longer at the address."""
    for file in [one for one in folder.rglob("*") if one.is_symlink() or not one.is_dir()]:
        if file not in copied:
            file.unlink()


def _remove_unused(copies: Path) -> int:
    """Remove copies, the one that was used longest ago first, until the others are within `MOST_KEPT`."""
    found = sorted((one.stat().st_mtime, one) for one in copies.iterdir() if one.is_dir())
    sizes = {one: sum(file.lstat().st_size for file in one.rglob("*")) for _, one in found}
    removed = 0
    for used, one in found:
        if sum(sizes.values()) <= MOST_KEPT or used > time.time() - UNUSED:
            break
        shutil.rmtree(one)
        del sizes[one]
        removed += 1
    return removed


def source_of(path: Path | str, progress: Callable[[str], None] = lambda _: None) -> Fetched:
    """What is to be imported: a path as it is, called "", or a copy of what is at an address.

    Raises as `fetched`.
    """
    address = address_in(path)
    if address:
        return fetched(address, progress=progress)
    return Fetched(Path(path).expanduser().absolute(), "", 0, 0)


def _opened(address: str) -> tuple[Any, str, str]:
    """The file system, the path on it, and the address with its revision."""
    import fsspec

    try:
        files, start = fsspec.core.url_to_fs(address)
    except (ValueError, ImportError) as error:
        told = f"{without_secrets(address)} is no address that can be read: {error}"
        raise UsageError(told, "hf:// needs the package huggingface_hub, s3:// s3fs, gs:// gcsfs") from error
    start = str(start).rstrip("/")
    if address.partition(":")[0] != HUB:
        return files, start, address
    from huggingface_hub import HfApi  # pyright: ignore[reportMissingImports]  # of the extra `hub`

    named = files.resolve_path(start)
    api = HfApi(endpoint=files.endpoint)
    about = api.repo_info(named.repo_id, repo_type=named.repo_type, revision=named.revision)
    kind = {"dataset": "datasets/", "space": "spaces/"}.get(named.repo_type, "")
    inside = f"/{named.path_in_repo}" if named.path_in_repo else ""
    start = f"{kind}{named.repo_id}@{about.sha}{inside}"
    return files, start, f"{HUB}://{start}"


def _listed(files: Any, start: str, shown: str) -> dict[str, int]:
    """Sizes in bytes by path below the start, "" for a start that is a file.

    Raises `BadData`, for what is too much as soon as so much is listed.
    """
    sizes: dict[str, int] = {}
    total = 0
    for path, size in _below(files, start, shown):
        name = path.removeprefix(start).lstrip("/")
        parts = name.split("/") if name else []
        if not path.startswith(start) or any(_is_odd(part) for part in parts):
            raise BadData(f"{shown} names a file that lies elsewhere: {plain_clip(path, 80)}")
        if not isinstance(size, int):
            raise BadData(f"{shown} does not tell the size of {plain_clip(name, 80)}", TOO_MUCH)
        sizes[name] = size
        total += size
        if len(sizes) > MOST_FILES:
            raise BadData(f"{shown} has more than the {MOST_FILES:,} files that are fetched", TOO_MUCH)
        if total > LARGEST:
            raise BadData(f"{shown} has more than the {LARGEST:,} bytes that are fetched", TOO_MUCH)
    if not sizes:
        raise BadData(f"there is no file at {shown}", "see whether the address is right")
    return dict(sorted(sizes.items()))


def _below(files: Any, start: str, shown: str) -> Iterator[tuple[str, Json]]:
    """Path and size of each file, as they are listed: of the Hub page by page, of others folder by folder."""
    if HUB in files.protocol and files.isdir(start):
        yield from _below_on_hub(files, start)
        return
    waiting, folders = [start], 0
    while waiting:
        try:
            listed = files.ls(waiting.pop(), detail=True)
        except FileNotFoundError:
            continue
        for about in listed:
            path = str(about["name"]).rstrip("/")
            if about.get("islink"):
                name = plain_clip(path.removeprefix(start).lstrip("/"), 80)
                raise BadData(f"{shown} holds a link: {name}", "links are not followed")
            if about["type"] != "directory":
                yield path, about.get("size")
            elif path != start:
                waiting.append(path)
                folders += 1
        if folders > MOST_FOLDERS:
            told = f"{shown} has more than the {MOST_FOLDERS:,} folders that are looked into"
            raise BadData(told, TOO_MUCH)


def _below_on_hub(files: Any, start: str) -> Iterator[tuple[str, Json]]:
    from huggingface_hub import HfApi  # pyright: ignore[reportMissingImports]  # of the extra `hub`

    named = files.resolve_path(start)
    inside = named.path_in_repo
    root = start.removesuffix(f"/{inside}") if inside else start
    api = HfApi(endpoint=files.endpoint)
    for one in api.list_repo_tree(
        named.repo_id,
        inside or None,
        recursive=True,
        revision=named.revision,
        repo_type=named.repo_type,
    ):
        if hasattr(one, "size"):
            yield f"{root}/{one.path}", one.size


def _is_odd(part: str) -> bool:
    return part in ("", ".", "..") or _NAME.fullmatch(part) is None


def _copy(files: Any, path: str, place: Path, size: int) -> None:
    """A file, whole or not at all, as long as it was said to be; of no time, so that all copies are alike."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        made = place.with_name(f".{place.name[:200]}.part")
        with files.open(path, "rb") as source, made.open("wb") as target:
            left = size
            while piece := cast("bytes", source.read(PIECE)):
                left -= len(piece)
                if left < 0:
                    raise BadData(f"{plain_clip(path, 200)} is longer than the {size:,} bytes that it says")
                target.write(piece)
        if left:
            told = f"{plain_clip(path, 200)} broke off, {left:,} bytes before its end"
            raise EnvironmentDown(told, "try again")
        os.utime(made, (0, 0))
        made.replace(place)
    except OSError as error:
        if error.filename is None or not str(error.filename).startswith(str(place.parent)):
            raise
        raise EnvironmentDown(f"{place} can't be written: {error.strerror or error}") from error


TOO_MUCH = "name a folder or file in it, or fetch it by its own tool and import the folder"


def _offline_hint(address: str) -> str:
    owner, _, name = address.removeprefix("hf://datasets/").partition("/")
    if not address.startswith("hf://datasets/") or not name:
        return "is there a network, and may it be read? copy it by its own tool, and import the folder"
    repository = f"{owner}/{name.split('/')[0].partition('@')[0]}"
    return (
        "is there a network, is the name right, and is it public (else `hf auth login`)? On a machine that "
        f"has one: hf download {repository} --repo-type dataset --local-dir FOLDER, then import FOLDER"
    )


@contextmanager
def _reaching(address: str) -> Iterator[None]:
    """What the libraries behind fsspec raise, each kinds of its own, as ours."""
    try:
        yield
    except (UsageError, BadData, EnvironmentDown):
        raise
    except Exception as error:
        told = plain_clip(without_secrets(" ".join(f"{type(error).__name__}: {error}".split())), 200)
        raise EnvironmentDown(
            f"{without_secrets(address)} can't be read: {told}", _offline_hint(without_secrets(address))
        ) from error
