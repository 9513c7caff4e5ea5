"""What an engine that died in the middle of a fork is asked for when it comes back."""

from __future__ import annotations

from tests.tui.recorded_page import TASK
from tests.tui.silent_engine import SilentLink
from webbench.core.engine.wire import messages


def test_a_fork_is_forked_again_until_it_has_been_reached_then_its_own_record_is_resumed() -> None:
    link = SilentLink()
    start = messages.StartEpisode(benchmark="demo", task=TASK, resume="origin", fork_step=3)
    link._start, link._episode = start, "origin"
    again = link._resumption(start)
    assert (again.resume, again.fork_step) == ("origin", 3)
    link._episode = "fork"
    later = link._resumption(start)
    assert (later.resume, later.fork_step) == ("fork", None)
