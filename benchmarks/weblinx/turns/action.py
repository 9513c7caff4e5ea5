"""One action of a turn, predicted or recorded, as plain data."""

from __future__ import annotations

import msgspec

from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject

ID = "data-webtasks-id"
"""The attribute that names an element within a page."""


class TurnAction(msgspec.Struct, frozen=True, gc=False):
    """An intent, its arguments, and the element that it is done to.

    Attributes:
        intent: as `intents` spells it; None for a turn of no known kind.
        args: by name: "utterance", "text", "value", "url", "x", "y", ...
        element: {"attributes": {ID: ...}, "bbox": {"left", "top", "right", "bottom", ...}} in CSS pixels of
            the page, None where there is none.
    """

    intent: str | None
    args: JsonObject = {}
    element: JsonObject | None = None

    @property
    def id(self) -> Json:
        """The element's id, None without one. Raises `BadData` for an element without attributes."""
        if self.element is None:
            return None
        attributes = self.element.get("attributes")
        if not isinstance(attributes, dict):
            raise BadData("the element has no attributes, so no id can be read")
        return attributes.get(ID)


def action_of(data: Json) -> TurnAction:
    """An action from {"intent", "args", "element"}, of which the last two may be missing.

    The parts are kept as they are, not copied. Raises `BadData` naming what has another type.
    """
    if not isinstance(data, dict):
        raise BadData(f"an action is an object, this is {_type(data)}")
    intent, args, element = data.get("intent"), data.get("args", {}), data.get("element")
    if intent is not None and not isinstance(intent, str):
        raise BadData(f"the intent of an action is text, this is {_type(intent)}")
    if not isinstance(args, dict):
        raise BadData(f"the arguments of an action are an object, these are {_type(args)}")
    if element is not None and not isinstance(element, dict):
        raise BadData(f"the element of an action is an object or null, this is {_type(element)}")
    return TurnAction(intent, args, element)


def _type(value: Json) -> str:
    return "null" if value is None else type(value).__name__
