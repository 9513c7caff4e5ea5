from __future__ import annotations

import io

from PIL import Image, ImageDraw

from tests.tui.waiting import at_rest, until
from tests.tui.widgets import pages
from tests.tui.widgets.host import Host, lines, text
from webbench.core.observation import Observation
from webbench.tui.pictures.detect import Graphics
from webbench.tui.widgets.picture.marks import marked_nodes
from webbench.tui.widgets.picture.page_text import readable
from webbench.tui.widgets.picture.screenshot import ScreenshotView


def picture(observation: Observation, format: str = "PNG") -> bytes:
    """Every interactive node as a blue box on white."""
    image = Image.new("RGB", (1280, 720), "white")
    brush = ImageDraw.Draw(image)
    for node in observation.nodes:
        if node.interactive and node.box is not None and not node.offscreen:
            box = node.box
            brush.rectangle((box.x, box.y, box.x + box.width, box.y + box.height), fill=(0, 0, 252))
    file = io.BytesIO()
    image.save(file, format)
    return file.getvalue()


async def drawn(pilot, view: ScreenshotView) -> None:
    """Wait until the worker has drawn the latest wish."""
    await until(pilot, lambda: view.viewfinder.width > 1 and view._drawing is not None)
    await at_rest(pilot)


def shop_view() -> tuple[Host, ScreenshotView]:
    view = ScreenshotView()
    return Host(view), view


async def open_shop(pilot, view: ScreenshotView) -> None:
    view.observation = pages.shop()
    view.show(picture(pages.shop()))
    await drawn(pilot, view)
    view.focus()


async def test_marks_stand_where_their_nodes_are():
    app, view = shop_view()
    async with app.run_test(size=(130, 40)) as pilot:
        await open_shop(pilot, view)
        await pilot.press("0")
        await drawn(pilot, view)
        shown = lines(app)
        for node in marked_nodes(pages.shop(), full_page=False):
            assert node.box is not None
            column, row = view.viewfinder.to_cell(node.box.x, node.box.y)
            near = "\n".join(line[int(column) : int(column) + 7] for line in shown[int(row) : int(row) + 4])
            assert str(node.id) in near
        await pilot.press("m")
        assert "27" not in text(app)
        assert "marks off" in text(app)


async def test_a_click_focuses_the_node_under_it_or_the_nearest_and_a_double_click_acts():
    app, view = shop_view()
    async with app.run_test(size=(130, 40)) as pilot:
        await open_shop(pilot, view)
        nodes, cell = marked_nodes(pages.shop(), full_page=False), (0, 0)
        for node in nodes:
            assert node.box is not None
            column, row = view.viewfinder.to_cell(*node.box.centre)
            cell = int(column) + 1, int(row) + 1
            await pilot.click(view, offset=cell)
            heard = app.heard_of(ScreenshotView.PointFocused)[-1].point
            assert heard.node is not None
            assert heard.node.id == node.id
        await pilot.click(view, offset=cell, times=2)
        activated = app.heard_of(ScreenshotView.PointActivated)[-1].point.node
        assert activated is not None
        assert activated.id == nodes[-1].id


async def test_a_picture_of_a_part_has_its_marks_and_clicks_where_they_are_on_the_page():
    app, view = shop_view()
    async with app.run_test(size=(130, 40)) as pilot:
        await open_shop(pilot, view)
        node = marked_nodes(pages.shop(), full_page=False)[3]
        assert node.box is not None
        whole = Image.open(io.BytesIO(picture(pages.shop())))
        left, top = max(0.0, node.box.x - 20), max(0.0, node.box.y - 20)
        part = whole.crop((int(left), int(top), int(node.box.x) + 300, int(node.box.y) + 100))
        encoded = io.BytesIO()
        part.save(encoded, "PNG")
        view.show(encoded.getvalue(), origin=(int(left), int(top)))
        await drawn(pilot, view)
        column, row = view.viewfinder.to_cell(*node.box.centre)
        point = view.point_at(int(column), int(row))
        assert point is not None
        assert point.node == node
        column, row = view.viewfinder.to_cell(node.box.x, node.box.y)
        near = [line[int(column) : int(column) + 7] for line in lines(app)[int(row) : int(row) + 4]]
        assert any(str(node.id) in line for line in near)
        assert f"part from {int(left)}, {int(top)}" in text(app)


async def test_zoom_pan_crop_and_fit_keep_the_aspect():
    app, view = shop_view()
    async with app.run_test(size=(130, 40)) as pilot:
        await open_shop(pilot, view)
        await pilot.press("0")
        await drawn(pilot, view)
        whole = view.viewfinder
        await pilot.press("plus", "plus")
        await drawn(pilot, view)
        assert view.viewfinder.unit < whole.unit
        before = view.viewfinder.window
        await pilot.press("l", "j")
        await drawn(pilot, view)
        assert view.viewfinder.window[:2] > before[:2]
        view.focused_id = 28
        await pilot.press("c")
        await drawn(pilot, view)
        left, top, right, bottom = view.viewfinder.window
        assert left <= 640
        assert right >= 820
        assert top <= 540
        assert bottom >= 586
        await pilot.press("0")
        await drawn(pilot, view)
        assert view.viewfinder.window == whole.window


async def test_a_small_pane_shows_the_part_around_the_focused_node_and_a_click_moves_nothing():
    view = ScreenshotView()
    app = Host(view)
    async with app.run_test(size=(60, 20)) as pilot:
        await open_shop(pilot, view)
        assert readable(view.viewfinder)
        for node in marked_nodes(pages.shop(), full_page=False):
            view.focused_id = node.id
            await drawn(pilot, view)
            assert node.box is not None
            assert view.viewfinder.to_page(*view.viewfinder.to_cell(*node.box.centre)) is not None
        shown = view.viewfinder
        for cell in ((2, 2), (50, 3), (3, 16)):
            await pilot.click(view, offset=cell)
            await at_rest(pilot)
            for heard in app.heard_of(ScreenshotView.PointFocused):
                view.focused_id = heard.point.node.id if heard.point.node is not None else None
            await drawn(pilot, view)
            assert view.viewfinder == shown
        await pilot.press("0")
        await drawn(pilot, view)
        assert view.viewfinder == view.viewfinder.fitted()
        await pilot.press("0")
        await drawn(pilot, view)
        assert readable(view.viewfinder)


async def test_the_focused_node_is_outlined_around_its_box():
    app, view = shop_view()
    async with app.run_test(size=(130, 40)) as pilot:
        await open_shop(pilot, view)
        before = lines(app)
        view.focused_id = 22
        await pilot.pause()
        changed = [row for row, (old, new) in enumerate(zip(before, lines(app), strict=True)) if old != new]
        _, top = view.viewfinder.to_cell(640, 330)
        _, bottom = view.viewfinder.to_cell(640, 370)
        assert min(changed) == round(top)
        assert max(changed) == round(bottom) + 1


async def test_zoom_stays_for_the_next_picture_of_the_same_size():
    app, view = shop_view()
    async with app.run_test(size=(130, 40)) as pilot:
        await open_shop(pilot, view)
        await pilot.press("plus", "plus")
        await drawn(pilot, view)
        zoom = view.viewfinder.zoom
        view.show(picture(Observation()))
        await drawn(pilot, view)
        assert view.viewfinder.zoom == zoom


async def test_bytes_that_are_no_picture_are_told_in_words():
    app, view = shop_view()
    async with app.run_test(size=(100, 20)) as pilot:
        view.show(b"\x1b[2Jnot a picture")
        await until(pilot, lambda: "not a picture that can be read" in text(app))


async def test_without_pictures_the_elements_are_listed():
    view = ScreenshotView(Graphics("text", "chosen"))
    app = Host(view)
    async with app.run_test(size=(100, 30)) as pilot:
        await open_shop(pilot, view)
        assert "[28] button Add to basket" in text(app)
        assert "1280 x 720 px, 13 elements in view" in text(app)


async def test_link_hints_replace_the_ids():
    app, view = shop_view()
    async with app.run_test(size=(130, 40)) as pilot:
        await open_shop(pilot, view)
        view.labels = {28: "as"}
        await pilot.pause()
        assert "as" in text(app)
        assert "27" not in text(app)


async def test_sixel_and_kitty_lines_keep_the_width():
    for mode in ("kitty", "sixel"):
        view = ScreenshotView(Graphics(mode, "chosen", cell=(4, 8)))
        app = Host(view)
        async with app.run_test(size=(60, 20)) as pilot:
            await open_shop(pilot, view)
            for y in range(view.content_region.height):
                strip = view.render_line(y)
                assert sum(segment.cell_length for segment in strip) == view.content_region.width


async def test_why_there_is_no_picture_is_said_in_full():
    app, view = shop_view()
    async with app.run_test(size=(40, 12)) as pilot:
        view.clear("A confirm dialog holds the page: Remove everything? Y accepts it, X dismisses it.")
        await pilot.pause()
        shown = " ".join("\n".join(line.strip(" │┃") for line in lines(app)).split())
        assert "Remove everything? Y accepts it, X dismisses it." in shown
