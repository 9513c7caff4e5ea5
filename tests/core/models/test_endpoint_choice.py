"""Where a model is asked: settings, keys, and what it costs."""

from __future__ import annotations

from pathlib import Path

import pytest

from webbench.core.errors import BadData, UsageError
from webbench.core.models.endpoint_choice import endpoint_of, model_key, required_key
from webbench.core.models.prices import Price, price_of
from webbench.core.settings.load_settings import load_settings
from webbench.core.settings.settings import ModelSettings

PRICES = {"gpt-x": "2.5 10", "gpt-x-mini": "0.1, 0.4", "house": "0/0", "torn": "cheap"}


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WEBBENCH_CONFIG", str(tmp_path / "none.toml"))
    for name in ("WEBBENCH_MODEL_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("model", "price"),
    [
        ("gpt-x", Price(input=2.5, output=10)),
        ("GPT-X-2026-03-01", Price(input=2.5, output=10)),
        ("gpt-x-mini-2026", Price(input=0.1, output=0.4)),
        ("gpt-x-latest", Price(input=2.5, output=10)),
        ("gpt-xl", Price()),
        ("gpt-x.2", Price()),
        ("gpt-x-nano", Price()),
        ("house", Price(input=0, output=0)),
    ],
)
def test_prices(model: str, price: Price) -> None:
    assert price_of(model, PRICES) == price


def test_a_torn_price() -> None:
    with pytest.raises(BadData, match=r"prices\.torn"):
        price_of("torn", PRICES)


def test_cost_is_known_where_price_and_tokens_are() -> None:
    assert price_of("gpt-x", PRICES).cost(1000, 100) == pytest.approx(0.0035)
    assert price_of("house", PRICES).cost(1000, 100) == 0
    assert price_of("gpt-xl", PRICES).cost(1000, 100) is None
    assert price_of("gpt-x", PRICES).cost(None, 100) is None


def test_endpoint_from_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WEBBENCH_MODEL_NAME", "gpt-x")
    monkeypatch.setenv("WEBBENCH_MODEL_URL", "http://localhost:9/v1")
    monkeypatch.setenv("WEBBENCH_PRICES_GPT_X", "1 2")
    settings = load_settings(folder=tmp_path)
    endpoint = endpoint_of(settings.model, settings.prices)
    assert (endpoint.model, endpoint.host, endpoint.price) == ("gpt-x", "localhost", Price(input=1, output=2))
    assert not settings.problems


def test_no_model_and_no_address() -> None:
    with pytest.raises(UsageError, match="No model is set"):
        endpoint_of(ModelSettings(), {})
    for url in ("ftp://host", "host/v1", "http://[bad"):
        with pytest.raises(UsageError, match="no address of an endpoint"):
            endpoint_of(ModelSettings(name="m", url=url), {})


def test_an_address_with_a_password_is_refused_and_not_repeated() -> None:
    with pytest.raises(UsageError, match=r"before its host api\.test") as told:
        endpoint_of(ModelSettings(name="m", url="https://me:hush@api.test/v1"), {})
    assert "hush" not in str(told.value)


def test_keys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text("sk-file\n")
    elsewhere = ModelSettings(url="http://localhost:9/v1")
    assert model_key(elsewhere) == ""
    assert model_key(ModelSettings(url="http://localhost:9/v1", key_file=str(path))) == "sk-file"
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai")
    assert model_key(ModelSettings()) == "sk-openai"
    assert model_key(elsewhere) == "", "OpenAI's key goes to OpenAI alone"
    monkeypatch.setenv("WEBBENCH_MODEL_KEY", "sk-own")
    assert model_key(elsewhere) == "sk-own"


def test_a_project_file_does_not_say_where_prompts_are_sent(tmp_path: Path) -> None:
    (tmp_path / "webbench.toml").write_text(
        '[model]\nurl = "https://elsewhere.example/v1"\n[prices]\nm = "0 0"'
    )
    settings = load_settings(folder=tmp_path)
    assert (settings.model, settings.prices) == (ModelSettings(), {})
    assert len(settings.problems) == 2


def test_openai_is_not_asked_without_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match=r"api\.openai\.com answers nobody without a key"):
        required_key(ModelSettings())
    assert required_key(ModelSettings(url="http://localhost:9/v1")) == "", "an own endpoint may need none"
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai")
    assert required_key(ModelSettings()) == "sk-openai"
