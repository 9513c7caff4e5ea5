"""Building an episode from what a format reads: its header, numbered steps, fields that may be missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from webbench.core.errors import BadData
from webbench.core.exchange.account.tally import Lost
from webbench.core.exchange.import_format import ImportedStep, Picture
from webbench.core.exchange.place import Place
from webbench.core.json_types import Json, JsonObject
from webbench.core.json_types import text_of as text_of  # every reader of a source takes it from here
from webbench.core.score.score import Score
from webbench.core.task import Task
from webbench.core.trajectory import ACTOR_STOPPED, IMPORTED, EpisodeHeader

RECORD_ENDS = "the record ends here"
STOPPED = ACTOR_STOPPED
LARGEST_PICTURE = 32 * 1024 * 1024
"""Bytes of a screenshot."""


def foreign_header(
    task: Task,
    actor: str,
    *,
    dialect: str = "",
    score: Score | None = None,
    end_reason: str = RECORD_ENDS,
    settings: JsonObject | None = None,
) -> EpisodeHeader:
    """The header of an episode that was recorded elsewhere; times are left out where none are known."""
    return EpisodeHeader(
        run="",
        episode="",
        task=task,
        actor=actor or "unknown",
        dialect=dialect,
        rules="recorded",
        score=score,
        end_reason=end_reason,
        settings=settings or {},
    )


def origin_told(told: JsonObject, came_back: str = "") -> JsonObject:
    """Settings that keep where an episode came from before an export of ours told of it; {} for none.

    Args:
        came_back: the format in which such an export told the whole record, "" where none did.
    """
    origin = told.get(ORIGIN)
    known = isinstance(origin, dict) and isinstance(origin.get("format"), str)
    around = told.get(SUBAGENT_OF)
    return {
        **({IMPORTED: origin} if known else {}),
        **({SUBAGENT_OF: around} if isinstance(around, dict) else {}),
        **({EXPORTED: {"format": came_back}} if came_back else {}),
    }


def as_it_came(header: EpisodeHeader, format: str) -> JsonObject | None:
    """What a format said of an episode that came from it, None for any other.

    One that came back from an export of ours is our own record: the format's words were made from it.
    """
    theirs = header.settings.get(format)
    return theirs if isinstance(theirs, dict) and came_back_in(header) != format else None


def came_back_in(header: EpisodeHeader) -> str:
    """The format in which an export of ours brought the record back, "" where none did or JSON lines did."""
    exported = header.settings.get(EXPORTED)
    return text_of(exported.get("format")) if isinstance(exported, dict) else ""


def numbered(steps: Iterable[ImportedStep]) -> Iterator[ImportedStep]:
    """The steps with indices from 0, the start, in their order."""
    for index, one in enumerate(steps):
        step = msgspec.structs.replace(one.step, index=index)
        yield msgspec.structs.replace(one, step=step)


def picture_in(place: Place, name: str, lost: Lost, *, full_page: bool = False) -> Picture | None:
    """The screenshot of this name in a folder, None where there is none; one that can't be read is told."""
    if name not in place.names:
        return None
    try:
        return Picture((place / name).read(LARGEST_PICTURE), full_page=full_page)
    except BadData as error:
        lost.lose("pictures", str(error), why="a picture that can't be read")
        return None


ONE_ATTEMPT = "attempt"
"""Setting that names an attempt which several sources tell of; it is kept once."""
EXPORTED = "exported"
"""Setting of a record that came back from an export of ours: the `format`; of JSON lines which `run` and
`episode` it was, and what release of ours made the file (`made_by`)."""
SUBAGENT_OF = "subagent_of"
"""Setting of a subagent's episode: the `task` of the trajectory that it was embedded in, and the `step` there
that called it."""
ORIGIN = "origin"
"""Key under which an export tells where an episode had been imported from, where a format has room for it."""
NO_NODE = "a tree that holds no node"
NO_ACTION = "no action that we know; kept as text"


def lose_action(lost: Lost, words: str, step: int | None = None) -> None:
    """Tell of words that are no action we know; they are kept as the step's text."""
    lost.lose("actions", kept_as_text(words, step), why=NO_ACTION)


def lose_tree(lost: Lost, step: int) -> None:
    """Tell of a step's tree of which no line can be read as a node."""
    lost.lose("trees", f"step {step}: {NO_NODE}", why=NO_NODE)


def kept_as_text(words: str, step: int | None = None) -> str:
    """What is told of words, of a step where it is known, that are no action we know."""
    told = f"{words[:80]!r} is no action that we know; kept as text"
    return told if step is None else f"step {step}: {told}"


def object_in(place: Place) -> JsonObject:
    """The JSON object that a file holds. Raises `BadData`."""
    found = place.json()
    if not isinstance(found, dict):
        raise BadData(f"{place} holds no JSON object")
    return found


def list_in(holder: JsonObject, key: str, place: Place) -> list[Json]:
    """The list under a key. Raises `BadData` where there is none."""
    found = holder.get(key)
    if not isinstance(found, list):
        raise BadData(f'{place} has no list "{key}"')
    return found
