"""Any task as a Gymnasium environment: `pip install "webbench-tui[gym]"`, then `import webbench.gym`.

Example:
    >>> import webbench.gym
    >>> env = webbench.gym.TaskEnv("demo/price-of-lantern")
    >>> observation, info = env.reset(seed=0)
    >>> observation, reward, terminated, truncated, info = env.step("stop [68]")
    >>> reward, terminated, info["score"]
    (1.0, True, 1.0)
    >>> env.close()

The import also registers it, so that `gymnasium.make("webbench/Task-v0", task="demo/price-of-lantern")` makes
the same. Gymnasium counts it as nondeterministic: sites answer under another address in each episode.
"""

from __future__ import annotations

import io
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Literal

import msgspec

from webbench.core.action.action import Back, Noop, Reload, Scroll
from webbench.core.api import live_episode
from webbench.core.api.available import chosen_task, ready_benchmark
from webbench.core.api.defaults import chosen_dialect, viewport
from webbench.core.api.event_loop import BackgroundLoop
from webbench.core.api.live_episode import Episode
from webbench.core.api.store_tables import Store
from webbench.core.dialects.dialect import find_dialect
from webbench.core.dialects.wording import wording
from webbench.core.engine.engine import Engine
from webbench.core.episode.limits import Budget
from webbench.core.errors import UsageError
from webbench.core.observation import Screenshot
from webbench.core.score.score import Score
from webbench.core.task import Task
from webbench.core.trajectory import Step

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from numpy.typing import NDArray
except ImportError as error:
    raise ImportError('webbench.gym needs Gymnasium: pip install "webbench-tui[gym]"') from error

ID = "webbench/Task-v0"
"""Its name in Gymnasium's registry."""
LONGEST_ACTION, LONGEST_TEXT = 10_000, 10_000_000
"""Characters. A longer text of a page is cut."""
SAMPLES = (
    Noop(),
    Scroll(dy=1, unit="viewports"),
    Scroll(dy=-1, unit="viewports"),
    Back(),
    Reload(),
)
"""Actions that can be taken on every page."""

Observed = dict[str, Any]
Reward = Literal["change", "final"]


class AnyText(spaces.Text):
    """Every text up to a length, whatever its characters.

    Args:
        samples: what is drawn from, where samples are asked for; letters and digits otherwise.
    """

    def __init__(self, longest: int, samples: tuple[str, ...] = ()) -> None:
        super().__init__(longest, min_length=0)
        self.samples = samples

    def contains(self, x: Any) -> bool:
        return isinstance(x, str) and len(x) <= self.max_length

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """One of the samples; see `gymnasium.spaces.Text.sample` where there are none."""
        if not self.samples:
            return super().sample(mask, probability)
        return self.samples[int(self.np_random.integers(len(self.samples)))]

    def __eq__(self, other: object, /) -> bool:
        return isinstance(other, AnyText) and other.max_length == self.max_length

    __hash__ = None  # type: ignore[assignment]  # as of every space: they can be changed


class TaskEnv(gymnasium.Env[Observed, str]):
    """One task; every `reset` begins a new episode of it, recorded in the store.

    An action is a text in the task's action language, such as "click [12]" or "stop [answer]"; the language's
    verbs are in `info["verbs"]` of `reset`. A text that is no action uses up a step, like any other.

    An observation is a dict: `goal` (the task's intent), `text` (the page as accessibility tree), `url`,
    `title`, `last_error` (why the last action had no effect, or ""), and `screenshot`: RGB, uint8, height x
    width x 3, of the viewport; black where there is none.

    `info` has `score` (None unless it is scored), `status`, `reason` and `checks` of it, `ok` and `error` of
    the action, `step`, `episode` (its name in the store) and `ended` (why, or "").

    `terminated`: the actor or the page ended the episode. `truncated`: a limit did.

    Args:
        task: from `webbench.tasks`, or its name: "demo/camp-mugs".
        reward: "change": how much the score changed by the step, so that the rewards of an episode sum up to
            its final score; "final": the final score at the end, 0 before. Where there is no score, the
            reward is 0 for want of another number: look at `info["status"]` before it is counted.
        screenshot: take a picture at each step; without, it stays black, and steps are faster.
        text: rendering of the page: "webarena", "browsergym" or "json".
        store: where episodes are recorded; None: the configured store.
        dialect, rules, limits, data: see `webbench.open`.
        render_mode: "rgb_array" for the screenshot, "ansi" for the text.

    Raises as `webbench.open` does.
    """

    metadata = {"render_modes": ["rgb_array", "ansi"], "render_fps": 1}  # noqa: RUF012 - Gymnasium's contract

    def __init__(
        self,
        task: Task | str,
        *,
        reward: Reward = "change",
        screenshot: bool = True,
        text: str = "webarena",
        store: Store | Path | str | None = None,
        dialect: str = "",
        rules: str = "",
        limits: Budget = Budget(),
        data: Path | str | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise UsageError(f'render_mode can\'t be "{render_mode}"', "one of rgb_array, ansi")
        if reward not in ("change", "final"):
            raise UsageError(f'reward can\'t be "{reward}"', "one of change, final")
        self.task, self._data = chosen_task(task, data), data
        self.render_mode = render_mode
        self._reward, self._pictures, self._text, self._store = reward, screenshot, text, store
        self._dialect, self._rules, self._limits = dialect, rules, limits
        own_language = chosen_dialect(dialect) or ready_benchmark(self.task.benchmark, data).dialect
        language = find_dialect(own_language)
        self._verbs = tuple(verb.form for verb in language.verbs())
        size = viewport()
        self._shape = (size.height, size.width, 3)
        self.action_space = AnyText(LONGEST_ACTION, tuple(wording(language, one) for one in SAMPLES))
        self.observation_space = spaces.Dict(
            {
                "goal": AnyText(LONGEST_TEXT),
                "text": AnyText(LONGEST_TEXT),
                "url": AnyText(LONGEST_TEXT),
                "title": AnyText(LONGEST_TEXT),
                "last_error": AnyText(LONGEST_TEXT),
                "screenshot": spaces.Box(0, 255, self._shape, np.uint8),
            }
        )
        self._loop: BackgroundLoop | None = None
        self._engine: Engine | None = None
        self._episode: Episode | None = None
        self._engine_stack, self._episode_stack = AsyncExitStack(), AsyncExitStack()
        self._value: float | None = None
        self._observed: Observed = {}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Begin a new episode; one that is going on ends with its score.

        Args:
            options: `{"task": ...}` goes on with another task of the same action language.
        """
        super().reset(seed=seed)
        if options and "task" in options:
            self.task = chosen_task(options["task"], self._data)
        if self._loop is None:
            self._loop = BackgroundLoop()
        step = self._loop.call(self._begin())
        return self._observe(), {**self._info(step), "verbs": list(self._verbs)}

    def step(self, action: str) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        """Carry out one action. Raises `WebbenchError` before `reset` and after the end."""
        if self._episode is None or self._loop is None:
            raise UsageError("There is no episode yet", "call reset() first")
        episode = self._episode
        before = self._value
        step = self._loop.call(episode.act(action))
        info = self._info(step)
        over, by_limit = bool(episode.ended), episode.ended_by_limit
        return self._observe(), self._rewarded(before, over), over and not by_limit, over and by_limit, info

    def render(self) -> Any:
        """The screenshot or the text of the last observation, by `render_mode`."""
        if self.render_mode == "rgb_array":
            return self._observed["screenshot"].copy()
        return self._observed["text"] if self.render_mode == "ansi" else None

    def close(self) -> None:
        """End the episode with its score, and the browser. Idempotent."""
        loop, self._loop, self._episode = self._loop, None, None
        if loop is not None:
            try:
                loop.call(self._end())
            finally:
                loop.close()

    async def _begin(self) -> Step:
        await self._episode_stack.aclose()
        if self._engine is None:
            self._engine = await self._engine_stack.enter_async_context(live_episode.engine(self._store))
        self._value = None
        opened = live_episode.open(
            self.task,
            actor="gym",
            engine=self._engine,
            dialect=self._dialect,
            rules=self._rules,
            limits=self._limits,
            pictures=self._pictures,
            data=self._data,
        )
        self._episode = await self._episode_stack.enter_async_context(opened)
        return self._episode.steps[0]

    async def _end(self) -> None:
        await self._episode_stack.aclose()
        await self._engine_stack.aclose()
        self._engine = None

    def _observe(self) -> Observed:
        assert self._episode is not None
        seen = self._episode.observation
        self._observed = {
            "goal": self._episode.task.intent[:LONGEST_TEXT],
            "text": self._episode.text(self._text)[:LONGEST_TEXT],
            "url": seen.url[:LONGEST_TEXT],
            "title": seen.title[:LONGEST_TEXT],
            "last_error": seen.last_error[:LONGEST_TEXT],
            "screenshot": _pixels(self._episode.picture if self._pictures else None, self._shape),
        }
        return dict(self._observed)

    def _info(self, step: Step) -> dict[str, Any]:
        assert self._episode is not None
        score = self._episode.last_score
        return {
            **_score_fields(score),
            "ok": step.ok,
            "error": step.error,
            "step": step.index,
            "episode": self._episode.name,
            "ended": self._episode.ended,
        }

    def _rewarded(self, before: float | None, over: bool) -> float:
        assert self._episode is not None
        value = self._episode.last_score.value
        if self._reward == "final":
            return float(value or 0.0) if over else 0.0
        if value is None:
            return 0.0
        self._value = value
        return float(value - (before or 0.0))


def _score_fields(score: Score) -> dict[str, Any]:
    return {
        "score": score.value,
        "status": score.status.value,
        "reason": score.reason,
        "checks": [msgspec.to_builtins(check) for check in score.checks],
    }


def _pixels(picture: Screenshot | None, shape: tuple[int, int, int]) -> NDArray[np.uint8]:
    """The picture from its top left corner, as large as the space; black where there is none."""
    found = np.zeros(shape, np.uint8)
    if picture is not None:
        from PIL import Image

        with Image.open(io.BytesIO(picture.data)) as image:
            seen = np.asarray(image.convert("RGB"))[: shape[0], : shape[1]]
        found[: seen.shape[0], : seen.shape[1]] = seen
    return found


if ID not in gymnasium.registry:
    gymnasium.register(ID, entry_point="webbench.gym:TaskEnv", nondeterministic=True)
