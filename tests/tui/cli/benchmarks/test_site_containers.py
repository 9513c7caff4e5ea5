"""`webarena sites` over a program that speaks docker's command line, and sites that really answer."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.tui.cli.program import Done, Here
from webbench.benchmarks.webarena.containers import running_sites
from webbench.benchmarks.webarena.containers.site_images import editions
from webbench.core.store.changed_sites import ChangedSites

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
        }
        self.file.write_text(json.dumps(empty | given))
        program = folder / "docker"
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S "{FAKE}" "$@"\n')
        program.chmod(0o755)

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

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


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


def test_a_container_of_somebody_else_is_left_alone(tmp_path: Path, here: Here) -> None:
    foreign = {"state": "exited", "image": "x", "labels": {}, "options": {}, "command": []}
    engine = Engine(tmp_path / "bin", containers={"webbench-verified-shopping": foreign})
    for doing in ("reset", "down", "up"):
        done = engine.run(here, tmp_path, doing, "--site", "shopping", "--json")
        assert done.code == 3
        assert "was not made by" in done.json["sites"][0]["problem"]
    assert list(engine.state["containers"]) == ["webbench-verified-shopping"]
    assert engine.called("rm") == engine.called("start") == []


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
