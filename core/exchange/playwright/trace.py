"""Playwright traces (`trace.zip`, versions 3 to 8): what was called, said, shown and exchanged, and when.

`*.trace` holds JSON lines: context-options (clocks), before and after (an API call), console, event,
frame-snapshot (the DOM, `dom_snapshots.py`), screencast-frame (a JPEG in `resources/`). `*.network` holds
resource-snapshot lines in HAR's form. Cookies and other credentials of requests are left out.

Older ones (3 and 4, of Playwright up to 1.37) have a whole call in an "action" line, in version 3 below
`metadata`, and a console message in two parts: an object, and an event that names it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Literal

import msgspec

from webbench.core.environment import CREDENTIALS, UNSEEN_KINDS
from webbench.core.errors import BadData
from webbench.core.exchange.episode_building import LARGEST_PICTURE, text_of
from webbench.core.exchange.place import values_in
from webbench.core.exchange.playwright.dom_snapshots import DomSnapshots
from webbench.core.exchange.reading.archive import Archive
from webbench.core.json_types import Json, JsonObject, number_of
from webbench.core.observation import PageMessage
from webbench.core.text import bounded_json

OLDEST, NEWEST = 3, 8
MOST_ROWS = 200_000
"""Calls, messages, frames or exchanges of one trace, each."""
_Level = Literal["info", "warning", "error"]
_LEVELS: dict[str, _Level] = {"error": "error", "warning": "warning"}
_RESOURCES = "resources/"


class Call(msgspec.Struct):
    """One call of Playwright's API. Times are milliseconds of the trace's clock; `end` is 0 while open."""

    id: str
    owner: str
    method: str
    params: JsonObject
    start: float
    end: float = 0.0
    page: str = ""
    error: str = ""

    @property
    def words(self) -> str:
        """Such as "Page.mouseClick x=10 y=20"."""
        plain = {name: value for name, value in self.params.items() if isinstance(value, str | int | float)}
        told = " ".join(f"{name}={_short(value)}" for name, value in plain.items() if name != "timeout")
        return f"{self.owner}.{self.method} {told}".strip()


class Frame(msgspec.Struct, frozen=True):
    """A picture of a page's screencast, by the name of its entry."""

    time: float
    entry: str
    page: str


class Trace(msgspec.Struct):
    """What a trace holds, in its order.

    Attributes:
        messages: (milliseconds, message) of console, errors, new pages.
        exchanges: (milliseconds, {"method", "url", "status", "headers", ...}); styles, scripts and
            pictures are left out.
        lost: what is not taken over, one line each.
    """

    zero: float = 0.0
    """Milliseconds since 1970 where the trace's clock is 0; 0 where nothing tells."""
    browser: str = ""
    version: int = 0
    """Of the trace's form."""
    calls: list[Call] = []
    messages: list[tuple[float, PageMessage]] = []
    frames: list[Frame] = []
    exchanges: list[tuple[float, JsonObject]] = []
    objects: dict[str, JsonObject] = {}
    """Console messages by their handle, until an event says that they were shown."""
    snapshots: DomSnapshots = msgspec.field(default_factory=DomSnapshots)
    lost: list[str] = []

    def wall(self, time: float) -> str:
        """A time of the trace in UTC, "" where the trace doesn't tell."""
        seconds = (self.zero + time) / 1000
        if not self.zero or not 0 < seconds < 4e9:
            return ""
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")

    @property
    def started(self) -> str:
        return self.wall(self.calls[0].start) if self.calls else ""

    @property
    def ended(self) -> str:
        return self.wall(max(call.end or call.start for call in self.calls)) if self.calls else ""

    def lose(self, what: str) -> None:
        if what not in self.lost:
            self.lost.append(what)

    def between(self, start: float, end: float) -> tuple[PageMessage, ...]:
        """What pages said in this time."""
        return tuple(message for time, message in self.messages if start <= time < end)

    def frame_at(self, time: float, page: str) -> Frame | None:
        """The last picture of a page up to a time."""
        return next(
            (one for one in reversed(self.frames) if one.time <= time and (not page or one.page == page)),
            None,
        )


def is_trace(archive: Archive) -> bool:
    return any(name.endswith(".trace") for name in archive.names)


def read_trace(archive: Archive) -> Trace:
    """The trace in an archive. Raises `BadData` where there is none, or one of another version."""
    trace = Trace(lost=list(archive.left_aside))
    if not is_trace(archive):
        raise BadData(f"{archive.place} holds no Playwright trace")
    for name in archive.names:
        if name.endswith(".trace"):
            for line in _lines(archive, name, trace):
                _LINES.get(text_of(line.get("type")), _passed_over)(trace, line)
    for name in archive.names:
        if name.endswith(".network"):
            for line in _lines(archive, name, trace):
                _exchange(trace, line)
    if not trace.calls:
        raise BadData("; ".join([f"{archive.place} holds a trace without calls", *trace.lost[:1]]))
    trace.exchanges.sort(key=lambda one: one[0])
    return trace


def picture_of(archive: Archive, frame: Frame | None) -> bytes:
    """The JPEG of a frame, b"" where the archive doesn't have it."""
    if frame is None or frame.entry not in archive.names:
        return b""
    return archive.read(frame.entry, LARGEST_PICTURE)


def _lines(archive: Archive, name: str, trace: Trace) -> Iterator[JsonObject]:
    """The objects of a file of lines; a line that can't be read is told, and so is a file that breaks off."""
    try:
        for number, data in archive.lines(name):
            text = data.decode("utf-8", "replace")
            archive.place.require_few(values_in(text))
            try:
                found = bounded_json.decode(text) if text else None
            except (ValueError, RecursionError):
                found = None
            if isinstance(found, dict):
                yield found
            else:
                trace.lose(f"{archive.place}: lines of {name} that can't be read, line {number} the first")
    except BadData as error:
        trace.lose(str(error))


def _short(value: Json) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)[:80]


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _passed_over(trace: Trace, line: JsonObject) -> None:
    """Logs, input markers and whatever later versions bring."""


def _options(trace: Trace, line: JsonObject) -> None:
    version = line.get("version")
    if not isinstance(version, int) or not OLDEST <= version <= NEWEST:
        raise BadData(
            f"the trace has version {text_of(version)[:20] or 'none'}; {OLDEST} to {NEWEST} are read",
            "record it with another version of Playwright",
        )
    _set_clock(trace, line.get("wallTime"), line.get("monotonicTime"))
    trace.version = version
    trace.browser = text_of(line.get("browserName"))


def _set_clock(trace: Trace, wall: Json, monotonic: Json) -> None:
    """From the first line that tells both; older traces have no `monotonicTime`, but times of calls."""
    if not trace.zero and number_of(wall) and number_of(monotonic):
        trace.zero = number_of(wall) - number_of(monotonic)


def _before(trace: Trace, line: JsonObject) -> None:
    _call(trace, line, line.get("class"), line.get("callId"))


def _after(trace: Trace, line: JsonObject) -> None:
    identity = text_of(line.get("callId"))
    call = next((one for one in reversed(trace.calls[-50:]) if one.id == identity), None)
    if call is not None:
        call.end = number_of(line.get("endTime"))
        call.error = _message(line)


def _action(trace: Trace, line: JsonObject) -> None:
    """A whole call, as older versions write it."""
    about = _object(line.get("metadata")) or line
    method = text_of(about.get("method"))
    if not about.get("internal") and not method.startswith("tracing"):
        owner, identity = about.get("type"), about.get("id")
        _call(
            trace, about, owner if "metadata" in line else about.get("class"), identity or about.get("callId")
        )


def _call(trace: Trace, about: JsonObject, owner: Json, identity: Json) -> None:
    if len(trace.calls) >= MOST_ROWS:
        trace.lose(f"calls beyond the first {MOST_ROWS:,}")
        return
    start = about.get("startTime")
    _set_clock(trace, about.get("wallTime"), start)
    call = Call(
        id=text_of(identity),
        owner=text_of(owner),
        method=text_of(about.get("method")),
        params=_object(about.get("params")),
        start=number_of(start),
        end=number_of(about.get("endTime")),
        page=text_of(about.get("pageId")),
        error=_message(about),
    )
    trace.calls.append(call)


def _message(about: JsonObject) -> str:
    """Of the call's error, which version 3 has one level deeper."""
    error = _object(about.get("error"))
    return text_of(error.get("message") or _object(error.get("error")).get("message"))


def _say(trace: Trace, time: float, message: PageMessage) -> None:
    if len(trace.messages) >= MOST_ROWS:
        trace.lose(f"messages of pages beyond the first {MOST_ROWS:,}")
        return
    trace.messages.append((time, msgspec.structs.replace(message, seconds=max(0.0, time / 1000))))


def _console(trace: Trace, line: JsonObject) -> None:
    text, url = text_of(line.get("text")), text_of(_object(line.get("location")).get("url"))
    level: _Level = _LEVELS.get(text_of(line.get("messageType")), "info")
    message = PageMessage(kind="console", level=level, text=text, url=url)
    _say(trace, number_of(line.get("time")), message)


def _event(trace: Trace, line: JsonObject) -> None:
    """A page that another page opened, errors of pages, and console messages of older versions."""
    about = _object(line.get("metadata")) or line
    params, method = _object(about.get("params")), text_of(about.get("method"))
    time = number_of(about.get("startTime") if "metadata" in line else line.get("time"))
    if method == "page" and params.get("openerPageId"):
        _say(trace, time, PageMessage(kind="popup", level="info", text="the page opened another one"))
    elif method == "pageError":
        text = text_of(_object(_object(params.get("error")).get("error")).get("message")) or "a script failed"
        _say(trace, time, PageMessage(kind="error", level="error", text=text))
    elif method == "__create__":
        _take_object(trace, params)
    elif method == "console":
        made = trace.objects.pop(text_of(_object(params.get("message")).get("guid")), None)
        if made is not None:
            _console(trace, {**made, "messageType": made.get("type"), "time": time})


def _take_object(trace: Trace, line: JsonObject) -> None:
    """An object that later events name."""
    if len(trace.objects) < MOST_ROWS and line.get("initializer"):
        trace.objects[text_of(line.get("guid"))] = _object(line.get("initializer"))


def _frame(trace: Trace, line: JsonObject) -> None:
    if len(trace.frames) < MOST_ROWS:
        entry = _RESOURCES + text_of(line.get("sha1"))
        trace.frames.append(Frame(number_of(line.get("timestamp")), entry, text_of(line.get("pageId"))))


def _snapshot(trace: Trace, line: JsonObject) -> None:
    problem = trace.snapshots.take(_object(line.get("snapshot")))
    if problem:
        trace.lose(problem)


def _exchange(trace: Trace, line: JsonObject) -> None:
    snapshot = _object(line.get("snapshot"))
    request, response = _object(snapshot.get("request")), _object(snapshot.get("response"))
    kind = text_of(snapshot.get("_resourceType")) or _kind(_object(response.get("content")).get("mimeType"))
    if not request or kind in UNSEEN_KINDS:
        return
    if len(trace.exchanges) >= MOST_ROWS:
        trace.lose(f"exchanges beyond the first {MOST_ROWS:,}")
        return
    status = response.get("status")
    found = {
        "method": text_of(request.get("method")),
        "url": text_of(request.get("url")),
        "status": status if isinstance(status, int) else 0,
        "headers": _headers(request.get("headers")),
        "started": text_of(snapshot.get("startedDateTime")),
        "milliseconds": number_of(snapshot.get("time")),
    }
    trace.exchanges.append((number_of(snapshot.get("_monotonicTime")), found))
    trace.lose("bodies, cookies and credentials of what was exchanged; styles, scripts, fonts and pictures")


def _headers(listed: Json) -> dict[str, str]:
    pairs = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    named = {text_of(one.get("name")).lower(): text_of(one.get("value")) for one in pairs}
    return {name: value for name, value in named.items() if name not in CREDENTIALS}


def _kind(media_type: Json) -> str:
    """What Playwright calls the kind of a resource, from its media type; "" for what is kept."""
    text = text_of(media_type)
    known = {
        "image/": "image",
        "font/": "font",
        "text/css": "stylesheet",
        "audio/": "media",
        "video/": "media",
    }
    found = next((kind for start, kind in known.items() if text.startswith(start)), "")
    return found or ("script" if "javascript" in text else "font" if "font" in text else "")


_LINES: dict[str, Callable[[Trace, JsonObject], None]] = {
    "context-options": _options,
    "before": _before,
    "after": _after,
    "action": _action,
    "object": _take_object,
    "console": _console,
    "event": _event,
    "screencast-frame": _frame,
    "frame-snapshot": _snapshot,
}
