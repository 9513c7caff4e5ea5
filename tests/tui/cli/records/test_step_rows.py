"""`show`: what each step of an episode is said to be."""

from __future__ import annotations

from webbench.core.trajectory import Step
from webbench.tui.cli.records.show import _step_row


def test_what_is_no_action_says_what_it_is() -> None:
    start = Step(index=0, at="", actor="operator")
    rejection = Step(index=1, at="", actor="operator", note="rejected the proposal click [5]: too early")
    assert _step_row(start, in_words=False)[2] == "start"
    assert _step_row(rejection, in_words=False)[2:4] == ("note", "rejected the proposal click [5]: too early")
