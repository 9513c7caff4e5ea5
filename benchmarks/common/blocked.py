"""Pages that keep a visitor out: CAPTCHA, consent wall, refusal by status code.

What they look like is data (`blocked.json`), so that a new wall needs no program: status codes of the
document, phrases in its title and in its text, selectors of what stands on it (`selectors`) or covers it
(`walls`). A phrase in the text and a selector count only on a page with little else on it: an article about
CAPTCHAs is no CAPTCHA, and many forms carry an invisible one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import resources

import msgspec

from webbench.core.environment import Environment
from webbench.core.errors import EnvironmentDown
from webbench.core.json_types import JsonObject

NOT_EXECUTABLE = "not executable"
PATIENCE_WITH_WALLS = 3
"""Steps in a row that end on a blocked page, after which the episode is over."""
LITTLE_TEXT = 1_500
"""Characters below which a page has little else on it."""

READ_PAGE = """(markers) => {
  const entry = performance.getEntriesByType("navigation")[0];
  const shown = (element) => element.getClientRects().length > 0;
  const find = (selector) => {
    try { return [...document.querySelectorAll(selector)]; } catch { return []; }
  };
  const centre = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
  const covers = (element) => centre && (element === centre || element.contains(centre));
  return {
    url: location.href,
    status: entry ? entry.responseStatus || 0 : 0,
    title: document.title.slice(0, 300),
    text: (document.body ? document.body.innerText : "").slice(0, markers.length),
    selectors: markers.selectors.filter((selector) => find(selector).some(shown)),
    walls: markers.walls.filter((selector) => find(selector).some(covers)),
  };
}"""


class Marker(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One kind of wall; any of its signs is enough."""

    id: str
    told: str
    status: tuple[int, ...] = ()
    titles: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    selectors: tuple[str, ...] = ()
    walls: tuple[str, ...] = ()


class PageSigns(msgspec.Struct, frozen=True, kw_only=True):
    """What `READ_PAGE` found: `status` is 0 where the browser doesn't tell, `text` is cut."""

    url: str
    status: int = 0
    title: str = ""
    text: str = ""
    selectors: tuple[str, ...] = ()
    walls: tuple[str, ...] = ()


@cache
def markers() -> tuple[Marker, ...]:
    """Those of the data file."""
    content = resources.files("webbench.benchmarks.common").joinpath("blocked.json").read_bytes()
    return msgspec.json.decode(content, type=tuple[Marker, ...])


async def read_signs(environment: Environment) -> PageSigns | None:
    """The active tab's address and what a wall could be told by; None where the page can't be asked."""
    wanted: JsonObject = {
        "selectors": [selector for marker in markers() for selector in marker.selectors],
        "walls": [selector for marker in markers() for selector in marker.walls],
        "length": LITTLE_TEXT + 1,
    }
    try:
        return msgspec.convert(await environment.probe(READ_PAGE, wanted), PageSigns)
    except (EnvironmentDown, msgspec.ValidationError):
        return None


def blocked(signs: PageSigns) -> str:
    """Which wall the page is, and by what it was told; "" for an open page."""
    for marker in markers():
        sign = _sign(marker, signs)
        if sign:
            return f"{marker.id}: {marker.told} ({sign})"
    return ""


def _sign(marker: Marker, signs: PageSigns) -> str:
    if signs.status in marker.status:
        return f"status {signs.status}"
    title = signs.title.casefold()
    for phrase in marker.titles:
        if phrase in title:
            return f'its title says "{phrase}"'
    for selector in marker.walls:
        if selector in signs.walls:
            return f"{selector} covers it"
    if len(signs.text) > LITTLE_TEXT:
        return ""
    text = signs.text.casefold()
    for phrase in marker.texts:
        if phrase in text:
            return f'it says "{phrase}"'
    for selector in marker.selectors:
        if selector in signs.selectors:
            return f"{selector} is on it, and little else"
    return ""


class Walls:
    """The walls that an episode met, and whether one keeps its task from being done.

    Args:
        is_own: whether a host is one of the task's sites.
    """

    def __init__(self, is_own: Callable[[str], bool]) -> None:
        self._is_own = is_own
        self._walls: dict[str, str] = {}
        self._was_let_in = False
        self._walled_steps = 0
        self._host = ""

    def arrived(self, signs: PageSigns, host: str, url: str) -> None:
        """Note the page in front."""
        self._host = host
        wall = blocked(signs)
        if wall:
            self._walls[host] = f"{wall} at {url}"
        else:
            self._walls.pop(host, None)
            self._was_let_in = self._was_let_in or self._is_own(host)

    def stepped(self, signs: PageSigns) -> None:
        """Count a step that ended on this page."""
        self._walled_steps = self._walled_steps + 1 if blocked(signs) else 0

    @property
    def wall(self) -> str:
        """The wall that keeps the task from being done, "" where none does.

        It is one of the task's own sites that was not got past, or, as long as none of these let the actor
        in, whichever is in front. Afterwards a wall elsewhere is where the actor went by itself.
        """
        if self._host in self._walls and (self._is_own(self._host) or not self._was_let_in):
            return self._walls[self._host]
        return next((wall for host, wall in self._walls.items() if self._is_own(host)), "")

    @property
    def over(self) -> str:
        """Why the episode is over, "" as long as it isn't."""
        if self._walled_steps < PATIENCE_WITH_WALLS:
            return ""
        return f"{self._walled_steps} steps in a row ended on a blocked page"
