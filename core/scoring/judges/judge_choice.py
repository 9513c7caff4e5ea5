"""The choice of a judge: "none", "human", or a model with the settings' endpoint."""

from __future__ import annotations

import shlex
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from webbench.core.errors import UsageError
from webbench.core.json_types import JsonObject
from webbench.core.judge import Judge
from webbench.core.models.chat import Sampling
from webbench.core.models.endpoint_choice import checked_address, key_from
from webbench.core.models.model_client import Endpoint
from webbench.core.models.prices import Price, price_of
from webbench.core.scoring.judges.cache import ReplyCache
from webbench.core.scoring.judges.human import HUMAN, AskPerson, HumanJudge
from webbench.core.scoring.judges.json_form import ASKED
from webbench.core.scoring.judges.model import AT_A_TIME, ModelJudge, PictureSource
from webbench.core.settings.locations import cache_folder
from webbench.core.settings.settings import JudgeSettings

NONE = "none"
CONFIGURED = "model"
KEY_VARIABLE = "WEBBENCH_JUDGE_KEY"
MOST_TOKENS = 1_000_000
LONGEST_TIMEOUT = 86_400
MOST_AT_A_TIME = 64
_HINT = "write none, human, model, or the name of a model, with options: 'gpt-x temperature=1'"


def choose_judge(
    spec: str,
    settings: JudgeSettings,
    ask_person: AskPerson | None = None,
    prices: Mapping[str, str] = {},
    pictures: PictureSource | None = None,
) -> Judge | None:
    """The judge of a spec: "none" or "", "human", "model" (the configured one), or "NAME option=value ...".

    Options of a model: `url`, `temperature` (empty leaves it to the endpoint), `max_tokens` of a reply,
    `timeout` in seconds of one attempt, `at_a_time`, how many questions may be under way at once, and
    `form=json`, which has the server hold the model to a schema.

    Args:
        ask_person: how a person is asked; None where nobody is there.
        prices: of models by name; of one that isn't among them the judge's own price holds.
        pictures: where those are that questions show.

    Raises:
        UsageError: an unreadable spec, no model, or a person who isn't there.
        BadData: the key file can't be read, or the model's price is none.
    """
    name, *words = _split_spec(spec) or [NONE]
    if name in (NONE, HUMAN) and words:
        raise UsageError(f'The judge "{name}" takes no option "{words[0]}"', _HINT)
    if name == NONE:
        return None
    if name == HUMAN:
        if ask_person is None:
            raise UsageError("A human judge needs a terminal to be asked at", "or name a model with --judge")
        return HumanJudge(ask_person)
    model = settings.model if name == CONFIGURED else name
    if not model:
        raise UsageError("No model is set that could judge", "set judge.model or WEBBENCH_JUDGE_MODEL")
    price = _price(model, settings, prices)
    endpoint, sampling, at_a_time = _options(model, words, settings, price)
    cache = ReplyCache(cache_folder() / "judge")
    return ModelJudge(endpoint, sampling, judge_key(settings), cache, at_a_time, pictures)


@asynccontextmanager
async def in_use(judge: Judge | None) -> AsyncIterator[Judge | None]:
    """The judge, whose connections are closed afterwards."""
    try:
        yield judge
    finally:
        if isinstance(judge, ModelJudge):
            await judge.close()


def judge_key(settings: JudgeSettings) -> str:
    """The endpoint's key from the environment, else from the configured file, else "".

    Raises `BadData` for a file that can't be read; its content is in no message.
    """
    return key_from(KEY_VARIABLE, settings.key_file, "judge")


def _split_spec(spec: str) -> list[str]:
    try:
        return shlex.split(spec)
    except ValueError as error:
        raise UsageError(f'The judge "{spec}" can\'t be read: {str(error).lower()}', _HINT) from error


def _price(model: str, settings: JudgeSettings, prices: Mapping[str, str]) -> Price:
    named = price_of(model, prices)
    return named if named != Price() else Price(input=settings.input_price, output=settings.output_price)


def _options(
    model: str, words: list[str], settings: JudgeSettings, price: Price
) -> tuple[Endpoint, Sampling, int]:
    url, temperature, most = settings.url, "0", None
    timeout, at_a_time = settings.timeout, AT_A_TIME
    form: JsonObject = {}
    for word in words:
        name, equals, value = word.partition("=")
        if name == "url" and equals:
            url = value
        elif name == "temperature" and equals:
            temperature = value
        elif name == "max_tokens" and equals:
            most = _whole(value, MOST_TOKENS, "limit of tokens")
        elif name == "timeout" and equals:
            timeout = float(_whole(value, LONGEST_TIMEOUT, "number of seconds"))
        elif name == "at_a_time" and equals:
            at_a_time = _whole(value, MOST_AT_A_TIME, "number of questions")
        elif word == "form=json":
            form = ASKED
        else:
            raise UsageError(
                f'A judge has no option "{word}"',
                "it has url=…, temperature=…, max_tokens=…, timeout=…, at_a_time=… and form=json",
            )
    endpoint = Endpoint(
        model=model,
        url=checked_address(url),
        timeout=timeout,
        retries=settings.retries,
        price=price,
    )
    sampling = Sampling(temperature=_temperature(temperature), max_tokens=most, response_format=form)
    return endpoint, sampling, at_a_time


def _whole(text: str, most: int, what: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 8 and 1 <= int(text) <= most):
        raise UsageError(f'"{text}" is no {what}', f"it is a number from 1 to {most}")
    return int(text)


def _temperature(text: str) -> float | None:
    try:
        value = float(text) if text else None
    except ValueError:
        value = -1.0
    if value is not None and not 0 <= value <= 2:
        raise UsageError(f'"{text}" is no temperature', "it is a number from 0 to 2, or empty")
    return value
