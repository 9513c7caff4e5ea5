"""WebArena's rendered pages, joined with the settings, logs and Playwright traces beside them."""

import base64
import io
from pathlib import Path

import pytest
from PIL import Image

from tests.core.exchange.traces import SHOP, ZERO, call, lines, snapshot, trace_zip
from webbench.core.action.action import Click, ClickAt, ElementRef, Goto, Stop
from webbench.core.errors import BadData
from webbench.core.exchange.import_format import ImportedEpisode, ImportedStep
from webbench.core.exchange.importing import bring_in
from webbench.core.exchange.place import Place
from webbench.core.exchange.playwright import dom_snapshots
from webbench.core.exchange.playwright.dom_snapshots import DomSnapshots, TooLarge
from webbench.core.exchange.playwright.standalone_trace import PlaywrightTrace
from webbench.core.exchange.webarena.render import WebArenaRender
from webbench.core.observation import Box
from webbench.core.score.score import Status

TREE = "Tab 0 (current): Shop | Tab 1: Mail\n\n[1] RootWebArea 'Shop'\n\t[4] link 'Lamp <b>'"
SETTINGS = (
    "task_id: 7\nsites: ['shopping']\nintent: Find: it\nintent_template_id: 3\neval: {'eval_types': []}"
)


def state(reply: str, parsed: str) -> str:
    picture = io.BytesIO()
    Image.new("RGB", (4, 3)).save(picture, "PNG")
    encoded = base64.b64encode(picture.getvalue()).decode()
    return (
        "<h2>New Page</h2>\n<h3 class='url'><a href=http://shop/>URL: http://shop/</a></h3>\n"
        f"<div class='state_obv'><pre>{TREE}</pre><div>\n<img src='data:image/png;base64,{encoded}'/>\n"
        f"<div class='raw_parsed_prediction' style=''><pre>{reply}</pre></div>"
        f"<div class='parsed_action' style=''><pre>{parsed}</pre></div></div>\n"
    )


def results(folder: Path, trace: bytes = b"") -> Path:
    """A folder of results with one task, its settings, log and trace."""
    first = state("Look. ```click [4]```", "click [4] where [4] is [4] link 'Lamp <b>'")
    last = state("There.```stop [$5]```", "stop [$5]")
    page = f"<html>\n<body>\n<pre>{SETTINGS}\n</pre>\n{first}{last}</body></html>"
    (folder / "render_7.html").write_text(page)
    (folder / "config.json").write_text('{"action_set_tag": "id_accessibility_tree", "model": "model-a"}')
    (folder / "log_files").mkdir()
    log = "[Result] (FAIL) /tmp/x/17.json\n[Result] (PASS) /tmp/x/7.json\n"
    (folder / "log_files" / "log_1.log").write_text(log)
    (folder / "traces").mkdir()
    (folder / "traces" / "7.zip").write_bytes(trace or trace_zip())
    return folder


def read(folder: Path) -> tuple[ImportedEpisode, list[ImportedStep]]:
    (episode,) = WebArenaRender().episodes(Place(folder / "render_7.html", folder))
    return episode, list(episode.steps)


def test_a_page_of_results_becomes_an_episode(tmp_path: Path) -> None:
    episode, steps = read(results(tmp_path))

    task, score = episode.header.task, episode.header.score
    assert (task.name, task.intent, task.site, task.template) == ("7", "Find: it", "shopping", "3")
    assert (episode.header.actor, task.gold) == ("model-a", {"eval_types": []})
    assert score is not None
    assert (score.status, score.value) == (Status.SCORED, 1.0)
    target = ElementRef(id=4, role="link", name="Lamp <b>", box=Box(5, 6.5, 1, 1))
    assert [one.step.action for one in steps] == [None, Click(target=target), Stop(answer="$5")]
    assert [one.step.reasoning for one in steps] == ["", "Look.", "There."]
    assert steps[1].observation is not None
    assert [(tab.title, tab.active) for tab in steps[1].observation.tabs] == [("Shop", True), ("Mail", False)]
    assert [one.picture is not None for one in steps] == [True, True, False]


def test_a_state_whose_tree_holds_no_node_is_told_with_its_step(tmp_path: Path) -> None:
    page = results(tmp_path) / "render_7.html"
    page.write_text(page.read_text().replace(TREE, "the page was empty", 1))

    (told,) = (one for one in bring_in(tmp_path, [WebArenaRender()], None) if one.episodes)

    (trees,) = (row for row in told.account if row.kind == "trees")
    assert (trees.source, trees.recorded, [one.sort for one in trees.reasons]) == (2, 1, ["left"])
    assert "step 0: a tree that holds no node" in told.lost


def test_the_trace_adds_times_messages_pages_and_network(tmp_path: Path) -> None:
    episode, (start, click, stop) = read(results(tmp_path))

    assert episode.header.started == "2023-11-14T22:13:20.200+00:00"
    assert click.step.at == "2023-11-14T22:13:24.000+00:00"
    assert (click.step.seconds.agent, click.step.seconds.environment) == (3.0, 1.0)
    assert [message.text for message in click.step.messages] == ["no price"]
    assert click.step.output == "Page.mouseClick x=5 y=6.5"
    assert start.html == "<html><body><h1>Shop &amp; more</h1></body></html>"
    assert click.html == "<html><body><h1>Shop &amp; more</h1>sold</body></html>"
    (event,) = stop.step.evidence["har_events"]
    assert (event["url"], event["status"], event["headers"]) == ("http://shop/price", 404, {"accept": "*/*"})


@pytest.mark.parametrize(
    ("trace", "lost"),
    [
        (lines()[:-3], "times of the trace: it has 1 screenshots, the page 2 states"),
        ([{"type": "context-options", "version": 99}], "the trace has version 99; 3 to 8 are read"),
        ([], "holds a trace without calls"),
    ],
)
def test_a_trace_that_does_not_fit_costs_only_what_it_would_add(
    tmp_path: Path, trace: list[dict[str, object]], lost: str
) -> None:
    episode, steps = read(results(tmp_path, trace_zip(trace)))

    assert len(steps) == 3
    assert any(lost in one for one in episode.lost)


def test_a_page_that_breaks_off_gives_what_it_has(tmp_path: Path) -> None:
    page = results(tmp_path) / "render_7.html"
    text = page.read_text()
    page.write_text(text[: text.index("There")])

    episode, steps = read(tmp_path)

    assert [one.step.text for one in steps] == ["", "click [4]"]
    assert any("state 1 is not whole" in one for one in episode.lost)


def test_a_task_that_an_error_ended_has_no_score(tmp_path: Path) -> None:
    results(tmp_path)
    (tmp_path / "log_files" / "log_1.log").write_text("[Config file]: /tmp/x/7.json")
    told = "[Config file]: /tmp/x/7.json\n[Unhandled Error] TimeoutError('page')\nTraceback"
    (tmp_path / "error.txt").write_text(told)

    score = read(tmp_path)[0].header.score

    assert score is not None
    assert (score.status, score.value) == (Status.ERROR, None)
    assert "TimeoutError('page')" in score.reason


def test_what_lies_beside_a_page_belongs_to_it(tmp_path: Path) -> None:
    results(tmp_path)
    for name in ("config.json", "log_files/log_1.log", "traces/7.zip"):
        claim = WebArenaRender().claim(Place(tmp_path / name, tmp_path))
        assert claim is not None
        assert claim.kind == "companion"


def test_a_trace_alone_is_an_episode_of_its_calls(tmp_path: Path) -> None:
    (tmp_path / "trace.zip").write_bytes(trace_zip())
    place = Place(tmp_path / "trace.zip", tmp_path)
    assert PlaywrightTrace().claim(place)

    (steps,) = [list(episode.steps) for episode in PlaywrightTrace().episodes(place)]

    assert [one.step.action for one in steps] == [None, Goto(url="http://shop/"), ClickAt(x=5, y=6.5)]
    assert steps[1].picture is not None
    assert steps[1].picture.data.startswith(b"\xff\xd8")


def test_snapshots_that_multiply_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dom_snapshots, "LARGEST_HTML", 1 << 20)
    snapshots = DomSnapshots()
    for number in range(9):
        text_or_last = [[1, 20 if number == 1 else 0]] if number else "p"
        html = ["HTML", {}, *[text_or_last] * 20]
        snapshots.take(snapshot(number, html)["snapshot"])

    with pytest.raises(TooLarge, match="longer than 1 MiB"):
        snapshots.html("after@call@8")


def test_a_zip_that_is_no_trace_is_none(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"PK\x03\x04 cut")
    claim = PlaywrightTrace().claim(Place(tmp_path / "a.zip", tmp_path))

    assert claim is not None
    assert (claim.kind, "no zip file" in claim.why) == ("refused", True)
    with pytest.raises(BadData):
        list(PlaywrightTrace().episodes(Place(tmp_path / "a.zip", tmp_path)))


def test_the_shop_is_read_as_it_was_written() -> None:
    snapshots = DomSnapshots()
    for number, html in enumerate((SHOP, [[1, 3]], [[9, 9]])):
        snapshots.take(snapshot(number, html)["snapshot"])

    assert snapshots.html("after@call@1") == "<h1>Shop &amp; more</h1>"
    assert snapshots.html("after@call@2") == ""
    assert call(1, "goto", 0, 1)[0]["callId"] == "call@1"


def test_calls_and_messages_of_older_traces(tmp_path: Path) -> None:
    about = {"id": "call@1", "type": "Page", "method": "goto", "params": {"url": "http://shop/"}, "log": []}
    said = {"guid": "m1", "initializer": {"type": "error", "text": "no price", "location": {"url": "u"}}}
    shown = {"method": "console", "params": {"message": {"guid": "m1"}}, "startTime": 450}
    trace = [
        {"type": "context-options", "version": 3, "wallTime": ZERO},
        {"type": "action", "metadata": {**about, "startTime": 200, "endTime": 400, "wallTime": ZERO + 200}},
        {"type": "action", "metadata": {**about, "internal": True, "startTime": 300}},
        {"type": "event", "metadata": {"method": "__create__", "type": "ConsoleMessage", "params": said}},
        {"type": "event", "metadata": shown},
        snapshot(1, SHOP),
    ]
    (tmp_path / "trace.zip").write_bytes(trace_zip(trace))

    (steps,) = [
        list(one.steps) for one in PlaywrightTrace().episodes(Place(tmp_path / "trace.zip", tmp_path))
    ]

    assert [one.step.action for one in steps] == [None, Goto(url="http://shop/")]
    assert (steps[1].step.at, steps[1].step.seconds.environment) == ("2023-11-14T22:13:20.200+00:00", 0.2)
    assert [(one.level, one.text) for one in steps[1].step.messages] == [("error", "no price")]
    assert "Shop" in steps[1].html
