"""What a model is asked: messages with text and pictures, tools it may call, how it shall sample."""

from __future__ import annotations

import base64
import hashlib
from typing import Literal

import msgspec

from webbench.core.json_types import JsonObject
from webbench.core.model_call import Role, SentMessage, SentPicture


class Picture(msgspec.Struct, frozen=True, kw_only=True):
    """An encoded picture; see `SentPicture` for `step` and `note`."""

    data: bytes
    format: Literal["png", "jpeg", "webp"]
    width: int = 0
    height: int = 0
    step: int | None = None
    note: str = ""

    @property
    def data_url(self) -> str:
        return f"data:image/{self.format};base64,{base64.b64encode(self.data).decode()}"

    @property
    def sent(self) -> SentPicture:
        """As records keep it."""
        return SentPicture(
            sha256=hashlib.sha256(self.data).hexdigest(),
            step=self.step,
            note=self.note,
            width=self.width,
            height=self.height,
        )


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """One message of a prompt; its pictures stand after its text."""

    role: Role
    text: str
    pictures: tuple[Picture, ...] = ()

    @property
    def sent(self) -> SentMessage:
        """As records keep it."""
        pictures = tuple(picture.sent for picture in self.pictures)
        return SentMessage(role=self.role, text=self.text, pictures=pictures)

    @property
    def wire(self) -> JsonObject:
        """As the chat completions protocol has it."""
        if not self.pictures:
            return {"role": self.role, "content": self.text}
        shown = [{"type": "image_url", "image_url": {"url": picture.data_url}} for picture in self.pictures]
        return {"role": self.role, "content": [{"type": "text", "text": self.text}, *shown]}


class Tool(msgspec.Struct, frozen=True, kw_only=True):
    """A function the model may call; `parameters` is the JSON schema of its arguments."""

    name: str
    description: str
    parameters: JsonObject

    @property
    def wire(self) -> JsonObject:
        return {"type": "function", "function": msgspec.to_builtins(self)}


class Sampling(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a model samples; None leaves it to the endpoint.

    Attributes:
        max_tokens: of the reply.
        stop: texts at which the reply ends.
        response_format: the form that the endpoint shall keep the reply to, by the protocol's words.
    """

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    stop: tuple[str, ...] = ()
    response_format: JsonObject = {}

    @property
    def parameters(self) -> JsonObject:
        """What is sent, by the protocol's names."""
        given: JsonObject = msgspec.to_builtins(self)
        return given


class Completion(msgspec.Struct, frozen=True, kw_only=True):
    """What a model answered; see `ModelCall` for the fields."""

    text: str = ""
    thinking: str = ""
    tools: tuple[tuple[str, str], ...] = ()
    """Name and JSON arguments of each tool that was called."""
    finish: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
