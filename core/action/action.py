"""Everything an actor can do, as one closed union of frozen data: `Action`. In Python programs: `wb.actions`.

An action names its element by an `ElementRef`. The actor fills in what it knows (an id, a form field
name, a point); the environment fills in the rest, the *fingerprint*, when it acts, because ids do not
survive a replay.

Example:
    >>> import webbench as wb
    >>> box = wb.actions.ElementRef(id=12)
    >>> step = await episode.act(wb.actions.Type(target=box, text="storm lantern", enter=True))
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from webbench.core.json_types import read_fields
from webbench.core.observation import Box

Button = Literal["left", "right", "middle"]
Inside: TypeAlias = tuple[float, float]
"""A point inside an element: percents of its width from the left and of its height from the top, 0 to 100."""


class ElementRef(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How an action names its element.

    Attributes:
        id: short id of the observation.
        field: value of the HTML `name` attribute (TurkingBench's way).
        option: which element of a same-named group, by its `value` attribute.
        role, name: accessibility role and name at the time of the action.
        path: structural path from the root, e.g. "main[0]/form[1]/button[0]".
        selector: a CSS selector that was unique in its frame at the time.
        frame_url: URL of the frame that holds it, "" for the main frame.
        box: where it was.
        secret: it is a password field; what is typed into it is not recorded.
    """

    id: int | None = None
    field: str = ""
    option: str = ""
    role: str = ""
    name: str = ""
    path: str = ""
    selector: str = ""
    frame_url: str = ""
    box: Box | None = None
    secret: bool = False


class ActionBase(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="verb", tag=str.lower, omit_defaults=True
):
    """Common shape; the tag `verb` is the lower-case class name."""


class Click(ActionBase, frozen=True, kw_only=True):
    """Click an element `count` times, with keys such as "Control" held as `modifiers`.

    `at` None is wherever it takes a click, which on a drawing is its middle.
    """

    target: ElementRef
    button: Button = "left"
    count: int = 1
    modifiers: tuple[str, ...] = ()
    at: Inside | None = None


class ClickAt(ActionBase, frozen=True, kw_only=True):
    """Click at viewport coordinates (CSS px)."""

    x: float
    y: float
    button: Button = "left"
    count: int = 1


class Type(ActionBase, frozen=True, kw_only=True):
    """Type text with real key events; `clear` empties the field first, `enter` presses Enter after.

    `at_once` puts it in at one stroke, without a key: line ends press no Enter, held keys change nothing.
    """

    target: ElementRef | None = None
    text: str
    clear: bool = True
    enter: bool = False
    at_once: bool = False


class Select(ActionBase, frozen=True, kw_only=True):
    """Choose options of a list by label or value; several for a multiple list, none to clear it."""

    target: ElementRef
    options: tuple[str, ...]


class Check(ActionBase, frozen=True, kw_only=True):
    """Tick a checkbox or choose a radio button; `checked=False` unticks it."""

    target: ElementRef
    checked: bool = True


class SetRange(ActionBase, frozen=True, kw_only=True):
    """Set a slider, or another field that holds a number."""

    target: ElementRef
    value: float


class Hover(ActionBase, frozen=True, kw_only=True):
    """Move the mouse over an element, or to a point of it."""

    target: ElementRef
    at: Inside | None = None


class HoverAt(ActionBase, frozen=True, kw_only=True):
    """Move the mouse to viewport coordinates (CSS px)."""

    x: float
    y: float


class Focus(ActionBase, frozen=True, kw_only=True):
    """Give an element the keyboard, without a click."""

    target: ElementRef


class MouseDown(ActionBase, frozen=True, kw_only=True):
    """Move to viewport coordinates (CSS px), then press a button and hold it, until `MouseUp` or the end."""

    x: float
    y: float
    button: Button = "left"


class MouseUp(ActionBase, frozen=True, kw_only=True):
    """Move to viewport coordinates (CSS px), with whatever is held, then let go of a button."""

    x: float
    y: float
    button: Button = "left"


class KeyDown(ActionBase, frozen=True, kw_only=True):
    """Press a key and hold it, until `KeyUp` or the end."""

    key: str


class KeyUp(ActionBase, frozen=True, kw_only=True):
    """Let go of a key that `KeyDown` holds."""

    key: str


class Press(ActionBase, frozen=True, kw_only=True):
    """A key chord such as "Control+a" or "Enter", on the target or on what has the focus."""

    keys: str
    target: ElementRef | None = None


class Scroll(ActionBase, frozen=True, kw_only=True):
    """Scroll the page or an element by pixels, or by whole viewports.

    Attributes:
        at_mouse: where no element is named, scroll as the wheel does: what lies under the mouse, or the
            nearest around it that can still move that way.
    """

    dx: float = 0.0
    dy: float = 0.0
    unit: Literal["pixels", "viewports"] = "pixels"
    target: ElementRef | None = None
    at_mouse: bool = False


class ScrollTo(ActionBase, frozen=True, kw_only=True):
    """Bring an element into view."""

    target: ElementRef


class Drag(ActionBase, frozen=True, kw_only=True):
    """Drag one element onto another, or from a point of it to a point of the other; both may be the same."""

    source: ElementRef
    target: ElementRef
    source_at: Inside | None = None
    target_at: Inside | None = None


class DragAt(ActionBase, frozen=True, kw_only=True):
    """Drag from one point to another, in viewport coordinates (CSS px)."""

    x: float
    y: float
    to_x: float
    to_y: float


class Upload(ActionBase, frozen=True, kw_only=True):
    """Give files (paths inside the episode's upload folder) to a file field, or to what opens or takes them.

    Anything but a file field is clicked, and where that opens no file dialog, the files are dropped on it.
    """

    target: ElementRef
    files: tuple[str, ...]


class UploadAt(ActionBase, frozen=True, kw_only=True):
    """Click at viewport coordinates (CSS px), and give files to the file dialog that this opens."""

    x: float
    y: float
    files: tuple[str, ...]


class Goto(ActionBase, frozen=True, kw_only=True):
    """Open an address in the active tab."""

    url: str


class Back(ActionBase, frozen=True, kw_only=True):
    """Go back in the tab's history."""


class Forward(ActionBase, frozen=True, kw_only=True):
    """Go forward in the tab's history."""


class Reload(ActionBase, frozen=True, kw_only=True):
    """Load the page again."""


class NewTab(ActionBase, frozen=True, kw_only=True):
    """Open a tab, empty where `url` is "", and make it the active one."""

    url: str = ""


class FocusTab(ActionBase, frozen=True, kw_only=True):
    """Make a tab the active one; `index` counts from 0."""

    index: int


class CloseTab(ActionBase, frozen=True, kw_only=True):
    """Close a tab by its index from 0, or the active one."""

    index: int | None = None


class AnswerDialog(ActionBase, frozen=True, kw_only=True):
    """Accept or dismiss the open JavaScript dialog, with the text of a prompt."""

    accept: bool = True
    text: str = ""


class GetHtml(ActionBase, frozen=True, kw_only=True):
    """Ask for the page's HTML, or that of one element; answered in `StepResult.output`."""

    target: ElementRef | None = None


class CaptureScreen(ActionBase, frozen=True, kw_only=True):
    """Ask for a screenshot, of the viewport or of an element with what is around it.

    The element is scrolled into view first. The observation carries the picture, with where it begins.
    """

    target: ElementRef | None = None


class Maximize(ActionBase, frozen=True, kw_only=True):
    """Make the window fill its display; the viewport of a browser without one stays as it is."""


class Say(ActionBase, frozen=True, kw_only=True):
    """A message to the other party of a dialogue."""

    text: str


class Search(ActionBase, frozen=True, kw_only=True):
    """Look something up with the search engine that the task's setup names."""

    query: str


class Remember(ActionBase, frozen=True, kw_only=True):
    """Keep a note in the episode's memory, which is handed on from step to step."""

    text: str


class Submit(ActionBase, frozen=True, kw_only=True):
    """Submit the task's form through its own submit control, or the form of the target."""

    target: ElementRef | None = None


class Stop(ActionBase, frozen=True, kw_only=True):
    """End the episode, with an answer where the task asks for one."""

    answer: str = ""


class Noop(ActionBase, frozen=True, kw_only=True):
    """Wait; `seconds` is bounded by the environment."""

    seconds: float = 0.0


Action = (
    Click
    | ClickAt
    | Type
    | Select
    | Check
    | SetRange
    | Hover
    | HoverAt
    | Focus
    | MouseDown
    | MouseUp
    | KeyDown
    | KeyUp
    | Press
    | Scroll
    | ScrollTo
    | Drag
    | DragAt
    | Upload
    | UploadAt
    | Goto
    | Back
    | Forward
    | Reload
    | NewTab
    | FocusTab
    | CloseTab
    | AnswerDialog
    | GetHtml
    | CaptureScreen
    | Maximize
    | Say
    | Search
    | Remember
    | Submit
    | Stop
    | Noop
)
"""Encode and decode with msgspec: `msgspec.json.decode(data, type=Action)`."""


def verb(action: Action) -> str:
    """The action's tag, e.g. "click" or "setrange"."""
    return type(action).__name__.lower()


def target_of(action: Action) -> ElementRef | None:
    """The element an action is about, None for page-level actions (a drag: its source)."""
    if isinstance(action, Drag):
        return action.source
    return getattr(action, "target", None)


read_fields(Action)
