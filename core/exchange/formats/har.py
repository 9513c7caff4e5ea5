"""HAR 1.2 of what an episode exchanged with its sites, where its evidence holds that.

Evidence keeps network events under `har_events`, each `{method, url, status, headers, post_data,
response_content, cookies}` (`exchanges` of `core/browser/network` says what is kept of one), in the order in
which they began; later evidence repeats earlier events, and has what was answered late between them. A HAR
wants more than was kept, and what is not known is given as its specification provides: times 0 or -1, sizes
-1, empty lists. Each page is a step that came to another address; what pages, console and network reported is
in the page's `_messages`.

An imported episode may hold the whole log it came with as a file; then that is what is given out, with where
it came from in `_webbench`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

import msgspec

from webbench.core.errors import BadData
from webbench.core.exchange.account.episode_parts import exchanges_of
from webbench.core.exchange.account.given import NOT_CARRIED, PAGE_LEFT, PICTURE_LEFT, Places, kept_besides
from webbench.core.exchange.account.kinds import KINDS
from webbench.core.exchange.account.recorded_counts import first_told
from webbench.core.exchange.export_format import Source
from webbench.core.exchange.formats.log_credentials import FORM, JSON
from webbench.core.exchange.own.carried_fields import OF_STEP, header_told, origin_of
from webbench.core.exchange.reading.points_in_time import utc
from webbench.core.json_types import Json, JsonObject
from webbench.core.store.records import codec
from webbench.core.text import bounded_json
from webbench.core.trajectory import Step, Trajectory

EVENTS = "har_events"
OWN, STEP, URL = "_webbench", "_step", "_url"
"""Our own fields: of the log, of a page, an entry or a message, and of a page."""
MADE_BY = "webbench-tui"
HAR, LOG_FILE, MESSAGES = "har", "network.har", "_messages"
UNKNOWN_TIMES = {"send": -1, "wait": -1, "receive": -1}


NOT_DONE = "what was done, by whom and how it went is in no log of the network"
CONCEALED = "what may sign somebody in is not read, by its name"
CONCEALED_OF_EVENTS = (
    "url",
    *(name + end for name in ("cookies", "headers", "post_data", "response_content") for end in ("", ".*")),
)
NO_PAGE = "no page of the log tells of it"
AS_IT_CAME = "the log is given as the episode came with it, and tells them otherwise than the record"


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
    name = HAR
    title = "HAR 1.2 of the network, where it was recorded"
    ending = ".har"
    several = False
    lacks = (
        "times and sizes of exchanges, headers of answers and those that hold credentials, bodies other than "
        "forms and JSON objects, and pictures, styles, scripts and fonts: none of them is recorded"
    )
    places = Places(
        rewritten={
            "values.steps.actor": NOT_DONE,
            "values.steps.ok": NOT_DONE,
            "values.steps.condition": NOT_DONE,
            "values.steps.limit_count": NOT_DONE,
            **{f"values.evidence.{EVENTS}.{name}": CONCEALED for name in CONCEALED_OF_EVENTS},
        },
        adds=kept_besides(HAR),
        no_place={
            **dict.fromkeys(
                {*KINDS, "times.spans", "scores.steps"}
                - {"episodes", "messages", "exchanges", "steps", "times", "values", "scores"},
                "a log of the network has addresses and exchanges alone",
            ),
            **NOT_CARRIED,
            **PAGE_LEFT,
            **PICTURE_LEFT,
            **dict.fromkeys((f"values.steps.{name}" for name in OF_STEP), NOT_DONE),
        },
    )

    def write(self, source: Source, path: Path) -> None:
        for trajectory in source.trajectories():
            whole = _whole_log(source, trajectory)
            if whole is not None:
                path.write_bytes(_as_it_came(source, trajectory, whole))
                continue
            events = list(_events(trajectory))
            if not events:
                raise BadData(
                    f"{trajectory.header.episode} holds no network events",
                    "they are recorded where a benchmark scores by them, and of any page as a task",
                )
            log = _log(trajectory, events)
            _tell_of_log(source, trajectory, log, NO_PAGE)
            path.write_bytes(codec.encode({"log": log}))


def create() -> Har:
    """The entry point."""
    return Har()


def _whole_log(source: Source, trajectory: Trajectory) -> Path | None:
    """The log that the episode was imported with."""
    header = trajectory.header
    files = source.store.files(source.store.root / header.run / header.episode)
    return next((file for file in files if file.suffix == Har.ending), None)


def _as_it_came(source: Source, trajectory: Trajectory, whole: Path) -> bytes:
    """The log as it came, with where it came from; held against the record.

    What can't be read as a log holds nothing, and goes out byte by byte.
    """
    data = source.store.file(whole)
    try:
        document = bounded_json.decode(data)
        log = document["log"]
    except (ValueError, LookupError, TypeError, RecursionError):
        document, log = {}, {}
    readable = isinstance(log, dict)
    log = log if readable else {}
    _tell_of_log(source, trajectory, log, AS_IT_CAME)
    more = len(objects_in(log, "entries")) - exchanges_of(trajectory.steps)
    source.made("exchanges", "the log that the episode came with has more than the evidence", more)
    told = origin_of(trajectory.header)
    if not log or not told:
        return data
    before = log.get(OWN)
    log[OWN] = {**before, **told} if isinstance(before, dict) else told
    return codec.encode(document)


def _tell_of_log(source: Source, trajectory: Trajectory, log: JsonObject, why: str) -> None:
    """What the log has of steps, times and messages, counted in it, and what the record has."""
    had = any(file.name == LOG_FILE for file in source.kept_with(trajectory))
    source.made(f"files.{LOG_FILE}", "the log itself is a file of the episode when it is read", not had)
    has = _counted_in(log)
    steps = trajectory.steps
    held = {
        "steps": sum(step.index > 0 for step in steps),
        "times.at": sum(bool(step.at) for step in steps),
        "messages": sum(len(step.messages) for step in steps),
    }
    for part, count in held.items():
        source.leave(part, why, count - has[part])
        source.made(part, why, has[part] - count)


def _counted_in(log: JsonObject) -> Counter[str]:
    """Steps, times of steps, and messages that a log has as it is read."""
    pages, entries = objects_in(log, "pages"), objects_in(log, "entries")
    found: Counter[str] = Counter()
    messages = [one for page in pages for one in objects_in(page, MESSAGES)]
    found["messages"] = len(messages)
    found["times.at"] = sum(bool(utc(page.get("startedDateTime"))) for page in pages)
    numbers = [one.get(STEP) for one in (*pages, *entries, *messages)]
    known = [one for one in numbers if isinstance(one, int) and not isinstance(one, bool)]
    found["steps"] = max(known, default=0) if is_ours(log) else len(pages)
    return found


def is_ours(log: JsonObject) -> bool:
    """Whether an export of ours made it, so that it tells the numbers of steps."""
    made_by = log.get("creator")
    return isinstance(log.get(OWN), dict) and isinstance(made_by, dict) and made_by.get("name") == MADE_BY


def without_own_fields(log: JsonObject) -> JsonObject:
    """The log without what an export of ours says besides, such as the task, who acted and the score."""
    if OWN not in log:
        return log
    if not is_ours(log):
        return {name: one for name, one in log.items() if name != OWN}
    bare = {name: one for name, one in log.items() if name not in (OWN, "comment")}
    for name in ("pages", "entries"):
        bare[name] = [
            {key: value for key, value in one.items() if key not in (STEP, URL, MESSAGES)}
            for one in objects_in(log, name)
        ]
    return bare


def objects_in(holder: JsonObject, name: str) -> list[JsonObject]:
    """The objects of a list in it; [] where there is none."""
    found = holder.get(name)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _events(trajectory: Trajectory) -> Iterator[tuple[Step, Event]]:
    """Each event with the step whose evidence first had it."""
    for step, listed in first_told(trajectory.steps):
        for item in listed:
            try:
                yield step, msgspec.convert(item, Event)
            except msgspec.ValidationError as error:
                raise BadData(
                    f"{trajectory.header.episode}, step {step.index}: an event of the network can't be read: "
                    f"{error}"
                ) from error


def _log(trajectory: Trajectory, events: Sequence[tuple[Step, Event]]) -> JsonObject:
    pages = list(_pages(trajectory))
    return {
        "version": "1.2",
        "creator": {"name": MADE_BY, "version": version(MADE_BY)},
        "browser": _browser(trajectory),
        "pages": [page for _, page in pages],
        "entries": [_entry(step, event, _page_of(step, pages)) for step, event in events],
        OWN: header_told(trajectory.header),
        "comment": f"{trajectory.header.run}/{trajectory.header.episode}; not recorded: {Har.lacks}",
    }


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
                MESSAGES: [],
            }
            yield step.index, page
        if page:
            page[MESSAGES] += [{**msgspec.to_builtins(one), STEP: step.index} for one in step.messages]


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
