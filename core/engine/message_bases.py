"""The two kinds of messages between a screen (or a command) and the engine."""

from __future__ import annotations

import msgspec


class IntentBase(msgspec.Struct, frozen=True, kw_only=True, tag_field="intent", tag=True):
    """Something the person wants; answered by events."""


class EventBase(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag=True):
    """Something that happened in the engine."""
