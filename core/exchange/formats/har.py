"""HAR 1.2 of what an episode exchanged with its sites, where its evidence holds that.

Evidence keeps network events under `har_events`, each `{method, url, status, headers, post_data,
response_content, cookies}` (`exchanges` of `core/browser/network` says what is kept of one), in the order in
which they began; later evidence repeats earlier events. A HAR wants more than was kept, and what is not known
is given as its specification provides: times 0 or -1, sizes -1, empty lists. Each page is a step that came to
another address; what pages, console and network reported is in the page's `_messages`.

An imported episode may hold the whole log it came with as a file; then that is what is given out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

import msgspec

from webbench.core.errors import BadData
from webbench.core.exchange.account.episode_parts import exchanges_of
from webbench.core.exchange.account.given import AS_IMPORTED, Places
from webbench.core.exchange.account.kinds import KINDS
from webbench.core.exchange.episode_building import ORIGIN
from webbench.core.exchange.export_format import Source
from webbench.core.exchange.formats.log_credentials import FORM, JSON
from webbench.core.json_types import Json, JsonObject
from webbench.core.store.records import codec
from webbench.core.text import bounded_json
from webbench.core.trajectory import IMPORTED, EpisodeHeader, Step, Trajectory, known_end

EVENTS = "har_events"
OWN, STEP, URL = "_webbench", "_step", "_url"
"""Our own fields: of the log, of a page, an entry or a message, and of a page."""
MADE_BY = "webbench-tui"
UNKNOWN_TIMES = {"send": -1, "wait": -1, "receive": -1}


class Event(msgspec.Struct, kw_only=True):
    """A request and its answer, as evidence keeps it."""

    method: str
    url: str
    status: int = 0
    headers: dict[str, str] = {}
    post_data: JsonObject | None = None
    response_content: JsonObject | None = None
    cookies: dict[str, str] = {}


class Har:
    name = "har"
    title = "HAR 1.2 of the network, where it was recorded"
    ending = ".har"
    several = False
    lacks = (
        "times and sizes of exchanges, headers of answers and those that hold credentials, bodies other than "
        "forms and JSON objects, and pictures, styles, scripts and fonts: none of them is recorded"
    )
    places = Places(
        rewritten={
            "values": AS_IMPORTED,
        },
        no_place=dict.fromkeys(
            {*KINDS, "times.spans"} - {"episodes", "messages", "exchanges", "steps", "times", "values"},
            "a log of the network has addresses and exchanges alone",
        ),
        partly={
            "steps": "of steps after the last page and exchange a log of the network tells nothing",
            "times.at": "a log of the network has the times of steps that came to another address",
            "messages": "what was reported before the first address has no page",
        },
        adds={
            "files": "the log itself, which is kept beside what is read from it",
            **dict.fromkeys(
                ("steps", "times", "messages"),
                "the log that the episode came with tells them, the record doesn't",
            ),
        },
    )

    def write(self, source: Source, path: Path) -> None:
        for trajectory in source.trajectories():
            whole = _whole_log(source, trajectory)
            if whole is not None:
                _tell_of_whole(source, trajectory, whole)
                path.write_bytes(source.store.file(whole))
                continue
            events = list(_events(trajectory))
            if not events:
                raise BadData(
                    f"{trajectory.header.episode} holds no network events",
                    "they are recorded where a benchmark scores by them",
                )
            path.write_bytes(codec.encode({"log": _log(trajectory, events)}))


def create() -> Har:
    """The entry point."""
    return Har()


def _whole_log(source: Source, trajectory: Trajectory) -> Path | None:
    """The log that the episode was imported with."""
    header = trajectory.header
    files = source.store.files(source.store.root / header.run / header.episode)
    return next((file for file in files if file.suffix == Har.ending), None)


def _tell_of_whole(source: Source, trajectory: Trajectory, whole: Path) -> None:
    """The log as it came has every exchange; evidence has those that scores rest on."""
    exchanges, held = _held(source.store.file(whole))
    more = exchanges - exchanges_of(trajectory.steps)
    source.made("exchanges", "the log that the episode came with has more than the evidence", more)
    messages = sum(len(step.messages) for step in trajectory.steps)
    source.leave("messages", "the log is given as the episode came with it", messages - held)


def _held(data: bytes) -> tuple[int, int]:
    """Exchanges in a log, and messages of its pages; none of what can't be read as one."""
    try:
        log = bounded_json.decode(data)["log"]
        entries, pages = log.get("entries", []), log.get("pages", [])
        return len(entries), sum(len(page.get("_messages", [])) for page in pages)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return 0, 0


def _events(trajectory: Trajectory) -> Iterator[tuple[Step, Event]]:
    """Each event with the step whose evidence first had it."""
    known = 0
    for step in trajectory.steps:
        listed = step.evidence.get(EVENTS)
        if not isinstance(listed, list):
            continue
        for item in listed[known:]:
            try:
                yield step, msgspec.convert(item, Event)
            except msgspec.ValidationError as error:
                raise BadData(
                    f"{trajectory.header.episode}, step {step.index}: an event of the network can't be read: "
                    f"{error}"
                ) from error
        known = max(known, len(listed))


def _log(trajectory: Trajectory, events: Sequence[tuple[Step, Event]]) -> JsonObject:
    pages = list(_pages(trajectory))
    return {
        "version": "1.2",
        "creator": {"name": MADE_BY, "version": version(MADE_BY)},
        "browser": _browser(trajectory),
        "pages": [page for _, page in pages],
        "entries": [_entry(step, event, _page_of(step, pages)) for step, event in events],
        OWN: _own(trajectory.header),
        "comment": f"{trajectory.header.run}/{trajectory.header.episode}; not recorded: {Har.lacks}",
    }


def _own(header: EpisodeHeader) -> JsonObject:
    task, origin = header.task, header.settings.get(IMPORTED)
    told: JsonObject = {
        "benchmark": task.benchmark,
        "task": task.id,
        "intent": task.intent,
        "site": task.site,
        "split": task.split,
        "actor": header.actor,
        "started": header.started,
        "ended": known_end(header),
        "end_reason": header.end_reason,
        **({ORIGIN: origin} if origin else {}),
    }
    return {name: one for name, one in told.items() if one}


def _browser(trajectory: Trajectory) -> JsonObject:
    name, _, number = trajectory.header.versions.get("browser", "").partition("/")
    return {"name": name or "unknown", "version": number or "unknown"}


def _pages(trajectory: Trajectory) -> Iterator[tuple[int, JsonObject]]:
    """The steps that came to another address, and what was reported until the next."""
    address = ""
    page: JsonObject = {}
    for step in trajectory.steps:
        if step.url and step.url != address:
            address = step.url
            page = {
                "startedDateTime": step.at,
                "id": f"step-{step.index}",
                "title": step.title or step.url,
                STEP: step.index,
                URL: step.url,
                "pageTimings": {"onContentLoad": -1, "onLoad": -1},
                "_messages": [],
            }
            yield step.index, page
        if page:
            page["_messages"] += [{**msgspec.to_builtins(one), STEP: step.index} for one in step.messages]


def _page_of(step: Step, pages: Sequence[tuple[int, JsonObject]]) -> str:
    before = [page["id"] for index, page in pages if index <= step.index]
    return str(before[-1]) if before else ""


def _entry(step: Step, event: Event, page: str) -> JsonObject:
    found: JsonObject = {
        "startedDateTime": step.at,
        "time": 0,
        "request": _request(event),
        "response": _response(event),
        "cache": {},
        "timings": UNKNOWN_TIMES,
        STEP: step.index,
    }
    return {"pageref": page, **found} if page else found


def _request(event: Event) -> JsonObject:
    request: JsonObject = {
        "method": event.method,
        "url": event.url,
        "httpVersion": "unknown",
        "cookies": [],
        "headers": _pairs(event.headers),
        "queryString": _query(event.url),
        "headersSize": -1,
        "bodySize": -1,
    }
    if event.post_data is not None:
        request["postData"] = _body(event.headers.get("content-type", ""), event.post_data)
    return request


def _response(event: Event) -> JsonObject:
    content: JsonObject = {"size": -1, "mimeType": ""}
    if event.response_content is not None:
        text = json.dumps(event.response_content)
        content = {"size": len(text.encode()), "mimeType": JSON, "text": text}
    return {
        "status": event.status,
        "statusText": "",
        "httpVersion": "unknown",
        "cookies": _pairs(event.cookies),
        "headers": [],
        "content": content,
        "redirectURL": "",
        "headersSize": -1,
        "bodySize": -1,
    }


def _body(kind: str, fields: JsonObject) -> JsonObject:
    """The fields as they were sent: a form as a form, anything else as JSON."""
    if FORM in kind:
        texts = {name: str(value) for name, value in fields.items()}
        return {"mimeType": kind, "params": _pairs(texts), "text": urlencode(texts)}
    return {"mimeType": JSON, "params": [], "text": json.dumps(fields)}


def _query(url: str) -> list[JsonObject]:
    try:
        query = urlsplit(url).query
    except ValueError:
        return []
    return [{"name": name, "value": value} for name, value in parse_qsl(query, keep_blank_values=True)]


def _pairs(values: dict[str, str]) -> list[Json]:
    return [{"name": name, "value": value} for name, value in values.items()]
