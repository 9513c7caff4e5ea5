"""Addresses of browsers that run elsewhere: their keys get there and nowhere else."""

from __future__ import annotations

import asyncio
import base64
import warnings

import pytest

from tests.core.browser.remote_ends import free_port
from webbench.core.browser.launch import LaunchOptions, launch
from webbench.core.browser.starting.browser_options import DriverName
from webbench.core.browser.starting.endpoint import checked, hushed
from webbench.core.errors import EnvironmentDown
from webbench.core.text.addresses import without_login

ANSWER = b'{"value": {"error": "session not created", "message": "not for k%33y, key-1, me:key-1@here"}}'


async def test_the_key_reaches_the_grid_and_no_error_tells_it() -> None:
    asked: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 500 no\r\nconnection: close\r\ncontent-type: application/json\r\n")
        writer.write(b"content-length: %d\r\n\r\n%s" % (len(ANSWER), ANSWER))
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        told = await refusal_at("selenium", f"http://me:key-1@127.0.0.1:{port}/")
    server.close()
    assert f"no WebDriver session at http://127.0.0.1:{port}: " in told
    assert "key-1" not in told
    login = base64.b64encode(b"me:key-1")
    assert b"Basic " + login in asked[0]


@pytest.mark.parametrize("driver", ["playwright", "selenium"])
async def test_nothing_there(driver: DriverName) -> None:
    port = free_port()
    told = await refusal_at(driver, f"http://me:key-1@127.0.0.1:{port}")
    assert f"http://127.0.0.1:{port}" in told
    assert "key-1" not in told


@pytest.mark.parametrize(
    "address", ["grid", "ftp://me:key-1@grid", "http://", "http://grid:port", "http://[x"]
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(EnvironmentDown, match="is no address") as refused:
        checked(address)
    assert "key-1" not in str(refused.value)


def test_addresses_as_they_are_shown() -> None:
    assert without_login("wss://me:key@grid.example:4444/se/cdp") == "wss://grid.example:4444/se/cdp"
    assert checked("http://me:key@grid.example/") == "http://me:key@grid.example"
    assert hushed("tried http://me:word@x/y; word", "http://me:word@x") == "tried http://x/y; …"


async def refusal_at(driver: DriverName, endpoint: str) -> str:
    with pytest.raises(EnvironmentDown) as refused:
        async with launch(LaunchOptions(driver=driver, endpoint=endpoint)):
            raise AssertionError("it started")
    return str(refused.value)
