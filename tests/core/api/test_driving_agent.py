"""An agent that drives the episode's browser by itself, over its DevTools address."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, async_playwright

import webbench as wb
from webbench.core.action.action import Click, ElementRef, Goto, NewTab, Stop
from webbench.core.agent import Done
from webbench.core.errors import ActionFailed

pytestmark = [pytest.mark.browser, pytest.mark.thorough]


class Driver:
    """Clicks a product, opens a tab, is kept from buying, and fails once; by Playwright's own hands."""

    name = "driver"

    def __init__(self) -> None:
        self.done: list[str] = []
        self.seen: list[str] = []
        self._next = 0
        self._playwright = async_playwright()
        self._browser: Browser | None = None

    async def _page(self, address: str) -> Page:
        if self._browser is None:
            playwright = await self._playwright.start()
            self._browser = await playwright.chromium.connect_over_cdp(address, no_defaults=True)
        return self._browser.contexts[-1].pages[0]

    async def propose(self, view: wb.AgentView) -> wb.Proposal:
        assert view.devtools is not None
        self.page = await self._page(view.devtools.address)
        self.target = view.devtools.target
        self.seen.append(view.last_error)
        if view.devtools.files is not None and self._next == 0:
            (view.devtools.files / "own.json").write_text("{}")
        actions = (
            Click(target=ElementRef(role="link", name="Fyr Storm Lantern")),
            NewTab(url="about:blank"),
            Goto(url="http://elsewhere.test/buy"),
            Click(target=ElementRef(role="button", name="Nothing")),
            Stop(),
        )
        self._next += 1
        return wb.Proposal(action=actions[self._next - 1])

    async def carry_out(self) -> Done:
        self.done.append(("click", "tab", "buy", "fail")[self._next - 1])
        if self.done[-1] == "fail":
            raise ActionFailed("there is no such button")
        if self.done[-1] == "click":
            await self.page.get_by_role("link", name="Fyr Storm Lantern").first.click()
            return Done("clicked by itself")
        assert self._browser is not None
        root = await self._browser.new_browser_cdp_session()
        about = await root.send("Target.getTargetInfo", {"targetId": self.target})
        context = about["targetInfo"]["browserContextId"]
        made = await root.send("Target.createTarget", {"url": "about:blank", "browserContextId": context})
        return Done("opened by itself", made["targetId"])

    async def close(self) -> None:
        if self._browser is not None:
            await self._browser.close()
            await self._playwright.__aexit__()


def test_what_it_does_by_itself_is_judged_recorded_and_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEBBENCH_GUARD_ACTIONS", "on")
    agent = Driver()
    record = wb.play("demo/open-product", agent, store=tmp_path / "store")
    click, tab, buy, fail, _stop = [step for step in record.steps if step.acted]
    assert agent.done == ["click", "tab", "fail"], "the guard stopped the purchase"
    assert (click.output, click.url.rpartition("/")[2]) == ("clicked by itself", "fyr-storm-lantern")
    assert (tab.output, tab.url) == ("opened by itself", "about:blank")
    assert (buy.ok, bool(buy.error)) == (False, True)
    assert (fail.ok, fail.error) == (False, "there is no such button")
    assert agent.seen == ["", "", "", buy.error, fail.error]
    files = tmp_path / "store" / record.header.run / record.header.episode / "files"
    assert [one.name for one in files.iterdir()] == ["own.json"]
