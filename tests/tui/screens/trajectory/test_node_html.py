"""The HTML pane: the element of the node under the cursor, the page, and a search."""

from __future__ import annotations

from pathlib import Path

from textual.pilot import Pilot

from tests.tui.recorded_page import HEADER, PAGE
from tests.tui.waiting import until
from webbench.core.settings.settings import Settings
from webbench.core.store.store import Store
from webbench.core.trajectory import Step, now
from webbench.tui.app import WorkbenchApp
from webbench.tui.cli.records.show import show_html
from webbench.tui.opening import Opening
from webbench.tui.screens.trajectory.trajectory import TrajectoryScreen
from webbench.tui.widgets.lists.html_pane import HtmlPane
from webbench.tui.widgets.tree.accessibility_tree import AccessibilityTree

HTML = (
    "<html><body><header><a href='/'>Home</a></header><main><button>Add to cart</button>"
    "<p>[bold]markup[/] \x1b[2J is only text</p></main></body></html>"
)


def shown(pilot: Pilot[None]) -> str:
    pane = pilot.app.screen.query_one(HtmlPane)
    return "\n".join(pane.render_line(y).text.rstrip() for y in range(pane.size.height)).strip()


async def test_the_element_under_the_cursor_the_page_and_a_search(tmp_path: Path) -> None:
    store = Store(tmp_path)
    log = store.recorder(store.start_run("demo", "human", 1), HEADER)
    log.write(Step(index=0, at=now(), url=PAGE.url), observation=PAGE, html=HTML)
    log.finish(None, "done")
    store.close()
    app = WorkbenchApp(Opening(store=tmp_path, recorded=log.folder), Settings())
    async with app.run_test(size=(160, 48)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, TrajectoryScreen))
        await until(pilot, lambda: app.screen.query_one(AccessibilityTree).node is not None)
        await pilot.press("9")
        app.screen.query_one(AccessibilityTree).focus_id(11)
        await until(pilot, lambda: shown(pilot) == "<button>Add to cart</button>")
        await pilot.press("x")
        await until(pilot, lambda: "[bold]markup[/] ␛[2J is only text" in shown(pilot))
        pane = app.screen.query_one(HtmlPane)
        await pilot.press("slash", *"only", "enter")
        await until(pilot, lambda: "only text" in pane._rows[pane.cursor])
        await pilot.press("x")
        await until(pilot, lambda: shown(pilot) == "<button>Add to cart</button>")
    assert show_html(log.folder.name, 0, "11", store=tmp_path, as_json=False) == 0
    assert show_html(log.folder.name, 0, "77", store=tmp_path, as_json=True) == 1
