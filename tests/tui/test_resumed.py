"""An episode that is resumed says what was repeated, who waits, and goes on with its clock."""

from __future__ import annotations

from time import monotonic

import msgspec

from tests.tui.recorded_page import HEADER
from tests.tui.screens.stepper.test_stepper import screen, stepper
from tests.tui.waiting import until
from webbench.core.engine.wire import messages
from webbench.tui.widgets.lines.title_line import TitleLine


async def test_what_was_left_out_and_who_waits_is_told() -> None:
    async with stepper() as (pilot, link):
        link.happen(messages.AgentChanged(name="oracle", running=False, spec="oracle"))
        link.happen(messages.Replayed(episode="0000_cart_ab12", steps=5, failed=2, unreached=1))
        await until(pilot, lambda: len(pilot.app._notifications) > 0)
        told = [notification.message for notification in pilot.app._notifications]
        assert told == [
            "5 actions repeated; left out: 2 steps that had had no effect; not reached: 1\n"
            "the agent oracle is paused, P lets it go on"
        ]


async def test_the_clock_goes_on_where_the_record_ends() -> None:
    async with stepper() as (pilot, link):
        header = msgspec.structs.replace(HEADER, resumed_from="0000_cart_ab12", elapsed_before=754.0)
        clock = screen(pilot).query_one(TitleLine).clock
        began = monotonic()
        link.happen(messages.EpisodeStarted(header=header))
        await until(pilot, lambda: clock.seconds >= 754)
        assert clock.seconds <= 754 + monotonic() - began
