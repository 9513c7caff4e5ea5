"""Foreign requests: substitutes where there is no network, a quick end for everything else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from webbench.benchmarks.turkingbench.serving import reach
from webbench.benchmarks.turkingbench.serving.cdn import SUBSTITUTES, ForeignRequests, content, substitute_for
from webbench.benchmarks.turkingbench.serving.reach import (
    REMEMBERED_SECONDS,
    KnownServers,
    Server,
    answers,
    reachable,
)
from webbench.core.environment import NetworkAnswer, NetworkRequest


class Network:
    """A network that reaches some hosts, and remembers who was asked for."""

    def __init__(self, *hosts: str) -> None:
        self.hosts = hosts
        self.asked: list[Server] = []
        self.seconds = 0.0

    async def reach(self, server: Server) -> bool:
        self.asked.append(server)
        return server.host in self.hosts

    def requests(self) -> ForeignRequests:
        return ForeignRequests(KnownServers(self.reach, lambda: self.seconds))


def script(url: str, kind: str = "script") -> NetworkRequest:
    return NetworkRequest(url, "GET", kind)


@pytest.mark.parametrize(
    ("url", "holds"),
    [
        ("https://code.jquery.com/jquery-3.2.1.slim.min.js", b"jQuery v3"),
        ("https://code.jquery.com/jquery-1.11.2.min.js", b"jQuery v3"),
        ("https://code.jquery.com/jquery-3.3.1.js", b"jQuery v3"),
        ("https://ajax.googleapis.com/ajax/libs/jquery/1.11.2/jquery.min.js", b"JQMIGRATE"),
        ("http://ajax.googleapis.com/ajax/libs/jquery/1.4/jquery.min.js", b"jQuery v3"),
        (
            "https://cdnjs.cloudflare.com/ajax/libs/lightbox2/2.11.1/js/lightbox-plus-jquery.min.js",
            b"jQuery v3",
        ),
        ("https://code.jquery.com/ui/1.11.4/jquery-ui.js", b"jQuery UI"),
        ("http://ajax.googleapis.com/ajax/libs/jqueryui/1.8/jquery-ui.min.js", b"jQuery UI"),
        ("https://code.jquery.com/ui/1.11.0/themes/smoothness/jquery-ui.css", b".ui-slider"),
        ("https://maxcdn.bootstrapcdn.com/bootstrap/4.0.0/css/bootstrap.min.css", b"Bootstrap v4"),
        ("https://stackpath.bootstrapcdn.com/bootstrap/4.1.2/js/bootstrap.min.js", b"Bootstrap v4"),
        ("https://maxcdn.bootstrapcdn.com/bootstrap/3.3.7/js/bootstrap.min.js", b"Bootstrap v3.4.1"),
        ("https://maxcdn.bootstrapcdn.com/bootstrap/3.0.3/css/bootstrap.min.css", b".panel-heading"),
        ("https://s3.amazonaws.com/mturk-public/bs30/css/bootstrap.min.css", b".panel-heading"),
        ("https://cdnjs.cloudflare.com/ajax/libs/popper.js/1.12.9/umd/popper.min.js", b"/*"),
        ("https://assets.crowd.aws/crowd-html-elements.js", b"crowd-radio-button"),
        ("https://s3.amazonaws.com/mturk-public/externalHIT_v1.js", b"turkSetAssignmentID"),
    ],
)
async def test_well_known_libraries_are_answered_without_a_network(url: str, holds: bytes) -> None:
    answer = await Network().requests().answer(script(url))
    assert answer.decision == "fulfil"
    assert answer.status == 200
    assert holds in answer.body


@pytest.mark.parametrize(
    "url",
    [
        "https://cdnjs.cloudflare.com/ajax/libs/jquery-cookie/1.4.1/jquery.cookie.min.js",
        "https://cdnjs.cloudflare.com/ajax/libs/svg.js/2.6.5/svg.min.js",
        "https://cdnjs.cloudflare.com/ajax/libs/bootstrap-slider/10.6.1/bootstrap-slider.js",
        "https://example.org/picture.png",
        "ftp://example.org/x",
    ],
)
async def test_everything_else_fails_at_once(url: str) -> None:
    assert substitute_for(url) is None
    assert (await Network().requests().answer(script(url))).decision == "abort"


async def test_with_a_network_the_page_gets_its_own_version() -> None:
    foreign = Network("code.jquery.com").requests()
    answer = await foreign.answer(script("https://code.jquery.com/jquery-3.2.1.slim.min.js"))
    assert answer.decision == "continue"


async def test_a_host_is_asked_once() -> None:
    network = Network()
    foreign = network.requests()
    for path in ("a.png", "b.png", "jquery-3.2.1.min.js"):
        await foreign.answer(script(f"https://code.jquery.com/{path}"))
    await foreign.answer(script("http://code.jquery.com/c.png"))
    await foreign.answer(script("https://code.jquery.com:8443/d.png"))
    assert network.asked == [
        Server("https", "code.jquery.com", 443),
        Server("http", "code.jquery.com", 80),
        Server("https", "code.jquery.com", 8443),
    ]


async def test_a_finding_expires() -> None:
    network = Network()
    foreign = network.requests()
    request = script("https://example.org/a.png")
    assert (await foreign.answer(request)).decision == "abort"
    network.hosts = ("example.org",)
    network.seconds = REMEMBERED_SECONDS - 1
    assert (await foreign.answer(request)).decision == "abort"
    network.seconds = REMEMBERED_SECONDS + 1
    assert (await foreign.answer(request)).decision == "continue"


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "127.9.9.9:8080", "localhost", "LOCALHOST.", "a.localhost:3000", "[::1]", "0.0.0.0"),
        *("10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "[fe80::1]"),
        *("[::ffff:127.0.0.1]", "[fd00::1]", "[::]", "printer.local"),
    ],
)
@pytest.mark.parametrize("kind", ["document", "xhr"])
async def test_this_machine_and_private_networks_are_out_of_reach(host: str, kind: str) -> None:
    network = Network(host.strip("[]"))
    answer = await network.requests().answer(script(f"http://{host}/secret", kind))
    assert answer.decision == "abort"
    assert "closed to a task's page" in answer.reason
    assert network.asked == []


@pytest.mark.parametrize("host", ["172.15.0.1", "172.32.0.1", "8.8.8.8", "[2606:4700::1111]", "example.org"])
async def test_the_public_network_is_not(host: str) -> None:
    network = Network(host.strip("[]"))
    assert (await network.requests().answer(script(f"http://{host}/a.png"))).decision == "continue"


@pytest.mark.parametrize("host", ["localhost", "127.1", "2130706433"])
async def test_a_name_that_leads_to_this_machine_is_out_of_reach(host: str) -> None:
    async with _listening(b"HTTP/1.1 200 OK\r\n\r\n") as port:
        assert await answers(Server("http", "127.0.0.1", port))
        assert not await reachable(Server("http", host, port))


async def test_a_server_that_accepts_and_never_answers_is_out_of_reach(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reach, "CHECK_SECONDS", 0.2)
    async with _listening(b"") as port:
        for scheme in ("http", "https"):
            assert not await answers(Server(scheme, "127.0.0.1", port))


@asynccontextmanager
async def _listening(reply: bytes) -> AsyncIterator[int]:
    """A server that sends `reply` to everyone and keeps the line open."""
    finished = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        del reader
        writer.write(reply)
        await finished.wait()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        finished.set()
        server.close()


def test_a_check_that_its_event_loop_left_unfinished_is_made_again() -> None:
    class Slow(Network):
        async def reach(self, server: Server) -> bool:
            answer = await super().reach(server)
            if len(self.asked) == 1:
                await asyncio.sleep(60)
            return answer

    network = Slow()
    foreign = network.requests()
    request = script("https://example.org/a.png")

    async def interrupted() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(foreign.answer(request), 0.05)

    asyncio.run(interrupted())
    assert asyncio.run(foreign.answer(request)).decision == "abort"
    assert len(network.asked) == 2


async def test_leaving_for_an_unreachable_page_is_refused_with_the_reason() -> None:
    answer = await Network().requests().answer(script("https://example.org/", "document"))
    assert answer == NetworkAnswer("abort", reason="no public server answers there")


async def test_inline_data_is_no_request_to_the_network() -> None:
    network = Network()
    answer = await network.requests().answer(script("data:image/png;base64,AA", "image"))
    assert answer.decision == "continue"
    assert network.asked == []


def test_every_substitute_is_installed() -> None:
    assert [entry.pattern for entry in SUBSTITUTES if not content(entry)] == []
