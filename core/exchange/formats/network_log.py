"""A network log (HAR 1.2) as an episode: our own export comes back with its steps, of any other each page is
a step.

{`log`: {`creator`, `browser`, `pages` [{`id`, `startedDateTime`, `title`}], `entries` [{`pageref`,
`request` {method, url, headers, postData}, `response` {status, cookies, content}}]}}. Ours has beside it
`_webbench` (task, actor, origin), `_step` of pages, entries and messages, `_url` and `_messages` of pages.
What was done is in no such log. The whole log is kept with the episode, so that it is given out again as it
came, without the credentials that their names tell (`log_credentials.py` says which).

Source: HAR 1.2, "HTTP Archive 1.2 Spec" by Jan Odvarko; custom fields begin with an underscore there.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import parse_qs, unquote

import msgspec

from webbench.core.errors import BadData
from webbench.core.exchange.account.kinds import Kind
from webbench.core.exchange.account.recorded_counts import is_scored
from webbench.core.exchange.account.source_shape import Frame, Shape
from webbench.core.exchange.account.tally import Lost
from webbench.core.exchange.episode_building import (
    ORIGIN,
    RECORD_ENDS,
    foreign_header,
    list_in,
    numbered,
    object_in,
    origin_told,
    text_of,
)
from webbench.core.exchange.formats.har import EVENTS, HAR, LOG_FILE, MESSAGES, OWN, STEP, URL, is_ours
from webbench.core.exchange.formats.log_credentials import FORM, JSON, conceal
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedFile, ImportedStep, MadeBy
from webbench.core.exchange.own.carried_fields import header_with, own_score, tells_record
from webbench.core.exchange.place import Place
from webbench.core.exchange.reading.points_in_time import utc
from webbench.core.json_types import Json, JsonObject, objects_in
from webbench.core.observation import PageMessage
from webbench.core.store.records import codec
from webbench.core.task import Task
from webbench.core.text import bounded_json
from webbench.core.trajectory import EpisodeHeader, Step

MOST_STEPS = 20_000
MOST_REPEATED = 200_000
"""Exchanges that evidence of all steps together may repeat; of longer logs the last step has them all."""
LONGEST_BODY = 2_000_000
NO_SECRETS = "headers, cookies and fields that by their names may sign somebody in, which no record keeps"
NO_ACTIONS = "the log doesn't tell what was done: each address that the browser came to is a step"
NO_ACTIONS_OF_OURS = "the log has the steps' addresses, and not what was done in them"
NO_PAGES = "the log has no pages: an exchange that brought a document is a step"
_SHAPE = Shape(
    {
        "log.pages.startedDateTime": "times",
        "log.pages._step": Frame(),
        f"log.{OWN}": Frame(),
    }
)


class NetworkLog:
    name = HAR
    title = "network logs (HAR 1.2): addresses, exchanges and messages of pages"
    looks_like = "a JSON object log of version, creator, pages, entries (*.har)"

    def claim(self, place: Place) -> Claim | None:
        named = place.name.lower().endswith((".har", ".har.gz"))
        return Claim(sure=0.8) if named and place.has_text('"log"') else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        whole = object_in(place)
        log = whole.get("log")
        if not isinstance(log, dict):
            raise BadData(f'{place} has no object "log"')
        lost = place.tally.losses()
        entries = _objects(list_in(log, "entries", place), "exchanges", lost)
        pages = _objects(log.get("pages") or [], "steps", lost)
        if len(pages) > MOST_STEPS:
            raise BadData(f"{place} has more than {MOST_STEPS:,} pages")
        own: JsonObject = log[OWN] if isinstance(log.get(OWN), dict) else {}
        ours = tells_record(own)
        if ORIGIN in own:  # where it came from is told in it, and is no part of it
            rest = {OWN: {name: one for name, one in own.items() if name != ORIGIN}} if ours else {}
            log = {name: rest.get(name, one) for name, one in log.items() if name != OWN or ours}
            whole = {**whole, "log": log}
        concealed = conceal(entries, pages, ours=is_ours(log))
        lost.has("values", concealed)
        place.tally.unsought += concealed
        lost.lose("values", f"{NO_SECRETS}: {concealed:,}", concealed, why=NO_SECRETS)
        shown = pages if pages or ours else _documents(entries)
        steps = list(numbered(_Reading(shown, entries, lost, ours=ours).steps()))
        if shown is not pages:
            place.tally.notice(NO_PAGES)
            place.tally.made("steps", NO_PAGES, len(shown))
            place.tally.count("steps", -len(shown))
            place.tally.made("times", NO_PAGES, sum(bool(one.step.at) for one in steps))
        place.tally.count("episodes")
        place.tally.count("exchanges", len(entries))
        about = {name: one for name, one in log.items() if name not in ("pages", "entries")}
        rest = {name: one for name, one in whole.items() if name != "log"}
        place.tally.read(
            {**rest, "log": {**about, "pages": [_without_messages(page) for page in pages]}}, _SHAPE
        )
        if shown:
            place.tally.notice(NO_ACTIONS_OF_OURS if ours else NO_ACTIONS)
        settings = {HAR: {**rest, "log": about}, **origin_told(own)}
        header = _header(place, own, entries, settings, lost)
        creator = _of(log, "creator")
        made = MadeBy(
            tool=text_of(creator.get("name")),
            version=text_of(creator.get("version")),
            format_version=text_of(log.get("version")),
        )
        files = (ImportedFile(LOG_FILE, codec.encode(whole)),)
        yield ImportedEpisode(header, iter(steps), lost, files=files, made_by=made)


def create() -> NetworkLog:
    """The entry point."""
    return NetworkLog()


def _objects(listed: Json, kind: Kind, lost: Lost) -> list[JsonObject]:
    found = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    left = len(listed) - len(found) if isinstance(listed, list) else 1
    lost.has(kind, left)
    lost.lose(kind, f"{kind} of the log that are no objects: {left}", left, why="they are no objects")
    return found


def _documents(entries: list[JsonObject]) -> list[JsonObject]:
    """Of a log without pages the exchanges that brought a page, as pages; each exchange goes to the last."""
    found: list[JsonObject] = []
    for entry in entries:
        if _brought_page(entry):
            page = {
                "id": f"document-{len(found) + 1}",
                "title": text_of(_of(entry, "request").get("url")),
                "startedDateTime": entry.get("startedDateTime"),
            }
            found.append(page)
        if found:
            entry["pageref"] = found[-1]["id"]
    return found


def _brought_page(entry: JsonObject) -> bool:
    """By the kind of resource, where the tool tells it; else by what the answer is."""
    kind, response = entry.get("_resourceType"), _of(entry, "response")
    if isinstance(kind, str) and kind:
        return kind == "document"
    status = response.get("status")
    answered = isinstance(status, int) and 200 <= status < 300
    return answered and text_of(_of(response, "content").get("mimeType")).startswith("text/html")


def _header(
    place: Place, own: JsonObject, entries: list[JsonObject], settings: JsonObject, lost: Lost
) -> EpisodeHeader:
    first = next((url for one in entries if (url := text_of(_of(one, "request").get("url")))), "")
    header = foreign_header(
        Task(
            benchmark=HAR,
            name=place.path.name.partition(".")[0] or HAR,
            intent=text_of(own.get("intent")),
            site="" if tells_record(own) else first,
        ),
        "",
        score=own_score(own, lost),
        end_reason=RECORD_ENDS,
        settings=settings,
    )
    header = msgspec.structs.replace(header, started=utc(own.get("started")), ended=utc(own.get("ended")))
    header = header_with(header, own, lost) if own else header
    lost.has("times", bool(header.started) + bool(header.ended))
    lost.has("scores", is_scored(header.score))
    return header


def _of(entry: JsonObject, name: str) -> JsonObject:
    found = entry.get(name)
    return found if isinstance(found, dict) else {}


class _Reading:
    """Pages and exchanges put to the steps that they are of: in our own log by number, else page by page."""

    def __init__(self, pages: list[JsonObject], entries: list[JsonObject], lost: Lost, *, ours: bool) -> None:
        self._lost, self._ours = lost, ours
        self._events: dict[int, list[Json]] = {}
        self._messages: dict[int, list[PageMessage]] = {}
        self._pages: dict[int, JsonObject] = {}
        places: dict[str, int] = {}
        free = 1
        for number, page in enumerate(pages, 1):
            at = self._number(page, number)
            if at in self._pages:
                at = free
            free = max(free, at + 1)
            self._pages[at] = page
            places[text_of(page.get("id"))] = at
            self._take_messages(page, at)
        for entry in entries:
            at = self._number(entry, places.get(text_of(entry.get("pageref")), 0))
            self._events.setdefault(at, []).append(_event(entry))
        self._last = max((0, *self._pages, *self._events, *self._messages))

    def _number(self, one: JsonObject, otherwise: int) -> int:
        told = one.get(STEP)
        if self._ours and isinstance(told, int) and not isinstance(told, bool) and 0 <= told < MOST_STEPS:
            return told
        return otherwise

    def _take_messages(self, page: JsonObject, at: int) -> None:
        listed = _objects(page.get(MESSAGES) or [], "messages", self._lost)
        self._lost.has("messages", len(listed))
        for one in listed:
            try:
                message = msgspec.convert({name: one[name] for name in one if name != STEP}, type=PageMessage)
            except (msgspec.ValidationError, RecursionError) as error:
                why = "a message of a page that can't be read"
                self._lost.lose("messages", f"{why}: {str(error)[:120]}", why=why)
                continue
            self._messages.setdefault(self._number(one, at), []).append(message)

    def steps(self) -> Iterator[ImportedStep]:
        """From step 0 on; what the log says nothing of is an empty step of ours."""
        tally = self._lost.tally
        tally.count("steps", len(self._pages.keys() - {0}))
        tally.made("steps", "the log tells their numbers alone", self._last - len(self._pages.keys() - {0}))
        total = sum(map(len, self._events.values()))
        repeats = total * (self._last + 1) <= MOST_REPEATED
        known: list[Json] = []
        for at in range(self._last + 1):
            page = self._pages.get(at, {})
            known += self._events.get(at, [])
            evidence = {EVENTS: list(known)} if known and (repeats or at == self._last) else {}
            title, url = text_of(page.get("title")), _address(page)
            yield ImportedStep(
                Step(
                    index=0,
                    at=utc(page.get("startedDateTime")),
                    actor="agent" if at else "operator",
                    text=f"came to {url}" if url and at and not self._ours else "",
                    url=url,
                    title="" if title == url else title,
                    evidence=evidence,
                    messages=tuple(self._messages.get(at, ())),
                    source={"format": HAR, "page": _without_messages(page)} if page else {},
                )
            )


def _without_messages(page: JsonObject) -> JsonObject:
    return {name: one for name, one in page.items() if name != MESSAGES}


def _address(page: JsonObject) -> str:
    """The page's address: ours tells it, other tools have it as the title."""
    title = text_of(page.get("title"))
    return text_of(page.get(URL)) or (title if "://" in title[:12] else "")


def _event(entry: JsonObject) -> JsonObject:
    """An exchange as evidence keeps it; bodies are forms and JSON objects."""
    request, response = _of(entry, "request"), _of(entry, "response")
    status = response.get("status")
    cookies = objects_in(response.get("cookies"))
    return {
        "method": text_of(request.get("method")),
        "url": text_of(request.get("url")),
        "status": status if isinstance(status, int) else 0,
        "headers": {
            text_of(one.get("name")).lower(): text_of(one.get("value"))
            for one in objects_in(request.get("headers"))
        },
        "post_data": _fields(_of(request, "postData")),
        "response_content": _fields(_of(response, "content")),
        "cookies": {text_of(one.get("name")): unquote(text_of(one.get("value"))) for one in cookies},
    }


def _fields(body: JsonObject) -> JsonObject | None:
    kind, text = text_of(body.get("mimeType")), text_of(body.get("text"))
    if not text or len(text) > LONGEST_BODY:
        return None
    if FORM in kind:
        return {name: values[0] for name, values in parse_qs(text, keep_blank_values=True).items()}
    try:
        found = bounded_json.decode(text) if JSON in kind else None
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
