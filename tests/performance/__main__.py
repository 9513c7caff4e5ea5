"""`make bench`: every script of this folder in turn, each printing ratios of one run.

Names on the command line choose some of them: `python -m tests.performance observation store`. What begins
with a dash is an option of those that are chosen: `python -m tests.performance alignment --held`.
A script's `main()` returns the figures that were missed, in words, or None. One that fails stops no
other; the exit code is 1 where a figure was missed or a script failed.
"""

from __future__ import annotations

import importlib
import re
import sys
import time
import traceback
from pathlib import Path

FOLDER = Path(__file__).parent


def main(arguments: list[str]) -> int:
    """Run the chosen scripts, or all, and sum up; returns the exit code."""
    known = scripts()
    options = [one for one in arguments if one.startswith("-")]
    chosen = [one for one in arguments if one not in options]
    unknown = sorted(set(chosen) - set(known))
    if unknown:
        print(f"no script called {', '.join(unknown)}; there are {', '.join(known)}", file=sys.stderr)
        return 2
    if options and not chosen:
        print(f"{' '.join(options)}: name the script whose option it is", file=sys.stderr)
        return 2
    results: dict[str, tuple[list[str], float]] = {}
    for name in chosen or known:
        started = time.monotonic()
        missed = outcome(name, options)
        for miss in missed:
            print(f"MISSED: {miss}", flush=True)
        results[name] = missed, time.monotonic() - started
    print("\n=== summary")
    for name, (missed, seconds) in results.items():
        print(f"{name:24} {seconds:7.1f} s  {'; '.join(missed) or 'ok'}")
    return 1 if any(missed for missed, _ in results.values()) else 0


def scripts() -> list[str]:
    """The modules of this folder that can be run."""
    return sorted(
        path.stem
        for path in FOLDER.glob("[!_]*.py")
        if re.search(r"^def main\(", path.read_text("utf-8"), re.MULTILINE)
    )


def outcome(name: str, options: list[str]) -> list[str]:
    """Run one script: the figures it missed, or how it failed."""
    sys.argv[1:] = options
    try:
        module = importlib.import_module(f"tests.performance.{name}")
        print(f"\n=== {name}: {(module.__doc__ or '').strip().splitlines()[0]}", flush=True)
        return list(module.main() or ())
    except SystemExit as ending:
        return [f"it ended with {ending.code}"] if ending.code else []
    except Exception as error:
        traceback.print_exc()
        return [f"it failed: {type(error).__name__}: {error}"]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
