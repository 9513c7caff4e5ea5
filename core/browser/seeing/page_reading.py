"""One observation from a reading of the active tab and what the browser says of the others."""

from __future__ import annotations

from typing import Literal

from webbench.core.browser.tabs import LiveTab, Tabs
from webbench.core.errors import EnvironmentDown
from webbench.core.observation import Observation, ObservationOptions, Tab
from webbench.core.time_limit import time_limit

Condition = Literal["ok", "loading", "crashed", "closed", "offline", "timeout", "unreadable"]
ERROR_PAGES = ("chrome-error://", "about:neterror", "about:certerror")
LOADING = "the page is still loading; wait, or act on what is there"
ANSWER_SECONDS = 5.0
UNREADABLE = {"application/pdf": "a PDF document: its text is not in the accessibility tree"}


def empty(tabs: Tabs | None, condition: Condition, problem: str) -> Observation:
    """An observation of a page that can't be read."""
    if tabs is None:
        return Observation(condition=condition, problem=problem)
    active = tabs.active
    return Observation(
        url=active.page.url if active is not None and not active.closed else "",
        title=active.title if active is not None else "",
        tabs=tuple(Tab(index, tab.title, tab.page.url, tab is active) for index, tab in enumerate(tabs.open)),
        condition=condition,
        problem=problem,
    )


def what_happened(tabs: Tabs, alive: bool) -> str:
    """Why there is no page to read. `alive`: the browser still runs."""
    if not alive:
        return "the browser ended unexpectedly; going to an address starts it anew, without its logins"
    if tabs.active is not None and tabs.active.crashed:
        return f"the page {tabs.active.page.url} crashed"
    return "the last tab was closed"


async def read(tabs: Tabs, tab: LiveTab, options: ObservationOptions, loading: bool) -> Observation:
    """Read the active tab. Raises what the snapshotter raises."""
    reading = await tabs.snapshotter.read(tab.page, options)
    tab.title = reading.title
    if len(tabs.open) > 1:
        await _titles(tabs)
    condition, problem = _condition(tab, reading.url, loading)
    url = tab.activity.failed_url if condition == "offline" else reading.url
    return Observation(
        url=url,
        title=reading.title,
        tabs=tuple(
            Tab(index, one.title, url if one is tab else one.page.url, one is tab)
            for index, one in enumerate(tabs.open)
        ),
        nodes=reading.nodes,
        viewport=reading.viewport,
        frames=reading.frames,
        focused=reading.focused,
        left_out=reading.left,
        condition=condition,
        problem=problem,
        source=reading.source,
        timing=reading.timing,
    )


def _condition(tab: LiveTab, url: str, loading: bool) -> tuple[Condition, str]:
    activity = tab.activity
    if url.startswith(ERROR_PAGES):
        return "offline", f"{activity.failed_url} could not be loaded: {activity.failure or 'no answer'}"
    if activity.content_type in UNREADABLE:
        return "unreadable", UNREADABLE[activity.content_type]
    if loading and activity.navigating:
        return "loading", LOADING
    return "ok", ""


async def _titles(tabs: Tabs) -> None:
    """Titles of tabs in the background, from the browser itself: a stuck page can't hold this up."""
    try:
        async with time_limit(ANSWER_SECONDS):
            answer = await tabs.context.session.send("Target.getTargets")
    except TimeoutError as error:
        raise EnvironmentDown(f"the browser did not answer within {ANSWER_SECONDS:g} s") from error
    infos = answer["targetInfos"]
    assert isinstance(infos, list)
    titles = {info["targetId"]: info["title"] for info in infos}
    for tab in tabs.open:
        tab.title = titles.get(tab.page.frame_id, tab.title)
