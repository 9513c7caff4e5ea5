"""The messages of an Inspect sample as turns of a conversation, with attachments put back in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from webbench.core.action.action import Action, Back, Click, ElementRef, Forward, Goto, Reload, Scroll, Type
from webbench.core.exchange.account.tally import Lost
from webbench.core.exchange.conversation.spoken_turn import AGENT, OF_MESSAGE, Call, Result, Turn
from webbench.core.exchange.conversation.steps_of_turns import action_of_page_call
from webbench.core.exchange.episode_building import text_of
from webbench.core.exchange.import_format import Picture
from webbench.core.exchange.reading.picture_bytes import picture_of_base64
from webbench.core.exchange.reading.points_in_time import utc
from webbench.core.exchange.reading.tree_text import nodes_of
from webbench.core.json_types import Json, JsonObject, objects_in
from webbench.core.observation import Observation
from webbench.core.text.message_parts import text_parts

ATTACHMENT = "attachment://"
OWN = "webbench"
"""Under `metadata` of a message: what an export of ours adds."""
BROWSER = "web_browser"
_USAGE = {
    "input_tokens": "prompt_tokens",
    "output_tokens": "completion_tokens",
    "input_tokens_cache_read": "cached_tokens",
    "reasoning_tokens": "reasoning_tokens",
    "total_cost": "cost",
}
_ROOT = "RootWebArea"


class Messages:
    """Reads the messages of one sample.

    Args:
        sample: whole, with `attachments` and `events`.
        lost: told of pictures that can't be kept.
    """

    def __init__(self, sample: JsonObject, lost: Lost) -> None:
        given = sample.get("attachments")
        self._attachments: Mapping[str, Json] = given if isinstance(given, dict) else {}
        self._lost = lost
        called = _model_calls(sample)
        self._calls = {name: event for name, event in called if name}
        listed = sample.get("messages")
        self._messages: Sequence[Json] = listed if isinstance(listed, list) else ()
        said = [one for one in self._messages if isinstance(one, dict) and one.get("role") == "assistant"]
        unnamed = len(said) == len(called) and not any(one.get("id") in self._calls for one in said)
        # Older logs give messages no ids: then calls are those of the messages in their order.
        self._in_order = [event for _, event in called] if unnamed else []

    def turns(self) -> list[Turn]:
        """A turn for each message; what a tool said comes with the turn that called it."""
        turns: list[Turn] = []
        for message in self._messages:
            if not isinstance(message, dict):
                self._lost.append("a message that is no object")
            elif message.get("role") == "tool":
                result = self._result(message)
                if not turns or turns[-1].speaker not in (AGENT, "tool"):
                    turns.append(Turn(speaker="tool"))
                turns[-1].results.append(result)
            else:
                turns.append(self._turn(message))
        return turns

    def text(self, value: Json) -> str:
        """The words of a content: of text parts, with attachments put back in."""
        return self._content(value)[0]

    def _turn(self, message: JsonObject) -> Turn:
        rest = dict(message)
        role = text_of(rest.pop("role", "")) or "user"
        agent = role == "assistant"
        text, picture, more = self._content(rest.get("content"))
        if isinstance(rest.get("content"), str) and rest["content"] == text:
            del rest["content"]
        turn = Turn(speaker=AGENT if agent else role, text=text, own=_own(rest))
        if agent:
            turn.reasoning = self._reasoning(message.get("content"))
            turn.model = text_of(message.get("model"))
            turn.calls = self._called(rest)
            called = self._calls.get(text_of(message.get("id")), {})
            if self._in_order:
                called = self._in_order.pop(0)
            turn.at, turn.usage, turn.seconds = _at(called), _usage(called), _took(called)
        page = None if agent or not turn.own else _page(turn.own)
        if picture is not None or page is not None:
            turn.results.append(Result(page=page, picture=picture, pictures=more, rest=dict(OF_MESSAGE)))
        turn.rest = rest
        return turn

    def _called(self, rest: JsonObject) -> list[Call]:
        listed = rest.get("tool_calls")
        if not isinstance(listed, list) or not listed or not all(isinstance(one, dict) for one in listed):
            return []
        del rest["tool_calls"]
        calls = []
        for one in listed:
            left = dict(one)
            name, id = text_of(left.pop("function", "")), text_of(left.pop("id", ""))  # noqa: A001 - Inspect's word
            calls.append(Call(name=name, arguments=left.pop("arguments", {}), id=id, rest=left))
        return calls

    def _result(self, message: JsonObject) -> Result:
        rest = dict(message)
        del rest["role"]
        text, picture, more = self._content(rest.get("content"))
        if isinstance(rest.get("content"), str) and rest["content"] == text and text:
            del rest["content"]
        error = rest.get("error")
        call = text_of(rest["tool_call_id"]) if rest.get("tool_call_id") else ""
        if call:
            del rest["tool_call_id"]
        own = _own(rest)
        page = _page(own) if own else self._browsed(text_of(message.get("function")), text)
        return Result(
            call=call,
            text=text_of(own.get("output")) if own else text,
            error=text_of(error.get("message")) or text_of(error.get("type"))
            if isinstance(error, dict)
            else "",
            page=page,
            picture=picture,
            pictures=more,
            rest={
                name: value for name, value in rest.items() if not own or name not in ("content", "metadata")
            },
        )

    def _browsed(self, function: str, text: str) -> Observation | None:
        """The page that a browser tool answered with: an accessibility tree as text."""
        nodes = nodes_of(text) if function.startswith(BROWSER) else ()
        if not nodes:
            return None
        root = next((node for node in nodes if node.role == _ROOT), None)
        url = str(root.states.get("url", "")) if root is not None else ""
        return Observation(url=url, title=root.name if root is not None else "", nodes=nodes)

    def _content(self, content: Json) -> tuple[str, Picture | None, int]:
        words = "\n".join(map(self._resolved, text_parts(content)))
        found = [self._picture(part) for part in objects_in(content) if part.get("type") == "image"]
        pictures = [one for one in found if one is not None]
        return words, pictures[0] if pictures else None, max(0, len(pictures) - 1)

    def _reasoning(self, content: Json) -> str:
        told = [part for part in objects_in(content) if part.get("type") == "reasoning"]
        return "\n".join(
            self._resolved(text_of(part.get("reasoning") or part.get("summary"))) for part in told
        )

    def _picture(self, part: JsonObject) -> Picture | None:
        image = self._resolved(text_of(part.get("image")))
        if image.startswith("data:"):
            return picture_of_base64(image, self._lost)
        self._lost.has("pictures")
        self._lost.lose("pictures", "a picture that is not in the log; where it is is kept")
        return None

    def _resolved(self, text: str) -> str:
        """The text that a reference stands for; a reference to nothing stays as it is, and is told."""
        if not text.startswith(ATTACHMENT):
            return text
        found = self._attachments.get(text.removeprefix(ATTACHMENT))
        if not isinstance(found, str):
            self._lost.append("an attachment that the log doesn't hold")
            return text
        return found


def understood(call: Call, page: Observation | None) -> Action | None:
    """The action of one of Inspect's browser tools, or as elsewhere."""
    if not call.name.startswith(BROWSER) or not isinstance(call.arguments, dict):
        return action_of_page_call(call, page)
    target = _element(call.arguments.get("element_id"), page)
    text = text_of(call.arguments.get("text"))
    match call.name.removeprefix(BROWSER).lstrip("_"):
        case "go":
            return Goto(url=text_of(call.arguments.get("url")))
        case "click" if target is not None:
            return Click(target=target)
        case "type" | "type_submit" as how if target is not None:
            return Type(target=target, text=text, enter=how == "type_submit")
        case "scroll":
            way = -1.0 if text_of(call.arguments.get("direction")) == "up" else 1.0
            return Scroll(dy=way, unit="viewports")
        case "back":
            return Back()
        case "forward":
            return Forward()
        case "refresh":
            return Reload()
        case _:
            return None


def _element(id: Json, page: Observation | None) -> ElementRef | None:
    if not isinstance(id, int) or isinstance(id, bool) or not 0 <= id < 10**9:
        return None
    node = page.node(id) if page is not None else None
    return ElementRef(id=id, role=node.role, name=node.name) if node is not None else ElementRef(id=id)


def _own(rest: JsonObject) -> JsonObject:
    """What an export of ours added, taken out of the metadata."""
    metadata = rest.get("metadata")
    own = metadata.get(OWN) if isinstance(metadata, dict) else None
    return own if isinstance(own, dict) else {}


def _page(own: JsonObject) -> Observation | None:
    nodes = nodes_of(text_of(own.get("tree")))
    return (
        Observation(url=text_of(own.get("url")), title=text_of(own.get("title")), nodes=nodes)
        if nodes
        else None
    )


def _model_calls(sample: JsonObject) -> list[tuple[str, JsonObject]]:
    """The events in which models were called, by the id of the message that came back, "" without one."""
    listed = sample.get("events")
    if not isinstance(listed, list):
        transcript = sample.get("transcript")
        listed = transcript.get("events") if isinstance(transcript, dict) else None
    found = []
    for event in listed if isinstance(listed, list) else ():
        output = event.get("output") if isinstance(event, dict) and event.get("event") == "model" else None
        choices = output.get("choices") if isinstance(output, dict) else None
        for choice in choices if isinstance(choices, list) else ():
            message = choice.get("message") if isinstance(choice, dict) else None
            if isinstance(message, dict):
                found.append((text_of(message.get("id")), event))
    return found


def _at(event: JsonObject) -> str:
    return utc(event.get("timestamp"))


def _usage(event: JsonObject) -> JsonObject:
    output = event.get("output")
    usage = output.get("usage") if isinstance(output, dict) else None
    return usage_of_inspect(usage)


def usage_of_inspect(usage: Json) -> JsonObject:
    """Tokens and cost under the names of a turn."""
    if not isinstance(usage, dict):
        return {}
    known = {ours: usage.get(theirs) for theirs, ours in _USAGE.items()}
    return {
        name: value
        for name, value in known.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }


def _took(event: JsonObject) -> float | None:
    """Seconds that the call took, None where the log doesn't tell."""
    output = event.get("output")
    took = output.get("time") if isinstance(output, dict) else None
    return float(took) if isinstance(took, int | float) and not isinstance(took, bool) else None
