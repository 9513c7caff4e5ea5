"""What a ranking reads of a turn and of an element: the texts of dense markup ranking.

Paper, sections 3.1 (state of a turn), 5.1 (ranking) and appendix A.3 (representation of candidates). An
element is a candidate where it has an id and a box that shows in the viewport. Its document are six lines:
tag, path, its own text, box, attributes with the short ones first, the tags of its first children; long
values lose their middle. The query are the viewport, utterances of the instructor, and the latest turns.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from webbench.benchmarks.weblinx.turns.action import ID
from webbench.benchmarks.weblinx.turns.history_window import clock, window
from webbench.core.json_types import JsonObject
from webbench.core.observation import Box, DialogueTurn, Viewport

if TYPE_CHECKING:
    from lxml.html import HtmlElement

LONGEST_TEXT = 200
LONGEST_ATTRIBUTE = 100
CHILDREN = 2

_READABLE = ("title", "aria-label", "alt", "placeholder", "value", "name", "type", "id", "href")
"""Attributes that hold words."""
_ATTRIBUTE = re.compile(r"""([\w:.-]+)=('[^']*'|"[^"]*")""")


class CandidateText(msgspec.Struct, frozen=True):
    """An element as rankings read it, in the six parts of the format; all are text."""

    uid: str
    tag: str = ""
    xpath: str = ""
    text: str = ""
    bbox: str = ""
    attributes: str = ""
    children: str = ""

    @property
    def document(self) -> str:
        """All of it, as an encoder was trained to read it."""
        parts = ("tag", "xpath", "text", "bbox", "attributes", "children")
        return "\n".join(f"[[{part}]] {getattr(self, part)}" for part in parts)

    @property
    def words(self) -> str:
        """What a person would call it: tag, text, and the attributes that hold words."""
        said = [value[1:-1] for name, value in _ATTRIBUTE.findall(self.attributes) if name in _READABLE]
        return " ".join((self.tag, self.text, *said))


class StateText(msgspec.Struct, frozen=True):
    """A turn's state as rankings read it."""

    viewport: Viewport
    dialogue: Sequence[DialogueTurn]

    @property
    def query(self) -> str:
        """All of it, as an encoder was trained to read it."""
        earlier, recent = window(self.dialogue)
        said = " ".join(f"[{clock(turn.seconds)}] {turn.text}" for turn in earlier)
        return (
            f"Viewport(height={self.viewport.height}, width={self.viewport.width}) ---- "
            f"Instructor Utterances: {said or 'No instructor utterance'} ---- "
            f"Previous Turns:{' ; '.join(map(_turn_text, recent))}"
        )

    @property
    def words(self) -> str:
        """The utterances alone."""
        earlier, recent = window(self.dialogue)
        return " ".join(turn.text for turn in (*earlier, *recent) if turn.said)


def _turn_text(turn: DialogueTurn) -> str:
    if not turn.said:
        return turn.text
    return f'say(speaker="{turn.speaker}", utterance="{turn.text}", timestamp="{clock(turn.seconds)}")'


def candidate_texts(
    root: HtmlElement, boxes: Mapping[str, JsonObject], viewport: Viewport
) -> list[CandidateText]:
    """The candidates of a page in document order."""
    tree = root.getroottree()
    found = []
    for element in root.iter():
        uid = element.get(ID) if isinstance(element.tag, str) else None
        if uid and uid in boxes and _in_view(boxes[uid], viewport):
            attributes = {name: _short(value, LONGEST_ATTRIBUTE) for name, value in element.attrib.items()}
            ordered = sorted(attributes.items(), key=lambda item: len(item[1]))
            children = [child.tag for child in list(element)[:CHILDREN] if isinstance(child.tag, str)]
            found.append(
                CandidateText(
                    uid=uid,
                    tag=element.tag,
                    xpath=tree.getpath(element),
                    text=_short(element.text or "", LONGEST_TEXT),
                    bbox=_box_text(boxes[uid]),
                    attributes=" ".join(f"{name}={value!r}" for name, value in ordered),
                    children=" ".join(children),
                )
            )
    return found


_LEFT_OUT = frozenset(("html", "head", "body"))
_TAG = re.compile(r"[a-z][a-z0-9-]*")


def markup_of(candidates: Sequence[CandidateText]) -> str:
    """A page that holds the candidates side by side, for where nothing else is left of it."""
    import html

    parts = []
    for one in candidates:
        if _TAG.fullmatch(one.tag) and one.tag not in _LEFT_OUT:
            written = " ".join(
                f'{name}="{html.escape(value[1:-1])}"' for name, value in _ATTRIBUTE.findall(one.attributes)
            )
            parts.append(f"<{one.tag} {written}>{html.escape(one.text)}</{one.tag}>")
    return f"<html><body>{''.join(parts)}</body></html>" if parts else ""


def _in_view(box: JsonObject, viewport: Viewport) -> bool:
    try:
        return Box(*(float(box[side]) for side in ("x", "y", "width", "height"))).intersects(
            viewport.width, viewport.height
        )
    except (KeyError, TypeError, ValueError, OverflowError):
        return False


def _box_text(box: JsonObject) -> str:
    return " ".join(f"{side}={round(float(box[side]), 1):g}" for side in ("x", "y", "width", "height"))


def _short(text: str, most: int) -> str:
    """At most so many characters: the middle of a longer text gives way to dots."""
    if len(text) <= most:
        return text
    half = (most - 3) // 2
    return f"{text[:half]}...{text[len(text) - half - 1 :]}"
