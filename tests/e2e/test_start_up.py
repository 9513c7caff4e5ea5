"""Start-up stays light: what a command does not need is not imported."""

from __future__ import annotations

import subprocess
import sys

import pytest

SLOW = ("pandas", "numpy", "playwright", "selenium", "pyautogui", "httpx", "textual", "rich", "nltk")

PROGRAM = """
import sys
from webbench.tui.cli.program import app
try:
    app({arguments!r})
except SystemExit as ending:
    code = ending.code or 0
print("\\n" + ",".join(sorted(name for name in {slow!r} if name in sys.modules)))
sys.exit(code)
"""


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["run", "--help"]])
def test_command_imports_nothing_slow(arguments: list[str]) -> None:
    program = PROGRAM.format(arguments=arguments, slow=SLOW)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == ""


def test_screens_import_no_browser_library_and_no_pandas() -> None:
    program = (
        "import sys, webbench.tui.app, webbench.tui.screens.library.library\n"
        "import webbench.tui.screens.stepper.stepper\n"
        "print([name for name in ('pandas', 'numpy', 'playwright', 'selenium', 'pyautogui', 'nltk') "
        "if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]", done.stderr
