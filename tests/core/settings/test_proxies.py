"""Proxies and certificates of the environment that can't be used are told in plain words."""

from __future__ import annotations

import os
import sys

import httpx
import pytest

from webbench.core.datasets.downloading import open_client
from webbench.core.errors import EnvironmentDown
from webbench.core.models.chat import Message
from webbench.core.models.model_client import ChatClient, Endpoint
from webbench.core.settings.proxies import CERTIFICATES, PROXIES, proxies_checked

NO_PROXY_THAT_CAN_BE_USED = [
    ("HTTPS_PROXY", "gopher://user:secret@proxy"),
    ("https_proxy", "http://[::1"),
    ("HTTP_PROXY", "http://user:secret@proxy:port"),
    ("ALL_PROXY", "proxy:secret"),
    ("NO_PROXY", "[::"),
]


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of these is set."""
    for name in list(os.environ):
        if name.upper() in (*PROXIES, *CERTIFICATES):
            monkeypatch.delenv(name)


@pytest.mark.parametrize(("name", "value"), NO_PROXY_THAT_CAN_BE_USED)
async def test_a_model_is_not_asked(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    client = ChatClient(Endpoint(model="m", url="https://127.0.0.1:1/v1"))
    call = await client.ask([Message(role="user", text="Hello?")])
    assert call.error.startswith(f"the endpoint can't be asked: {name} names no proxy that can be used")
    assert "write http://HOST:PORT, or unset it" in call.error
    assert "secret" not in call.error
    await client.close()


@pytest.mark.parametrize(("name", "value"), NO_PROXY_THAT_CAN_BE_USED)
def test_nothing_is_downloaded(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(EnvironmentDown, match=f"^{name} names no proxy") as told:
        open_client()
    assert "unset it" in told.value.hint


async def test_certificates_that_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere/certificates.pem")
    call = await ChatClient(Endpoint(model="m", url="https://127.0.0.1:1/v1")).ask([])
    assert "SSL_CERT_FILE names no certificates that can be read" in call.error


def test_a_proxy_that_needs_a_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:1080")
    monkeypatch.setitem(sys.modules, "socksio", None)
    with pytest.raises(EnvironmentDown, match=r"^ALL_PROXY names a SOCKS proxy") as told:
        open_client()
    assert "httpx[socks]" in told.value.hint


def test_what_is_no_fault_of_the_environment_is_told_as_it_is() -> None:
    with pytest.raises(UnicodeEncodeError), proxies_checked():
        httpx.Client(headers={"From": "naïve"})
    with pytest.raises(httpx.InvalidURL), proxies_checked():
        httpx.Client(base_url="http://site:port")


async def test_a_key_that_is_no_text_is_no_bad_proxy() -> None:
    key = os.fsdecode(b"sk-\xff-long-enough-to-be-one")
    call = await ChatClient(Endpoint(model="m", url="https://127.0.0.1:1/v1"), key).ask([])
    assert call.error.startswith("the endpoint can't be asked: the key, or the name of who pays, is not in")
    assert key not in call.error


async def test_several_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "nothing://x")
    monkeypatch.setenv("no_proxy", "localhost")
    with pytest.raises(EnvironmentDown, match=r"^HTTPS_PROXY or no_proxy names"):
        open_client()
