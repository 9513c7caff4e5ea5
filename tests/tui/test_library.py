"""The library's preview shows what the store holds on a task, whichever of the two is told first."""

from __future__ import annotations

import pytest

from tests.tui.silent_engine import SilentLink, first_screen
from tests.tui.test_snapshots import ENTRIES, FIRST, RESULTS, app
from webbench.core.engine import messages
from webbench.core.task import BenchmarkStatus
from webbench.tui.widgets.task_preview import TaskPreview

LISTED = messages.TasksListed(
    benchmark="demo", title="Bundled demo", status=BenchmarkStatus("ready", "30 tasks"), entries=ENTRIES
)
READ = messages.TaskRead(task=FIRST)
RESULT = messages.ResultsListed(benchmark="demo", results=RESULTS)


@pytest.mark.parametrize("later", [(RESULT, READ), (READ, RESULT)], ids=["results first", "results last"])
async def test_the_preview_shows_the_attempts(later: tuple[messages.Event, ...]) -> None:
    program = app("dark", library=True)
    assert isinstance(program.link, SilentLink)
    async with program.run_test(size=(160, 48)) as pilot:
        await first_screen(pilot)
        for event in (LISTED, *later):
            program.link.happen(event)
            await pilot.pause(0.2)
        notes = {note.label: note.text for note in program.screen.query_one(TaskPreview).notes}
        assert notes["attempts"] == str(RESULTS[FIRST.name].attempts)
