"""Options of an episode: how it is run."""

from __future__ import annotations

import msgspec


class EpisodeOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How an episode is run.

    Attributes:
        rules: rule set of the headline score.
        live_score: score after every step, not only at the end.
        pictures: take a screenshot at every step.
        html: keep the HTML of the main frame at every step.
        relevant_html: give the HTML around each field with every observation.
        step_limit: transitions after which the episode ends.
        repeat_limit: times in a row that an agent may take one action on one observation; 0 = any.
        invalid_limit: consecutive unparsable agent actions after which it ends; 0 = never.
        seconds_limit, token_limit, cost_limit: after which it ends (see `Budget`); 0 = never.
    """

    rules: str = "published"
    live_score: bool = True
    pictures: bool = True
    html: bool = True
    viewport_only: bool = False
    relevant_html: bool = False
    step_limit: int = 200
    repeat_limit: int = 0
    invalid_limit: int = 3
    seconds_limit: float = 0.0
    token_limit: int = 0
    cost_limit: float = 0.0
