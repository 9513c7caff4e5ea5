"""Where bundled sites answer, and what the task files call them."""

from __future__ import annotations

from collections.abc import Mapping


class Addresses:
    """Translates between published addresses and those of the sites that are served now.

    Args:
        served: base URL now, by published base URL, both without a final slash; empty = nothing to translate.
    """

    def __init__(self, served: Mapping[str, str] = {}) -> None:
        self.by_published = dict(served)

    def published(self, url: str) -> str:
        """The address as a task file writes it."""
        return _moved(url, {now: written for written, now in self.by_published.items()})

    def served(self, url: str) -> str:
        """The address at which a published one answers now."""
        return _moved(url, self.by_published)


def _moved(url: str, bases: Mapping[str, str]) -> str:
    for old, new in bases.items():
        if url == old or url.startswith((f"{old}/", f"{old}?", f"{old}#")):
            return new + (url[len(old) :] or "/")
    return url
