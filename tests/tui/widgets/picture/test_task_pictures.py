"""Pictures of a task are drawn beside each other, in the library's preview and where the task is read."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import msgspec
import pytest
from PIL import Image

from tests.tui.recorded_page import TASK
from tests.tui.silent_engine import SilentLink, first_screen
from tests.tui.waiting import until
from webbench.core.settings.settings import Settings
from webbench.core.task import PICTURES, TaskPicture
from webbench.tui.app import WorkbenchApp
from webbench.tui.opening import Opening
from webbench.tui.pictures.source import decode
from webbench.tui.screens.dialogs.reading import ReadingScreen
from webbench.tui.screens.library.library import LibraryScreen
from webbench.tui.widgets.lists.task_preview import task_entries
from webbench.tui.widgets.picture.task_pictures import GAP, TaskPictures, side_by_side


def picture(colour: tuple[int, int, int], width: int, height: int) -> TaskPicture:
    out = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(out, "png")
    text = base64.b64encode(out.getvalue()).decode()
    return TaskPicture(format="png", width=width, height=height, base64=text)


RED, BLUE = picture((255, 0, 0), 60, 40), picture((0, 0, 255), 30, 80)
PICTURED = msgspec.structs.replace(TASK, data={PICTURES: [msgspec.to_builtins(one) for one in (RED, BLUE)]})


def test_pictures_stand_side_by_side_and_what_is_none_is_told() -> None:
    whole = decode(side_by_side([RED, BLUE]))
    assert whole.size == (60 + GAP + 30, 80)
    assert [whole.getpixel(at) for at in ((5, 5), (60 + GAP + 5, 70), (5, 70))] == [
        (255, 0, 0),
        (0, 0, 255),
        (255, 255, 255),
    ]
    with pytest.raises(ValueError, match="not a picture"):
        side_by_side([msgspec.structs.replace(RED, base64="aGVsbG8=")])


@pytest.mark.parametrize("size", [(160, 48), (80, 24)])
async def test_they_are_drawn_in_the_preview_and_where_the_task_is_read(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    app = WorkbenchApp(Opening(store=tmp_path), Settings(), link=SilentLink())
    async with app.run_test(size=size) as pilot:
        await first_screen(pilot)
        library = app.screen
        assert isinstance(library, LibraryScreen)
        shown = library.query_one(TaskPictures)
        assert not shown.display
        library._wanted = (PICTURED.name, 0)
        library._task_read(PICTURED)
        await until(pilot, lambda: "106 x 80" in str(shown.border_subtitle))
        assert shown.display
        app.push_screen(ReadingScreen("Task", task_entries(PICTURED), PICTURED))
        await until(pilot, lambda: bool(app.screen.query(TaskPictures)) and app.screen is not library)
        read = app.screen.query_one(TaskPictures)
        await until(pilot, lambda: "106 x 80" in str(read.border_subtitle))
        assert str(read.border_title) == "2 pictures of the task"
        library._task_read(TASK)
        assert not shown.display
