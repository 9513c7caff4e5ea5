"""The choice of an endpoint: where a model is asked, with which key, from settings and options."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from webbench.core.errors import BadData, UsageError
from webbench.core.models.attempt import OPENAI_HOST
from webbench.core.models.model_client import Endpoint
from webbench.core.models.prices import price_of
from webbench.core.settings.settings import ModelSettings
from webbench.core.text.addresses import secrets_in, without_secrets

KEY_VARIABLE = "WEBBENCH_MODEL_KEY"
OPENAI_KEY_VARIABLE = "OPENAI_API_KEY"
LARGEST_KEY_FILE = 64 * 1024


class NoKey(UsageError):
    """The endpoint asks for a key, and there is none here."""


def endpoint_of(settings: ModelSettings, prices: Mapping[str, str]) -> Endpoint:
    """The configured endpoint.

    Raises:
        UsageError: no model is named, or the address is none.
        BadData: the price of the model can't be read.
    """
    if not settings.name:
        raise UsageError(
            "No model is set that could be asked",
            "name one: model=NAME after the agent, model.name in the settings, or WEBBENCH_MODEL_NAME",
        )
    return Endpoint(
        model=settings.name,
        url=checked_address(settings.url),
        timeout=settings.timeout,
        retries=settings.retries,
        stream=settings.stream,
        stall=settings.stall or math.inf,
        price=price_of(settings.name, prices),
    )


def checked_address(url: str) -> str:
    """The address as it is.

    Raises `UsageError` for one that no endpoint can have, and for one with a password in it: addresses are
    recorded and shown.
    """
    parts = None
    with suppress(ValueError):
        parts = urlsplit(url)
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(
            f'"{without_secrets(url)}" is no address of an endpoint', "https://host/v1, for example"
        )
    if "@" in parts.netloc or secrets_in(url):
        where = "a name or password before" if "@" in parts.netloc else "a key behind"
        raise UsageError(
            f"The endpoint's address has {where} its host {parts.hostname}",
            f"a key is read from a file (model.key_file) or from {KEY_VARIABLE}, and is never recorded",
        )
    return url


def model_key(settings: ModelSettings) -> str:
    """The endpoint's key: the variable WEBBENCH_MODEL_KEY, else the configured file, else "".

    OpenAI's own variable is used for OpenAI's own address alone. Raises `BadData` as `key_from` does.
    """
    return key_from(KEY_VARIABLE, settings.key_file, "model") or _openai_key(settings)


def second_key(settings: ModelSettings) -> str:
    """The key of a second endpoint beside that of the settings: its file, else OpenAI's own variable for
    OpenAI's own address; never WEBBENCH_MODEL_KEY, which is the first one's.

    Raises `BadData` as `key_from` does, `NoKey` as `required_key` does.
    """
    return _required(settings, key_from("", settings.key_file, "model") or _openai_key(settings))


def _openai_key(settings: ModelSettings) -> str:
    own = urlsplit(settings.url).hostname == OPENAI_HOST
    return os.environ.get(OPENAI_KEY_VARIABLE, "").strip() if own else ""


def required_key(settings: ModelSettings) -> str:
    """As `model_key`. Raises `NoKey` where there is none and the endpoint answers nobody without."""
    return _required(settings, model_key(settings))


def _required(settings: ModelSettings, key: str) -> str:
    if not key and urlsplit(settings.url).hostname == OPENAI_HOST:
        raise NoKey(
            f"{OPENAI_HOST} answers nobody without a key, and there is none",
            f"give it in {KEY_VARIABLE} or {OPENAI_KEY_VARIABLE}, or in a file (model.key_file); an endpoint "
            "elsewhere is named with url=ADDRESS after the agent, or model.url",
        )
    return key


def key_from(variable: str, file: str, whose: str) -> str:
    """The key in an environment variable ("" for none), else on the one line of a file, else "".

    Raises `BadData` for a file that can't be read; its content is in no message.
    """
    given = os.environ.get(variable, "").strip()
    if given or not file:
        return given
    try:
        with Path(file).expanduser().open(encoding="utf-8") as opened:
            text = opened.read(LARGEST_KEY_FILE).strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise BadData(f"The {whose}'s key file {file} can't be read: {reason}") from None
    if not text or not text.isprintable() or not text.isascii():
        raise BadData(f"The {whose}'s key file {file} holds no key", "write the key on one line")
    return text
