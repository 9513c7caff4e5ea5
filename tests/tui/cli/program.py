"""The installed program as a person calls it: a process with its output, errors and exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import pytest

from webbench.tui.start import main

PROGRAM = (sys.executable, "-m", "webbench.tui")


class Done(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def json_lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


def environment(home: Path, **variables: str) -> dict[str, str]:
    """Of a person without settings, so that nothing depends on the machine's own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("WEBBENCH_", "XDG_"))}
    if "WEBBENCH_CHROMIUM" in os.environ:
        kept["WEBBENCH_CHROMIUM"] = os.environ["WEBBENCH_CHROMIUM"]
    folders = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CONFIG", "DATA", "STATE", "CACHE")}
    return {**kept, **folders, "COLUMNS": "80", **variables}


def call(home: Path, *arguments: str, stdin: str | bytes = b"", **variables: str) -> Done:
    """Run a command to its end, from the folder `home`."""
    home.mkdir(exist_ok=True)
    done = subprocess.run(
        [*PROGRAM, *arguments],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        cwd=home,
        env=environment(home, **variables),
        timeout=120,
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


class Here(Protocol):
    """Run a command in this process: for the many calls that start nothing of their own."""

    def __call__(self, home: Path, *arguments: str, **variables: str) -> Done: ...


def call_here(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *arguments: str,
    **variables: str,
) -> Done:
    """A command with the environment that `call` gives it, but in this process, which keeps nothing of it."""
    for name in list(os.environ):
        if name.startswith("WEBBENCH_"):
            monkeypatch.delenv(name)
    for name, value in environment(home, **variables).items():
        monkeypatch.setenv(name, value)
    home.mkdir(exist_ok=True)
    monkeypatch.chdir(home)
    monkeypatch.setattr(sys, "argv", ["webbench-tui", *arguments])
    given = dict(os.environ)
    with pytest.raises(SystemExit) as ending:
        main()
    assert dict(os.environ) == given
    printed = capsys.readouterr()
    return Done(int(ending.value.code or 0), printed.out, printed.err)
