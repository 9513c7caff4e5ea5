"""What the targets of program_html locate after a live episode, read in a page beside the actor's tabs.

As published one page goes from target to target, beginning where the actor ended; there it shows a copy of
the actor's page as that stands. Where `libwebarena`, which reads each target in a tab of its own, would have
seen another page, what that holds is kept beside it.
"""

from __future__ import annotations

from webbench.benchmarks.webarena.locate import AskSite, is_last, read_target
from webbench.benchmarks.webarena.page_contents import APART, FAULT, PROBLEM
from webbench.core.environment import SecondPage
from webbench.core.errors import BadData, WebbenchError
from webbench.core.json_types import Json, JsonObject


async def read_pages(page: SecondPage, targets: list[Json], ask_shop: AskSite) -> JsonObject:
    """The evidence {"pages", "url_after_pages"}; a target that can't be read tells why.

    Raises `EnvironmentDown` where the actor's page can't be copied.
    """
    await page.mirror()
    pages: list[JsonObject] = []
    lost = ""
    for target in targets:
        read = {PROBLEM: lost} if lost and is_last(target) else await _read(page, target, ask_shop)
        lost = lost if is_last(target) else str(read.get(PROBLEM, ""))
        pages.append(read)
    address_after = page.url
    left = next((number for number, target in enumerate(targets) if not is_last(target)), len(targets))
    later = [number for number, target in enumerate(targets) if is_last(target) and number > left]
    if later:
        await page.mirror()
        for number in later:
            pages[number] = pages[number] | {APART: await _read(page, targets[number], ask_shop)}
    return {"pages": pages, "url_after_pages": address_after}


async def _read(page: SecondPage, target: Json, ask_shop: AskSite) -> JsonObject:
    """What one target locates, or why that can't be told; the others are read all the same.

    Preparations are clicks that only the page's own scripts can answer, so the address is opened anew for
    them; whatever else is read where the actor ended is read from the copy.
    """
    try:
        if is_last(target) and target.get("prep_actions"):
            await page.goto(page.url)
        return await read_target(page, target, ask_site=ask_shop, wait=0)
    except BadData as error:
        return {FAULT: str(error)}
    except WebbenchError as error:
        return {PROBLEM: str(error)}
