"""The accepted options of agents that ask a model: read from `name=value` words, listed with origin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta

from webbench.core.errors import UsageError
from webbench.core.models.chat import Sampling
from webbench.core.settings.settings import ModelSettings
from webbench.core.text.nearest import nearest_names
from webbench.core.text.plain_text import plain_clip

PROMPT = {"prompt": True}
"""Marks an option that names a prompt, as `extra` of its `Meta`: it is listed with the file that it means."""

_SWITCHES = {"yes": "true", "on": "true", "no": "false", "off": "false"}


class ModelOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What every agent that asks a model may be told; empty leaves it to the settings or the endpoint."""

    model: Annotated[str, Meta(description="Model to ask; empty: the setting model.name")] = ""
    url: Annotated[str, Meta(description="Base address of the endpoint; empty: the setting model.url")] = ""
    key_file: Annotated[
        str, Meta(description="File with the endpoint's key; empty: as for the setting model.key_file")
    ] = ""
    temperature: Annotated[
        Annotated[float, Meta(ge=0, le=2)] | None, Meta(description="Sampling temperature")
    ] = None
    top_p: Annotated[
        Annotated[float, Meta(gt=0, le=1)] | None, Meta(description="Share of the probability sampled from")
    ] = None
    max_tokens: Annotated[
        Annotated[int, Meta(ge=1)] | None, Meta(description="Tokens that a reply may have")
    ] = None
    seed: Annotated[
        int | None, Meta(description="Seed of the sampling; empty: the run's, where it has one")
    ] = None
    stop: Annotated[tuple[str, ...], Meta(description="Texts at which a reply ends, between | signs")] = ()
    stream: Annotated[bool | None, Meta(description="Have replies sent as they are written")] = None
    timeout: Annotated[
        Annotated[float, Meta(gt=0)] | None, Meta(description="Seconds that one attempt may take")
    ] = None
    retries: Annotated[
        Annotated[int, Meta(ge=0, le=20)] | None, Meta(description="Further attempts when one failed")
    ] = None
    prompts: Annotated[str, Meta(description="Folder with prompts that replace those of the same name")] = ""

    def settings(self, settings: ModelSettings) -> ModelSettings:
        """The settings with what is wished otherwise here."""
        wished = {
            "name": self.model,
            "url": self.url,
            "key_file": self.key_file,
            "stream": self.stream,
            "timeout": self.timeout,
            "retries": self.retries,
        }
        given = {name: value for name, value in wished.items() if value not in ("", None)}
        return msgspec.structs.replace(settings, **given)

    def sampling(self, run_seed: int = 0) -> Sampling:
        """How the model shall sample. A run's seed of 0 is none."""
        return Sampling(
            temperature=self.temperature,
            top_p=self.top_p,
            max_tokens=self.max_tokens,
            seed=self.seed if self.seed is not None else run_seed or None,
            stop=self.stop,
        )


Options = TypeVar("Options", bound=ModelOptions)


class DeclaredOption(msgspec.Struct, frozen=True):
    """One option as declared; `prompt`: it names one."""

    name: str
    default: object
    description: str
    prompt: bool = False


def declared_options(kind: type[msgspec.Struct]) -> list[DeclaredOption]:
    """The options of an agent in the order of declaration."""
    return [
        DeclaredOption(one.name, one.default, _description(one), _marked(one))
        for one in msgspec.structs.fields(kind)
    ]


def read_model_options(agent: str, words: Sequence[str], kind: type[Options]) -> Options:
    """The options that `name=value` words give; of two for one name the later counts.

    Yes and no may be written for true and false; an empty value stands for the default.

    Raises `UsageError` naming the options there are, or what is wrong with a value.
    """
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    values: dict[str, object] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if name not in fields or not equals:
            raise _unknown(agent, word, list(fields))
        values.pop(name, None)
        if text:
            values[name] = _value(agent, word, text, fields[name])
    return msgspec.convert(values, kind)


def _value(agent: str, word: str, text: str, field: msgspec.structs.FieldInfo) -> object:
    given = tuple(text.split("|")) if isinstance(field.default, tuple) else _SWITCHES.get(text.lower(), text)
    if isinstance(field.default, str):
        given = text
    try:
        converted: object = msgspec.convert(given, type=field.type, strict=False)
    except msgspec.ValidationError as error:
        reason = f"{str(error)[:1].lower()}{str(error)[1:]}"
        told = f'The agent "{agent}" can\'t take {plain_clip(word, 60)}: {reason}'
        raise UsageError(told, _description(field)) from error
    return converted


def _description(field: msgspec.structs.FieldInfo) -> str:
    notes = getattr(field.type, "__metadata__", ())
    return next((note.description for note in notes if note.description), "")


def _marked(field: msgspec.structs.FieldInfo) -> bool:
    return any(note.extra == PROMPT for note in getattr(field.type, "__metadata__", ()))


def _unknown(agent: str, word: str, known: Sequence[str]) -> UsageError:
    near = nearest_names(word.partition("=")[0], known, 1)
    hint = f"did you mean {near[0]}=…? " if near else ""
    return UsageError(
        f'The agent "{agent}" has no option "{plain_clip(word, 40)}"',
        f"{hint}options are written name=value: {', '.join(known)}",
    )
