"""`webarena sites`: WebArena's sites in containers, up, status, reset and down."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

import msgspec
import typer

from webbench.benchmarks.webarena.containers.container_engine import ContainerEngine, container_engine
from webbench.benchmarks.webarena.containers.running_sites import (
    SitePlace,
    SiteStatus,
    bring_up,
    checked_host,
    reset,
    status,
    take_down,
    variables,
)
from webbench.benchmarks.webarena.containers.site_images import wanted_images
from webbench.core.errors import EnvironmentDown, UsageError
from webbench.core.runner.plan.declared_options import Option
from webbench.core.store.changed_sites import ChangedSites
from webbench.core.text.no_value import NO_VALUE
from webbench.tui.cli.options import AsJson, StorePath, asking
from webbench.tui.cli.output import print_json, print_table, print_text, say
from webbench.tui.cli.place import open_store, report_settings

SCHEMA_VERSION = 1
WAIT = 900.0


class SitesRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `webarena sites` asks for."""

    doing: Annotated[
        Literal["up", "status", "reset", "down"],
        Option(
            argument=True,
            help="up: start, and wait until each answers; status: how they are; reset: back to the first "
            "state, from the image; down: remove the containers.",
        ),
    ]
    sites: Annotated[
        tuple[str, ...],
        Option(
            flag="--site",
            help="Only this site, such as shopping_admin; may be repeated. By default all that need no data "
            "beside their image.",
        ),
    ] = ()
    edition: Annotated[
        Literal["verified", "published"],
        Option(help="The small images of WebArena-Verified, or WebArena's own."),
    ] = "verified"
    host: Annotated[
        str,
        Option(help="Host name in the sites' addresses; another one than this machine's opens their ports."),
    ] = "localhost"
    ports: Annotated[
        tuple[str, ...], Option(flag="--port", help="Another port, SITE=PORT; may be repeated.")
    ] = ()
    engine: Annotated[
        Literal["docker", "podman"] | None, Option(help="Which one; by default docker, else podman.")
    ] = None
    wait: Annotated[
        float, Option(least=0, help="Seconds that a started site may take until it is set up and answers.")
    ] = WAIT
    store: StorePath = None


@asking(SitesRequest)
def webarena_sites_command(request: SitesRequest, as_json: AsJson = False) -> None:
    """Run WebArena's sites in containers: start them, tell how they are, reset or remove them.

    Docker or podman has to be there. The images of the edition "verified" are fetched by themselves; those of
    "published" have to be loaded first, and it is told from where. Ports are open to this machine alone,
    unless --host names another. A reset makes the container anew from its image, and the store notes it. Only
    containers that were made here are reset or removed; "down" loses what was done on the sites.

    Exit 0 when every site does as wished, 3 when one doesn't, or without docker and podman; 2 for a site that
    the edition has no image of, and for what is no host or port.
    """
    raise typer.Exit(run_sites(request, as_json=as_json))


def run_sites(request: SitesRequest, *, as_json: bool) -> int:
    """Do it, site after site, and print what became of each; 3 where one isn't as wished.

    Raises:
        UsageError: an unknown site, or a host or port that is none.
        EnvironmentDown: no container engine that answers.
    """
    report_settings()
    places = places_of(request)
    engine = container_engine(request.engine or "")
    found = [_done(engine, place, request) for place in places.values()]
    wanted = {place.site: place for place in places.values()}
    if as_json:
        told: dict[str, object] = {"sites": [msgspec.to_builtins(one) for one in found]}
        if request.doing in ("up", "reset"):
            told["variables"] = variables(_answering(found, wanted), reset_options(request))
        print_json(told | {"schema_version": SCHEMA_VERSION})
    else:
        _print(found, wanted, request)
    down = request.doing == "down"
    return 0 if all(not one.problem if down else one.answers for one in found) else 3


def places_of(request: SitesRequest) -> Mapping[str, SitePlace]:
    """The wanted sites with their ports. Raises `UsageError`."""
    images, host = wanted_images(request.edition, request.sites), checked_host(request.host)
    ports = dict(map(_port, request.ports))
    if left := ports.keys() - images.keys():
        raise UsageError(f"--port names {min(left)}, which is none of the sites", "name it with --site, too")
    return {
        site: SitePlace(site=site, edition=request.edition, image=image, host=host, port=ports.get(site, 0))
        for site, image in images.items()
    }


def _port(text: str) -> tuple[str, int]:
    site, _, port = text.partition("=")
    if not port.isdecimal() or not 0 < int(port) < 65536:
        raise UsageError(f"{text!r} names no port", "it is written SITE=PORT, such as shopping=8770")
    return site.upper(), int(port)


def _done(engine: ContainerEngine, place: SitePlace, request: SitesRequest) -> SiteStatus:
    """What becomes of one site; one that can't be started keeps the others from nothing."""
    try:
        match request.doing:
            case "up":
                return bring_up(engine, place, wait=request.wait, told=say)
            case "status":
                return status(engine, place)
            case "down":
                return take_down(engine, place)
            case "reset":
                found = reset(engine, place, wait=request.wait, told=say)
                if found.answers:
                    ChangedSites(open_store(request.store).root).note_reset(place.site, place.address)
                return found
    except EnvironmentDown as error:
        problem = ": ".join(filter(None, (error.message, error.hint)))
        return SiteStatus(site=place.site, name=place.name, address=place.address, problem=problem)


def reset_options(request: SitesRequest) -> list[str]:
    """What a later reset has to be told again, of what was wished otherwise now."""
    words = ["--engine", request.engine] if request.engine else []
    words += ["--wait", str(request.wait)] if request.wait != WAIT else []
    # It may be run from another folder.
    words += ["--store", str(request.store.expanduser().absolute())] if request.store else []
    return words


def _answering(found: Sequence[SiteStatus], places: Mapping[str, SitePlace]) -> dict[str, SitePlace]:
    return {one.site: places[one.site] for one in found if one.answers}


def _print(found: Sequence[SiteStatus], places: Mapping[str, SitePlace], request: SitesRequest) -> None:
    rows = [
        (one.site, one.address, one.container or NO_VALUE, one.problem or one.did or "answers")
        for one in found
    ]
    print_table(("site", "address", "container", "state"), rows, flexible=(3,))
    if request.doing in ("up", "reset"):
        up = _answering(found, places)
        for name, value in variables(up, reset_options(request)).items():
            print_text(f"export {name}={shlex.quote(value)}")
