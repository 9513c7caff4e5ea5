"""An observation as one JSON document for programs."""

from __future__ import annotations

import msgspec

from webbench.core.observation import (
    SCHEMA_VERSION,
    AccessibilityNode,
    Candidate,
    Dialog,
    DialogueTurn,
    Observation,
    Tab,
    Timing,
    Viewport,
)
from webbench.core.renderings.viewport import shown


class ObservationDocument(msgspec.Struct, frozen=True, kw_only=True):
    """What programs get: absent fields of a node have their default (see `AccessibilityNode`)."""

    schema_version: int = SCHEMA_VERSION
    url: str
    title: str
    tabs: tuple[Tab, ...]
    viewport: Viewport
    frames: tuple[str, ...]
    focused: int | None
    condition: str
    problem: str
    changing: bool
    dialog: Dialog | None
    source: str
    left_out: int
    nodes: tuple[AccessibilityNode, ...]
    dialogue: tuple[DialogueTurn, ...]
    candidates: tuple[Candidate, ...]
    timing_ms: Timing


def json_document(observation: Observation, *, viewport_only: bool = False) -> ObservationDocument:
    """An observation as JSON has it; `viewport_only` leaves out what has to be scrolled to."""
    return ObservationDocument(
        url=observation.url,
        title=observation.title,
        tabs=observation.tabs,
        viewport=observation.viewport,
        frames=observation.frames,
        focused=observation.focused,
        condition=observation.condition,
        problem=observation.problem,
        changing=observation.changing,
        dialog=observation.dialog,
        source=observation.source,
        left_out=observation.left_out,
        nodes=tuple(shown(observation, viewport_only)),
        dialogue=observation.dialogue,
        candidates=observation.candidates,
        timing_ms=observation.timing,
    )


def as_json(observation: Observation, *, viewport_only: bool = False) -> str:
    """The document as one line of JSON; boxes are [left, top, width, height] in CSS px."""
    return msgspec.json.encode(json_document(observation, viewport_only=viewport_only)).decode()
