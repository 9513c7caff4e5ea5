"""What leaves the house is redacted by what is configured now, whenever it was recorded."""

import json
from pathlib import Path

from webbench.core.action.action import Click, ElementRef
from webbench.core.exchange.exporting import export
from webbench.core.exchange.formats import har
from webbench.core.exchange.own import jsonl
from webbench.core.observation import AccessibilityNode, Observation
from webbench.core.report.pages.episode_page import episode_page
from webbench.core.store.secrets.outgoing import ConcealingStore
from webbench.core.store.secrets.redaction import MARKER, Redaction
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step

SECRET = "sk-2718281828"
PATTERNS = ("sk-[0-9]+", "[0-9a-f]{64}")


def record(store: Store) -> Path:
    run = store.start_run("shop", "ann", 1)
    source = {"format": "webvoyager", "from": "/home/ann/secret project/task1"}
    task = Task(benchmark="shop", name="tea", intent=f"Log in with {SECRET}")
    header = EpisodeHeader(
        run="", episode="", task=task, actor="ann", dialect="", settings={"imported": source}
    )
    writer = store.recorder(run, header)
    seen = Observation(nodes=(AccessibilityNode(id=1, role="link", name=f"key {SECRET}"),))
    action = Click(target=ElementRef(id=1, role="link", name=f"key {SECRET}"))
    step = Step(
        index=0,
        at="",
        actor="agent",
        reasoning=f"I use {SECRET}",
        action=action,
        text="click [1]",
        agent_state={"memory": [{"note": f"key {SECRET}"}]},
    )
    writer.write(step, observation=seen, html=f"<p>{SECRET}</p>")
    writer.keep_data("network.har", f'{{"log": {{"comment": "{SECRET}"}}}}'.encode())
    writer.finish(None, f"gave up with {SECRET}")
    return writer.folder


def test_what_was_recorded_before_a_pattern_is_redacted_as_it_is_read(tmp_path: Path) -> None:
    folder = record(Store(tmp_path / "store"))
    store = ConcealingStore(tmp_path / "store", Redaction(PATTERNS))

    page, unread = episode_page(store, store.load(folder))
    told = export(store, [folder], jsonl.create_exporter(), tmp_path / "out.jsonl")

    assert MARKER in store.header(folder.parent.name, folder.name).task.intent
    export(store, [folder], har.create(), tmp_path / "out.har")

    network = json.loads((tmp_path / "out.har").read_text())
    assert network["log"]["comment"] == MARKER
    assert (unread, told.lost) == ([], [f"{folder.name}: the file network.har kept with it"])
    for text in (page, (tmp_path / "out.jsonl").read_text()):
        assert MARKER in text
        assert SECRET not in text
        assert "/home/ann" not in text
        assert "task1" in text
    assert SECRET in Store(tmp_path / "store").load(folder).header.task.intent
