"""Key listeners: whether anything in a page could tell a typed text from one put in at one stroke."""

from __future__ import annotations

import asyncio

from webbench.core.browser.elements.elements import Element
from webbench.core.errors import ActionFailed
from webbench.core.json_types import Json

KINDS = ("keydown", "keypress", "keyup", "beforeinput", "textInput", "input")
"""Events of every key: for masks, completions, fields that hand the focus on after so many characters."""

MOST_PLACES = 2000
"""Looked at between an element and its window: a form with a field `parentNode` has no way out."""

_LISTENS = """function(listeners, kinds, most) {
  const heard = (place) => {
    const found = listeners(place);
    return kinds.some((kind) => found[kind]);
  };
  let place = this;
  for (; place && most > 0; place = place.assignedSlot || place.parentNode || place.host, most -= 1) {
    if (heard(place)) return true;
  }
  return Boolean(place) || heard(window);
}"""


async def is_listened_to(element: Element) -> bool:
    """Whether a script of the page hears of each key that the element gets.

    True where that can't be told, as in frames that share their page's process: listeners are known in the
    page's own world only, and its tool for them works in one document.
    """
    send = element.session.send
    tool = {"expression": "getEventListeners", "includeCommandLineAPI": True}
    try:
        node, listeners = await asyncio.gather(
            send("DOM.describeNode", {"objectId": element.object_id}), send("Runtime.evaluate", tool)
        )
        own = await send("DOM.resolveNode", {"backendNodeId": node["node"]["backendNodeId"]})
        arguments: list[Json] = [
            {"objectId": listeners["result"]["objectId"]},
            {"value": list(KINDS)},
            {"value": MOST_PLACES},
        ]
        call = {"functionDeclaration": _LISTENS, "arguments": arguments, "returnByValue": True}
        answer = await send("Runtime.callFunctionOn", {"objectId": own["object"]["objectId"], **call})
    except (ActionFailed, KeyError):
        return True
    return answer["result"].get("value") is not False
