"""Start-up stays light: what a command does not need is not imported."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from webbench.tui.cli.listed_commands import LISTED

SLOW = (
    *("pandas", "numpy", "playwright", "selenium", "pyautogui", "httpx", "textual", "rich"),
    *("nltk", "rouge_score"),
)

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


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["run", "--help"], ["agents", "--help"]])
def test_command_imports_nothing_slow(arguments: list[str]) -> None:
    program = PROGRAM.format(arguments=arguments, slow=SLOW)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == ""


COMPLETING = """
import sys
from webbench.tui.cli.listed_commands import COMMANDS, GROUPS, PACKAGE
from webbench.tui.cli.program import app
try:
    app([], prog_name="webbench-tui")
except SystemExit:
    pass
tables = [COMMANDS, *(group.commands for group in GROUPS.values())]
modules = {module for table in tables for module, _ in table.values()}
print("imported", *sorted(name for name in modules if f"{PACKAGE}.{name}" in sys.modules))
"""


def completed(*words: str) -> tuple[list[str], list[str]]:
    """What a shell is told when Tab is pressed after these words, and the modules imported for that."""
    asked = {"_WEBBENCH_TUI_COMPLETE": "complete_bash", "COMP_WORDS": " ".join(words)}
    done = subprocess.run(
        [sys.executable, "-c", COMPLETING],
        env={**os.environ, **asked, "COMP_CWORD": str(len(words) - 1)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    *told, imported = done.stdout.splitlines()
    return told, imported.split()[1:]


def test_completing_a_name_imports_no_command() -> None:
    assert completed("webbench-tui", "") == (list(LISTED[""]), [])
    assert completed("webbench-tui", "ru") == (["run", "runs"], [])
    assert completed("webbench-tui", "label", "") == (list(LISTED["label"]), [])
    assert completed("webbench-tui", "label", "di") == (["dispute", "disputes"], [])


def test_completing_an_option_imports_its_command_alone() -> None:
    assert completed("webbench-tui", "--sto") == (["--store"], [])
    assert completed("webbench-tui", "weblinx", "export", "--ren") == (["--rename"], ["benchmarks.weblinx"])


def test_options_after_a_group_are_those_of_the_command_that_it_stands_for() -> None:
    for words in (("label",), ("label", "an-episode"), ("label", "give")):
        assert completed("webbench-tui", *words, "--co") == (["--code", "--confidence"], ["people.label"])


def test_screens_import_no_browser_library_and_no_pandas() -> None:
    program = (
        "import sys, webbench.tui.app, webbench.tui.screens.library.library\n"
        "import webbench.tui.screens.stepper.stepper\n"
        "print([name for name in ('pandas', 'numpy', 'playwright', 'selenium', 'pyautogui', 'nltk', "
        "'rouge_score') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]", done.stderr
