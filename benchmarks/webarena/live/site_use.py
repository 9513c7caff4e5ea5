"""What WebArena's tasks do to the sites that all episodes share.

The published files set `require_reset` for none of the 812 tasks, although many write. So a task counts as
one that changes its sites where page contents are checked after it, where the verified edition says "mutate",
where `require_reset` is set all the same, and where nothing is known of it. A list `depends_on` of ids says
which tasks have to be through before it.
"""

from __future__ import annotations

from collections.abc import Mapping

from webbench.benchmarks.webarena.stage import sites_of
from webbench.benchmarks.webarena.task_traits import VERIFIED_KINDS
from webbench.core.benchmark.benchmark import SiteUse
from webbench.core.task import Task

CHECKED_AFTERWARDS = "program_html"


def site_use(task: Task, addresses: Mapping[str, str]) -> SiteUse:
    """By the sites that have an address."""
    sites = {site: addresses[f"__{site}__"] for site in sites_of(task) if f"__{site}__" in addresses}
    needed = task.data.get("depends_on")
    after = tuple(str(one) for one in needed) if isinstance(needed, list) else ()
    return SiteUse(sites=sites, changes=_changes(task), after=after)


def _changes(task: Task) -> bool:
    if task.data.get("require_reset") is True or not task.kind:
        return True
    if task.kind in VERIFIED_KINDS:
        return task.kind == "mutate"
    return CHECKED_AFTERWARDS in task.kind.split()
