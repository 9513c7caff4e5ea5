"""The sign-in form of sites with accounts: showing it, letting people in, letting them go."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites.passwords import password_digest
from webbench.benchmarks.sample_sites.sessions import sign_in, sign_out
from webbench.benchmarks.sample_sites.visits import after_sign_in
from webbench.benchmarks.sample_sites.web import Visit, page

LONGEST_NAME = 60
"""Characters of a wrong name that the form shows again."""


@dataclass(frozen=True, kw_only=True)
class SignInForm:
    """The form of one site.

    Attributes:
        path, way_out: addresses where one signs in, and where one posts to sign out.
        template: shows the form from `error`, `name` and `after`, the path to go on to.
        show: renders a template inside the site's frame.
        find: the account of a name, a row with `password_sha256`; None for a stranger.
        key: the account's column that sessions are kept under.
        wrong: what a wrong name or password is answered with.
        left: where one is after signing out.
    """

    site: str
    path: str
    way_out: str
    template: str
    show: Callable[..., Response]
    find: Callable[[sqlite3.Connection, str], sqlite3.Row | None]
    key: str
    wrong: str
    left: str

    def form(self, visit: Visit) -> Response:
        after = after_sign_in(visit, visit.query("next"))
        return self.show(visit, self.template, error="", name="", after=after)

    def enter(self, visit: Visit) -> Response:
        name, after = visit.field("username"), after_sign_in(visit, visit.field("next"))
        account = self.find(visit.database, name)
        digest = password_digest(visit.field("password"))
        if account is None or account["password_sha256"] != digest:
            shown = name[:LONGEST_NAME]
            return self.show(visit, self.template, status=422, error=self.wrong, name=shown, after=after)
        return sign_in(visit, visit.redirect(after), account[self.key])

    def leave(self, visit: Visit) -> Response:
        return sign_out(visit, visit.redirect(self.left))

    def routes(self) -> Sequence[BaseRoute]:
        return [
            page(self.site, self.path, self.form),
            page(self.site, self.path, self.enter, "POST"),
            page(self.site, self.way_out, self.leave, "POST"),
        ]
