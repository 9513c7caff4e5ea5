"""The `obs` that BrowserGym gives its agents, from one observation line of ours.

All fields of BrowserGym 0.14's `BrowserEnv`, and the texts that its default preprocessor adds (`axtree_txt`,
`dom_txt`, `pruned_html`), so that agents without a preprocessor of their own find them, too.
"""

from __future__ import annotations

import base64
import io
import time
from collections.abc import Sequence

from webbench.core.agents.browsergym.document import dom_snapshot, html_text
from webbench.core.agents.browsergym.tree import accessibility_tree, element_properties, focused_bid
from webbench.core.json_types import JsonObject

ROLES = {"instructor": "user", "user": "user", "infeasible": "infeasible"}
GREETING = "What can I do for you on the web?"


class Chat:
    """What was said in the episode: the goal, the earlier dialogue of the task, the agent's own words."""

    def __init__(self, goal: str, pictures: Sequence[str] = ()) -> None:
        self._given = [_message("assistant", GREETING), _message("user", goal)]
        self._given += [_message("user_image", one) for one in pictures]
        self._said: list[JsonObject] = []

    def say(self, text: str) -> None:
        """The agent said something to the user."""
        self._said.append(_message("assistant", text))

    @property
    def said(self) -> list[JsonObject]:
        """What the agent said, as `recall` takes it."""
        return self._said

    def recall(self, said: list[JsonObject]) -> None:
        """It said this before."""
        self._said = said

    def messages(self, dialogue: list[JsonObject]) -> tuple[JsonObject, ...]:
        """`chat_messages`, with the turns that the task's dialogue had before.

        The chat of a BrowserGym environment has the agent's own words, too, under BrowserGym's roles.
        """
        earlier = [
            _message(ROLES.get(turn["speaker"], "assistant"), turn["text"])
            for turn in dialogue
            if turn.get("said", True)
        ]
        whole = any(turn["speaker"] in ("assistant", "infeasible") for turn in dialogue)
        return (*self._given, *earlier, *(() if whole else self._said))


def _message(role: str, text: str) -> JsonObject:
    return {"role": role, "timestamp": time.time(), "message": text}


class Observer:
    """Makes an `obs` of each line; times count from when it was made.

    Args:
        goal: the task's intent.
        pictures: what it shows beside, as the line `hello` has them.
    """

    def __init__(self, goal: str, pictures: Sequence[JsonObject] = ()) -> None:
        self.goal = goal
        self._pictures = [f"data:image/{one['format']};base64,{one['base64']}" for one in pictures]
        self.chat = Chat(goal, self._pictures)
        self._began = time.time()

    @property
    def kept(self) -> JsonObject:
        """What `go_on` takes: what the agent said, and seconds."""
        return {"said": self.chat.said, "elapsed": round(time.time() - self._began, 3)}

    def go_on(self, said: list[JsonObject], elapsed: float) -> None:
        """The episode had begun before this process."""
        self.chat.recall(said)
        self._began -= elapsed

    def obs(self, line: JsonObject, last_action: str) -> JsonObject:
        """One observation; `last_action` is the text that BrowserGym's agent knows it by."""
        page = line["observation"]
        nodes, viewport = page.get("nodes", []), page.get("viewport", {})
        tabs = page.get("tabs") or [
            {"url": page.get("url", ""), "title": page.get("title", ""), "active": True}
        ]
        properties = element_properties(nodes, viewport)
        html = html_text(nodes)
        return {
            "chat_messages": self.chat.messages(page.get("dialogue", [])),
            "goal": self.goal,
            "goal_object": (
                {"type": "text", "text": self.goal},
                *({"type": "image_url", "image_url": {"url": one}} for one in self._pictures),
            ),
            "open_pages_urls": tuple(tab["url"] for tab in tabs),
            "open_pages_titles": tuple(tab["title"] for tab in tabs),
            "active_page_index": _array([next((i for i, tab in enumerate(tabs) if tab.get("active")), 0)]),
            "url": page.get("url", ""),
            "screenshot": picture(line.get("screenshot")),
            "dom_object": dom_snapshot(page, properties),
            "axtree_object": accessibility_tree(nodes),
            "extra_element_properties": properties,
            "focused_element_bid": focused_bid(nodes, page.get("focused")),
            "last_action": last_action,
            "last_action_error": _error(line),
            "elapsed_time": _array([time.time() - self._began]),
            "axtree_txt": line.get("text", ""),
            "dom_txt": html,
            "pruned_html": html,
        }


def _error(line: JsonObject) -> str:
    """Why the last action had no effect, or a person didn't let it have any, and what is the matter now."""
    rejected = line.get("rejected", "")
    parts = [
        line.get("last_error", ""),
        f"rejected by the user: {rejected}" if rejected else "",
        line["problem"],
    ]
    if line.get("dialog"):
        parts.append(f"a dialog is open: {line['dialog']['message']}")
    return "; ".join(part for part in parts if part)


def picture(sent: JsonObject | None) -> object:
    """The picture as an array of uint8, (height, width, 3) in RGB; None where none was sent."""
    if not sent:
        return None
    import numpy
    from PIL import Image

    with Image.open(io.BytesIO(base64.b64decode(sent["base64"]))) as opened:
        return numpy.array(opened.convert("RGB"))


def _array(values: list[float]) -> object:
    try:
        import numpy
    except ImportError:
        return values
    return numpy.asarray(values)
