"""Played by a Python of its own, in which WebArena's harness is installed: its environment, page after page.

Reads one JSON object from standard input: `chromium`, the browser's path; `arguments`, its switches; `pages`,
a list of [address, steps]. Prints a JSON line per page: `seconds` from one reset to the next, with `nodes` of
the last accessibility tree. The steps do nothing at all, so that acting and waiting cost the harness nothing.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from functools import partialmethod
from pathlib import Path


def main() -> None:
    from playwright.sync_api import BrowserType

    # Only the harness's own Python has it.
    from webarena.browser_env import (  # pyright: ignore[reportMissingImports]
        ScriptBrowserEnv,
        create_none_action,
    )

    asked = json.load(sys.stdin)
    launch = partialmethod(BrowserType.launch, executable_path=asked["chromium"], args=asked["arguments"])
    # A method of another kind: the harness has no option for the browser.
    BrowserType.launch = launch  # pyright: ignore[reportAttributeAccessIssue]
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "task.json"
        environment = ScriptBrowserEnv(observation_type="accessibility_tree")
        for address, steps in asked["pages"]:
            started = time.perf_counter()
            config.write_text(json.dumps({"start_url": address}), "utf-8")
            seen, _ = environment.reset(options={"config_file": str(config)})
            for _ in range(steps):
                seen, *_, told = environment.step(create_none_action())
                if told["fail_error"]:
                    sys.exit(f"{address}: {told['fail_error']}")
            nodes = seen["text"].count("\n")
            print(json.dumps({"seconds": time.perf_counter() - started, "nodes": nodes}), flush=True)
        environment.close()


if __name__ == "__main__":
    main()
