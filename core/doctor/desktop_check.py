"""Whether real mouse and keyboard (`--input desktop`) would work here, and what to do where not."""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from webbench.core.browser.desktop.desktop import Desktop
from webbench.core.browser.desktop.display import MACOS_HINT, XVFB_HINT
from webbench.core.doctor.finding import Finding, State
from webbench.core.errors import EnvironmentDown

PACKAGES = {"pyautogui": "pyautogui", "Xlib": "python3-xlib", "PIL": "pillow"}
NAME = "mouse and keyboard"


def mouse_and_keyboard(display: str = "", bad: State = "warning", *, start: bool = True) -> list[Finding]:
    """Whether they would work.

    Args:
        display: the one that is to be used; "" for a private one.
        bad: how bad it is where they would not.
        start: also put a hand on it (and start a private one), which takes about a second.
    """
    if sys.platform == "darwin":
        return [Finding(NAME, bad, "they need an X display", MACOS_HINT)]
    missing = [package for module, package in PACKAGES.items() if find_spec(module) is None]
    if missing:
        return [Finding(NAME, bad, f"{', '.join(missing)} not installed", f"pip install {' '.join(missing)}")]
    if not display and shutil.which("Xvfb") is None:
        return [Finding(NAME, bad, "no Xvfb for a private display", XVFB_HINT)]
    if not start:
        return [Finding(NAME, "ok", f"on {display or 'a private display (Xvfb)'}, not tried"), _pictures()]
    return [asyncio.run(_tried(display, bad)), _pictures()]


async def _tried(name: str, bad: State) -> Finding:
    """A display with a hand on it, for a moment."""
    with tempfile.TemporaryDirectory(prefix="webbench-doctor-", ignore_cleanup_errors=True) as folder:
        try:
            desktop = await Desktop.open(name, Path(folder))
        except EnvironmentDown as error:
            return Finding(NAME, bad, error.message, error.hint)
        about, kind = desktop.hand.about, "private" if desktop.display.private else "existing"
        await desktop.close()
    keys = f"{len(about.characters)} characters have keys"
    return Finding(NAME, "ok", f"{kind} display of {about.width} x {about.height}, {keys}")


def _pictures() -> Finding:
    """Pillow asks the X server itself; the screenshot programs that it also knows are not relied on."""
    from PIL import features

    if features.check_feature("xcb"):
        return Finding("pictures of the display", "ok", "by Pillow; scrot is not needed")
    detail = "this Pillow was built without XCB, so there are none: capture_screen fails"
    return Finding("pictures of the display", "warning", detail, "pip install --force-reinstall pillow")
