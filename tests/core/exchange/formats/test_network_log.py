"""Network logs: our own come back with their steps, of others each page is a step; secrets stay outside."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from tests.core.exchange.account.full_episode import record_full
from tests.core.exchange.reading import read
from tests.core.exchange.round_trip import brought_in, folders, written
from webbench.core.exchange.export_format import find_exporter
from webbench.core.exchange.formats.network_log import (
    NO_ACTIONS,
    NO_ACTIONS_OF_OURS,
    NO_PAGES,
    NO_SECRETS,
    NetworkLog,
)
from webbench.core.exchange.place import Place
from webbench.core.exchange.round_trip import round_trip
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.text.addresses import HIDDEN
from webbench.core.trajectory import IMPORTED, EpisodeHeader, Step


def exchange(page: str, url: str, **more: Any) -> dict[str, Any]:
    sent = {"method": "GET", "url": url, "headers": [{"name": "Cookie", "value": "me"}], "cookies": []}
    got = {"status": 200, "headers": [], "cookies": [{"name": "session", "value": "me"}], "content": {}}
    return {"pageref": page, "startedDateTime": "", "request": sent | more, "response": got}


def foreign(folder: Path, **more: Any) -> Path:
    pages = [
        {"id": f"page_{number}", "title": title, "startedDateTime": f"2026-01-01T00:00:0{number}Z"}
        for number, title in enumerate(("http://shop.test/", "The cart"), 1)
    ]
    form = {"mimeType": "application/x-www-form-urlencoded", "text": "name=a+b"}
    sent = exchange("page_2", "http://shop.test/cart", method="POST", postData=form)
    entries = [exchange("page_1", "http://shop.test/"), sent]
    log = {"version": "1.2", "creator": {"name": "Firefox"}, "pages": pages, "entries": entries} | more
    (folder / "tea.har").write_text(json.dumps({"log": log}))
    return folder / "tea.har"


def test_our_own_log_comes_back_with_exchanges_messages_and_addresses(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    record_full(store)
    [record] = [store.load(folder) for folder in folders(store)]
    written("har", store, [record], tmp_path / "o.har")

    again = Store(tmp_path / "again")
    [told], [back] = brought_in("har", tmp_path / "o.har", again)

    assert [row.kind for row in told.account if any(one.sort == "unexplained" for one in row.reasons)] == []
    assert told.noticed == [NO_ACTIONS_OF_OURS]
    same = ("url", "title", "at", "messages")
    assert [[getattr(one, name) for name in same] for one in back.steps] == [
        [getattr(one, name) for name in same] for one in record.steps
    ]
    counts = [len(one.evidence.get("har_events", [])) for one in back.steps]
    assert counts == [len(one.evidence.get("har_events", [])) for one in record.steps]
    assert (back.header.task.id, back.header.actor) == (record.header.task.id, record.header.actor)
    assert (back.header.started, back.header.ended) == (record.header.started, record.header.ended)
    out = written("har", again, [back], tmp_path / "p.har")
    messages = [row for row in out.account if row.kind == "messages"]
    assert [(row.source, row.recorded, row.reasons) for row in messages] == [(3, 3, [])]
    given = json.loads((tmp_path / "p.har").read_text())
    assert given["log"]["_webbench"].pop("origin")["from"] == "o.har"
    assert given == json.loads((tmp_path / "o.har").read_text())


def test_a_foreign_log_goes_out_as_it_came_with_its_origin_through_any_number_of_rounds(
    tmp_path: Path,
) -> None:
    path = foreign(tmp_path)
    store = Store(tmp_path / "store")
    _, [record] = brought_in("har", path, store)
    kept = json.loads(store.file(store.files(folders(store)[0])[0]))
    for number in range(3):
        told = written("har", store, [record], tmp_path / f"{number}.har")
        given = json.loads((tmp_path / f"{number}.har").read_text())
        given["log"].pop("_webbench")
        assert given == kept
        assert [line for line in told.lost if "unexplained" in line] == []
        found = round_trip(store, folders(store)[0], find_exporter("har"))
        assert [name for kind in found.kinds for name in kind.unexplained] == []
        store = Store(tmp_path / f"store{number}")
        _, [record] = brought_in("har", tmp_path / f"{number}.har", store)
        origin = record.header.settings[IMPORTED]
        for _ in range(number + 1):
            origin = origin["origin"]
        assert (origin["format"], origin["from"], "origin" in origin) == ("har", "tea.har", False)


def test_pages_of_a_foreign_log_are_steps_and_what_may_sign_in_is_left_out(tmp_path: Path) -> None:
    [(episode, steps)] = read(NetworkLog(), foreign(tmp_path), tmp_path)

    assert [(one.step.url, one.step.title) for one in steps[1:]] == [
        ("http://shop.test/", ""),
        ("", "The cart"),
    ]
    events = steps[-1].step.evidence["har_events"]
    assert [one["post_data"] for one in events] == [None, {"name": "a b"}]
    kept = b"".join(file.data for file in episode.files)
    assert b'"me"' not in kept
    assert b'"Firefox"' in kept
    assert f"{NO_SECRETS}: 4" in episode.lost
    assert '"me"' not in json.dumps(events)


def test_how_a_log_without_pages_was_read_is_noticed_and_is_no_loss(tmp_path: Path) -> None:
    document, picture = exchange("", "http://shop.test/"), exchange("", "http://shop.test/cart.png")
    for entry, kind in ((document, "text/html"), (picture, "image/png")):
        entry["request"]["headers"], entry["response"]["cookies"] = [], []
        entry["response"]["content"] = {"mimeType": kind}
    path = foreign(tmp_path, pages=[], entries=[document, picture])

    [told], [back] = brought_in("har", path, Store(tmp_path / "store"))

    assert (told.state, told.lost, told.noticed) == (
        "imported",
        [],
        [NO_PAGES, NO_ACTIONS],
    )
    assert [step.url for step in back.steps] == ["", "http://shop.test/"]


def test_credentials_are_hidden_wherever_a_name_tells_them(tmp_path: Path) -> None:
    packed = base64.b64encode(b'{"access_token": "s3cret-6", "user": "ann"}').decode()
    form = {
        "mimeType": "application/x-www-form-urlencoded",
        "text": "user%5Bpassword%5D=s3cret-1&name=ann",
        "params": [{"name": "user[password]", "value": "s3cret-1"}, {"name": "name", "value": "ann"}],
    }
    parts = '--x\r\nContent-Disposition: form-data; name="password"\r\n\r\ns3cret-7\r\n--x--'
    entries = [
        exchange(
            "page_1",
            "http://shop.test/in?token=s3cret-2&page=2",
            queryString=[{"name": "token", "value": "s3cret-2"}, {"name": "page", "value": "2"}],
            headers={"X-Auth-Token": "s3cret-3", "Cookie": "s3cret-4", "Accept": "*/*"},
            cookies={"sid": "s3cret-8"},
            postData=form,
        ),
        exchange("page_2", "http://shop.test/", headers=["odd"], postData={"mimeType": "x", "text": parts}),
    ]
    tree = {"credentials": {"value": "s3cret-5", "pin": 1234}, "total_tokens": 12}
    entries[0]["response"]["content"] = {"mimeType": "application/json", "text": json.dumps(tree)}
    entries[1]["response"]["content"] = {"encoding": "base64", "text": packed}

    path = foreign(tmp_path, entries=entries, _webbench={"task": "not ours"})
    [(episode, steps)] = read(NetworkLog(), path, tmp_path)

    [kept] = (file.data.decode() for file in episode.files)
    log = json.loads(kept)["log"]
    assert "s3cret" not in kept + json.dumps([one.step.evidence for one in steps])
    sent, got = (log["entries"][0][side] for side in ("request", "response"))
    assert sent["headers"] == {"X-Auth-Token": HIDDEN, "Accept": "*/*"}
    assert (sent["url"], sent["cookies"]) == (f"http://shop.test/in?token={HIDDEN}&page=2", {"sid": ""})
    assert sent["queryString"][1] == {"name": "page", "value": "2"}
    assert dict(parse_qsl(sent["postData"]["text"])) == {"user[password]": HIDDEN, "name": "ann"}
    hidden = {"credentials": {"value": HIDDEN, "pin": HIDDEN}, "total_tokens": 12}
    assert json.loads(got["content"]["text"]) == hidden
    unpacked = json.loads(base64.b64decode(log["entries"][1]["response"]["content"]["text"]))
    assert unpacked == {"access_token": HIDDEN, "user": "ann"}
    assert log["entries"][1]["request"]["headers"] == ["odd"]
    assert f"{NO_SECRETS}: 13" in episode.lost


def test_what_evidence_repeats_is_bounded_by_steps_and_not_by_pages(tmp_path: Path) -> None:
    own, creator = {"task": "tea"}, {"name": "webbench-tui"}
    entries = [exchange("", "http://shop.test/") | {"_step": at} for at in [0] * 20 + [19_999]]

    path = foreign(tmp_path, pages=[], entries=entries, _webbench=own, creator=creator)
    [(_, steps)] = read(NetworkLog(), path, tmp_path)

    assert [(one.step.index, len(one.step.evidence["har_events"])) for one in steps if one.step.evidence] == [
        (19_999, 21)
    ]


def test_pages_of_one_number_come_one_after_the_other(tmp_path: Path) -> None:
    pages = [{"id": "a", "title": "A", "_step": 2}, {"id": "b", "title": "B", "_step": 2}]

    path = foreign(tmp_path, pages=pages, entries=[], _webbench={"task": "tea"})
    [(_, steps)] = read(NetworkLog(), path, tmp_path)

    assert [one.step.title for one in steps] == ["", "", "A", "B"]


def test_what_is_no_page_and_no_exchange_is_told(tmp_path: Path) -> None:
    [(episode, _)] = read(NetworkLog(), foreign(tmp_path, pages=["x"], entries=[3, {}]), tmp_path)

    assert "exchanges of the log that are no objects: 1" in episode.lost
    assert "steps of the log that are no objects: 1" in episode.lost
    (tmp_path / "no.har").write_text('{"log": {"version": "1.2"}}')
    assert brought_in("har", tmp_path / "no.har", Store(tmp_path / "s"))[0][0].state == "refused"
    assert NetworkLog().claim(Place(tmp_path / "other.json", tmp_path)) is None


def recorded_with(store: Store, *lists: list[str]) -> list[tuple[int, str]]:
    """The entries of the log of an episode whose steps' evidence has these addresses: step and address."""
    header = EpisodeHeader(run="", episode="", task=Task(benchmark="shop", name="tea"), actor="a", dialect="")
    writer = store.recorder(store.start_run(benchmark="shop", agent="a", planned=1), header)
    for index, urls in enumerate(lists):
        events = [{"method": "GET", "url": url, "status": 200} for url in urls]
        writer.write(Step(index=index, at="", evidence={"har_events": events} if urls else {}))
    writer.finish(None, "done")
    writer.close()
    [record] = [store.load(folder) for folder in folders(store)]
    told = written("har", store, [record], store.root.parent / "o.har")
    assert [line for line in told.lost if "unexplained" in line] == []
    log = json.loads((store.root.parent / "o.har").read_text())["log"]
    return [(one["_step"], one["request"]["url"]) for one in log["entries"]]


def test_an_exchange_that_was_answered_late_is_there_once_and_none_twice(store: Store) -> None:
    """It began before others that were answered first, and stands between them in later evidence."""
    found = recorded_with(store, ["/a"], ["/a", "/c"], ["/a", "/slow", "/c", "/c"])
    assert found == [(0, "/a"), (1, "/c"), (2, "/slow"), (2, "/c")]


def test_the_log_of_an_episode_that_was_resumed_has_what_was_exchanged_before_and_after(store: Store) -> None:
    """A browser that is started anew begins its list anew, shorter than the one before, or as long."""
    found = recorded_with(store, ["/a", "/b", "/c"], [], ["/a"], ["/a", "/d"])
    assert found == [(0, "/a"), (0, "/b"), (0, "/c"), (2, "/a"), (3, "/d")]


def test_an_exchange_that_is_pushed_out_of_a_full_list_is_told_once(store: Store) -> None:
    """Steps on the way list the first 200: one that was answered late takes the place of the last."""
    first, late, whole = [*range(1, 50), *range(51, 202)], [*range(1, 201)], [*range(1, 231)]
    anew = [*range(1, 4)]
    lists = [[f"/{number}" for number in one] for one in (first, late, whole, anew)]

    found = recorded_with(store, *lists)

    assert [sum(step == at for step, _ in found) for at in range(4)] == [200, 1, 29, 3]
    assert len(set(found[:230])) == 230
    assert {address for _, address in found[:230]} == set(lists[2])


def test_a_full_list_of_a_browser_that_was_started_anew_is_new(store: Store) -> None:
    """It begins with the same page, and lacks more than a few of the end of the list before."""
    found = recorded_with(
        store, [f"/a{n}" for n in range(200)], ["/a0", *(f"/b{n}" for n in range(199))], ["/c"]
    )
    assert [sum(step == at for step, _ in found) for at in range(3)] == [200, 200, 1]
