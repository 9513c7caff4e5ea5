"""Running sites: bring the containers of WebArena's sites up, tell how they are, reset and end them.

A reset removes a container and makes another one from its image: what was written in it is gone, which
restarting would keep. Only containers that were made here are removed. A container has the site's name once
its set-up is through; before that it has another one, so that one whose set-up failed or was cut off, however
that came, is never taken for the site.
"""

from __future__ import annotations

import ipaddress
import re
import shlex
import time
from collections.abc import Callable, Mapping, Sequence

import msgspec

from webbench.benchmarks.webarena.containers.container_engine import (
    FETCH_SECONDS,
    LABEL,
    WORK_SECONDS,
    Container,
    ContainerEngine,
)
from webbench.benchmarks.webarena.containers.site_images import PULL, SiteImage
from webbench.core.errors import EnvironmentDown, UsageError
from webbench.core.settings.proxies import proxies_checked

LOOPBACK = {"localhost": "127.0.0.1", "127.0.0.1": "127.0.0.1", "::1": "[::1]"}
"""This machine's own names, and where a port is opened for each."""
CONTROL_INSIDE = 8877
SETUP_PAUSE = 5.0
ASK_SECONDS = 20.0
LEAST_SECONDS = 1.0
"""For one command or question, also where the time is up: each is tried once."""
SIGN_IN = frozenset({401, 403})
"""What a page answers that wants somebody to sign in first."""
_HOST_NAME = re.compile(r"(?=.*[A-Za-z])[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?")

RUNNING = "running"
Told = Callable[[str], None]


class SitePlace(msgspec.Struct, frozen=True, kw_only=True):
    """One site of an edition at its place on this machine.

    Attributes:
        host: name that pages are told; a name other than this machine's own opens the port to the network.
        port: 0 for the image's usual one.
    """

    site: str
    edition: str
    image: SiteImage
    host: str = "localhost"
    port: int = 0

    @property
    def name(self) -> str:
        """Of the container."""
        return f"webbench-{self.edition}-{self.site.lower().replace('_', '-')}"

    @property
    def unfinished(self) -> str:
        """Name of the container until its set-up is through."""
        return f"{self.name}-unfinished"

    @property
    def origin(self) -> str:
        """The address without path and slash at the end."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port or self.image.port}"

    @property
    def address(self) -> str:
        """As tasks want it."""
        return self.origin + self.image.path


class SiteStatus(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one site.

    Attributes:
        container: the engine's word for its state, "" where there is none.
        answers: it gives a page.
        problem: what keeps it from that, "" where nothing does.
        did: what was done just now, in words.
    """

    site: str
    name: str
    address: str
    container: str = ""
    answers: bool = False
    problem: str = ""
    did: str = ""


def bring_up(engine: ContainerEngine, place: SitePlace, *, wait: float, told: Told) -> SiteStatus:
    """Start the site where it isn't running, and wait until it answers.

    Args:
        wait: seconds that setting it up and its first answer may take together, from its start on.

    Raises `EnvironmentDown` where it can't be started, or its set-up fails up to the end of that time.
    """
    deadline = time.monotonic() + wait
    found = engine.container(place.name)
    if found is not None and found.state == RUNNING:
        did = "was up"
    elif found is not None:
        _own(place.name, found)
        engine.do("start", place.name)
        did = "started again, with what was done on it"
    else:
        _make(engine, place, told)
        deadline = time.monotonic() + wait
        for words in place.image.setup:
            _set_up(engine, place, words, deadline, told)
        engine.do("rename", place.unfinished, place.name)
        did = "made from its image"
    told(f"{place.site}: waiting until {place.address} answers")
    return msgspec.structs.replace(_waited(engine, place, deadline), did=did)


def reset(engine: ContainerEngine, place: SitePlace, *, wait: float, told: Told) -> SiteStatus:
    """The site in its first state. Raises `EnvironmentDown`, also for a container that wasn't made here."""
    take_down(engine, place)
    return msgspec.structs.replace(bring_up(engine, place, wait=wait, told=told), did="reset")


def take_down(engine: ContainerEngine, place: SitePlace) -> SiteStatus:
    """Remove the container with all that was done on it; its image stays. Raises as `reset` does."""
    removed = [name for name in (place.name, place.unfinished) if _removed(engine, name)]
    did = "removed" if removed else "there was none"
    return SiteStatus(site=place.site, name=place.name, address=place.address, did=did)


def status(engine: ContainerEngine, place: SitePlace, *, seconds: float = ASK_SECONDS) -> SiteStatus:
    """How it is now; its page is waited for up to `seconds`."""
    found = engine.container(place.name)
    state = found.state if found is not None else ""
    if state == RUNNING:
        problem = _problem_at(place.address, seconds)
    elif not state and engine.container(place.unfinished) is not None:
        problem = "its set-up is not through; `up` makes it anew"
    else:
        problem = f"its container is {state or 'not there'}"
    return SiteStatus(
        site=place.site,
        name=place.name,
        address=place.address,
        container=state,
        answers=not problem,
        problem=problem,
    )


def variables(places: Mapping[str, SitePlace], options: Sequence[str] = ()) -> dict[str, str]:
    """What the shell has to set so that tasks find the sites and can reset them.

    Args:
        options: further words of the command that resets a site, such as which engine it asks.
    """
    found = {}
    for site, place in places.items():
        found[site] = place.address
        words = [f"webbench-tui webarena sites reset --site {site.lower()} --edition {place.edition}"]
        words += [f"--host {place.host}"] if place.host != "localhost" else []
        words += [f"--port {site.lower()}={place.port}"] if place.port else []
        words += [shlex.join(options)] if options else []
        found[f"WEBBENCH_RESET_WEBARENA_{site}"] = " ".join(words)
    return found


def checked_host(host: str) -> str:
    """The host as addresses have it. Raises `UsageError` for what is neither a name nor an IP address."""
    try:
        address = str(ipaddress.ip_address(host))
    except ValueError:
        address = host if _HOST_NAME.fullmatch(host) else ""
    if not address or "%" in address:
        raise UsageError(
            f"{host!r} is no host", "it is written without http:// and port: localhost, 192.0.2.7 or ::1"
        )
    return address


def _own(name: str, found: Container) -> None:
    if not found.own:
        raise EnvironmentDown(
            f"the container {name} was not made by `webarena sites up`, and is left alone",
            "end or rename it yourself, if it may go",
        )


def _removed(engine: ContainerEngine, name: str) -> bool:
    """There was such a container, and there is none now."""
    found = engine.container(name)
    if found is None:
        return False
    _own(name, found)
    engine.do("rm", "--force", "--volumes", name)
    return True


def _make(engine: ContainerEngine, place: SitePlace, told: Told) -> None:
    """The container of a site, without its set-up."""
    image = place.image
    if _removed(engine, place.unfinished):
        told(f"{place.site}: its set-up was not through: it is made anew")
    for volume in image.volumes:
        name = volume.partition(":")[0]
        if not engine.has_volume(name):
            raise EnvironmentDown(
                f"{place.site} needs its data in the volume {name}, which isn't there",
                f"the image's documentation says how it is filled ({image.size})",
            )
    if not engine.has_image(image.image):
        if image.load != PULL:
            raise EnvironmentDown(
                f"the image {image.image} isn't there ({image.size})",
                f"get {image.load}, then `{engine.program} load --input FILE`; "
                "`--edition verified` has smaller images, which are fetched by themselves",
            )
        told(f"{place.site}: fetching {image.image} ({image.size})")
        engine.do("pull", image.image, seconds=FETCH_SECONDS)
    told(f"{place.site}: starting {image.image}")
    engine.do("run", *run_words(place))


def run_words(place: SitePlace) -> list[str]:
    """The words behind `docker run`. Ports are open to this machine alone, unless another host is named.

    Where the site isn't at its usual port, the control's is left to the engine: what keeps the one from being
    free, such as the same site in the other edition, keeps the other one, too.
    """
    image = place.image
    at = f"{LOOPBACK[place.host]}:" if place.host in LOOPBACK else ""
    words = ["--detach", "--name", place.unfinished, "--label", f"{LABEL}={place.site}"]
    words += ["--publish", f"{at}{place.port or image.port}:{image.inner}"]
    if image.control:
        control = "" if place.port else image.control
        words += ["--publish", f"127.0.0.1:{control}:{CONTROL_INSIDE}"]
        words += ["--env", f"WA_ENV_CTRL_EXTERNAL_SITE_URL={place.origin}/"]
    for volume in image.volumes:
        words += ["--volume", volume]
    return [*words, *image.options, image.image, *image.command]


def _set_up(
    engine: ContainerEngine, place: SitePlace, words: tuple[str, ...], deadline: float, told: Told
) -> None:
    """Run a command inside, again and again while the services in there aren't up yet."""
    filled = [word.replace("{url}", place.origin) for word in words]
    told(f"{place.site}: {words[0]} {words[1] if len(words) > 1 else ''}".rstrip())
    while True:
        try:
            engine.do("exec", place.unfinished, *filled, seconds=min(WORK_SECONDS, _left(deadline)))
            return
        except EnvironmentDown:
            if time.monotonic() + SETUP_PAUSE > deadline:
                raise
        time.sleep(SETUP_PAUSE)


def _waited(engine: ContainerEngine, place: SitePlace, deadline: float) -> SiteStatus:
    pause = 0.1
    while True:
        now = status(engine, place, seconds=min(ASK_SECONDS, _left(deadline)))
        if now.answers or now.container != RUNNING or time.monotonic() > deadline:
            return now
        time.sleep(pause)
        pause = min(5.0, 2 * pause)


def _left(deadline: float) -> float:
    """Seconds."""
    return max(LEAST_SECONDS, deadline - time.monotonic())


def _problem_at(address: str, seconds: float) -> str:
    """Why no page is given there, "" where one is, or a way to one: elsewhere, or behind a login."""
    import httpx

    with proxies_checked():
        client = httpx.Client(timeout=seconds, follow_redirects=False)
    with client:
        try:
            answer = client.get(address)
        except httpx.HTTPError as error:
            return f"it does not answer: {str(error) or type(error).__name__}"
    code = answer.status_code
    return "" if 200 <= code < 400 or code in SIGN_IN else f"it answers with {code}"
