"""`webarena`: signing in on WebArena's sites, and serving the bundled ones."""

from __future__ import annotations

from typing import Annotated

import typer

from webbench.tui.cli_options import AsJson

webarena_commands = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Sign in on WebArena's sites, or serve bundled ones."
)


@webarena_commands.command()
def login(
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
    from webbench.tui.headless.webarena import log_in

    raise typer.Exit(log_in(tuple(site or ()), as_json=as_json))


@webarena_commands.command()
def serve(
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port of loopback; 0: any.")] = 8650,
    bundle: Annotated[
        str, typer.Option("--bundle", help="Which bundle's sites, where there are several.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Serve the bundled sites until Ctrl+C, and print the variables that make the tasks find them.

    The sites keep what is done on them until they are stopped, and begin in their first state again.
    """
    from webbench.tui.headless.webarena import serve_sites

    raise typer.Exit(serve_sites(port, bundle, as_json=as_json))
