"""`make bench`: every script of this folder in turn, each printing ratios of one run.

Names on the command line choose some of them: `python -m tests.performance observation store`.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from pathlib import Path


def main(chosen: list[str]) -> int:
    """Run the chosen scripts, or all; returns 0."""
    names = sorted(module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)]))
    for name in names:
        if name.startswith("_") or (chosen and name not in chosen):
            continue
        module = importlib.import_module(f"tests.performance.{name}")
        if not hasattr(module, "main"):
            continue
        sys.argv[1:] = []
        print(f"\n=== {name}: {(module.__doc__ or '').strip().splitlines()[0]}", flush=True)
        module.main()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
