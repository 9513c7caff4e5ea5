"""Going a recorded way again on the sites as they are now."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.benchmarks.common.blocked import PageSigns, blocked, read_signs
from webbench.benchmarks.webcanvas.recording import RecordedStep, Recording
from webbench.benchmarks.webcanvas.served_addresses import Addresses
from webbench.benchmarks.webcanvas.stage import WebCanvasStage
from webbench.core.action.action import Action, Back, ElementRef, Goto, NewTab, Stop, target_of
from webbench.core.action.references import without_id
from webbench.core.episode.episode import Episode
from webbench.core.json_types import JsonObject

GONE = frozenset((404, 410))
FAILED = 400
"""Status from which on a document is none."""


class Footing(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one recorded step.

    Attributes:
        ok: the action had its effect.
        found: the element's fingerprint now, None where it has none.
        unsure: it had to be guessed which element was meant.
        url, title, status: of the page afterwards; the address as published.
        direct: the step failed, and this is the page that its recorded landing address gives.
        wall: what keeps visitors out of the page, "" = nothing.
        before, after: pictures (PNG) around the step, b"" where there is none.
    """

    step: RecordedStep
    ok: bool
    error: str = ""
    found: ElementRef | None = None
    unsure: bool = False
    url: str = ""
    title: str = ""
    status: int = 0
    direct: bool = False
    wall: str = ""
    before: bytes = b""
    after: bytes = b""

    @property
    def stopped(self) -> bool:
        """Nothing can follow: the step had no effect and its page couldn't be opened either."""
        return not self.ok and (not self.direct or self.status >= FAILED)


class Walk(msgspec.Struct, frozen=True, kw_only=True):
    """How far a recording could be repeated, and what the episode left behind for the key nodes."""

    recording: Recording
    footings: tuple[Footing, ...]
    evidence: JsonObject
    start_wall: str = ""


async def walk(episode: Episode, recording: Recording) -> Walk:
    """Repeat a recording in an episode that isn't started yet.

    A step whose element is gone is helped over by opening the address that it led to, where it led to
    another; where that fails as well the walk ends, and the page that isn't there reaches no key node.
    """
    assert isinstance(episode.stage, WebCanvasStage)
    addresses = episode.stage.addresses
    await episode.start()
    signs = await read_signs(episode.environment)
    start_wall = blocked(signs) if signs else ""
    footings: list[Footing] = []
    for step in recording.steps:
        if episode.ended:
            break
        footings.append(await _step(episode, step, addresses))
        if footings[-1].stopped:
            break
    if not episode.ended:
        await episode.act_on(Stop(answer=_answer(recording, footings)))
    evidence = next((step.evidence for step in reversed(episode.steps) if step.evidence), {})
    return Walk(recording=recording, footings=tuple(footings), evidence=evidence, start_wall=start_wall)


async def _step(episode: Episode, step: RecordedStep, addresses: Addresses) -> Footing:
    before = _picture(episode)
    done = await episode.act_on(_renewed(step.action, addresses), text=step.text)
    found = target_of(done.action) if done.action is not None else None
    direct = not done.ok and step.after != step.before and not episode.ended
    if direct:
        await episode.environment.act(Goto(url=addresses.served(step.after)))
        await episode.refresh()
    signs = await read_signs(episode.environment) or PageSigns(url=done.url)
    footing = Footing(
        step=step,
        ok=done.ok,
        error=done.error,
        found=found if done.ok else None,
        unsure=done.matched_by.endswith("unsure"),
        url=addresses.published(signs.url),
        title=signs.title,
        status=signs.status,
        direct=direct,
        wall=blocked(signs),
        before=before,
        after=_picture(episode),
    )
    if direct and footing.stopped:
        await episode.environment.act(Back())
    return footing


def _renewed(action: Action, addresses: Addresses) -> Action:
    """The action for the sites as they are served now."""
    if isinstance(action, Goto | NewTab):
        return msgspec.structs.replace(action, url=addresses.served(action.url))
    return without_id(action)


def _picture(episode: Episode) -> bytes:
    return episode.screenshot.data if episode.screenshot is not None else b""


def _answer(recording: Recording, footings: Sequence[Footing]) -> str:
    """The recorded answer, unless the walk ended before it could be known."""
    return "" if footings and footings[-1].stopped else recording.answer
