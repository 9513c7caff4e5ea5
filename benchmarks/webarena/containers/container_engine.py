"""The container engine: docker or podman, asked by their common command line."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence

import msgspec

from webbench.core.errors import EnvironmentDown
from webbench.core.json_types import JsonObject
from webbench.core.text import bounded_json
from webbench.core.text.plain_text import plain_clip

ENGINES = ("docker", "podman")
LABEL = "webbench.site"
"""On every container that was made here; no other one is ended."""

ASK_SECONDS = 60.0
WORK_SECONDS = 1800.0
FETCH_SECONDS = 6 * 3600.0

NONE_HERE = (
    "install docker or podman; or run the sites on another machine and name their addresses "
    "(sites.webarena.SHOPPING = ...). `webbench-tui webarena serve` serves the bundled sites without either"
)


class Container(msgspec.Struct, frozen=True, kw_only=True):
    """One that exists.

    Attributes:
        state: in the engine's word: "running", "exited", "created", ...
        own: it was made here.
        image: that it was made from, as it was asked for.
    """

    state: str
    own: bool
    image: str = ""


class ContainerEngine:
    """Runs the program and reads what it says. Every method raises `EnvironmentDown` where it can't."""

    def __init__(self, program: str) -> None:
        self.program = program

    def container(self, name: str) -> Container | None:
        """None where there is no such container."""
        done = self._run(("container", "inspect", name), ASK_SECONDS)
        if done.returncode:
            if "no such" in done.stderr.lower():
                return None
            raise self._failed("container inspect", done)
        told = _first(done.stdout)
        state, config = told.get("State"), told.get("Config")
        labels = config.get("Labels") if isinstance(config, dict) else None
        return Container(
            state=str(state.get("Status", "")) if isinstance(state, dict) else "",
            own=isinstance(labels, dict) and LABEL in labels,
            image=str(config.get("Image", "")) if isinstance(config, dict) else "",
        )

    def has_image(self, image: str) -> bool:
        return self._run(("image", "inspect", image), ASK_SECONDS).returncode == 0

    def has_volume(self, name: str) -> bool:
        return self._run(("volume", "inspect", name), ASK_SECONDS).returncode == 0

    def do(self, *words: str, seconds: float = WORK_SECONDS) -> str:
        """Run a command of the engine and give what it prints."""
        done = self._run(words, seconds)
        if done.returncode:
            raise self._failed(words[0], done)
        return done.stdout

    def _run(self, words: Sequence[str], seconds: float) -> subprocess.CompletedProcess[str]:
        try:
            return subprocess.run(
                [self.program, *words],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise EnvironmentDown(f"{self.program} {words[0]} took more than {seconds:.0f} s") from error
        except OSError as error:
            raise EnvironmentDown(f"{self.program} does not start: {error}", NONE_HERE) from error

    def _failed(self, what: str, done: subprocess.CompletedProcess[str]) -> EnvironmentDown:
        lines = (done.stderr or done.stdout).strip().splitlines() or ["it said nothing"]
        return EnvironmentDown(
            f"{self.program} {what} ended with {done.returncode}: {plain_clip(lines[-1], 300)}"
        )


def container_engine(named: str = "") -> ContainerEngine:
    """The named engine, else docker, else podman, once it has answered. Raises `EnvironmentDown`."""
    wanted = (named,) if named else ENGINES
    program = next((found for name in wanted if (found := shutil.which(name))), "")
    if not program:
        raise EnvironmentDown(f"There is no {' and no '.join(wanted)} on this machine", NONE_HERE)
    engine = ContainerEngine(program)
    try:
        engine.do("version", seconds=ASK_SECONDS)
    except EnvironmentDown as error:
        raise EnvironmentDown(
            error.message, f"is its service running, and may you use it? Otherwise {NONE_HERE}"
        ) from error
    return engine


def _first(text: str) -> JsonObject:
    try:
        told = bounded_json.decode(text)
    except ValueError:
        return {}
    first = told[0] if isinstance(told, list) and told else None
    return first if isinstance(first, dict) else {}
