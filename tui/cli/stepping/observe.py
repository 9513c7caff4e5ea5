"""`observe`: a page as an agent perceives it."""

from __future__ import annotations

import asyncio
import statistics
import time
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import msgspec
import typer

from webbench.core.browser.acting.navigation import BLANK, PORT, SCHEME, scheme_of
from webbench.core.browser.acting.settle import Patience
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.browser.launch import launch
from webbench.core.browser.visiting import as_set
from webbench.core.environment import EnvironmentSetup
from webbench.core.errors import EnvironmentDown, UsageError
from webbench.core.observation import (
    SCHEMA_VERSION,
    WHOLE_SECONDS,
    AccessibilityNode,
    Observation,
    ObservationOptions,
    Screenshot,
    ScreenshotOptions,
    Timing,
)
from webbench.core.renderings.page_heading import dialog_line, left_out_words, state_lines
from webbench.core.runner.plan.declared_options import Option
from webbench.core.settings.load_settings import load_settings
from webbench.core.text.plain_text import plain_clip
from webbench.tui.cli.browser_options import choosing_browser
from webbench.tui.cli.options import AsJson, asking
from webbench.tui.cli.output import print_json, print_text, say
from webbench.tui.cli.place import browser_options, report_settings, viewport

FORMATS = ("webarena", "browsergym", "webarena-acted-on", "browsergym-acted-on", "json")
SOURCES = ("script", "cdp")
SCHEMES = ("http", "https", "file", "about", "data")
PAGE_FILES = (".html", ".htm", ".xhtml", ".svg", ".pdf", ".txt")
WAITED = 10.0
"""Seconds that a text is waited for, unless it is said how long."""

LONGEST_WAIT = 600.0
REST_SECONDS = 1.0
"""A page that has not changed for so long has come to rest, for somebody who waits for that."""

LOOK_AGAIN = 0.25
PICTURE_FORMATS = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp"}


class ObserveRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `observe` asks for."""

    url: Annotated[str, Option(argument=True, help="Address of a page, or a file.")]
    viewport_only: Annotated[bool, Option(flag="--viewport", help="Only what the viewport shows.")] = False
    whole: Annotated[bool, Option(help="All nodes, also of a page that is too large.")] = False
    form: Annotated[
        str, Option(flag="--format", help="webarena, browsergym, each also with -acted-on, or json.")
    ] = "webarena"
    picture: Annotated[Path | None, Option(flag="--screenshot", help="Save a picture (png, jpg, webp).")] = (
        None
    )
    marks: Annotated[bool, Option(help="Draw the ids on the picture.")] = False
    full_page: Annotated[bool, Option(help="Picture of the whole page.")] = False
    wait: Annotated[
        float,
        Option(least=0, help="Seconds to wait at most until the page has come to rest (default: a moment)."),
    ] = 0
    until: Annotated[
        str, Option(help=f"Wait until the page shows this text (--wait says how long; default: {WAITED:g}).")
    ] = ""
    repeat: Annotated[int, Option(least=1, help="Read so often; timings are medians.")] = 1
    source: Annotated[str, Option(help="script (one round trip) or cdp.")] = "script"


@choosing_browser
@asking(ObserveRequest)
def observe_command(request: ObserveRequest, as_json: AsJson = False) -> None:
    """Read a page as an agent perceives it."""
    raise typer.Exit(observe_page(request, as_json=as_json))


def observe_page(request: ObserveRequest, *, as_json: bool) -> int:
    """Print the observation.

    Exit code 3 when the page could not be read; 1 when it was still being drawn, or doesn't show the text
    that was waited for.

    Raises:
        UsageError: an unknown format or source, an address that is none, or a picture that can't be saved.
        EnvironmentDown: no browser, or the page gives no picture.
    """
    if request.form not in FORMATS:
        raise UsageError(f'There is no format "{request.form}"', f"it is {', '.join(FORMATS)}")
    if request.source not in SOURCES:
        raise UsageError(f'There is no source "{request.source}"', f"it is {' or '.join(SOURCES)}")
    if request.wait > LONGEST_WAIT:
        raise UsageError(f"--wait {request.wait:g} is too long", f"at most {LONGEST_WAIT:g} seconds")
    _check_picture(request)
    report_settings()
    return asyncio.run(_observe(request, address(request.url), as_json))


def _check_picture(request: ObserveRequest) -> None:
    path = request.picture
    if path is None:
        if request.marks or request.full_page:
            raise UsageError("There is no picture to draw on", "name one with --screenshot FILE")
        return
    if path.suffix.lower() not in PICTURE_FORMATS:
        raise UsageError(f'There is no picture format "{path.suffix}"', "end the name in .png, .jpg or .webp")
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise UsageError(f"{path} can't be written", "name a file in a folder that exists")


async def _observe(request: ObserveRequest, url: str, as_json: bool) -> int:
    setup, _ = as_set(EnvironmentSetup(start_urls=(url,), viewport=viewport()), load_settings().browser)
    async with launch(browser_options()) as browser:
        environment = browser.environment(patience_for(request.wait))
        try:
            await environment.reset(setup)
            visitor = await environment.visitor()
            shows = not request.until or await _text_appeared(
                environment, request.until, request.wait or WAITED
            )
            observation, timing, text = await _read(environment, request)
        finally:
            await environment.close()
    if as_json or request.form == "json":
        print_json(
            _document(observation, timing)
            | {"visitor": msgspec.structs.asdict(visitor), "differs": browser.differs}
        )
    else:
        print_text(text)
    if browser.differs:
        say(browser.differs)
    if observation.condition != "ok":
        say(f"{observation.condition}: {observation.problem}")
        return EnvironmentDown.exit_code
    if observation.left_out:
        say(f"{left_out_words(observation)}; --whole reads them all")
    if observation.last_error:
        say(observation.last_error)
        return EnvironmentDown.exit_code
    if observation.dialog is not None:
        say(f"{dialog_line(observation.dialog)}; the page can't be read while it is open")
    if not shows:
        say(f"the page did not show {plain_clip(request.until, 80)!r} in time; --wait SECONDS waits longer")
    elif observation.changing:
        say("the page was still changing when it was read; --wait SECONDS waits until it has come to rest")
    return 0 if shows and not observation.changing else 1


def patience_for(wait: float) -> Patience:
    """For somebody who waits at most so many seconds until a page is at rest; 0: no longer than an agent."""
    if not wait:
        return Patience()
    usual = Patience()
    return Patience(
        deadline=usual.deadline + wait,
        requests=max(usual.requests, wait),
        restless=wait,
        quiet=min(REST_SECONDS, wait),
        lull=min(REST_SECONDS, wait),
    )


async def _text_appeared(environment: BrowserEnvironment, text: str, seconds: float) -> bool:
    """Wait until a node of the page has the text in its name or value; False where none has it in time."""
    end = time.monotonic() + seconds
    while True:
        observation = await environment.observe()
        if any(text in part for node in observation.nodes for part in (node.name, node.value or "")):
            return True
        if observation.condition not in ("ok", "loading") or time.monotonic() >= end:
            return False
        await asyncio.sleep(LOOK_AGAIN)


def address(text: str) -> str:
    """A URL as it is; a file's name as a file URL; anything else as a host.

    Raises:
        UsageError: it is empty, no URL, of a scheme that holds no page, or the name of a missing file.
    """
    try:
        host = urlsplit(text).hostname
    except ValueError as error:
        raise UsageError(f"{text} is no address: {error}", "write http://HOST/PATH, or a file") from error
    path = Path(text).expanduser()
    if text and _exists(path):
        return path.resolve().as_uri()
    if SCHEME.match(text) and not PORT.match(text):
        return _with_scheme(text, host)
    first = Path(text.strip().partition("/")[0])
    if first.name in ("", "..", "~") or first.suffix.lower() in PAGE_FILES:
        raise UsageError(f"There is no file {text}" if text.strip() else "The address is empty")
    return f"http://{text}"


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _with_scheme(text: str, host: str | None) -> str:
    """The address, if what its scheme names is a page: no code to run, none of the browser's own pages.

    Raises `UsageError`.
    """
    scheme = scheme_of(text)
    if scheme == "about" and text.lower() != BLANK:
        raise UsageError(f"{plain_clip(text, 80)} can't be opened", f"{BLANK} is the only page of its kind")
    if scheme not in SCHEMES or (scheme in ("http", "https") and not host):
        known = ", ".join(f"{one}:" for one in SCHEMES)
        raise UsageError(f"{plain_clip(text, 80)} can't be opened", f"an address begins with one of {known}")
    return text


async def _read(
    environment: BrowserEnvironment, request: ObserveRequest
) -> tuple[Observation, dict[str, float], str]:
    options = ObservationOptions(
        viewport_only=request.viewport_only,
        whole=request.whole,
        prefer="cdp" if request.source == "cdp" else "script",
        timeout=WHOLE_SECONDS if request.whole else ObservationOptions().timeout,
    )
    timings: list[Timing] = []
    observation, text = Observation(), ""
    for _ in range(request.repeat):
        started = time.perf_counter()
        observation = await environment.observe(options)
        observed = time.perf_counter()
        text = render(observation, request.form)
        rendered = time.perf_counter()
        if request.picture is not None:
            await _picture(environment, observation, request)
        ended = time.perf_counter()
        timings.append(
            msgspec.structs.replace(
                observation.timing,
                render=1000 * (rendered - observed),
                screenshot=1000 * (ended - rendered) if request.picture is not None else 0.0,
                total=1000 * (ended - started),
            )
        )
    return observation, _medians(timings), text


def render(observation: Observation, form: str) -> str:
    """The observation as text in one of the named formats."""
    from webbench.core.renderings import render as rendered

    return rendered(observation, form)


async def _picture(
    environment: BrowserEnvironment, observation: Observation, request: ObserveRequest
) -> Screenshot:
    """Take the picture and save it.

    Raises:
        EnvironmentDown: the page gave no picture (a dialog is open, or it is gone), or it can't be saved.
    """
    from webbench.core.browser.seeing.set_of_marks import draw_marks

    if request.picture is None:
        raise UsageError("No picture was asked for")
    form = PICTURE_FORMATS[request.picture.suffix.lower()]
    options = msgspec.convert({"format": form, "full_page": request.full_page}, ScreenshotOptions)
    shot = await environment.screenshot(options)
    if shot is None:
        raise EnvironmentDown(
            f"{request.url} gives no picture: {'; '.join(state_lines(observation)) or 'the page is gone'}"
        )
    if request.marks:
        shot = draw_marks(shot, observation)
    try:
        request.picture.write_bytes(shot.data)
    except OSError as error:
        raise EnvironmentDown(f"{request.picture} can't be written: {error.strerror or error}") from error
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
        "nodes": [_node(node) for node in observation.nodes],
        "viewport": msgspec.to_builtins(observation.viewport),
        "focused": observation.focused,
        "condition": observation.condition,
        "problem": observation.problem,
        "changing": observation.changing,
        "dialog": msgspec.to_builtins(observation.dialog),
        "source": observation.source,
        "left_out": observation.left_out,
        "timing_ms": timing,
    }


def _node(node: AccessibilityNode) -> dict[str, object]:
    """Every field is there, also where it has its default."""
    return {field: msgspec.to_builtins(getattr(node, field)) for field in node.__struct_fields__}
