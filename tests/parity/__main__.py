"""`python -m tests.parity FILE...`: exit 0 if every row agrees, 1 if any fails, 2 for a wrong call."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.parity.runner import report, run_file


def main(arguments: list[str]) -> int:
    if not arguments:
        print("usage: python -m tests.parity FILE...", file=sys.stderr)
        return 2
    results = []
    for name in arguments:
        try:
            results += run_file(Path(name))
        except (OSError, ValueError) as error:
            print(f"{name} can't be read: {error}", file=sys.stderr)
            return 2
    print(report(results))
    return 1 if any(result.outcome == "failed" for result in results) else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
