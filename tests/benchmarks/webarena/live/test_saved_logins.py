"""Signing in on the bundled sites as they are served for a person, and keeping the logins."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from webbench.benchmarks.webarena.live import saved_logins
from webbench.benchmarks.webarena.live.saved_logins import file_of, log_in, sites_to_sign_in, valid_login
from webbench.benchmarks.webarena.live.sign_in import (
    cookie_jar,
    header_login,
    is_signed_in,
    merged,
    sign_in,
    ways,
)
from webbench.benchmarks.webarena.stage import lasting_stage
from webbench.core.benchmark.bundle import OpenSites, StandaloneBundle, bundles_of
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.browser.launch import Browser
from webbench.core.errors import EnvironmentDown
from webbench.core.settings.site_settings import Account
from webbench.core.task import Task
from webbench.tui.cli.benchmarks import webarena


@asynccontextmanager
async def served(monkeypatch: pytest.MonkeyPatch, folder: Path) -> AsyncIterator[OpenSites]:
    """The bundled sites as the settings name them, with an empty folder of logins."""
    (bundle,) = (one for one in bundles_of("webarena") if isinstance(one, StandaloneBundle))
    monkeypatch.setattr(saved_logins, "folder", lambda: folder / "logins")
    async with bundle.serve(0) as opened:
        for site, address in opened.addresses.items():
            monkeypatch.setenv(site, address)
        for site, account in opened.accounts.items():
            monkeypatch.setenv(f"WEBBENCH_ACCOUNTS_WEBARENA_{site}_USER", account.user)
            monkeypatch.setenv(f"WEBBENCH_ACCOUNTS_WEBARENA_{site}_PASSWORD", account.password)
        yield opened


def opener(chromium: Browser | None, opened: list[int]) -> Any:
    @asynccontextmanager
    async def open_browser() -> AsyncIterator[Browser | None]:
        opened.append(1)
        yield chromium

    return open_browser


@pytest.mark.thorough
async def test_every_site_and_every_pair_has_a_login_that_only_its_owner_reads(
    chromium: Browser, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with served(monkeypatch, tmp_path) as opened:
        addresses = dict(opened.addresses)
        results = await log_in(addresses, open_browser=opener(chromium, []))
        assert {one.site: bool(one.problem) for one in results} == {
            site: site not in addresses for site in ways()
        }
        count = sum(not one.problem for one in results)
        files = sorted((tmp_path / "logins").glob("*.json"))
        assert len(files) == count + count * (count - 1) // 2
        assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
        both = ["REDDIT", "SHOPPING"]
        assert file_of(both).name == "reddit.shopping_state.json"
        state = json.loads(file_of(both).read_bytes())
        assert all([await is_signed_in(site, addresses[site], state) for site in both])
        alone = json.loads(file_of(["REDDIT"]).read_bytes())
        assert not await is_signed_in("SHOPPING", addresses["SHOPPING"], alone)


async def test_a_task_begins_signed_in_and_an_expired_login_is_renewed(
    chromium: Browser, environment: BrowserEnvironment, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    task = Task(
        benchmark="webarena",
        name="1",
        split="test",
        data={
            "sites": ["shopping"],
            "start_url": "__SHOPPING__/account",
            "storage_state": "./.auth/shopping_state.json",
        },
        gold={"eval_types": []},
    )
    launched: list[int] = []
    monkeypatch.setattr(saved_logins.valid_login, "__defaults__", (opener(chromium, launched),))
    async with served(monkeypatch, tmp_path) as opened:
        async with lasting_stage(task) as stage:
            await stage.ready()
            await environment.reset(stage.setup)
            assert (await environment.observe()).url == opened.addresses["SHOPPING"] + "/account"
        await valid_login(["SHOPPING"], opened.addresses)
        assert len(launched) == 1
        file_of(["SHOPPING"]).write_text('{"cookies": [], "origins": []}')
        await valid_login(["SHOPPING"], opened.addresses)
        assert len(launched) == 2


async def test_a_wrong_password_is_told_without_showing_it(
    chromium: Browser, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with served(monkeypatch, tmp_path) as opened:
        wrong = Account("mara_l", "not-the-password")
        with pytest.raises(EnvironmentDown, match="doesn't let mara_l in") as told:
            await sign_in(chromium, "REDDIT", opened.addresses["REDDIT"], wrong)
        assert "not-the-password" not in str(told.value)


@pytest.mark.parametrize(
    ("data", "sites"),
    [
        (
            {"storage_state": "./.auth/gitlab.reddit_state.json", "sites": ["gitlab", "wikipedia"]},
            "GITLAB REDDIT",
        ),
        ({"storage_state": None, "require_login": False, "sites": ["map"]}, ""),
        (
            {"storage_state": None, "require_login": True, "sites": ["map", "shopping_admin"]},
            "SHOPPING_ADMIN",
        ),
        ({"start_urls": ["__GITLAB__"], "sites": ["gitlab"]}, "GITLAB"),
        ({"storage_state": 5, "sites": 7}, ""),
    ],
)
def test_where_a_task_begins_signed_in(data: dict[str, Any], sites: str) -> None:
    assert " ".join(sites_to_sign_in(Task(benchmark="webarena", name="1", data=data))) == sites


@pytest.mark.parametrize("host", ["localhost", "shopping", "127.0.0.1", "shop.example.org"])
def test_the_cookies_of_a_login_are_sent_to_any_host(host: str) -> None:
    state = {"cookies": [{"name": "s", "value": "1", "domain": host, "path": "/"}]}
    jar = cookie_jar(state)
    for url, sent in ((f"http://{host}:7770/account", "s=1"), ("http://elsewhere:7770/account", None)):
        request = httpx.Request("GET", url)
        jar.set_cookie_header(request)
        assert request.headers.get("cookie") == sent


def test_of_two_logins_the_later_cookie_wins() -> None:
    def state(value: str, path: str = "/") -> dict[str, Any]:
        return {"cookies": [{"name": "s", "domain": "a", "path": path, "value": value}], "origins": []}

    both = merged([state("one"), state("two"), state("three", "/admin")])
    assert [cookie["value"] for cookie in both["cookies"]] == ["two", "three"]


async def test_logins_that_replace_each_other_are_told_and_not_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Forum and shop on two ports of one host name their cookie alike; GitLab is elsewhere."""

    async def signed_in_on(_: Any, site: str, address: str, __: Account) -> dict[str, Any]:
        domain = address.split(":")[1]
        return {"cookies": [{"name": "s", "domain": domain, "path": "/", "value": site}], "origins": []}

    async def asked(site: str, _: str, state: dict[str, Any]) -> bool:
        return any(cookie["value"] == site for cookie in state["cookies"])

    monkeypatch.setattr(saved_logins, "folder", lambda: tmp_path)
    monkeypatch.setattr(saved_logins, "sign_in", signed_in_on)
    monkeypatch.setattr(saved_logins, "is_signed_in", asked)
    addresses = {"REDDIT": "http://a:1", "SHOPPING": "http://a:2", "GITLAB": "http://b:3"}
    no_browser = opener(None, [])
    warnings = {one.site: one.warning for one in await log_in(addresses, tuple(addresses), no_browser)}
    assert warnings.pop("SHOPPING").startswith("REDDIT can't be signed in beside SHOPPING")
    assert set(warnings.values()) == {""}
    assert not file_of(["REDDIT", "SHOPPING"]).exists()
    assert file_of(["GITLAB", "REDDIT"]).exists()
    assert file_of(["GITLAB", "SHOPPING"]).exists()

    for site, address in addresses.items():
        monkeypatch.setenv(site, address)
    verified = Task(
        benchmark="webarena",
        name="verified.1",
        data={"sites": ["shopping", "reddit"], "start_urls": ["__REDDIT__"]},
        gold={"eval": []},
    )
    async with lasting_stage(verified) as stage:
        await stage.ready()
    state: Any = stage.setup.storage_state
    assert [cookie["value"] for cookie in state["cookies"]] == ["REDDIT"]
    assert stage.warnings[0].startswith("signed in on REDDIT alone, as the original task: REDDIT can't")
    with pytest.raises(saved_logins.LoginsClash):
        await valid_login(["REDDIT", "SHOPPING"], addresses, no_browser)


def test_serving_prints_what_the_shell_has_to_set_and_ends_on_ctrl_c(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(webarena, "say", lambda _: os.kill(os.getpid(), signal.SIGINT))
    assert webarena.serve_sites(0, "", as_json=False) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("export SHOPPING=http://127.0.0.1:") for line in lines)
    assert any(line.startswith("export WEBBENCH_ACCOUNTS_WEBARENA_REDDIT_USER=") for line in lines)


@contextmanager
def header_site(elsewhere: str = "") -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """A forum that takes the header of the small images, and what was sent to it: path and header.

    Args:
        elsewhere: an address that it sends everybody to at once.
    """
    asked: list[tuple[str, str]] = []

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            told = self.headers.get("X-Postmill-Auto-Login", "")
            asked.append((self.path, told))
            if elsewhere or told == "ann:right":
                self.send_response(302)
                self.send_header("Location", elsewhere or "/home")
                self.send_header("Set-Cookie", "session=of-ann; HttpOnly; Path=/")
                self.end_headers()
                return
            self.send_response(200)
            self.end_headers()
            if "session=of-ann" in self.headers.get("Cookie", ""):
                self.wfile.write(b'<a href="/logout">Log out</a>')

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://localhost:{server.server_address[1]}", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


async def test_a_site_that_takes_a_header_is_signed_in_on_without_a_form() -> None:
    """The cookies of the first answer are the login: later requests send no password."""
    with header_site() as (address, asked):
        state = await header_login("REDDIT", address, Account("ann", "right"))
        (cookie,) = state["cookies"]
        assert (cookie["domain"], cookie["value"], cookie["httpOnly"]) == ("localhost", "of-ann", True)
        assert asked[-1] == ("/", ""), "tried by its cookies alone"
        assert await header_login("REDDIT", address, Account("ann", "wrong")) == {}
        assert await header_login("GITLAB", address, Account("ann", "right")) == {}, "it has no header"


async def test_no_other_site_is_sent_the_password() -> None:
    with (
        header_site() as (other, asked),
        header_site(elsewhere=f"{other.replace('localhost', '127.0.0.1')}/home") as (address, _),
    ):
        assert await header_login("REDDIT", address, Account("ann", "right")) == {}
    assert [told for _, told in asked if told] == []
