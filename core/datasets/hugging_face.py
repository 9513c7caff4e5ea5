"""The files of a folder on the Hugging Face Hub, as its tree address lists them."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import msgspec

from webbench.core.datasets.data_family import Part
from webbench.core.errors import BadData, EnvironmentDown

if TYPE_CHECKING:
    import httpx

MOST_PAGES = 20
LARGEST_PAGE = 8 * 1024 * 1024


class _Stored(msgspec.Struct, frozen=True):
    """Where large files are kept: their SHA-256 and size."""

    oid: str
    size: int


class _Entry(msgspec.Struct, frozen=True):
    type: str
    path: str
    size: int = 0
    lfs: _Stored | None = None


def files_of(client: httpx.Client, part: Part) -> list[Part]:
    """A part for every file of the tree, with size, and SHA-256 where the hub tells it.

    Raises `EnvironmentDown` where there is no list, `BadData` for one that is none or leads elsewhere.
    """
    found: list[Part] = []
    address = f"{part.tree}?recursive=true"
    for _ in range(MOST_PAGES):
        entries, address = _page(client, address)
        found += [
            _part(part, entry)
            for entry in entries
            if entry.type == "file" and entry.path.rpartition("/")[2] not in part.leave_out
        ]
        if not address:
            break
    if not found:
        raise EnvironmentDown(f"{part.tree} lists no file")
    total = sum(one.size for one in found)
    if total > part.largest:
        raise BadData(f"{part.tree} lists {total:,} bytes, more than the {part.largest:,} it may have")
    return found


def _page(client: httpx.Client, address: str) -> tuple[list[_Entry], str]:
    """One page, and the address of the next, "" after the last."""
    import httpx

    try:
        with client.stream("GET", address) as answer:
            content = b""
            for piece in answer.iter_bytes():
                content += piece
                if len(content) > LARGEST_PAGE:
                    raise BadData(f"{address} gives a longer list than it may")
        if answer.status_code != 200:
            raise EnvironmentDown(f"{address} answers with HTTP {answer.status_code}")
        following = answer.links.get("next", {}).get("url", "")
        return msgspec.json.decode(content, type=list[_Entry]), following
    except httpx.TimeoutException as error:
        raise EnvironmentDown(f"{address} stopped answering") from error
    except httpx.HTTPError as error:
        raise EnvironmentDown(f"{address} can't be reached: {error}") from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadData(f"{address} gives no list of files: {error}") from error


def _part(tree: Part, entry: _Entry) -> Part:
    """One file of the tree; its path on the hub is its place in the data folder."""
    steps = entry.path.split("/")
    if not entry.path.startswith(f"{tree.path}/") or ".." in steps or "" in steps or "\\" in entry.path:
        raise BadData(f"{tree.tree} lists a file outside of {tree.path}: {entry.path!r}")
    return Part(
        url=tree.url + quote(entry.path),
        path=entry.path,
        size=entry.lfs.size if entry.lfs else entry.size,
        sha256=entry.lfs.oid if entry.lfs else "",
    )
