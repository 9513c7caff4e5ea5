"""Whatever a file holds costs that file alone: no traceback, no file outside the store, no endless memory."""

from __future__ import annotations

import json
import random
import tracemalloc
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.core.exchange.agent_data.test_agent_data import api, text, web
from tests.core.exchange.mind2web.test_mind2web import QUERY, TALK, prediction
from tests.core.exchange.miniwob.test_miniwob import clicked, key, page
from tests.core.exchange.open_operator.test_open_operator import browser_use, call
from tests.core.exchange.test_importing import EPISODE
from tests.core.exchange.traces import lines, trace_zip
from tests.core.exchange.webarena.test_webarena_render import results
from webbench.core.exchange.import_format import known_formats
from webbench.core.exchange.importing import Imported, bring_in
from webbench.core.store.store import Store

ANSWERED = [
    {"role": "user", "content": "Task: a\nPrevious actions:\nNone\nWhat should be the next action? x"}
]
STATES = [{"dom": page(), "action": None}, *clicked(2), *key(72, 72)]
CALLS = [{"url": "u", "llm_calls": [call(browser_use({"input_text": {"index": 2, "text": "x"}}))]}]
CONTENT = [text("Buy", "user"), web(axtree="[1] link 'a'", viewport_size=[1, 2]), api("click", bid="1")]
SAMPLES: dict[str, Any] = {
    "a/traces.json": [EPISODE, EPISODE],
    "b/predictions.json": {"model": "m", "predictions": [prediction(1, True), prediction(2, False)]},
    "c/queries.jsonl": QUERY,
    "c/prediction-1.jsonl": {"multichoice_id": 0, "gpt_output": TALK},
    "d/rows.json": [{"id": "Based on the HTML webpage above Previous actions:", "conversations": ANSWERED}],
    "e/result.json": {
        "task_id": "t",
        "task": "a",
        "final_result_response": "b",
        "action_history": ["Type x"],
    },
    "config.json": {"action_set_tag": "x", "model": "m"},
    "f/say_A_d1.json": {"utterance": "Say", "taskName": "say", "rawReward": 1, "states": STATES},
    "g/results.json": {
        "success": True,
        "run_id": 0,
        "duration_in_s": 1,
        "eval": {"eval": "success"},
        "steps": CALLS,
    },
    "h/shop.sample_std.json": [
        {"id": "a__0", "content": CONTENT, "details": {"task": "a", "score": {"value": 1}}}
    ],
    "i/raw.json": [
        {"Title": "a", "Keywords": "b", "Task": "c", "Template": "", "_id": "c__1", "Answer": {"q": "1"}}
    ],
    "j/eval_result.json": {
        "task_id": 1,
        "score": 0.0,
        "evaluators_results": [{"score": 0, "assertions": [{}]}],
    },
}
"""By the name of the file that holds it: what some format reads, apart where formats take whole folders."""
ODD = [None, 1, -1, "x", [], {}, True, 1e300, [[1]], [None], {"a": None}, "\ud83d", "../../x", "9" * 5000]


def imported(folder: Path, store: Store | None = None) -> list[Imported]:
    """What became of each place; tripping over a file, even where only that file is lost, is a fault."""
    told = list(bring_in(folder, known_formats(), store))
    tripped = [line for one in told for line in (one.why, *one.lost) if "does not foresee" in line]
    assert not tripped
    return told


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield at
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, one in inner:
        yield from places(one, (*at, name))


def changed(value: Any, at: tuple[Any, ...], new: Any) -> Any:
    if not at:
        return new
    copy = value.copy()
    copy[at[0]] = changed(value[at[0]], at[1:], new)
    return copy


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """All samples."""
    made = results(tmp_path)
    for name, value in SAMPLES.items():
        (made / name).parent.mkdir(exist_ok=True)
        (made / name).write_text(json.dumps(value))
    return made


@pytest.mark.parametrize("name", SAMPLES)
def test_values_of_another_kind(folder: Path, name: str) -> None:
    chance = random.Random(name)
    known = list(places(SAMPLES[name]))
    for _ in range(20):
        value = changed(SAMPLES[name], chance.choice(known), chance.choice(ODD))
        (folder / name).write_text(json.dumps(value))
        imported((folder / name).parent)


@pytest.mark.parametrize("name", ["render_7.html", *SAMPLES])
def test_files_that_are_cut_off_or_hold_wrong_bytes(folder: Path, name: str) -> None:
    chance = random.Random(name)
    data = (folder / name).read_bytes()
    for _ in range(6):
        (folder / name).write_bytes(data[: chance.randrange(len(data))])
        imported((folder / name).parent)
        wrong = bytearray(data)
        for _ in range(5):
            wrong[chance.randrange(len(data))] = chance.choice(b'\x00\xff\xc3"{')
        (folder / name).write_bytes(wrong)
        imported((folder / name).parent)


def test_traces_of_another_kind(folder: Path) -> None:
    chance = random.Random(1)
    known = [at for at in places(lines()) if at]
    for _ in range(25):
        trace = changed(lines(), chance.choice(known), chance.choice(ODD))
        (folder / "traces" / "7.zip").write_bytes(trace_zip(trace))
        told = {Path(one.path).name: one for one in imported(folder)}
        assert told["render_7.html"].episodes == 1


def test_nothing_outside_the_store_is_written(tmp_path: Path) -> None:
    outward = "../../../../out"
    episode = {**EPISODE, "task_id": outward, "source": f"/{outward}", "intent": "\x1b]0;x\x07"}
    (tmp_path / "in" / "traces").mkdir(parents=True)
    (tmp_path / "in" / "traces.json").write_text(json.dumps([episode]))
    with zipfile.ZipFile(tmp_path / "in" / "traces" / "a.zip", "w") as file:
        file.writestr("../../out.trace", "{}")
        file.writestr("/out.network", "{}")
    before = sorted(tmp_path.rglob("*"))

    store = Store(tmp_path / "store")
    told = imported(tmp_path / "in", store)
    store.close()

    assert [one.episodes for one in told] == [0, 1]
    after = sorted(path for path in tmp_path.rglob("*") if not path.is_relative_to(tmp_path / "store"))
    assert after == before
    assert not list(tmp_path.parent.glob("out*"))


def test_a_bomb_beside_a_page_costs_only_the_trace(folder: Path) -> None:
    with zipfile.ZipFile(folder / "traces" / "7.zip", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("trace.trace", bytes(12 << 20))

    told = {Path(one.path).name: one for one in imported(folder)}["render_7.html"]

    assert (told.episodes, told.steps) == (1, 2)
    assert any("250 times its size" in text for text in told.lost)


@pytest.mark.parametrize(
    ("name", "head", "reason"),
    [
        ("traces.json", json.dumps([EPISODE])[:-1], "the list holds something else, after 1 whole objects"),
        ("predictions.json", json.dumps(SAMPLES["b/predictions.json"])[:-1], "is larger than 256 MiB"),
        ("render_7.html", "<pre>task_id: 7", "is larger than 256 MiB"),
        ("a.txt", "", "unknown format"),
    ],
)
def test_files_of_two_gigabytes_are_told_at_once(tmp_path: Path, name: str, head: str, reason: str) -> None:
    with (tmp_path / name).open("wb") as file:
        file.write(head.encode())
        file.truncate(2 << 30)

    tracemalloc.start()
    (told,) = imported(tmp_path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert any(reason in text for text in (told.why, *told.lost))
    assert peak < 32 << 20


def test_a_line_of_twenty_megabytes_is_read(tmp_path: Path) -> None:
    query = {**QUERY, "cleaned_html": "<p>" + "lamp " * (4 << 20)}
    (tmp_path / "queries.jsonl").write_text(json.dumps(query))

    (told,) = imported(tmp_path)

    assert (told.episodes, told.steps, told.lost) == (1, 2, [])


def test_links_in_circles_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "traces.json").write_text(json.dumps([EPISODE]))
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    (tmp_path / "again").symlink_to(tmp_path / "a")

    told = imported(tmp_path)

    assert sum(one.episodes for one in told) == 1
    assert [one.why for one in told if one.state == "refused"] == [
        "a link to a folder that is imported itself"
    ] * 2
