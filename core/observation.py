"""What an actor perceives at one step: plain frozen data, the same for human and agent.

All lengths are CSS pixels. Boxes are relative to the top-left corner of the top-level viewport at
the moment of reading, also for nodes inside iframes.
"""

from __future__ import annotations

import base64
from typing import Literal, get_args

import msgspec

from webbench.core.json_types import JsonObject, read_fields

SCHEMA_VERSION = 1

StateValue = bool | int | float | str
Clickable = Literal["", "href", "role", "listener", "cursor", "label", "shape", "focus"]
CLICKABLE: tuple[Clickable, ...] = get_args(Clickable)


class Box(msgspec.Struct, frozen=True, array_like=True):
    """Rectangle in viewport coordinates: left, top, width, height (CSS px, may lie off screen)."""

    x: float
    y: float
    width: float
    height: float

    @property
    def centre(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2

    def contains(self, x: float, y: float) -> bool:
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height

    def intersects(self, width: float, height: float) -> bool:
        """Whether any part of a non-empty box lies in a viewport of this size."""
        return (
            self.width > 0
            and self.height > 0
            and self.x < width
            and self.y < height
            and self.x + self.width > 0
            and self.y + self.height > 0
        )


MOST_NODES = 50_000
"""Of one process of a page, in an observation that is not asked to be whole."""

NUMBERED_HERE = 1_000_000
"""From this id on it was given while reading somebody's record, which has none, or none that is a number."""


class AccessibilityNode(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One node of the accessibility tree, in document order; `depth` gives the nesting.

    Attributes:
        id: short id, given once per DOM node of an episode and never re-used.
        role: Chromium's accessibility role ("button", "link", "StaticText", "RootWebArea" ...).
        name: accessible name, raw page text (pass through `plain_text` before display).
        value: current value of a field, option or range, None where there is none.
        depth: 0 for the root.
        box: None where the node has no layout box.
        states: only those that hold or are explicitly false in the accessibility tree, under
            Chromium's property names (checked, expanded, disabled, focused, required, selected,
            level, readonly, multiselectable, hasPopup, invalid, valuemin, valuemax, ...). Besides
            `unreadable`, on an iframe whose document can't be read: why.
        interactive: a person could act on it; `clickable` says why.
        clickable: by what it takes a click: "href" (a link), "role" (a control), "listener" (the page hears
            clicks on it), "cursor" (the mouse turns into a hand there), "label" (of a field that isn't to be
            seen), "shape" (part of a drawing that hears clicks) or "focus" (only the keyboard may go there);
            "" for what is only to be read, and in records of programs that don't say.
        added: it isn't in Chromium's accessibility tree; a node of its own, around nothing, because a person
            can click it.
        looks: where it is clickable and has no name: its text, its colour and shape, or the words of its
            classes and files.
        offscreen: rendered, but no part lies in the viewport.
        tag: lower-case HTML tag, "" for text.
        attributes: the few HTML attributes that actions and evaluators refer to
            (id, name, type, href, placeholder; value of options, radios, tick boxes and buttons), empty
            ones left out; only on interactive nodes.
        frame: index of the frame in `Observation.frames`.

    Example:
        >>> [node.id for node in observation.nodes if node.role == "button" and not node.offscreen]
    """

    id: int
    role: str
    name: str = ""
    value: str | None = None
    depth: int = 0
    box: Box | None = None
    states: dict[str, StateValue] = {}
    interactive: bool = False
    clickable: Clickable = ""
    added: bool = False
    looks: str = ""
    offscreen: bool = False
    tag: str = ""
    attributes: dict[str, str] = {}
    frame: int = 0

    @property
    def own_id(self) -> str:
        """The id that its actor knew: "12"; "a7" in a BrowserGym record; "" where its source names none."""
        return str(self.id) if self.id < NUMBERED_HERE else self.attributes.get("bid", "")

    @property
    def id_text(self) -> str:
        """`own_id` to stand before its role: "[12] ", or ""."""
        return f"[{self.own_id}] " if self.own_id else ""


class Tab(msgspec.Struct, frozen=True):
    """One browser tab; exactly one is active."""

    index: int
    title: str
    url: str
    active: bool = False


class Viewport(msgspec.Struct, frozen=True):
    """Size of the viewport and of the page, and how far the page is scrolled."""

    width: int = 1280
    height: int = 720
    scroll_x: float = 0.0
    scroll_y: float = 0.0
    page_width: float = 0.0
    page_height: float = 0.0
    device_pixel_ratio: float = 1.0


class Visitor(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What pages are told of who visits them; "" for what isn't known.

    The network's address, which tells where a visitor is too, is not in it: nothing here can change that.

    Attributes:
        locale: as in `navigator.language`, and as dates and numbers are written.
        timezone: IANA name.
        region: the place whose position pages are told; "" where they aren't told one.
        position: degrees north and east of it.
        system: as the user agent tells: Linux, Windows, macOS, Android, iOS, ChromeOS.
        browser: the same: Chrome, Headless Chrome, Edge, Firefox, Safari.
    """

    locale: str = ""
    timezone: str = ""
    region: str = ""
    position: tuple[float, float] | None = None
    system: str = ""
    browser: str = ""

    @property
    def words(self) -> str:
        """In one line, "" where nothing is known."""
        where = self.region
        if self.position is not None:
            where = f"{where} at {self.position[0]:g}, {self.position[1]:g}"
        parts = (self.browser, self.system, self.locale, self.timezone, where)
        return ", ".join(part for part in parts if part)


class Dialog(msgspec.Struct, frozen=True):
    """An open JavaScript dialog; nothing else can be done until it is answered."""

    kind: Literal["alert", "confirm", "prompt", "beforeunload"]
    message: str
    default: str = ""


class PageMessage(msgspec.Struct, frozen=True):
    """One console line, page error, failed request, download or popup since the last observation."""

    kind: Literal["console", "error", "network", "download", "popup", "dialog", "crash"]
    level: Literal["info", "warning", "error"]
    text: str
    url: str = ""
    seconds: float = 0.0
    """Seconds since the episode started."""


class DialogueTurn(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was said or done on an earlier turn of the dialogue that the task is part of.

    Attributes:
        index: number of the turn from 0.
        speaker: who did it ("instructor", "navigator").
        text: the utterance, or the action in the language of the task's data.
        said: an utterance; False for an action.
        about: the element of an action in words, such as 'button "Add to cart"'.
        seconds: since the dialogue began. Clocks of different sources are not in step, so it may be
            negative and go backwards; None where nothing tells.
    """

    index: int
    speaker: str
    text: str
    said: bool = True
    about: str = ""
    seconds: float | None = None


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """An element that a ranking takes for the likely target; `node` is its id in the observation."""

    node: int
    score: float
    text: str = ""
    """How the ranking saw the element."""


class Timing(msgspec.Struct, frozen=True):
    """Milliseconds spent per part of one observation; 0 where the path has no such part."""

    accessibility: float = 0.0
    layout: float = 0.0
    join: float = 0.0
    render: float = 0.0
    screenshot: float = 0.0
    total: float = 0.0


class Observation(msgspec.Struct, frozen=True, kw_only=True):
    """The page as an actor perceives it.

    Attributes:
        condition: "ok", or why there is nothing (or only something old) to perceive.
        problem: one sentence for every condition but "ok".
        changing: the page was still being drawn when it was read: there may be more of it by now.
        source: how it was read: one script per frame ("script"), CDP calls ("cdp"), or "none".
        frames: URL per frame; index 0 is the main frame.
        focused: id of the focused node.
        viewport_only: nodes outside the viewport were left out.
        left_out: how many nodes there are besides, which were left out because there are too many. Where time
            ran out before all were looked at, elements are counted in place of these nodes.
        dialog: the open JavaScript dialog; nodes may be empty while one is open.
        last_error: why the previous action had no effect, in one sentence.
        relevant_html: by name of a field of the main frame, the HTML that its question stands in
            (TurkingBench, appendix C); "" where the room for it was used up. Only where it was asked for.
        dialogue: every turn before this one, where the task is part of a dialogue.
        candidates: elements ranked as likely targets, best first, where the benchmark ranks them.

    Example:
        >>> observation.url, observation.title, len(observation.nodes), observation.condition
    """

    url: str = ""
    title: str = ""
    tabs: tuple[Tab, ...] = ()
    nodes: tuple[AccessibilityNode, ...] = ()
    viewport: Viewport = Viewport()
    frames: tuple[str, ...] = ()
    focused: int | None = None
    viewport_only: bool = False
    left_out: int = 0
    condition: Literal["ok", "loading", "crashed", "closed", "offline", "timeout", "unreadable"] = "ok"
    problem: str = ""
    changing: bool = False
    source: Literal["script", "cdp", "none"] = "none"
    dialog: Dialog | None = None
    messages: tuple[PageMessage, ...] = ()
    last_error: str = ""
    relevant_html: dict[str, str] = {}
    dialogue: tuple[DialogueTurn, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    timing: Timing = Timing()

    def node(self, id: int) -> AccessibilityNode | None:
        """The node with this id, or None. Linear; build `by_id` for repeated look-ups."""
        return next((node for node in self.nodes if node.id == id), None)

    def by_id(self) -> dict[int, AccessibilityNode]:
        return {node.id: node for node in self.nodes}


class Screenshot(msgspec.Struct, frozen=True):
    """An encoded picture of the viewport, of a part of it, or of the whole page.

    `width` and `height` are the picture's own pixels; `scale` is picture pixels per CSS pixel; `origin` is
    where a part begins in the viewport (CSS px from the left and the top).

    Example:
        >>> Path(f"page.{picture.format}").write_bytes(picture.data)
    """

    data: bytes
    format: Literal["png", "jpeg", "webp"]
    width: int
    height: int
    scale: float = 1.0
    full_page: bool = False
    origin: tuple[float, float] = (0.0, 0.0)

    def corner(self, view: Viewport) -> tuple[float, float]:
        """Where it begins in the viewport (CSS px): a whole page begins as far outside as it is scrolled."""
        return (-view.scroll_x, -view.scroll_y) if self.full_page else self.origin


class ObservationOptions(msgspec.Struct, frozen=True):
    """What to read: the page or only what the viewport shows.

    Attributes:
        whole: all nodes, however many there are; else `MOST_NODES` of each process of the page, and those
            that the viewport shows.
    """

    viewport_only: bool = False
    whole: bool = False
    prefer: Literal["script", "cdp"] = "script"
    timeout: float = 15.0
    """Seconds for the whole observation, whatever the page does."""
    relevant_html: bool = False


WHOLE_SECONDS = 120.0
"""What an observation may take that is asked to be whole."""


def picture_fields(picture: Screenshot) -> JsonObject:
    """A picture as JSON has it: format, size in its own pixels, pixels per CSS px, and the data in Base64.

    With `origin` where it is of a part of the viewport that doesn't begin in its corner.
    """
    shown: JsonObject = {name: getattr(picture, name) for name in ("format", "width", "height", "scale")}
    if picture.origin != (0.0, 0.0):
        shown["origin"] = list(picture.origin)
    return shown | {"base64": base64.b64encode(picture.data).decode()}


class ScreenshotOptions(msgspec.Struct, frozen=True):
    """How a picture is to be taken.

    Attributes:
        quality: of JPEG and WebP, 0 to 100.
        timeout: seconds.
        anew: as the page is now, also where the last action has asked for a picture (`CaptureScreen`), which
            is given otherwise.
    """

    format: Literal["png", "jpeg", "webp"] = "jpeg"
    full_page: bool = False
    quality: int = 80
    timeout: float = 10.0
    anew: bool = False


read_fields(Observation, Screenshot)
