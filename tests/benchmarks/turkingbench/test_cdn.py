"""Foreign requests: substitutes where there is no network, a quick end for everything else."""

from __future__ import annotations

import asyncio

import pytest

from webbench.benchmarks.turkingbench.cdn import SUBSTITUTES, ForeignRequests, content, substitute_for
from webbench.core.environment import NetworkRequest


class Network:
    """A network that reaches some hosts, and remembers who was asked for."""

    def __init__(self, *hosts: str) -> None:
        self.hosts = hosts
        self.asked: list[tuple[str, int]] = []

    async def reach(self, host: str, port: int) -> bool:
        self.asked.append((host, port))
        return host in self.hosts


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
    answer = await ForeignRequests(Network().reach).answer(script(url))
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
    assert (await ForeignRequests(Network().reach).answer(script(url))).decision == "abort"


async def test_with_a_network_the_page_gets_its_own_version() -> None:
    foreign = ForeignRequests(Network("code.jquery.com").reach)
    answer = await foreign.answer(script("https://code.jquery.com/jquery-3.2.1.slim.min.js"))
    assert answer.decision == "continue"


async def test_a_host_is_asked_once() -> None:
    network = Network()
    foreign = ForeignRequests(network.reach)
    for path in ("a.png", "b.png", "jquery-3.2.1.min.js"):
        await foreign.answer(script(f"https://code.jquery.com/{path}"))
    await foreign.answer(script("http://code.jquery.com/c.png"))
    assert network.asked == [("code.jquery.com", 443), ("code.jquery.com", 80)]


def test_a_check_that_its_event_loop_left_unfinished_is_made_again() -> None:
    class Slow(Network):
        async def reach(self, host: str, port: int) -> bool:
            answer = await super().reach(host, port)
            if len(self.asked) == 1:
                await asyncio.sleep(60)
            return answer

    network = Slow()
    foreign = ForeignRequests(network.reach)
    request = script("https://example.org/a.png")

    async def interrupted() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(foreign.answer(request), 0.05)

    asyncio.run(interrupted())
    assert asyncio.run(foreign.answer(request)).decision == "abort"
    assert len(network.asked) == 2


async def test_leaving_for_an_unreachable_page_leaves_the_task_where_it_is() -> None:
    answer = await ForeignRequests(Network().reach).answer(script("https://example.org/", "document"))
    assert (answer.decision, answer.status) == ("fulfil", 204)


async def test_inline_data_is_no_request_to_the_network() -> None:
    network = Network()
    answer = await ForeignRequests(network.reach).answer(script("data:image/png;base64,AA", "image"))
    assert answer.decision == "continue"
    assert network.asked == []


def test_every_substitute_is_installed() -> None:
    assert [entry.pattern for entry in SUBSTITUTES if not content(entry)] == []
