"""A world that is lent: somebody else acts in it, and it is settled, seen and told as ever."""

from __future__ import annotations

import asyncio

from tests.conftest import Site
from webbench.core.action.action import Click, ElementRef
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.environment import EnvironmentSetup
from webbench.core.errors import ActionFailed

PRESS = Click(target=ElementRef(role="button", name="Go"))


async def test_what_others_do_is_told_as_an_action_and_what_fails_or_takes_too_long_is_its_error(
    environment: BrowserEnvironment, serve: Site
) -> None:
    url = serve("<title>before</title><button onclick=\"document.title='after'\">Go</button>")
    await environment.reset(EnvironmentSetup(start_urls=(url,)))
    assert environment.devtools is None, "only a browser that was started for it has a port"

    async def press() -> tuple[str, str]:
        assert environment._tabs is not None
        assert environment._tabs.active is not None
        session = environment._tabs.active.page.session
        await session.send("Runtime.evaluate", {"expression": "document.querySelector('button').click()"})
        return "pressed by itself", ""

    async def fail() -> tuple[str, str]:
        raise ActionFailed("the button is gone")

    async def dream() -> tuple[str, str]:
        await asyncio.Event().wait()
        raise AssertionError

    done = await environment.act_by(press, PRESS, None)
    assert (done.ok, done.error, done.output) == (True, "", "pressed by itself")
    assert (await environment.observe()).title == "after"
    failed = await environment.act_by(fail, PRESS, 10)
    assert (failed.ok, failed.error) == (False, "the button is gone")
    late = await environment.act_by(dream, PRESS, 0.01)
    assert (late.ok, "was not done within" in late.error) == (False, True)
    assert (await environment.observe()).last_error == late.error
