"""`webarena login` and `webarena serve`."""

from __future__ import annotations

import asyncio
import shlex
import signal
from collections.abc import Mapping, Sequence
from typing import Annotated

import typer

from webbench.benchmarks.webarena.live.saved_logins import LoginResult
from webbench.benchmarks.webarena.live.saved_logins import log_in as log_in_on
from webbench.benchmarks.webarena.live.sign_in import ways
from webbench.benchmarks.webarena.sites import NAME, addresses_set
from webbench.core.benchmark.bundle import OpenSites, StandaloneBundle, bundles_of
from webbench.core.errors import UsageError
from webbench.core.settings.site_settings import variable_of
from webbench.core.text.nearest import suggestion
from webbench.tui.cli.options import AsJson
from webbench.tui.cli.output import flush, print_json, print_json_line, print_table, print_text, say
from webbench.tui.cli.place import report_settings

SCHEMA_VERSION = 1


def webarena_login_command(
    site: Annotated[
        list[str] | None,
        typer.Option("--site", help="Only this site, such as shopping_admin; may be repeated."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Sign in on every configured site, and keep the logins for the tasks that begin signed in.

    Addresses come from sites.webarena.SITE (or the variables SHOPPING, WA_SHOPPING ...), accounts from
    accounts.webarena.SITE.user and .password (or .password_file); without one it is the account that comes
    with WebArena's own site images. One file per site and per pair of sites, which only you can read.

    Exit 0 when every site with an address is signed in, 3 when one isn't or none has an address.
    """
    raise typer.Exit(log_in(tuple(site or ()), as_json=as_json))


def webarena_serve_command(
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port of loopback; 0: any.")] = 8650,
    bundle: Annotated[
        str, typer.Option("--bundle", help="Which bundle's sites, where there are several.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Serve the bundled sites until Ctrl+C, and print the variables that make the tasks find them.

    The sites keep what is done on them until they are stopped, and begin in their first state again.
    """
    raise typer.Exit(serve_sites(port, bundle, as_json=as_json))


def log_in(sites: Sequence[str], *, as_json: bool) -> int:
    """Sign in and print what became of each site; 0, or 3 where a site with an address isn't signed in.

    Raises:
        UsageError: a site that has no login.
        EnvironmentDown: no browser.
    """
    report_settings()
    wanted = [_known(site) for site in sites]
    results = asyncio.run(_log_in(wanted))
    if as_json:
        print_json({"sites": results, "schema_version": SCHEMA_VERSION})
    else:
        rows = [(one.site, one.address, one.user, one.problem or f"kept in {one.file}") for one in results]
        print_table(("site", "address", "user", "state"), rows, flexible=(3,))
        for one in results:
            if one.warning:
                say(f"warning: {one.warning}")
    tried = [one for one in results if one.address or wanted]
    return 0 if tried and not any(one.problem for one in tried) else 3


def serve_sites(port: int, bundle: str, *, as_json: bool) -> int:
    """Serve a bundle's sites until a signal comes.

    Raises:
        UsageError: no such bundle.
        EnvironmentDown: the port is taken.
    """
    return asyncio.run(_serve(_standalone(bundle), port, as_json))


def _known(site: str) -> str:
    name = site.upper()
    if name not in ways():
        raise UsageError(f"There is no login for a site {site!r}", suggestion(name, tuple(ways())))
    return name


async def _log_in(wanted: Sequence[str]) -> list[LoginResult]:
    addresses = {name.strip("_"): address for name, address in addresses_set().items()}
    return await log_in_on(addresses, wanted)


def _standalone(name: str) -> StandaloneBundle:
    found = {bundle.name: bundle for bundle in bundles_of(NAME) if isinstance(bundle, StandaloneBundle)}
    if not found:
        raise UsageError("No bundle with sites of its own is installed", "`webbench-tui doctor` tells more")
    if name and name not in found:
        raise UsageError(f"There is no bundle {name!r}", suggestion(name, tuple(found)))
    return found[name] if name else next(iter(found.values()))


async def _serve(bundle: StandaloneBundle, port: int, as_json: bool) -> int:
    stopped = asyncio.Event()
    for ending in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(ending, stopped.set)
    async with bundle.serve(port) as opened:
        variables = _variables(opened)
        if as_json:
            addresses = dict(opened.addresses)
            print_json_line({"sites": addresses, "variables": variables, "schema_version": SCHEMA_VERSION})
        else:
            for name, value in variables.items():
                print_text(f"export {name}={shlex.quote(value)}")
        flush()
        say(f"{bundle.title}; until Ctrl+C")
        await stopped.wait()
    return 0


def _variables(opened: OpenSites) -> Mapping[str, str]:
    """What the shell has to set so that tasks find the sites and somebody can sign in."""
    found = dict(opened.addresses)
    for site, account in opened.accounts.items():
        name = variable_of("accounts", NAME, site)
        found |= {f"{name}_USER": account.user, f"{name}_PASSWORD": account.password}
    return found
