"""Whether real mouse and keyboard (`--input desktop`) would work here, and what to do where not."""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from webbench.core.browser.desktop import Desktop
from webbench.core.browser.desktop_display import MACOS_HINT, XVFB_HINT
from webbench.core.doctor import Finding
from webbench.core.errors import EnvironmentDown

PACKAGES = {"pyautogui": "pyautogui", "Xlib": "python3-xlib", "PIL": "pillow"}
NAME = "mouse and keyboard"


def mouse_and_keyboard(display: str = "", *, start: bool = True) -> list[Finding]:
    """Warnings only: everything else works without.

    Args:
        display: the one that is to be used; "" for a private one.
        start: also put a hand on it (and start a private one), which takes about a second.
    """
    if sys.platform == "darwin":
        return [Finding(NAME, "warning", "they need an X display", MACOS_HINT)]
    missing = [package for module, package in PACKAGES.items() if find_spec(module) is None]
    if missing:
        mend = f"pip install {' '.join(missing)}"
        return [Finding(NAME, "warning", f"{', '.join(missing)} not installed", mend)]
    if not display and shutil.which("Xvfb") is None:
        return [Finding(NAME, "warning", "no Xvfb for a private display", XVFB_HINT)]
    place = display or "a private display (Xvfb)"
    found = asyncio.run(_tried(display)) if start else Finding(NAME, "ok", f"on {place}, not tried")
    return [found, _pictures()]


async def _tried(name: str) -> Finding:
    """A display with a hand on it, for a moment."""
    with tempfile.TemporaryDirectory(prefix="webbench-doctor-", ignore_cleanup_errors=True) as folder:
        try:
            desktop = await Desktop.open(name, Path(folder))
        except EnvironmentDown as error:
            return Finding(NAME, "warning", error.message, error.hint)
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
