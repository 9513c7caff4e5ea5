"""The intents of WebLINX' actions, and which of them have an element or a text to compare."""

from __future__ import annotations

from webbench.core.errors import BadData
from webbench.core.json_types import Json

SAY, CLICK, HOVER, TEXT_INPUT, SUBMIT = "say", "click", "hover", "textinput", "submit"
CHANGE, LOAD, SCROLL, COPY, PASTE = "change", "load", "scroll", "copy", "paste"
TAB_CREATE, TAB_REMOVE, TAB_SWITCH = "tabcreate", "tabremove", "tabswitch"
ACTION = "action"
"""A wrapper that some models use: the intent is the argument of this name."""
UNKNOWN = "<unk>"

ELEMENT_INTENTS = frozenset((CLICK, HOVER, TEXT_INPUT, SUBMIT, CHANGE, SCROLL, COPY, PASTE))
TEXT_INTENTS = frozenset((SAY, TEXT_INPUT, CHANGE, LOAD, COPY, PASTE))
TAB_INTENTS = frozenset((TAB_CREATE, TAB_REMOVE, TAB_SWITCH))
KNOWN = ELEMENT_INTENTS | TEXT_INTENTS | TAB_INTENTS | {ACTION}

PAPER_ELEMENT_GROUP = frozenset((CLICK, TEXT_INPUT, SUBMIT))
PAPER_TEXT_GROUP = frozenset((SAY, TEXT_INPUT, LOAD))


def intent_of(name: Json) -> str:
    """The intent that a name stands for: case, outer blanks and underscores don't matter.

    `UNKNOWN` for any other text. Raises `BadData` for what is no text.
    """
    if not isinstance(name, str):
        raise BadData(f"an intent has to be text, this is {name!r}")
    bare = name.lower().strip().replace("_", "")
    return bare if bare in KNOWN else UNKNOWN
