"""`observe`: a page as an agent perceives it."""

from __future__ import annotations

import asyncio
import statistics
import time
from pathlib import Path

import msgspec

from webbench.core.browser.environment import BrowserEnvironment
from webbench.core.browser.launch import launch
from webbench.core.environment import EnvironmentSetup
from webbench.core.errors import EnvironmentDown, UsageError
from webbench.core.observation import (
    SCHEMA_VERSION,
    Observation,
    ObservationOptions,
    Screenshot,
    ScreenshotOptions,
    Timing,
)
from webbench.tui.headless.output import print_json, print_text, say
from webbench.tui.headless.place import browser_options

PICTURE_FORMATS = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp"}


class ObserveRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments of `observe`."""

    url: str
    viewport_only: bool = False
    form: str = "webarena"
    picture: Path | None = None
    marks: bool = False
    full_page: bool = False
    repeat: int = 1
    source: str = "script"


def observe_page(request: ObserveRequest, *, as_json: bool) -> int:
    """Print the observation; exit code 3 when the page could not be read."""
    if request.form not in ("webarena", "browsergym", "json"):
        raise UsageError(f"No format {request.form!r}", "it is webarena, browsergym or json")
    if request.source not in ("script", "cdp"):
        raise UsageError(f"No source {request.source!r}", "it is script or cdp")
    if request.picture is not None and request.picture.suffix.lower() not in PICTURE_FORMATS:
        raise UsageError(f"No picture format {request.picture.suffix!r}", "use .png, .jpg or .webp")
    return asyncio.run(_observe(request, as_json))


async def _observe(request: ObserveRequest, as_json: bool) -> int:
    async with launch(browser_options()) as browser:
        environment = browser.environment()
        try:
            await environment.reset(EnvironmentSetup(start_urls=(_address(request.url),)))
            observation, timing, text = await _read(environment, request)
        finally:
            await environment.close()
    if as_json or request.form == "json":
        print_json(_document(observation, timing))
    else:
        print_text(text)
    if observation.condition != "ok":
        say(f"{observation.condition}: {observation.problem}")
        return 3
    return 0


def _address(url: str) -> str:
    """A URL as it is; the name of an existing file as a file URL."""
    if "://" in url or url.startswith(("about:", "data:")):
        return url
    path = Path(url)
    return path.resolve().as_uri() if path.exists() else f"http://{url}"


async def _read(
    environment: BrowserEnvironment, request: ObserveRequest
) -> tuple[Observation, dict[str, float], str]:
    options = ObservationOptions(
        viewport_only=request.viewport_only, prefer="cdp" if request.source == "cdp" else "script"
    )
    timings: list[Timing] = []
    observation, text = Observation(), ""
    for _ in range(request.repeat):
        observation = await environment.observe(options)
        render_started = time.perf_counter()
        text = render(observation, request.form)
        rendered = 1000 * (time.perf_counter() - render_started)
        shot = 0.0
        if request.picture is not None:
            shot_started = time.perf_counter()
            await _picture(environment, observation, request)
            shot = 1000 * (time.perf_counter() - shot_started)
        timing = observation.timing
        total = timing.accessibility + timing.layout + timing.join + rendered + shot
        timings.append(msgspec.structs.replace(timing, render=rendered, screenshot=shot, total=total))
    return observation, _medians(timings), text


def render(observation: Observation, form: str) -> str:
    """The observation as text in one of the named formats."""
    from webbench.core.renderings.as_json import as_json
    from webbench.core.renderings.browsergym import browsergym_text
    from webbench.core.renderings.webarena import webarena_text

    return {"webarena": webarena_text, "browsergym": browsergym_text, "json": as_json}[form](observation)


async def _picture(
    environment: BrowserEnvironment, observation: Observation, request: ObserveRequest
) -> Screenshot:
    """Take the picture and save it.

    Raises:
        EnvironmentDown: the page gave no picture (a dialog is open, or it is gone).
    """
    from webbench.core.browser.marks import draw_marks

    if request.picture is None:
        raise UsageError("No picture was asked for")
    form = PICTURE_FORMATS[request.picture.suffix.lower()]
    options = msgspec.convert({"format": form, "full_page": request.full_page}, ScreenshotOptions)
    shot = await environment.screenshot(options)
    if shot is None:
        raise EnvironmentDown(
            f"{request.url} gives no picture: {observation.problem or observation.condition}"
        )
    if request.marks:
        shot = draw_marks(shot, observation)
    request.picture.write_bytes(shot.data)
    return shot


def _medians(timings: list[Timing]) -> dict[str, float]:
    return {
        field: round(statistics.median(getattr(timing, field) for timing in timings), 3)
        for field in Timing.__struct_fields__
    }


def _document(observation: Observation, timing: dict[str, float]) -> dict[str, object]:
    return {
        "schema_version": SCHEMA_VERSION,
        "url": observation.url,
        "title": observation.title,
        "tabs": [msgspec.to_builtins(tab) for tab in observation.tabs],
        "nodes": [_node(node) for node in msgspec.to_builtins(observation.nodes)],
        "viewport": msgspec.to_builtins(observation.viewport),
        "focused": observation.focused,
        "condition": observation.condition,
        "problem": observation.problem,
        "dialog": msgspec.to_builtins(observation.dialog),
        "source": observation.source,
        "timing_ms": timing,
    }


def _node(node: dict[str, object]) -> dict[str, object]:
    """Every field is there, also where it has its default."""
    return {"name": "", "value": None, "depth": 0, "box": None, "states": {}, **node}
