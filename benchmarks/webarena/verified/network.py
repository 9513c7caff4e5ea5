"""Recorded network events against the one that a task expects.

An event is looked at where its method and its address without parameters are those expected; it matches where
address, method, status and every expected header, body field and cookie agree. Of a task that only navigates,
the last page that was opened is the one event that counts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from webbench.benchmarks.webarena.verified.compare import Difference, shown
from webbench.benchmarks.webarena.verified.events import Event, ExpectedEvent, urls_of
from webbench.benchmarks.webarena.verified.response import Verdict
from webbench.core.json_types import JsonObject

NAME = "NetworkEventEvaluator"
SHOWN_EVENTS = 5

_PLACEHOLDER = re.compile(r"__(?!SSH_HOST__)[A-Z_]+?__(?=[/?#$]|$)")


def placeholders(config: JsonObject) -> set[str]:
    """Sites whose addresses have to be known before events can be compared."""
    expected = config.get("expected") or {}
    texts = [*urls_of(expected.get("url")), str((expected.get("headers") or {}).get("referer", ""))]
    return {found[0] for text in texts for found in _PLACEHOLDER.finditer(text)}


def judge_events(
    config: JsonObject, events: Sequence[Event], bases: Mapping[str, str], *, navigates: bool
) -> Verdict:
    """Raises `BadData` where the task itself can't be read."""
    expected = ExpectedEvent(config, bases)
    if navigates and expected.method == "GET":
        looked_at = [event for event in events if event.opens_page][-1:]
    else:
        about = [event for event in events if expected.is_about(event)]
        looked_at = about[-1:] if config.get("last_event_only") else about
    return Verdict(
        name=NAME,
        actual=[f"{one.method} {one.url} {one.status}" for one in looked_at[-SHOWN_EVENTS:]],
        normalised=[shown(expected.given(one)) for one in looked_at[-SHOWN_EVENTS:]],
        expected=expected.shown,
        differences=_differences(config, expected, looked_at),
    )


def _differences(
    config: JsonObject, expected: ExpectedEvent, looked_at: Sequence[Event]
) -> tuple[Difference, ...]:
    if config.get("should_not_exist"):
        told = f"Found {len(looked_at)} matching event(s) when none were expected (should_not_exist=True)."
        return (Difference("unexpected_navigation_event", (told,)),) if looked_at else ()
    if not looked_at:
        told = "No matching network event found that satisfies all expected criteria."
        return (Difference("missing_navigation_event", (told,)),)
    closest: list[Difference] | None = None
    for event in looked_at:
        found = expected.differences(event)
        if not found:
            return ()
        closest = found if closest is None or len(found) < len(closest) else closest
    told = (
        f"No matching network event found. Checked {len(looked_at)} event(s) "
        "but none matched all expected criteria."
    )
    return (Difference("missing_navigation_event", (told,)), *(closest or ()))
