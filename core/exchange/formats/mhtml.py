"""MHTML: a page as Chromium saves it ("Webpage, single file"), and as Mind2Web's raw snapshots keep it.

One multipart MIME message: the page first, then its style sheets, pictures, fonts and frames, each with its
address. A page is an episode of no steps: its start has the page's HTML, address and title. The file itself
is kept with the episode, and nothing in it is run or fetched.

Defined by RFC 2557; Chromium's own headers are `Snapshot-Content-Location` and `Subject`.
"""

from __future__ import annotations

import email
from collections.abc import Iterator
from email.header import decode_header, make_header
from email.message import Message
from email.utils import parsedate_to_datetime

import msgspec

from webbench.core.errors import BadData
from webbench.core.exchange.account.source_shape import Again, Shape
from webbench.core.exchange.episode_building import foreign_header, text_of
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedFile, ImportedStep
from webbench.core.exchange.place import Place
from webbench.core.exchange.reading.html_tree import nodes_of_markup
from webbench.core.exchange.reading.points_in_time import utc
from webbench.core.observation import Observation
from webbench.core.score.score import not_scored
from webbench.core.task import Task
from webbench.core.trajectory import UNSEEN_STEPS, Step

MHTML = "mhtml"
LARGEST = 64 * 1024 * 1024
MOST_PARTS = 5_000
NO_STEPS = "a saved page has no steps"
_ENDINGS = (".mhtml", ".mht")
_PART = Shape(
    {"part": Again("values", "a part of the page besides its HTML, kept in the file with the episode")}
)
_VALUES = Shape({})
_MARKUP = ("text/html", "application/xhtml+xml")


class Mhtml:
    name = MHTML
    title = "MHTML pages, as Chromium and Mind2Web save them"
    looks_like = "a MIME message *.mhtml: Snapshot-Content-Location, multipart/related, boundary"

    def claim(self, place: Place) -> Claim | None:
        head = place.head.lower()
        related = b"multipart/related" in head and b"mime-version" in head
        known = place.name.lower().endswith(_ENDINGS) or b"snapshot-content-location" in head
        return Claim(sure=0.9) if related and known else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        data = place.read(LARGEST)
        try:
            message = email.message_from_bytes(data)
            parts = [part for part in message.walk() if not part.is_multipart()]
        except (RecursionError, LookupError, ValueError, TypeError) as error:
            raise BadData(f"{place} is no MIME message that can be read: {str(error)[:120]}") from error
        yield _episode(message, parts, data, place)


def create() -> Mhtml:
    """The entry point."""
    return Mhtml()


def _episode(message: Message, parts: list[Message], data: bytes, place: Place) -> ImportedEpisode:
    lost = place.tally.losses()
    page = next((part for part in parts if part.get_content_type() in _MARKUP), None)
    if page is None:
        raise BadData(f"{place} holds no page: none of its {len(parts)} parts is HTML")
    if len(parts) > MOST_PARTS:
        lost.append(f"{len(parts):,} parts: only {MOST_PARTS:,} are told of one by one")
    for part in parts[:MOST_PARTS]:
        if part is not page:
            kind, where = part.get_content_type(), _header(part, "Content-Location")
            place.tally.read({"part": {"kind": kind, "location": where}}, _PART)
    markup = _markup(page, place)
    url = _header(message, "Snapshot-Content-Location") or _header(page, "Content-Location")
    title = _header(message, "Subject")
    saved = _saved(message)
    place.tally.read({"url": url, "title": title}, _VALUES)
    place.tally.count("episodes")
    place.tally.count("html")
    place.tally.count("times", bool(saved))
    nodes = nodes_of_markup(markup, "backend_node_id")
    place.tally.count("trees", bool(nodes))
    header = foreign_header(
        Task(benchmark=MHTML, name=place.path.stem, intent="", site=url),
        "a browser",
        score=not_scored(NO_STEPS),
        settings={UNSEEN_STEPS: NO_STEPS},
    )
    header = msgspec.structs.replace(header, started=saved)
    start = Step(index=0, at=saved, actor="operator", url=url, title=title)
    seen = Observation(url=url, title=title, nodes=nodes)
    if saved:
        place.tally.made("times", "the episode begins when the page was saved")
    file = ImportedFile(f"{place.path.stem}.mhtml", data)
    return ImportedEpisode(header, iter([ImportedStep(start, seen, html=markup)]), lost, files=(file,))


def _markup(page: Message, place: Place) -> str:
    """The page's HTML; Chromium names no character set, and writes UTF-8."""
    given = page.get_payload(decode=True)
    data = given if isinstance(given, bytes) else b""
    charset = text_of(page.get_content_charset()) or "utf-8"
    try:
        return data.decode(charset)
    except (LookupError, ValueError):  # names that Python has codecs of which refuse by ValueError alone
        return place.decoded(data)


def _header(message: Message, name: str) -> str:
    """A header in plain words; encoded words are decoded."""
    given = message.get(name)
    if given is None:
        return ""
    try:
        return " ".join(str(make_header(decode_header(str(given)))).split())
    except (LookupError, ValueError):
        return " ".join(str(given).split())


def _saved(message: Message) -> str:
    given = message.get("Date")
    try:
        return utc(parsedate_to_datetime(str(given)).isoformat()) if given else ""
    except (TypeError, ValueError, IndexError):
        return ""
