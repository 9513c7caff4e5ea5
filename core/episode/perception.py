"""What an episode sees of its environment: observation, picture, HTML."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import msgspec

from webbench.core.environment import OUTER_HTML, Environment
from webbench.core.episode import events
from webbench.core.episode.options import EpisodeOptions
from webbench.core.errors import WebbenchError
from webbench.core.observation import (
    WHOLE_SECONDS,
    Observation,
    ObservationOptions,
    PageMessage,
    Screenshot,
    ScreenshotOptions,
)

Emit = Callable[[events.EpisodeEvent], None]


class Sight:
    """The latest observation and picture; each new one is told as an event of its step.

    Args:
        more_messages: what there is to tell besides what the page said, since the last call.

    Attributes:
        shown_html: of the page that was observed last, as `html` gave it.
    """

    def __init__(
        self,
        environment: Environment,
        options: EpisodeOptions,
        emit: Emit,
        more_messages: Callable[[], tuple[PageMessage, ...]] = tuple,
    ) -> None:
        self._more_messages = more_messages
        self.environment = environment
        self.options = options
        self.emit = emit
        self.observation = Observation()
        self.screenshot: Screenshot | None = None
        self._html = self._mark = ""
        self.shown_html = ""

    async def observe(self, step: int, last_error: str = "", *, whole: bool = False) -> None:
        self.emit(events.Progress(text="reading the page", stage="page"))
        options = ObservationOptions(
            viewport_only=self.options.viewport_only,
            whole=whole,
            timeout=WHOLE_SECONDS if whole else ObservationOptions().timeout,
            relevant_html=self.options.relevant_html,
        )
        observation = await self.environment.observe(options)
        if more := self._more_messages():
            observation = msgspec.structs.replace(observation, messages=(*observation.messages, *more))
        if last_error:
            observation = msgspec.structs.replace(observation, last_error=last_error)
        self.observation = observation
        self.emit(events.Observed(step=step, observation=observation))

    async def has_changed(self) -> bool:
        """Whether the page is another one than was observed last, or holds something else."""
        seen, before = await self.environment.observe(ObservationOptions()), self.observation
        return (seen.url, seen.tabs, seen.nodes) != (before.url, before.tabs, before.nodes)

    async def take_picture(self, step: int) -> None:
        """Take the picture that is recorded, where the options ask for one."""
        if self.options.pictures:
            self.screenshot = await self.show_picture(step, ScreenshotOptions(format="png"))

    async def show_picture(self, step: int, options: ScreenshotOptions) -> Screenshot | None:
        """Take a picture for display. None where the page gives none."""
        picture = await self.environment.screenshot(options)
        if picture is not None:
            self.emit(events.Pictured.of(step, picture))
        return picture

    async def html(self) -> str:
        """HTML of the main frame; "" where none is wanted, and where the page can't be asked."""
        self.shown_html = await self._read_html()
        return self.shown_html

    async def _read_html(self) -> str:
        if not self.options.html or self.observation.condition != "ok" or self.observation.dialog is not None:
            return ""
        mark = uuid4().hex
        try:
            html = await self.environment.probe(OUTER_HTML, [self._mark, mark])
        except WebbenchError:
            return ""
        self._html, self._mark = self._html if html is None else str(html), mark
        return self._html
