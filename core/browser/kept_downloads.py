"""Files that pages give: kept in the episode's folder under names of ours, each whole or not at all."""

from __future__ import annotations

import contextlib
from pathlib import Path
from uuid import uuid4

from webbench.core.browser.driver import DriverDownload
from webbench.core.browser.page_log import PageLog
from webbench.core.errors import WebbenchError

MOST_DOWNLOADS = 100
"""Files that are kept of one episode; a page may give them without end."""


class KeptDownloads:
    """Those of one browser context.

    Args:
        folder: None where nothing is kept.
    """

    def __init__(self, log: PageLog, folder: Path | None) -> None:
        self._log = log
        self._folder = folder
        self._count = 0

    async def keep(self, download: DriverDownload) -> None:
        """Save a file that has begun to come, or tell why it is not kept."""
        name, url = download.name, download.url
        self._count += 1
        if self._count > MOST_DOWNLOADS:
            self._log.add("download", "warning", f"{name} was not kept: there are too many", url)
            with contextlib.suppress(Exception):
                await download.cancel()
            return
        try:
            if self._folder is None:
                await download.cancel()
                self._log.add("download", "warning", f"{name} was not kept", url)
                return
            place = await _saved(download, self._folder)
            self._log.add("download", "info", f"{name} was saved as {place.name}", url)
        except (WebbenchError, OSError) as error:
            self._log.add("download", "error", f"{name} could not be saved: {error}", url)


async def _saved(download: DriverDownload, folder: Path) -> Path:
    """Write under a hidden name and rename when complete: whoever reads the folder sees whole files only."""
    part = folder / f".{uuid4().hex}.part"
    try:
        await download.save(part)
        return _named(part, download.name)
    finally:
        _discard(part)


def _named(part: Path, name: str) -> Path:
    return part.rename(_free_place(part.parent, name))


def _discard(part: Path) -> None:
    part.unlink(missing_ok=True)


def _free_place(folder: Path, name: str) -> Path:
    """A file of that name in the folder, numbered where one exists; the page's name is only a name."""
    clean = Path(name.replace("\\", "/")).name.lstrip(".") or "download"
    place = folder / clean
    number = 2
    while place.exists():
        place = folder / f"{Path(clean).stem}-{number}{Path(clean).suffix}"
        number += 1
    return place
