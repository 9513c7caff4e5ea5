"""A chat message whose content is a text or a list of parts, of which some are texts."""

from __future__ import annotations

from webbench.core.json_types import Json, objects_in, text_of


def text_parts(content: Json) -> list[str]:
    """The parts of kind "text"; a content that is no list is one. Pictures and other kinds are left out."""
    if not isinstance(content, list):
        return [text_of(content)]
    return [text_of(part.get("text")) for part in objects_in(content) if part.get("type") == "text"]


def message_text(content: Json) -> str:
    """The texts of a content, each on a line of its own."""
    return "\n".join(text_parts(content))
