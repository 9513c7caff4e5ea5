"""`webarena sites` over a program that speaks docker's command line, and sites that really answer."""

from __future__ import annotations

import json
import shlex
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.tui.cli.program import Done, Here
from webbench.benchmarks.webarena.containers import running_sites
from webbench.benchmarks.webarena.containers.running_sites import (
    SitePlace,
    checked_host,
    run_words,
    variables,
)
from webbench.benchmarks.webarena.containers.site_images import editions
from webbench.core.store.changed_sites import ChangedSites
from webbench.tui.cli.benchmarks.site_containers import SitesRequest, places_of, reset_options

FAKE = Path(__file__).with_name("fake_docker.py")
SHOP = "docker.io/am1n3e/webarena-verified-shopping:latest"


class Engine:
    """A folder for PATH with the program alone, and its state."""

    def __init__(self, folder: Path, **given: Any) -> None:
        folder.mkdir()
        self.folder = folder
        self.file = folder / "state.json"
        empty: dict[str, Any] = {
            "containers": {},
            "images": [],
            "volumes": [],
            "calls": [],
            "failing_execs": 0,
            "hanging_execs": False,
        }
        self.file.write_text(json.dumps(empty | given))
        self.put("docker", f'exec "{sys.executable}" -I -S "{FAKE}" "$@"')

    def put(self, name: str, script: str) -> None:
        """A program beside it."""
        program = self.folder / name
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)

    def change(self, **values: Any) -> None:
        self.file.write_text(json.dumps(self.state | values))

    @property
    def state(self) -> Any:
        return json.loads(self.file.read_text())

    def called(self, word: str) -> list[list[str]]:
        return [words for words in self.state["calls"] if words[0] == word]

    def run(self, here: Here, home: Path, *words: str) -> Done:
        return here(
            home, "webarena", "sites", *words, PATH=str(self.folder), FAKE_DOCKER_STATE=str(self.file)
        )


@contextmanager
def site(status: int = 200) -> Iterator[int]:
    """A site on a port of its own."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.thorough
def test_a_site_is_fetched_started_set_up_reset_and_removed(
    tmp_path: Path, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running_sites, "SETUP_PAUSE", 0.01)
    engine = Engine(tmp_path / "bin", failing_execs=1)
    with site() as port:
        at = ("--site", "shopping", "--port", f"shopping={port}", "--host", "127.0.0.1")
        down = engine.run(here, tmp_path, "status", *at)
        assert down.code == 3
        assert "its container is not there" in " ".join(down.out.split())

        up = engine.run(here, tmp_path, "up", *at, "--json")
        assert up.code == 0, up.err
        (one,) = up.json["sites"]
        assert (one["did"], one["container"], one["answers"]) == ("made from its image", "running", True)
        assert up.json["variables"]["SHOPPING"] == f"http://127.0.0.1:{port}"
        assert engine.called("pull") == [["pull", SHOP]]
        (made,) = engine.state["containers"].values()
        assert made["options"]["--publish"][0] == f"127.0.0.1:{port}:80", "no other machine gets at it"
        assert made["options"]["--env"] == [f"WA_ENV_CTRL_EXTERNAL_SITE_URL=http://127.0.0.1:{port}/"]
        tries = engine.called("exec")
        assert tries[0] == tries[1], "services take their time: what fails at first is tried again"
        assert tries[0][2:] == ["env-ctrl", "init", "--base-url", f"http://127.0.0.1:{port}/"]

        again = engine.run(here, tmp_path, "up", *at)
        assert "was up" in again.out
        assert f"export SHOPPING=http://127.0.0.1:{port}" in again.out.splitlines()
        assert len(engine.called("run")) == 1

        store = tmp_path / "store"
        fresh = engine.run(here, tmp_path, "reset", *at, "--store", str(store))
        assert fresh.code == 0, fresh.err
        assert (len(engine.called("rm")), len(engine.called("run"))) == (1, 2)
        assert ChangedSites(store).known()[f"http://127.0.0.1:{port}"].reset

        assert engine.run(here, tmp_path, "down", *at).code == 0
        assert engine.state["containers"] == {}


def test_a_site_whose_set_up_did_not_get_through_is_made_anew(tmp_path: Path, here: Here) -> None:
    engine = Engine(tmp_path / "bin", failing_execs=1, images=[SHOP])
    with site() as port:
        at = ("--site", "shopping", "--port", f"shopping={port}", "--host", "127.0.0.1", "--json")
        failed = engine.run(here, tmp_path, "up", *at, "--wait", "0")
        assert (failed.code, len(engine.called("run"))) == (3, 1)
        assert "the service is not up yet" in failed.json["sites"][0]["problem"]
        up = engine.run(here, tmp_path, "up", *at)
    assert (up.code, up.json["sites"][0]["did"]) == (0, "made from its image")
    assert (len(engine.called("run")), len(engine.called("exec"))) == (2, 2)
    assert list(engine.state["containers"]) == ["webbench-verified-shopping"]


@pytest.mark.thorough
def test_what_a_reset_left_half_done_is_told_and_removed(tmp_path: Path, here: Here) -> None:
    engine = Engine(tmp_path / "bin", failing_execs=1000, images=[SHOP])
    with site() as port:
        at = ("--site", "shopping", "--port", f"shopping={port}", "--host", "127.0.0.1", "--json")
        assert engine.run(here, tmp_path, "reset", *at, "--wait", "0").code == 3
        left = engine.run(here, tmp_path, "status", *at)
        assert left.code == 3, "its page is there, and links to other addresses"
        assert "its set-up is not through" in left.json["sites"][0]["problem"]
        down = engine.run(here, tmp_path, "down", *at)
    assert (down.code, down.json["sites"][0]["did"]) == (0, "removed")
    assert engine.state["containers"] == {}


def test_a_set_up_that_hangs_ends_with_the_wait(
    tmp_path: Path, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running_sites, "LEAST_SECONDS", 0.05)
    engine = Engine(tmp_path / "bin", images=[SHOP], hanging_execs=True)
    done = engine.run(here, tmp_path, "up", "--site", "shopping", "--wait", "0", "--json")
    assert done.code == 3
    assert "docker exec took more than" in done.json["sites"][0]["problem"]


class Clock:
    """Time that only sleeping spends."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.mark.thorough
def test_set_up_and_first_answer_share_the_wait(
    tmp_path: Path, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr(running_sites, "time", clock)
    engine = Engine(tmp_path / "bin", images=[SHOP], failing_execs=1)
    with site(502) as port:
        at = ("--site", "shopping", "--port", f"shopping={port}", "--host", "127.0.0.1")
        done = engine.run(here, tmp_path, "up", *at, "--wait", "6", "--json")
    assert (done.code, done.json["sites"][0]["problem"]) == (3, "it answers with 502")
    assert clock.now < 6 + running_sites.SETUP_PAUSE, "it has not waited once more for the page"


@pytest.mark.thorough
def test_a_reset_is_told_again_what_was_wished_otherwise(tmp_path: Path, here: Here) -> None:
    engine = Engine(tmp_path / "bin", images=[SHOP])
    engine.put("podman", (engine.folder / "docker").read_text().splitlines()[1])
    engine.put("docker", "echo 'no docker runs here' >&2; exit 1")
    store = tmp_path / "a store"
    with site() as port:
        at = ("--site", "shopping", "--port", f"shopping={port}", "--host", "127.0.0.1")
        wished = ("--engine", "podman", "--wait", "60", "--store", "a store")
        up = engine.run(here, tmp_path, "up", *at, *wished, "--json")
        assert up.code == 0, up.err
        program, door, sites, *words = shlex.split(up.json["variables"]["WEBBENCH_RESET_WEBARENA_SHOPPING"])
        assert (program, door, sites) == ("webbench-tui", "webarena", "sites")
        fresh = engine.run(here, tmp_path / "elsewhere", *words)
        assert fresh.code == 0, fresh.err
        assert len(engine.called("run")) == 2
        assert ChangedSites(store).known()[f"http://127.0.0.1:{port}"].reset
    other = engine.run(here, tmp_path, "status", "--engine", "docker")
    assert other.code == 3
    assert "no docker runs here" in other.err


def test_a_reset_names_the_same_engine_wait_and_store(tmp_path: Path) -> None:
    wished = SitesRequest(
        doing="up", sites=("shopping",), host="::1", engine="podman", wait=60, store=tmp_path / "a store"
    )
    command = variables(places_of(wished), reset_options(wished))["WEBBENCH_RESET_WEBARENA_SHOPPING"]
    assert shlex.split(command)[3:] == [
        *("reset", "--site", "shopping", "--edition", "verified", "--host", "::1"),
        *("--engine", "podman", "--wait", "60", "--store", str(tmp_path / "a store")),
    ]
    plain = SitesRequest(doing="up")
    assert reset_options(plain) == []


@pytest.mark.parametrize(("code", "answers"), [(401, True), (404, False)])
def test_only_a_page_or_the_way_to_one_is_an_answer(
    code: int, answers: bool, tmp_path: Path, here: Here
) -> None:
    made = {"state": "running", "image": SHOP, "labels": {}, "options": {}, "command": []}
    engine = Engine(tmp_path / "bin", containers={"webbench-verified-shopping": made})
    with site(code) as port:
        at = ("--site", "shopping", "--port", f"shopping={port}", "--host", "127.0.0.1")
        done = engine.run(here, tmp_path, "status", *at, "--json")
    assert done.json["sites"][0]["answers"] is answers
    assert done.json["sites"][0]["problem"] == ("" if answers else f"it answers with {code}")


def test_a_host_is_checked_before_anything_is_started(tmp_path: Path, here: Here) -> None:
    engine = Engine(tmp_path / "bin")
    for host in ("http://shop.example", "a b", "999.1.1.1", "fe80::1%eth0", "[::1]", ""):
        done = engine.run(here, tmp_path, "up", "--host", host)
        assert (done.code, "is no host" in done.err) == (2, True), host
    assert engine.state["calls"] == []


def test_addresses_and_ports_of_a_container() -> None:
    image = editions()["verified"]["SHOPPING"]
    place = SitePlace(site="SHOPPING", edition="verified", image=image, host=checked_host("0:0:0:0:0:0:0:1"))
    assert place.address == "http://[::1]:7770"
    assert published(place) == ["[::1]:7770:80", "127.0.0.1:7771:8877"]
    moved = SitePlace(site="SHOPPING", edition="verified", image=image, host="box.example", port=8770)
    assert moved.address == "http://box.example:8770"
    assert published(moved) == ["8770:80", "127.0.0.1::8877"], (
        "another edition may hold the usual port of both"
    )


def published(place: SitePlace) -> list[str]:
    words = run_words(place)
    return [port for word, port in pairwise(words) if word == "--publish"]


def test_a_container_of_somebody_else_is_left_alone(tmp_path: Path, here: Here) -> None:
    foreign = {"state": "exited", "image": "x", "labels": {}, "options": {}, "command": []}
    engine = Engine(tmp_path / "bin", containers={"webbench-verified-shopping": foreign})
    for doing in ("reset", "down", "up"):
        done = engine.run(here, tmp_path, doing, "--site", "shopping", "--json")
        assert done.code == 3
        assert "was not made by" in done.json["sites"][0]["problem"]
    assert list(engine.state["containers"]) == ["webbench-verified-shopping"]
    assert engine.called("rm") == engine.called("start") == []


@pytest.mark.thorough
def test_what_is_missing_is_told_with_what_to_do_and_keeps_no_other_site_from_starting(
    tmp_path: Path, here: Here
) -> None:
    """An image that no registry has, data that a volume has to hold, a site that answers with an error."""
    engine = Engine(tmp_path / "bin", images=["postmill-populated-exposed-withimg"])
    with site(502) as broken:
        named = ("--site", "shopping", "--site", "wikipedia", "--site", "reddit")
        at = ("--edition", "published", "--port", f"reddit={broken}", "--wait", "0")
        done = engine.run(here, tmp_path, "up", *named, *at, "--json")
    assert done.code == 3
    problems = {one["site"]: one["problem"] for one in done.json["sites"]}
    assert "load --input FILE" in problems["SHOPPING"]
    assert "the volume webarena-wikipedia-data, which isn't there" in problems["WIKIPEDIA"]
    assert problems["REDDIT"] == "it answers with 502"
    assert [words[-1] for words in engine.called("run")] == ["postmill-populated-exposed-withimg"]


def test_without_an_engine_it_is_told_what_to_do(tmp_path: Path, here: Here) -> None:
    (tmp_path / "empty").mkdir()
    done = here(tmp_path, "webarena", "sites", "up", PATH=str(tmp_path / "empty"))
    assert done.code == 3
    assert "There is no docker and no podman on this machine" in done.err
    assert "webarena serve" in done.err
    unknown = here(tmp_path, "webarena", "sites", "up", "--edition", "published", "--site", "map")
    assert unknown.code == 2
    assert "--edition verified" in unknown.err
    assert here(tmp_path, "webarena", "sites", "up", "--port", "shopping=x").code == 2


def test_every_image_has_a_place_of_its_own() -> None:
    """No two sites of an edition at one port, or one could not be started beside the other."""
    for images in editions().values():
        ports = [port for image in images.values() for port in (image.port, image.control) if port]
        assert len(set(ports)) == len(ports)
        assert all(len(word) > 0 for image in images.values() for words in image.setup for word in words)
