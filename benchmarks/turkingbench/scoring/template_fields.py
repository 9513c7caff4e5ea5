"""Field types as the template's HTML tells them, for predictions that come without a page."""

from __future__ import annotations

from html.parser import HTMLParser

HIDDEN = "hidden"


def template_fields(html: str) -> dict[str, str]:
    """Type by name of the first input, select or textarea that bears it, without what scripts make."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.types


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.types: dict[str, str] = {}
        self._seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(reversed(attrs))
        name = given.get("name") or ""
        if not name or name in self._seen:
            return
        self._seen.add(name)
        if tag == "input":
            self.types[name] = (given.get("type") or "text").strip().lower()
        elif tag in ("select", "textarea"):
            self.types[name] = tag
