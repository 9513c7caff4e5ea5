"""Running sites: bring the containers of WebArena's sites up, tell how they are, reset and end them.

A reset removes a container and makes another one from its image: what was written in it is gone, which
restarting would keep. Only containers that were made here are removed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import msgspec

from webbench.benchmarks.webarena.containers.container_engine import (
    FETCH_SECONDS,
    LABEL,
    Container,
    ContainerEngine,
)
from webbench.benchmarks.webarena.containers.site_images import PULL, SiteImage
from webbench.core.errors import EnvironmentDown
from webbench.core.settings.proxies import proxies_checked

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
CONTROL_INSIDE = 8877
SETUP_PAUSE = 5.0
ASK_SECONDS = 20.0

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
    def origin(self) -> str:
        """The address without path and slash at the end."""
        return f"http://{self.host}:{self.port or self.image.port}"

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
        wait: seconds that setting it up and its first answer may take.

    Raises `EnvironmentDown` where it can't be started, or its set-up fails up to the end of that time.
    """
    found = engine.container(place.name)
    if found is not None and found.state == RUNNING:
        did = "was up"
    elif found is not None:
        _own(place, found)
        engine.do("start", place.name)
        did = "started again, with what was done on it"
    else:
        _make(engine, place, told)
        deadline = time.monotonic() + wait
        for words in place.image.setup:
            _set_up(engine, place, words, deadline, told)
        did = "made from its image"
    told(f"{place.site}: waiting until {place.address} answers")
    return msgspec.structs.replace(_waited(engine, place, wait), did=did)


def reset(engine: ContainerEngine, place: SitePlace, *, wait: float, told: Told) -> SiteStatus:
    """The site in its first state. Raises `EnvironmentDown`, also for a container that wasn't made here."""
    take_down(engine, place)
    return msgspec.structs.replace(bring_up(engine, place, wait=wait, told=told), did="reset")


def take_down(engine: ContainerEngine, place: SitePlace) -> SiteStatus:
    """Remove the container with all that was done on it; its image stays. Raises as `reset` does."""
    found = engine.container(place.name)
    if found is not None:
        _own(place, found)
        engine.do("rm", "--force", "--volumes", place.name)
    did = "removed" if found is not None else "there was none"
    return SiteStatus(site=place.site, name=place.name, address=place.address, did=did)


def status(engine: ContainerEngine, place: SitePlace) -> SiteStatus:
    """How it is now."""
    found = engine.container(place.name)
    state = found.state if found is not None else ""
    problem = _problem_at(place.address) if state == RUNNING else f"its container is {state or 'not there'}"
    return SiteStatus(
        site=place.site,
        name=place.name,
        address=place.address,
        container=state,
        answers=not problem,
        problem=problem,
    )


def variables(places: Mapping[str, SitePlace]) -> dict[str, str]:
    """What the shell has to set so that tasks find the sites and can reset them."""
    found = {}
    for site, place in places.items():
        found[site] = place.address
        words = [f"webbench-tui webarena sites reset --site {site.lower()} --edition {place.edition}"]
        words += [f"--host {place.host}"] if place.host != "localhost" else []
        words += [f"--port {site.lower()}={place.port}"] if place.port else []
        found[f"WEBBENCH_RESET_WEBARENA_{site}"] = " ".join(words)
    return found


def _own(place: SitePlace, found: Container) -> None:
    if not found.own:
        raise EnvironmentDown(
            f"the container {place.name} was not made by `webarena sites up`, and is left alone",
            "end or rename it yourself, if it may go",
        )


def _make(engine: ContainerEngine, place: SitePlace, told: Told) -> None:
    image = place.image
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
    told(f"{place.site}: starting {place.name}")
    engine.do("run", *run_words(place))


def run_words(place: SitePlace) -> list[str]:
    """The words behind `docker run`. Ports are open to this machine alone, unless another host is named."""
    image = place.image
    at = "127.0.0.1:" if place.host in LOOPBACK else ""
    words = ["--detach", "--name", place.name, "--label", f"{LABEL}={place.site}"]
    words += ["--publish", f"{at}{place.port or image.port}:{image.inner}"]
    if image.control:
        words += ["--publish", f"127.0.0.1:{image.control}:{CONTROL_INSIDE}"]
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
            engine.do("exec", place.name, *filled)
            return
        except EnvironmentDown:
            if time.monotonic() + SETUP_PAUSE > deadline:
                raise
        time.sleep(SETUP_PAUSE)


def _waited(engine: ContainerEngine, place: SitePlace, wait: float) -> SiteStatus:
    deadline, pause = time.monotonic() + wait, 0.1
    while True:
        now = status(engine, place)
        if now.answers or now.container != RUNNING or time.monotonic() > deadline:
            return now
        time.sleep(pause)
        pause = min(5.0, 2 * pause)


def _problem_at(address: str) -> str:
    """Why no page is given there, "" where one is."""
    import httpx

    with proxies_checked():
        client = httpx.Client(timeout=ASK_SECONDS, follow_redirects=False)
    with client:
        try:
            answer = client.get(address)
        except httpx.HTTPError as error:
            return f"it does not answer: {str(error) or type(error).__name__}"
    return f"it answers with {answer.status_code}" if answer.status_code >= 500 else ""
