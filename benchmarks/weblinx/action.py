"""One action of a turn, predicted or recorded, as plain data."""

from __future__ import annotations

import msgspec

from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject

ID = "data-webtasks-id"
"""The attribute that names an element within a page."""


class TurnAction(msgspec.Struct, frozen=True):
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
    """An action from {"intent", "args", "element"}. Raises `BadData` naming what has another shape."""
    try:
        return msgspec.convert(data, TurnAction)
    except msgspec.ValidationError as error:
        raise BadData(f"an action has another shape: {error}") from error
