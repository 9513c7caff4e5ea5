"""`run --dry-run`: what would be played, and whatever keeps it from being begun, before anything is."""

from __future__ import annotations

from webbench.core.browser.finding import find_chromium
from webbench.core.runner.outline import Outline, outline_of, outline_words
from webbench.core.runner.planning import plan_of, site_uses
from webbench.core.settings import load_settings
from webbench.core.store.store import Store
from webbench.core.task import Benchmark, needs_browser
from webbench.tui.headless.batch import plan
from webbench.tui.headless.output import print_json, print_text
from webbench.tui.headless.place import browser_options, open_store, report_settings
from webbench.tui.headless.run_request import RunRequest, Where
from webbench.tui.headless.run_words import run_command


def outline_run(request: RunRequest, *, as_json: bool) -> int:
    """Print what the run would be; nothing is written. Raises as `run_tasks` before its first episode.

    A browser is looked for and not started; a cluster and a shared store aren't asked.
    """
    report_settings()
    outline = outline_for(request, open_store(request.store))
    if as_json:
        print_json(outline)
    else:
        for line in (*outline_words(outline), outline.command):
            print_text(line)
    return 0


def outline_for(request: RunRequest, store: Store) -> Outline:
    """The plan that `run` would write, in figures."""
    batch = plan(request, store)
    _require_browser(batch.benchmark, request.where)
    planned = plan_of(batch)
    uses = site_uses(planned, batch.benchmark, batch.tasks)
    return outline_of(
        planned,
        uses,
        store=str(store.root),
        command=run_command(request, store.root, load_settings().store_folder()),
    )


def _require_browser(benchmark: Benchmark, where: Where) -> None:
    if where.engine == "local" and needs_browser(benchmark):
        options = browser_options()
        if not (options.endpoint or options.executable):
            find_chromium()
