"""A step as a file that any browser opens: the report at this step, its picture, or its page's HTML."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from webbench.core.errors import BadData, EnvironmentDown
from webbench.core.settings.locations import cache_folder
from webbench.core.store.store import Store
from webbench.core.text.escaped_html import escaped
from webbench.core.trajectory import Trajectory

StepFileKind = Literal["report", "picture", "html"]
KINDS: tuple[StepFileKind, ...] = ("report", "picture", "html")
SHUT = (
    '<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="'
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'none'\">"
    "<style>html, body, iframe {{ margin: 0; border: 0; width: 100%; height: 100%; display: block; }}</style>"
    '<iframe sandbox title="recorded page" srcdoc="{}"></iframe>\n'
)
"""A recorded page is foreign: in it nothing runs, nothing is sent, and no address is asked."""


class StepFile(msgspec.Struct, frozen=True, kw_only=True):
    """What was written, and the address at which a browser shows the step.

    Attributes:
        unread: what of the record could not be read for it.
    """

    kind: StepFileKind
    file: Path
    address: str
    unread: tuple[str, ...] = ()


def write_step_file(
    store: Store, trajectory: Trajectory, place: int, kind: StepFileKind, folder: Path | None = None
) -> StepFile:
    """Write the step at a place of the trajectory into a folder, by default one of the cache.

    Raises `BadData` where nothing of the kind is recorded there, `EnvironmentDown` where the file can't be
    written.
    """
    step, header = trajectory.steps[place], trajectory.header
    within = folder or cache_folder() / "steps" / header.run / header.episode
    unread: list[str] = []
    anchor = ""
    match kind:
        case "report":
            from webbench.core.report.pages.episode_page import episode_page

            page, unread = episode_page(store, trajectory)
            path, data, anchor = within / "report.html", page.encode(), f"#step-{place}"
        case "picture":
            picture = store.screenshot(trajectory, step)
            if picture is None:
                raise BadData(f"No screenshot was recorded at step {step.index}")
            path, data = within / f"step-{step.index}.{picture.format}", picture.data
        case "html":
            html = store.html(trajectory, step)
            if not html:
                raise BadData(f"No HTML was recorded at step {step.index}")
            path, data = within / f"step-{step.index}.html", SHUT.format(escaped(html)).encode()
    try:
        within.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.write_bytes(data)
    except OSError as error:
        raise EnvironmentDown(f"{path} can't be written: {error.strerror}", "free some room there") from error
    address = path.absolute().as_uri() + anchor
    return StepFile(kind=kind, file=path, address=address, unread=tuple(unread))
