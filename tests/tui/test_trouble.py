"""What goes wrong in the engine is shown in words, and the stepper goes on."""

from __future__ import annotations

from tests.tui.screens.stepper.test_stepper import screen, stepper
from tests.tui.waiting import until
from webbench.core.engine.wire import messages
from webbench.tui.widgets.tree.accessibility_tree import AccessibilityTree

FULL = messages.Trouble(
    message="step 3 could not be recorded: no space left for the store /data [/] \x1b[2J",
    hint="free some space and repeat it; 1 step(s) wait in memory",
)


async def test_a_full_disk_is_shown_with_what_to_do() -> None:
    async with stepper() as (pilot, link):
        link.happen(FULL)
        await until(pilot, lambda: len(pilot.app._notifications) > 0)
        told = [notification.message for notification in pilot.app._notifications]
        assert told == [
            "step 3 could not be recorded: no space left for the store /data [/] ␛[2J\n"
            "free some space and repeat it; 1 step(s) wait in memory"
        ]
        assert screen(pilot).query_one(AccessibilityTree).row_count > 0
