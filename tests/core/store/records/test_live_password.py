"""A password typed on a real page in a real browser is nowhere in the store."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from webbench.core.action.action import Action, Click, ElementRef, Press, Type
from webbench.core.browser.launch import Browser, LaunchOptions, find_chromium, launch
from webbench.core.environment import EnvironmentSetup
from webbench.core.errors import EnvironmentDown
from webbench.core.observation import ScreenshotOptions
from webbench.core.store.records.blobs import BlobStore
from webbench.core.store.secrets.redaction import MARKER
from webbench.core.store.store import Store
from webbench.core.trajectory import Step

PAGE = """<!doctype html><title>Log in</title>
<form onsubmit="event.preventDefault()">
  <label>User <input name="user"></label>
  <label>Password <input name="pw" type="password" oninput="
    this.setAttribute('value', this.value);
    document.querySelector('output').textContent = 'You typed ' + this.value;
    document.title = this.value; location.hash = encodeURIComponent(this.value)"></label>
  <output></output>
</form>"""
SECRET = 'corr&ct "horse" ümlaut'


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    try:
        find_chromium()
    except EnvironmentDown as error:
        pytest.skip(error.message)
    async with launch(LaunchOptions()) as browser:
        yield browser


def everything(root: Path) -> bytes:
    blobs = BlobStore(root)
    found = []
    for path in root.rglob("*"):
        if path.is_file():
            found.append(path.read_bytes())
            if path.suffix == ".zst":
                found.append(blobs.get(path.name.partition(".")[0]))
    return b"\n".join(found)


@pytest.mark.browser
@pytest.mark.parametrize("by_keys", [False, True])
async def test_a_typed_password_is_not_recorded(
    store: Store, begin, browser: Browser, tmp_path: Path, by_keys: bool
) -> None:
    page = tmp_path / "login.html"
    page.write_text(PAGE.replace("this.setAttribute('value', this.value);", "") if by_keys else PAGE)
    secret = "q7Zx9w" if by_keys else SECRET
    environment = browser.environment()
    await environment.reset(EnvironmentSetup(start_urls=(page.as_uri(),)))
    recorder = begin(store)
    seen = await environment.observe()
    await recorder.append(Step(index=0, at=""), observation=seen)
    field = ElementRef(field="pw")
    actions: list[Action] = [Type(target=ElementRef(field="user"), text="alice")]
    if by_keys:
        actions += [Click(target=field), *(Press(keys=key) for key in secret), Press(keys="Tab")]
    else:
        actions += [Type(target=field, text=secret)]
    for index, action in enumerate(actions, 1):
        result = await environment.act(action)
        assert result.ok, result.error
        seen = await environment.observe()
        await recorder.append(
            Step(index=index, at="", text=f"{action}", action=result.action, url=seen.url, title=seen.title),
            observation=seen,
            screenshot=await environment.screenshot(ScreenshotOptions(format="png")),
            html=str(await environment.probe("() => document.documentElement.outerHTML")),
        )
    assert seen.title == secret
    await environment.close()
    recorder.finish(None, "done")
    store.close()

    trajectory = store.load(recorder.folder)
    assert trajectory.problems == ()
    assert secret.encode() not in everything(store.root)
    assert b"alice" in everything(store.root)
    last = trajectory.steps[-1]
    assert MARKER in last.title
    assert f"You typed {MARKER}" in store.html(trajectory, last)
